package lint

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
)

var (
	// plainName is all that a placeholder is to promptc: in an expanded text it is a
	// slot, or was written as a literal.
	plainName = regexp.MustCompile(`^\{\{[A-Za-z0-9._-]+\}\}$`)
	// escapedField is what stands for {name} in a text with fields, and field is one
	// of these, as str.format has it.
	escapedField = regexp.MustCompile(`^\{\{\{?[ \t]*[A-Za-z_][A-Za-z0-9_.]*[ \t]*\}\}\}?$`)
	field        = regexp.MustCompile(`(?:^|[^A-Za-z0-9_{$\\/%#^])\{([A-Za-z_][A-Za-z0-9_]*)(?:\.[A-Za-z0-9_]+|\[[A-Za-z0-9_]+\])*(?:![rsa])?(?::[^{} \n]*)?\}(?:[^}]|$)`)
)

// manyOpen is how many placeholders in a file are one finding.
const manyOpen = 10

// open is a place in emitted text that some program should have filled.
type open struct {
	of    *promptView
	in    *sectionText
	text  string // as it is written
	place diag.Span
	// braces says that it was filled, but for the outer of three braces.
	braces bool
}

// opens gives such places in a prompt. Code is left alone, and so is what an expanded
// text has left: there it was written as a literal.
func (c *promptView) opens() []open {
	var out []open
	for _, s := range c.texts {
		if !strings.ContainsAny(s.Text.Str, "{<") || listsTools(s) {
			continue
		}
		formatted := c.formatted(s)
		for _, at := range unfilled(s) {
			o := open{c, s, s.Text.Str[at.start:at.end], c.origin(s, at.start, at.end), at.braces}
			if f := o.place.File; at.braces && f != nil {
				o.text = f.Text[o.place.Start:o.place.End]
			}
			switch {
			case c.isTemplate(s, o.place.File): // unexpanded says it of the file
			case formatted[o.place.File] && escapedField.MatchString(o.text):
			default:
				out = append(out, o)
			}
		}
	}
	return out
}

// openPlaceholders makes the findings of such places, file by file: one of each
// distinct text in a prompt or, where the file is a template of another language, one
// of all.
func (s *requestSet) openPlaceholders(all []open) diag.List {
	declared := map[string]bool{}
	for _, f := range s.plan.Spec.Fragments {
		declared[f.Name.Str] = true
	}
	var files ordered.Map[*diag.File, []open]
	slots := map[string]bool{}
	for _, slot := range s.plan.Spec.Slots {
		slots["{{"+slot.Name.Str+"}}"], declared[slot.Name.Str] = true, true
	}
	for _, o := range all {
		if !slots[o.text] { // of those lookalikes speaks
			in := files.Of(o.place.File)
			*in = append(*in, o)
		}
	}
	var out diag.List
	for _, in := range files.All() {
		places, tags := map[open]bool{}, false
		for _, o := range *in {
			places[open{text: o.text, place: o.place}] = true
			tags = tags || templates.IsTag(o.text)
		}
		if n := len(places); n >= manyOpen || n > 1 && tags {
			out = append(out, s.foreignTemplate(*in, n, tags))
			continue
		}
		type once struct {
			of   *promptView
			text string
		}
		met := map[once]bool{}
		for _, o := range *in {
			if key := (once{o.of, o.text}); !met[key] {
				met[key] = true
				out = append(out, o.finding(declared[placeholderName(o.text)]))
			}
		}
	}
	return out
}

func (o open) finding(declared bool) diag.Diagnostic {
	name, key := placeholderName(o.text), "emitted-nothing-fills"
	if o.braces {
		key = "outer-braces-stay"
	}
	d := o.of.find(diag.OpenPlaceholder, o.place, o.in.users, key, o.text, o.of.id(o.in), o.of.build.Prompt.ID.Str)
	switch {
	case o.braces:
		return d.WithHint("write-placeholder-braces-apart", name)
	case o.in.Unit.Exact:
		d.Level = diag.Note // another program may fill it later
		return d.WithHint("fill-where-text-assembled")
	case declared:
		return d.WithHint("slot-written-nothing-braces", name)
	case templates.IsTag(o.text):
		return d.WithHint("no-template-language")
	default:
		return d.WithHint("declare-slot-fragment-write")
	}
}

