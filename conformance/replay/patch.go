package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// pair is a text that was, and what it is now.
type pair struct {
	Prompt      string
	Base, Head  *named
	Variants    []string
	Hunks       []hunk
	Moves       []move
	Approximate bool
}

// named is the variant whose text it is.
type named struct{ Prompt, Variant string }

// hunk is a place at which an edit stands, by lines counted from 1.
type hunk struct {
	Edit     int
	BaseLine int `json:"base_line"`
	HeadLine int `json:"head_line"`
}

// move is a run of lines that stand elsewhere now.
type move struct {
	BaseLine int `json:"base_line"`
	HeadLine int `json:"head_line"`
	Count    int
}

// name gives the variant as promptc list prints it.
func (v named) name() string {
	if v.Prompt == "" || v.Variant == v.Prompt || strings.HasPrefix(v.Variant, v.Prompt+"/") {
		return v.Variant
	}
	return strings.TrimSuffix(v.Prompt+"/"+v.Variant, "/")
}

func (p pair) String() string {
	name := func(v *named) string {
		if v == nil {
			return "nothing"
		}
		return v.name()
	}
	return name(p.Base) + " → " + name(p.Head)
}

// holds applies the hunks and moves to the base's text, and says where that is
// not the head's.
func (p pair) holds(was, now string, edits []edit) error {
	base := linesOf(was)
	gone := make([]bool, len(base))
	placed := map[int]string{} // by the head's lines, from 0
	take := func(at int) (string, error) {
		if at < 0 || at >= len(base) || gone[at] {
			return "", fmt.Errorf("line %d of the base is not there to be taken, or taken twice", at+1)
		}
		gone[at] = true
		return base[at], nil
	}
	put := func(at int, line string) error {
		if _, twice := placed[at]; twice || at < 0 {
			return fmt.Errorf("line %d of the head is given twice", at+1)
		}
		placed[at] = line
		return nil
	}
	for _, h := range p.Hunks {
		if h.Edit < 0 || h.Edit >= len(edits) {
			return fmt.Errorf("there is no edit %d", h.Edit)
		}
		for i, line := range edits[h.Edit].Removed {
			if had, err := take(h.BaseLine - 1 + i); err != nil || had != line {
				return errors.Join(err, fmt.Errorf("edit %d removes %q from line %d of the base, which is %q", h.Edit, line, h.BaseLine+i, had))
			}
		}
		for i, line := range edits[h.Edit].Added {
			if err := put(h.HeadLine-1+i, line); err != nil {
				return err
			}
		}
	}
	for _, m := range p.Moves {
		for i := range m.Count {
			line, err := take(m.BaseLine - 1 + i)
			if err := errors.Join(err, put(m.HeadLine-1+i, line)); err != nil {
				return err
			}
		}
	}
	if err := p.sameGaps(gone, placed); err != nil {
		return err
	}
	return sameText(assemble(base, gone, placed), linesOf(now))
}

// sameGaps holds that each hunk stands between the same two lines that stay on
// both sides.
func (p pair) sameGaps(gone []bool, placed map[int]string) error {
	for _, h := range p.Hunks {
		before, after := 0, h.HeadLine-1
		for at := range min(h.BaseLine-1, len(gone)) {
			if !gone[at] {
				before++
			}
		}
		for at := range h.HeadLine - 1 {
			if _, ok := placed[at]; ok {
				after--
			}
		}
		if before != after {
			return fmt.Errorf("edit %d stands behind %d lines of the base and %d of the head", h.Edit, before, after)
		}
	}
	return nil
}

// assemble puts the lines that stay around those that have a place.
func assemble(base []string, gone []bool, placed map[int]string) []string {
	var out []string
	next := 0
	for {
		for next < len(base) && gone[next] {
			next++
		}
		line, ok := placed[len(out)]
		switch {
		case ok:
			out = append(out, line)
		case next < len(base):
			out = append(out, base[next])
			next++
		default:
			return out
		}
	}
}

func sameText(got, want []string) error {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Errorf("%d lines of the head are missing, the first is %d: %q", len(want)-i, i+1, want[i])
		case i >= len(want):
			return fmt.Errorf("%d lines too many, the first is %q", len(got)-i, got[i])
		case got[i] != want[i]:
			return fmt.Errorf("line %d of the head is %q, and not %q", i+1, want[i], got[i])
		}
	}
	return nil
}

// lines gives what a pair removes and adds, without its moves.
func (p pair) lines(edits []edit) (removed, added []string) {
	for _, h := range p.Hunks {
		if h.Edit >= 0 && h.Edit < len(edits) { // holds says it where it is not
			removed = append(removed, edits[h.Edit].Removed...)
			added = append(added, edits[h.Edit].Added...)
		}
	}
	return removed, added
}

// masked reports whether a line of the pair is not printed as it is.
func (p pair) masked(edits []edit) bool {
	return slices.ContainsFunc(p.Hunks, func(h hunk) bool { return h.Edit >= 0 && h.Edit < len(edits) && edits[h.Edit].Masked })
}

// claims counts the lines that a pair has as removed, added or moved.
func (p pair) claims(edits []edit) int {
	removed, added := p.lines(edits)
	n := len(removed) + len(added)
	for _, m := range p.Moves {
		n += m.Count
	}
	return n
}

// both gives a line of three or more words that the pair removes and adds, which
// is a move that nobody said; "" for none.
func (p pair) both(edits []edit) string {
	removed, added := p.lines(edits)
	gone := map[string]bool{}
	for _, line := range removed {
		gone[line] = len(strings.Fields(line)) >= 3
	}
	for _, line := range added {
		if gone[line] {
			return line
		}
	}
	return ""
}
