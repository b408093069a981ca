package textdiff

import (
	"encoding/binary"
	"strings"
)

// None stands for no line.
const None = -1

// Atom is the least that can change: a line that is gone, one that came, or one
// that came of another. Of lines that say nothing, such as blank ones, the one
// behind another atom is told from the one behind a third.
type Atom struct {
	Removed, Added int32 // None for no line
	after          int
}

// Atom gives the atom of a number.
func (t *Table) Atom(n int) Atom { return t.atomAt[n] }

// maxAlike is the most pairs of lines that are looked at for which line came of
// which.
const maxAlike = 40_000

// says gives the lines of an atom that say something, by sign.
func (t *Table) says(a Atom) [][2]int32 {
	var out [][2]int32
	for sign, line := range []int32{a.Removed, a.Added} {
		if line != None && !t.Weak(line) {
			out = append(out, [2]int32{int32(sign), line})
		}
	}
	return out
}

// Apart gives the atoms, by number, of some lines: those that are alike are one.
func (t *Table) Apart(g Gap, base, head *Text) []int {
	var out []int
	last := None
	add := func(removed, added int32) {
		a := Atom{Removed: removed, Added: added, after: None}
		if len(t.says(a)) == 0 {
			a.after = last
		}
		n, known := t.atoms[a]
		if !known {
			n = len(t.atomAt)
			t.atoms[a] = n
			t.atomAt = append(t.atomAt, a)
		}
		out, last = append(out, n), n
	}
	i, k := g.Base, g.Head
	for _, p := range t.alike(base.IDs[g.Base:g.BaseEnd], head.IDs[g.Head:g.HeadEnd]) {
		for ; i < g.Base+p[0]; i++ {
			add(base.IDs[i], None)
		}
		for ; k < g.Head+p[1]; k++ {
			add(None, head.IDs[k])
		}
		add(base.IDs[i], head.IDs[k])
		i, k = i+1, k+1
	}
	for ; i < g.BaseEnd; i++ {
		add(base.IDs[i], None)
	}
	for ; k < g.HeadEnd; k++ {
		add(None, head.IDs[k])
	}
	return out
}

// alike pairs lines, by index, where one became the other: in order, and so that
// they share as many words as possible.
func (t *Table) alike(gone, came []int32) [][2]int {
	if len(gone) == 0 || len(came) == 0 || len(gone)*len(came) > maxAlike {
		return nil
	}
	best := make([][]float64, len(gone)+1)
	for i := range best {
		best[i] = make([]float64, len(came)+1)
	}
	for i := len(gone) - 1; i >= 0; i-- {
		for k := len(came) - 1; k >= 0; k-- {
			best[i][k] = max(best[i+1][k], best[i][k+1])
			if s := t.share(gone[i], came[k]); s > 0 {
				best[i][k] = max(best[i][k], s+best[i+1][k+1])
			}
		}
	}
	var out [][2]int
	for i, k := 0, 0; i < len(gone) && k < len(came); {
		switch best[i][k] {
		case best[i+1][k]:
			i++
		case best[i][k+1]:
			k++
		default:
			out = append(out, [2]int{i, k})
			i, k = i+1, k+1
		}
	}
	return out
}

// share gives how much of what two lines say is the same, 0 for less than half.
func (t *Table) share(a, b int32) float64 {
	key := [2]int32{a, b}
	if s, known := t.shares[key]; known {
		return s
	}
	left := map[string]int{}
	n := 0
	for word := range strings.FieldsSeq(t.Line(a)) {
		left[word]++
		n++
	}
	same := 0
	for word := range strings.FieldsSeq(t.Line(b)) {
		if left[word]--; left[word] >= 0 {
			same++
		}
		n++
	}
	out := 0.0
	if s := 2 * float64(same) / float64(max(n, 1)); s >= 0.5 {
		out = s
	}
	t.shares[key] = out
	return out
}

// What differs at one place is one edit where it differs alike everywhere. Where
// variants have other lines beside the same ones, the place is cut, so that what
// they share is said once: but no more often than it has to, since lines that
// stand together are read together.

// repeated is how many lines may be said for each distinct one before more cuts
// are made, as a percentage.
const repeated = 115

// runs are the lengths that what two places share must have to be cut out, from
// the one that cuts least; 0 cuts nothing.
var runs = []int{0, 8, 4, 2, 1}

// sequence is a distinct list of atoms.
type sequence struct {
	list []int
	cut  []bool // says before which atoms it is cut
	free bool   // it cuts nothing
}

