package policy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
)

// The settings that say what is found, and change nothing that is sent.
const (
	settingChecks = "checks"
	settingExpect = "expect"
	settingLocked = "locked"
	// settingTokenizer decides how much the same text counts.
	settingTokenizer = "tokenizer"
)

// entry is a row of `checks` or an entry of `expect`, as a manifest has it.
type entry struct {
	words string
	// like is the same where two entries may be one that was changed.
	like    string
	prompts []ground.Word // those that a row names
	at      diag.Span
}

// turn is an edit of an entry, with the prompts that it names.
type turn struct {
	*review.Edit
	prompts []ground.Word
}

// entries finds what is expected and checked otherwise than before: a reviewer
// is to see what no finding shows any more.
func (j *judge) entries() {
	if j.Two.Base == nil || j.Two.Head == nil {
		return
	}
	for _, t := range turned(settingChecks, rows(j.Two.Base.Spec), rows(j.Two.Head.Spec)) {
		named := func(p *review.Pair) bool {
			return slices.ContainsFunc(t.prompts, func(w ground.Word) bool { return w.Str == p.ID })
		}
		if !j.declared(t.Edit, named) { // all where those are not there
			j.declared(t.Edit, func(*review.Pair) bool { return true })
		}
	}
	for _, p := range j.Two.Pairs {
		if p.Base == nil || p.Head == nil {
			continue
		}
		for _, t := range turned(settingExpect, expectations(p.Base.Prompt), expectations(p.Head.Prompt)) {
			j.declared(t.Edit, func(o *review.Pair) bool { return o == p })
		}
	}
}

// declared adds an edit for all variants of the prompts that both sides have
// and that it is about, and reports whether there are any.
func (j *judge) declared(e *review.Edit, about func(*review.Pair) bool) bool {
	for _, p := range j.Two.Pairs {
		if p.Base == nil || p.Head == nil || !about(p) {
			continue
		}
		row := e.Row(p, false)
		for i := range p.Head.Variants {
			row.In.Add(i)
		}
	}
	if len(e.Reach) > 0 {
		j.out.Edits = append(j.out.Edits, e)
	}
	return len(e.Reach) > 0
}

// turned compares the entries of two sides: those that came and went, those that
// say another thing about the same, and their order where nothing else differs
// and the order counts.
func turned(name string, was, is []entry) []turn {
	same := func(a, b entry) bool { return a.words == b.words }
	gone := slices.Clone(was)
	came := slices.DeleteFunc(slices.Clone(is), func(e entry) bool {
		n := slices.IndexFunc(gone, func(g entry) bool { return same(g, e) })
		if n >= 0 {
			gone = slices.Delete(gone, n, n+1)
		}
		return n >= 0
	})
	var out []turn
	for _, e := range came {
		t := turn{&review.Edit{Kind: review.SettingChanged, Name: name, To: e.words, At: e.at}, e.prompts}
		if n := slices.IndexFunc(gone, func(g entry) bool { return g.like == e.like }); n >= 0 {
			g := gone[n]
			gone = slices.Delete(gone, n, n+1)
			t.From, t.prompts = g.words, slices.Concat(g.prompts, e.prompts)
			if len(g.prompts) == 0 || len(e.prompts) == 0 {
				t.prompts = nil // one of them is for all
			}
		}
		out = append(out, t)
	}
	for _, e := range gone {
		out = append(out, turn{&review.Edit{Kind: review.SettingChanged, Name: name, From: e.words, At: e.at, InBase: true}, e.prompts})
	}
	if len(out) == 0 && name == settingChecks && !slices.EqualFunc(was, is, same) {
		i := 0
		for same(was[i], is[i]) {
			i++
		}
		out = append(out, turn{&review.Edit{Kind: review.SettingChanged, Name: name + ".order", From: order(was), To: order(is), At: is[i].at}, nil})
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

func rows(spec *language.Spec) []entry {
	if spec == nil {
		return nil
	}
	var out []entry
	for _, s := range spec.Checks {
		level := [...]string{language.CountsAsError: "error", language.CountsAsWarning: "warn", language.Off: "off"}[s.Level]
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

func expectations(p *language.Prompt) []entry {
	var out []entry
	for _, x := range p.Expect {
		out = append(out, expectation(x))
	}
	return out
}

func expectation(x *language.Expectation) entry {
	var fields []string
	if len(x.When) > 0 {
		fields = append(fields, "when: "+condition(x.When))
	}
	return entry{words: braced(append(fields, demand(x))), like: demand(x), at: x.At}
}

// demand writes what an expectation asks for, of whatever variants.
func demand(x *language.Expectation) string {
	switch {
	case x.Contains != nil:
		return "contains: " + strconv.Quote(x.Contains.Str)
	case x.Lacks != nil:
		return "lacks: " + strconv.Quote(x.Lacks.Str)
	case x.Section.Str != "":
		return "section: " + x.Section.Str
	case x.Tool.Str != "":
		return "tool: " + x.Tool.Str
	default:
		return "order: " + list(x.Order)
	}
}

// condition writes a condition as a manifest does.
func condition(c language.Condition) string {
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

func list(words []ground.Word) string {
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
