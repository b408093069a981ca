package diff

import (
	"slices"
	"sort"
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/textdiff"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// lineTable numbers the distinct lines of all texts. A line has its terminator.
type lineTable struct {
	ids   map[string]int32
	text  []string
	words []int // in each line: what stands between blanks
	says  []bool
	bare  []int32 // the number of each line without its terminator
}

func (t *lineTable) id(line string) int32 {
	n, known := t.ids[line]
	if !known {
		n = int32(len(t.text)) // texts of 2 GiB are refused where they are read
		t.ids[line] = n
		t.text = append(t.text, line)
		t.words = append(t.words, len(strings.Fields(line)))
		t.says = append(t.says, hasWord(line))
		t.bare = append(t.bare, n)
		if bare := strings.TrimRight(line, "\r\n"); bare != line {
			t.bare[n] = t.id(bare)
		}
	}
	return n
}

// alike reports whether lines are the same but for their terminators.
func (t *lineTable) alike(a, b []int32) bool {
	return slices.EqualFunc(a, b, func(x, y int32) bool { return t.bare[x] == t.bare[y] })
}

// weight gives how much better a run of lines begins with one than with another.
func (t *lineTable) weight(line int32) int {
	switch {
	case t.weak(line):
		return 0
	case strings.HasPrefix(t.text[line], "#"):
		return 2
	default:
		return 1
	}
}

// weak reports whether a line says nothing: it is blank, a rule or a fence.
func (t *lineTable) weak(line int32) bool { return !t.says[line] }

func (t *lineTable) count(line int32) int { return t.words[line] }

// lined is a text by lines.
type lined struct {
	str string
	ids []int32
	// starts has the byte offset of each line, and the length.
	starts []int
	// headings are the Markdown headings above each line, once they are asked for.
	headings []string
}

// lined gives the text of an artifact by lines, which equal texts share; that of
// no artifact is empty.
func (r *run) lined(a *prompt.Artifact) *lined {
	if a == nil {
		return r.linesOf("")
	}
	if l := r.artifactLines[a]; l != nil {
		return l
	}
	runs := a.Runs()
	texts := make([]string, len(runs))
	for i, run := range runs {
		for _, p := range a.Parts[run.From:run.To] {
			texts[i] += p.Text
		}
	}
	l := r.linesOf(texts...)
	r.artifactLines[a] = l
	return l
}

// linesOf gives the lines of some texts that a provider gets one by one: no line
// goes on from one into the next.
func (r *run) linesOf(texts ...string) *lined {
	key := strings.Join(texts, "\x00")
	if l := r.textLines[key]; l != nil {
		return l
	}
	l := &lined{str: strings.Join(texts, ""), starts: []int{0}}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			l.ids = append(l.ids, r.lines.id(line))
			l.starts = append(l.starts, l.starts[len(l.starts)-1]+len(line))
		}
	}
	r.textLines[key] = l
	return l
}

// lineAt gives the line that an offset is in.
func (l *lined) lineAt(offset int) int {
	return sort.Search(len(l.ids), func(i int) bool { return l.starts[i+1] > offset })
}

// texts are a text of the base and one of the head.
type texts struct{ base, head *lined }

// script is what differs between two texts.
type script struct {
	moves []textdiff.Move
	gaps  []gap
	// approximate says that fewer lines may differ than are said.
	approximate bool
}

// gap is a place where lines are gone or came: [base, baseEnd) of the old text,
// [head, headEnd) of the new one. None of them moved.
type gap struct{ base, baseEnd, head, headEnd int }

// script compares two texts, each distinct pair once.
func (r *run) script(of texts) *script {
	if s := r.scripts[of]; s != nil {
		return s
	}
	a, b := of.base.ids, of.head.ids
	stays, approximate := textdiff.Match(a, b, r.lines.weight)
	s := &script{moves: textdiff.Moves(a, b, stays, r.lines.count), approximate: approximate}
	s.gaps = gapsOf(stays, len(b), s.moves)
	r.scripts[of] = s
	return s
}

