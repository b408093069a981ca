package compose

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// phaseNames in their default order; the tests write a section as
// phase:id:score/tokens, with a star behind a sticky one. A ladder is
// tokens-tokens-…; nought is a rung without text.
var phaseNames = []string{"constraint", "task", "memory", "tools", "history", "user"}

// sized reads sections and gives them, in the order of the walk, with the sizes
// of their rungs.
func sized(t *testing.T, text string) ([]candidate, map[string][]int) {
	t.Helper()
	sizes := map[string][]int{}
	var out []candidate
	for i, word := range strings.Fields(text) {
		word, sticky := strings.CutSuffix(word, "*")
		parts := strings.FieldsFunc(word, func(r rune) bool { return r == ':' || r == '/' })
		if len(parts) != 4 {
			t.Fatalf("%q is not phase:id:score/tokens", word)
		}
		score, err := strconv.ParseFloat(parts[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		c := candidate{section: i, id: parts[1], phase: -1, score: score, sticky: sticky}
		for p, name := range phaseNames {
			if strings.HasPrefix(name, parts[0]) {
				c.phase = p
			}
		}
		for size := range strings.SplitSeq(parts[3], "-") {
			n, err := strconv.Atoi(size)
			if err != nil || c.phase < 0 {
				t.Fatal(word, err)
			}
			sizes[c.id] = append(sizes[c.id], n)
			c.vanishes = n == 0
		}
		c.rungs = len(sizes[c.id]) - 1
		out = append(out, c)
	}
	slices.SortFunc(out, byPhase)
	return out, sizes
}

const fifteen = "c:identity:100/100* c:contract:99/100* c:clock:95/100* c:runtime:94/100* c:user-memory:88/100* c:footprint:85/100* " +
	"c:preferences:70/100 ta:task:80/100 m:session-files:78/100 m:project-memory:75/100 m:agent-memory:70/100 m:memory:60/100 " +
	"m:workspace:50/100 m:episodic:40/100 to:tool-guidance:90/100*"

// TestEngineVectors holds the choices that the running engine makes, with
// token counts given and separators taken as nothing.
func TestEngineVectors(t *testing.T) {
	for _, tc := range []struct {
		name, sections string
		budget         int
		stop           bool
		kept, dropped  string
		over           int // tokens by which the sticky exceed the budget
	}{
		{"all fit", fifteen, 16384, false, "identity contract clock runtime user-memory footprint tool-guidance preferences task session-files project-memory agent-memory memory workspace episodic", "", 0},
		{"a thousand", fifteen, 1000, false, "identity contract clock runtime user-memory footprint tool-guidance preferences task session-files", "project-memory agent-memory memory workspace episodic", 0},
		{"a hundred", fifteen, 100, false, "identity contract clock runtime user-memory footprint tool-guidance", "preferences task session-files project-memory agent-memory memory workspace episodic", 600},
		{"an exact fit is a fit", "ta:a:1/50 ta:b:1/50", 100, false, "a b", "", 0},
		{"first fit goes on", "c:s:1/1* m:big:80/80 m:mid:50/50 m:small:10/20", 71, false, "s mid small", "big", 0},
		{"stop ends the walk", "c:s:1/1* m:big:80/80 m:mid:50/50 m:small:10/20", 71, true, "s", "big mid small", 0},
		{"a large task", "c:sticky:100/100* ta:task:80/900 m:episodic:40/50", 500, false, "sticky episodic", "task", 0},
		{"phase before score", "c:p:1/90 ta:t:999/50", 100, false, "p", "t", 0},
		{"weight nought", "m:a:0/10 m:b:10/10", 10, false, "b", "a", 0},
		{"ties by bytes", "m:b:5/1 m:a:5/1 m:B:5/1 m:_x:5/1", 100, false, "B _x a b", "", 0},
		{"sticky first by phase", "u:user:1/10* to:tools:1/10* c:constraint:1/10* c:other:500/10", 100, false, "constraint tools user other", "", 0},
	} {
		walk, sizes := sized(t, tc.sections)
		decided, over := rules{stickyFirst: true, stop: tc.stop}.decide(walk, sizes, tc.budget)
		var in []candidate
		var kept, gone []string
		for _, d := range decided {
			if d.in {
				in = append(in, d.candidate)
			} else {
				gone = append(gone, d.id)
			}
		}
		for _, c := range (rules{stickyFirst: true}).arrange(in) {
			kept = append(kept, c.id)
		}
		got := []string{strings.Join(kept, " "), strings.Join(gone, " "), strconv.Itoa(over)}
		if diff := cmp.Diff([]string{tc.kept, tc.dropped, strconv.Itoa(tc.over)}, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

// decide meets a budget as a variant does, with sizes that are given, and says
// by how much the sticky are over.
func (r rules) decide(walk []candidate, sizes map[string][]int, budget int) (decided []decision, over int) {
	all := &sums{sizes: sizes, budget: budget}
	for _, c := range walk {
		all.use += sizes[c.id][0]
	}
	if all.now().fits() {
		return allIn(walk, func(candidate) bool { return true }), 0
	}
	sticky := func() *sums {
		s := &sums{sizes: sizes, budget: budget}
		for _, c := range walk {
			if c.sticky {
				s.use += sizes[c.id][c.step]
			}
		}
		return s
	}
	settle(walk, func() trial { return sticky().now() })
	return r.fill(walk, sticky()), max(0, -sticky().now().left)
}

// sums measures by adding sizes up.
type sums struct {
	sizes       map[string][]int
	use, budget int
}

func (s *sums) now() trial { return trial{use: s.use, left: s.budget - s.use} }

func (s *sums) with(c candidate) trial {
	use := s.use + s.sizes[c.id][c.step]
	return trial{use: use, left: s.budget - use}
}

func (s *sums) keep(c candidate) { s.use += s.sizes[c.id][c.step] }

// TestLadders holds on which rung each section stands, in the order of the walk:
// its size, or "out" where it is dropped.
func TestLadders(t *testing.T) {
	const sticky = "c:s:1/100-60-20* ta:a:1/100-40"
	const two = "c:s:9/100-50* c:t:5/100-60-10*"
	const loose = "ta:a:1/100-40 m:b:1/30-20"
	for _, tc := range []struct {
		name, sections string
		budget         int
		stop           bool
		want           string
		over           int
	}{
		{"everything at its fullest", sticky, 200, false, "s100 a100", 0},
		{"the sticky stays, the other gives way", sticky, 150, false, "s100 a40", 0},
		{"before the sticky steps down, the other is out", sticky, 100, false, "s100 a-out", 0},
		{"the sticky alone is over", sticky, 90, false, "s60 a-out", 0},
		{"and then there is room again", sticky, 105, false, "s100 a-out", 0},
		{"nothing is left to step down", sticky, 15, false, "s20 a-out", 5},
		{"the lowest score goes down its whole ladder", two, 120, false, "s100 t10", 0},
		{"before the next does", two, 70, false, "s50 t10", 0},
		{"of equals the last of the walk", "c:s:5/100-50* c:t:5/100-50*", 150, false, "s100 t50", 0},
		{"pressure falls on what comes last", loose, 60, false, "a40 b20", 0},
		{"each at the fullest that fits", loose, 129, false, "a100 b20", 0},
		{"a small budget has the small", loose, 30, false, "a-out b30", 0},
		{"stop ends at what has no step that fits", loose, 30, true, "a-out b-out", 0},
		{"stop goes on behind what stepped down", loose, 70, true, "a40 b30", 0},
		{"a rung that is longer is no way out", "ta:a:1/100-200-40", 60, false, "a40", 0},
		{"a rung without text is omitted, not dropped", "ta:a:1/100-0 m:b:1/30", 60, false, "a0 b30", 0},
		{"of the sticky too", "c:s:1/100-0* m:b:1/30", 60, false, "s0 b30", 0},
		{"stop does not end at it", "ta:a:1/100-0 m:b:1/30", 60, true, "a0 b30", 0},
		{"a room of nought", "c:s:1/100* ta:a:1/10-0", 90, false, "s100 a0", 10},
	} {
		walk, sizes := sized(t, tc.sections)
		decided, over := rules{stop: tc.stop}.decide(walk, sizes, tc.budget)
		var got []string
		for _, d := range decided {
			size := strconv.Itoa(sizes[d.id][d.step])
			if !d.in {
				size = "-out"
			}
			got = append(got, d.id+size)
		}
		if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" || over != tc.over {
			t.Errorf("%s: over by %d, %s", tc.name, over, diff)
		}
	}
}

// TestRefusalsSayWhyNotAFullerRung holds what is written down of each rung that
// did not fit.
func TestRefusalsSayWhyNotAFullerRung(t *testing.T) {
	walk, sizes := sized(t, "c:s:9/100-50* c:t:5/100-60-10* m:a:1/40-20-5")
	decided, _ := rules{}.decide(walk, sizes, 70)
	var got []string
	for _, d := range decided {
		for _, r := range d.tried {
			got = append(got, d.id+strconv.Itoa(sizes[d.id][r.Step])+" over "+strconv.Itoa(r.Over))
		}
	}
	want := []string{"s100 over 40", "t100 over 130", "t60 over 90", "a40 over 30", "a20 over 10"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPlaceByPhaseInterleavesSticky(t *testing.T) {
	all, _ := sized(t, "u:user:1/1* c:low:1/1* c:high:9/1 to:tools:1/1*")
	var got []string
	for _, c := range (rules{}).arrange(all) {
		got = append(got, c.id)
	}
	if diff := cmp.Diff("high low tools user", strings.Join(got, " ")); diff != "" {
		t.Error(diff)
	}
}
