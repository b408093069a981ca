package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

const (
	// maxResults is how many results GitHub shows of a file; the others it
	// drops.
	maxResults = 5000
	// driftRule and restRule are the rules of results that are no findings:
	// files that are not what a build writes, and what was left out.
	driftRule = "drift"
	restRule  = "more-results"
)

// SARIF writes a run of build or check as a SARIF 2.1.0 log with one run, for
// code scanning: a result for each finding and for each file that is not what a
// build writes, placed in the source that caused it; what settings leave out is
// suppressed, with the reason. Of more than 5,000 the most serious are kept, and
// the last result counts the others.
func SARIF(w io.Writer, r *prompt.Result, did Outcome, opt Options) error {
	s := newSarif(manifestOf(r), opt.of(r))
	for _, d := range r.Findings.Sorted() {
		s.finding(d)
	}
	if d := r.Delta; d != nil {
		if !did.Snapshots {
			s.drift(r)
		}
		if !did.Artifacts && staleArtifacts(d) {
			s.artifacts(d)
		}
	}
	s.off(r.Off)
	return s.print(w)
}

// off adds the findings that settings leave out, as results that somebody has
// looked at. Once one of a run is, the others have to say that they are not.
func (s *sarif) off(all []prompt.Silenced) {
	if len(all) == 0 {
		return
	}
	for i := range s.results {
		s.results[i].Suppressions = &[]sarifSuppression{}
	}
	for _, o := range all {
		s.finding(o.Finding)
		last := &s.results[len(s.results)-1]
		last.Suppressions = &[]sarifSuppression{{"external", clean(o.By.Reason.Str)}}
		last.severity = diag.Note // the first to go where there are too many
	}
}

// manifestOf gives the manifest of a result, nil where it was never read.
func manifestOf(r *prompt.Result) *diag.File {
	switch {
	case r.Spec != nil && r.Spec.File != nil:
		return r.Spec.File
	case r.Tree != nil:
		return r.Tree.File
	default:
		return nil
	}
}

// sarif collects the results of a run.
type sarif struct {
	opt      Options
	manifest *diag.File // the place of what has none; nil for none
	results  []sarifResult
}

func newSarif(manifest *diag.File, opt Options) *sarif {
	return &sarif{opt: opt, manifest: manifest, results: []sarifResult{}}
}

// finding adds a finding.
func (s *sarif) finding(d diag.Diagnostic) {
	text := []string{d.Message}
	text = append(text, d.Detail...)
	if d.Hint != "" {
		text = append(text, "hint: "+d.Hint)
	}
	key := ""
	if d.Span.Known() {
		key = s.opt.path(d.Span.File.Path)
	}
	s.add(string(d.Code), d.Level, d.Span, text, key, d.Message)
}

// drift adds the snapshots that are not what a build writes.
func (s *sarif) drift(r *prompt.Result) {
	all := changes(r)
	if len(all) > 0 && fresh(r.Delta, all) {
		s.add(driftRule, diag.Error, diag.Span{}, []string{"snapshots do not exist yet: " + extent(r), "run: promptc build"},
			s.opt.path(r.Delta.SnapshotFolder), "fresh")
		return
	}
	for _, c := range all {
		if c.follows {
			continue
		}
		head := strings.TrimSpace(c.prompt + " " + c.subject + " " + c.verb())
		if n, ok := growth(c, s.opt.Count); ok {
			head += " (" + difference(n) + " " + plural(max(n, -n), "token") + ")"
		}
		file := s.opt.path(c.Output.Path)
		text := append([]string{head}, users(c.Output.Owner)...)
		leaves, _ := c.leaves()
		text = append(text, (&diffPage{page: newPage(Options{}), unmarked: true}).someLeaves(leaves)...)
		text = append(text, "snapshot: "+file, "run: promptc build")
		at := c.place(r)
		if !at.Known() && c.Status != prompt.Added {
			// The file on disk; of its text no part is better than the start.
			at = diag.Span{File: &diag.File{Path: c.Output.Path}}
		}
		s.add(driftRule, diag.Error, at, text, file, c.verb())
	}
}

