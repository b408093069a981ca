package resolve

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/ordered"
	"github.com/promptc-build/promptc/pipeline/language"
)

// assemblies are the ways to put a conversation together, the default first.
var assemblies = []string{"tiered", "flat"}

// saysMessages reports whether a source is of a kind that only layouts name.
func saysMessages(src *language.Source) bool { return src.Kind != nil && src.Kind.Messages }

// textSource gives the source of a name in a section, nil where there is none
// that a section can have; that is reported where it is named.
func (s *scope) textSource(w ground.Word) *language.Source {
	src := s.binder.sources[w.Str]
	if src == nil || src.Kind == nil || src.Kind.Messages {
		return nil
	}
	return src
}

// notMessages refuses a conversation as part of the system text.
func (s *scope) notMessages(w ground.Word, d *language.Section) {
	if src := s.binder.sources[w.Str]; src != nil && saysMessages(src) {
		s.diags = append(s.diags, diag.New(diag.ConversationAsSection, w.At, "section-names-source-conversation", d.ID.Str, w.Str).
			WithHint("name-prompts-layout-name", w.Str))
	}
}

// conversations binds what the layouts `messages` of the prompt name.
func (s *scope) conversations() {
	sources, reminders := map[ground.Word]*language.Source{}, map[ground.Word]int{{}: -1}
	for _, c := range s.prompt.Layout {
		for _, one := range c.Value.Conversation {
			sources[one.Value] = s.conversationSource(one.Value)
		}
		for _, one := range c.Value.Reminder {
			reminders[one.Value] = s.reminder(one.Value)
		}
	}
	chosen := map[*language.Source]sourceChoice{}
	var made []named
	for _, v := range s.build.Variants {
		l := s.layouts[v.Index]
		src := sources[l.conversation]
		if src == nil {
			continue
		}
		if _, known := chosen[src]; !known {
			domain := s.having(s.all, func(v int) bool { return sources[s.layouts[v].conversation] == src })
			chosen[src] = sourceChoice{path: choose(s, src.Path, domain, "path"), fallback: choose(s, src.Fallback, domain, "fallback")}
		}
		flat, ok := s.flat(l, v)
		in := s.fixtureOf(v, src, chosen[src])
		if !ok || in == nil {
			continue
		}
		if s.spec.Conversations[in.Docs[0]] == nil {
			continue // ill-shaped: reported
		}
		b := s.assemble(in.Docs[0], flat)
		b.inUse(v.Dialect)
		unit, isNew := s.conversationUnit(in, b)
		if isNew {
			made = append(made, named{doc: in.Docs[0], dialogue: s.plan.Units[unit].Dialogue})
		}
		v.Messages = &assembly.MessageRules{Unit: unit, Reminder: reminders[l.reminder], At: l.at}
	}
	nameApart(made)
}

// reminder gives the index of the section that follows the user's prompt, -1
// for none.
func (s *scope) reminder(w ground.Word) int {
	if w.Str == "" {
		return -1
	}
	ids := sectionIDs(s.prompt)
	s.known(diag.UnknownSection, w, ids, "prompt-no-section-reminder", s.prompt.ID.Str, w.Str)
	return slices.Index(ids, w.Str)
}

// settleReminders takes the reminder from the variants that do not have the
// section: there it is left out like any other.
func (s *scope) settleReminders() {
	for _, v := range s.build.Variants {
		if m := v.Messages; m != nil && m.Reminder >= 0 && v.Uses[m.Reminder].Unit < 0 {
			m.Reminder = -1
		}
	}
}

// conversationSource gives the source that a layout names, nil when it is none
// that a conversation can come from.
func (s *scope) conversationSource(w ground.Word) *language.Source {
	if w.Str == "" {
		return nil // reported where the layout is read
	}
	src := s.binder.sources[w.Str]
	if src == nil {
		s.knownSource(w, diag.Say("layout-of-prompt", s.prompt.ID.Str))
		return nil
	}
	if src.Kind == nil {
		return nil
	}
	if !src.Kind.Messages {
		s.diags = append(s.diags, diag.New(diag.NotAConversation, w.At, "layout-prompt-names-source", s.prompt.ID.Str, w.Str, src.Kind.Name).
			WithHint("layouts-source-kind-conversation"))
		return nil
	}
	if src.Absent != language.AbsentError {
		s.diags = append(s.diags, diag.New(diag.ConversationNeeded, src.ID.At, "source-conversation-sets-absent", src.ID.Str).
			WithHint("remove-absent-give-other"))
		return nil
	}
	return src
}

