package render

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// userBody prints the user's name. The file's other fields are validated and
// not printed.
func userBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	var parts []passage
	for _, doc := range in.Docs {
		name := oneLine(b.field(in, stated(doc.Front.Field("name"))))
		if name.empty() {
			b.saysNothing(in, doc, "has-no-name")
			continue
		}
		parts = append(parts, b.frame(b.style(in), scope{passEntry("Name", name)}))
	}
	return b.uncut(in, join(parts, "\n\n"))
}

// saysNothing reports a file without any of the fields that its kind prints,
// unless the source allows for that.
func (b *bench) saysNothing(in *prompt.Input, doc *prompt.Doc, key string) {
	if in.Lenient {
		return
	}
	b.found = append(b.found, diag.New(diag.SaysNothing, diag.Whole(doc.File), key, doc.File.Path).
		WithHint("fill-declare-absent-omit"))
}
