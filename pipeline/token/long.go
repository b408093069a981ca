package token

import "container/heap"

// longRun is the length in bytes from which a text without a safe cut is
// not given to the library, whose merging is quadratic: 100 KB of one character
// take it seconds, 1 MB minutes. It is counted by the same method with a heap.
const longRun = 2048

// hasLongRun reports whether a text has so long a stretch without a safe cut.
// Without a rule for cuts every long text counts as one.
func hasLongRun(text string, safe cutRule) bool {
	if len(text) < longRun {
		return false
	}
	if safe == nil {
		return true
	}
	for len(text) >= longRun {
		cut := safe.firstCut(text)
		if cut < 0 || cut >= longRun {
			return true
		}
		text = text[cut:]
	}
	return false
}

// merger holds a piece as a list of parts, each named by its first byte.
type merger struct {
	piece      string
	ranks      map[string]int
	next, prev []int
	gone       []bool
	queue      pairs
}

func newMerger(piece string, ranks map[string]int) *merger {
	m := &merger{piece: piece, ranks: ranks, next: make([]int, len(piece)), prev: make([]int, len(piece)), gone: make([]bool, len(piece))}
	for i := range len(piece) {
		m.next[i], m.prev[i] = i+1, i-1
	}
	for i := range len(piece) {
		m.offer(i)
	}
	heap.Init(&m.queue)
	return m
}

// pair is two neighbouring parts that are a token together.
type pair struct{ rank, start, end int }

// pairs is a heap: the lowest rank first, of equals the leftmost.
type pairs []pair

func (p pairs) Len() int { return len(p) }
func (p pairs) Less(i, j int) bool {
	return p[i].rank < p[j].rank || p[i].rank == p[j].rank && p[i].start < p[j].start
}
func (p pairs) Swap(i, j int) { p[i], p[j] = p[j], p[i] }

// Push appends for the heap.
func (p *pairs) Push(x any) {
	if v, ok := x.(pair); ok {
		*p = append(*p, v)
	}
}

// Pop removes the last for the heap.
func (p *pairs) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

// candidate gives the pair that begins with a part, if the two are a token.
func (m *merger) candidate(start int) (pair, bool) {
	middle := m.next[start]
	if middle >= len(m.piece) {
		return pair{}, false
	}
	end := m.next[middle]
	rank, ok := m.ranks[m.piece[start:end]]
	return pair{rank, start, end}, ok
}

func (m *merger) offer(start int) {
	if p, ok := m.candidate(start); ok {
		m.queue = append(m.queue, p)
	}
}

// run merges until no two neighbours are a token.
func (m *merger) run() {
	for len(m.queue) > 0 {
		p, ok := heap.Pop(&m.queue).(pair)
		if now, still := m.candidate(p.start); !ok || m.gone[p.start] || !still || now.end != p.end {
			continue // one of the two was merged with another meanwhile
		}
		middle := m.next[p.start]
		m.gone[middle] = true
		m.next[p.start] = p.end
		if p.end < len(m.piece) {
			m.prev[p.end] = p.start
		}
		for _, start := range []int{p.start, m.prev[p.start]} {
			if start >= 0 {
				if c, ok := m.candidate(start); ok {
					heap.Push(&m.queue, c)
				}
			}
		}
	}
}