// flat decides the assembly of a variant.
func (s *scope) flat(l layout, v *assembly.Variant) (flat, ok bool) {
	if l.assembly.Str == "" {
		return false, true
	}
	name, ok := s.axisIn(l.assembly, v)
	if !ok || !s.known(diag.UnknownAssembly, ground.Word{Str: name, At: l.assembly.At}, assemblies, "unknown-assembly", name) {
		return false, false
	}
	return name == "flat", true
}

// fixtureOf finds the one file that a variant's conversation comes from.
func (s *scope) fixtureOf(v *assembly.Variant, src *language.Source, chosen sourceChoice) *assembly.Input {
	paths, ok := pick(src.Path, chosen.path, v.Index)
	if !ok {
		return nil
	}
	fallback, _ := pick(src.Fallback, chosen.fallback, v.Index)
	r := inquiry{kind: src.Kind, source: src, paths: paths, fallback: fallback, surely: true}
	f, ok := s.find(v, r)
	if !ok {
		return nil
	}
	if f.origin == assembly.FromFallback {
		s.noteFallback(v, r, f)
	}
	if f.reason != assembly.In || len(f.docs) == 0 {
		return nil // reported
	}
	if len(f.docs) > 1 {
		s.diags = append(s.diags, diag.New(diag.SeveralConversations, paths[0].At, "source-comes-fixtures-where", src.ID.Str, len(f.docs)).
			WithHint("first-name-example-axis", f.docs[0].File.Path, f.docs[1].File.Path))
		return nil
	}
	return &assembly.Input{Source: src, Kind: src.Kind, Origin: f.origin, Base: f.base, Docs: f.docs}
}

// conversationUnit gives the index of the unit of a conversation in one
// assembly, and whether it is new to the prompt.
func (s *scope) conversationUnit(in *assembly.Input, b *spoken) (index int, isNew bool) {
	key := fmt.Sprintf("conversation|%p|%p|%p|%t", s.prompt, in.Source, in.Docs[0], b.dialogue.Flat)
	if i, ok := s.units[key]; ok {
		return i, false
	}
	d := b.dialogue // the name is the prompt's own
	u := &assembly.Unit{Index: len(s.plan.Units), Prompt: s.prompt, Dialogue: &d, Inputs: []*assembly.Input{in}}
	s.units[key] = u.Index
	s.plan.Units = append(s.plan.Units, u)
	return u.Index, true
}

// named is a dialogue that waits for its name.
type named struct {
	doc      *language.Doc
	dialogue *assembly.Dialogue
}

// nameApart tells the fixtures of a prompt apart: by the file's name, by the
// path where two share that, by the extension too where they share even the
// path.
func nameApart(made []named) {
	level := map[string]int{} // by path
	for again := true; again; {
		again = false
		users := map[string]map[string]bool{} // name → paths
		for _, m := range made {
			p := m.doc.File.Path
			m.dialogue.Name = nameAt(p, level[p])
			if users[m.dialogue.Name] == nil {
				users[m.dialogue.Name] = map[string]bool{}
			}
			users[m.dialogue.Name][p] = true
		}
		for _, alike := range users { // in any order: a path is in one of them
			for p := range alike {
				if len(alike) > 1 && level[p] < wholePath {
					level[p]++
					again = true
				}
			}
		}
	}
}

// wholePath is the level at which a name is the path as it is.
const wholePath = 2

func nameAt(p string, level int) string {
	if level == wholePath {
		return p
	}
	if level == 0 {
		p = path.Base(p)
	}
	return strings.TrimSuffix(p, path.Ext(p))
}

