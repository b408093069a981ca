package resolve

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// breach is something about a history that dialects object to.
type breach struct {
	code    diag.Code
	at      diag.Span
	message diag.Words // what is the case
	hint    diag.Words
	// refuse and advise are the dialects in use that refuse it, and that
	// advise against it.
	refuse, advise map[string]bool
}

// breaches are those of a run, in the order in which they were met.
type breaches struct {
	list  []*breach
	known map[breachOf]*breach
	// counted says that the stretches which are judged come of indices.
	counted bool
}

// breachOf tells breaches apart: what is wrong at a place is said once, for
// both assemblies and for all dialects.
type breachOf struct {
	at  diag.Span
	why string
}

// The objections to a history.
const (
	wrongFirst = "first"
	wrongNext  = "next"
	wrongLast  = "last"
	wrongRole  = "role"
)

// reportTurns reports histories that the dialects in which they are sent do
// not take: once for each place.
func (b *binder) reportTurns() {
	all := &breaches{known: map[breachOf]*breach{}}
	for _, s := range b.spokenBy {
		d := &s.dialogue
		if !d.Flat && b.fixtures[d.Conversation.Doc].misled {
			continue // its keys are to be repaired first
		}
		// Who counts from 1 gets wrong turns in all tiers, and no key that is not there.
		all.counted = !d.Flat && len(d.Active) < len(d.Conversation.History)
		all.judge(s, turns(d))
	}
	for _, br := range all.list {
		b.diags = append(b.diags, br.finding())
	}
}

// turn is one message as the array has it. What the layout says by itself comes
// in pairs of a user's message and its acknowledgement, and was said by nobody.
type turn struct {
	role  prompt.Role
	said  *prompt.Said
	where diag.Words // the stretch of the history
}

// turns gives the roles of a dialogue's messages in order, behind the system
// message. That each block is there or not is as render has it.
func turns(d *prompt.Dialogue) []turn {
	var out []turn
	pair := func(there bool) {
		if there {
			out = append(out, turn{role: prompt.RoleUser}, turn{role: prompt.RoleAssistant})
		}
	}
	history := func(where diag.Words, stretch []int) {
		for _, n := range stretch {
			said := &d.Conversation.History[n]
			out = append(out, turn{prompt.Role(said.Role.Str), said, where})
		}
	}
	for i, t := range d.Tiers {
		pair(i > 0 && len(t.Symbols)+len(t.Files) > 0)
		history(diag.Say("history-of-tier", i), t.History)
	}
	pair(!d.Flat && len(d.Symbols) > 0)
	pair(len(d.Tree) > 0)
	pair(len(d.Conversation.URLs) > 0)
	pair(d.Conversation.Review != nil)
	pair(len(d.Working) > 0)
	rest := diag.Say("history-outside-tiers")
	if d.Flat {
		rest = diag.Say("the-history")
	}
	history(rest, d.Active)
	return append(out, turn{role: prompt.RoleUser}) // the prompt
}

// judge compares the turns of an array with what providers ask for: the user
// begins, and the two take turns. What the system says in between is another
// matter.
func (a *breaches) judge(s *spoken, all []turn) {
	last := turn{role: prompt.RoleAssistant}
	for _, now := range all {
		if now.role == prompt.RoleSystem {
			a.add(s, midway, breachOf{now.said.Role.At, wrongRole}, diag.Say("history-has-system"), "say-in-system-text")
			continue
		}
		if now.role == last.role {
			a.sameRole(s, last, now)
		}
		last = now
	}
}

// sameRole reports two neighbours of one role, at least one of which somebody
// said.
func (a *breaches) sameRole(s *spoken, last, now turn) {
	role := string(now.role)
	switch {
	case now.said == nil:
		a.add(s, alternation, breachOf{last.said.Role.At, wrongLast}, diag.Say("ends-with-role", last.where, role), "end-with-assistant")
	case last.said == nil:
		a.add(s, alternation, breachOf{now.said.Role.At, wrongFirst}, diag.Say("begins-with-role", now.where, role), "begin-with-user")
	default:
		message := diag.Say("two-follow-in", role, now.where)
		if last.where.Compare(now.where) != 0 {
			message = diag.Say("two-follow-across", role, last.where, now.where)
		}
		a.add(s, alternation, breachOf{now.said.Role.At, wrongNext}, message, "join-two-messages")
	}
}

// opinion is what a dialect thinks of something.
type opinion int

// The opinions.
const (
	takesIt opinion = iota
	advisesAgainst
	refusesIt
)

func alternation(d *prompt.Dialect) (opinion, diag.Code) {
	if d.MustAlternate {
		return refusesIt, diag.BrokenAlternation
	}
	return advisesAgainst, diag.BrokenAlternation
}

func midway(d *prompt.Dialect) (opinion, diag.Code) {
	switch d.Midway {
	case prompt.MidwayRefused, prompt.MidwaySome:
		return refusesIt, diag.SystemMidway
	case prompt.MidwayAdvised:
		return advisesAgainst, diag.SystemMidway
	case prompt.MidwayKept:
	}
	return takesIt, diag.SystemMidway
}

// add records a breach with the dialects that mind it, if any does.
func (a *breaches) add(s *spoken, ask func(*prompt.Dialect) (opinion, diag.Code), key breachOf, message diag.Words, hint string) {
	for _, d := range s.dialects {
		minds, code := ask(d)
		if !d.JSON || minds == takesIt {
			continue
		}
		br := a.known[key]
		if br == nil {
			br = &breach{code: code, at: key.at, message: message, hint: diag.Say(hint), refuse: map[string]bool{}, advise: map[string]bool{}}
			if a.counted && code == diag.BrokenAlternation {
				br.hint = diag.Say("and-counted-from-0", br.hint)
			}
			a.known[key] = br
			a.list = append(a.list, br)
		}
		if minds == refusesIt {
			br.refuse[d.Name] = true
		} else {
			br.advise[d.Name] = true
		}
	}
}

// finding says who minds: those that refuse, else those that advise.
func (br *breach) finding() diag.Diagnostic {
	d := diag.New(br.code, br.at, "and-also", br.message, br.objection())
	d.Hint = br.hint
	if len(br.refuse) == 0 {
		d.Level = diag.Warning
	}
	return d
}

// objection says for whom it is wrong.
func (br *breach) objection() diag.Words {
	dialects := inOrder(br.refuse)
	if len(dialects) == 0 {
		dialects = inOrder(br.advise)
	}
	switch {
	case br.code == diag.SystemMidway: // of one provider it depends on the model
		return diag.Say("may-be-refused-inside", diag.Names(dialects))
	case len(br.refuse) == 0:
		return diag.Say("models-expect-turns")
	default:
		return diag.Say("roles-take-turns-in", diag.Names(dialects))
	}
}

// inOrder gives names of dialects in the order of the documentation.
func inOrder(names map[string]bool) []string {
	var out []string
	for _, d := range prompt.Dialects {
		if names[d.Name] {
			out = append(out, d.Name)
		}
	}
	return out
}
