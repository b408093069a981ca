package output_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/store"
)

// scan is what of a SARIF log the tests look at. That the whole has the form of
// the standard is tested against its schema, in conformance/.
type scan struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID                                string
					ShortDescription, FullDescription struct{ Text string }
					Help                              struct{ Text, Markdown string }
					DefaultConfiguration              struct{ Level string }
				}
			}
		}
		Results []scanned
	}
}

type scanned struct {
	RuleID    string
	RuleIndex int
	Level     string
	Message   struct{ Text string }
	Locations []struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
		}
	}
	PartialFingerprints struct{ PrimaryLocationLineHash string }
	Suppressions        []struct{ Kind, Justification string }
}

// String is a result in a line: rule, level, place, message.
func (s scanned) String() string {
	place := ""
	for _, l := range s.Locations {
		r := l.PhysicalLocation.Region
		place += fmt.Sprintf(" %s:%d:%d-%d:%d", l.PhysicalLocation.ArtifactLocation.URI, r.StartLine, r.StartColumn, r.EndLine, r.EndColumn)
	}
	return s.RuleID + " " + s.Level + place + " " + s.Message.Text
}

func (p *persona) sarif(t *testing.T, did run.Outcome, base string) scan {
	t.Helper()
	text := written(t, func(w *strings.Builder) error {
		return run.SARIF(w, p.result, did, words.Options{Count: wordCount, Base: base})
	})
	var out scan
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if strings.Contains(text, `: ""`) || strings.Contains(text, `: null`) {
		t.Errorf("an empty value is in %s", text)
	}
	return out
}

// results gives the results of the log, a line each.
func (s scan) results() []string {
	out := []string{}
	for _, r := range s.Runs[0].Results {
		out = append(out, r.String())
	}
	return out
}

func TestSARIFHasFindingsAndDriftAtTheirSources(t *testing.T) {
	p := newPersona()
	if got := p.sarif(t, run.Outcome{Command: "check"}, ""); len(got.results()) != 0 || got.Runs[0].Results == nil {
		t.Errorf("a clean run has the results %v, want an empty list", got.Runs[0].Results)
	}
	gone := store.Change{Status: store.Orphaned, Old: "x\n", Output: assembly.Output{Path: "snapshots/persona/sections/a b.txt", Owner: sectionOf("a b")}}
	p.result.Delta.Snapshots = []store.Change{gone, p.soulChanged()}
	p.result.Delta.Artifacts.Have, p.result.Delta.Artifacts.Changes = true, []store.Change{{Status: store.Changed, Output: assembly.Output{Path: "dist/a.txt"}}}
	p.result.Findings = diag.List{
		diag.New("PC3002", at(p.soul, "Ask before"), "names", `unknown "a"`).WithDetail(diag.Verbatim("d")).WithHint("names", "h"),
		diag.New("PC6005", diag.Span{}, "names", "no place"),
		{Code: "PC1002", Level: diag.Note, What: diag.Verbatim("[x](https://example.org) and \x00")},
	}
	got := p.sarif(t, run.Outcome{Command: "check"}, "kit")
	if d := cmp.Diff([]string{
		"PC3002 error kit/sources/persona/SOUL.md:12:1-12:11 unknown \"a\"\nd\nhint: h",
		"PC6005 warning kit/prompts.yaml:1:1-1:1 no place",
		`PC1002 note kit/prompts.yaml:1:1-1:1 \[x\](https://example.org) and <U+0000>`,
		"drift error kit/sources/persona/SOUL.md:12:19-12:20 persona soul text changed (+3 tokens)\nin 2 of 5: entry=full\n" +
			"snapshot: kit/snapshots/persona/sections/soul.txt\nrun: promptc build",
		"drift error kit/snapshots/persona/sections/a%20b.txt:1:1-1:1 persona a b no longer built (-1 token)\n" +
			"snapshot: kit/snapshots/persona/sections/a b.txt\nrun: promptc build",
		"drift error kit/prompts.yaml:1:1-1:1 kit/dist is out of date: 1 changed (first: kit/dist/a.txt)\nrun: promptc build",
	}, got.results()); d != "" {
		t.Errorf("results (-want +got):\n%s", d)
	}
	var rules []string
	for i, r := range got.Runs[0].Tool.Driver.Rules {
		rules = append(rules, r.ID+" "+r.DefaultConfiguration.Level)
		if e, ok := diag.Lookup(diag.Code(r.ID)); ok && (r.ShortDescription.Text != e.Title || r.Help.Markdown != strings.TrimSpace(e.Explanation)) {
			t.Errorf("rule %d does not say what the table of codes says: %+v", i, r)
		}
	}
	if d := cmp.Diff([]string{"PC1002 error", "PC3002 error", "PC6005 warning", "drift error"}, rules); d != "" {
		t.Errorf("rules (-want +got):\n%s", d)
	}
	for _, r := range got.Runs[0].Results {
		if got.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%v has the index of another rule", r)
		}
	}
}

