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
	number   tally // over the limit
	many     tally // over the advice
	strict   [3]tally
	amounts  map[*prompt.Tool]strictLimits // of strict tools
}

// sent is a definition in a dialect, which several prompts may send.
type sent struct {
	dialect string
	tool    *prompt.Tool
}

// tools judges the tools that go with requests by their dialects, and then what
// is so whoever takes them.
func (s *scope) tools() diag.List {
	taken := s.taken()
	return slices.Concat(taken, s.definitions(taken), s.alike())
}

// taken judges the tools that go with requests: each definition once for a
// dialect, and their numbers.
func (s *scope) taken() diag.List {
	var all ordered[requested, toolbox]
	counts := map[*prompt.Tool]strictLimits{}
	for _, a := range s.artifacts {
		d := dialectOf(a)
		i := slices.IndexFunc(providers, func(p provider) bool { return p.dialect == d.Name })
		if !d.JSON || i < 0 || len(a.Beside) == 0 {
			continue
		}
		box := all.of(requested{a.Build, d.Name})
		box.provider = providers[i]
		box.add(a, counts)
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

func (box *toolbox) add(a *prompt.Artifact, counts map[*prompt.Tool]strictLimits) {
	p := box.provider
	if n := len(a.Beside); p.tools > 0 && n > p.tools {
		box.number.add(a, n)
	} else if p.advised > 0 && n > p.advised {
		box.many.add(a, n)
	}
	if box.met == nil {
		box.met = map[*prompt.Tool]bool{}
	}
	box.amounts = counts
	var sum strictLimits
	for _, t := range a.Beside {
		if !box.met[t] {
			box.met[t] = true
			box.tools = append(box.tools, t)
		}
		if t.Strict {
			sum = sum.plus(t, counts)
		}
	}
	for i, row := range p.limits.rows(sum) {
		if row.limit > 0 && row.n > row.limit {
			box.strict[i].add(a, row.n)
		}
	}
}

// numbers reports requests with too many tools.
func (s *scope) numbers(b *prompt.Build, box *toolbox) diag.List {
	var out diag.List
	p, id := box.provider, b.Prompt.ID
	report := func(t tally, level diag.Level, detail []string, hint, format string, args ...any) {
		if !t.any {
			return
		}
		d := diag.New(diag.TooManyTools, at(id.At), format, args...).WithDetail(detail...).WithHint("%s", hint)
		d.Level = level
		out = append(out, s.among(d, b, t.users))
	}
	fewer := "select fewer with only"
	report(box.number, diag.Error, nil, fewer, "%q sends %s; %q takes %d", id.Str, box.number.amount("tool"), p.dialect, p.tools)
	report(box.many, diag.Note, nil, fewer, "%q sends %s; for %q some %d are advised", id.Str, box.many.amount("tool"), p.dialect, p.advised)
	for i, row := range p.limits.rows(strictLimits{}) {
		report(box.strict[i], diag.Error, box.bring(i), "let fewer tools be strict",
			"%q sends %s; %q takes %d", id.Str, box.strict[i].amount(row.noun), p.dialect, row.limit)
	}
	return out
}

// bring says which strict tools have the most of what one row of strictLimits
// counts.
func (box *toolbox) bring(row int) []string {
	if row == 0 {
		return nil // each tool is one
	}
	amount := func(t *prompt.Tool) int { return strictLimits{}.rows(box.amounts[t])[row].n }
	some := slices.DeleteFunc(slices.Clone(box.tools), func(t *prompt.Tool) bool { return amount(t) == 0 })
	slices.SortStableFunc(some, func(a, b *prompt.Tool) int { return amount(b) - amount(a) })
	var words []string
	for _, t := range some[:min(len(some), namedPairs)] {
		words = append(words, diag.Quote(t.Name)+" has "+diag.Number(amount(t)))
	}
	if more := len(some) - len(words); more > 0 {
		words = append(words, "and "+diag.Number(more)+" more")
	}
	return []string{strings.Join(words, ", ")}
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
	var names, lines []string
	for i, name := range append(slices.Clone(lostFields), "strict") {
		if len(tools[i]) > 0 {
			names = append(names, name)
			lines = append(lines, diag.Quote(name)+" of "+named(tools[i]))
		}
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	d := diag.New(diag.ToolFieldLeftOut, at(first.NameAt, first.At), "%q has no place for %s, which %s left out of the tools of %q",
		box.provider.dialect, namedAll(names), verb, b.Prompt.ID.Str).WithDetail(lines...).
		WithHint("nothing needs to be done, unless the model is to know it: then say it in the description")
	d.Prompts = []string{b.Prompt.ID.Str}
	return diag.List{d}
}
