package render

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// contextBody prints project files, outermost first, each under its path as
// seen from the root. A limit leaves whole files out, outermost first.
func contextBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	var files []fileBody
	for _, doc := range in.Docs {
		if p := b.ready(in, doc.Body); strings.TrimSpace(p.text.Str) != "" {
			files = append(files, fileBody{doc: doc, passage: p})
		}
	}
	undo := b.checkpoint()
	whole := b.contextFiles(in, nil, files)
	if in.Limit == nil || whole.runes() <= in.Limit.Chars {
		return whole
	}
	if in.Limit.Refuse {
		file := files[len(files)-1].doc.File
		b.overLimit(in, nil, in.At, whole.runes(), diag.Say("shorten-files-or-raise", file.Path))
		return whole
	}
	undo()
	return b.fewerFiles(in, files)
}

// contextFiles prints the files but those that are out, and a line that names
// the latter.
func (b *bench) contextFiles(in *prompt.Input, out []int, files []fileBody) passage {
	var pieces []piece
	var names []string
	for i, f := range files {
		if slices.Contains(out, i) {
			names = append(names, relative(f.doc.File.Path, in.Base))
			continue
		}
		pieces = append(pieces, piece{name: fileName(f.doc.File, in.Base), file: f.doc.File, data: scope{
			textEntry("Path", prompt.Literal(relative(f.doc.File.Path, in.Base))),
			passEntry("Body", f.passage),
		}})
	}
	s := b.style(in)
	var cut passage
	if len(out) > 0 {
		cut = b.block(s, "cut", scope{
			textEntry("Files", prompt.Literal(strings.Join(names, ", "))), numEntry("Limit", in.Limit.Chars),
		})
	}
	return b.layout(s, pieces, nil, scope{passEntry("Cut", cut)})
}

// outermost gives the files in the order in which a limit leaves them out:
// by the depth of the folder that they speak for, in one folder as printed.
func outermost(in *prompt.Input, files []fileBody) []int {
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return folderDepth(relative(files[a].doc.File.Path, in.Base)) - folderDepth(relative(files[b].doc.File.Path, in.Base))
	})
	return order
}

// folderDepth counts the folders above a file; a rule speaks for the folder
// that its .claude/rules is in.
func folderDepth(file string) int {
	if i := strings.LastIndex("/"+file, "/.claude/rules/"); i >= 0 {
		file = ("/" + file)[1:max(1, i+1)]
	}
	return strings.Count(file, "/")
}

// fewerFiles leaves out as few files as the limit asks for, from the
// outermost on. The last, which is the most specific, stays: if it alone is
// too long, `over` decides.
func (b *bench) fewerFiles(in *prompt.Input, files []fileBody) passage {
	order := outermost(in, files)
	limit, last := in.Limit.Chars, len(files)-1
	undo := b.checkpoint()
	// What a file takes is more than its name in the line, so the length
	// shrinks with every file left out, and halving finds the fewest.
	low, high := min(1, last), last
	for low < high {
		mid := (low + high) / 2
		if b.contextFiles(in, order[:mid], files).runes() <= limit {
			high = mid
		} else {
			low = mid + 1
		}
		undo()
	}
	for _, i := range order[:low] {
		b.recordCut(in, files[i].doc.File, files[i].runes(), 0)
	}
	undo = b.checkpoint()
	p := b.contextFiles(in, order[:low], files)
	over := p.runes() - limit
	if over <= 0 {
		return p
	}
	kept := order[last]
	file := files[kept].doc.File
	if !in.Limit.Cut {
		b.overLimit(in, file, diag.Whole(file), p.runes(), diag.Say("shorten-raise-or-cut"))
		return p
	}
	undo()
	body := files[kept].passage
	files[kept].passage = b.cutTo(in, body, file, body.runes()-over, b.styles.named("any", "default"))
	return b.contextFiles(in, order[:low], files)
}
