package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// The settings that say what is found, and change nothing that is sent.
const (
	settingChecks = "checks"
	settingExpect = "expect"
)

// entry is a row of `checks` or an entry of `expect`, as a manifest has it.
type entry struct {
	words string
	// like is the same where two entries may be one that was changed.
	like    string
	prompts []prompt.Word // those that a row names
	at      diag.Span
}

// judged finds what is expected and checked otherwise than before: a reviewer
// is to see what no finding shows any more.
func (r *run) judged() {
	if r.d.Base.Result == nil || r.d.Head.Result == nil {
		return
	}
	was, is := rowsOf(r.d.Base.Result.Spec), rowsOf(r.d.Head.Result.Spec)
	for _, e := range turned(settingChecks, was, is) {
		r.ofRow(e)
	}
	for _, p := range r.pairs {
		if p.Base == nil || p.Head == nil {
			continue
		}
		was, is := expectations(p.Base.Prompt), expectations(p.Head.Prompt)
		for _, e := range turned(settingExpect, was, is) {
			r.declared(p, e.Edit)
		}
	}
}

// turn is an edit of an entry, with the prompts that it names.
type turn struct {
	*prompt.Edit
	prompts []prompt.Word
}

// ofRow adds the edit of a row for the prompts that it is for.
func (r *run) ofRow(t turn) {
	for _, named := range []bool{true, false} { // all where those are not there
		for _, p := range r.pairs {
			is := slices.ContainsFunc(t.prompts, func(w prompt.Word) bool { return w.Str == p.ID })
			if p.Base == nil || p.Head == nil || named && !is {
				continue
			}
			row(t.Edit, p, false)
			for _, twin := range p.twins {
				if twin.head != nil {
					reach(t.Edit, twin)
				}
			}
		}
		if len(t.Reach) > 0 {
			r.add(t.Edit)
			return
		}
	}
}

// turned compares the entries of two sides: those that came and went, those that
// say another thing about the same, and their order where nothing else differs
// and the order counts.
func turned(name string, was, is []entry) []turn {
	left := map[string]int{}
	for _, e := range was {
		left[e.words]++
	}
	var came []entry
	for _, e := range is {
		if left[e.words]--; left[e.words] < 0 {
			came = append(came, e)
		}
	}
	var gone []entry
	for _, e := range slices.Backward(was) { // of equal ones the last went
		if left[e.words] > 0 {
			left[e.words]--
			gone = append(gone, e)
		}
	}
	slices.Reverse(gone)
	byLike := map[string][]int{}
	for i, g := range gone {
		byLike[g.like] = append(byLike[g.like], i)
	}
	changed := map[int]bool{}
	var out []turn
	for _, e := range came {
		t := turn{&prompt.Edit{Kind: prompt.SettingChanged, Name: name, To: e.words, At: e.at}, e.prompts}
		if all := byLike[e.like]; len(all) > 0 {
			g := gone[all[0]]
			byLike[e.like], changed[all[0]] = all[1:], true
			t.From, t.prompts = g.words, slices.Concat(g.prompts, e.prompts)
			if len(g.prompts) == 0 || len(e.prompts) == 0 {
				t.prompts = nil // one of them is for all
			}
		}
		out = append(out, t)
	}
	for i, e := range gone {
		if changed[i] {
			continue
		}
		out = append(out, turn{&prompt.Edit{Kind: prompt.SettingChanged, Name: name, From: e.words, At: e.at, InBase: true}, e.prompts})
	}
	same := func(a, b entry) bool { return a.words == b.words }
	if len(out) == 0 && name == settingChecks && !slices.EqualFunc(was, is, same) {
		i := 0
		for same(was[i], is[i]) {
			i++
		}
		out = append(out, turn{&prompt.Edit{Kind: prompt.SettingChanged, Name: name + ".order", From: order(was), To: order(is), At: is[i].at}, nil})
	}
	return out
}

// order names rows by their codes.
func order(rows []entry) string {
	var out []string
	for _, e := range rows {
		out = append(out, e.like)
	}
	return strings.Join(out, "; ")
}

func rowsOf(spec *prompt.Spec) []entry {
	if spec == nil {
		return nil
	}
	var out []entry
	for _, s := range spec.Checks {
		level := [...]string{prompt.CountsAsError: "error", prompt.CountsAsWarning: "warn", prompt.Off: "off"}[s.Level]
		fields := []string{"code: " + list(s.Codes), "level: " + level}
		if s.Paths != nil {
			fields = append(fields, "paths: "+list(s.Paths))
		}
		if s.Prompts != nil {
			fields = append(fields, "prompts: "+list(s.Prompts))
		}
		if s.Reason.Str != "" {
			fields = append(fields, "reason: "+oneLine(s.Reason.Str))
		}
		out = append(out, entry{words: braced(fields), like: list(s.Codes), prompts: s.Prompts, at: s.At})
	}
	return out
}

func expectations(p *prompt.Prompt) []entry {
	var out []entry
	for _, x := range p.Expect {
		var fields []string
		if len(x.When) > 0 {
			fields = append(fields, "when: "+condition(x.When))
		}
		asked := ""
		switch {
		case x.Contains != nil:
			asked = "contains: " + strconv.Quote(x.Contains.Str)
		case x.Lacks != nil:
			asked = "lacks: " + strconv.Quote(x.Lacks.Str)
		case x.Section.Str != "":
			asked = "section: " + x.Section.Str
		case x.Tool.Str != "":
			asked = "tool: " + x.Tool.Str
		default:
			asked = "order: " + list(x.Order)
		}
		out = append(out, entry{words: braced(append(fields, asked)), like: asked, at: x.At})
	}
	return out
}

// condition writes a condition as a manifest does.
func condition(c prompt.Condition) string {
	var clauses []string
	for _, clause := range c {
		var terms []string
		for _, t := range clause {
			values := list(t.Values)
			if t.Not {
				values = "{not: " + values + "}"
			}
			terms = append(terms, t.Axis.Str+": "+values)
		}
		clauses = append(clauses, braced(terms))
	}
	if len(clauses) == 1 {
		return clauses[0]
	}
	return "[" + strings.Join(clauses, ", ") + "]"
}

func list(words []prompt.Word) string {
	var out []string
	for _, w := range words {
		out = append(out, oneLine(w.Str))
	}
	if len(out) == 1 {
		return out[0]
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func braced(fields []string) string { return "{" + strings.Join(fields, ", ") + "}" }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
