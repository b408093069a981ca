package render

import "github.com/promptc-build/promptc/pipeline/prompt"

// registryBody prints the selected prompts of a registry, each as an item of
// its id.
func registryBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	var bodies []fileBody
	var says []*prompt.Entry
	for _, e := range in.Entries {
		body := b.ready(in, e.Content)
		if body.empty() {
			b.saysNothing(in, e.Doc, "has-no-text-below")
			continue
		}
		says = append(says, e)
		bodies = append(bodies, fileBody{doc: e.Doc, passage: b.eachFile(in, body, e.Doc.File)})
	}
	var pieces []piece
	for i, body := range b.wholeBodies(in, bodies) {
		e := says[i]
		pieces = append(pieces, piece{name: e.ID.Str, file: e.Doc.File, data: scope{
			textEntry("ID", placed(e.ID.Str, e.ID.At)),
			passEntry("Name", oneLine(b.field(in, e.Name))),
			passEntry("Description", oneLine(b.field(in, e.Description))),
			textEntry("Server", placed(e.Server.Str, e.Server.At)),
			passEntry("Body", body.passage),
		}})
	}
	return b.layout(b.style(in), pieces, nil, nil)
}
