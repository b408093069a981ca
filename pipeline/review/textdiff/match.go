package textdiff

import "slices"

// maxCost bounds the work that one comparison takes to be minimal: the product
// of how far the search goes and how often. Beyond it the texts are compared
// between the lines that each has once.
const maxCost = 40_000_000

// Match gives for each line of a the line of b that it stays as, -1 for none:
// the most lines that stand in both in the same order, so that no shorter
// difference is possible. Lines are compared by their numbers. Where texts are
// too long and too different for that, fewer lines may stay: then approximate
// is true.
//
// The algorithm is the one of Myers, "An O(ND) Difference Algorithm and Its
// Variations" (1986), in its linear space form.
//
// Where lines could as well have come or gone a little above or below, they begin
// with a heading, or else with a line that says something: weight gives 2 and 1
// for these, and 0 for others.
func Match(a, b []int32, weight func(line int32) int) (stays []int, approximate bool) {
	m := &matcher{a: a, b: b, stays: make([]int, len(a)), left: maxCost}
	for i := range m.stays {
		m.stays[i] = -1
	}
	m.between(0, len(a), 0, len(b))
	comes := make([]int, len(b))
	for i := range comes {
		comes[i] = -1
	}
	for i, k := range m.stays {
		if k >= 0 {
			comes[k] = i
		}
	}
	slide(b, comes, m.stays, weight)
	slide(a, m.stays, comes, weight)
	return m.stays, m.gaveUp
}

// slide moves each run of lines that one side alone has, and that could as well
// stand above or below: to where it begins with the line that says most, behind
// one that says nothing. Of equal places the lowest counts. to and back say
// which lines of the two sides are the same.
func slide(lines []int32, to, back []int, weight func(line int32) int) {
	for end := 0; end < len(lines); {
		start := end
		for end < len(lines) && to[end] < 0 {
			end++
		}
		if start == end {
			end++
			continue
		}
		n := end - start
		alone := func(at int) bool { // nothing of the other side differs at a place of that side
			return (at == 0 || back[at-1] >= 0) && (at == len(back) || back[at] >= 0)
		}
		up, down := 0, 0
		for at := start - 1; at >= 0 && to[at] >= 0 && lines[at] == lines[at+n] && alone(to[at]) && alone(to[at]+1); at-- {
			up++
		}
		for at := end; at < len(lines) && to[at] >= 0 && lines[at] == lines[at-n] && alone(to[at]) && alone(to[at]+1); at++ {
			down++
		}
		best := bestPlace(lines, start, up, down, weight)
		for ; best > 0; best-- { // the first of the run stays, the next joins it
			to[start], to[end], back[to[end]] = to[end], -1, start
			start, end = start+1, end+1
		}
		for ; best < 0; best++ {
			start, end = start-1, end-1
			to[end], to[start], back[to[start]] = to[start], -1, end
		}
		for end < len(lines) && to[end] < 0 {
			end++ // met the next run
		}
	}
}

// bestPlace says by how many lines a run is best moved, of so many up and down.
func bestPlace(lines []int32, start, up, down int, weight func(line int32) int) int {
	best, most := 0, -1
	for by := down; by >= -up; by-- {
		score := 2 * weight(lines[start+by])
		if start+by == 0 || weight(lines[start+by-1]) == 0 {
			score++
		}
		if score > most {
			best, most = by, score
		}
	}
	return best
}

type matcher struct {
	a, b   []int32
	stays  []int
	left   int // what of maxCost is left
	gaveUp bool
	// forward and backward hold the furthest points of each diagonal.
	forward, backward []int
}

// between matches a[i:j] with b[k:l].
func (m *matcher) between(i, j, k, l int) {
	for i < j && k < l && m.a[i] == m.b[k] {
		m.stays[i] = k
		i, k = i+1, k+1
	}
	for i < j && k < l && m.a[j-1] == m.b[l-1] {
		j, l = j-1, l-1
		m.stays[j] = l
	}
	if i == j || k == l {
		return
	}
	x, y, ok := m.middle(i, j, k, l)
	if !ok {
		m.gaveUp = true
		m.anchored(i, j, k, l)
		return
	}
	m.between(i, x, k, y)
	m.between(x, j, y, l)
}

