package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// What a SARIF log says of itself.
const (
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	sarifVersion = "2.1.0"
	sarifHome    = "https://github.com/promptc-build/promptc"
	// maxDescription is the length that GitHub takes of a rule's description,
	// in characters.
	maxDescription = 1024
)

// The types below are the parts of SARIF 2.1.0 that code scanning reads. No
// string in a log is empty.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string          `json:"id"`
	ShortDescription     sarifText       `json:"shortDescription"`
	FullDescription      sarifText       `json:"fullDescription"`
	Help                 sarifHelp       `json:"help"`
	DefaultConfiguration sarifDefault    `json:"defaultConfiguration"`
	Properties           sarifProperties `json:"properties"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

// sarifProperties are GitHub's own: how serious what is no matter of security
// is.
type sarifProperties struct {
	Severity string `json:"problem.severity"`
}

type sarifResult struct {
	RuleID       string          `json:"ruleId"`
	RuleIndex    int             `json:"ruleIndex"`
	Level        string          `json:"level"`
	Message      sarifText       `json:"message"`
	Locations    []sarifLocation `json:"locations"`
	Fingerprints sarifPrints     `json:"partialFingerprints"`
	// Suppressions is nil, and not an empty list, where none of the run's
	// results has any.
	Suppressions *[]sarifSuppression `json:"suppressions,omitempty"`

	severity diag.Level
	order    int
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

// sarifRegion counts from 1; its end is behind the last character.
type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

// sarifPrints has the key by which GitHub knows a result again; it computes one
// from the line only where there is none.
type sarifPrints struct {
	Hash string `json:"primaryLocationLineHash"`
}

// sarifRules gives the rules of some results, in the order of their ids.
func sarifRules(results []sarifResult) []sarifRule {
	levels := map[string]diag.Level{}
	for _, r := range results {
		levels[r.RuleID] = r.severity
	}
	out := make([]sarifRule, 0, len(levels))
	for id, level := range levels {
		out = append(out, ruleOf(id, level))
	}
	slices.SortFunc(out, func(a, b sarifRule) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// ruleOf describes a rule, by the table of codes where that has it.
func ruleOf(id string, level diag.Level) sarifRule {
	e, ok := diag.Lookup(diag.Code(id))
	switch {
	case id == driftRule:
		e = diag.Entry{Level: diag.Error, Title: "generated files are out of date", Explanation: "" +
			"The committed snapshots, or the artifacts, are not what a build of these sources writes, so a review would not see what the " +
			"change does.\n\nRun `promptc build` and commit what it writes."}
	case id == restRule:
		e = diag.Entry{Level: diag.Note, Title: "there are more results than can be shown", Explanation: "" +
			"Code scanning shows a limited number of results of a run. The most serious were kept.\n\nRun `promptc check` to see the others."}
	case !ok:
		e = diag.Entry{Level: level, Title: "finding " + id, Explanation: "The finding " + id + " is explained by the version of promptc that reports it."}
	}
	text := strings.TrimSpace(e.Explanation)
	first, _, _ := strings.Cut(text, "\n\n")
	return sarifRule{
		ID: id, ShortDescription: sarifText{atMost(e.Title)}, FullDescription: sarifText{atMost(strings.ReplaceAll(first, "\n", " "))},
		Help: sarifHelp{text, text}, DefaultConfiguration: sarifDefault{e.Level.String()},
		Properties: sarifProperties{[...]string{"error", "warning", "recommendation"}[e.Level]},
	}
}

// atMost keeps a description within what GitHub takes.
func atMost(s string) string {
	if utf8.RuneCountInString(s) <= maxDescription {
		return s
	}
	return string([]rune(s)[:maxDescription-1]) + "…"
}
