package output_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/store"
)

func (p *persona) markdown(t *testing.T, did run.Outcome) string {
	t.Helper()
	got := written(t, func(w *strings.Builder) error {
		return run.Markdown(w, p.result, did, words.Options{Count: wordCount, Color: true, Base: "kit"})
	})
	if n := utf8.RuneCountInString(got); n > 60_000 {
		t.Errorf("the report has %d characters", n)
	}
	return got
}

func TestMarkdownOfACheckFoldsEveryDifference(t *testing.T) {
	p := newPersona()
	p.result.Delta.Snapshots = []store.Change{p.soulChanged()}
	p.result.Delta.Artifacts.Have, p.result.Delta.Artifacts.Changes = true, []store.Change{{Status: store.Changed, Output: assembly.Output{Path: "dist/a.txt"}}}
	p.result.Findings = diag.List{
		diag.New("PC3002", at(p.soul, "Ask"), "name-and-fact", "a`b", "names nothing").WithDetail(diag.Verbatim("one"), diag.Verbatim("two")).WithHint("did-you-mean", "ab"),
		{Code: "PC1002", Level: diag.Note, What: diag.Verbatim("n")},
	}
	equal(t, p.markdown(t, run.Outcome{Command: "check"}), "<!-- promptc:check -->\n"+
		"**promptc check: findings** · snapshots are out of date: 1 rendering changed · `kit/dist` is out of date: 1 changed (first: `kit/dist/a.txt`) · 1 error, 1 note\n"+`
| prompt | what | source | tokens | variants |
|---|---|---|---:|---|
| `+"`persona` | `soul` text changed | `kit/sources/persona/SOUL.md:12` | +3 | 2 of 5: `entry=full`"+` |

### 1 error

- `+"`PC3002` at `kit/sources/persona/SOUL.md:12:1`: ``\"a`b\" names nothing``"+`
  - `+"`one`"+`
  - `+"`two`"+`
  - hint: `+"`did you mean \"ab\"?`"+`

### 1 note

- `+"`PC1002`: `n`"+`

<details>
<summary><code>persona</code> <code>soul</code> text changed</summary>

At `+"`kit/sources/persona/SOUL.md:12`, in 2 of 5: `entry=full`"+`.

`+"```diff"+`
@@ ## Soul @@
 Keep private things private.
-Ask before you act.
+Ask before you act outside this machine.
`+"```"+`

</details>

run: `+"`promptc build`"+`

Closest to its budget: `+"`persona/entry=full,tools=native`"+` with 14 of 20 tokens (70 %)
`)
}

func TestMarkdownSaysHowARunEnded(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*persona)
		did  run.Outcome
		want string
	}{
		{
			"clean", func(*persona) {},
			run.Outcome{Command: "check"},
			"**promptc check: clean** · snapshots are up to date: 1 prompt, 5 variants, 2 renderings\n",
		},
		{
			"stopped", func(p *persona) {
				p.result.Stopped, p.result.Delta, p.result.Artifacts = true, nil, nil
				p.result.Findings = diag.List{diag.New("PC3002", diag.Span{}, "names", "m")}
			},
			run.Outcome{Command: "check"},
			"**promptc check: invalid** · 1 error; nothing was compared\n\n### 1 error\n\n- `PC3002`: `m`\n",
		},
		{
			"nothing there yet", func(p *persona) {
				c := p.soulChanged()
				c.Status, c.Old = store.Added, ""
				p.result.Delta.Wanted, p.result.Delta.Snapshotted, p.result.Delta.Snapshots = []assembly.Output{c.Output}, 1, []store.Change{c}
			},
			run.Outcome{Command: "check"},
			"**promptc check: drift** · snapshots do not exist yet: 1 prompt, 5 variants, 2 renderings\n\nrun: `promptc build`\n",
		},
		{
			"built", func(p *persona) { p.result.Delta.Snapshots = []store.Change{p.soulChanged()} },
			run.Outcome{Command: "build", Snapshots: true},
			"**promptc build: clean** · 1 prompt, 5 variants, 2 renderings\n\n| prompt | variants | renderings | snapshots |\n|---|---:|---:|---|\n" +
				"| `persona` | 5 | 2 | 1 changed |\n\nwrote 1 file below `kit/snapshots`\n",
		},
		{
			"rendered elsewhere", func(p *persona) { p.build.Prompt.Rendered = &language.Rendered{} },
			run.Outcome{Command: "build", Snapshots: true},
			"**promptc build: clean** · 1 prompt, 5 variants, rendered elsewhere\n\n| prompt | variants | renderings | snapshots |\n|---|---:|---:|---|\n" +
				"| `persona` | 5 | 2 | rendered elsewhere |\n\nnothing to write below `kit/snapshots`\n",
		},
		{
			"frozen", func(p *persona) {
				orphan := store.Change{Status: store.Orphaned, Old: "x\n", Output: assembly.Output{Path: "snapshots/persona/sections/a.txt", Owner: sectionOf("a")}}
				p.result.Delta.Snapshots = []store.Change{orphan}
			},
			run.Outcome{Command: "build"},
			"**promptc build: drift** · snapshots are out of date: 1 rendering no longer built\n\n| prompt | variants | renderings | snapshots |\n|---|---:|---:|---|\n" +
				"| `persona` | 5 | 2 | 1 removed |\n\n| prompt | what | source | tokens | variants |\n|---|---|---|---:|---|\n" +
				"| `persona` | `a` no longer built | `kit/snapshots/persona/sections/a.txt` | -1 |  |\n\nrun: `promptc build`\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPersona()
			c.edit(p)
			end := "\nClosest to its budget: `persona/entry=full,tools=native` with 14 of 20 tokens (70 %)\n"
			if p.result.Stopped {
				end = ""
			}
			equal(t, p.markdown(t, c.did), "<!-- promptc:"+c.did.Command+" -->\n"+c.want+end)
		})
	}
}

