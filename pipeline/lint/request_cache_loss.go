package lint

import (
	"sort"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// loss counts what an artifact's volatile things take out of the cache.
type loss struct {
	a     *prompt.Artifact
	spots []spot
	last  place // the end of the last text that stays the same
	kept  place // the end of what the breakpoints could keep
	runs  []run // the lines that change before that, in order
}

// run is lines that change. The tokens are its own and those of the runs behind
// it.
type run struct {
	start, end place
	tokens     int
	exact      bool
}

func newLoss(a *prompt.Artifact, spots []spot, last place) *loss {
	l := &loss{a: a, spots: spots, last: last, kept: last}
	if n := len(a.Cache.Points); n > 0 {
		point := place{part: a.Cache.Points[n-1].Part}
		i := len(spots) - 1
		for i >= 0 && !spots[i].start.before(point) {
			i--
		}
		if i < 0 || spots[i].end.before(last) { // what follows up to the breakpoint is the layout's
			l.kept = point
		}
	}
	for _, sp := range spots {
		if n := len(l.runs); n > 0 && sp.start.before(l.runs[n-1].end) {
			continue // a line with several slots counts once
		}
		start, end := sp.lines(a)
		if !end.before(last) {
			break
		}
		n, exact := span(a, start, end)
		l.runs = append(l.runs, run{start, end, n, exact})
	}
	for i := len(l.runs) - 2; i >= 0; i-- {
		l.runs[i].tokens += l.runs[i+1].tokens
		l.runs[i].exact = l.runs[i].exact && l.runs[i+1].exact
	}
	return l
}

// behind counts the text behind a volatile thing that stays the same: what a
// provider that finds prefixes by itself does not find.
func (l *loss) behind(i int) (tokens int, exact bool) {
	tokens, exact = span(l.a, l.spots[i].end, l.last)
	for _, other := range l.spots[i+1:] { // what is volatile throughout could not be kept anyway
		if other.slot == nil && other.end.before(l.last) {
			n, _ := span(l.a, other.start, other.end)
			tokens -= n
		}
	}
	return tokens, exact
}

// between counts what stays the same from the last breakpoint before a volatile
// thing on: a prefix is found as a whole or not at all, with the tools and the
// text before the thing.
func (l *loss) between(i int) (tokens int, exact bool) {
	from, tools := writtenFrom(l.a, l.spots[i])
	tokens, exact = span(l.a, from, l.kept)
	tokens += tools
	if k := sort.Search(len(l.runs), func(k int) bool { return !l.runs[k].start.before(from) }); k < len(l.runs) {
		tokens, exact = tokens-l.runs[k].tokens, exact && l.runs[k].exact
	}
	return tokens, exact
}

// writtenFrom gives where the prefix begins that a volatile thing has written
// anew: behind the last breakpoint before it, else at the beginning, where the
// tools come first; these are the tokens.
func writtenFrom(a *prompt.Artifact, sp spot) (from place, tools int) {
	if dialectOf(a).CachesTools {
		tools = a.ToolTokens
	}
	for _, p := range a.Cache.Points {
		if p.Part <= sp.start.part {
			from, tools = place{part: p.Part}, 0
		}
	}
	return from, tools
}

// lines gives the whole lines that a volatile thing stands on.
func (sp spot) lines(a *prompt.Artifact) (start, end place) {
	start, end = sp.start, sp.end
	text := a.Parts[start.part].Text
	start.offset = strings.LastIndexByte(text[:start.offset], '\n') + 1
	if i := strings.IndexByte(text[end.offset:], '\n'); i >= 0 {
		end.offset += i + 1
	} else {
		end.offset = len(text)
	}
	return start, end
}

// span gives the tokens between two places.
func span(a *prompt.Artifact, from, to place) (tokens int, exact bool) {
	start, exact := tokensAt(a, from)
	end, known := tokensAt(a, to)
	return end - start, exact && known
}

// tokensAt gives the tokens up to a place. Inside a part the ledger has no
// figure; there the bytes tell the share.
func tokensAt(a *prompt.Artifact, at place) (tokens int, exact bool) {
	before := 0
	if at.part > 0 {
		before = a.Parts[at.part-1].Total
	}
	if at.offset == 0 { // also behind the last part
		return before, true
	}
	p := a.Parts[at.part]
	if at.offset == len(p.Text) {
		return p.Total, true
	}
	return before + (p.Total-before)*at.offset/len(p.Text), false
}
