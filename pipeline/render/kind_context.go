package render

import (
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
		if p := b.ready(in, doc.Body); !blank(p.text.Str) {
			files = append(files, fileBody{doc: doc, passage: p})
		}
	}
	undo := b.checkpoint()
	whole := b.contextFiles(in, 0, files)
	if in.Limit == nil || whole.runes() <= in.Limit.Chars {
		return whole
	}
	undo()
	return b.fewerFiles(in, files)
}

// contextFiles prints the files from an index on, and a line that names those
// before it.
func (b *bench) contextFiles(in *prompt.Input, from int, files []fileBody) passage {
	var pieces []piece
	for _, f := range files[from:] {
		pieces = append(pieces, piece{name: fileName(f.doc.File, in.Base), file: f.doc.File, data: scope{
			textEntry("Path", prompt.Literal(relative(f.doc.File.Path, in.Base))),
			passEntry("Body", f.passage),
		}})
	}
	var out []string
	for _, f := range files[:from] {
		out = append(out, relative(f.doc.File.Path, in.Base))
	}
	s := b.style(in)
	var cut passage
	if from > 0 {
		cut = b.block(s, "cut", scope{
			textEntry("Files", prompt.Literal(strings.Join(out, ", "))), numEntry("Limit", in.Limit.Chars),
		})
	}
	return b.layout(s, pieces, nil, scope{passEntry("Cut", cut)})
}

// fewerFiles leaves out as few files as the limit asks for, from the
// outermost on. The last, which is the most specific, stays: if it alone is
// too long, `over` decides.
func (b *bench) fewerFiles(in *prompt.Input, files []fileBody) passage {
	limit, last := in.Limit.Chars, len(files)-1
	undo := b.checkpoint()
	// What a file takes is more than its name in the line, so the length
	// shrinks with every file left out, and halving finds the fewest.
	low, high := min(1, last), last
	for low < high {
		mid := (low + high) / 2
		if b.contextFiles(in, mid, files).runes() <= limit {
			high = mid
		} else {
			low = mid + 1
		}
		undo()
	}
	for _, f := range files[:low] {
		b.recordCut(in, f.doc.File, f.runes(), 0)
	}
	undo = b.checkpoint()
	p := b.contextFiles(in, low, files)
	over := p.runes() - limit
	if over <= 0 {
		return p
	}
	file := files[last].doc.File
	if !in.Limit.Cut {
		b.overLimit(in, file, diag.Whole(file), p.runes(), "shorten it, raise limit.chars, or declare over: cut")
		return p
	}
	undo()
	body := files[last].passage
	files[last].passage = b.cutTo(in, body, file, body.runes()-over, b.styles.named("any", "default"))
	return b.contextFiles(in, low, files)
}
