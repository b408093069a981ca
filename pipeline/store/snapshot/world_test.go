package snapshot_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// at is a point of a prompt's axes: the value of each by name.
type at map[string]string

// says is what a section says at a point; nil is nothing.
type says struct {
	text    string
	items   []assembly.Item
	tools   []*language.Tool
	beside  bool
	step    string
	marks   []assembly.Mark
	sources []string
	slots   []assembly.SlotAt
	origin  assembly.Origin
	out     assembly.Reason // not In: left out, for this reason
	why     string
	join    string // replaces the standard join before the section
}

// section is one section of a test's prompt.
type section struct {
	id   string
	says func(at) *says
}

// draft is a test's prompt.
type draft struct {
	id       string
	axes     []string // "entry=full,simple*": the star marks a default
	exclude  func(at) bool
	order    func(at) []int
	sections []section
}

// world puts drafts together as the stages before this one would.
func world(drafts ...draft) snapshot.Input {
	manifest := &diag.File{Path: "prompts.yaml", Text: "version: 1\n"}
	spec := &language.Spec{File: manifest}
	spec.Snapshots.Path = ground.Word{Str: "snapshots", At: diag.Whole(manifest)}
	in := snapshot.Input{Plan: &assembly.Plan{Spec: spec}, Counters: func(string) *token.Counter {
		c, _ := token.New("chars/4")
		return c
	}}
	for _, d := range drafts {
		b := d.build()
		in.Plan.Builds = append(in.Plan.Builds, b)
		known := map[string]*assembly.Rendering{}
		for _, v := range b.Variants {
			in.Artifacts = append(in.Artifacts, d.artifact(&in, b, v, known))
		}
	}
	return in
}

func (d draft) build() *assembly.Build {
	p := &language.Prompt{ID: ground.Word{Str: d.id}}
	for _, a := range d.axes {
		name, values, _ := strings.Cut(a, "=")
		axis := &language.Axis{Name: ground.Word{Str: name}}
		for v := range strings.SplitSeq(values, ",") {
			if plain, ok := strings.CutSuffix(v, "*"); ok {
				v, axis.Default = plain, ground.Word{Str: plain}
			}
			axis.Values = append(axis.Values, ground.Word{Str: v})
		}
		p.Axes = append(p.Axes, axis)
	}
	for _, s := range d.sections {
		p.Sections = append(p.Sections, &language.Section{ID: ground.Word{Str: s.id}})
	}
	b := &assembly.Build{Prompt: p}
	d.points(b, nil)
	return b
}

func (d draft) points(b *assembly.Build, values []int) {
	if n := len(values); n < len(b.Prompt.Axes) {
		for v := range b.Prompt.Axes[n].Values {
			d.points(b, append(slices.Clone(values), v))
		}
		return
	}
	v := &assembly.Variant{Name: d.id, Index: len(b.Variants), Values: values, Join: ground.Literal("\n\n"), Tokenizer: "words"}
	point := pointOf(b, v)
	if d.exclude != nil && d.exclude(point) {
		return
	}
	var terms []string
	for i, a := range b.Prompt.Axes {
		if value := a.Values[values[i]].Str; value != a.Default.Str {
			terms = append(terms, a.Name.Str+"="+value)
		}
	}
	if len(terms) > 0 {
		v.Name += "/" + strings.Join(terms, ",")
	}
	for i := range d.sections {
		v.Order = append(v.Order, i)
	}
	if d.order != nil {
		v.Order = d.order(point)
	}
	b.Variants = append(b.Variants, v)
}

func pointOf(b *assembly.Build, v *assembly.Variant) at {
	out := at{}
	for i, a := range b.Prompt.Axes {
		out[a.Name.Str] = a.Values[v.Values[i]].Str
	}
	return out
}

func (d draft) artifact(in *snapshot.Input, b *assembly.Build, v *assembly.Variant, known map[string]*assembly.Rendering) *assembly.Artifact {
	a := &assembly.Artifact{Build: b, Variant: v, Used: make([]*assembly.Rendering, len(d.sections))}
	v.Uses = make([]assembly.Use, len(d.sections))
	start := 0
	add := func(section int, text string, r *assembly.Rendering) {
		a.Parts = append(a.Parts, assembly.Part{Section: section, Text: text, Rendering: r, Start: start})
		start += len(text)
	}
	for _, i := range v.Order {
		v.Uses[i].Unit = -1
		s := d.sections[i].says(pointOf(b, v))
		if s == nil {
			a.Out = append(a.Out, assembly.Omission{Section: i, Reason: assembly.OutWhen})
			continue
		}
		if s.out != assembly.In {
			a.Out = append(a.Out, assembly.Omission{Section: i, Reason: s.out, Why: s.why})
			continue
		}
		r := s.rendering(in, d.sections[i].id, known)
		v.Uses[i].Unit = r.Unit.Index
		a.Used[i] = r
		if s.text != "" {
			if start > 0 {
				join := s.join
				if join == "" {
					join = "\n\n"
				}
				add(-1, join, nil)
			}
			add(i, s.text, r)
		}
		a.Toolset = append(a.Toolset, s.tools...)
		if s.beside {
			a.Beside = append(a.Beside, s.tools...)
		}
	}
	add(-1, "\n", nil)
	a.Tokens = len(strings.Fields(a.Text()))
	a.Use = a.Tokens
	return a
}

