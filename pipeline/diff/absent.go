package diff

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// fileTurned gives the file that a section is in or out by: the one it is made
// from, where the other side has no such file and leaves the section out for
// that. Unknown for what has another cause.
func (r *run) fileTurned(t twin, s *section) (at diag.Span, inBase bool) {
	was, is := t.used(s)
	x, without, other := was, t.head, r.d.Head.Result
	n := s.head
	if x == nil {
		x, without, other, n = is, t.base, r.d.Base.Result, s.base
	}
	if x == nil || was != nil && is != nil || omission(without, n).Reason != prompt.OutAbsent || other.Tree == nil {
		return diag.Span{}, false
	}
	there := r.filesOf(other.Tree)
	var file *diag.File
	for _, f := range filesOf(x) {
		switch {
		case f.file == nil || f.file == file:
		case file != nil || there[f.path] != nil:
			return diag.Span{}, false
		default:
			file = f.file
		}
	}
	if file == nil {
		return diag.Span{}, false
	}
	return diag.Whole(file), was != nil
}

// filesOf gives all sources of a tree by path, found once.
func (r *run) filesOf(t *prompt.Tree) map[string]*diag.File {
	files, known := r.sources[t]
	if !known {
		files = filesIn(t)
		r.sources[t] = files
	}
	return files
}
