package compose

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// phaseNames in their default order; the tests write a section as
// phase:id:score/tokens, with a star behind a sticky one.
var phaseNames = []string{"constraint", "task", "memory", "tools", "history", "user"}

// sized reads sections and gives them with their sizes.
func sized(t *testing.T, text string) ([]candidate, map[string]int) {
	t.Helper()
	sizes := map[string]int{}
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
		if sizes[c.id], err = strconv.Atoi(parts[3]); err != nil || c.phase < 0 {
			t.Fatal(word, err)
		}
		out = append(out, c)
	}
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
		all, sizes := sized(t, tc.sections)
		slices.SortFunc(all, byPhase)
		scale := &sums{sizes: sizes, budget: tc.budget}
		for _, c := range all {
			if c.sticky {
				scale.use += sizes[c.id]
			}
		}
		chosen, out := rules{stickyFirst: true, stop: tc.stop}.fill(all, scale)
		var kept, gone []string
		for _, c := range chosen {
			kept = append(kept, c.id)
		}
		for _, d := range out {
			gone = append(gone, d.id)
		}
		got := []string{strings.Join(kept, " "), strings.Join(gone, " "), strconv.Itoa(max(0, -scale.now().left))}
		if diff := cmp.Diff([]string{tc.kept, tc.dropped, strconv.Itoa(tc.over)}, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

// sums measures by adding sizes up.
type sums struct {
	sizes       map[string]int
	use, budget int
}

func (s *sums) now() trial { return trial{use: s.use, left: s.budget - s.use} }

func (s *sums) with(c candidate) trial {
	use := s.use + s.sizes[c.id]
	return trial{use: use, left: s.budget - use}
}

func (s *sums) keep(c candidate) {
	if !c.sticky {
		s.use += s.sizes[c.id]
	}
}

func (s *sums) leave(candidate) {}

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

func TestLowestScoreStepsFirstNonStickyBeforeSticky(t *testing.T) {
	all, _ := sized(t, "c:s1:1/1* c:s2:2/1* m:a:30/1 m:b:20/1 m:c:20/1")
	slices.SortFunc(all, byPhase)
	steps := map[string]int{"s1": 1, "s2": 1, "a": 1, "b": 2, "c": 1}
	var order []string
	for {
		c, ok := lowest(all, func(c candidate) bool { return steps[c.id] > 0 })
		if !ok {
			break
		}
		steps[c.id]--
		order = append(order, c.id)
	}
	if diff := cmp.Diff("c b b a s1 s2", strings.Join(order, " ")); diff != "" {
		t.Error(diff)
	}
}
