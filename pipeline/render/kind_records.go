package render

import "github.com/promptc-build/promptc/pipeline/prompt"

// recordKeys are what a file of records may hold, one of them.
var recordKeys = []string{"facts", "lessons", "files", "runs"}

// recordFields are the fields of a record that are printed, and what
// templates call them.
var recordFields = []struct{ key, name string }{
	{"text", "Text"}, {"path", "Path"}, {"action", "Action"}, {"task", "Task"}, {"outcome", "Outcome"},
}

// recordsBody prints a line for each record, in the order of the files. The
// records of one file are an item.
func recordsBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	s := b.style(in)
	separator := b.separator(s, nil)
	var w writer
	count := 0
	for _, doc := range in.Docs {
		lines := b.records(in, s, doc)
		if len(lines) == 0 {
			b.saysNothing(in, doc, "has-no-records")
			continue
		}
		count += len(lines)
		var list writer
		for i, line := range lines {
			if i > 0 {
				list.write(separator)
			}
			list.write(line)
		}
		if w.b.Len() > 0 {
			w.write(separator)
		}
		w.item(b.tilde.claim(nameWithout(dataExtensions, doc.File, in.Base)), doc.File, b.eachFile(in, list.passage(), doc.File))
	}
	items := b.wholeSource(in, w.passage())
	if items.empty() {
		return passage{}
	}
	return b.frame(s, scope{passEntry("Items", items), numEntry("Count", count)})
}

// records gives the lines of one file.
func (b *bench) records(in *prompt.Input, s *style, doc *prompt.Doc) []passage {
	var out []passage
	for _, key := range recordKeys {
		list := doc.Data.Field(key)
		if list == nil {
			continue
		}
		for _, n := range list.Items {
			if data := b.record(in, n); data != nil {
				out = append(out, b.block(s, "item", data))
			}
		}
	}
	return out
}

// record gives the fields of one record; nil where all are empty, which
// fragments may lead to.
func (b *bench) record(in *prompt.Input, n *prompt.Node) scope {
	data, says := make(scope, 0, len(recordFields)), false
	for _, f := range recordFields {
		value := n.Field(f.key)
		if n.IsScalar() && f.key == "text" {
			value = n
		}
		p := oneLine(b.field(in, scalarText(value)))
		says = says || !p.empty()
		data = append(data, passEntry(f.name, p))
	}
	if !says {
		return nil
	}
	return data
}