// assembled names a fixture in one assembly.
type assembled struct {
	doc  *language.Doc
	flat bool
}

// spoken is a conversation in one assembly, with the dialects that it is sent
// in. Prompts that use it share it.
type spoken struct {
	dialogue assembly.Dialogue // without a name
	dialects []*ground.Dialect
}

// inUse remembers a dialect.
func (b *spoken) inUse(d *ground.Dialect) {
	if !slices.Contains(b.dialects, d) {
		b.dialects = append(b.dialects, d)
	}
}

// assemble binds a fixture for one assembly, once for all that use it.
func (b *binder) assemble(doc *language.Doc, flat bool) *spoken {
	key := assembled{doc, flat}
	if known := b.spoken.Get(key); known != nil {
		return known
	}
	fx, out := b.fixture(doc), b.spoken.Of(key)
	if flat {
		out.dialogue = fx.flattened()
	} else {
		out.dialogue = fx.tiered()
		b.noteAgain(fx)
		b.noteOrder(fx, &out.dialogue)
	}
	return out
}

// tiered shows everything where its tier says, and the rest outside.
func (fx *fixture) tiered() assembly.Dialogue {
	out := assembly.Dialogue{Conversation: fx.conv, Tree: fx.tree(), LeftOut: fx.leftOut(false)}
	held := map[int]bool{}
	for i := range fx.tiers {
		t := &fx.tiers[i]
		out.Tiers[i] = assembly.Tier{
			Symbols: byPath(t.symbols, blockPath), Files: byPath(t.files, filePath), History: slices.Sorted(slices.Values(t.history)),
		}
		for _, n := range t.history {
			held[n] = true
		}
	}
	for _, s := range fx.rest() {
		if !fx.keyed[s.Path.Str] {
			out.Symbols = append(out.Symbols, s)
		}
	}
	out.Symbols, out.Working = byPath(out.Symbols, blockPath), byPath(fx.working, filePath)
	for n := range fx.conv.History {
		if !held[n] {
			out.Active = append(out.Active, n)
		}
	}
	return out
}

// flattened shows everything without tiers.
func (fx *fixture) flattened() assembly.Dialogue {
	out := assembly.Dialogue{Conversation: fx.conv, Flat: true, Tree: fx.tree(), Symbols: byPath(fx.rest(), blockPath), LeftOut: fx.leftOut(true)}
	files := fx.working
	for i := range fx.tiers {
		files = slices.Concat(files, fx.tiers[i].files)
	}
	out.Working = byPath(files, filePath)
	for n := range fx.conv.History {
		out.Active = append(out.Active, n)
	}
	return out
}

// rest gives the symbol blocks whose file is not there in full, as written.
func (fx *fixture) rest() []*language.SymbolBlock {
	var out []*language.SymbolBlock
	for i := range fx.conv.Symbols {
		s := &fx.conv.Symbols[i]
		if _, full := fx.full[fx.lib.same(s.Path.Str)]; !full {
			out = append(out, s)
		}
	}
	return out
}

func (fx *fixture) tree() []string {
	if fx.lib.folder == nil {
		return nil
	}
	return fx.lib.folder.Files
}

func blockPath(s *language.SymbolBlock) string { return s.Path.Str }

func filePath(w assembly.WorkFile) string { return w.Path }

// byPath sorts by bytes what has distinct paths; nil stays nil.
func byPath[T any](list []T, path func(T) string) []T {
	out := slices.Clone(list)
	slices.SortFunc(out, func(a, b T) int { return cmp.Compare(path(a), path(b)) })
	return out
}

// breachOf is what is wrong with a history at a place: it is said once, for both
// assemblies and for all dialects.
type breachOf struct {
	code diag.Code
	at   diag.Span
}

// breach is the message at the place, and of the dialects that object whether they
// refuse it, or only advise against it.
type breach struct {
	role   language.Role
	refuse map[string]bool
}

// breaches are those of a run.
type breaches struct{ ordered.Map[breachOf, breach] }

