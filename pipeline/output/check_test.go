package output_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

func TestCheckShowsAChangedSentence(t *testing.T) {
	p := newPersona()
	p.result.Delta.Snapshots = []store.Change{p.soulChanged()}
	equal(t, p.check(t, words.Options{Count: wordCount}), `persona  soul  text changed                      sources/persona/SOUL.md:12   +3 tokens
  in 2 of 5: entry=full
  @@ ## Soul @@
   Keep private things private.
  -Ask before you act.
  +Ask before you act outside this machine.
snapshots are out of date: 1 rendering changed
run: promptc build
`)
}

func TestCheckWithoutDrift(t *testing.T) {
	p := newPersona()
	equal(t, p.check(t, words.Options{}), "snapshots are up to date: 1 prompt, 5 variants, 2 renderings\n")
}

func TestCheckBeforeTheFirstBuild(t *testing.T) {
	p := newPersona()
	c := p.soulChanged()
	c.Status, c.Old = store.Added, ""
	p.result.Delta.Snapshots = []store.Change{c}
	p.result.Delta.Wanted = []assembly.Output{c.Output}
	p.result.Delta.Snapshotted = len(p.result.Delta.Wanted)
	equal(t, p.check(t, words.Options{}), "snapshots do not exist yet: 1 prompt, 5 variants, 2 renderings\nrun: promptc build\n")
}

func TestCheckWithoutADeltaSaysNothing(t *testing.T) {
	equal(t, written(t, func(w *strings.Builder) error { return run.Check(w, &prompt.Result{}, words.Options{}) }), "")
}

func TestCheckNamesMissingAndOrphanedFiles(t *testing.T) {
	p := newPersona()
	added := p.soulChanged()
	added.Status, added.Old = store.Added, ""
	orphan := func(path string, owner assembly.Owner) store.Change {
		return store.Change{Status: store.Orphaned, Old: "three words here\n", Output: assembly.Output{Path: path, Owner: owner}}
	}
	p.result.Delta.Snapshots = []store.Change{
		p.outline("# persona: 5 variants\nsoul  sections/old.txt  all\n", "# persona: 5 variants\nsoul  sections/soul.txt  all\n"),
		added,
		orphan("snapshots/gone/outline.txt", assembly.Owner{Kind: assembly.OutOutline, Prompt: "gone"}),
		orphan("snapshots/persona/sections/old.txt", sectionOf("old")),
		orphan("snapshots/persona/sections/skills/commit@tools=none.txt", assembly.Owner{Kind: assembly.OutItem, Prompt: "persona", Section: "skills", Item: "commit@tools=none"}),
		orphan("snapshots/persona/tools/exec.json", assembly.Owner{Kind: assembly.OutTool, Prompt: "persona", Item: "exec"}),
	}
	p.result.Delta.Wanted = []assembly.Output{added.Output, {Path: "snapshots/README.md"}}
	p.result.Delta.Snapshotted = len(p.result.Delta.Wanted)
	equal(t, p.check(t, words.Options{Count: wordCount}), `persona  soul  snapshot missing                  sources/persona/SOUL.md:11   +13 tokens
  in 2 of 5: entry=full
persona  skills commit@tools=none  no longer built   snapshots/persona/sections/skills/commit@tools=none.txt   -3 tokens
persona  old  no longer built                    snapshots/persona/sections/old.txt   -3 tokens
persona  tool exec  no longer built              snapshots/persona/tools/exec.json   -3 tokens
gone  outline  no longer built                   snapshots/gone/outline.txt
snapshots are out of date: 1 rendering missing, 1 rendering no longer built, 1 item no longer built, 1 tool no longer built, 1 outline no longer built (persona outline follows)
run: promptc build
`)
}

func TestOutlineIsShownWhereNoFileExplainsIt(t *testing.T) {
	p := newPersona()
	before := "# persona: 5 variants\nintro  sections/intro.txt  all\nsoul  sections/soul.txt  entry=full\n"
	after := "# persona: 5 variants\nintro  sections/intro.txt  all\nsoul  sections/soul.txt  all\n"
	p.result.Delta.Snapshots = []store.Change{p.soulChanged(), p.outline(before, after)}
	got := p.check(t, words.Options{})
	_, got, _ = strings.Cut(got, "machine.\n")
	equal(t, got, `persona  outline  changed                        snapshots/persona/outline.txt
  @@ # persona: 5 variants @@
   intro  sections/intro.txt  all
  -soul  sections/soul.txt  entry=full
  +soul  sections/soul.txt  all
snapshots are out of date: 1 rendering changed, 1 outline changed
run: promptc build
`)
}

func TestReadmeIsShownWhereNothingElseChanged(t *testing.T) {
	p := newPersona()
	p.result.Delta.Snapshots = []store.Change{readmeChanged()}
	equal(t, p.check(t, words.Options{Count: wordCount}), `README.md  changed                               snapshots/README.md
  @@ line 2 @@
   <!-- mark -->
  -old
  +new
snapshots are out of date: 1 index file changed
run: promptc build
`)
}

