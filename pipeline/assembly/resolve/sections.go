package resolve

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/language"
)

// section is one section of a prompt while it is bound: its cases decided.
type section struct {
	*scope
	decl   *language.Section
	index  int
	domain ground.Set // the variants for which `when` holds

	text, path, source           choice
	heading, before, after, join choice
	form, only, needs, selects   choice
	style, limit, expand         choice
	location, routing, degrade   choice
	phase, priority              choice
	weight, sticky               choice
	breakpoint, volatile         choice
	budget                       func(int) language.Limits
	joins                        []ground.Text    // shared by all uses
	limited                      *language.Limits // the last, which most variants share
	options                      map[*language.Source]sourceChoice
	fragments                    map[*language.Fragment]choice
	memory                       memory
	routed, unrouted             bool // variants with tools say the routing, or leave it out
}

// sourceChoice holds the decided cases of a source as this section sees it.
type sourceChoice struct {
	text, path, fallback choice
}

// sections binds every section. Tools first, because what a section needs is
// asked of the whole toolset.
func (s *scope) sections() {
	s.tools = make([][]*language.Tool, len(s.build.Variants))
	bound := make([]*section, len(s.prompt.Sections))
	for _, v := range s.build.Variants {
		v.Uses = make([]assembly.Use, len(s.prompt.Sections))
	}
	for i, decl := range s.prompt.Sections {
		bound[i] = s.bind(decl, i)
	}
	for _, v := range s.build.Variants {
		for _, sec := range bound {
			sec.use(v)
		}
		s.settleNeeds(v, bound)
		s.requireTools(v)
		s.thin()
	}
	s.reportMissingTools()
	for _, sec := range bound {
		sec.reportRouting()
	}
}

// settleNeeds takes sections out whose needs are not met. One of them may have
// brought tools that another needs, which then goes, too. What each of them is
// out for are the tools that are missing in the end.
func (s *scope) settleNeeds(v *assembly.Variant, bound []*section) {
	bringing := map[string]int{} // by tool, the sections that bring it
	for _, t := range s.toolset(v) {
		bringing[t.Name]++
	}
	needing := map[string][]*section{}
	var leaving []*section
	left := make([]bool, len(bound))
	leave := func(sec *section) {
		if !left[sec.index] {
			left[sec.index] = true
			leaving = append(leaving, sec)
		}
	}
	for _, sec := range bound {
		for _, w := range sec.needed(v) {
			if needing[w.Str] = append(needing[w.Str], sec); bringing[w.Str] == 0 {
				leave(sec)
			}
		}
	}
	for i := 0; i < len(leaving); i++ { // it grows meanwhile
		for _, t := range s.brought(v, leaving[i].index) {
			if bringing[t.Name]--; bringing[t.Name] == 0 {
				for _, other := range needing[t.Name] {
					leave(other)
				}
			}
		}
	}
	for _, sec := range bound {
		sec.applyNeeds(v, bringing)
	}
	s.tools[v.Index] = s.toolset(v)
	s.distinctTools(v)
	tools := language.ToolNames(s.tools[v.Index])
	for _, sec := range bound {
		sec.route(v, tools)
	}
}

// routedTool is the tool that the block `Execution routing:` speaks of.
const routedTool = "exec"

// route takes the routing of commands out of a variant without the tool that
// runs them.
func (sec *section) route(v *assembly.Variant, tools []string) {
	u := &v.Uses[sec.index]
	units := []*int{&u.Unit}
	for i := range u.Steps {
		units = append(units, &u.Steps[i].Unit)
	}
	for _, unit := range units {
		if *unit < 0 || !slices.ContainsFunc(sec.plan.Units[*unit].Inputs, func(in *assembly.Input) bool { return in.Routing }) {
			continue
		}
		if slices.Contains(tools, routedTool) {
			sec.routed = true
			continue
		}
		sec.unrouted = sec.unrouted || len(tools) > 0
		sec.unroute(v, unit)
	}
}

