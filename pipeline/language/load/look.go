package load

import (
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Look reads the bytes of a file that another program wrote, as a rendered
// prompt that names it would: the document has the entries of a snapshot file in
// Saved, else the text in Body, and what it says as JSON in Data. It is nil where the findings say why nothing of
// the file can be read.
func Look(name string, data []byte) (*language.Doc, diag.List) {
	r := newRun(nil)
	if len(data) > maxRendered {
		return nil, diag.List{tooLarge(diag.Whole(&diag.File{Path: name}), name, "larger-16-mib")}
	}
	file, ok := r.normalise(name, data, false)
	doc := &language.Doc{File: file, Format: language.PlainText, Real: name}
	if !ok || !r.plain(doc, language.RenderedKind, language.How{}, diag.Span{}) {
		return nil, r.found.Sorted()
	}
	if start, isJSON := jsonIn(file); isJSON && doc.Saved == nil {
		if data, ok := parseJSON(file, start, &diag.List{}); ok {
			doc.Data = data
		}
	}
	return doc, r.found.Sorted()
}

// Front gives the front matter of the bytes of a rule or a skill, nil where there
// is none that can be read.
func Front(name string, data []byte) *ground.Node {
	r := newRun(nil)
	kind, _ := language.LookupKind(language.RulesKind)
	if len(data) > maxBytes {
		return nil
	}
	file, ok := r.normalise(name, data, false)
	if !ok {
		return nil
	}
	doc := &language.Doc{File: file}
	if _, ok := r.front(doc, kind); !ok {
		return nil
	}
	return doc.Front
}

// Data reads the bytes of a file of data, or the front matter of any other file; nil
// where there is none that can be read.
func Data(name string, bytes []byte) *ground.Node {
	r := newRun(nil)
	if len(bytes) > maxBytes {
		return nil
	}
	file, ok := r.normalise(name, bytes, true)
	if !ok {
		return nil
	}
	root, ok := data(file, &diag.List{})
	if !ok {
		return nil
	}
	return root
}
