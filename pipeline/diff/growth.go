package diff

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// growthKey groups variants, or a section in several, that grew by more than
// one limit lets them grow.
type growthKey struct {
	pair    *pair
	section string
	// limit is a share of what there was, or an amount.
	limit float64
	at    diag.Span
	warn  bool
	share bool // the limit is a share of what there was
	// policy says that the limit is not the head's, but stricter.
	policy bool
	// unit is, of a budget and no limit on growth, what it counts.
	unit string
}

// grown is one group: who grew, and who did the most.
type grown struct {
	key      growthKey
	in       prompt.Set
	most     *prompt.Variant
	from, to int
}

// growths collects the groups in the order of their first variants.
type growths struct {
	keys  []growthKey
	byKey map[growthKey]*grown
}

// growth judges how much variants, and sections of them, grew: by the limits
// of the head and by those that the policy has stricter, against the variants that
// they are compared with.
func (r *run) growth() diag.List {
	g := &growths{byKey: map[growthKey]*grown{}}
	sizes := newSizes(r)
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if !t.both() {
				continue
			}
			own, stricter := &t.head.Variant.Budget, r.stricter[limitOf{t.head.Variant, -1}]
			if limitsGrowth(own) || limitsGrowth(stricter) {
				before := r.two.Before(t.paired())
				g.judge(t, "", own, before, t.head.Use, false)
				g.judge(t, "", stricter, before, t.head.Use, true)
			}
			for _, s := range p.sections {
				g.section(sizes, t, s)
			}
		}
	}
	return g.findings(r.d.Policy)
}

// findings puts the groups into words.
func (g *growths) findings(policy prompt.Side) diag.List {
	var out diag.List
	for _, key := range g.keys {
		d := g.byKey[key].finding()
		if key.policy {
			d = d.WithDetail(diag.Say("limit-is-that-of", policy.Name))
		}
		if policy.Result != nil {
			d = d.WithHint("shorten-or-raise-limit-first")
		}
		out = append(out, d)
	}
	return out
}

// section judges a section that says something on both sides.
func (g *growths) section(sizes *sizes, t twin, s *section) {
	before, after := t.used(s)
	if before == nil || after == nil {
		return
	}
	own, stricter := t.head.Variant.Uses[s.head].Budget, sizes.run.stricter[limitOf{t.head.Variant, s.head}]
	if !limitsGrowth(own) && !limitsGrowth(stricter) {
		return
	}
	tokenizer := t.head.Variant.Tokenizer // for both
	from, to := sizes.of(tokenizer, before).tokens, sizes.of(tokenizer, after).tokens
	g.judge(t, s.id, own, from, to, false)
	g.judge(t, s.id, stricter, from, to, true)
}

func limitsGrowth(l *prompt.Limits) bool { return l != nil && (l.Growth >= 0 || l.GrowthTokens >= 0) }

// judge compares one growth with both limits, each by itself.
func (g *growths) judge(t twin, section string, l *prompt.Limits, from, to int, ofPolicy bool) {
	if l == nil {
		return
	}
	if l.Growth >= 0 && tooMuch(from, to, l.Growth) {
		g.add(growthKey{t.pair, section, l.Growth, l.GrowthAt, l.Warn, true, ofPolicy, ""}, t.head.Variant, from, to)
	}
	if l.GrowthTokens >= 0 && to-from > l.GrowthTokens {
		g.add(growthKey{t.pair, section, float64(l.GrowthTokens), l.GrowthTokensAt, l.Warn, false, ofPolicy, ""}, t.head.Variant, from, to)
	}
}

// tooMuch reports whether something grew by more than a share of what it was.
// Shares are decimal numbers, of which binary ones fall short by a hair.
func tooMuch(from, to int, share float64) bool {
	hair := 1e-9 * math.Max(1, float64(from))
	return float64(to-from) > share*float64(from)+hair
}

func (g *growths) add(key growthKey, v *prompt.Variant, from, to int) {
	one := g.byKey[key]
	if one == nil {
		one = &grown{key: key, in: prompt.NewSet(len(key.pair.head))}
		g.byKey[key] = one
		g.keys = append(g.keys, key)
	}
	one.in.Add(v.Index)
	if one.most == nil || one.less(from, to) {
		one.most, one.from, one.to = v, from, to
	}
}

// less reports whether the most that a group grew by is less than another
// growth, as its limit compares them.
func (o *grown) less(from, to int) bool {
	if o.key.share {
		return int64(to-from)*int64(o.from) > int64(o.to-o.from)*int64(from)
	}
	return to-from > o.to-o.from
}

