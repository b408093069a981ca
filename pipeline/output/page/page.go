// Package page writes a run, and a difference if there is one, as one page for a browser.
// It puts together the facts that the other rooms of this wing compute; htmlpage draws them.
package page

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/htmlpage"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// With is what a result does not say by itself.
type With struct {
	// Difference is what changed against a base; nil where there is none. Found are
	// its findings.
	Difference *review.Difference
	Found      diag.List
	// Count gives the tokens of a text by the tokenizer of a name.
	Count func(tokenizer, text string) int
	// Served says that a server gives the page out: it asks that for another one.
	Served bool
}

// Write writes a run as one page for a browser: the variants of each prompt with
// their budgets, sections, tools and texts, the findings and, with a difference,
// each change once.
func Write(w io.Writer, r *prompt.Result, with With, opt words.Options) error {
	opt = opt.Masking(r)
	opt.Color = false
	if d := with.Difference; d != nil && d.Base.Result != nil {
		opt = opt.Masking(d.Base.Result)
	}
	doc := &htmlData{Prompts: []*htmlPrompt{}, Changes: []htmlChange{}, Idle: []htmlIdle{}, Findings: []htmlFinding{}}
	t := newHTMLTables(doc, r, with, opt)
	t.prompts()
	doc.findings(r, with, opt)
	if with.Difference != nil {
		doc.compare(with.Difference, opt)
	}
	data := words.MaskStrings([]byte(canon.Value(doc)+"\n"), opt.Keys())
	head := htmlpage.Head{Title: "Prompts", Prompts: []string{}, Served: with.Served}
	p := words.NewPrinter(opt)
	for _, of := range doc.Prompts {
		head.Prompts = append(head.Prompts, p.Mask(words.Clean(of.ID))+": "+words.Count(len(of.Variants), "variant"))
	}
	if err := htmlpage.Write(w, head, words.EscapeHidden(escapeMarkup(data))); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// escapeMarkup escapes what ends a script. In JSON it can only stand inside strings.
func escapeMarkup(text []byte) []byte {
	for _, c := range "<>&" {
		text = bytes.ReplaceAll(text, []byte(string(c)), fmt.Appendf(nil, `\u%04x`, c))
	}
	return text
}

// htmlData is the data block of the page. Texts, entries, lists and settings that
// variants share stand once in tables and are named by their index.
type htmlData struct {
	Base     string          `json:"base,omitempty"`
	Head     string          `json:"head,omitempty"`
	Compared bool            `json:"compared"`
	Verdict  finding.Verdict `json:"verdict"`
	Remarks  []string        `json:"remarks,omitempty"`
	Texts    []htmlText      `json:"texts"`
	Entries  []htmlEntry     `json:"entries"`
	Lists    [][]int         `json:"lists"`
	Tools    []htmlTool      `json:"tools"`
	Settings []htmlSettings  `json:"settings"`
	Notes    [][2]string     `json:"notes"`
	Prompts  []*htmlPrompt   `json:"prompts"`
	Changes  []htmlChange    `json:"changes"`
	Idle     []htmlIdle      `json:"idle"`
	Findings []htmlFinding   `json:"findings"`
	Off      int             `json:"off,omitempty"`
}

// htmlText is a text, with the places of its slots: start and end of each, in
// UTF-16 code units, as scripts count.
type htmlText struct {
	Text  string `json:"t"`
	Slots []int  `json:"s,omitempty"`
}

// htmlFinding is something that a run or a comparison found.
type htmlFinding struct {
	Level   string   `json:"level"`
	Rule    string   `json:"rule"`
	Place   string   `json:"place,omitempty"`
	Lines   []string `json:"lines"`
	Number  int      `json:"number,omitempty"`
	Source  string   `json:"source,omitempty"`
	Caret   string   `json:"caret,omitempty"`
	Prompts []string `json:"prompts,omitempty"`
}

// findings adds what the run and the comparison found, and the snapshots that are
// not what a build writes.
func (doc *htmlData) findings(r *prompt.Result, with With, opt words.Options) {
	f := run.FactsOf(r, run.Outcome{Command: "check"}, opt)
	doc.Verdict, doc.Off = f.Verdict, len(r.Off)
	if f.Verdict == finding.Clean && with.Found.HasErrors() {
		doc.Verdict = verdictOfChange(with.Found)
	}
	p := words.NewPrinter(opt)
	for _, x := range append(f.Problems(), finding.AllOf(opt, with.Found.Sorted())...) {
		made := htmlFinding{Level: x.Level.String(), Rule: x.Rule, Lines: x.Lines(), Place: x.Position, Prompts: x.Prompts}
		if x.Position == "" && x.Place != nil {
			made.Place = x.Place.File
		}
		if x.At.Known() && x.At.File.Text != "" {
			made.Number = x.Place.Line
			made.Source, made.Caret = p.Quote(x.At, htmlWidth)
		}
		doc.Findings = append(doc.Findings, made)
	}
}

// The verdicts of the page on a comparison that finds errors in a project without any.
const (
	overLimit  finding.Verdict = "limit"  // the change exceeds a limit
	brokenRule finding.Verdict = "weaker" // it breaks an expectation or a check of the base
)

func verdictOfChange(found diag.List) finding.Verdict {
	other := func(d diag.Diagnostic) bool {
		return d.Level == diag.Error && d.Code != diag.GrowthExceeded && d.Code != diag.OverPolicy
	}
	if slices.ContainsFunc(found, other) {
		return brokenRule
	}
	return overLimit
}

// htmlWidth is the number of columns of a quoted source line.
const htmlWidth = 160

// htmlChange is one change, as the other formats number it.
type htmlChange struct {
	Kind    string      `json:"kind"`
	Tone    string      `json:"tone"`
	What    string      `json:"what"`
	Source  string      `json:"source,omitempty"`
	Size    string      `json:"size,omitempty"`
	Reaches []string    `json:"reaches"`
	Hunks   []htmlHunk  `json:"hunks,omitempty"`
	Leaves  []htmlLeaf  `json:"leaves,omitempty"`
	Reach   []htmlReach `json:"reach"`
}

// htmlHunk is a run of lines: each is its sign, then text, alternately as it was
// and as it differs.
type htmlHunk struct {
	Title string     `json:"title,omitempty"`
	Lines [][]string `json:"lines"`
}

type htmlLeaf struct {
	Path string   `json:"path"`
	From []string `json:"from"`
	To   []string `json:"to"`
	Told string   `json:"told,omitempty"`
}

// htmlReach says which variants of a prompt a change reaches: as runs, the first
// index and how many follow on one another.
type htmlReach struct {
	Prompt string       `json:"prompt"`
	OfBase bool         `json:"of_base,omitempty"`
	In     []int        `json:"in"`
	Missed []htmlMissed `json:"missed,omitempty"`
}

type htmlMissed struct {
	Why string `json:"why"`
	In  []int  `json:"in"`
}

// htmlIdle is a file that changed and no variant with it.
type htmlIdle struct {
	Path string `json:"path"`
	Says string `json:"says"`
}

// compare adds what changed.
func (doc *htmlData) compare(d *review.Difference, opt words.Options) {
	p := change.NewPage(d, opt)
	doc.Compared, doc.Base, doc.Head = true, d.Base.Name, d.Head.Name
	for _, line := range p.Remarks(true) {
		doc.Remarks = append(doc.Remarks, line.Text())
	}
	for i, row := range p.Rows {
		doc.Changes = append(doc.Changes, htmlChangeOf(p, i+1, row))
	}
	for _, s := range d.Idle {
		doc.Idle = append(doc.Idle, htmlIdle{change.IdlePath(opt, s), change.IdleWords(opt, s).Text()})
	}
	for _, s := range d.Stale {
		doc.Idle = append(doc.Idle, htmlIdle{s.Pair.ID, change.StaleWords(opt, s)})
	}
}

// htmlChange gives a change whole: nothing of it is left out for length.
func htmlChangeOf(p *change.Page, number int, e *review.Edit) htmlChange {
	p.Opt.Only = number
	said := change.Describe(e)
	out := htmlChange{
		Kind: e.Kind.String(), Tone: map[words.Style]string{words.Green: "came", words.Red: "gone", words.Yellow: "changed"}[said.Tone],
		What:   strings.TrimSpace(words.Clean(change.PromptOf(e)) + "  " + said.What.Text() + said.Verb.Text()),
		Source: p.Source(e).Text(), Size: strings.TrimSpace(p.Size(e)), Reaches: []string{}, Reach: []htmlReach{},
	}
	for _, line := range append([]change.Phrase{said.More}, p.Reaches(number, e)...) {
		if text := line.Text(); text != "" {
			out.Reaches = append(out.Reaches, text)
		}
	}
	for _, h := range e.Hunks {
		title, _ := p.HunkTitle(e, h)
		made := htmlHunk{Title: title}
		marks := change.WordMarks(h.Lines)
		for i, l := range h.Lines {
			made.Lines = append(made.Lines, append([]string{string(l.Sign)}, marked(l.Text, marks[i])...))
		}
		out.Hunks = append(out.Hunks, made)
	}
	for _, l := range change.LeavesOf(e) {
		gone, came, _ := textdiff.Words(l.From, l.To)
		made := htmlLeaf{Path: l.Path, From: marked(l.From, change.Phrases(l.From, gone)), To: marked(l.To, change.Phrases(l.To, came))}
		if l.From != "" && l.To != "" {
			made.Told = words.SameLooks(l.From, l.To)
		}
		out.Leaves = append(out.Leaves, made)
	}
	for _, r := range e.Reach {
		made := htmlReach{Prompt: r.Pair.ID, OfBase: r.OfBase, In: runsOf(r.All())}
		for _, m := range change.Expected(r) {
			if set := m.Set.Minus(r.In); set.Len() > 0 {
				made.Missed = append(made.Missed, htmlMissed{change.CauseWords(m).Text(), runsOf(set)})
			}
		}
		out.Reach = append(out.Reach, made)
	}
	return out
}

// marked parts a text at its marks: as it was, as it differs, and so on.
func marked(text string, marks []textdiff.Range) []string {
	var out []string
	at := 0
	for _, m := range marks {
		out, at = append(out, text[at:m.Start], text[m.Start:m.End]), m.End
	}
	return append(out, text[at:])
}

// runsOf gives a set as runs: the first index of each, and how long it is.
func runsOf(s ground.Set) []int {
	out := []int{}
	for i := range s.Size() {
		switch n := len(out); {
		case !s.Has(i):
		case n > 0 && out[n-2]+out[n-1] == i:
			out[n-1]++
		default:
			out = append(out, i, 1)
		}
	}
	return out
}

// units counts the UTF-16 code units of a text.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += max(1, utf16.RuneLen(r)) // a byte that is no text is one
	}
	return n
}

// detailOf words what a note of the ledger says.
func detailOf(r *prompt.Result, a *assembly.Artifact, opt words.Options) [][2]string {
	var out [][2]string
	for _, row := range ledger.Of(r, a, ledger.With{}, opt).Notes(a) {
		if row[0] != "headroom" && row[0] != "tools" { // the page has the figures
			out = append(out, [2]string(row))
		}
	}
	return out
}