// middle gives a point that a shortest path goes through, by searches from both
// ends that meet.
func (m *matcher) middle(i, j, k, l int) (x, y int, ok bool) {
	n, o := j-i, l-k
	size := 2*(n+o) + 3
	if cap(m.forward) < size {
		m.forward, m.backward = make([]int, size), make([]int, size)
	}
	f, g := m.forward[:size], m.backward[:size]
	zero := n + o + 1
	delta := n - o
	f[zero+1], g[zero+1] = 0, 0
	for d := 0; d <= (n+o+1)/2; d++ {
		if m.left -= 2*d + 2; m.left < 0 {
			return 0, 0, false
		}
		for c := -d; c <= d; c += 2 {
			x := furthest(f, zero+c, c == -d, c == d)
			y := x - c
			if x > n || y > o || y < 0 {
				f[zero+c] = x
				continue
			}
			x += alikeAtStart(m.a[i+x:j], m.b[k+y:l])
			f[zero+c] = x
			if back := delta - c; delta%2 != 0 && back >= 1-d && back <= d-1 && x+g[zero+back] >= n {
				return i + x, k + x - c, true
			}
		}
		for c := -d; c <= d; c += 2 {
			x := furthest(g, zero+c, c == -d, c == d)
			y := x - c
			if x > n || y > o || y < 0 {
				g[zero+c] = x
				continue
			}
			x += alikeAtEnd(m.a[i:j-x], m.b[k:l-y])
			g[zero+c] = x
			if ahead := delta - c; delta%2 == 0 && ahead >= -d && ahead <= d && x+f[zero+ahead] >= n {
				return j - x, l - (x - c), true
			}
		}
	}
	return 0, 0, false
}

// alikeAtStart and alikeAtEnd count the lines that two lists begin or end with.
func alikeAtStart(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func alikeAtEnd(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// furthest gives how far a diagonal goes from the better of its neighbours.
func furthest(v []int, at int, lowest, highest bool) int {
	if lowest || !highest && v[at-1] < v[at+1] {
		return v[at+1]
	}
	return v[at-1] + 1
}

// anchored matches a[i:j] with b[k:l] by the lines that each has once and that
// stand in the same order, and by what is alike next to them.
func (m *matcher) anchored(i, j, k, l int) {
	type count struct{ inA, inB, of int }
	counts := map[int32]*count{}
	for x := i; x < j; x++ {
		c := counts[m.a[x]]
		if c == nil {
			c = &count{}
			counts[m.a[x]] = c
		}
		c.inA++
	}
	for y := k; y < l; y++ {
		if c := counts[m.b[y]]; c != nil {
			c.inB, c.of = c.inB+1, y
		}
	}
	var from, to []int
	for x := i; x < j; x++ {
		if c := counts[m.a[x]]; c.inA == 1 && c.inB == 1 {
			from, to = append(from, x), append(to, c.of)
		}
	}
	for _, n := range LongestRun(to) {
		x, y := from[n], to[n]
		if x < i || y < k {
			continue // a line beside the anchor before took it
		}
		for x > i && y > k && m.a[x-1] == m.b[y-1] {
			x, y = x-1, y-1
		}
		for x < j && y < l && m.a[x] == m.b[y] {
			m.stays[x] = y
			x, y = x+1, y+1
		}
		i, k = x, y
	}
}

// LongestRun gives the indices of the most numbers that ascend, of equals the
// ones that end lowest.
func LongestRun(numbers []int) []int {
	var ends []int // the index of the lowest number with which a run of each length ends
	before := make([]int, len(numbers))
	for i, n := range numbers {
		at, _ := slices.BinarySearchFunc(ends, n, func(e, n int) int { return numbers[e] - n })
		before[i] = -1
		if at > 0 {
			before[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		} else {
			ends[at] = i
		}
	}
	out := make([]int, len(ends))
	if len(ends) == 0 {
		return out
	}
	for i, n := len(ends)-1, ends[len(ends)-1]; i >= 0; i-- {
		out[i], n = n, before[n]
	}
	return out
}
