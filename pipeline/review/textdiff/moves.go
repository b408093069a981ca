package textdiff

// Move is a run of lines that stands elsewhere now: Count lines from the line
// Base of the old text on, from the line Head of the new one on. Lines count
// from 0.
type Move struct{ Base, Head, Count int }

const (
	// movedWords is how many words a line or a run of lines has at least that is
	// said to have moved: shorter ones are alike by chance.
	movedWords = 3
	// maxPlaces is how many of the places that a line came from are looked at
	// for the one with the longest run.
	maxPlaces = 32
)

// Moves finds the lines that one text has no more at their place, and the other
// has at another: no line of three or more words is left both removed and
// added. words gives the number of words of a line. The moves are in the order
// of the new text.
func Moves(a, b []int32, stays []int, words func(line int32) int) []Move {
	m := mover{a: a, b: b, gone: make([]bool, len(a)), come: make([]bool, len(b)), words: words}
	for i := range b {
		m.come[i] = true
	}
	for i, k := range stays {
		if k < 0 {
			m.gone[i] = true
		} else {
			m.come[k] = false
		}
	}
	places := map[int32][]int{}
	for i, line := range a {
		if m.gone[i] {
			places[line] = append(places[line], i)
		}
	}
	var out []Move
	for k := range b {
		if !m.come[k] || words(b[k]) == 0 {
			continue // a run begins with a line that is not blank
		}
		best := m.best(k, places)
		if best.Count == 0 {
			continue
		}
		for n := range best.Count {
			m.gone[best.Base+n], m.come[best.Head+n] = false, false
		}
		out = append(out, best)
	}
	return out
}

type mover struct {
	a, b       []int32
	gone, come []bool // not matched, nor moved
	words      func(int32) int
}

// best gives the longest run that the line k of b may be the first word of,
// with a Count of 0 for none.
func (m *mover) best(k int, places map[int32][]int) Move {
	var best Move
	looked := 0
	for _, i := range places[m.b[k]] {
		if !m.gone[i] {
			continue
		}
		n, words := 0, 0
		for i+n < len(m.a) && k+n < len(m.b) && m.gone[i+n] && m.come[k+n] && m.a[i+n] == m.b[k+n] {
			words += m.words(m.b[k+n])
			n++
		}
		if words >= movedWords && n > best.Count {
			best = Move{Base: i, Head: k, Count: n}
		}
		if looked++; looked == maxPlaces {
			break
		}
	}
	return best
}