func TestMarkdownCountsWhatItLeavesOut(t *testing.T) {
	p := newPersona()
	for i := range 300 {
		c := p.soulChanged()
		c.Output.Path = fmt.Sprintf("snapshots/persona/sections/soul%d.txt", i)
		c.Output.Parts = []string{strings.Repeat("A new line 🦊.\n", 500)}
		p.result.Delta.Snapshots = append(p.result.Delta.Snapshots, c)
		p.result.Findings = append(p.result.Findings, diag.New("PC3002", diag.Span{}, "names", fmt.Sprintf("error %d", i)).WithDetail(diag.Verbatim(strings.Repeat("x", 999)), diag.Verbatim("y")))
	}
	got := p.markdown(t, run.Outcome{Command: "check"})
	rows, folded := strings.Count(got, "\n| `persona`"), strings.Count(got, "<details>")
	for _, want := range []string{
		"300 renderings changed",
		fmt.Sprintf("\nand %d more changes\n", 300-rows),
		fmt.Sprintf("\nand %d more errors\n", 300-strings.Count(got, "- `PC3002`")),
		fmt.Sprintf("\nThe differences of %d more changes are left out: ", 300-folded),
		"more lines of this difference\n```\n",
		"\nrun: `promptc build`\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	if rows < 50 || folded < 2 || len(got) < 40_000 {
		t.Errorf("%d rows and %d differences in %d bytes: more would fit", rows, folded, len(got))
	}
	if strings.Count(got, "<details>") != strings.Count(got, "</details>") || strings.Count(got, "\n```")%2 != 0 {
		t.Error("a block is cut")
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"a", "``", "a|b\\|", "</details>", "\n\n# x", "@me #1", "\x00\xff\u2028", strings.Repeat("`", 100)} {
		f.Add(seed, seed+"\n", "x\n"+seed)
	}
	f.Fuzz(func(t *testing.T, name, before, after string) {
		p := newPersona()
		file := &diag.File{Path: name, Text: after}
		c := p.soulChanged()
		c.Old, c.Output.Parts, c.Output.Path = before, []string{after}, "snapshots/persona/sections/"+name
		c.Output.Owner.Section, c.Output.Owner.Text = name, ground.Verbatim(diag.Span{File: file, End: len(after)})
		orphan := store.Change{Status: store.Orphaned, Old: before, Output: assembly.Output{Path: "snapshots/" + name}}
		p.result.Delta.Snapshots = []store.Change{c, orphan}
		p.build.Prompt.ID, p.build.Variants[0].Name = word(name), name
		p.result.Findings = diag.List{
			diag.Diagnostic{Code: "PC1001", Span: diag.Span{File: file, End: len(after)}, What: diag.Verbatim(before)}.WithDetail(diag.Verbatim(after)).WithHint("names", name),
		}
		for _, did := range []run.Outcome{{Command: "check"}, {Command: "build", Snapshots: true}} {
			got := p.markdown(t, did)
			for _, r := range got {
				if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) && r != '\n' && r != '\t' {
					t.Errorf("%U is in the report", r)
				}
			}
			if !strings.HasPrefix(got, "<!-- promptc:"+did.Command+" -->\n**promptc ") {
				t.Errorf("begins with %.80q", got)
			}
		}
	})
}
