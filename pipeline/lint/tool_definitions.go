package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// definitionRules are asked of every definition that reaches a model, whoever
// takes it.
var definitionRules = []struct {
	code diag.Code
	// words are of the tool and the breach.
	words, hint string
	find        func(all []schemaAt) []breach
}{
	{
		diag.EnumTwins, "the schema of %q has the enum values %s, which differ only in case",
		"keep one of them: a model cannot tell which is meant", caseTwins,
	},
	{
		diag.UnknownRequired, "the schema of %q requires %q, which is no property",
		"describe it under \"properties\", or do not require it", unknownRequired,
	},
}

// shownTool is a definition that reaches a model, with the prompts that have it.
type shownTool struct {
	tool    *prompt.Tool
	prompts []string
}

// definitions judges the tools that reach a model, each once. What a provider
// refuses for the same cause was found before.
func (s *scope) definitions(before diag.List) diag.List {
	refused := map[diag.Span]bool{}
	for _, d := range before {
		refused[d.Span] = refused[d.Span] || d.Code == diag.StrictRefused
	}
	var out diag.List
	for _, shown := range shownTools(s.artifacts) {
		t := shown.tool
		add := func(d diag.Diagnostic) {
			d.Prompts = shown.prompts
			out = append(out, d)
		}
		if strings.TrimSpace(t.Description) == "" {
			add(diag.New(diag.NoToolDescription, at(t.NameAt, t.At), "the tool %q has no description", t.Name).
				WithHint("say what it does and when to use it: a model has nothing else to choose by"))
		}
		all := schemas(t.Input)
		for _, r := range definitionRules {
			for _, b := range r.find(all) {
				if d := diag.New(r.code, at(b.at, t.NameAt, t.At), r.words, t.Name, b.name).WithHint("%s", r.hint); !refused[d.Span] {
					add(d)
				}
			}
		}
	}
	return fewest(out)
}

// Once leaves out what a more exact finding says of the same place: that some
// refuse a tool's name, where those to whom it is sent are known to.
func Once(found diag.List) diag.List {
	refused := map[diag.Span]bool{}
	for _, d := range found {
		if d.Code == diag.ToolNameRefused {
			refused[d.Span] = true
		}
	}
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code == diag.UnportableToolName && refused[d.Span] })
}

// shownTools gives the tools whose definitions reach a model, beside a text or
// in it, in the order in which variants have them. Those that are only declared
// do not.
func shownTools(artifacts []*prompt.Artifact) []*shownTool {
	var all ordered[*prompt.Tool, shownTool]
	type use struct {
		build     *prompt.Build
		rendering *prompt.Rendering
	}
	met := map[use]bool{}
	note := func(b *prompt.Build, tools []*prompt.Tool) {
		id := b.Prompt.ID.Str
		for _, t := range tools {
			s := all.of(t)
			s.tool = t
			if n := len(s.prompts); n == 0 || s.prompts[n-1] != id {
				s.prompts = append(s.prompts, id)
			}
		}
	}
	for _, a := range artifacts {
		note(a.Build, a.Beside)
		for _, p := range a.Parts {
			if r := p.Rendering; r != nil && len(r.Tools) > 0 && r.Text.Str != "" && !met[use{a.Build, r}] {
				met[use{a.Build, r}] = true
				note(a.Build, r.Tools)
			}
		}
	}
	out := make([]*shownTool, len(all.keys))
	for i, t := range all.keys {
		out[i] = all.values[t]
	}
	return out
}

// alike finds tools of one toolset whose names become the same where programs
// make them fit a provider.
func (s *scope) alike() diag.List {
	type pair struct {
		build *prompt.Build
		a, b  *prompt.Tool
	}
	var all ordered[pair, tally]
	known := map[*prompt.Tool]string{}
	folded := func(t *prompt.Tool) string {
		if _, ok := known[t]; !ok {
			known[t] = fold(t.Name)
		}
		return known[t]
	}
	for _, a := range s.artifacts {
		met := make(map[string]*prompt.Tool, len(a.Toolset))
		for _, t := range a.Toolset {
			key := folded(t)
			if first := met[key]; first != nil && first.Name != t.Name {
				all.of(pair{a.Build, first, t}).add(a, 0)
			} else {
				met[key] = t
			}
		}
	}
	var out diag.List
	for _, p := range all.keys {
		what := "become one name where programs put '_' for what a provider does not take"
		if strings.EqualFold(p.a.Name, p.b.Name) {
			what = "have names that differ only in case"
		}
		d := diag.New(diag.ToolNamesAlike, at(p.b.NameAt, p.b.At), "the tools %q and %q %s", p.a.Name, p.b.Name, what).
			WithHint("give one of them another name: a call of the one may reach the other")
		out = append(out, s.among(d, p.build, all.values[p].users))
	}
	return fewest(out)
}

// fold gives what becomes of a name where case does not count, and programs put
// '_' for every character that not all providers take.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		}
		return '_'
	}, name)
}