// gapsOf gives the places where lines are gone or came.
func gapsOf(stays []int, size int, moves []textdiff.Move) []gap {
	left, came := make([]bool, len(stays)), make([]bool, size) // at another place now
	for _, m := range moves {
		for n := range m.Count {
			left[m.Base+n], came[m.Head+n] = true, true
		}
	}
	kept := make([]bool, size)
	for _, k := range stays {
		if k >= 0 {
			kept[k] = true
		}
	}
	var out []gap
	for i, k := 0, 0; i < len(stays) || k < size; {
		g := gap{base: i, head: k}
		for i < len(stays) && stays[i] < 0 && !left[i] {
			i++
		}
		for k < size && !kept[k] && !came[k] {
			k++
		}
		if g.baseEnd, g.headEnd = i, k; i > g.base || k > g.head {
			out = append(out, g)
		}
		switch {
		case i < len(stays) && left[i]:
			i++
		case k < size && came[k]:
			k++
		case i < len(stays):
			i, k = i+1, k+1
		}
	}
	return out
}

// comparison is a variant with the texts that are compared for it: those of its
// two sides or, where it is on one side alone, the text of the other side that
// is nearest to its own.
type comparison struct {
	twin
	was, is *prompt.Artifact // nil for no text
	*script
}

// compared gives the texts that are compared for a variant.
func (r *run) compared(t twin) comparison {
	c := comparison{twin: t, was: t.base, is: t.head}
	switch {
	case t.base == nil:
		c.was = r.nearest(t.head, true)
	case t.head == nil:
		c.is = r.nearest(t.base, false)
	}
	c.script = r.script(texts{r.lined(c.was), r.lined(c.is)})
	return c
}

// nearness knows in which texts of one side each line stands.
type nearness struct {
	all  []*prompt.Artifact // the first of each distinct text, in order
	with map[int32][]int    // indices in all
}

// nearest gives the artifact of the other side with the text that shares most
// distinct lines that say something: of the same prompt if there is one, of
// equals the first; nil where no text shares any.
func (r *run) nearest(a *prompt.Artifact, inBase bool) *prompt.Artifact {
	side := 0
	result := r.d.Base.Result
	if !inBase {
		side, result = 1, r.d.Head.Result
	}
	if result == nil || result.Stopped {
		return nil
	}
	if r.near[side] == nil {
		r.near[side] = r.nearnessOf(result.Artifacts)
	}
	n := r.near[side]
	shared := make([]int, len(n.all))
	seen := map[int32]bool{}
	for _, line := range r.lined(a).ids {
		if !seen[line] && !r.lines.weak(line) {
			for _, i := range n.with[line] {
				shared[i]++
			}
		}
		seen[line] = true
	}
	id := a.Build.Prompt.ID.Str
	best, own := -1, false
	for i, other := range n.all {
		same := other.Build.Prompt.ID.Str == id
		if shared[i] == 0 || own && !same {
			continue
		}
		if best < 0 || same && !own || shared[i] > shared[best] {
			best, own = i, same
		}
	}
	if best < 0 {
		return nil
	}
	return n.all[best]
}

func (r *run) nearnessOf(all []*prompt.Artifact) *nearness {
	n := &nearness{with: map[int32][]int{}}
	type key struct {
		build *prompt.Build
		text  *lined
	}
	known := map[key]bool{}
	for _, a := range all {
		k := key{a.Build, r.lined(a)}
		if known[k] {
			continue
		}
		known[k] = true
		at := len(n.all)
		n.all = append(n.all, a)
		seen := map[int32]bool{}
		for _, line := range k.text.ids {
			if !seen[line] {
				n.with[line] = append(n.with[line], at)
			}
			seen[line] = true
		}
	}
	return n
}