// reportRouting notes a routing that no variant says, though some have tools.
func (sec *section) reportRouting() {
	if sec.unrouted && !sec.routed {
		sec.diags = append(sec.diags, diag.New(diag.PartAbsent, sec.decl.ID.At, "section-routes-nothing", sec.decl.ID.Str, routedTool).
			WithHint("remove-routing", routedTool))
	}
}

func (sec *section) unroute(v *assembly.Variant, unit *int) {
	was := sec.plan.Units[*unit]
	inputs := slices.Clone(was.Inputs)
	for i, in := range inputs {
		if in.Routing {
			without := *in
			without.Routing = false
			inputs[i] = &without
		}
	}
	*unit = sec.unit(v, inputs, was.Step)
}

// bringer is who brought a tool into a toolset first.
type bringer struct {
	tool    *language.Tool
	section string
}

// distinctTools refuses two tools of one name in a toolset, and one tool that
// two sections bring; also on the rungs that a section may step down to.
func (s *scope) distinctTools(v *assembly.Variant) {
	first := map[string]bringer{}
	for i, u := range v.Uses {
		if u.Unit < 0 {
			continue
		}
		units := []int{u.Unit}
		for _, step := range u.Steps {
			units = append(units, step.Unit)
		}
		own := map[string]bringer{} // rungs of one section replace each other
		for _, unit := range units {
			s.distinctIn(v, s.plan.Units[unit], s.prompt.Sections[i].ID.Str, first, own)
		}
		maps.Copy(first, own)
	}
}

// distinctIn compares the tools of one unit with those of other sections and
// with each other.
func (s *scope) distinctIn(v *assembly.Variant, u *assembly.Unit, id string, first, own map[string]bringer) {
	here := map[string]*language.Tool{}
	for _, in := range u.Inputs {
		for _, t := range in.Tools {
			s.providerTool(v, in, t, id)
			if other, ok := first[t.Name]; ok {
				s.secondTool(t, in, id, other)
			} else if other, ok := here[t.Name]; ok {
				s.duplicateTool(t, other)
			}
			here[t.Name] = t
			own[t.Name] = bringer{t, id}
		}
	}
}

// providerTool refuses a provider's own tool where it cannot be sent: in a text,
// and in requests of another shape.
func (s *scope) providerTool(v *assembly.Variant, in *assembly.Input, t *language.Tool, id string) {
	if t.Provider == "" || in.Form == "declare" || in.Form != "fallback" && v.Dialect.Name == t.Provider {
		return
	}
	d := diag.New(diag.ProviderTool, t.NameAt, "own-tool-in-dialect", v.Name, t.Name, v.Dialect.Name, t.Provider).
		WithHint("send-own-tool", t.Provider)
	if in.Form == "fallback" {
		d = diag.New(diag.ProviderTool, t.NameAt, "own-tool-in-text", id, t.Name, t.Provider).WithHint("send-own-tool-native")
	}
	same := func(o diag.Diagnostic) bool { return o.Code == d.Code && o.Span == d.Span && o.What.Key == d.What.Key }
	if !slices.ContainsFunc(s.diags, same) {
		s.diags = append(s.diags, d)
	}
}

func (s *scope) secondTool(t *language.Tool, in *assembly.Input, id string, other bringer) {
	if other.tool != t {
		s.duplicateTool(t, other.tool)
		return
	}
	s.diags = append(s.diags, diag.New(diag.DuplicateTool, in.At, "section-brings-tool-into", id, t.Name).
		WithHint("section-brought-select-only", other.section))
}

