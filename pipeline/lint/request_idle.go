package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// idleSources finds sources that sections name and no variant has: the case
// that names them is never the first that holds. A section that no variant has
// is said itself.
func idleSources(s *scope) diag.List {
	if len(s.families) < len(s.plan.Builds) {
		return nil
	}
	used := usedSources(s.plan)
	var idle []untaken
	for _, f := range s.families {
		p := f.build.Prompt
		for i, s := range p.Sections {
			has := func(v *prompt.Variant) bool { return v.Uses[i].Unit >= 0 || v.Uses[i].Out != prompt.OutWhen }
			idle = append(idle, takenIn(f, used, s.Source, has, sourcesOf)...)
			idle = append(idle, takenIn(f, used, s.Degrade, has, stepsOf)...)
		}
		idle = append(idle, takenIn(f, used, p.Layout, func(*prompt.Variant) bool { return true }, conversationOf)...)
	}
	var out diag.List
	for _, n := range idle {
		if used[n.word.Str] {
			continue
		}
		used[n.word.Str] = true // said once
		d := diag.New(diag.IdleSource, n.word.At, "no variant has the source %q: the case that names it is never taken", n.word.Str)
		d.Prompts = []string{n.prompt}
		out = append(out, d.WithHint("a case before it holds wherever it does, or its own never does: change the conditions, or remove it"))
	}
	return out
}

// usedSources gives the sources of which some variant surely has something. One
// of several that were made one list may be missing.
func usedSources(plan *prompt.Plan) map[string]bool {
	out := map[string]bool{}
	for _, u := range plan.Units {
		for _, in := range u.Inputs {
			if in.Source != nil {
				out[in.Source.ID.Str] = true
			}
		}
	}
	return out
}

func all[T any](list []T, is func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !is(x) })
}

// untaken is a source in a case that no variant takes.
type untaken struct {
	word   prompt.Word
	prompt string
}

func sourcesOf(words []prompt.Word) []prompt.Word { return words }

func stepsOf(steps []prompt.Step) []prompt.Word {
	var out []prompt.Word
	for _, s := range steps {
		out = append(out, s.Source)
	}
	return out
}

func conversationOf(l prompt.Layout) []prompt.Word { return []prompt.Word{l.Conversation} }

// takenIn notes the sources of the cases that some variant takes, and gives those
// of the others.
func takenIn[T any](f family, used map[string]bool, cases prompt.Cases[T], has func(*prompt.Variant) bool, words func(T) []prompt.Word) []untaken {
	known := func(w prompt.Word) bool { return w.Str == "" || used[w.Str] }
	if !slices.ContainsFunc(cases, func(c prompt.Case[T]) bool { return !all(words(c.Value), known) }) {
		return nil
	}
	taken := make([]bool, len(cases))
	anywhere := false
	for _, v := range f.build.Variants {
		if !has(v) {
			continue
		}
		anywhere = true
		if i := slices.IndexFunc(cases, func(c prompt.Case[T]) bool { return meets(c.When, f.build.Prompt, v) }); i >= 0 {
			taken[i] = true
		}
		if !slices.Contains(taken, false) {
			break
		}
	}
	var idle []untaken
	for i, c := range cases {
		for _, w := range words(c.Value) {
			switch {
			case w.Str == "":
			case taken[i] || !anywhere:
				used[w.Str] = true // or said of the section
			default:
				idle = append(idle, untaken{w, f.build.Prompt.ID.Str})
			}
		}
	}
	return idle
}

// meets reports whether a variant meets a condition.
func meets(when prompt.Condition, p *prompt.Prompt, v *prompt.Variant) bool {
	return len(when) == 0 || slices.ContainsFunc(when, func(clause prompt.Clause) bool {
		return !slices.ContainsFunc(clause, func(t prompt.Term) bool {
			axis := slices.IndexFunc(p.Axes, func(a *prompt.Axis) bool { return a.Name.Str == t.Axis.Str })
			if axis < 0 {
				return true
			}
			value := p.Axes[axis].Values[v.Values[axis]].Str
			return t.Not == slices.ContainsFunc(t.Values, func(w prompt.Word) bool { return w.Str == value })
		})
	})
}
