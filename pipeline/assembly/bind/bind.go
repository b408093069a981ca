// Package bind generates the typed modules with which programs in other languages
// load what was built: a folder of code for each language of `bindings`.
package bind

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Input is what a build made.
type Input struct {
	Plan       *assembly.Plan
	Renderings []*assembly.Rendering
	Artifacts  []*assembly.Artifact
	// Files are what a build writes below the folder of the artifacts: their
	// manifest and they themselves. They may be missing where no binding has them in
	// its code.
	Files []assembly.Output
}

// generator is how modules of one language are made.
type generator struct {
	name string
	// files are the code of a model.
	files func(m *Model) []File
	// names are the identifiers that the code declares.
	names func(m *Model) []declared
}

// languages are those of `bindings`.
var languages = []generator{
	{"go", golang, goNames},
	{"python", python, pythonNames},
	{"typescript", typescript, typescriptNames},
}

// manifestName is the manifest among the artifacts.
const manifestName = "manifest.json"

// Run makes the code of each binding, in declared order. Without the files of the
// artifacts, that of bindings which have them in their code has nothing of them.
func Run(in Input) ([]assembly.Generated, diag.List) {
	spec := in.Plan.Spec
	if len(spec.Bindings) == 0 {
		return nil, nil
	}
	m := modelOf(in.Plan, in.Renderings, in.Artifacts)
	found := unknown(spec, m.things())
	var out []assembly.Generated
	for _, b := range spec.Bindings {
		i := slices.IndexFunc(languages, func(l generator) bool { return l.name == b.Language })
		if i < 0 {
			continue // which the schema has reported
		}
		l, one := languages[i], m.of(b)
		if one.Inline {
			one.take(in.Files, spec.Artifacts.Str)
		}
		for _, c := range clashes(l.names(&one)) {
			found = append(found, diag.New(diag.SameIdentifier, b.Folder.At, "same-identifier", c.first, c.second, c.name, l.name).
				WithHint("name-otherwise", c.second))
		}
		code := assembly.Generated{Binding: b}
		for _, f := range l.files(&one) {
			code.Files = append(code.Files, assembly.Output{
				Path: one.Folder + "/" + f.Path, Parts: []string{f.Text}, Owner: assembly.Owner{Kind: assembly.OutCode},
			})
		}
		out = append(out, code)
	}
	return out, found.Sorted()
}

// unknown reports entries of bindings.names that name nothing.
func unknown(spec *language.Spec, things []string) diag.List {
	var found diag.List
	for _, r := range spec.CodeNames {
		if slices.Contains(things, r.Of.Str) {
			continue
		}
		d := diag.New(diag.UnknownRename, r.Of.At, "names-nothing", r.Of.Str).WithHint("names-things")
		if best, ok := suggest.Best(r.Of.Str, things); ok {
			d = d.WithHint("did-you-mean", best)
		}
		found = append(found, d)
	}
	return found
}

// take puts the artifacts and their manifest into a model.
func (m *Model) take(files []assembly.Output, folder string) {
	for _, f := range files {
		if at := strings.TrimPrefix(f.Path, folder+"/"); at == manifestName {
			m.Manifest = []byte(f.Content())
		} else {
			m.Artifacts = append(m.Artifacts, File{at, f.Content()})
		}
	}
}