// bind decides all cases of a section once.
func (s *scope) bind(d *language.Section, index int) *section {
	sec := &section{scope: s, decl: d, index: index, options: map[*language.Source]sourceChoice{}, fragments: map[*language.Fragment]choice{}}
	sec.remember()
	sec.domain = s.holds(d.When)
	dom := sec.domain
	sec.text = choose(s, d.Text, dom, "text")
	sec.path = choose(s, d.Path, dom, "path")
	sec.source = choose(s, d.Source, dom, "source")
	sec.heading = choose(s, d.Heading, dom, "heading")
	sec.before = choose(s, d.Before, dom, "before")
	sec.after = choose(s, d.After, dom, "after")
	sec.join = choose(s, d.Join, dom, "join")
	sec.form = choose(s, d.Form, dom, "form")
	sec.only = choose(s, d.Only, dom, "only")
	sec.needs = choose(s, d.Needs, dom, "needs")
	sec.selects = choose(s, d.Select, dom, "select")
	sec.style = choose(s, d.Options.Style, dom, "style")
	sec.limit = choose(s, d.Options.Limit, dom, "limit")
	sec.expand = choose(s, d.Options.Expand, dom, "expand")
	sec.location = choose(s, d.Options.Location, dom, "location")
	sec.routing = choose(s, d.Options.Routing, dom, "routing")
	sec.degrade = choose(s, d.Degrade, dom, "degrade")
	sec.phase = choose(s, d.Phase, dom, "phase")
	sec.priority = choose(s, d.Priority, dom, "priority")
	sec.weight = choose(s, d.Weight, dom, "weight")
	sec.sticky = choose(s, d.Sticky, dom, "sticky")
	sec.breakpoint = choose(s, d.Breakpoint, dom, "breakpoint")
	sec.volatile = choose(s, d.Volatile, dom, "volatile")
	sec.budget = s.limits(d.Budget, dom)
	for _, c := range d.Join {
		sec.joins = append(sec.joins, c.Value)
	}
	s.checkNames(d)
	return sec
}

// checkNames reports what the section names and nobody declares, and what has
// no meaning where it stands.
func (s *scope) checkNames(d *language.Section) {
	subject := diag.Say("section-named", d.ID.Str)
	for _, c := range d.Source {
		for _, w := range c.Value {
			s.knownSource(w, subject)
			s.notMessages(w, d)
			s.wholeGoal(w, d)
		}
	}
	for _, c := range d.Needs {
		for _, w := range c.Value.Tools {
			s.known(diag.UnmetNeed, w, s.toolNames, "section-needs-tool-no", d.ID.Str, w.Str)
		}
	}
	for _, c := range d.Degrade {
		for _, step := range c.Value {
			if step.Source.Str != "" {
				s.knownSource(step.Source, subject)
				s.notMessages(step.Source, d)
			}
		}
	}
	if d.Breakpoint.Set() && !s.everSequence() {
		s.diags = append(s.diags, diag.New(diag.BreakpointElsewhere, d.Breakpoint[0].At, "section-sets-breakpoint-only", d.ID.Str).
			WithHint(s.noBreakpoint()))
	}
}

// knownSource reports an unknown source with the place of the one that was
// probably meant.
func (s *scope) knownSource(w ground.Word, subject diag.Words) {
	if _, ok := s.binder.sources[w.Str]; ok {
		return
	}
	finding := diag.New(diag.UnknownSource, w.At, "names-unknown-source", subject, w.Str)
	if best, ok := suggest.Best(w.Str, s.sourceIDs); ok {
		at := s.binder.sources[best].ID.At
		line := at.File.LineAt(at.Start)
		finding = finding.WithHint("did-you-mean-declared", best, at.File.Path, line)
	} else {
		finding = withNames(finding, w.Str, s.sourceIDs)
	}
	s.diags = append(s.diags, finding)
}

