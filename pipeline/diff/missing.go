package diff

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// missing says for every edit of lines and every added item which variants of
// the prompts that it reaches could have it and do not.
func (r *run) missing() {
	for _, e := range r.d.Edits {
		f, items := r.lineEdits[e], r.itemSections[e]
		switch {
		case e.Follows != nil || f == nil && items == nil:
			continue
		case f == nil:
			f = &lineFacts{sections: map[*pair][]*section{}, files: map[string]bool{}, items: []string{e.Item}}
			if e.At.Known() {
				f.files[e.At.File.Path] = true
			}
			for _, in := range items {
				if in.section != nil && !slices.Contains(f.sections[in.pair], in.section) {
					f.sections[in.pair] = append(f.sections[in.pair], in.section)
				}
			}
		}
		for i := range r.pairs {
			r.missedBy(e, f, r.pairs[i])
		}
	}
}

// missedBy notes the variants of a prompt that an edit does not reach.
func (r *run) missedBy(e *prompt.Edit, f *lineFacts, p *pair) {
	i := slices.IndexFunc(e.Reach, func(at prompt.Reach) bool { return at.Pair == p.Pair && !at.OfBase })
	if i < 0 {
		return
	}
	in := e.Reach[i].In
	for _, t := range p.twins {
		if !t.both() || in.Has(t.head.Variant.Index) {
			continue
		}
		if cause, why, has := r.whyMissed(e, f, t); !has {
			miss(e, t, cause, why)
		}
	}
}

// whyMissed says why an edit does not reach a variant; has, that the variant has
// what came already.
func (r *run) whyMissed(e *prompt.Edit, f *lineFacts, t twin) (cause prompt.Cause, why string, has bool) {
	text := r.lined(t.head)
	switch {
	case len(f.lines[1]) > 0 && text.has(f.lines[1]):
		return 0, "", true
	case text.has(f.lines[0]) && slices.ContainsFunc(f.lines[0], func(l int32) bool { return !r.lines.weak(l) }):
		return prompt.CauseStale, r.sourceOf(t.head, text, f.lines[0]), false
	}
	sections := f.sections[t.pair]
	if len(sections) == 0 {
		cause, why = r.talkMissed(f, t)
		return cause, why, false
	}
	for _, s := range sections {
		if s.head < 0 || t.head.Used[s.head] == nil || t.head.Used[s.head].Text.Str == "" {
			continue
		}
		cause, why, has = r.saysOther(e, f, t.head.Used[s.head], t.pair.rendered())
		return cause, why, has
	}
	if first := sections[0]; first.head >= 0 {
		cause, why = outCause(t.head, first.head)
		return cause, why, false
	}
	return prompt.CauseAbsent, "", false
}

// has reports whether a text has some lines, one after another.
func (l *lined) has(lines []int32) bool {
	if len(lines) == 0 {
		return false
	}
	return l.find(lines) >= 0
}

func (l *lined) find(lines []int32) int {
	for i := 0; i+len(lines) <= len(l.ids); i++ {
		if slices.Equal(l.ids[i:i+len(lines)], lines) {
			return i
		}
	}
	return -1
}

// sourceOf gives the path of the file that some lines of a text come from, ""
// for none, and where every variant has a file of its own.
func (r *run) sourceOf(a *prompt.Artifact, text *lined, lines []int32) string {
	i := text.find(lines)
	if i < 0 || a.Build.Prompt.Rendered != nil {
		return ""
	}
	if at := spanIn(a, text.starts[i], text.starts[i+len(lines)]); at.Known() {
		return at.File.Path
	}
	return ""
}

// saysOther says why a text of the section does not have the edit.
func (r *run) saysOther(e *prompt.Edit, f *lineFacts, x *prompt.Rendering, own bool) (cause prompt.Cause, why string, has bool) {
	if own {
		return prompt.CauseOther, "", false
	}
	in := func(name string) bool {
		_, there := r.frame(x).index[name]
		return there
	}
	if !slices.Contains(f.items, "") && !slices.ContainsFunc(f.items, in) {
		switch kind := kindOf(x); {
		case kind == "registry" || kind == "tools":
			return prompt.CauseOnly, "", false
		case len(r.frame(x).items) == 0 && formOf(x) != "":
			return prompt.CauseForm, formWords(x), false
		}
	} else if e.Kind == prompt.ItemAdded {
		return 0, "", true
	}
	files := filesOf(x)
	if slices.ContainsFunc(files, func(s sourceFile) bool { return f.files[s.path] }) {
		return prompt.CauseOther, "", false
	}
	if i := slices.IndexFunc(files, func(s sourceFile) bool { return s.path != "" }); i >= 0 {
		return prompt.CauseFile, files[i].path, false
	}
	return prompt.CauseOther, "", false
}

// talkMissed says why a conversation does not have an edit: it is another
// fixture, or does not show the file.
func (r *run) talkMissed(f *lineFacts, t twin) (prompt.Cause, string) {
	if t.head.Variant.Messages == nil {
		return prompt.CauseAbsent, ""
	}
	x := r.spokenBy(t.head, false)
	if x == nil || x.Unit.Dialogue == nil || x.Unit.Dialogue.Conversation == nil {
		return prompt.CauseAbsent, ""
	}
	if path := x.Unit.Dialogue.Conversation.Doc.File.Path; !f.files[path] && len(f.files) > 0 {
		return prompt.CauseFile, path
	}
	return prompt.CauseAbsent, ""
}

func kindOf(x *prompt.Rendering) string {
	for _, in := range x.Unit.Inputs {
		if in.Kind != nil {
			return in.Kind.Name
		}
	}
	return ""
}