func TestSARIFOfWhatABuildWroteHasNoDrift(t *testing.T) {
	p := newPersona()
	p.result.Delta.Snapshots = []store.Change{p.soulChanged()}
	if got := p.sarif(t, run.Outcome{Command: "build", Snapshots: true}, "").results(); len(got) != 0 {
		t.Errorf("results %v", got)
	}
	c := p.soulChanged()
	c.Status, c.Old = store.Added, ""
	p.result.Delta.Wanted, p.result.Delta.Snapshotted, p.result.Delta.Snapshots = []assembly.Output{c.Output}, 1, []store.Change{c}
	if d := cmp.Diff([]string{
		"drift error prompts.yaml:1:1-1:1 snapshots do not exist yet: 1 prompt, 5 variants, 2 renderings\nrun: promptc build",
	}, p.sarif(t, run.Outcome{Command: "check"}, "").results()); d != "" {
		t.Errorf("results (-want +got):\n%s", d)
	}
}

func TestWhatIsOffIsSuppressedAndTheOthersAreNot(t *testing.T) {
	p := newPersona()
	p.result.Findings = diag.List{{Code: diag.DeadAxis, Level: diag.Warning, What: diag.Verbatim("kept")}}
	p.result.Delta.Snapshots = nil
	got := p.sarif(t, run.Outcome{Command: "check"}, "").Runs[0].Results
	if len(got) != 1 || got[0].Suppressions != nil {
		t.Errorf("without any: %+v", got)
	}
	p.result.Off = []language.Silenced{{
		Finding: diag.Diagnostic{Code: diag.NeverKept, Level: diag.Warning, What: diag.Verbatim("left out")},
		By:      &language.Setting{Reason: ground.Word{Str: "later\x1b"}},
	}}
	got = p.sarif(t, run.Outcome{Command: "check"}, "").Runs[0].Results
	if len(got) != 2 || got[0].Suppressions == nil || len(got[0].Suppressions) > 0 || len(got[1].Suppressions) != 1 {
		t.Fatalf("with one: %+v", got)
	}
	if s := got[1].Suppressions[0]; s.Kind != "external" || s.Justification != "later<U+001B>" || got[1].Level != "warning" {
		t.Errorf("%+v of %s", s, got[1])
	}
}

func TestFingerprintsOutliveAnEditAbove(t *testing.T) {
	prints := func(before string, findings ...diag.Diagnostic) []string {
		p := newPersona()
		for i := range findings {
			file := &diag.File{Path: "a.md", Text: before + "one\ntwo\n"}
			findings[i].Span = diag.Span{File: file, Start: len(before), End: len(before) + 3}
		}
		p.result.Findings = findings
		var out []string
		for _, r := range p.sarif(t, run.Outcome{Command: "check"}, "").Runs[0].Results {
			out = append(out, r.PartialFingerprints.PrimaryLocationLineHash)
		}
		return out
	}
	said := func(variant string, tokens int) diag.Diagnostic {
		return diag.New("PC5001", diag.Span{}, "names-and-more", variant, diag.Count(tokens))
	}
	first := prints("", said("p/tier=1", 214))
	if d := cmp.Diff(first, prints("a line\n", said("p/tier=1", 1220))); d != "" {
		t.Errorf("another place and amount (-before +after):\n%s", d)
	}
	if first[0] == prints("", said("p/tier=2", 214))[0] {
		t.Error("another variant has the same fingerprint")
	}
	twice := prints("", said("a", 1), said("a", 2))
	if len(twice) != 2 || twice[0] == twice[1] {
		t.Errorf("two findings have the fingerprints %v", twice)
	}
}

func FuzzSARIF(f *testing.F) {
	for _, seed := range []string{"a", "a b#c%d?e.md", "a:b//c", "../x", "\x00\xff\n", "[a](1) {0}", "世/🦊.md", "\"1\" 2"} {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, name, message, text string) {
		p := newPersona()
		file := &diag.File{Path: name, Text: text}
		gone := store.Change{Status: store.Orphaned, Old: text, Output: assembly.Output{Path: "snapshots/" + name}}
		p.result.Delta.Snapshots = []store.Change{gone}
		p.result.Findings = diag.List{
			diag.New("PC3002", diag.Span{File: file, Start: len(text) / 2, End: len(text)}, "names", message).WithHint("names", name),
		}
		for _, r := range p.sarif(t, run.Outcome{Command: "check"}, "kit").Runs[0].Results {
			for _, l := range r.Locations {
				uri, err := url.Parse(l.PhysicalLocation.ArtifactLocation.URI)
				if err != nil || uri.Scheme != "" || uri.Host != "" || uri.RawQuery != "" || uri.Fragment != "" {
					t.Errorf("%q is no path: %v", l.PhysicalLocation.ArtifactLocation.URI, err)
				}
				region := l.PhysicalLocation.Region
				if region.StartLine < 1 || region.StartColumn < 1 || region.EndLine < region.StartLine ||
					region.EndLine == region.StartLine && region.EndColumn < region.StartColumn {
					t.Errorf("the region %+v", region)
				}
			}
		}
	})
}