// decide works out what a variant does with the section.
func (sec *section) decide(v *assembly.Variant) {
	u := &v.Uses[sec.index]
	u.Unit = -1
	if !sec.domain.Has(v.Index) {
		u.Out = assembly.OutWhen
		return
	}
	if i := sec.join.at(v.Index); i >= 0 && i < len(sec.joins) {
		u.Join = &sec.joins[i]
	}
	if sec.decl.Budget.Set() {
		if l := sec.budget(v.Index); l.At.Known() { // a case holds
			if sec.limited == nil || !reflect.DeepEqual(*sec.limited, l) {
				sec.limited = &l
			}
			u.Budget = sec.limited
		}
	}
	u.Place = sec.place(v)
	form, ok := sec.formIn(v)
	if !ok {
		return
	}
	inputs, why, reason := sec.inputs(v, form)
	if reason != assembly.In {
		u.Out, u.Why = reason, why
		return
	}
	u.Unit = sec.unit(v, inputs, "")
	sec.cached(v, u)
	steps, _ := pick(sec.decl.Degrade, sec.degrade, v.Index)
	for _, step := range steps {
		sec.step(v, u, step, form)
	}
}

// step adds one rung of the ladder: another form of the same sources, or
// another source. What has no text there is no rung.
func (sec *section) step(v *assembly.Variant, u *assembly.Use, step language.Step, form ground.Word) {
	label, inputs := step.Source.Str, []*assembly.Input(nil)
	if step.Form.Str != "" {
		label = step.Form.Str
		inputs, _, _ = sec.inputs(v, step.Form)
	} else {
		inputs = sec.stepInputs(v, step.Source, form)
	}
	if len(inputs) > 0 {
		u.Steps = append(u.Steps, assembly.StepUse{Label: label, Unit: sec.unit(v, inputs, label)})
	}
}

func (sec *section) formIn(v *assembly.Variant) (ground.Word, bool) {
	w, ok := pick(sec.decl.Form, sec.form, v.Index)
	if !ok {
		return ground.Word{}, true
	}
	form, ok := sec.axisIn(w, v)
	return ground.Word{Str: form, At: w.At}, ok
}

// toolset collects the tools of a variant, in the order of its sections.
func (s *scope) toolset(v *assembly.Variant) []*language.Tool {
	var out []*language.Tool
	for i := range v.Uses {
		out = append(out, s.brought(v, i)...)
	}
	return out
}

// brought gives the tools that a section brings.
func (s *scope) brought(v *assembly.Variant, section int) []*language.Tool {
	var out []*language.Tool
	if unit := v.Uses[section].Unit; unit >= 0 {
		for _, in := range s.plan.Units[unit].Inputs {
			out = append(out, in.Tools...)
		}
	}
	return out
}

func (b *binder) duplicateTool(t, other *language.Tool) {
	line := other.File.LineAt(other.NameAt.Start)
	b.diags = append(b.diags, diag.New(diag.DuplicateTool, t.NameAt, "second-tool-toolset", t.Name).
		WithHint("other-rename-select-only", other.File.Path, line))
}

// needed gives the tools without which the section goes.
func (sec *section) needed(v *assembly.Variant) []ground.Word {
	needs, ok := pick(sec.decl.Needs, sec.needs, v.Index)
	if !ok || v.Uses[sec.index].Out == assembly.OutWhen {
		return nil
	}
	return needs.Tools
}

// applyNeeds takes the section out of a variant to which nothing brings one of
// the tools.
func (sec *section) applyNeeds(v *assembly.Variant, bringing map[string]int) {
	needed := sec.needed(v)
	if needed == nil {
		return
	}
	var missing []string
	for _, w := range needed {
		if bringing[w.Str] == 0 {
			missing = append(missing, w.Str)
		}
	}
	u := &v.Uses[sec.index]
	if len(missing) == 0 {
		u.Needs = ground.Strings(needed)
		return
	}
	*u = assembly.Use{Unit: -1, Out: assembly.OutNeeds, Why: strings.Join(missing, ", ")}
}

