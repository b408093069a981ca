package diff

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// randomText makes a text of a few lines out of a few words, so that lines come
// again.
func randomText(random *rand.Rand) string {
	var lines []string
	for range random.IntN(8) {
		lines = append(lines, []string{"a", "b", "c", "", "# d"}[random.IntN(5)])
	}
	return strings.Join(lines, "\n")
}

// TestHunksMakeTheNewText holds that what differs is all that differs: made in
// the old text, the hunks give the new one.
func TestHunksMakeTheNewText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		before, after := randomText(random), randomText(random)
		var all []occurrence
		for _, h := range hunksOf(prompt.Literal(before), prompt.Literal(after)) {
			all = append(all, occurrence{atom: &atom{hunk: h}, start: h.start, end: h.end})
			if got := closed(after)[h.newStart:h.newEnd]; got != h.text {
				t.Errorf("%q → %q: the new lines are %q, not %q", before, after, h.text, got)
			}
		}
		if got, _ := applied(before, all, nil); got != after {
			t.Fatalf("%q → %q gives %q", before, after, got)
		}
	}
}

// TestHunksOfOneEditLeaveTheRest holds that hunks in items and around them are
// made where they stand, whatever other items there are.
func TestHunksOfOneEditLeaveTheRest(t *testing.T) {
	listing := func(head, one, two, tail string) *prompt.Rendering {
		x := &prompt.Rendering{Text: prompt.Literal(head + "\n" + one + "\n" + two + "\n" + tail)}
		at := len(head) + 1
		x.Items = []prompt.Item{
			{Name: "one", Start: at, End: at + len(one)},
			{Name: "two", Start: at + len(one) + 1, End: at + len(one) + 1 + len(two)},
		}
		return x
	}
	base, head := listing("<x>\nold", "1\nold", "2", "end"), listing("<x>\nnew", "1\nnew", "2\nmore", "the end")
	r := newRun(prompt.Side{}, prompt.Side{}, nil)
	c := &change{renderings: renderings{base, head}, before: r.frame(base), after: r.frame(head)}
	r.takeApart(c, twin{})
	for _, tt := range []struct {
		item int
		want string
	}{
		{-1, "<x>\nnew\n1\nold\n2\nthe end"},
		{0, "<x>\nold\n1\nnew\n2\nend"},
		{1, "<x>\nold\n1\nold\n2\nmore\nend"},
	} {
		byItem := map[int][]occurrence{}
		for _, o := range c.atoms {
			if o.item == tt.item {
				byItem[o.item] = append(byItem[o.item], o)
			}
		}
		if got := c.apply(byItem); got != [2]string{base.Text.Str, tt.want} {
			t.Errorf("item %d: got %q", tt.item, got)
		}
	}
}

// TestFewestMove holds movedOf against trying everything: what stays is in
// order, and no fewer moves would do.
func TestFewestMove(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := 1 + random.IntN(7)
		base, head := random.Perm(n), random.Perm(n)
		hints := random.Perm(n)[:random.IntN(n)]
		moved := movedOf(base, head, hints)
		if !sameOrder(base, head, moved) {
			t.Fatalf("%v → %v: without %v they differ", base, head, moved)
		}
		for mask := range 1 << n {
			var tried []int
			for i := range n {
				if mask&(1<<i) != 0 {
					tried = append(tried, i)
				}
			}
			if len(tried) < len(moved) && sameOrder(base, head, tried) {
				t.Fatalf("%v → %v: %v would do for %v", base, head, tried, moved)
			}
		}
	}
}

func sameOrder(base, head, without []int) bool {
	gone := func(i int) bool { return slices.Contains(without, i) }
	return slices.Equal(slices.DeleteFunc(slices.Clone(base), gone), slices.DeleteFunc(slices.Clone(head), gone))
}

func TestTheEarlierStaysAndHintsAreFollowed(t *testing.T) {
	for _, tt := range []struct{ base, head, hints, want string }{
		{"ab", "ba", "", "a"},
		{"ab", "ba", "b", "b"},
		{"abcd", "bcda", "", "a"},
		{"abcd", "dabc", "", "d"},
		{"abcd", "dabc", "a", "d"},
		{"abcd", "badc", "", "ac"},
		{"abcd", "badc", "db", "bd"},
		{"abc", "abc", "a", ""},
		{"abx", "bay", "", "a"},
	} {
		got := strings.Join(movedOf(strings.Split(tt.base, ""), strings.Split(tt.head, ""), strings.Split(tt.hints, "")), "")
		if got != tt.want {
			t.Errorf("%s → %s with %q: %q moves, want %q", tt.base, tt.head, tt.hints, got, tt.want)
		}
	}
}

// The form native has a line for each tool, which is an item as well; another
// line that names the tool is none.
func TestTheLinesOfToolsAreItems(t *testing.T) {
	file := &diag.File{Path: "exec.json", Text: "exec read"}
	exec, read := diag.Span{File: file, Start: 0, End: 4}, diag.Span{File: file, Start: 5, End: 9}
	var b prompt.Builder
	b.WriteString("Tools:\n- ")
	b.WriteText(prompt.Verbatim(exec))
	b.WriteString(": runs\n- ")
	b.WriteText(prompt.Verbatim(read))
	b.WriteString(": reads\n\nSuch as ")
	b.WriteText(prompt.Verbatim(exec))
	b.WriteString(".")
	x := &prompt.Rendering{Text: b.Text(), Tools: []*prompt.Tool{{Name: "exec", NameAt: exec}, {Name: "read", NameAt: read}}}
	f := frameOf(x)
	var got []string
	for _, i := range f.items {
		got = append(got, i.name+"|"+i.text.Str)
	}
	if want := []string{"exec|- exec: runs", "read|- read: reads"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := "Tools:\n\n\nSuch as exec."; f.around.Str != want {
		t.Errorf("around is %q, want %q", f.around.Str, want)
	}
}