// artifacts adds one result for all emitted files that are out of date.
func (s *sarif) artifacts(d *prompt.Delta) {
	p := newPage(Options{Base: s.opt.Base})
	s.add(driftRule, diag.Error, diag.Span{}, []string{p.artifacts(d), "run: promptc build"},
		s.opt.path(d.ArtifactFolder), "artifacts")
}

// add adds a result. What it is about and what is said of it, without amounts,
// are what it is recognised by in a later run.
func (s *sarif) add(rule string, level diag.Level, at diag.Span, text []string, about, said string) {
	lines := make([]string, len(text))
	for i, l := range text {
		lines[i] = clean(l)
	}
	if !at.Known() && s.manifest != nil {
		at = diag.Span{File: s.manifest}
	}
	result := sarifResult{
		RuleID: rule, Level: level.String(), Message: sarifText{Text: noLinks(strings.Join(lines, "\n"))},
		Locations: []sarifLocation{}, severity: level,
		Fingerprints: sarifPrints{Hash: fingerprint(rule, about, said)},
	}
	if p := s.opt.place(at); p != nil {
		result.Locations = append(result.Locations, sarifLocation{sarifPhysical{
			sarifArtifact{uriOf(p.File)}, sarifRegion{p.Line, p.Column, p.EndLine, p.EndColumn},
		}})
	}
	s.results = append(s.results, result)
}

// print writes the log.
func (s *sarif) print(w io.Writer) error {
	s.cut()
	// Equal prints are numbered, or all but one of the results would be taken
	// for copies.
	seen := map[string]int{}
	for i := range s.results {
		print := &s.results[i].Fingerprints.Hash
		seen[*print]++
		*print = fmt.Sprintf("%s:%d", *print, seen[*print])
	}
	rules := sarifRules(s.results)
	for i := range s.results {
		s.results[i].RuleIndex = slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == s.results[i].RuleID })
	}
	return encode(w, sarifLog{
		Schema: sarifSchema, Version: sarifVersion,
		Runs: []sarifRun{{
			Tool:       sarifTool{sarifDriver{Name: "promptc", InformationURI: sarifHome, Rules: rules}},
			ColumnKind: "unicodeCodePoints", Results: s.results,
		}},
	}, s.opt)
}

// cut keeps the most serious results, in their order, and counts the others in
// one more.
func (s *sarif) cut() {
	if len(s.results) <= maxResults {
		return
	}
	left := len(s.results) - (maxResults - 1)
	byLevel := slices.Clone(s.results)
	for i := range byLevel {
		byLevel[i].order = i
	}
	slices.SortStableFunc(byLevel, func(a, b sarifResult) int { return cmp.Compare(a.severity, b.severity) })
	level := byLevel[maxResults-1].severity
	shown := byLevel[:maxResults-1]
	slices.SortFunc(shown, func(a, b sarifResult) int { return cmp.Compare(a.order, b.order) })
	s.results = shown
	text := "and " + count(left, "more result") + ": code scanning shows " + number(maxResults) + " of a run"
	s.add(restRule, level, diag.Span{}, []string{text}, "", "rest")
	if shown[0].Suppressions != nil {
		s.results[len(s.results)-1].Suppressions = &[]sarifSuppression{}
	}
}

// fingerprint hashes what a result is recognised by. Lines, columns and amounts
// stand outside the quotes in which messages name things; they change with
// every edit, and do not make it another finding.
func fingerprint(rule, about, said string) string {
	var b strings.Builder
	quoted := false
	for _, r := range said {
		if r == '"' {
			quoted = !quoted
		}
		if quoted || !unicode.IsDigit(r) && r != ',' {
			b.WriteRune(r)
		}
	}
	sum := sha256.Sum256([]byte(rule + "\x00" + about + "\x00" + b.String()))
	return hex.EncodeToString(sum[:8])
}

// noLinks keeps a text from being read as one with links, which SARIF writes as
// `[text](target)`.
func noLinks(text string) string {
	if !strings.Contains(text, "](") {
		return text
	}
	return strings.NewReplacer("[", `\[`, "]", `\]`).Replace(text)
}

// uriOf writes a path as a relative reference: its slashes stay, and whatever
// could mean something else in a URI, or is not ASCII, is escaped by bytes.
func uriOf(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/@=,", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
