package load_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// runOn runs load over a file system with a manifest named prompts.yaml.
func runOn(t *testing.T, fsys fs.FS) (*language.Tree, diag.List) {
	t.Helper()
	tree, found, err := load.Run(fsys, "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	checkSpans(t, tree, found)
	return tree, found
}

// runManifest runs load over a manifest alone.
func runManifest(t *testing.T, text string) (*language.Tree, diag.List) {
	t.Helper()
	return runOn(t, testproject.From(map[string]string{"prompts.yaml": text}))
}

// readAs reads one file as a source of a kind.
func readAs(t *testing.T, kind, name, text string) (*language.Doc, diag.List) {
	t.Helper()
	tree, found := runOn(t, testproject.From(map[string]string{
		"prompts.yaml": fmt.Sprintf("sources:\n  s: {kind: %s, path: %q}\n", kind, name),
		name:           text,
	}))
	docs := tree.Matches[language.MatchKey{Path: name, Kind: kind}]
	if len(docs) == 0 {
		return nil, found
	}
	return docs[0], found
}

// lines gives findings the way a terminal shows them, without hints.
func lines(found diag.List) string {
	var b strings.Builder
	for _, d := range found {
		b.WriteString(line(d) + "\n")
	}
	return b.String()
}

func line(d diag.Diagnostic) string {
	if !d.Span.Known() {
		return fmt.Sprintf("-: %s[%s]: %s", d.Level, d.Code, wording.Message(d))
	}
	row, column := d.Span.File.Position(d.Span.Start)
	return fmt.Sprintf("%s:%d:%d: %s[%s]: %s", d.Span.File.Path, row, column, d.Level, d.Code, wording.Message(d))
}

// corpus gives the path of a folder of files that were written for tests, where
// its name begins with "written/", or else of published ones. Where it is not
// there the test is skipped.
func corpus(t *testing.T, name string) string {
	t.Helper()
	if name, ok := strings.CutPrefix(name, "written/"); ok {
		return filepath.Join("..", "..", "testdata", "corpora", name)
	}
	dir := filepath.Join("..", "..", "..", "..", "shared", "corpora", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus here: %v", err)
	}
	return dir
}

// checkSpans asserts what holds for every result: spans lie in their files,
// texts have ascending segments, and a segment of equal lengths has equal
// bytes.
func checkSpans(tb testing.TB, tree *language.Tree, found diag.List) {
	tb.Helper()
	for _, d := range found {
		checkSpan(tb, d.Span)
		if !d.Span.Known() || wording.Message(d) == "" || wording.Hint(d) == "" {
			tb.Errorf("finding without place, message or hint: %s", line(d))
		}
		if _, ok := diag.Lookup(d.Code); !ok {
			tb.Errorf("unknown code: %s", line(d))
		}
	}
	if tree == nil {
		return
	}
	checkNode(tb, tree.Manifest, map[*ground.Node]bool{})
	for _, docs := range tree.Matches {
		for _, doc := range docs {
			checkDoc(tb, doc)
		}
	}
	for _, docs := range tree.Walks {
		for _, doc := range docs {
			checkDoc(tb, doc)
		}
	}
	for name, ws := range tree.Workspaces {
		if !slices.IsSorted(ws.Files) {
			tb.Errorf("files of %q are not sorted", name)
		}
		for _, doc := range ws.Docs {
			checkDoc(tb, doc)
		}
	}
}

func checkDoc(tb testing.TB, doc *language.Doc) {
	tb.Helper()
	checkSpan(tb, doc.FrontAt)
	checkText(tb, doc.Body)
	checkNode(tb, doc.Front, map[*ground.Node]bool{})
	checkNode(tb, doc.Data, map[*ground.Node]bool{})
	for _, l := range doc.Labels {
		checkSpan(tb, l.Placed)
		checkText(tb, l.Name)
		checkText(tb, l.Value)
	}
}

func checkNode(tb testing.TB, n *ground.Node, done map[*ground.Node]bool) {
	tb.Helper()
	if n == nil || done[n] {
		return
	}
	done[n] = true
	checkSpan(tb, n.At)
	checkText(tb, n.Text)
	for _, s := range n.Text.Segs {
		if s.At.Start < n.At.Start || s.At.End > n.At.End {
			tb.Errorf("segment %d-%d lies outside its node %d-%d", s.At.Start, s.At.End, n.At.Start, n.At.End)
		}
	}
	for _, item := range n.Items {
		checkNode(tb, item, done)
	}
	keys := map[string]bool{}
	for _, f := range n.Fields {
		if keys[f.Key] {
			tb.Errorf("key %q twice", f.Key)
		}
		keys[f.Key] = true
		checkSpan(tb, f.KeyAt)
		checkNode(tb, f.Value, done)
	}
}

func checkSpan(tb testing.TB, s diag.Span) {
	tb.Helper()
	if s.Known() && (s.Start < 0 || s.End < s.Start || s.End > len(s.File.Text)) {
		tb.Errorf("span %d-%d is not in %q of %d bytes", s.Start, s.End, s.File.Path, len(s.File.Text))
	}
}

func checkText(tb testing.TB, t ground.Text) {
	tb.Helper()
	last := 0
	for _, s := range t.Segs {
		if s.Start < last || s.End <= s.Start || s.End > len(t.Str) {
			tb.Errorf("segment %d-%d of a text of %d bytes, after %d", s.Start, s.End, len(t.Str), last)
			return
		}
		last = s.End
		checkSpan(tb, s.At)
		source := s.At.File.Text[s.At.Start:s.At.End]
		if len(source) == s.End-s.Start && source != t.Str[s.Start:s.End] {
			tb.Errorf("text %q claims to come from %q", t.Str[s.Start:s.End], source)
		}
	}
}
