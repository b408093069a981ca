package render

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// textBody prints bodies in path order, joined by a blank line.
func textBody(b *bench, group []*prompt.Input) passage {
	p := b.fileBodies(group[0], fileName)
	p.items = nil
	return p
}

// fileBodies gives the bodies of an input's files as items, within its limit.
func (b *bench) fileBodies(in *prompt.Input, name func(*diag.File, string) string) passage {
	var w writer
	for i, body := range b.bodies(in) {
		if i > 0 {
			w.literal("\n\n")
		}
		if body.doc == nil {
			w.write(body.passage)
			continue
		}
		w.item(name(body.doc.File, in.Base), body.doc.File, body.passage)
	}
	return b.wholeSource(in, w.passage())
}

// fileBody is the text of one file, or inline text where doc is nil.
type fileBody struct {
	doc *prompt.Doc
	passage
}

// bodies gives the texts of an input that say something, in path order:
// expanded, and each within a limit that counts by file.
func (b *bench) bodies(in *prompt.Input) []fileBody {
	var out []fileBody
	if inline := b.ready(in, in.Text); !inline.empty() {
		out = append(out, fileBody{passage: b.eachFile(in, inline, nil)})
	}
	for _, doc := range in.Docs {
		if p := b.ready(in, doc.Body); !p.empty() {
			out = append(out, fileBody{doc: doc, passage: b.eachFile(in, p, doc.File)})
		}
	}
	return out
}

// ready gives a text expanded where its input is, without outer blank lines.
func (b *bench) ready(in *prompt.Input, t prompt.Text) passage {
	return b.field(in, t).trimOuter()
}

func (b *bench) eachFile(in *prompt.Input, p passage, file *diag.File) passage {
	if in.Limit == nil || in.Limit.PerSource {
		return p
	}
	return b.limited(in, p, file)
}

// wholeSource applies a limit that counts by source to what its files say.
func (b *bench) wholeSource(in *prompt.Input, p passage) passage {
	if in.Limit == nil || !in.Limit.PerSource {
		return p
	}
	var file *diag.File
	if len(in.Docs) == 1 {
		file = in.Docs[0].File
	}
	return b.limited(in, p, file)
}
