package load

import (
	"io/fs"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Look reads the bytes of one file as those of a rendered prompt are read. The
// findings say why it cannot be one; then there is no document.
func Look(name string, data []byte) (*prompt.Doc, diag.List) {
	r := newRun(nil)
	if len(data) > maxBytes {
		return nil, diag.List{tooLarge(diag.Whole(&diag.File{Path: name}), name)}
	}
	file, ok := r.normalise(name, data)
	if !ok || r.found.HasErrors() {
		return nil, r.found.Sorted()
	}
	doc := &prompt.Doc{File: file, Format: prompt.PlainText}
	if !r.plain(doc, prompt.RenderedKind) {
		return nil, r.found.Sorted()
	}
	return doc, nil
}

// ReadSome reads a file as a run does: at most one byte more than a file may
// have.
func ReadSome(fsys fs.FS, name string) ([]byte, error) {
	d := newDisk(fsys)
	return d.read(name)
}
