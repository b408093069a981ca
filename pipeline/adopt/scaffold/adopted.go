package scaffold

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Manifest writes the manifest over what was adopted. Snapshots go to a folder.
func (a *Adoption) Manifest(snapshots string) *Written {
	var b writer
	for _, name := range []string{"adopted-products.yaml", "adopted.yaml", "adopted-end.yaml"} {
		if len(a.Products) > 0 || name != "adopted-products.yaml" {
			if len(a.Drafts) > 0 || name != "adopted.yaml" {
				b.WriteString(strings.ReplaceAll(read(name), "@manual@", manualURL))
			}
		}
	}
	if snapshots != DefaultSnapshots {
		b.printf("snapshots: {path: %s}\n", scalar(snapshots))
	}
	a.writeChecks(&b)
	if slices.ContainsFunc(a.Drafts, func(d *Draft) bool { return d.counts == claudeCounts }) {
		b.WriteString(claudeTokenizer)
	}
	head := "\nsources:\n"
	for _, d := range a.Drafts {
		for _, s := range d.sections {
			if s.hasSource(d) {
				b.WriteString(head)
				b.about(nil)
				a.writeSource(&b, d, s)
				b.about(s.files)
				head = ""
			}
		}
	}
	b.WriteString("\nprompts:\n")
	b.about(nil)
	for i, l := range a.Products {
		if i > 0 {
			b.WriteString("\n")
		}
		l.write(&b)
		b.about(l.files)
	}
	for i, d := range a.Drafts {
		if i > 0 || a.Products != nil {
			b.WriteString("\n")
		}
		a.writeDraft(&b, d)
	}
	return b.written()
}

// writeChecks turns off the note about front matter where it sets up the program
// and is no part of the text.
func (a *Adoption) writeChecks(b *writer) {
	var folders []string
	for _, d := range a.Drafts {
		if d.Axis == "" || d.Axis == openAxis {
			continue
		}
		for _, s := range d.sections {
			withFront := func(f RepoFile) bool { return s.kind == "" && f.Front != nil && slices.Contains(s.files, f.Path) }
			if slices.ContainsFunc(a.files, withFront) {
				if folder, _, ok := strings.Cut(s.patterns[0], "/**"); ok {
					folders = append(folders, folder+"/**")
				} else {
					folders = append(folders, s.patterns...)
				}
			}
		}
	}
	if len(folders) > 0 {
		b.printf("checks:\n  - {code: PC2016, level: off, paths: %s, reason: the front matter is read by the program}\n", list("", folders, quote))
	}
}

// hasSource reports whether a section needs a source; otherwise it names its files
// itself.
func (s *draftSection) hasSource(d *Draft) bool { return s.kind != "" || d.preset(s) != "" }

// preset is that of the agent, where it has a limit for what a section has.
func (d *Draft) preset(s *draftSection) string {
	p, ok := language.LookupPreset(d.limits)
	if !ok || d.Axis != "" && d.Axis != openAxis || s.kind == language.SkillsKind && !p.Lists() || s.form == "index" {
		return ""
	}
	return d.limits
}

func (d *Draft) sourceID(s *draftSection) string {
	if len(d.sections) == 1 {
		return d.ID
	}
	return d.ID + "-" + s.id
}

func (a *Adoption) writeSource(b *writer, d *Draft, s *draftSection) {
	line := "  " + scalar(d.sourceID(s)) + ": {"
	if s.kind != "" {
		line += "kind: " + s.kind + ", "
	}
	if d.Axis != "" && d.Axis != openAxis {
		line += "path: " + d.eachPath(s)
	} else {
		line += "path: " + a.paths(line+"path: ", s)
	}
	if preset := d.preset(s); preset != "" {
		line += ", limits: [" + preset + "]"
	}
	b.WriteString(line + "}\n")
}

func (a *Adoption) writeDraft(b *writer, d *Draft) {
	b.printf("  %s:\n    description: %s\n", scalar(d.ID), quote(d.What))
	if d.Axis != "" {
		b.printf("    axes:\n      %s:\n", d.Axis)
		if d.Axis == openAxis && d.Values[0].Name == noneOpen {
			b.printf("        default: %s\n", noneOpen)
		}
		b.WriteString("        values:\n")
		for _, v := range d.Values {
			line := "          - " + scalar(v.Name)
			if d.Axis == openAxis && v.Means != nil {
				line += " # " + quoteAll(v.Means)
			}
			b.WriteString(line + "\n")
		}
	}
	if d.counts != "" {
		b.printf("    tokenizer: %s\n", d.counts)
	}
	if budget := d.budget(); budget != "" {
		b.printf("    budget: {%s}\n", budget)
	}
	b.WriteString("    sections:\n")
	b.about(d.files())
	for _, s := range d.sections {
		line := "      - {id: " + scalar(s.id)
		switch {
		case s.hasSource(d):
			line += ", source: " + scalar(d.sourceID(s))
		case d.Axis != "" && d.Axis != openAxis:
			line += ", path: " + d.eachPath(s)
		default:
			line += ", path: " + a.paths(line+", path: ", s)
		}
		if s.form != "" {
			line += ", form: " + s.form
		}
		switch len(s.when) {
		case 0:
		case 1:
			line += ", when: {" + openAxis + ": " + scalar(s.when[0]) + "}"
		default:
			line += ", when: {" + openAxis + ": " + list(line, s.when, scalar) + "}"
		}
		b.WriteString(line + "}\n")
		b.about(s.files)
	}
}

