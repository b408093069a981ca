package load

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
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

// document reads a file for a kind; the path at names it in the manifest. What
// is no kind of sources stands for files that are read as they are. It is nil
// when findings made it useless.
func (r *run) document(name, kindName string, at diag.Span) (*prompt.Doc, error) {
	key := docKey{name, kindName}
	if doc, ok := r.docs[key]; ok {
		return doc, nil
	}
	kind, isKind := prompt.LookupKind(kindName)
	if !isKind {
		kind = &prompt.Kind{Name: kindName}
	}
	syntax, ok := format(name, kind.Reads)
	if !ok {
		r.found = append(r.found, diag.New(diag.WrongFormat, at, "neither-json-nor-yaml", name, kindName).
			WithHint("name-json-yaml-yml"))
		return nil, nil
	}
	file, err := r.file(name, kind, at)
	if err != nil || file == nil {
		return nil, err
	}
	dest, err := r.disk.real(name)
	if err != nil {
		return nil, err
	}
	doc := &prompt.Doc{File: file, Format: syntax, Real: dest}
	if isKind {
		ok = r.parse(doc, kind)
	} else {
		doc.Format = prompt.PlainText
		ok = r.plain(doc, kindName)
	}
	if !ok {
		doc = nil
	}
	r.docs[key] = doc
	return doc, nil
}

// parse reads what a file says into its document, and reports whether findings
// left it useful.
func (r *run) parse(doc *prompt.Doc, kind *prompt.Kind) (ok bool) {
	file := doc.File
	switch doc.Format {
	case prompt.JSON:
		doc.Data, ok = parseJSON(file, &r.found)
	case prompt.YAML:
		doc.Data, ok = parseYAML(file, 0, len(file.Text), &r.found)
	default:
		ok = r.prose(doc, kind)
	}
	return ok
}

// plain takes the text of a file as it is: of styles and transcripts without
// the line breaks at the end; of what was rendered elsewhere the entries, where
// it is a snapshot file.
func (r *run) plain(doc *prompt.Doc, kindName string) bool {
	text := doc.File.Text
	if kindName == prompt.StyleKind || kindName == prompt.TranscriptKind {
		text = strings.TrimRight(text, "\n")
	}
	doc.Body = prompt.Verbatim(diag.Span{File: doc.File, End: len(text)})
	if kindName != prompt.RenderedKind || !isSaved(text) {
		return true
	}
	p := savedParser{file: doc.File}
	saved, bad := p.entries()
	if bad != nil {
		r.found = append(r.found, *bad)
	}
	doc.Saved = saved
	return bad == nil
}

// prose reads a file's front matter, body and labels.
func (r *run) prose(doc *prompt.Doc, kind *prompt.Kind) bool {
	start, ok := 0, true
	if doc.Format == prompt.Markdown {
		start, ok = r.front(doc, kind)
	} else if len(kind.FrontKeys) > 0 {
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
func (r *run) file(name string, kind *prompt.Kind, at diag.Span) (*diag.File, error) {
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
		if kind.Messages {
			d = d.WithHint("make-pictures-smaller-fewer")
		}
		r.found = append(r.found, d)
		return nil, nil
	}
	if file, ok := r.normalise(name, data); ok {
		r.files[name] = file
	}
	return r.files[name], nil
}
