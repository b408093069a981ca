package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// slotWorths gives what the slot of each name may grow to: in the head, else in
// the base. What a slot is declared to be is an edit of its own.
func slotWorths(base, head *prompt.Result) map[string]int {
	out := map[string]int{}
	for _, side := range []*prompt.Result{base, head} {
		for _, s := range slotsOf(side) {
			out[s.Name.Str] = s.MaxTokens
		}
	}
	return out
}

// worth adds up what some slots may grow to.
func (r *run) worth(slots []prompt.SlotAt) int {
	n := 0
	for _, at := range slots {
		n += r.worths[at.Slot.Name.Str]
	}
	return n
}

// use counts a text of a change, with what its slots may grow to. A name in
// braces counts where either side has it as a slot: see slotPlaces.
func (r *run) use(count func(string) int, c *change, text string) int {
	n := count(text)
	for _, name := range slotNames(c.base, c.head) {
		n += strings.Count(text, "{{"+name+"}}") * r.worths[name]
	}
	return n
}

// slotNames gives the slots of some renderings by name, each once.
func slotNames(of ...*prompt.Rendering) []string {
	var out []string
	for _, x := range of {
		if x == nil {
			continue
		}
		for _, at := range x.Slots {
			if name := at.Slot.Name.Str; !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// slotsNamed gives the places of a slot in a rendering.
func slotsNamed(x *prompt.Rendering, name string) []prompt.SlotAt {
	if x == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(x.Slots), func(at prompt.SlotAt) bool { return at.Slot.Name.Str != name })
}

// slotPlaceKey groups slots that a section emits now, or no longer, or at more
// or fewer places while its text has the name as often.
type slotPlaceKey struct {
	section        place
	name, from, to string
}

// slotPlaces finds the slots that come into sections or go. What is declared on
// one side only is said once.
func (r *run) slotPlaces(declared []slotPair) {
	said := map[string]bool{}
	for i := range declared {
		if d := &declared[i]; d.was == nil || d.is == nil {
			said[d.edit.Name] = true
		}
	}
	for _, p := range r.pairs {
		if p.recut() {
			continue
		}
		for _, s := range p.sections {
			for _, t := range p.twins {
				was, is := t.used(s)
				if !t.both() || was == is {
					continue
				}
				for _, name := range slotNames(was, is) {
					if !said[name] {
						r.slotPlace(t, s, name, [2]*prompt.Rendering{was, is})
					}
				}
			}
		}
	}
}

// slotPlace compares the places of one slot in a section of a variant.
func (r *run) slotPlace(t twin, s *section, name string, of [2]*prompt.Rendering) {
	was, is := slotsNamed(of[0], name), slotsNamed(of[1], name)
	more := 0 // places that the text does not show
	if of[0] != nil && of[1] != nil {
		spelled := "{{" + name + "}}"
		more = len(is) - len(was) - strings.Count(of[1].Text.Str, spelled) + strings.Count(of[0].Text.Str, spelled)
	}
	if (len(was) == 0) == (len(is) == 0) && more == 0 {
		return
	}
	key := slotPlaceKey{placeOf(s.spec().ID.At), name, placesWords(len(was)), placesWords(len(is))}
	e := r.group(key, func() *prompt.Edit {
		e := &prompt.Edit{Kind: prompt.SlotChanged, Section: s.id, Name: name, From: key.from, To: key.to, At: s.spec().ID.At, InBase: s.head < 0}
		var at diag.Span
		if len(is) > 0 {
			at = of[1].Text.Span(is[0].Start, is[0].End)
		}
		if at.Known() {
			e.At, e.InBase = at, false
		}
		return e
	})
	if more != 0 {
		reachBy(e, t, more*r.worths[name])
	} else {
		reach(e, t) // other edits have its size
	}
}

func placesWords(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 place"
	default:
		return strconv.Itoa(n) + " places"
	}
}

// forced says that a budget made a section step down its ladder.
func (c *change) forced() string {
	if c.head.Unit.Step != "" && c.base.Unit.Step == "" {
		return " (budget)"
	}
	return ""
}

// reachBeside adds to an edit of a form the schemas that go beside the text in
// one form and not in the other. Tools that came, went or changed have edits
// with theirs.
func (r *run) reachBeside(c *change, u *use, e *prompt.Edit) {
	if c.base.Beside == c.head.Beside {
		return
	}
	x, sign := c.head, 1
	if c.base.Beside {
		x, sign = c.base, -1
	}
	for _, t := range u.twins {
		tools := slices.DeleteFunc(slices.Clone(x.Tools), func(tool *prompt.Tool) bool {
			return toolOf(t.base, tool.Name) == nil || toolOf(t.head, tool.Name) == nil
		})
		if len(tools) > 0 {
			reachBy(e, t, sign*r.count(t.head.Variant.Tokenizer)(schemaList(tools)))
		}
	}
}
