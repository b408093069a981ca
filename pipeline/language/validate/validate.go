// Package validate turns a Tree into a Spec: the manifest and every source
// file are checked against their JSON Schemas, and what the schemas cannot
// say is checked while values become typed.
package validate

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Run checks a tree and gives its typed form, with everything that is wrong.
// The Spec is complete where there are no errors; otherwise it holds what
// could be understood.
func Run(tree *language.Tree) (*language.Spec, diag.List) {
	var spec *language.Spec
	docs := newDocuments()
	// The two halves need different schemas, where they need any.
	found := par.Map([]func() diag.List{
		func() (out diag.List) {
			spec, out = manifest(tree)
			return out
		},
		func() diag.List {
			docs.tree(tree)
			return docs.found
		},
	}, func(half func() diag.List) diag.List { return half() })
	spec.Defined = docs.Defined
	return spec, slices.Concat(found...).Sorted()
}

// manifest checks the manifest alone.
func manifest(tree *language.Tree) (*language.Spec, diag.List) {
	var found diag.List
	if tree.Manifest != nil { // else load has said why
		found = checked(manifestRef, tree.Manifest)
	}
	d := decoder{}
	spec := d.manifest(tree)
	spec.Asides = d.asides.places(extended(tree))
	return spec, slices.Concat(found, policies(tree), d.found)
}

// Language knows the keys by which a project's texts name further files. The
// stage that reads asks it.
type Language struct{}

// Readings gives the files that a manifest names, as far as it could be
// understood; [Run] says what is wrong with the rest.
func (Language) Readings(tree *language.Tree) language.Readings {
	d := decoder{}
	spec := d.manifest(tree)
	return language.Readings{Files: readings(spec), Axes: axisValues(spec), Outputs: outputs(spec)}
}

// readings lists what the sources name, then the sections, then the prompts
// that are rendered elsewhere.
func readings(spec *language.Spec) []language.Reading {
	var out, rendered []language.Reading
	add := func(kind string, paths ...ground.Word) {
		for _, p := range paths {
			if isWritten(p) {
				out = append(out, language.Reading{Path: p, Kind: kind})
			}
		}
	}
	expand := func(first int) {
		for i := range out[first:] {
			out[first+i].Imports = true
		}
	}
	styles := func(o language.Options) {
		for _, c := range o.Style {
			add(language.StyleKind, c.Value.Path)
		}
	}
	for _, s := range spec.Sources {
		if s.Kind != nil {
			first := len(out)
			add(s.Kind.Name, allOf(s.Path)...)
			for i := range out[first:] {
				walk(&out[first+i], s)
			}
			add(s.Kind.Name, allOf(s.Fallback)...)
			add(s.Kind.Name, s.Else)
			point(out[first:], s)
			if !s.KeepImports && s.Pointer.Str == "" {
				expand(first)
			}
			if slices.Contains(s.Kind.Options, "transcript") {
				add(language.TranscriptKind, s.Transcript)
			}
		}
		styles(s.Options)
	}
	for _, p := range spec.Prompts {
		for _, s := range p.Sections {
			first := len(out)
			add(language.TextKind, allOf(s.Path)...)
			expand(first)
			styles(s.Options)
		}
		if r := p.Rendered; r != nil {
			rendered = append(rendered, renderedReadings(p)...)
		}
	}
	return append(out, rendered...)
}

// point says of the files of a source where their texts stand.
func point(files []language.Reading, s *language.Source) {
	if s.Kind.Name != language.TextKind {
		return
	}
	for i := range files {
		files[i].How = s.How(s.Within().Str)
	}
}

// renderedReadings lists the texts and the tools of a prompt that is rendered
// elsewhere, then what these are made from.
func renderedReadings(p *language.Prompt) []language.Reading {
	r := p.Rendered
	texts := language.Reading{Path: r.Path, Kind: language.RenderedKind, How: r.How()}
	if p.Record != nil {
		texts.Records = p.ID.Str
	}
	named := []language.Reading{texts}
	for _, path := range r.Tools {
		named = append(named, language.Reading{Path: path, Kind: language.ToolsKind})
	}
	var out []language.Reading
	for _, one := range named {
		if one.AnyValue = true; one.Path.Str != "" && isWritten(one.Path) {
			out = append(out, one)
		}
	}
	for _, w := range r.From {
		if isWritten(w) {
			out = append(out, language.Reading{Path: w, Kind: language.InputKind})
		}
	}
	return out
}

// walk makes the reading of a source whose kind is found by walking.
func walk(r *language.Reading, s *language.Source) {
	if !s.Kind.Walks {
		return
	}
	r.Walk, r.Root, r.Local = true, s.Root, s.Local
	if !isWritten(r.Root) {
		r.Root = ground.Word{Str: "."}
	}
}

// isWritten tells a word from a key without a value.
func isWritten(w ground.Word) bool { return w.At.End > w.At.Start }

func allOf(c language.Cases[[]ground.Word]) []ground.Word {
	var out []ground.Word
	for _, one := range c {
		out = append(out, one.Value...)
	}
	return out
}

// axisValues gives the values of every axis in any prompt.
func axisValues(spec *language.Spec) map[string][]string {
	out := map[string][]string{}
	seen := map[[2]string]bool{}
	for _, p := range spec.Prompts {
		for _, axis := range p.Axes {
			for _, v := range axis.Values {
				key := [2]string{axis.Name.Str, v.Str}
				if !seen[key] {
					seen[key] = true
					out[axis.Name.Str] = append(out[axis.Name.Str], v.Str)
				}
			}
		}
	}
	return out
}

// outputs gives the folders that promptc writes. Where no prompt has snapshots,
// the folder of that name may be another program's. Folders that cannot be used are refused by [Run].
func outputs(spec *language.Spec) []string {
	folders := []string{spec.Artifacts.Str}
	for _, b := range spec.Bindings {
		folders = append(folders, b.Folder.Str)
	}
	if len(spec.Prompts) == 0 || slices.ContainsFunc(spec.Prompts, (*language.Prompt).HasSnapshots) {
		folders = append(folders, spec.Snapshots.Path.Str)
	}
	var out []string
	for _, folder := range folders {
		if clean := path.Clean(folder); clean != "." {
			out = append(out, clean)
		}
	}
	return out
}

// Shown gives the files that a fixture wants in full, and the folder that it
// names.
func (Language) Shown(fixture *ground.Node) language.Shown {
	out := language.Shown{Folder: scalar(fixture.Field("workspace"))}
	add := func(n *ground.Node, prefix string) {
		w := scalar(n)
		if rest, ok := strings.CutPrefix(w.Str, prefix); ok && rest != "" {
			w.Str = rest
			out.Files = append(out.Files, w)
		}
	}
	for _, n := range fixture.Field("selected").List() {
		add(n, "")
	}
	for _, tier := range fixture.Field("tiers").Entries() {
		for _, n := range tier.Value.List() {
			add(n, language.KeyFile.String()+":")
		}
	}
	return out
}

// scalar gives a scalar as a word, none for null.
func scalar(n *ground.Node) ground.Word {
	if !n.IsScalar() || n.Kind == ground.Null {
		return ground.Word{}
	}
	return ground.Word{Str: n.Text.Str, At: n.At}
}
