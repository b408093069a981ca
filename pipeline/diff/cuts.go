package diff

import (
	"encoding/binary"
)

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

// sequence is a distinct list of atoms, with the places that have it.
type sequence struct {
	list []int
	of   []int // indices in run.found
	// cut says before which atoms it is cut. What only variants have that are gone
	// cuts nothing: it follows from that.
	cut  []bool
	gone bool
}

// cuts gives for each place before which of its atoms another edit begins.
func (r *run) cuts() [][]bool {
	var all, compared []*sequence // all, and those of a variant that is there
	known := map[string]*sequence{}
	for i := range r.found {
		key := keyOf(r.found[i].list)
		s := known[key]
		if s == nil {
			s = &sequence{list: r.found[i].list, cut: make([]bool, len(r.found[i].list)), gone: true}
			known[key] = s
			all = append(all, s)
		}
		if s.gone && r.found[i].c.head != nil {
			s.gone = false
			compared = append(compared, s)
		}
		s.of = append(s.of, i)
	}
	for _, related := range r.related(compared) {
		r.cutRelated(related)
	}
	out := make([][]bool, len(r.found))
	for _, s := range all {
		for _, i := range s.of {
			out[i] = s.cut
		}
	}
	return out
}

func keyOf[number int | int32](list []number) string {
	key := make([]byte, 0, 4*len(list))
	for _, n := range list {
		key = binary.BigEndian.AppendUint32(key, uint32(n))
	}
	return string(key)
}

// related divides sequences into those that have an atom in common that says
// something, at whatever remove.
func (r *run) related(all []*sequence) [][]*sequence {
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
			a := r.atomList[n]
			if (a.removed == none || r.lines.weak(a.removed)) && (a.added == none || r.lines.weak(a.added)) {
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
func (r *run) cutRelated(all []*sequence) {
	distinct := map[[2]int32]bool{}
	for _, s := range all {
		for _, n := range s.list {
			if a := r.atomList[n]; a.removed != none && !r.lines.weak(a.removed) {
				distinct[[2]int32{0, a.removed}] = true
			}
			if a := r.atomList[n]; a.added != none && !r.lines.weak(a.added) {
				distinct[[2]int32{1, a.added}] = true
			}
		}
	}
	for _, length := range runs {
		cutAt(all, length)
		if r.saidLines(all)*100 <= len(distinct)*repeated {
			return
		}
	}
}

// saidLines counts the lines that say something of the distinct pieces of some sequences.
func (r *run) saidLines(all []*sequence) int {
	n := 0
	known := map[string]bool{}
	for _, s := range all {
		for from := 0; from < len(s.list); {
			to := from + 1
			for to < len(s.list) && !s.cut[to] {
				to++
			}
			if key := keyOf(s.list[from:to]); !known[key] {
				known[key] = true
				for _, at := range s.list[from:to] {
					if a := r.atomList[at]; a.removed != none && !r.lines.weak(a.removed) {
						n++
					}
					if a := r.atomList[at]; a.added != none && !r.lines.weak(a.added) {
						n++
					}
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
		s.cut = make([]bool, len(s.list))
		if length == 0 {
			continue
		}
		for i := 0; i+length <= len(s.list); i++ {
			key := keyOf(s.list[i : i+length])
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
			g := grams[keyOf(s.list[i:i+length])]
			if g.before == several {
				s.cut[i] = true
			}
			if g.behind == several && i+length < len(s.list) {
				s.cut[i+length] = true
			}
		}
	}
}