// rendering gives the rendering of what a section says, the same for the
// same.
func (s *says) rendering(in *snapshot.Input, id string, known map[string]*assembly.Rendering) *assembly.Rendering {
	key := strings.Join([]string{id, s.text, s.step, fmt.Sprint(s.marks)}, "\x00")
	for _, t := range s.tools {
		key += "\x00" + t.Canonical
	}
	for _, i := range s.items {
		key += "\x00" + i.Name
	}
	key += strings.Join(s.sources, "\x00") + s.origin.String()
	if known[key] == nil {
		u := &assembly.Unit{Index: len(in.Plan.Units), Step: s.step}
		input := &assembly.Input{Origin: s.origin}
		for _, p := range s.sources {
			input.Docs = append(input.Docs, &language.Doc{File: &diag.File{Path: p}})
		}
		u.Inputs = []*assembly.Input{input}
		in.Plan.Units = append(in.Plan.Units, u)
		known[key] = &assembly.Rendering{
			Unit: u, Text: ground.Literal(s.text), Items: s.items, Tools: s.tools,
			Beside: s.beside, Marks: s.marks, Slots: s.slots,
		}
		in.Renderings = append(in.Renderings, known[key])
		for _, at := range s.slots {
			if !slices.Contains(in.Plan.Spec.Slots, at.Slot) {
				in.Plan.Spec.Slots = append(in.Plan.Spec.Slots, at.Slot)
			}
		}
	}
	return known[key]
}

// always is a section that says the same everywhere.
func always(id, text string) section {
	return section{id, func(at) *says { return &says{text: text} }}
}

// listing is a text with items: head, the items joined by sep, tail.
func listing(head, sep, tail string, items ...string) *says {
	out := &says{text: head}
	for i, item := range items {
		if i > 0 {
			out.text += sep
		}
		name, body, _ := strings.Cut(item, "=")
		start := len(out.text)
		out.text += body
		file := &diag.File{Path: "sources/" + name + ".md"}
		out.items = append(out.items, assembly.Item{Name: name, Start: start, End: len(out.text), File: file})
	}
	out.text += tail
	return out
}

func tool(name, description string) *language.Tool {
	return &language.Tool{
		Name: name, Description: description, File: &diag.File{Path: "tools/" + name + ".json"},
		Canonical: "{\n  \"name\": \"" + name + "\",\n  \"description\": \"" + description + "\"\n}\n",
	}
}

// outputs gives every wanted file below snapshots/ by path.
func outputs(t *testing.T, in snapshot.Input) map[string]string {
	t.Helper()
	delta, found, err := run(fstest.MapFS{}, in)
	if err != nil || delta == nil || found.HasErrors() {
		t.Fatalf("Run: %v, %v", err, found)
	}
	out := map[string]string{}
	for _, o := range delta.Wanted {
		out[strings.TrimPrefix(o.Path, "snapshots/")] = o.Content()
	}
	return out
}

// tree gives the files of a delta as a file system: what a build leaves.
func tree(t *testing.T, in snapshot.Input) fstest.MapFS {
	t.Helper()
	delta, found, err := run(fstest.MapFS{}, in)
	if err != nil || delta == nil || found.HasErrors() {
		t.Fatalf("Run: %v, %v", err, found)
	}
	out := fstest.MapFS{}
	for _, o := range delta.Wanted {
		out[o.Path] = &fstest.MapFile{Data: []byte(o.Content()), Mode: 0o644}
	}
	return out
}

// paths gives the sorted keys of a map.
func paths(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for p := range m {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// run compares what a build makes with a folder, as the pipeline does.
func run(fsys fs.FS, in snapshot.Input) (*store.Delta, diag.List, error) {
	in.Files = snapshot.Files(fsys, in)
	return snapshot.Run(fsys, in)
}