// foreignTemplate is the finding of a file that is a template of another engine, of
// whatever name: it has so many places, in the texts of some prompts.
func (s *requestSet) foreignTemplate(all []open, places int, tags bool) diag.Diagnostic {
	var prompts, texts []string
	users := map[*assembly.Build]*ground.Set{}
	first := all[0]
	for _, o := range all {
		if !slices.Contains(texts, o.text) && len(texts) <= shown {
			texts = append(texts, o.text)
		}
		b := o.of.build
		if users[b] == nil {
			users[b] = &ground.Set{}
			prompts = append(prompts, b.Prompt.ID.Str)
		}
		union(users[b], o.in.users)
	}
	key, hint := "placeholders-nothing-fills", "declare-them-or-name-template"
	if tags {
		key, hint = "tags-nothing-fills", "no-template-language"
	}
	d := diag.New(diag.OpenPlaceholder, first.place, key, diag.Count(places), diag.AndOthers(prompts), diag.Names(texts[:min(len(texts), shown)]))
	if first.in.Unit.Exact {
		d.Level, hint = diag.Note, "fill-where-text-assembled"
	}
	d = d.WithHint(hint)
	if len(prompts) == 1 {
		return s.among(d, first.of.build, *users[first.of.build])
	}
	d.Prompts = prompts
	return d
}

// formatted gives the files of a text with fields in single braces, in which double
// ones stand for single ones. An axis in braces is no field.
func (c *promptView) formatted(s *sectionText) map[*diag.File]bool {
	out := map[*diag.File]bool{}
	if expanded(s.Rendering) {
		return out // there they are slots and fragments
	}
	for _, line := range s.lines {
		text := s.Text.Str[line.Start:line.End]
		if line.Fenced || line.Indented || !strings.Contains(text, "{") {
			continue
		}
		found := field.FindAllStringSubmatchIndex(text, -1)
		if len(found) == 0 {
			continue
		}
		spans := markdown.CodeSpans(text)
		for _, m := range found {
			if !within(spans, m[2]) && c.build.Prompt.Axis(text[m[2]:m[3]]) < 0 {
				out[c.origin(s, line.Start+m[2], line.Start+m[3]).File] = true
			}
		}
	}
	return out
}

// isTemplate reports whether a text is from the template of another engine.
func (c *promptView) isTemplate(s *sectionText, f *diag.File) bool {
	return f != nil && !s.Unit.Exact && templates.IsFile(f.Path)
}

// unexpanded notes the templates of other engines that a prompt sends with their
// placeholders: one finding for all.
func unexpanded(c *promptView) diag.List {
	var files ordered.Map[*diag.File, ground.Set]
	for _, s := range c.texts {
		if !strings.ContainsAny(s.Text.Str, "{<") || listsTools(s) {
			continue
		}
		for _, at := range unfilled(s) {
			if place := c.origin(s, at.start, at.end); c.isTemplate(s, place.File) {
				union(files.Of(place.File), s.users)
			}
		}
	}
	if len(files.Keys) == 0 {
		return nil
	}
	var names, endings []string
	var users ground.Set
	for f, its := range files.All() {
		names = append(names, f.Path)
		union(&users, *its)
		if pattern := "**/*" + path.Ext(f.Path); !slices.Contains(endings, pattern) {
			endings = append(endings, pattern)
		}
	}
	d := c.find(diag.UnexpandedTemplate, diag.Whole(files.Keys[0]), users, "sends-template", c.build.Prompt.ID.Str, names[0])
	if n := len(names); n > 1 {
		d = c.find(diag.UnexpandedTemplate, diag.Whole(files.Keys[0]), users, "sends-templates", c.build.Prompt.ID.Str, diag.Count(n), diag.Names(names[:min(n, 3)]))
	}
	d.Also = names[1:]
	return diag.List{d.WithHint("review-what-templates-become", diag.Names(endings))}
}

// placeholderName gives what stands between the braces of a placeholder, without
// a filter.
func placeholderName(text string) string {
	name, _, _ := strings.Cut(strings.Trim(text, "{}~- \t"), "|")
	return strings.TrimRight(name, " \t")
}

// gap is a place in a text that reads like a placeholder.
type gap struct {
	start, end int
	braces     bool // as of open
}

