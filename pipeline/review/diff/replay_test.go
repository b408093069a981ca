package diff_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
	"github.com/promptc-build/promptc/tests/testproject"
)

const (
	// replayedCommits is how long the replayed history is.
	replayedCommits = 50
	// most is how many lines people may have to read for each unique one, and
	// least how many they would read in a file for each variant.
	most, least = 1.2, 10.0
	// headerLines bounds what a change costs to read beside its lines: what and
	// where, whom it affects, whom it does not reach and a place for a hunk.
	headerLines = 4
	// frameLines is what a difference has once: the first line with what
	// follows, the closest budget, an idle source.
	frameLines = 5
)

// replayTally counts lines that a reviewer reads.
type replayTally struct{ unique, snapshots, text, headers, changes int }

func (n *replayTally) add(u replayTally) {
	n.unique += u.unique
	n.snapshots += u.snapshots
	n.text += u.text
	n.headers += u.headers
	n.changes += u.changes
}

// TestReviewsReadEachChangeOnce replays a history over 12 × 4 variants: what a
// reviewer reads is about as long as what changed, where a snapshot file for
// each variant says the same dozens of times. Commits of text alone are held by
// themselves: a tool or a section that comes is one line here, however many
// there are of it, so that with these the mean says less than it seems to.
func TestReviewsReadEachChangeOnce(t *testing.T) {
	skipIfShort(t)
	h := newHistory(5)
	was := replayed(t, h.files())
	var all, texts replayTally
	for i := range replayedCommits {
		what, text := h.commit()
		is := replayed(t, h.files())
		got, page := measured(t, was, is)
		all.add(got)
		if text {
			texts.add(got)
		}
		t.Logf("%2d: %3d unique, %4d in snapshots, %3d in text, %2d headers of %d changes (%s)",
			i+1, got.unique, got.snapshots, got.text, got.headers, got.changes, what)
		if got.unique > 0 && got.changes == 0 {
			t.Errorf("commit %d (%s): nothing is said about %d lines", i+1, what, got.unique)
		}
		if limit := headerLines*got.changes + frameLines; got.headers > limit {
			t.Errorf("commit %d (%s): %d lines beside the changed ones, want at most %d\n%s", i+1, what, got.headers, limit, page)
		}
		if float64(got.text) > most*float64(got.unique) {
			t.Errorf("commit %d (%s): %d changed lines in text for %d unique ones\n%s", i+1, what, got.text, got.unique, page)
		}
		if text && got.text < got.unique {
			t.Errorf("commit %d (%s): %d changed lines in text do not say %d unique ones\n%s", i+1, what, got.text, got.unique, page)
		}
		was = is
	}
	all.hold(t, "all commits")
	texts.hold(t, "commits of text alone")
	if perUnique(all.snapshots, all.unique) < least || texts.changes < replayedCommits/2 {
		t.Errorf("files for each variant have %d lines for %d unique ones, and %d changes are of text alone: the history is too easy",
			all.snapshots, all.unique, texts.changes)
	}
}

// hold logs what there is to read, and fails where that is too much.
func (n *replayTally) hold(t *testing.T, of string) {
	t.Helper()
	t.Logf("%s: %d unique changed lines: %d lines of text (%.2f), with %d headers of %d changes (%.2f); %d in a file for each variant (%.1f)",
		of, n.unique, n.text, perUnique(n.text, n.unique), n.headers, n.changes, perUnique(n.text+n.headers, n.unique),
		n.snapshots, perUnique(n.snapshots, n.unique))
	if perUnique(n.text, n.unique) > most {
		t.Errorf("%s: text has %d changed lines for %d unique ones, want at most %.1f times as many", of, n.text, n.unique, most)
	}
}

func perUnique(n, of int) float64 { return float64(n) / float64(of) }

// replayed compiles one state of the history.
func replayed(t *testing.T, fsys fstest.MapFS) *prompt.Result {
	t.Helper()
	r := testproject.Compile(t, fsys, pipeline.Composed)
	if r.Stopped || r.Findings.HasErrors() {
		t.Fatalf("the project has errors: %v\n%s", r.Findings, fsys["prompts.yaml"].Data)
	}
	return r
}

// measured counts the lines of one commit, and gives the report.
func measured(t *testing.T, was, is *prompt.Result) (replayTally, string) {
	t.Helper()
	base, head := review.Side{Name: "before", Result: was}, review.Side{Name: "after", Result: is}
	d, found := pipeline.Compare(base, head, base)
	var out bytes.Buffer
	if err := change.Text(&out, d, found, change.Judge(d, found, nil), words.Options{}); err != nil {
		t.Fatal(err)
	}
	got := replayTally{changes: len(d.Edits)}
	for line := range strings.Lines(out.String()) {
		switch {
		case line == "\n":
		case strings.HasPrefix(line, "  -"), strings.HasPrefix(line, "  +"), strings.HasPrefix(line, "  tools."):
			got.text++
		default:
			got.headers++
		}
	}
	got.unique, got.snapshots = changedLines(was, is)
	return got, out.String()
}

// changedLines counts the lines that differ between the files that one would
// keep for each variant, its text with its schemas: each line once, and as
// often as it stands in a file.
func changedLines(was, is *prompt.Result) (unique, all int) {
	known := map[[2]string][]string{}
	seen := map[string]bool{}
	for i, a := range is.Artifacts {
		pair := [2]string{snapshotFile(was.Artifacts[i]), snapshotFile(a)}
		lines, ok := known[pair]
		if !ok {
			for _, h := range textdiff.Hunks(pair[0], pair[1], 0) {
				for _, l := range h.Lines {
					lines = append(lines, string(l.Sign)+l.Text)
				}
			}
			known[pair] = lines
		}
		all += len(lines)
		for _, l := range lines {
			seen[l] = true
		}
	}
	return len(seen), all
}

func snapshotFile(a *assembly.Artifact) string {
	var b strings.Builder
	b.WriteString(a.Text())
	for _, tool := range a.Beside {
		b.WriteString(tool.Canonical)
	}
	return b.String()
}
