package diff

import (
	"slices"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// modeAxis is the axis whose values are modes of an agent.
const modeAxis = "mode"

// event gives the class of an edit: what an agent that runs would be told of
// it. "" is for what changes nothing that is sent. That of tools is known to
// those who made the edit.
func (r *run) event(e *review.Edit) review.Event {
	switch {
	case r.quiet[e]:
		return ""
	case e.Event != "":
		return e.Event
	case sendsNothing(e) || len(e.Reach) == 0:
		return ""
	case isAxis(e) && e.Name == modeAxis:
		return review.ModeChanged
	case e.Section == "" || e.Kind == review.SettingChanged:
		return review.PromptUpdated
	}
	s, spec := r.declaration(e)
	if s == nil {
		return review.PromptUpdated
	}
	sources := sourcesOf(s, spec)
	of := func(is func(*language.Kind) bool) bool {
		return slices.ContainsFunc(sources, func(src *language.Source) bool { return src.Kind != nil && is(src.Kind) })
	}
	entries := of(func(k *language.Kind) bool { return k.Entries })
	switch {
	case (e.Kind == review.TextChanged || e.Kind == review.FileChanged) && ofMode(s, sources):
		return review.ModeChanged
	case entries && r.ofServers(e):
		return review.MCPUpdated
	case of(func(k *language.Kind) bool { return k.Skills }), entries && !byIDs(s):
		return review.SkillsUpdated
	default:
		return review.PromptUpdated
	}
}

func isAxis(e *review.Edit) bool {
	switch e.Kind {
	case review.AxisAdded, review.AxisRemoved, review.ValueAdded, review.ValueRemoved:
		return true
	default:
		return false
	}
}

// declaration gives the section that an edit is about, and the manifest that
// declares it: the head's, else the base's.
func (r *run) declaration(e *review.Edit) (*language.Section, *language.Spec) {
	pair := e.Reach[0].Pair
	for side, build := range []*assembly.Build{pair.Head, pair.Base} {
		if build == nil {
			continue
		}
		for _, s := range build.Prompt.Sections {
			if s.ID.Str == e.Section {
				return s, []*prompt.Result{r.d.Head.Result, r.d.Base.Result}[side].Spec
			}
		}
	}
	return nil, nil
}

func sourcesOf(s *language.Section, spec *language.Spec) []*language.Source {
	named := func(src *language.Source) bool {
		return slices.ContainsFunc(s.Source, func(c language.Case[[]ground.Word]) bool {
			return slices.ContainsFunc(c.Value, func(w ground.Word) bool { return w.Str == src.ID.Str })
		})
	}
	return slices.DeleteFunc(slices.Clone(spec.Sources), func(src *language.Source) bool { return !named(src) })
}

// ofMode reports whether the files of a section depend on the mode.
func ofMode(s *language.Section, sources []*language.Source) bool {
	paths := slices.Concat(s.Path, s.Source)
	for _, src := range sources {
		paths = append(append(paths, src.Path...), src.Fallback...)
	}
	ofAxis := func(t language.Term) bool { return t.Axis.Str == modeAxis }
	onMode := func(clause language.Clause) bool { return slices.ContainsFunc(clause, ofAxis) }
	named := func(w ground.Word) bool { return strings.Contains(w.Str, "{"+modeAxis+"}") }
	return slices.ContainsFunc(paths, func(c language.Case[[]ground.Word]) bool {
		return slices.ContainsFunc(c.When, onMode) || slices.ContainsFunc(c.Value, named)
	})
}

// byIDs reports whether a section names the entries of its registries, and
// does not look for them in any other way.
func byIDs(s *language.Section) bool {
	for _, c := range s.Select {
		v := c.Value
		if len(v.IDs) == 0 || len(v.Tags)+len(v.Sources)+len(v.Servers) > 0 {
			return false
		}
	}
	return s.Select.Set()
}

// ofServers reports whether an edit is in an entry of a registry that a server
// gave, or in several entries and a server gave one.
func (r *run) ofServers(e *review.Edit) bool {
	items := []string{e.Item}
	if f := r.lineEdits[e]; f != nil {
		items = append(items, f.items...)
	}
	for _, side := range []*prompt.Result{r.d.Head.Result, r.d.Base.Result} {
		if side == nil || side.Spec == nil {
			continue
		}
		for _, entries := range side.Spec.Entries {
			for _, entry := range entries {
				if entry.ID.Str != "" && entry.Source == "mcp" && slices.Contains(items, entry.ID.Str) {
					return true
				}
			}
		}
	}
	return false
}

// toolEvent gives the class of what happens to a tool of a variant.
func toolEvent(a *assembly.Artifact, tool *language.Tool) review.Event {
	if tool == nil {
		return review.ToolsUpdated
	}
	if tool.File != nil && ofMCP(tool.File.Path) {
		return review.MCPUpdated
	}
	for _, u := range a.Used {
		if u == nil || !slices.Contains(u.Tools, tool) {
			continue
		}
		for _, in := range u.Unit.Inputs {
			if in.Source != nil && ofMCP(in.Source.ID.Str) && slices.Contains(in.Tools, tool) {
				return review.MCPUpdated
			}
		}
	}
	return review.ToolsUpdated
}

// ofMCP reports whether a name or a path has the word `mcp`.
func ofMCP(name string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, "mcp") })
}

// worth adds up what some slots may grow to.
func (r *run) worth(slots []assembly.SlotAt) int {
	n := 0
	for _, at := range slots {
		n += r.two.Worths[at.Slot.Name.Str]
	}
	return n
}

// use counts a text of a change, with what its slots may grow to. A name in
// braces counts where either side has it as a slot.
func (r *run) use(count func(string) int, c *change, text string) int {
	n := count(text)
	for _, name := range pairing.SlotNames(c.base, c.head) {
		n += strings.Count(text, "{{"+name+"}}") * r.two.Worths[name]
	}
	return n
}

// stepped reports whether a budget made a section step down its ladder.
func (c *change) stepped() bool { return c.head.Unit.Step != "" && c.base.Unit.Step == "" }

// reachBeside adds to an edit of a form the schemas that go beside the text in
// one form and not in the other. Tools that came, went or changed have edits
// with theirs.
func (r *run) reachBeside(c *change, t twin, e *review.Edit) {
	if c.base.Beside == c.head.Beside {
		return
	}
	x, sign := c.head, 1
	if c.base.Beside {
		x, sign = c.base, -1
	}
	tools := slices.DeleteFunc(slices.Clone(x.Tools), func(tool *language.Tool) bool {
		return toolOf(t.Base, tool.Name) == nil || toolOf(t.Head, tool.Name) == nil
	})
	if len(tools) > 0 {
		reachBy(e, t, sign*r.count(t.Head.Variant.Tokenizer)(pairing.SchemaList(tools)))
	}
}
