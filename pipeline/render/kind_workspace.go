package render

import (
	"cmp"
	"path"
	"slices"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// workspaceOrder are the files that come first, in this order.
var workspaceOrder = []string{"AGENTS.md", "TOOLS.md"}

// workspaceBody prints workspace files, each under its name.
func workspaceBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	files := b.bodies(in)
	rank := func(f fileBody) int {
		if i := slices.Index(workspaceOrder, baseName(f)); i >= 0 {
			return i
		}
		return len(workspaceOrder)
	}
	slices.SortStableFunc(files, func(x, y fileBody) int { return cmp.Compare(rank(x), rank(y)) })
	var pieces []piece
	for _, f := range b.wholeBodies(in, files) {
		if f.doc == nil {
			continue // reported: the kind takes no inline text
		}
		pieces = append(pieces, piece{name: fileName(f.doc.File, in.Base), file: f.doc.File, data: scope{
			textEntry("Name", prompt.Literal(baseName(f))),
			textEntry("Path", prompt.Literal(f.doc.File.Path)),
			passEntry("Body", f.passage),
		}})
	}
	return b.layout(b.style(in), pieces, nil, nil)
}

func baseName(f fileBody) string {
	if f.doc == nil {
		return ""
	}
	return path.Base(f.doc.File.Path)
}
