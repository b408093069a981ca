package load

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// ServersFile is the name of the file in which programs that run agents name MCP
// servers.
const ServersFile = ".mcp.json"

// Manifest reads a manifest and nothing that it names.
func Manifest(fsys fs.FS, name string) (*language.Tree, diag.List, error) {
	r := newRun(fsys)
	data, err := r.manifestBytes(name)
	if err != nil {
		return nil, nil, err
	}
	r.readManifest(name, data)
	return r.tree, r.found.Sorted(), nil
}

// Extended reads a manifest and the policies that it extends, and nothing else.
func Extended(fsys fs.FS, name string, of Language) (*language.Tree, diag.List, error) {
	r := newRun(fsys)
	r.language = of
	data, err := r.manifestBytes(name)
	if err != nil {
		return nil, nil, err
	}
	if r.readManifest(name, data); r.tree.Manifest != nil {
		r.openRoots(of.Roots(r.tree.Manifest))
		err = r.readPolicies()
	}
	return r.tree, r.found.Sorted(), err
}

// Servers reads the ServersFile of a folder or of the nearest one above it, up to
// the top of the repository; outside of one that of the folder alone. It gives
// the folder as seen from the first one. The node is nil where there is no such
// file, and where the findings say why it cannot be read.
func Servers(dir string) (folder string, file *ground.Node, found diag.List, err error) {
	err = upwards(dir, func(r *run, at string) (bool, error) {
		data, err := r.manifestBytes(ServersFile)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err == nil {
			folder = at
			file, found = JSON(path.Join(at, ServersFile), data)
		}
		return true, err
	})
	return folder, file, found, err
}

// upwards looks at a folder, then at those above it up to the top of the repository,
// outside of one at the folder alone, until found says that it has what it looks for.
// Folders are named as seen from the first one.
func upwards(dir string, found func(r *run, folder string) (bool, error)) error {
	top, err := Repository(dir)
	if err != nil {
		return err
	}
	at, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for folder := ""; ; at, folder = filepath.Dir(at), path.Join(folder, "..") {
		fsys, err := Dir(at)
		if err != nil {
			return err
		}
		if done, err := found(newRun(fsys), folder); done || err != nil {
			return err
		}
		if top == "" || at == top || filepath.Dir(at) == at {
			return nil
		}
	}
}

// JSON reads the bytes of a JSON file. The node is nil where the findings say why
// it cannot be read.
func JSON(name string, data []byte) (*ground.Node, diag.List) {
	r := newRun(nil)
	if len(data) > maxRendered {
		return nil, diag.List{tooLarge(diag.Whole(&diag.File{Path: name}), name, "larger-16-mib")}
	}
	file, ok := r.normalise(name, data, false)
	if !ok {
		return nil, r.found.Sorted()
	}
	node, _ := parseJSON(file, 0, &r.found)
	if r.found.HasErrors() {
		node = nil
	}
	return node, r.found.Sorted()
}

// YAML reads a value that stands in no file of a project's own: YAML or JSON, with places
// in the name that it is given. It is nil where findings say why.
func YAML(name string, data []byte) (*ground.Node, diag.List) {
	r := newRun(nil)
	file, ok := r.normalise(name, data, false)
	if !ok {
		return nil, r.found.Sorted()
	}
	node, _ := parseYAML(file, 0, len(file.Text), &r.found)
	if node == nil && !r.found.HasErrors() {
		node = &ground.Node{Kind: ground.Null, At: diag.Whole(file)}
	}
	return node, r.found.Sorted()
}

// Below reads the files below a folder, by their paths from the top of the file
// system on; none where there is no such folder.
func Below(fsys fs.FS, folder string) (map[string]string, error) {
	below, err := Sub(fsys, folder)
	if err != nil {
		return nil, err
	}
	if st, err := fs.Stat(fsys, folder); errors.Is(err, fs.ErrNotExist) || err == nil && !st.IsDir() {
		return nil, nil
	}
	names, _, _, err := Walk(below, func(string) bool { return false })
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, name := range names {
		text, err := ReadSome(below, name)
		if err != nil {
			return nil, err
		}
		out[path.Join(folder, name)] = string(text)
	}
	return out, nil
}