// unit gives the index of the unit that renders the section from the inputs,
// making it when no earlier variant had the same one.
func (sec *section) unit(v *assembly.Variant, inputs []*assembly.Input, step string) int {
	u := &assembly.Unit{Prompt: sec.prompt, Section: sec.decl, Inputs: inputs, Step: step}
	if t, ok := pick(sec.decl.Heading, sec.heading, v.Index); ok {
		u.Heading = &t
	}
	u.Before, _ = pick(sec.decl.Before, sec.before, v.Index)
	u.After, _ = pick(sec.decl.After, sec.after, v.Index)
	u.Expand, _ = pick(sec.decl.Options.Expand, sec.expand, v.Index)
	sec.bindings(u, v)
	key := unitKey(sec, u)
	if i, ok := sec.units[key]; ok {
		return i
	}
	u.Index = len(sec.plan.Units)
	sec.units[key] = u.Index
	sec.plan.Units = append(sec.plan.Units, u)
	return u.Index
}

// unitKey names all that decides the bytes of a unit.
func unitKey(sec *section, u *assembly.Unit) string {
	var k strings.Builder
	fmt.Fprintf(&k, "%p|%s|%t|%q|%q", sec.decl, u.Step, u.Expand, u.Before.Str, u.After.Str)
	if u.Heading != nil {
		fmt.Fprintf(&k, "|%q", u.Heading.Str)
	}
	for _, in := range u.Inputs {
		fmt.Fprintf(&k, "\n%p|%d|%s|%s|%p|%t|%t|%q|%q", in.Source, in.Origin, in.Form, in.Style, in.StyleDoc, in.Expand, in.Routing, in.Location.Str, in.Text.Str)
		if in.Limit != nil {
			fmt.Fprintf(&k, "|%d,%t,%t", in.Limit.Chars, in.Limit.PerSource, in.Limit.Cut)
		}
		for _, d := range in.Docs {
			fmt.Fprintf(&k, "|%p", d)
		}
		for _, t := range in.Tools {
			fmt.Fprintf(&k, "|%p", t)
		}
		for _, e := range in.Entries {
			fmt.Fprintf(&k, "|%p", e)
		}
	}
	for _, b := range u.Bindings {
		fmt.Fprintf(&k, "\n%s=%q", b.Name, b.Value.Str)
	}
	return k.String()
}

// bindings gives the unit the slots and fragments that its texts name.
func (sec *section) bindings(u *assembly.Unit, v *assembly.Variant) {
	if !sec.expands(u) {
		return
	}
	for _, slot := range sec.spec.Slots {
		u.Bindings = append(u.Bindings, assembly.Binding{Name: slot.Name.Str, Slot: slot})
	}
	for _, f := range sec.spec.Fragments {
		if !mentions(u, "{{"+f.Name.Str+"}}") {
			continue
		}
		chosen := sec.fragment(f)
		if value, ok := pick(f.Value, chosen, v.Index); ok {
			u.Bindings = append(u.Bindings, assembly.Binding{Name: f.Name.Str, Value: value})
		}
	}
}

func (sec *section) expands(u *assembly.Unit) bool {
	return u.Expand || slices.ContainsFunc(u.Inputs, func(in *assembly.Input) bool { return in.Expand })
}

// fragment decides the cases of a fragment once for each section that names
// it.
func (sec *section) fragment(f *language.Fragment) choice {
	if c, ok := sec.fragments[f]; ok {
		return c
	}
	c := choose(sec.scope, f.Value, sec.domain, diag.Say("fragment-named", f.Name.Str))
	sec.fragments[f] = c
	return c
}

// mentions reports whether any text of a unit holds the characters. It may
// say yes too often: a name in a comment costs a unit, never a byte.
func mentions(u *assembly.Unit, s string) bool {
	texts := []string{u.Before.Str, u.After.Str}
	if u.Heading != nil {
		texts = append(texts, u.Heading.Str)
	}
	for _, in := range u.Inputs {
		texts = append(texts, in.Text.Str, in.Location.Str)
		for _, d := range in.Docs {
			texts = append(texts, d.File.Text)
		}
		for _, t := range in.Tools {
			texts = append(texts, t.Canonical)
		}
	}
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, s) })
}
