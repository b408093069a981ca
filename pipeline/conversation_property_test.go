package pipeline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/tests/testproject"
)

// worlds is how many random projects the properties are held over.
const worlds = 20

// compileWorld compiles a project, which has to be without errors.
func compileWorld(t testing.TB, w *world) *prompt.Result {
	t.Helper()
	r := testproject.Compile(t, w.fsys(), pipeline.Built)
	for _, d := range r.Findings {
		if d.Level == diag.Error {
			t.Fatal(worded(d))
		}
	}
	return r
}

func worded(d diag.Diagnostic) string {
	if d.Span.File == nil {
		return string(d.Code) + ": " + wording.Message(d)
	}
	return d.Span.File.Path + ": " + string(d.Code) + ": " + wording.Message(d)
}

// fixtureOf gives the fixture that a variant of the prompt with messages shows.
func (w *world) fixtureOf(a *assembly.Artifact) *fixture {
	for _, f := range w.fixtures {
		if strings.Contains(a.Variant.Name, "state="+f.name) {
			return f
		}
	}
	return nil
}

func isFlat(a *assembly.Artifact) bool { return strings.Contains(a.Variant.Name, "assembly=flat") }

// spoken gives the messages of an artifact.
func spoken(a *assembly.Artifact) []said {
	var out []said
	for _, m := range a.Messages {
		s := said{Role: string(m.Role)}
		for _, b := range m.Blocks {
			s.Text += a.BlockText(b)
			s.Marked = s.Marked || b.Marked
			if b.Image != nil {
				s.Images++
			}
		}
		out = append(out, s)
	}
	return out
}

func TestConversationsAreSaidAsDocumented(t *testing.T) {
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		for _, a := range compileWorld(t, w).Artifacts {
			if a.Build.Prompt.ID.Str != "talk" {
				continue
			}
			if diff := cmp.Diff(w.messages(w.fixtureOf(a), isFlat(a)), spoken(a)); diff != "" {
				t.Fatalf("seed %d, %s (-documented +built):\n%s", seed, a.Variant.Name, diff)
			}
		}
	}
}

// TestNothingIsSaidTwiceOrLost counts the marks of all that a fixture declares.
func TestNothingIsSaidTwiceOrLost(t *testing.T) {
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		r := compileWorld(t, w)
		for _, a := range r.Artifacts {
			if a.Build.Prompt.ID.Str == "talk" {
				w.checkMarks(t, r, a)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func (w *world) checkMarks(t *testing.T, r *prompt.Result, a *assembly.Artifact) {
	t.Helper()
	f, text := w.fixtureOf(a), a.Text()
	once := func(what, content string) {
		t.Helper()
		if content == "" {
			return
		}
		if n := strings.Count(text, markOf(content)); n != 1 {
			t.Errorf("%s: %s is there %d times", a.Variant.Name, what, n)
		}
	}
	full := map[string]bool{}
	for _, key := range append(slices.Concat(f.tiers[:]...), prefixed("file:", f.selected)...) {
		if p, ok := strings.CutPrefix(key, "file:"); ok && !full[p] && !w.empty(f, p) {
			full[p] = true
			once(key, w.workspaces[f.workspace][p])
		}
	}
	for _, s := range f.symbols {
		if !full[s.name] {
			once("symbol:"+s.name, s.text)
		} else if strings.Contains(text, markOf(s.text)) {
			t.Errorf("%s: the symbols of %s are there, and the file too", a.Variant.Name, s.name)
		}
	}
	for i, key := range slices.Concat(f.tiers[:]...) {
		if p, ok := strings.CutPrefix(key, "symbol:"); ok && full[p] && !reported(r, diag.ShownInFull, f.file, key) {
			t.Errorf("key %d, %s, of %s is left out without a word", i, key, f.file)
		}
	}
	for _, h := range f.history {
		once("history", h.text)
	}
	for _, p := range f.urls {
		once("url", p.url)
		once("page", p.content+p.symbols)
	}
	once("prompt", f.prompt)
	once("legend", f.legend)
	once("reminder", w.reminder)
}

func prefixed(prefix string, list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, prefix+s)
	}
	return out
}

// markOf gives the last mark of a text.
func markOf(text string) string {
	end := strings.LastIndex(text, "§")
	if end < 0 {
		return text
	}
	return text[strings.LastIndex(text[:end], "§") : end+len("§")]
}

// reported says whether there is a finding at a text of a file.
func reported(r *prompt.Result, code diag.Code, file, at string) bool {
	return slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool {
		return d.Code == code && d.Span.Known() && d.Span.File.Path == file && strings.Contains(d.Span.File.Text[d.Span.Start:d.Span.End], at)
	})
}

func TestBothAssembliesCarryTheSame(t *testing.T) {
	for seed := range uint64(worlds) {
		carried := map[string][]string{}
		for _, a := range compileWorld(t, newWorld(seed)).Artifacts {
			var all []string
			for _, p := range a.Parts {
				if p.Passage != nil && p.Passage.Content != nil {
					all = append(all, p.Passage.Content.Kind.String()+" "+p.Passage.Content.Key+" "+p.Text)
				}
			}
			slices.Sort(all)
			if diff := cmp.Diff(all, slices.Compact(slices.Clone(all))); diff != "" {
				t.Fatalf("seed %d, %s carries something twice: %s", seed, a.Variant.Name, diff)
			}
			key := strings.NewReplacer("flat", "tiered").Replace(a.Variant.Name)
			if other, ok := carried[key]; ok {
				if diff := cmp.Diff(other, all); diff != "" {
					t.Fatalf("seed %d, %s (-tiered +flat): %s", seed, a.Variant.Name, diff)
				}
			}
			carried[key] = all
		}
	}
}

// TestBadKeysAreReportedWhereTheyAre adds one mistake to each of many
// projects.
func TestBadKeysAreReportedWhereTheyAre(t *testing.T) {
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		f := w.fixtures[0]
		f.workspace = "ws"
		tier := &f.tiers[w.random.IntN(4)]
		bad := []string{
			"file:no/such.go", "symbol:no.symbols", "history:99", "file:../escape", "file:/etc/passwd", "fil:src/always.go", "history:-1",
			"history:01", "file:", "symbol:", "file:src", "selected:../x", "selected:src", "selected:nowhere",
		}[seed%14]
		want := bad
		if p, ok := strings.CutPrefix(bad, "selected:"); ok {
			f.selected, want = append(f.selected, p), p
		} else {
			*tier = append(*tier, bad)
		}
		r := testproject.Compile(t, w.fsys(), pipeline.Built)
		found := slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool {
			return d.Level == diag.Error && d.Span.Known() && d.Span.File.Path == f.file && strings.Contains(d.Span.File.Text[d.Span.Start:d.Span.End], want)
		})
		if !r.Stopped || !found {
			t.Errorf("seed %d: %q is not reported where it is: %v", seed, bad, r.Findings)
		}
	}
}