func TestWholeVariantIsShownOnlyForWhatItsSectionsDoNot(t *testing.T) {
	const before = "Hello.\n\n## Soul\n\nKeep private things private.\nAsk before you act.\n"
	const edited = "Hello.\n\n## Soul\n\nKeep private things private.\nAsk before you act outside this machine.\n"
	full := func(_ *persona, before, after string) store.Change {
		return store.Change{Status: store.Changed, Old: before, Output: assembly.Output{
			Path: "snapshots/persona/full/entry=full,tools=native.txt", Parts: []string{after},
			Owner: assembly.Owner{Kind: assembly.OutFull, Prompt: "persona", Item: "persona/entry=full,tools=native"},
		}}
	}
	p := newPersona()
	p.result.Delta.Snapshots = []store.Change{full(p, before, edited), p.soulChanged()}
	got := p.check(t, words.Options{})
	if want := "\nsnapshots are out of date: 1 rendering changed (persona full entry=full,tools=native follows)\n"; !strings.Contains(got, want) || strings.Count(got, "@@ ##") != 1 {
		t.Errorf("a repeated difference is shown:\n%s", got)
	}
	for _, c := range []struct{ name, after string }{
		{"a join", strings.Replace(before, "Hello.\n\n", "Hello.\n\n\n", 1)},
		{"the order", strings.Replace(edited, "Hello.\n\n", "", 1) + "\nHello.\n"},
	} {
		p.result.Delta.Snapshots[0] = full(p, before, c.after)
		if got := p.check(t, words.Options{}); !strings.Contains(got, "persona  full entry=full,tools=native  text changed") {
			t.Errorf("%s is not shown:\n%s", c.name, got)
		}
	}
}

func TestStaleArtifactsAreOneLine(t *testing.T) {
	p := newPersona()
	p.result.Delta.Artifacts.Changes = []store.Change{
		{Status: store.Changed, Output: assembly.Output{Path: "dist/persona/a.txt"}},
		{Status: store.Added, Output: assembly.Output{Path: "dist/persona/b.txt"}},
	}
	if got := p.check(t, words.Options{}); !strings.Contains(got, "up to date") {
		t.Errorf("a tree without artifacts is stale: %q", got)
	}
	p.result.Delta.Artifacts.Have = true
	equal(t, p.check(t, words.Options{}), "dist is out of date: 1 changed, 1 missing (first: dist/persona/a.txt)\nrun: promptc build\n")
}

func TestDifferences(t *testing.T) {
	many := strings.Repeat("line\n", 500)
	long := strings.Repeat("x", 3000)
	for _, c := range []struct{ name, before, after, want string }{
		{"crlf", "a\r\nb\r\n", "a\nc\n", "  @@ line 2 @@\n   a\n  -b\n  +c\n"},
		{"no line break", "a\nb", "a\nb\n", "  @@ line 2 @@\n   a\n  -b\n  \\ no line break at the end\n  +b\n"},
		{"emptied", "", "a\n", "  @@ line 1 @@\n  +a\n"},
		{"hidden", "a\n", "a\u200b\n", "  @@ line 1 @@\n  -a\n  +a<U+200B>\n"},
		{"blank line", "a\nb\n", "a\n\nb\n", "  @@ line 2 @@\n   a\n  +\n   b\n"},
		{"blank line around", "\na\n\n", "\nb\n\n", "  @@ line 2 @@\n\n  -a\n  +b\n\n"},
		{"trailing blank", "a\n", "a \n", "  @@ line 1 @@\n  -a\n  +a \n"},
		{"comment in a fence", "# h\n```\n# c\nx\n", "# h\n```\n# c\ny\n", "  @@ # h @@\n   # c\n  -x\n  +y\n"},
		{"two hunks", "# a\n1\n2\n3\n4\n# b\n5\n", "# a\n1\nnew\n2\n3\n4\n# b\n6\n", "  @@ # a @@\n   1\n  +new\n   2\n  @@ # b @@\n   # b\n  -5\n  +6\n"},
		{"line of the second hunk", "1\n2\n3\n4\n5\n", "0\n1\n2\n3\n4\n6\n", "  @@ line 1 @@\n  +0\n   1\n  @@ line 6 @@\n   4\n  -5\n  +6\n"},
		{"long line", long + "a\n", long + "b\n", "  @@ line 1 @@\n  -…(2,880 more characters)…" + long[:120] + "a\n  +…(2,880 more characters)…" + long[:120] + "b\n"},
		{"many lines", many, "", "  @@ line 1 @@\n" + strings.Repeat("  -line\n", 200) + "  … 300 more lines of this difference\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPersona()
			p.result.Delta.Snapshots = []store.Change{{
				Status: store.Changed, Old: c.before,
				Output: assembly.Output{Path: "snapshots/persona/sections/intro.txt", Parts: []string{c.after}, Owner: assembly.Owner{
					Kind: assembly.OutRendering, Prompt: "persona", Section: "intro", Users: p.users(0, 1, 2, 3, 4),
				}},
			}}
			equal(t, p.check(t, words.Options{}), "persona  intro  text changed                     snapshots/persona/sections/intro.txt\n"+
				"  in 5 of 5\n"+c.want+"snapshots are out of date: 1 rendering changed\nrun: promptc build\n")
		})
	}
}

