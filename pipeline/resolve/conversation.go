package resolve

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// assemblies are the ways to put a conversation together, the default first.
var assemblies = []string{"tiered", "flat"}

// saysMessages reports whether a source is of a kind that only layouts name.
func saysMessages(src *prompt.Source) bool { return src.Kind != nil && src.Kind.Messages }

// textSource gives the source of a name in a section, nil where there is none
// that a section can have; that is reported where it is named.
func (s *scope) textSource(w prompt.Word) *prompt.Source {
	src := s.binder.sources[w.Str]
	if src == nil || src.Kind == nil || src.Kind.Messages {
		return nil
	}
	return src
}

// notMessages refuses a conversation as part of the system text.
func (s *scope) notMessages(w prompt.Word, d *prompt.Section) {
	if src := s.binder.sources[w.Str]; src != nil && saysMessages(src) {
		s.diags = append(s.diags, diag.New(diag.ConversationAsSection, w.At, "section-names-source-conversation", d.ID.Str, w.Str).
			WithHint("name-prompts-layout-name", w.Str))
	}
}

// conversations binds what the layouts `messages` of the prompt name.
func (s *scope) conversations() {
	var made []named
	for i, c := range s.prompt.Layout {
		if c.Value.Name.Str != messagesLayout {
			continue
		}
		domain := prompt.NewSet(s.all.Size())
		for _, v := range s.build.Variants {
			if s.layout.at(v.Index) == i {
				domain.Add(v.Index)
			}
		}
		made = append(made, s.conversation(c.Value, domain)...)
	}
	nameApart(made)
}

// conversation binds one layout for the variants of a domain, and gives the
// dialogues that are new.
func (s *scope) conversation(l prompt.Layout, domain prompt.Set) []named {
	reminder := s.reminder(l)
	src := s.conversationSource(l)
	if src == nil {
		return nil
	}
	chosen := sourceChoice{path: choose(s, src.Path, domain, "path"), fallback: choose(s, src.Fallback, domain, "fallback")}
	var made []named
	for _, v := range s.build.Variants {
		if !domain.Has(v.Index) {
			continue
		}
		flat, ok := s.flat(l, v)
		in := s.fixtureOf(v, src, chosen)
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
		v.Messages = &prompt.MessageRules{Unit: unit, Reminder: reminder, At: l.At}
	}
	return made
}

// reminder gives the index of the section that follows the user's prompt, -1
// for none.
func (s *scope) reminder(l prompt.Layout) int {
	if l.Reminder.Str == "" {
		return -1
	}
	ids := sectionIDs(s.prompt)
	s.known(diag.UnknownSection, l.Reminder, ids, "prompt-no-section-reminder", s.prompt.ID.Str, l.Reminder.Str)
	return slices.Index(ids, l.Reminder.Str)
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
func (s *scope) conversationSource(l prompt.Layout) *prompt.Source {
	w := l.Conversation
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
	if src.Absent != prompt.AbsentError {
		s.diags = append(s.diags, diag.New(diag.ConversationNeeded, src.ID.At, "source-conversation-sets-absent", src.ID.Str).
			WithHint("remove-absent-give-other"))
		return nil
	}
	return src
}

// flat decides the assembly of a variant.
func (s *scope) flat(l prompt.Layout, v *prompt.Variant) (flat, ok bool) {
	if l.Assembly.Str == "" {
		return false, true
	}
	name, ok := s.axisIn(l.Assembly, v)
	if !ok || !s.known(diag.UnknownAssembly, prompt.Word{Str: name, At: l.Assembly.At}, assemblies, "unknown-assembly", name) {
		return false, false
	}
	return name == "flat", true
}

// fixtureOf finds the one file that a variant's conversation comes from.
func (s *scope) fixtureOf(v *prompt.Variant, src *prompt.Source, chosen sourceChoice) *prompt.Input {
	paths, ok := pick(src.Path, chosen.path, v.Index)
	if !ok {
		return nil
	}
	fallback, _ := pick(src.Fallback, chosen.fallback, v.Index)
	r := request{kind: src.Kind, source: src, paths: paths, fallback: fallback, surely: true}
	f, ok := s.find(v, r)
	if !ok {
		return nil
	}
	if f.origin == prompt.FromFallback {
		s.noteFallback(v, r, f)
	}
	if f.reason != prompt.In || len(f.docs) == 0 {
		return nil // reported
	}
	if len(f.docs) > 1 {
		s.diags = append(s.diags, diag.New(diag.SeveralConversations, paths[0].At, "source-comes-fixtures-where", src.ID.Str, len(f.docs)).
			WithHint("first-name-example-axis", f.docs[0].File.Path, f.docs[1].File.Path))
		return nil
	}
	return &prompt.Input{Source: src, Kind: src.Kind, Origin: f.origin, Base: f.base, Docs: f.docs}
}

// conversationUnit gives the index of the unit of a conversation in one
// assembly, and whether it is new to the prompt.
func (s *scope) conversationUnit(in *prompt.Input, b *spoken) (index int, isNew bool) {
	key := fmt.Sprintf("conversation|%p|%p|%p|%t", s.prompt, in.Source, in.Docs[0], b.dialogue.Flat)
	if i, ok := s.units[key]; ok {
		return i, false
	}
	d := b.dialogue // the name is the prompt's own
	u := &prompt.Unit{Index: len(s.plan.Units), Prompt: s.prompt, Dialogue: &d, Inputs: []*prompt.Input{in}}
	s.units[key] = u.Index
	s.plan.Units = append(s.plan.Units, u)
	return u.Index, true
}

// named is a dialogue that waits for its name.
type named struct {
	doc      *prompt.Doc
	dialogue *prompt.Dialogue
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
