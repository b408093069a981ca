package load

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/recorded"
)

// maxRecorded is how many values a file of requests may hold.
const maxRecorded = 2_000_000

// requests finds the requests in a file that another program wrote, if it is one of
// such. It reports whether findings left the file useful.
func (r *run) requests(doc *language.Doc, how language.How) bool {
	if doc.Saved != nil {
		return true // texts of tests
	}
	if how.Pointer != "" && !isCassette(doc) {
		if taken, ok := r.fromData(doc, how); taken {
			return ok
		}
	}
	var found diag.List
	out, ok := r.recordedIn(doc, how, &found)
	if !ok {
		r.found = append(r.found, found...)
		return false
	}
	complex := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == diag.TooComplex })
	switch {
	case len(out.Entries) > 0 || len(out.Bad) > 0 || out.Recording || complex:
	case how.Pointer != "" && r.tree.Borrowed:
		return false // this state has none
	case how.Pointer != "":
		out.Bad = diag.List{diag.New(diag.BodyShape, diag.Whole(doc.File), "no-body-at", doc.File.Path, how.Pointer).WithHint("pointer-to-body")}
	case how.Dialect != "":
		out.Bad = diag.List{diag.New(diag.BodyShape, diag.Whole(doc.File), "no-body", doc.File.Path).WithHint("body-or-as-text")}
	default:
		at := cutAt(doc)
		if !at.Known() {
			return true // a text
		}
		out.Bad = diag.List{diag.New(diag.BodyShape, at, "body-is-no-json", doc.File.Path).WithHint("mend-or-as-text")}
	}
	if doc.Saved, doc.Others, doc.Recording = out.Entries, out.Others, out.Recording; doc.Saved == nil {
		doc.Saved = []language.Saved{}
	}
	if !complex {
		found = inEntries(found, doc.Saved)
	}
	found = append(found, out.Bad...)
	r.found = append(r.found, found...)
	return !found.HasErrors()
}

// inEntries gives the findings that stand in an entry: what is wrong elsewhere in a
// recording is nobody's concern. Half a character is a warning, since nobody can mend
// what was sent.
func inEntries(found diag.List, entries []language.Saved) diag.List {
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return !slices.ContainsFunc(entries, func(s language.Saved) bool { return s.At.Start <= d.Span.Start && d.Span.End <= s.At.End })
	})
	for i := range found {
		if found[i].Code == diag.JSONSyntax {
			found[i].Level, found[i].Hint = diag.Warning, diag.Say("cut-between-halves")
		}
	}
	return found
}

// recordedIn looks for requests in a file; false where it cannot be read.
func (r *run) recordedIn(doc *language.Doc, how language.How, found *diag.List) (out recorded.Found, ok bool) {
	text := strings.TrimLeft(doc.Body.Str, jsonSpace)
	switch isJSON := strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["); {
	case isCassette(doc):
		root, ok := parseForeignYAML(doc.File, 0, len(doc.File.Text), found)
		if !ok {
			return out, false
		}
		if root != nil {
			out = recorded.Read(root, how, jsonWithin(found))
		}
	case isJSON || how.Pointer != "":
		root, ok := parseLargeJSON(doc.File, len(doc.File.Text)-len(strings.TrimLeft(doc.File.Text, jsonSpace)), maxRecorded, found)
		if len(doc.Body.Str) < len(doc.File.Text) { // behind what a test program wrote
			*found = nil
			root, ok = parseWithin(doc.Body, found)
		}
		if ok && root != nil {
			out = recorded.Read(root, how, jsonWithin(found))
		} else if !slices.ContainsFunc(*found, func(d diag.Diagnostic) bool { return d.Code == diag.TooComplex }) {
			*found = nil
			out = recorded.Lines(linesWithin(doc.Body, how.Pointer != "", found), how, jsonWithin(found))
		}
	}
	return out, true
}

// bodyKey is a key with which the messages of a request begin.
var bodyKey = regexp.MustCompile(`"(?:messages|contents|input|interactions)"\s*:\s*[\[{]`)

// cutAt gives the place of a file that is called JSON, begins like a request, and is not
// JSON: of one with a value a line, the first line that is none.
func cutAt(doc *language.Doc) diag.Span {
	const head = 4000 // bytes
	text := strings.TrimLeft(doc.Body.Str, jsonSpace)
	if !strings.HasPrefix(text, "{") || !bodyKey.MatchString(text[:min(head, len(text))]) {
		return diag.Span{}
	}
	switch extension(doc.File.Path) {
	case ".json", ".har":
		if !json.Valid([]byte(text)) {
			return diag.Whole(doc.File)
		}
	case ".jsonl", ".ndjson":
		start := 0
		for line := range strings.Lines(doc.Body.Str) {
			end := start + len(strings.TrimRight(line, jsonSpace))
			if start < end && !json.Valid([]byte(doc.Body.Str[start:end])) {
				return doc.Body.Span(start, end).FirstLine()
			}
			start += len(line)
		}
	}
	return diag.Span{}
}

// cassetteKey is the key of a cassette's list.
var cassetteKey = regexp.MustCompile(`(?m)^(?:http_)?interactions:`)

// isCassette tells a file of VCR.py in YAML by its name and its one list.
func isCassette(doc *language.Doc) bool {
	ext := extension(doc.File.Path)
	return (ext == ".yaml" || ext == ".yml") && cassetteKey.MatchString(doc.File.Text)
}

// parseWithin reads a text as JSON, with the places that the text has.
func parseWithin(t ground.Text, found *diag.List) (*ground.Node, bool) {
	var bad diag.List
	n, ok := parseLargeJSON(&diag.File{Text: t.Str}, 0, maxRecorded, &bad)
	if n != nil {
		n.Within(t)
	}
	for i := range bad {
		bad[i].Span = t.Span(bad[i].Span.Start, bad[i].Span.End)
	}
	*found = append(*found, bad...)
	return n, ok
}

// jsonWithin reads texts in a file as JSON. What is none is no mistake.
func jsonWithin(found *diag.List) recorded.Parse {
	return func(t ground.Text) (*ground.Node, bool) {
		var bad diag.List
		n, ok := parseWithin(t, &bad)
		if !ok && !slices.ContainsFunc(bad, func(d diag.Diagnostic) bool { return d.Code == diag.TooComplex }) {
			return nil, false
		}
		*found = append(*found, bad...)
		return n, ok
	}
}

// linesWithin reads each line of a text as JSON, nil for one that is none. Behind it
// the others count only in a log.
func linesWithin(t ground.Text, log bool, found *diag.List) []*ground.Node {
	var out []*ground.Node
	parse := jsonWithin(found)
	start := 0
	for line := range strings.Lines(t.Str) {
		if strings.TrimSpace(line) != "" {
			n, _ := parse(t.Slice(start, start+len(line)))
			if out = append(out, n); n == nil && !log {
				break
			}
		}
		start += len(line)
	}
	return out
}
