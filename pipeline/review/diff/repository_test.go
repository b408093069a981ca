package diff_test

import (
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// One sentence of a source that three prompts share is one hunk, and each of
// them says in which variants it is.
func TestASentenceOfOurSoulIsOneHunk(t *testing.T) {
	base := testproject.Ourselves(t)
	head := with(t, base, "sources/persona/SOUL.md", "read, draft, sort, try.", "read, draft, sort, try, tidy up.")
	want := []string{
		"text-changed soul sources/persona/SOUL.md:29 | persona: entry=full +3, not all but entry=full: when" +
			" | persona-core: all +3 | persona-large: all +3",
		"  -Be bold with everything else: read, draft, sort, try.",
		"  +Be bold with everything else: read, draft, sort, try, tidy up.",
	}
	if diff := cmp.Diff(want, told(differ(t, base, head))); diff != "" {
		t.Error(diff)
	}
}

// A section that is declared elsewhere is one line, whatever stands around it
// in each variant.
func TestASectionOfOursThatMovesIsOneMove(t *testing.T) {
	base := testproject.Ourselves(t)
	user := "      - {id: user, source: user, when: {entry: full}}\n"
	without := with(t, base, "prompts.yaml", user, "")
	head := with(t, without, "prompts.yaml", "      - {id: identity, source: identity, when: {entry: full}}\n",
		user+"      - {id: identity, source: identity, when: {entry: full}}\n")
	want := []string{
		`moved user "4" → "2" prompts.yaml:114 | persona: entry=full`,
		"   The user's name is Robin.", "   ",
	}
	if diff := cmp.Diff(want, told(differ(t, base, head))); diff != "" {
		t.Error(diff)
	}
}

// A template that is added for one tier names the one variant that read another
// in its place.
func TestATemplateAddedForOneTierNamesTheVariant(t *testing.T) {
	head := testproject.Ourselves(t)
	base := maps.Clone(head)
	delete(base, "sources/modes/templates/debugger/tier2.txt")
	var got []string
	for _, e := range causes(differ(t, base, head)) {
		got = append(got, toldEdit(e))
	}
	want := []string{
		`budget-crossed tokens "735 of 500" → "448 of 500" prompts.yaml:355 | modes: mode=debugger,tier=2 -287`,
		`file-changed template "sources/modes/templates/developer/tier3.txt (fallback)" → "sources/modes/templates/debugger/tier2.txt"` +
			" sources/modes/templates/debugger/tier2.txt:1 | modes: mode=debugger,tier=2 -287",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOurselvesAgainstOurselvesIsNoDifference(t *testing.T) {
	fsys := testproject.Ourselves(t)
	d := differ(t, fsys, fsys)
	if got := told(d); len(got) > 0 {
		t.Errorf("got %q", got)
	}
	for _, p := range d.Pairs {
		if p.Affected.Len()+p.Gone.Len() > 0 {
			t.Errorf("%s: %d affected, %d gone", p.ID, p.Affected.Len(), p.Gone.Len())
		}
	}
}

// A source of ours that changes by a word is seen: as an edit, or as a source
// that reaches nothing.
func TestASourceOfOursThatChangesIsSaid(t *testing.T) {
	skipIfShort(t)
	fsys := testproject.Ourselves(t)
	base := stateOf(t, "base", fsys)
	for i, name := range sourceNames(fsys) {
		if i%9 != 0 { // each compilation takes a while
			continue
		}
		head := maps.Clone(fsys)
		head[name] = &fstest.MapFile{Data: []byte(reworded(string(fsys[name].Data)))}
		r := testproject.Compile(t, head, pipeline.Composed)
		if r.Stopped || !reads(r, name) || string(head[name].Data) == string(fsys[name].Data) {
			continue
		}
		d, _ := pipeline.Compare(base, review.Side{Name: "head", Result: r}, review.Side{})
		mustHold(t, d)
		if len(d.Edits)+len(d.Idle) == 0 {
			t.Errorf("%s: a change goes unsaid", name)
		}
	}
}

// reads reports whether a file is among what was read. Of the workspace of a
// conversation the names of all files are, and the text of those that a fixture
// names.
func reads(r *prompt.Result, name string) bool {
	for _, docs := range r.Tree.Matches {
		if slices.ContainsFunc(docs, func(d *language.Doc) bool { return d.File.Path == name }) {
			return true
		}
	}
	for _, docs := range r.Tree.Walks {
		if slices.ContainsFunc(docs, func(d *language.Doc) bool { return d.File.Path == name }) {
			return true
		}
	}
	for _, w := range r.Tree.Workspaces {
		for _, d := range w.Docs {
			if d.File.Path == name {
				return true
			}
		}
	}
	return false
}