// budget is what the largest variant has today, and a fifth to grow.
func (d *Draft) budget() string {
	var out []string
	if d.Tokens > 0 {
		out = append(out, "tokens: "+strconv.Itoa(room(d.Tokens)))
	}
	if d.ToolTokens > 0 {
		out = append(out, "tool_tokens: "+strconv.Itoa(room(d.ToolTokens)))
	}
	if out == nil {
		return ""
	}
	return strings.Join(append(out, "growth: 10%"), ", ")
}

// room is a fifth more than there is, rounded up to two digits.
func room(tokens int) int {
	const fifth, least = 5, 10
	tokens += tokens / fifth
	step := least
	for tokens/step >= least*least {
		step *= least
	}
	return (tokens/step + 1) * step
}

// eachPath is the path of a section whose axis names its file: by one pattern, with
// cases before it for the files with other names.
func (d *Draft) eachPath(s *draftSection) string {
	axis := "{" + d.Axis + "}"
	whole := strings.Replace(s.patterns[0], "*/"+skillFile, axis+"/"+skillFile, 1)
	if folder, _, ok := strings.Cut(whole, "/**"); ok {
		whole = folder + "/" + axis + ".md"
	}
	var cases []string
	for _, v := range d.Values {
		if literalPath(v.Means[0]) != strings.Replace(whole, axis, v.Name, 1) {
			cases = append(cases, "{when: {"+d.Axis+": "+scalar(v.Name)+"}, value: "+quote(literalPath(v.Means[0]))+"}")
		}
	}
	switch len(cases) {
	case 0:
		return pathWord(whole)
	case len(d.Values):
	default:
		cases = append(cases, "{value: "+quote(whole)+"}")
	}
	return list("", cases, func(s string) string { return s })
}

// paths writes the files of a section: by the patterns of its part where these
// match no other file, so that a file that comes later is taken; else one by one.
func (a *Adoption) paths(before string, s *draftSection) string {
	rest := slices.Clone(s.files)
	var out []string
	for _, pattern := range s.patterns {
		matched := pathsIn(a.match(pattern))
		other := func(f string) bool { return !slices.Contains(s.files, f) }
		if len(matched) < 2 && !strings.HasSuffix(pattern, "SKILL.md") || len(matched) == 0 || slices.ContainsFunc(matched, other) {
			continue
		}
		out = append(out, pattern)
		rest = slices.DeleteFunc(rest, func(f string) bool { return slices.Contains(matched, f) })
	}
	for _, f := range rest {
		out = append(out, literalPath(f))
	}
	if len(out) == 1 {
		return pathWord(out[0])
	}
	return list(before, out, pathWord)
}

var plainPath = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._/-]*$`)

// pathWord writes a path, in quotes where it needs them or holds globs.
func pathWord(p string) string {
	if plainPath.MatchString(p) {
		return p
	}
	return quote(p)
}

func quoteAll(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quote(w)
	}
	return strings.Join(out, ", ")
}

// Taken says what a prompt is made of.
type Taken struct {
	ID   string
	From diag.Words
	// Tokens and ToolTokens are what its largest variant has, 0 where nobody counted; About
	// says that the first are an estimate.
	Tokens, ToolTokens int
	About              bool
}

// Took says what each prompt is made of.
func (a *Adoption) Took() []Taken {
	out := a.tookProducts()
	for _, d := range a.Drafts {
		var variants diag.Words
		switch {
		case d.Axis == openAxis:
			cases := len(d.Values)
			if d.Values[0].Name == noneOpen {
				cases--
			}
			variants = diag.Counted(cases, "one-open-file", "open-files")
		case d.Axis != "":
			variants = diag.Say("variant-for-each", d.Axis)
		}
		out = append(out, Taken{d.ID, diag.Say("taken-from", diag.AndOthers(d.files()), variants), d.Tokens, d.ToolTokens, d.counts == claudeCounts})
	}
	return out
}

// Takes reports whether a prompt is made of a file.
func (a *Adoption) Takes(name string) bool { return a.taken[name] }

// Texts gives the files whose texts prompts are made of, sorted.
func (a *Adoption) Texts() []string {
	texts := map[string]bool{}
	for _, l := range a.Products {
		for _, f := range l.files {
			texts[f] = true
		}
	}
	for _, d := range a.Drafts {
		for _, s := range d.sections {
			for _, f := range s.files {
				texts[f] = texts[f] || s.kind != language.ToolsKind
			}
		}
	}
	maps.DeleteFunc(texts, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(texts))
}

// In gives the files of the prompt of an id.
func (a *Adoption) In(id string) []string {
	for _, l := range a.Products {
		if l.ID == id {
			return l.files
		}
	}
	for _, d := range a.Drafts {
		if d.ID == id {
			return d.files()
		}
	}
	return nil
}

func (d *Draft) files() []string {
	var out []string
	for _, s := range d.sections {
		out = append(out, s.files...)
	}
	return out
}
