package diff_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// toolStates compiles two states of a project, given by their files, and compares
// them.
func toolStates(t *testing.T, base, head map[string]string) (*review.Difference, diag.List) {
	t.Helper()
	side := func(name string, files map[string]string) review.Side {
		fsys := fstest.MapFS{}
		for path, text := range files {
			fsys[path] = &fstest.MapFile{Data: []byte(text)}
		}
		r := testproject.Compile(t, fsys, pipeline.Composed)
		if r.Stopped {
			t.Fatalf("%s does not compile: %s", name, toldFindings(r.Findings))
		}
		return review.Side{Name: name, Result: r}
	}
	d, found := pipeline.Compare(side("base", base), side("head", head), review.Side{})
	mustHold(t, d)
	return d, found
}

func toldFindings(found diag.List) string {
	var out []string
	for _, d := range found {
		out = append(out, fmt.Sprintf("%s %s: %s", d.Level, d.Code, wording.Message(d)))
	}
	return strings.Join(out, "\n")
}

// withEdit gives files with another text in one, where from stands exactly once.
func withEdit(t *testing.T, files map[string]string, path, from, to string) map[string]string {
	t.Helper()
	if strings.Count(files[path], from) != 1 {
		t.Fatalf("%s has %q %d times", path, from, strings.Count(files[path], from))
	}
	out := maps.Clone(files)
	out[path] = strings.Replace(files[path], from, to, 1)
	return out
}

// editLines writes edits as tests compare them: what, where, whom, and how much.
func editLines(d *review.Difference) []string {
	var out []string
	for _, e := range causes(d) { // what follows are the lines that say the same
		line := e.Kind.String()
		for _, name := range slices.Concat([]string{e.Section, e.Item, e.Tool}, e.Tools[min(1, len(e.Tools)):], []string{e.Name}) {
			if name != "" {
				line += " " + name
			}
		}
		if from, to := sidesOf(e); from+to != "" {
			line += fmt.Sprintf(" %q → %q", from, to)
		}
		if e.Used[1].Known {
			line += fmt.Sprintf(" %q → %q", usedOf(e, 0), usedOf(e, 1))
		}
		if e.Over {
			line += " over"
		}
		if e.Shorter {
			line += " shorter"
		}
		for _, l := range e.Leaves {
			line += fmt.Sprintf(" [%s: %s → %s]", pathOf(e, l), l.From, l.To)
		}
		out = append(out, line+" at "+placeText(e))
		for _, r := range e.Reach {
			out = append(out, "  "+reachText(r))
			for _, m := range r.Missed {
				out = append(out, strings.TrimRight(fmt.Sprintf("    not %d %s (%s) %s", m.Set.Len(), setcover.NewCover(r.Pair.Head).Describe(m.Set), m.Cause, m.Why), " "))
			}
		}
	}
	return out
}

func placeText(e *review.Edit) string {
	if !e.At.Known() {
		return "no place"
	}
	line, _ := e.At.File.Position(e.At.Start)
	out := fmt.Sprintf("%s:%d", e.At.File.Path, line)
	if e.InBase {
		out += " of the base"
	}
	return out
}

func reachText(r review.Reach) string {
	build := r.Pair.Head
	if r.OfBase {
		build = r.Pair.Base
	}
	out := fmt.Sprintf("%s %d: %s", r.Pair.ID, r.In.Len(), setcover.NewCover(build).Describe(r.In))
	if len(r.Tokens) == 0 {
		return out
	}
	low, high, first := 0, 0, true
	for _, n := range r.Tokens {
		if first || n < low {
			low = n
		}
		if first || n > high {
			high = n
		}
		first = false
	}
	if low == high {
		return fmt.Sprintf("%s, %+d tokens", out, low)
	}
	return fmt.Sprintf("%s, %+d..%+d tokens", out, low, high)
}

func mustSay(t *testing.T, d *review.Difference, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, editLines(d)); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
}

// ownFiles gives this repository's prompts as files.
func ownFiles(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for path, f := range testproject.Ourselves(t) {
		if !strings.HasPrefix(path, "snapshots/") {
			out[path] = string(f.Data)
		}
	}
	return out
}

// first drops the findings.
func first(d *review.Difference, _ diag.List) *review.Difference { return d }

// usedOf gives what is used of a limit on one side: `86 of 80`.
func usedOf(e *review.Edit, side int) string {
	if !e.Limit[side].Known {
		return e.Used[side].String()
	}
	return e.Used[side].String() + " of " + e.Limit[side].String()
}
