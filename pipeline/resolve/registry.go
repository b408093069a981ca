package resolve

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// applySelect gives the inputs of kind registry the entries that the section
// selects, all of them by default, and leaves out inputs that keep none.
func (sec *section) applySelect(v *prompt.Variant, inputs []*prompt.Input) []*prompt.Input {
	selection, selected := pick(sec.decl.Select, sec.selects, v.Index)
	var all []*prompt.Entry
	var out []*prompt.Input
	registries := false
	for _, in := range inputs {
		if in.Kind.Name != prompt.RegistryKind {
			out = append(out, in)
			continue
		}
		registries = true
		in.Entries = sec.entries(in)
		all = append(all, in.Entries...)
		if selected {
			if in.Entries = chosen(selection, in.Entries); len(in.Entries) == 0 {
				continue
			}
			in.Docs = docsOf(in.Entries)
		}
		out = append(out, in)
	}
	if registries && selected {
		sec.checkSelection(selection, all)
	}
	return out
}

// entries gives the entries of a registry in path order, then in that of the
// file. Of two with one id the first stays.
func (sec *section) entries(in *prompt.Input) []*prompt.Entry {
	var out []*prompt.Entry
	ids := map[string]*prompt.Entry{}
	for _, doc := range in.Docs {
		for _, e := range sec.spec.Entries[doc] {
			first, again := ids[e.ID.Str]
			if !again {
				ids[e.ID.Str] = e
				out = append(out, e)
				continue
			}
			line := first.ID.At.File.LineAt(first.ID.At.Start)
			sec.diags = append(sec.diags, diag.New(diag.DuplicateEntry, e.ID.At, "second-entry-registry", e.ID.Str).
				WithHint("first-rename-narrow-path", first.Doc.File.Path, line))
		}
	}
	return out
}

// chosen gives the entries for which every key of a selection holds: in the
// order of its ids, or in their own.
func chosen(s prompt.Select, entries []*prompt.Entry) []*prompt.Entry {
	holds := func(e *prompt.Entry) bool {
		source := prompt.Word{Str: e.Source}
		return anyOf(s.Tags, e.Tags...) && anyOf(s.Sources, source) && anyOf(s.Servers, e.Server)
	}
	var out []*prompt.Entry
	if s.IDs == nil {
		for _, e := range entries {
			if holds(e) {
				out = append(out, e)
			}
		}
		return out
	}
	byID := map[string]*prompt.Entry{}
	for _, e := range entries {
		byID[e.ID.Str] = e
	}
	for _, id := range s.IDs {
		if e := byID[id.Str]; e != nil && holds(e) {
			out = append(out, e)
		}
	}
	return out
}

// anyOf reports whether one of the names is wanted; nil wants any.
func anyOf(wanted []prompt.Word, names ...prompt.Word) bool {
	return wanted == nil || slices.ContainsFunc(wanted, func(w prompt.Word) bool {
		return slices.ContainsFunc(names, func(n prompt.Word) bool { return n.Str == w.Str })
	})
}

// docsOf gives the files of entries, each once.
func docsOf(entries []*prompt.Entry) []*prompt.Doc {
	var out []*prompt.Doc
	seen := map[*prompt.Doc]bool{}
	for _, e := range entries {
		if !seen[e.Doc] {
			seen[e.Doc] = true
			out = append(out, e.Doc)
		}
	}
	return out
}

// checkSelection reports the names of a selection that no entry has. An
// unknown id is an error; a tag or a server may be one that is still to come.
func (sec *section) checkSelection(s prompt.Select, all []*prompt.Entry) {
	var ids, tags, servers []string
	for _, e := range all {
		ids = append(ids, e.ID.Str)
		tags = append(tags, words(e.Tags)...)
		if e.Server.Str != "" {
			servers = append(servers, e.Server.Str)
		}
	}
	for _, names := range []*[]string{&ids, &tags, &servers} {
		sortUnique(names)
	}
	id := sec.decl.ID.Str
	for _, w := range s.IDs {
		sec.known(diag.UnknownEntry, w, ids, "section-selects-entry-registry", id, w.Str)
	}
	for _, w := range s.Tags {
		sec.known(diag.UnknownTag, w, tags, "section-selects-tag-no", id, w.Str)
	}
	for _, w := range s.Servers {
		sec.known(diag.UnknownTag, w, servers, "section-selects-server-no", id, w.Str)
	}
}

// lack is a tool that a selected entry requires, and the variants that have
// the entry and not the tool.
type lack struct {
	entry *prompt.Entry
	tool  prompt.Word
	users prompt.Set
}

// lacks are those of a prompt, in the order in which they were met.
type lacks struct {
	list  []*lack
	known map[lackOf]*lack
}

type lackOf struct {
	entry *prompt.Entry
	tool  string
}

// requireTools looks for the tools that the entries of a variant require,
// also of those that it may step down to.
func (s *scope) requireTools(v *prompt.Variant) {
	for _, u := range v.Uses {
		if u.Unit < 0 {
			continue
		}
		s.requireToolsOf(v, u.Unit)
		for _, step := range u.Steps {
			s.requireToolsOf(v, step.Unit)
		}
	}
}

func (s *scope) requireToolsOf(v *prompt.Variant, unit int) {
	for _, in := range s.plan.Units[unit].Inputs {
		for _, e := range in.Entries {
			for _, w := range e.Requires {
				if !slices.ContainsFunc(s.tools[v.Index], func(t *prompt.Tool) bool { return t.Name == w.Str }) {
					s.lack(e, w).users.Add(v.Index)
				}
			}
		}
	}
}

func (s *scope) lack(e *prompt.Entry, tool prompt.Word) *lack {
	key := lackOf{e, tool.Str}
	if s.lacks.known[key] == nil {
		if s.lacks.known == nil {
			s.lacks.known = map[lackOf]*lack{}
		}
		l := &lack{entry: e, tool: tool, users: prompt.NewSet(s.all.Size())}
		s.lacks.known[key] = l
		s.lacks.list = append(s.lacks.list, l)
	}
	return s.lacks.known[key]
}

// reportMissingTools says once for each entry and tool in which variants the
// tool is missing.
func (s *scope) reportMissingTools() {
	for _, l := range s.lacks.list {
		d := diag.New(diag.ToolNotThere, l.tool.At, "entry-requires-tool-not",
			l.entry.ID.Str, l.tool.Str, l.users.Len(), l.users.Size(), s.prompt.ID.Str, s.build.Describe(l.users))
		if best, ok := near.Best(l.tool.Str, s.toolNames); ok && best != l.tool.Str {
			d = d.WithHint("did-you-mean", best)
		} else {
			d = d.WithHint("bring-tool-section-kind")
		}
		s.diags = append(s.diags, d)
	}
}
