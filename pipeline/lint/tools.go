package lint

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// requested is one prompt in one dialect, with all tools that go with it.
type requested struct {
	build   *prompt.Build
	dialect string
}

type toolbox struct {
	provider provider
	tools    []*prompt.Tool
	met      map[*prompt.Tool]bool
	over     ordered[toolLimit, tally]
}

// sent is a definition in a dialect, which several prompts may send.
type sent struct {
	dialect string
	tool    *prompt.Tool
}

// tools judges the tools that go with requests by their dialects, and then what
// is so whoever takes them.
func (s *requestSet) tools() diag.List {
	taken := s.taken()
	return slices.Concat(taken, s.definitions(taken), s.alike())
}

// taken judges the tools that go with requests: each definition once for a
// dialect, and their numbers.
func (s *requestSet) taken() diag.List {
	var all ordered[requested, toolbox]
	amounts := map[*prompt.Tool]strictAmounts{}
	for _, a := range s.artifacts {
		d := dialectOf(a)
		i := slices.IndexFunc(providers, func(p provider) bool { return p.dialect == d.Name })
		if !d.JSON || i < 0 || len(a.Beside) == 0 {
			continue
		}
		box := all.of(requested{a.Build, d.Name})
		if box.met == nil {
			box.provider, box.met = providers[i], map[*prompt.Tool]bool{}
		}
		box.add(a, amounts)
	}
	var out diag.List
	var once ordered[sent, diag.List]
	for _, key := range all.keys {
		box := all.values[key]
		out = append(out, s.numbers(key.build, box)...)
		for _, t := range box.tools {
			found, known := once.values[sent{key.dialect, t}]
			if !known {
				found = once.of(sent{key.dialect, t})
				for _, o := range box.provider.tool(t) {
					*found = append(*found, o.Finding)
				}
			}
			for i := range *found {
				(*found)[i].Prompts = append((*found)[i].Prompts, key.build.Prompt.ID.Str)
			}
		}
		out = append(out, box.leftOut(key.build)...)
	}
	for _, key := range once.keys {
		out = append(out, *once.values[key]...)
	}
	return out
}

func (box *toolbox) add(a *prompt.Artifact, known map[*prompt.Tool]strictAmounts) {
	for _, t := range a.Beside {
		if !box.met[t] {
			box.met[t] = true
			box.tools = append(box.tools, t)
		}
	}
	for _, over := range box.provider.over(a.Beside, known) {
		box.over.of(over.toolLimit).add(a, over.n)
	}
}

// numbers reports requests with too many tools.
func (s *requestSet) numbers(b *prompt.Build, box *toolbox) diag.List {
	var out diag.List
	for _, l := range box.over.keys {
		n := box.over.values[l]
		takes, hint := "sends-takes", "select-fewer"
		if l.level == diag.Note {
			takes = "sends-advised"
		}
		if l.strict {
			hint = "let-fewer-be-strict"
		}
		d := diag.New(diag.TooManyTools, at(b.Prompt.ID.At), takes, b.Prompt.ID.Str, n.amount(l.noun), box.provider.dialect, diag.Count(l.limit)).WithHint(hint)
		d.Level = l.level
		out = append(out, s.among(d, b, n.users))
	}
	return out
}

// leftOut reports the fields of definitions that the dialect has no place for,
// in one note.
func (box *toolbox) leftOut(b *prompt.Build) diag.List {
	tools := make([][]string, len(lostFields)+1) // by field
	var first *prompt.Tool
	for _, t := range box.tools {
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(t.Canonical), &fields) != nil {
			continue // canonical JSON is valid
		}
		for i, name := range lostFields {
			if _, ok := fields[name]; ok {
				tools[i] = append(tools[i], t.Name)
				first = cmp.Or(first, t)
			}
		}
		if t.Strict && !box.provider.strict {
			tools[len(lostFields)] = append(tools[len(lostFields)], t.Name)
			first = cmp.Or(first, t)
		}
	}
	if first == nil {
		return nil
	}
	var names diag.Names
	var lines []diag.Words
	for i, name := range append(slices.Clone(lostFields), "strict") {
		if len(tools[i]) > 0 {
			names = append(names, name)
			lines = append(lines, diag.Say("field-of-tools", name, nameSome(tools[i])))
		}
	}
	d := diag.New(diag.ToolFieldLeftOut, at(first.NameAt, first.At), "no-place-left-out", box.provider.dialect, names, b.Prompt.ID.Str).
		WithDetail(lines...).WithHint("nothing-needs-done-unless")
	d.Prompts = []string{b.Prompt.ID.Str}
	return diag.List{d}
}

// definitionRules are asked of every definition that reaches a model, whoever
// takes it.
var definitionRules = []struct {
	code diag.Code
	// words are the key of a sentence of the tool and the breach.
	words, hint string
	find        func(all []schemaAt) []breach
}{
	{diag.EnumTwins, "schema-has-enum-twins", "keep-one-enum-value", caseTwins},
	{diag.UnknownRequired, "schema-requires-unknown", "describe-or-not-require", unknownRequired},
}

// shownTool is a definition that reaches a model, with the prompts that have it.
type shownTool struct {
	tool    *prompt.Tool
	prompts []string
}

// definitions judges the tools that reach a model, each once. What a provider
// refuses for the same cause was found before.
func (s *requestSet) definitions(before diag.List) diag.List {
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
			add(diag.New(diag.NoToolDescription, at(t.NameAt, t.At), "tool-no-description", t.Name).
				WithHint("say-when-use-model"))
		}
		all := schemas(t.Input)
		for _, r := range definitionRules {
			for _, b := range r.find(all) {
				if d := diag.New(r.code, at(b.at, t.NameAt, t.At), r.words, t.Name, b.args[0]).WithHint(r.hint); !refused[d.Span] {
					add(d)
				}
			}
		}
	}
	return capFindings(out)
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
func (s *requestSet) alike() diag.List {
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
		key := "tools-become-one-name"
		if strings.EqualFold(p.a.Name, p.b.Name) {
			key = "tools-differ-in-case"
		}
		d := diag.New(diag.ToolNamesAlike, at(p.b.NameAt, p.b.At), key, p.a.Name, p.b.Name).
			WithHint("give-another-name-call")
		out = append(out, s.among(d, p.build, all.values[p].users))
	}
	return capFindings(out)
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