// allowed says what the limit is.
func (k growthKey) allowed() diag.Words {
	if k.share {
		return diag.Say("percent", strings.TrimSuffix(share(k.limit), "%"))
	}
	return diag.Counted(int(k.limit), "one-token", "tokens")
}

// finding gives what there is to say of one group.
func (o *grown) finding() diag.Diagnostic {
	build := o.key.pair.Head
	subject := diag.Say("prompt", build.Prompt.ID.Str)
	if o.key.section != "" {
		subject = diag.Say("section-of-prompt", o.key.section, build.Prompt.ID.Str)
	}
	if o.key.unit != "" {
		return o.overrun(subject)
	}
	by := diag.Say("by-from-to", diag.Counted(o.to-o.from, "one-token", "tokens"), diag.Count(o.from), diag.Count(o.to))
	if o.from > 0 {
		by = diag.Say("with-share", by, float64(o.to-o.from)*100/float64(o.from))
	}
	d := diag.New(diag.GrowthExceeded, o.key.at, "grew", subject, by, o.key.allowed())
	if in := o.among(); !in.None() {
		d.What = diag.Say("grew-in-variants", subject, o.key.allowed(), in, o.most.Name, by)
	}
	d.Variant = o.most.Name
	if o.key.warn {
		d.Level = diag.Warning
	}
	return d.WithHint("shorten-or-raise-limit")
}

// among says which variants a group has, nothing for the only one of a prompt.
func (o *grown) among() diag.Words {
	build := o.key.pair.Head
	switch n, of := o.in.Len(), len(build.Variants); {
	case of == 1:
		return diag.Words{}
	case n < of:
		return diag.Say("some-variants", n, of, build.Describe(o.in))
	default:
		return diag.Say("all-variants", of)
	}
}

// overruns judges the variants of the head, and their sections, by the budgets
// of the head and by those that the policy has stricter. There are findings about
// the latter: the head's own are those of its compilation.
func (r *run) overruns() diag.List {
	g := &growths{byKey: map[growthKey]*grown{}}
	sizes := newSizes(r)
	for _, p := range r.pairs {
		for _, t := range p.twins {
			if t.head == nil {
				continue
			}
			v := t.head.Variant
			r.over(g, t, "", &v.Budget, measure(t.head), false)
			r.over(g, t, "", r.stricter[limitOf{v, -1}], measure(t.head), true)
			for i, used := range t.head.Used {
				own, stricter := v.Uses[i].Budget, r.stricter[limitOf{v, i}]
				if used == nil || own == nil && stricter == nil {
					continue
				}
				id, size := p.Head.Prompt.Sections[i].ID.Str, sizes.of(v.Tokenizer, used)
				r.over(g, t, id, own, size, false)
				r.over(g, t, id, stricter, size, true)
			}
		}
	}
	return g.findings(r.d.Policy)
}

// over judges one variant, or a section in it, by one budget.
func (r *run) over(g *growths, t twin, section string, l *prompt.Limits, is measured, ofPolicy bool) {
	if l == nil {
		return
	}
	for i := range limits {
		row := &limits[i]
		if row.most == nil || row.most(l) < 0 || row.use(is) <= row.most(l) {
			continue
		}
		_, at := row.of(l)
		r.d.Over = append(r.d.Over, prompt.Overrun{Variant: t.head.Variant, At: at, Warn: l.Warn})
		if ofPolicy {
			unit := map[string]string{"tokens": "tokens", "chars": "characters", "tool_tokens": "tool tokens"}[row.name]
			key := growthKey{t.pair, section, float64(row.most(l)), at, l.Warn, false, true, unit}
			g.add(key, t.head.Variant, row.most(l), row.use(is))
		}
	}
}

// overrun gives what there is to say of a group that is over a budget.
func (o *grown) overrun(subject diag.Words) diag.Diagnostic {
	use, limit := diag.Count(o.to), diag.Count(int(o.key.limit))
	d := diag.New(diag.OverPolicy, o.key.at, "over-the-limit", subject, use, o.key.unit, limit)
	if in := o.among(); !in.None() {
		d.What = diag.Say("over-the-limit-in-variants", subject, limit, o.key.unit, in, o.most.Name, use)
	}
	d.Variant = o.most.Name
	if o.key.warn {
		d.Level = diag.Warning
	}
	return d
}

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
			t.Edit.Row(p.Pair, false)
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
