package output_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/store"
)

func (p *persona) github(t *testing.T, did run.Outcome) string {
	t.Helper()
	return written(t, func(w *strings.Builder) error {
		return run.GitHub(w, p.result, did, words.Options{Count: wordCount, Color: true, Base: "kit"})
	})
}

func TestDriftIsAnAnnotationOnTheSourceLine(t *testing.T) {
	p := newPersona()
	p.result.Delta.Snapshots = []store.Change{p.soulChanged()}
	equal(t, p.github(t, run.Outcome{Command: "check"}), `::error file=kit/sources/persona/SOUL.md,line=12,endLine=12,col=19,endColumn=20,title=snapshot out of date::persona soul text changed (+3 tokens)%0Ain 2 of 5: entry=full%0Asnapshot: kit/snapshots/persona/sections/soul.txt%0Arun: promptc build
persona  soul  text changed                      kit/sources/persona/SOUL.md:12   +3 tokens
  in 2 of 5: entry=full
  @@ ## Soul @@
   Keep private things private.
  -Ask before you act.
  +Ask before you act outside this machine.
snapshots are out of date: 1 rendering changed
run: promptc build
`)
	equal(t, p.github(t, run.Outcome{Command: "build", Snapshots: true}), `persona   5 variants   2 renderings   1 changed
wrote kit/snapshots/persona/sections/soul.txt
`)
	p = newPersona()
	p.result.Delta.Artifacts.Have, p.result.Delta.Artifacts.Changes = true, []store.Change{{Status: store.Changed, Output: assembly.Output{Path: "dist/a.txt"}}}
	equal(t, p.github(t, run.Outcome{Command: "check"}), `::error title=artifacts out of date::kit/dist is out of date: 1 changed (first: kit/dist/a.txt)%0Arun: promptc build
kit/dist is out of date: 1 changed (first: kit/dist/a.txt)
run: promptc build
`)
}

