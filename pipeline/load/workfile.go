package load

import (
	"path"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// named is what became of a file that a fixture names.
type named struct {
	doc     *prompt.Doc      // nil where it is not there
	refused *diag.Diagnostic // without its place
}

// readNamed reads a file that a fixture names and reports at every entry what
// keeps it from being shown. ws is nil where there is no workspace to look in;
// then the path is still checked.
func (r *run) readNamed(ws *workspace, e entry) error {
	if f := checkBelow(e.path); f != nil {
		r.badPath(e.path, e.at, *f)
		return nil
	}
	if ws == nil {
		return nil
	}
	file, known := ws.named[e.path]
	if !known {
		var err error
		if file, err = r.openNamed(ws, e); err != nil {
			return err
		}
		ws.named[e.path] = file
		if file.doc != nil {
			ws.tree.Docs[e.path] = file.doc
			ws.leads(e.path, file.doc.Real) // the list may lack it: walks follow no circle
		}
	}
	if file.refused != nil {
		r.refuse(*file.refused, e.at)
	}
	return nil
}

// openNamed looks a file up and reads it. A path that is not there is no
// finding: the stage that binds the fixture's keys knows what is near it.
func (r *run) openNamed(ws *workspace, e entry) (named, error) {
	if twin := ws.bySpelling[folded(e.path)]; twin != "" && !ws.listed[e.path] {
		d := diag.New(diag.BadPath, diag.Span{}, "path %q differs from the file %q in case alone", brief(e.path), twin).
			WithHint("write %s", twin)
		return named{refused: &d}, nil
	}
	name := path.Join(ws.dir, e.path)
	state, err := r.disk.inspectBelow(name, ws.dest)
	switch {
	case err != nil || state == missing:
		return named{}, err
	case state != regular:
		d := notShown(name, state)
		return named{refused: &d}, nil
	}
	return r.readText(name, e.at)
}

// notShown says why something that is there is no file to be shown.
func notShown(name string, s state) diag.Diagnostic {
	code, hint := diag.NotAFile, "name a regular file"
	switch s {
	case escaping, straying:
		code, hint = diag.PathEscapes, "copy the file into the workspace"
	case reserved:
		code, hint = diag.PathEscapes, "take it out: the file tree leaves that folder out, too"
	case directory:
		hint = "name the files in it, one by one"
	case dangling, circular:
		hint = "repair or remove the link"
	case misnamed, misled, unlisted:
		hint = "rename the file"
	case regular, special, missing:
	}
	return diag.New(code, diag.Span{}, "%q %s", name, s.fact()).WithHint("%s", hint)
}

// readText reads a file of a workspace. That it is no text, or too long, is a
// mistake of the fixture that names it, so that the finding moves there; what is
// wrong inside a text stays where it is.
func (r *run) readText(name string, at diag.Span) (named, error) {
	before := len(r.found)
	doc, err := r.document(name, prompt.WorkspaceKind, at)
	if err != nil {
		return named{}, err
	}
	kept := r.found[:before]
	for _, d := range r.found[before:] {
		switch d.Code {
		case diag.NotText:
			d.Message = diag.Quote(name) + " is not a UTF-8 text: " + d.Message
			r.unfit[name] = d.WithHint("only texts can be shown; take the entry out if it is none, else save it as UTF-8")
		case diag.FileTooLarge:
			r.unfit[name] = d
		default:
			kept = append(kept, d)
		}
	}
	r.found = kept
	if d, unfit := r.unfit[name]; unfit {
		return named{refused: &d}, nil
	}
	return named{doc: doc}, nil
}
