package load

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// fileFormat is the syntax of files with an extension.
type fileFormat struct {
	extension string
	format    prompt.Format
}

// formats are the syntaxes by extension; what is not here is plain text.
var formats = []fileFormat{
	{".md", prompt.Markdown},
	{".mdc", prompt.Markdown},
	{".markdown", prompt.Markdown},
	{".yaml", prompt.YAML},
	{".yml", prompt.YAML},
	{".json", prompt.JSON},
}

// format gives the syntax in which a kind reads a file; false when it does
// not read files of this extension.
func format(name string, reads prompt.Reads) (prompt.Format, bool) {
	out := prompt.PlainText
	for _, f := range formats {
		if f.extension == extension(name) {
			out = f.format
		}
	}
	data := out == prompt.YAML || out == prompt.JSON
	switch reads {
	case prompt.ReadsData:
		return out, data
	case prompt.ReadsProse:
		if data {
			out = prompt.PlainText
		}
		return out, true
	default:
		return out, true
	}
}

// fileKind reads the files of styles, transcripts and workspaces, and those
// that were rendered elsewhere: plain text, whatever they are called.
var fileKind = prompt.Kind{}

// isPlain reports whether a kind stands for such files.
func isPlain(kindName string) bool {
	return kindName == prompt.StyleKind || kindName == prompt.TranscriptKind || kindName == prompt.WorkspaceKind ||
		kindName == prompt.RenderedKind
}

// document reads a file for a kind; the path at names it in the manifest. It
// is nil when findings made it useless.
func (r *run) document(name, kindName string, at diag.Span) (*prompt.Doc, error) {
	if _, err := r.later(name, kindName, at); err != nil {
		return nil, err
	}
	r.parsePending()
	return r.docs[docKey{name, kindName}], nil
}

// pending is a document that was read, and not yet parsed.
type pending struct {
	key  docKey
	doc  *prompt.Doc
	kind *prompt.Kind
}

// parsePending parses what is pending, all at once, and forgets what findings
// made useless.
func (r *run) parsePending() {
	type outcome struct {
		ok    bool
		found diag.List
	}
	outcomes := par.Map(r.pending, func(p pending) outcome {
		var one run
		return outcome{one.parse(p), one.found}
	})
	useless := map[*prompt.Doc]bool{}
	for i, o := range outcomes {
		r.found = append(r.found, o.found...)
		if !o.ok {
			useless[r.pending[i].doc] = true
			r.docs[r.pending[i].key] = nil
		}
	}
	for _, key := range r.gathered {
		r.tree.Matches[key] = slices.DeleteFunc(r.tree.Matches[key], func(doc *prompt.Doc) bool { return useless[doc] })
	}
	r.pending, r.gathered = nil, nil
}

// later reads a file for a kind, to be parsed with others; nil when there is
// nothing to parse.
func (r *run) later(name, kindName string, at diag.Span) (*prompt.Doc, error) {
	key := docKey{name, kindName}
	if doc, ok := r.docs[key]; ok {
		return doc, nil
	}
	kind := &fileKind
	if !isPlain(kindName) {
		kind, _ = prompt.LookupKind(kindName)
	}
	syntax, ok := format(name, kind.Reads)
	if !ok {
		r.found = append(r.found, diag.New(diag.WrongFormat, at, "%q is neither JSON nor YAML, which the kind %q reads", name, kindName).
			WithHint("name it .json, .yaml or .yml, or narrow the path"))
		return nil, nil
	}
	file, err := r.file(name, kindName, at)
	if err != nil || file == nil {
		return nil, err
	}
	dest, err := r.disk.real(name)
	if err != nil {
		return nil, err
	}
	doc := &prompt.Doc{File: file, Format: syntax, Real: dest}
	r.docs[key] = doc
	r.pending = append(r.pending, pending{key, doc, kind})
	return doc, nil
}

// parse reads what a file says into its document, and reports whether findings
// left it useful. It touches nothing else of a run than what it finds.
func (r *run) parse(p pending) (ok bool) {
	doc, file := p.doc, p.doc.File
	switch {
	case p.key.kind == prompt.RenderedKind:
		return r.rendered(doc)
	case p.key.kind == prompt.WorkspaceKind:
		doc.Format, doc.Body = prompt.PlainText, prompt.Verbatim(diag.Span{File: file, End: len(file.Text)})
		return true
	case isPlain(p.key.kind):
		doc.Format, doc.Body = prompt.PlainText, whole(file)
		return true
	case doc.Format == prompt.JSON:
		doc.Data, ok = parseJSON(file, &r.found)
	case doc.Format == prompt.YAML:
		doc.Data, ok = parseYAML(file, 0, len(file.Text), &r.found)
	default:
		ok = r.prose(doc, p.kind)
	}
	return ok
}

// prose reads a file's front matter, body and labels.
func (r *run) prose(doc *prompt.Doc, kind *prompt.Kind) bool {
	start, ok := 0, true
	if doc.Format == prompt.Markdown {
		start, ok = r.front(doc, kind)
	} else if kind.FrontRequired {
		r.found = append(r.found, frontMissing(doc.File, kind))
		ok = false
	}
	// The body is read also when the front matter is wrong: all findings of
	// a file belong in one report.
	body, bodyOK := r.body(doc.File, start, doc.Format == prompt.Markdown)
	doc.Body = body
	if kind.Labels && doc.Format == prompt.Markdown {
		doc.Labels = r.labels(body)
	}
	return ok && bodyOK
}

// file reads a file once; nil when findings made it useless. The kind decides
// what is to be done about one that is too large.
func (r *run) file(name, kindName string, at diag.Span) (*diag.File, error) {
	if file, ok := r.files[name]; ok {
		return file, nil
	}
	data, err := r.disk.read(name)
	if err != nil {
		return nil, err
	}
	r.files[name] = nil
	if len(data) > maxBytes {
		d := tooLarge(at, name)
		if kindName == conversationKind {
			d = d.WithHint("make its pictures smaller, or fewer: they go into the request as they are")
		}
		r.found = append(r.found, d)
		return nil, nil
	}
	if file, ok := r.normalise(name, data); ok {
		r.files[name] = file
	}
	return r.files[name], nil
}
