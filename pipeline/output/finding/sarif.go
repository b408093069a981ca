package finding

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// WriteSARIF writes problems as results of one run.
func WriteSARIF(w io.Writer, all []Problem, opt words.Options) error {
	results, rules := []sarifResult{}, sarifRules(all)
	off := slices.ContainsFunc(all, func(x Problem) bool { return x.Off != nil })
	for _, x := range all {
		result := sarifResult{
			RuleID:       x.Rule,
			RuleIndex:    slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == x.Rule }),
			Level:        x.Level.String(),
			Message:      map[string]string{"text": noLinks(strings.Join(x.Lines(), "\n"))},
			Locations:    []map[string]sarifPhysical{},
			Fingerprints: map[string]string{lineHash: fmt.Sprintf("%s:%d", x.Print, x.Nth)},
		}
		if p := x.Place; p != nil {
			result.Locations = append(result.Locations, map[string]sarifPhysical{"physicalLocation": {
				map[string]string{"uri": uriOf(p.File)}, sarifRegion{p.Line, p.Column, p.EndLine, p.EndColumn},
			}})
		}
		if off { // once a result of a run is left out, the others have to say that they are not
			result.Suppressions = &[]sarifSuppression{}
		}
		if x.Off != nil {
			result.Suppressions = &[]sarifSuppression{{"external", words.Clean(x.Off.By.Reason.Str)}}
		}
		results = append(results, result)
	}
	return words.Encode(w, sarifLog{
		Schema: sarifSchema, Version: sarifVersion,
		Runs: []sarifRun{{
			Tool:       map[string]sarifDriver{"driver": {Name: "promptc", InformationURI: sarifHome, Rules: rules}},
			ColumnKind: "unicodeCodePoints", Results: results,
		}},
	}, opt)
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

// What a SARIF log says of itself.
const (
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	sarifVersion = "2.1.0"
	sarifHome    = "https://github.com/promptc-build/promptc"
	lineHash     = "primaryLocationLineHash"
	// maxDescription is the length that GitHub takes of a rule's description,
	// in characters.
	maxDescription = 1024
)

// The types below are the parts of SARIF 2.1.0 that code scanning reads. No
// string in a log is empty. An object with one key is a map.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       map[string]sarifDriver `json:"tool"`
	ColumnKind string                 `json:"columnKind"`
	Results    []sarifResult          `json:"results"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string            `json:"id"`
	ShortDescription     map[string]string `json:"shortDescription"`
	FullDescription      map[string]string `json:"fullDescription"`
	Help                 sarifHelp         `json:"help"`
	DefaultConfiguration map[string]string `json:"defaultConfiguration"`
	// Properties are GitHub's own: how serious what is no matter of security is.
	Properties map[string]string `json:"properties"`
}

type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type sarifResult struct {
	RuleID    string                     `json:"ruleId"`
	RuleIndex int                        `json:"ruleIndex"`
	Level     string                     `json:"level"`
	Message   map[string]string          `json:"message"`
	Locations []map[string]sarifPhysical `json:"locations"`
	// Fingerprints has the key by which GitHub knows a result again; it computes one
	// from the line only where there is none.
	Fingerprints map[string]string `json:"partialFingerprints"`
	// Suppressions is nil, and not an empty list, where none of the run's
	// results has any.
	Suppressions *[]sarifSuppression `json:"suppressions,omitempty"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifPhysical struct {
	Artifact map[string]string `json:"artifactLocation"`
	Region   sarifRegion       `json:"region"`
}

// sarifRegion counts from 1; its end is behind the last character.
type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

// sarifRules gives the rules of some problems, in the order of their ids.
func sarifRules(all []Problem) []sarifRule {
	ids := map[string]bool{}
	for _, x := range all {
		ids[x.Rule] = true
	}
	out := []sarifRule{}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		out = append(out, ruleOf(id))
	}
	return out
}

// ruleOf describes a rule: drift, or one of the table of codes.
func ruleOf(id string) sarifRule {
	e, _ := diag.Lookup(diag.Code(id))
	if id == DriftRule {
		e = diag.Entry{Level: diag.Error, Title: "generated files are out of date", Explanation: "" +
			"The committed snapshots, or the artifacts, are not what a build of these sources writes, so a review would not see what the " +
			"change does.\n\nRun `promptc build` and commit what it writes."}
	}
	text := strings.TrimSpace(e.Explanation)
	first, _, _ := strings.Cut(text, "\n\n")
	return sarifRule{
		ID: id, ShortDescription: map[string]string{"text": atMost(e.Title)}, FullDescription: map[string]string{"text": atMost(strings.ReplaceAll(first, "\n", " "))},
		Help: sarifHelp{text, text}, DefaultConfiguration: map[string]string{"level": e.Level.String()},
		Properties: map[string]string{"problem.severity": [...]string{"error", "warning", "recommendation"}[e.Level]},
	}
}

// atMost keeps a description within what GitHub takes.
func atMost(s string) string {
	return diag.Start(s, maxDescription-1)
}
