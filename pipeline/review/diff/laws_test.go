package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/review"
)

// textLines gives the lines of an artifact's text with their line breaks; none
// goes on from one text that a provider gets into the next.
func textLines(a *assembly.Artifact) []string {
	if a == nil {
		return nil
	}
	var out []string
	for _, run := range a.Runs() {
		text := ""
		for _, p := range a.Parts[run.From:run.To] {
			text += p.Text
		}
		out = slices.AppendSeq(out, strings.Lines(text))
	}
	return out
}

// signed gives the lines of an edit with a sign.
func signed(e *review.Edit, sign byte) []string {
	var out []string
	for _, h := range e.Hunks {
		for _, l := range h.Lines {
			if l.Sign != sign {
				continue
			}
			text := l.Text
			if !l.Open {
				text += "\n"
			}
			out = append(out, text)
		}
	}
	return out
}

// mustPatch holds the patch law and the soundness law: for every pair of texts
// the edits turn the one into the other, what they remove and move is there, and
// no line of three words is both removed and added. Every variant whose text
// differs is in a pair.
func mustPatch(t *testing.T, d *review.Difference) {
	t.Helper()
	met := map[*assembly.Variant]bool{}
	for _, p := range d.Texts {
		for _, v := range p.Of {
			met[v] = true
		}
		was, is := textLines(p.Base), textLines(p.Head)
		mustBeLeast(t, p, was, is)
		gone, got := make([]bool, len(was)), make([]string, len(is))
		removed, added := map[string]bool{}, map[string]bool{}
		put := func(lines []string, at int) {
			for i, line := range lines {
				if at+i > len(got) || got[at+i-1] != "" {
					t.Fatalf("%s: line %d of the head comes from two edits", p.Pair.ID, at+i)
				}
				got[at+i-1] = line
			}
		}
		take := func(lines []string, at int) {
			for i, line := range lines {
				if at+i > len(was) || gone[at+i-1] || was[at+i-1] != line {
					t.Fatalf("%s: line %d of the base is not %q, or gone twice", p.Pair.ID, at+i, line)
				}
				gone[at+i-1] = true
			}
		}
		for _, h := range p.Hunks {
			out, in := signed(h.Edit, '-'), signed(h.Edit, '+')
			take(out, h.BaseLine)
			put(in, h.HeadLine)
			for _, line := range out {
				removed[line] = true
			}
			for _, line := range in {
				added[line] = true
			}
		}
		for _, m := range p.Moves {
			lines := was[m.BaseLine-1 : m.BaseLine-1+m.Count]
			if !slices.Equal(lines, signed(m.Edit, ' ')) {
				t.Errorf("%s: other lines moved than the edit says", p.Pair.ID)
			}
			take(lines, m.BaseLine)
			put(lines, m.HeadLine)
		}
		next := 0
		for i, line := range got {
			for line == "" && next < len(was) && gone[next] {
				next++
			}
			if line == "" && next < len(was) {
				got[i] = was[next]
				next++
			}
		}
		if strings.Join(got, "") != strings.Join(is, "") {
			t.Errorf("%s: the edits give\n%s\nthe text is\n%s", p.Pair.ID, strings.Join(got, ""), strings.Join(is, ""))
		}
		for line := range removed {
			if added[line] && len(strings.Fields(line)) >= 3 && wordy(line) {
				t.Errorf("%s: both removed and added: %q", p.Pair.ID, line)
			}
		}
	}
	for _, p := range d.Pairs {
		for i := range p.Was {
			v := p.Head.Variants[i]
			if p.Was[i] < 0 || met[v] {
				continue
			}
			if a, b := artifactOf(d.Base, p.Base.Variants[p.Was[i]]), artifactOf(d.Head, v); a != nil && b != nil && a.Text() != b.Text() {
				t.Errorf("%s: the text differs, and no pair has it", v.Name)
			}
		}
	}
}

// mustBeLeast holds that no more lines are said than the shortest difference has,
// of which a line that moved is two: one that is gone, and one that came.
func mustBeLeast(t *testing.T, p *review.TextPair, was, is []string) {
	t.Helper()
	said := 0
	for _, h := range p.Hunks {
		said += len(signed(h.Edit, '-')) + len(signed(h.Edit, '+'))
	}
	for _, m := range p.Moves {
		said += 2 * m.Count
	}
	if p.Approximate || len(was)*len(is) > 1<<20 {
		return // the table takes too long
	}
	if least := len(was) + len(is) - 2*common(was, is); said > least {
		t.Errorf("%s: %d lines are said, %d would do", p.Pair.ID, said, least)
	}
}

// common counts the most lines that stand in both texts in the same order.
func common(a, b []string) int {
	row := make([]int, len(b)+1) // of the lines of a so far
	for _, line := range a {
		above := 0
		for k, other := range b {
			next := row[k+1]
			if line == other {
				row[k+1] = above + 1
			} else {
				row[k+1] = max(row[k+1], row[k])
			}
			above = next
		}
	}
	return row[len(b)]
}

// wordy reports whether a line has three words.
func wordy(line string) bool {
	n := 0
	for word := range strings.FieldsSeq(line) {
		if strings.ContainsAny(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz0123456789") {
			n++
		}
	}
	return n >= 3
}

func artifactOf(s review.Side, v *assembly.Variant) *assembly.Artifact {
	for _, a := range s.Result.Artifacts {
		if a.Variant == v {
			return a
		}
	}
	return nil
}

// mustBeOnce holds the once law: no two edits remove and add the same lines, or
// move the same.
func mustBeOnce(t *testing.T, d *review.Difference) {
	t.Helper()
	known := map[string]*review.Edit{}
	for _, e := range d.Edits {
		if len(e.Hunks) == 0 {
			continue
		}
		key := strings.Join(slices.Concat(signed(e, '-'), []string{"\x00"}, signed(e, '+'), []string{"\x00"}, signed(e, ' ')), "\x01")
		if other := known[key]; other != nil {
			t.Errorf("said twice: %s and %s", toldEdit(other), toldEdit(e))
		}
		known[key] = e
	}
}