// reportTurns reports histories that the dialects in which they are sent do
// not take: once for each place.
func (b *binder) reportTurns() {
	var all breaches
	for _, s := range b.spoken.All() {
		d := &s.dialogue
		if !d.Flat && b.fixtures[d.Conversation.Doc].misled {
			continue // its keys are to be repaired first
		}
		all.judge(s, turns(d))
	}
	for key, br := range all.All() {
		b.diags = append(b.diags, br.finding(key))
	}
}

// turn is one message as the array has it. What the layout says by itself comes
// in pairs of a user's message and its acknowledgement, and was said by nobody.
type turn struct {
	role language.Role
	said *language.Said
}

// turns gives the roles of a dialogue's messages in order, behind the system
// message. That each block is there or not is as render has it.
func turns(d *assembly.Dialogue) []turn {
	var out []turn
	pair := func(there bool) {
		if there {
			out = append(out, turn{role: language.RoleUser}, turn{role: language.RoleAssistant})
		}
	}
	history := func(indices []int) {
		for _, n := range indices {
			said := &d.Conversation.History[n]
			out = append(out, turn{language.Role(said.Role.Str), said})
		}
	}
	for i, t := range d.Tiers {
		pair(i > 0 && len(t.Symbols)+len(t.Files) > 0)
		history(t.History)
	}
	pair(!d.Flat && len(d.Symbols) > 0)
	pair(len(d.Tree) > 0)
	pair(len(d.Conversation.URLs) > 0)
	pair(d.Conversation.Review != nil)
	pair(len(d.Working) > 0)
	history(d.Active)
	return append(out, turn{role: language.RoleUser}) // the prompt
}

// judge compares the turns of an array with what providers ask for: the user
// begins, and the two take turns. What the system says in between is another
// matter. Of two neighbours of one role, somebody said at least one.
func (a *breaches) judge(s *spoken, all []turn) {
	last := turn{role: language.RoleAssistant}
	for _, now := range all {
		switch {
		case now.role == language.RoleSystem:
			a.add(s, diag.SystemMidway, now)
			continue
		case now.role == last.role && now.said == nil:
			a.add(s, diag.BrokenAlternation, last)
		case now.role == last.role:
			a.add(s, diag.BrokenAlternation, now)
		}
		last = now
	}
}

// add records a breach with the dialects that mind it, if any does.
func (a *breaches) add(s *spoken, code diag.Code, t turn) {
	for _, d := range s.dialects {
		refuses, minds := d.MustAlternate, true
		if code == diag.SystemMidway {
			refuses = d.Midway == ground.MidwayRefused || d.Midway == ground.MidwaySome
			minds = d.Midway != ground.MidwayKept
		}
		if !d.JSON || !minds {
			continue
		}
		br := a.Of(breachOf{code, t.said.Role.At})
		if br.refuse == nil {
			*br = breach{t.role, map[string]bool{}}
		}
		br.refuse[d.Name] = refuses
	}
}

// finding says who minds: those that refuse, else those that advise.
func (br *breach) finding(key breachOf) diag.Diagnostic {
	var refuse, advise []string // in the order of the documentation
	for _, d := range ground.Dialects {
		if refuses, minds := br.refuse[d.Name]; refuses {
			refuse = append(refuse, d.Name)
		} else if minds {
			advise = append(advise, d.Name)
		}
	}
	objection := diag.Say("roles-take-turns-in", diag.Names(refuse))
	switch {
	case key.code == diag.SystemMidway && len(refuse) == 0:
		objection = diag.Say("may-be-refused-inside", diag.Names(advise))
	case key.code == diag.SystemMidway: // of one provider it depends on the model
		objection = diag.Say("may-be-refused-inside", diag.Names(refuse))
	case len(refuse) == 0:
		objection = diag.Say("models-expect-turns")
	}
	d := diag.New(key.code, key.at, "and-also", diag.Say("out-of-turn", string(br.role)), objection).WithHint("take-turns")
	if key.code == diag.SystemMidway {
		d = diag.New(key.code, key.at, "and-also", diag.Say("history-has-system"), objection).WithHint("say-in-system-text")
	}
	if len(refuse) == 0 {
		d.Level = diag.Warning
	}
	return d
}