// unfilled gives the places that are neither code nor filled as they are written.
func unfilled(r *sectionText) []gap {
	filled := map[int]bool{}
	for _, s := range r.Slots {
		filled[s.Start] = true
	}
	kept := outerBraces(r.Text)
	braces := map[int]bool{}
	var out []gap
	for _, line := range r.lines {
		text := r.Text.Str[line.Start:line.End]
		if line.Fenced || line.Indented || !strings.ContainsAny(text, "{<") {
			continue
		}
		found := templates.Find(text)
		for ; len(kept) > 0 && kept[0].start <= line.End; kept = kept[1:] {
			if from := kept[0].start - line.Start; from >= 0 {
				found = slices.DeleteFunc(found, func(m []int) bool { return m[0] == from }) // {{{name}} before more of the fragment
				found, braces[kept[0].start] = append(found, []int{from, min(kept[0].end, line.End) - line.Start}), true
			}
		}
		if len(found) == 0 {
			continue
		}
		slices.SortFunc(found, func(a, b []int) int { return a[0] - b[0] })
		spans := markdown.CodeSpans(text)
		argument := -1 // the end of the last that is one of LaTeX
		for _, m := range found {
			if m[0] == argument || commanded(text[:m[0]]) {
				argument = m[1]
				continue
			}
			start, end := line.Start+m[0], line.Start+m[1]
			if !within(spans, m[0]) && !filled[start] && !inTag(r.Rendering, start, end) && (braces[start] || isOpen(text, m[0], m[1], r.Rendering)) {
				out = append(out, gap{start, end, filled[start+1] || braces[start]})
			}
		}
	}
	return out
}

// inTag reports whether bytes of a text are in a tag, which the program of the template
// fills.
func inTag(r *assembly.Rendering, start, end int) bool {
	i, _ := slices.BinarySearchFunc(r.Tags, start, func(t templates.Tag, at int) int { return cmp.Compare(t.End, at+1) })
	return i < len(r.Tags) && r.Tags[i].Start < end
}

// outerBraces gives what {{{name}}} became where name is a fragment: two braces that
// stood in one file around a placeholder, and now stand around something else.
func outerBraces(t ground.Text) []gap {
	var out []gap
	for i, open := range t.Segs {
		at := open.End - 1
		if open.Changed || t.Str[at] != '{' || at > 0 && strings.IndexByte(`${^\`, t.Str[at-1]) >= 0 {
			continue
		}
		for _, closing := range t.Segs[i+1 : min(len(t.Segs), i+1+maxSegs)] {
			from, to := open.At.End, closing.At.Start
			if closing.At.File == open.At.File && from < to && strings.HasPrefix(t.Str[closing.Start:], "}") && plainName.MatchString(open.At.File.Text[from:to]) {
				out = append(out, gap{start: at, end: closing.Start + 1, braces: true})
				break
			}
		}
	}
	return out
}

// maxSegs is more than the parts of any fragment.
const maxSegs = 50

// isOpen reports whether a match is no variable of a shell, no expression of a
// workflow, no value of a Helm chart, and no literal, which a mark before it
// makes.
func isOpen(line string, start, end int, r *assembly.Rendering) bool {
	text := line[start:end]
	if strings.HasPrefix(text, "${") {
		return strings.ToUpper(text) != text && (start == 0 || strings.IndexByte(`$\`, line[start-1]) < 0)
	}
	if strings.HasPrefix(text, "{{") && slices.ContainsFunc([]string{" .Values.", " .Release.", " .Chart."}, func(of string) bool { return strings.Contains(" "+strings.TrimLeft(text, "{-~ \t"), of) }) {
		return false
	}
	opened, closed := strings.HasPrefix(text, "{{{"), strings.HasSuffix(text, "}}}")
	if opened != closed || start > 0 && strings.IndexByte(`${^\`, line[start-1]) >= 0 || end < len(line) && line[end] == '}' {
		return false
	}
	return !plainName.MatchString(text) || !expanded(r)
}

// commanded reports whether a text ends in a command of LaTeX. The braces behind
// it are then an argument: \frac{{a}}{{b}}.
func commanded(before string) bool {
	name := strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return len(before)-len(name) > 1 && strings.HasSuffix(name, `\`) // \n is a line break
}