func TestPlaceOfAChange(t *testing.T) {
	f := &diag.File{Path: "a.md", Text: "one\ntwo\nthree\n"}
	text := ground.Verbatim(diag.Span{File: f, Start: 0, End: 13})
	withHead := func() ground.Text {
		var b ground.Builder
		b.WriteString("## Head\n\n")
		b.WriteText(text)
		return b.Text()
	}()
	for _, c := range []struct {
		name, old string
		text      ground.Text
		want      string
	}{
		{"first line", "ONE\ntwo\nthree\n", text, "a.md:1"},
		{"last line", "one\ntwo\nthre\n", text, "a.md:3"},
		{"deleted at the end", "one\ntwo\nthree\nfour\n", text, "a.md:3"},
		{"added at the end", "one\n", text, "a.md:2"},
		{"our own words", "## head\n\none\ntwo\nthree\n", withHead, "a.md:1"},
		{"no source", "x", ground.Literal("y"), "snapshots/p/sections/s.txt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPersona()
			p.result.Delta.Snapshots = []store.Change{{
				Status: store.Changed, Old: c.old,
				Output: assembly.Output{Path: "snapshots/p/sections/s.txt", Parts: []string{c.text.Str + "\n"}, Owner: assembly.Owner{
					Kind: assembly.OutRendering, Prompt: "p", Section: "s", Text: c.text,
				}},
			}}
			first, _, _ := strings.Cut(p.check(t, words.Options{}), "\n")
			if got := strings.Fields(first); got[len(got)-1] != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestToolIsPlacedAtItsDefinition(t *testing.T) {
	p := newPersona()
	f := &diag.File{Path: "tools/exec.json", Text: "[\n{\"name\": \"exec\"}]\n"}
	tool := &language.Tool{Name: "exec", File: f, At: at(f, "{\"name\": \"exec\"}")}
	p.result.Artifacts[1].Toolset = []*language.Tool{tool}
	p.result.Delta.Snapshots = []store.Change{{
		Status: store.Changed, Old: "{}\n",
		Output: assembly.Output{Path: "snapshots/persona/tools/exec.json", Parts: []string{"{1}\n"}, Owner: assembly.Owner{
			Kind: assembly.OutTool, Prompt: "persona", Item: "exec", Users: p.users(1),
		}},
	}}
	got := p.check(t, words.Options{})
	if want := "persona  tool exec  changed                      tools/exec.json:2\n  in 1 of 5: entry=full,tools=fallback\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestSharedTextNamesEveryPrompt(t *testing.T) {
	p := newPersona()
	other := &assembly.Build{Prompt: &language.Prompt{ID: word("core")}, Variants: []*assembly.Variant{{Name: "core"}}}
	p.result.Plan.Builds = append(p.result.Plan.Builds, other)
	set := ground.NewSet(1)
	set.Add(0)
	c := p.soulChanged()
	c.Output.Owner.Users = append(c.Output.Owner.Users, assembly.Users{Build: other, Set: set})
	p.result.Delta.Snapshots = []store.Change{c}
	if got := p.check(t, words.Options{}); !strings.Contains(got, "\n  in 2 of 5: entry=full\n  and in core, 1 of 1\n") {
		t.Errorf("got:\n%s", got)
	}
}

func TestManyChangesAreCounted(t *testing.T) {
	p := newPersona()
	for i := range 130 {
		c := p.soulChanged()
		c.Output.Path = fmt.Sprintf("snapshots/persona/sections/s%03d.txt", i)
		p.result.Delta.Snapshots = append(p.result.Delta.Snapshots, c)
	}
	got := p.check(t, words.Options{})
	if n := strings.Count(got, "text changed"); n != 100 || !strings.Contains(got, "\nand 30 more changes\nsnapshots are out of date: 130 renderings changed\n") {
		t.Errorf("%d shown, ends with %q", n, got[len(got)-100:])
	}
}

func TestHugeDifferenceIsQuick(t *testing.T) {
	var before, after strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&before, "old %d\n", i)
		fmt.Fprintf(&after, "new %d\n", i*7%1000)
	}
	p := newPersona()
	c := p.soulChanged()
	c.Old, c.Output.Parts = before.String(), []string{after.String()}
	p.result.Delta.Snapshots = []store.Change{c}
	got := p.check(t, words.Options{})
	if len(got) > 20_000 {
		t.Errorf("%d bytes", len(got))
	}
}
