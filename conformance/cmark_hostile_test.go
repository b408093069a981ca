package conformance_test

import (
	"math/rand/v2"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	runof "github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

// marker stands in every hostile text, so that one is known wherever it turns
// up.
const marker = "zQz"

// hostileParts are the pieces of names and texts that try to be more.
var hostileParts = []string{
	"`", "``", "```", "````diff", "~~~", strings.Repeat("`", 41), strings.Repeat("`", 81), strings.Repeat("`", 300), "|", `\`, `\|`, `\\|`, `\` + "`", "<", ">", "&", "&lt;", "&#64;", "&commat;me",
	"</code>", "</summary>", "</details>", "</pre>", "<details>", "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "<a href=//e.example>", "<!--", "-->", "<![CDATA[", "<?x", "]]>",
	"![i](https://e.example/i.png)", "[l](javascript:alert(1))", "[l]: https://e.example", "[l]", "[^1]", "[^1]: n", "<https://e.example>", "https://e.example/", "www.e.example", "a@e.example", "mailto:a@e.example",
	"@octocat", "@octo/team", "#1", "octo/repo#2", "GH-3", "deadbeefcafe", "0123456789abcdef0123456789abcdef01234567", "octo/repo@deadbeef",
	"\n", "\n\n", "\r\n", "\r", "\x00", "\t", "\v", "\x1b[31m", "\u2028", "\u0085", "\u202e", "\u200b", "\ufeff", "\xff", "\xe2\x80", "世", "🦊", " ", "    ",
	"- [ ] t", "# h", "\n# h", "\n---\n", "\n===\n", "\n> q", "\n1. x", "|---|", "\n|a|b|\n|-|-|\n", "**b**", "__b__", "*e*", "~~s~~", "$`x`$", "$$x$$", "{{x}}", ":smile:", "::error::x", "%0A", "--- ", "+++", "@@ x @@",
}

// hostile makes a name or a line of text.
func hostile(rng *rand.Rand) string {
	var b strings.Builder
	for n := rng.IntN(6); n >= 0; n-- {
		b.WriteString(pick(rng, hostileParts...))
	}
	at := rng.IntN(2)
	text := b.String()
	if at == 0 {
		return marker + text
	}
	return text + marker
}

// hostileText makes a text of several lines, now and then a very long one.
func hostileText(rng *rand.Rand) string {
	var b strings.Builder
	for n := rng.IntN(8); n > 0; n-- {
		b.WriteString(hostile(rng) + pick(rng, "\n", "\n", "\n\n", "\n```\n", "\n````\n</details>\n", "\n~~~\n", ""))
	}
	if rng.IntN(20) == 0 {
		return strings.Repeat(b.String()+"\n", 1+rng.IntN(400))
	}
	return b.String()
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

func hostileWord(rng *rand.Rand) ground.Word { return ground.Word{Str: hostile(rng)} }

// hostileSpan gives a place in a file, or none.
func hostileSpan(rng *rand.Rand) diag.Span {
	if rng.IntN(4) == 0 {
		return diag.Span{}
	}
	f := &diag.File{Path: hostile(rng), Text: hostileText(rng)}
	return diag.Span{File: f, Start: len(f.Text) / 2, End: len(f.Text)}
}

// hostileBuild makes a prompt of one axis, all of whose names are hostile.
func hostileBuild(rng *rand.Rand) *assembly.Build {
	def := &language.Prompt{ID: hostileWord(rng), Axes: []*language.Axis{{Name: hostileWord(rng)}}}
	for range 1 + rng.IntN(3) {
		def.Sections = append(def.Sections, &language.Section{ID: hostileWord(rng)})
	}
	b := &assembly.Build{Prompt: def}
	for i := range 2 + rng.IntN(6) {
		def.Axes[0].Values = append(def.Axes[0].Values, hostileWord(rng))
		b.Variants = append(b.Variants, &assembly.Variant{
			Name: hostile(rng), Index: i, Values: []int{i}, Tokenizer: hostile(rng),
			Budget: language.Limits{Tokens: rng.IntN(10) - 1, Chars: -1, ToolTokens: -1, At: hostileSpan(rng)},
		})
	}
	return b
}

func hostileSet(rng *rand.Rand, size int) ground.Set {
	set := ground.NewSet(size)
	set.Add(rng.IntN(size))
	for i := range size {
		if rng.IntN(2) == 0 {
			set.Add(i)
		}
	}
	return set
}

// hostileRun makes what build or check could have found.
func hostileRun(rng *rand.Rand) (*prompt.Result, runof.Outcome) {
	r := &prompt.Result{Plan: &assembly.Plan{}, Delta: &store.Delta{SnapshotFolder: hostile(rng), Artifacts: store.Emitted{Folder: hostile(rng), Have: true}}}
	for range 1 + rng.IntN(3) {
		b := hostileBuild(rng)
		r.Plan.Builds = append(r.Plan.Builds, b)
		for _, v := range b.Variants {
			r.Artifacts = append(r.Artifacts, &assembly.Artifact{Build: b, Variant: v, Use: rng.IntN(12)})
		}
	}
	for range rng.IntN(10) {
		r.Delta.Snapshots = append(r.Delta.Snapshots, hostileChange(rng, r))
	}
	for range rng.IntN(3) {
		r.Delta.Artifacts.Changes = append(r.Delta.Artifacts.Changes, hostileChange(rng, r))
	}
	r.Findings = hostileFindings(rng)
	did := runof.Outcome{Command: pick(rng, "check", "check", "build")}
	if did.Command == "build" {
		did.Snapshots, did.Artifacts = rng.IntN(2) == 0, rng.IntN(2) == 0
	}
	if rng.IntN(10) == 0 {
		r.Stopped, r.Plan, r.Artifacts, r.Delta = true, nil, nil, nil
	}
	return r, did
}

func hostileChange(rng *rand.Rand, r *prompt.Result) store.Change {
	b := pick(rng, r.Plan.Builds...)
	folder := pick(rng, "sections/", "sections/a/", "tools/", "full/", "files/", "")
	c := store.Change{
		Status: pick(rng, store.Added, store.Changed, store.Changed, store.Changed, store.Orphaned),
		Old:    hostileText(rng),
		Output: assembly.Output{
			Path: r.Delta.SnapshotFolder + "/" + b.Prompt.ID.Str + "/" + folder + hostile(rng) + ".txt", Parts: []string{hostileText(rng)},
			Owner: assembly.Owner{
				Kind:   pick(rng, assembly.OutRendering, assembly.OutItem, assembly.OutTool, assembly.OutFull, assembly.OutContent, assembly.OutOutline, assembly.OutIndex),
				Prompt: b.Prompt.ID.Str, Section: b.Prompt.Sections[0].ID.Str, Item: hostile(rng),
			},
		},
	}
	if at := hostileSpan(rng); at.Known() {
		c.Output.Owner.Text = ground.Verbatim(at)
	}
	for range rng.IntN(3) {
		u := pick(rng, r.Plan.Builds...)
		c.Output.Owner.Users = append(c.Output.Owner.Users, assembly.Users{Build: u, Set: hostileSet(rng, len(u.Variants))})
	}
	return c
}

func hostileFindings(rng *rand.Rand) diag.List {
	var out diag.List
	for range rng.IntN(6) {
		d := diag.Diagnostic{
			Code: pick[diag.Code](rng, "PC1001", "PC5001", "PC8001"), Level: pick(rng, diag.Error, diag.Warning, diag.Note),
			Span: hostileSpan(rng), What: diag.Say("name-and-fact", hostile(rng), hostileText(rng)), Hint: pick(rng, diag.Words{}, diag.Verbatim(hostileText(rng))),
		}
		for range rng.IntN(3) {
			d.Detail = append(d.Detail, diag.Verbatim(hostileText(rng)))
		}
		out = append(out, d)
	}
	return out
}
