package resolve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// breach is something about a history that dialects object to.
type breach struct {
	code    diag.Code
	at      diag.Span
	message string // what is the case
	hint    string
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
	where string // the stretch of the history
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
	history := func(where string, stretch []int) {
		for _, n := range stretch {
			said := &d.Conversation.History[n]
			out = append(out, turn{prompt.Role(said.Role.Str), said, where})
		}
	}
	for i, t := range d.Tiers {
		pair(i > 0 && len(t.Symbols)+len(t.Files) > 0)
		history(fmt.Sprintf("the history of tier L%d", i), t.History)
	}
	pair(!d.Flat && len(d.Symbols) > 0)
	pair(len(d.Tree) > 0)
	pair(len(d.Conversation.URLs) > 0)
	pair(d.Conversation.Review != nil)
	pair(len(d.Working) > 0)
	rest := "the history outside the tiers"
	if d.Flat {
		rest = "the history"
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
			a.add(s, midway, breachOf{now.said.Role.At, wrongRole}, "the history has a message of \"system\"",
				"say it in the system text, or as the user")
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
	role := strconv.Quote(string(now.role))
	switch {
	case now.said == nil:
		a.add(s, alternation, breachOf{last.said.Role.At, wrongLast}, last.where+" ends with "+role,
			"end with the assistant, since the user speaks next; what is asked now is the prompt")
	case last.said == nil:
		a.add(s, alternation, breachOf{now.said.Role.At, wrongFirst}, now.where+" begins with "+role,
			"begin with the user; a question and its answer belong to one tier")
	default:
		where := " in " + now.where
		if last.where != now.where {
			where = ", the last of " + last.where + " and the first of " + now.where
		}
		a.add(s, alternation, breachOf{now.said.Role.At, wrongNext}, "two messages of "+role+" follow each other"+where,
			"join the two, or put what was said between them into the same place")
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
func (a *breaches) add(s *spoken, ask func(*prompt.Dialect) (opinion, diag.Code), key breachOf, message, hint string) {
	for _, d := range s.dialects {
		minds, code := ask(d)
		if !d.JSON || minds == takesIt {
			continue
		}
		br := a.known[key]
		if br == nil {
			if a.counted && code == diag.BrokenAlternation {
				hint += "; messages are counted from 0"
			}
			br = &breach{code: code, at: key.at, message: message, hint: hint, refuse: map[string]bool{}, advise: map[string]bool{}}
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
	d := diag.New(br.code, br.at, "and-also", br.message, br.objection()).WithHint("%s", br.hint)
	if len(br.refuse) == 0 {
		d.Level = diag.Warning
	}
	return d
}

// objection says what is wrong about it, and for whom.
func (br *breach) objection() string {
	strict, mild := inOrder(br.refuse), inOrder(br.advise)
	switch {
	case br.code == diag.SystemMidway && len(strict) == 0:
		return "which some programs that speak " + list(mild) + " refuse"
	case br.code == diag.SystemMidway:
		return "and " + fewModels(strict) + " inside a conversation"
	case len(strict) == 0:
		return "while models expect roles that take turns"
	case len(strict) == 1:
		return "while the dialect " + list(strict) + " asks for roles that take turns"
	default:
		return "while the dialects " + list(strict) + " ask for roles that take turns"
	}
}

// fewModels says who takes no system message. Of one provider it depends on
// the model.
func fewModels(dialects []string) string {
	var who []string
	verb := " take none"
	for _, name := range dialects {
		if d, _ := prompt.LookupDialect(name); d.Midway == prompt.MidwaySome {
			who = append(who, "most models of "+strconv.Quote(name))
			continue
		}
		who = append(who, "the dialect "+strconv.Quote(name))
		if len(dialects) == 1 {
			verb = " takes none"
		}
	}
	return strings.Join(who, " and ") + verb
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
