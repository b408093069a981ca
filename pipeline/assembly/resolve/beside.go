package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// toolFiles gives the files that have the tools of a text, so that they are no
// texts where the pattern of these takes them, too.
func (g *gathering) toolFiles() map[string]bool {
	out := map[string]bool{}
	for _, word := range g.rendered.Tools {
		if word.Str == g.rendered.Path.Str {
			continue
		}
		for _, doc := range g.spec.Tree.Matches[language.MatchKey{Path: word.Str, Kind: language.ToolsKind}] {
			out[doc.File.Path] = true
		}
	}
	return out
}

// tools finds the files with the schemas that go beside each variant, nil where
// the prompt has none: those that each pattern matches with the variant's
// values, in the order of the patterns and then of their paths.
func (g *gathering) tools(s *scope) [][]*language.Doc {
	if len(g.rendered.Tools) == 0 {
		return nil
	}
	out := make([][]*language.Doc, len(s.build.Variants))
	for _, word := range g.rendered.Tools {
		t := newGathering(g.binder, s.prompt)
		t.path = axispattern.PathPattern(word.Str)
		for i := range t.named {
			t.named[i].used = g.named[i].used
		}
		t.files = &readings{word: word, pattern: t.path}
		found := map[string][]*language.Doc{}
		for _, doc := range g.spec.Tree.Matches[language.MatchKey{Path: word.Str, Kind: language.ToolsKind}] {
			t.files.at = textKey{path: doc.File.Path}
			row, ok := t.read(t.files, doc.File.Path, nil)
			if t.tooMuch() {
				return nil
			}
			if ok {
				key := strings.Join(row, "\x00")
				found[key] = append(found[key], doc)
				g.taken[t.files.at] = true
			}
		}
		t.tell(t.files)
		for _, v := range s.build.Variants {
			out[v.Index] = append(out[v.Index], found[t.valuesIn(s, v)]...)
		}
	}
	g.withoutTools(s, out)
	return out
}

// valuesIn gives the values of a variant for the axes that a pattern has.
func (g *gathering) valuesIn(s *scope, v *assembly.Variant) string {
	values := make([]string, len(v.Values))
	for i, value := range v.Values {
		if slices.Contains(g.path.Axes, g.axes[i]) {
			values[i] = s.values[i][value]
		}
	}
	return strings.Join(values, "\x00")
}

// withoutTools notes the variants that have no file.
func (g *gathering) withoutTools(s *scope, files [][]*language.Doc) {
	var without []string
	for _, v := range s.build.Variants {
		if len(files[v.Index]) == 0 {
			without = append(without, v.Name)
		}
	}
	if n := len(without); n > 0 {
		g.diags = append(g.diags, diag.New(diag.RenderedGap, g.rendered.Tools[0].At, "no-file-tools", diag.Counted(n, "one-variant-has", "variants-have"), diag.Variants{Names: without, Count: n}).
			WithHint("nothing-done-no-tools"))
	}
}

// beside gives a variant the tools of its request, then those of its files, in the
// files' order, which is that in which they are sent.
func (g *gathering) beside(s *scope, v *assembly.Variant, t *renderedText, docs []*language.Doc) {
	i := len(s.prompt.Sections) - 1
	v.Uses = slices.Clone(v.Uses) // of its text, which other variants may share
	own := g.spec.SentTools[t.entry]
	if len(docs) == 0 && len(own) == 0 {
		return
	}
	kind, _ := language.LookupKind(language.ToolsKind)
	at := s.prompt.Sections[i].ID.At
	var inputs []*assembly.Input
	var key strings.Builder
	take := func(doc *language.Doc, tools []*language.Tool) {
		inputs = append(inputs, &assembly.Input{
			Kind: kind, Base: base(doc.File.Path), Docs: []*language.Doc{doc}, Tools: tools, Form: "schemas", At: at,
		})
	}
	if len(own) > 0 {
		key.WriteString(t.doc.File.Path + "\x00")
		for _, tool := range own {
			key.WriteString(strconv.Itoa(tool.At.Start) + "\x00")
		}
		take(t.doc, own)
	}
	for _, doc := range docs {
		key.WriteString(doc.File.Path + "\x00")
		take(doc, s.spec.Tools[doc])
	}
	unit, made := g.besideUnits[key.String()]
	if !made {
		unit = s.exact(s.prompt.Sections[i], inputs...)
		g.besideUnits[key.String()] = unit
	}
	v.Uses[i] = assembly.Use{Unit: unit}
}