func TestAnnotationsAreEscaped(t *testing.T) {
	f := &diag.File{Path: "a,b:100%.md", Text: "one\ntwo\n"}
	p := newPersona()
	p.result.Stopped = true
	p.result.Findings = diag.List{
		{Code: "PC1001", Span: diag.Span{File: f, Start: 1, End: 5}, What: diag.Verbatim("50% of a:b,c\r\n::error::x"), Detail: []diag.Words{diag.Verbatim("d")}, Hint: diag.Verbatim("h")},
		{Code: "PC1002", Level: diag.Warning, What: diag.Verbatim("w")},
		{Code: "PC1003", Level: diag.Note, What: diag.Verbatim("n")},
	}
	got := p.github(t, run.Outcome{Command: "check"})
	want := `::error file=kit/a%2Cb%3A100%25.md,line=1,endLine=2,title=PC1001::50%25 of a:b,c<U+000D><U+000A>::error::x%0Ad%0Ahint: h
::warning title=PC1002::w
::notice title=PC1003::n
kit/a,b:100%.md:1:2: error[PC1001]: `
	if !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestAtMostTenAnnotationsOfALevel(t *testing.T) {
	p := newPersona()
	p.result.Stopped = true
	for i := range 14 {
		p.result.Findings = append(p.result.Findings, diag.Diagnostic{Code: "PC1001", What: diag.Verbatim(fmt.Sprintf("e%02d", i))},
			diag.Diagnostic{Code: "PC1002", Level: diag.Warning, What: diag.Verbatim(fmt.Sprintf("w%02d", i))},
			diag.Diagnostic{Code: "PC1003", Level: diag.Note, What: diag.Verbatim(fmt.Sprintf("n%02d", i%10))})
	}
	got := p.github(t, run.Outcome{Command: "check"})
	for _, command := range []string{"::error ", "::warning ", "::notice "} {
		if n := strings.Count(got, "\n"+command) + strings.Count(got[:1], command[:1]); n > 11 || n < 10 {
			t.Errorf("%d of %s", n, command)
		}
	}
	if want := "\nand 4 errors, 4 warnings more: GitHub shows 10 annotations of each level for a step; the text below has all\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

func TestPrintedTextIsNoCommand(t *testing.T) {
	p := newPersona()
	c := p.soulChanged()
	c.Old = "## Soul\n\n::add-mask::x\n  ::error::context\nx\n##[add-path]/tmp\n"
	c.Output.Parts = []string{"## Soul\n\n::add-mask::x\n  ::error::context\ny\n##[add-path]/tmp\n"}
	p.result.Delta.Snapshots = []store.Change{c}
	got := p.github(t, run.Outcome{Command: "check"})
	if want := "     \\::error::context\n  -x\n  +y\n   ##\\[add-path]/tmp\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

// TestNoFormatPrintsACommand: the log of a workflow has what any format prints.
func TestNoFormatPrintsACommand(t *testing.T) {
	p := newPersona()
	c := p.soulChanged()
	c.Old = "a ##[add-path]/tmp\n::error::x\n"
	c.Output.Parts = []string{"b ##[debug]x\n ::error::y\n"}
	p.result.Delta.Snapshots = []store.Change{c}
	f := &diag.File{Path: "a ##[group].md", Text: "::warning::c ##[error]x\n"}
	p.result.Findings = diag.List{diag.New("PC1001", diag.Whole(f), "names", "d ##[error]").WithDetail(diag.Verbatim("::error::e")).WithHint("names", "##[f]")}
	did := run.Outcome{Command: "check"}
	for name, write := range map[string]func(*strings.Builder) error{
		"findings": func(w *strings.Builder) error { return finding.Text(w, p.result.Findings, words.Options{}) },
		"text":     func(w *strings.Builder) error { return run.Check(w, p.result, words.Options{}) },
		"json":     func(w *strings.Builder) error { return run.JSON(w, p.result, did, words.Options{}) },
		"github":   func(w *strings.Builder) error { return run.GitHub(w, p.result, did, words.Options{}) },
		"markdown": func(w *strings.Builder) error { return run.Markdown(w, p.result, did, words.Options{}) },
		"sarif":    func(w *strings.Builder) error { return run.SARIF(w, p.result, did, words.Options{}) },
	} {
		got := written(t, write)
		harmless(t, got)
		if strings.Contains(got, "##[") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// ours are the only lines that may be commands.
var ours = regexp.MustCompile(`^::(error|warning|notice) ([a-zA-Z]+=[^:,\r\n]*,)*title=[^:,\r\n]*::[^\r\n]*$`)

func FuzzGitHub(f *testing.F) {
	for _, seed := range []string{
		"::add-mask::x", " ::stop-commands::x\n", "##[add-path]x", "a\r::error::x", "a\u2028::error::x", "\ufeff::error::", "\u200b ::x::",
		"\x1b[31m::error::", "a,b:%0A::error", "\u0085::x::", "%25", "\n\n::set-output name=x::y", "###[x", "\x0b::error::x",
	} {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, name, before, after string) {
		p := newPersona()
		file := &diag.File{Path: name, Text: after}
		c := p.soulChanged()
		c.Old, c.Output.Parts, c.Output.Path = before, []string{after}, "snapshots/persona/sections/"+name
		c.Output.Owner.Section, c.Output.Owner.Text = name, ground.Verbatim(diag.Span{File: file, End: len(after)})
		orphan := store.Change{Status: store.Orphaned, Old: before, Output: assembly.Output{Path: "snapshots/" + name}}
		p.result.Delta.Snapshots = []store.Change{c, orphan}
		p.build.Prompt.ID = word(name)
		p.result.Findings = diag.List{
			diag.Diagnostic{Code: "PC1001", Span: diag.Span{File: file, Start: len(after) / 2, End: len(after)}, What: diag.Verbatim(before)}.
				WithDetail(diag.Verbatim(after)).WithHint("names", name),
			{Code: "PC1002", Level: diag.Warning, What: diag.Verbatim(after), Hint: diag.Verbatim(before)},
		}
		for _, did := range []run.Outcome{{Command: "check"}, {Command: "build", Snapshots: true}} {
			var b strings.Builder
			if err := run.GitHub(&b, p.result, did, words.Options{Count: wordCount, Base: name}); err != nil {
				t.Fatal(err)
			}
			harmless(t, b.String())
		}
	})
}

// harmless fails for a line that a runner or a terminal would act upon. The
// runner takes any line break that .NET knows.
func harmless(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) && r != '\n' && r != '\t' {
			t.Errorf("%U is in the output %q", r, text)
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if ours.MatchString(line) {
			continue
		}
		bare := strings.TrimFunc(line, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cf) })
		if strings.HasPrefix(bare, "::") || strings.Contains(line, "##[") {
			t.Errorf("the line %q is a command", line)
		}
	}
}