// Cuts gives, for each of some places with the atoms that differ there, before
// which of them another edit begins. A free place is not cut, and does not decide
// where others are cut: only variants that are gone have it.
func (t *Table) Cuts(places [][]int, free []bool) [][]bool {
	var binding []*sequence
	known := map[string]*sequence{}
	out := make([][]bool, len(places))
	for i, list := range places {
		key := Key(list)
		s := known[key]
		if s == nil {
			s = &sequence{list: list, cut: make([]bool, len(list)), free: true}
			known[key] = s
		}
		if s.free && !free[i] {
			s.free = false
			binding = append(binding, s)
		}
		out[i] = s.cut
	}
	for _, related := range t.related(binding) {
		t.cutRelated(related)
	}
	return out
}

// Key gives a string that only equal lists of numbers have.
func Key[number int | int32](list []number) string {
	key := make([]byte, 0, 4*len(list))
	for _, n := range list {
		key = binary.BigEndian.AppendUint32(key, uint32(n))
	}
	return string(key)
}

// related divides sequences into those that have an atom in common that says
// something, at whatever remove.
func (t *Table) related(all []*sequence) [][]*sequence {
	first := map[int]int{} // the sequence that an atom was met in
	group := make([]int, len(all))
	find := func(i int) int {
		for group[i] != i {
			group[i] = group[group[i]]
			i = group[i]
		}
		return i
	}
	for i, s := range all {
		group[i] = i
		for _, n := range s.list {
			if len(t.says(t.atomAt[n])) == 0 {
				continue
			}
			if k, met := first[n]; met {
				if x, y := find(k), find(i); x != y {
					group[max(x, y)] = min(x, y)
				}
			} else {
				first[n] = i
			}
		}
	}
	var out [][]*sequence
	at := map[int]int{}
	for i, s := range all {
		root := find(i)
		k, met := at[root]
		if !met {
			k = len(out)
			at[root] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], s)
	}
	return out
}

// cutRelated cuts sequences as little as keeps what is said twice within bounds.
func (t *Table) cutRelated(all []*sequence) {
	distinct := map[[2]int32]bool{}
	for _, s := range all {
		for _, n := range s.list {
			for _, line := range t.says(t.atomAt[n]) {
				distinct[line] = true
			}
		}
	}
	for _, length := range runs {
		cutAt(all, length)
		if t.saidLines(all)*100 <= len(distinct)*repeated {
			return
		}
	}
}

// saidLines counts the lines that say something of the distinct pieces of some sequences.
func (t *Table) saidLines(all []*sequence) int {
	n := 0
	known := map[string]bool{}
	for _, s := range all {
		for from := 0; from < len(s.list); {
			to := from + 1
			for to < len(s.list) && !s.cut[to] {
				to++
			}
			if key := Key(s.list[from:to]); !known[key] {
				known[key] = true
				for _, at := range s.list[from:to] {
					n += len(t.says(t.atomAt[at]))
				}
			}
			from = to
		}
	}
	return n
}

// The ends of a sequence, and what differs from place to place.
const (
	noAtom  = -1
	several = -2
)

// neighbours are the atoms beside a run in all that have it, and the last of these.
type neighbours struct{ before, behind, last int }

// at gives an atom of a sequence, noAtom beyond its ends.
func (s *sequence) at(i int) int {
	if i < 0 || i >= len(s.list) {
		return noAtom
	}
	return s.list[i]
}

// cutAt cuts sequences where a run of so many atoms that several of them have
// ends or begins in one of these, and goes on in another.
func cutAt(all []*sequence, length int) {
	grams := map[string]*neighbours{}
	for n, s := range all {
		clear(s.cut)
		if length == 0 {
			continue
		}
		for i := 0; i+length <= len(s.list); i++ {
			key := Key(s.list[i : i+length])
			before, behind := s.at(i-1), s.at(i+length)
			g := grams[key]
			switch {
			case g == nil:
				grams[key] = &neighbours{before, behind, n}
			case g.last == n && len(s.list) > length: // again in the same sequence
			default:
				if g.before != before {
					g.before = several
				}
				if g.behind != behind {
					g.behind = several
				}
			}
		}
	}
	if length == 0 {
		return
	}
	for _, s := range all {
		for i := 0; i+length <= len(s.list); i++ {
			g := grams[Key(s.list[i:i+length])]
			if g.before == several {
				s.cut[i] = true
			}
			if g.behind == several && i+length < len(s.list) {
				s.cut[i+length] = true
			}
		}
	}
}
