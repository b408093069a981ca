package main

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// marks stand around the words of a line that differ.
var marks = regexp.MustCompile(`\[-|-\]|\{\+|\+\}`)

// cut is what stands in a line in place of the characters that are left out.
var cut = regexp.MustCompile(`…\(\d[\d,]* more characters?\)…`)

// plain gives a line as it can be compared with what the text format prints of it.
func plain(line string) string {
	return strings.TrimSpace(marks.ReplaceAllString(cut.ReplaceAllString(line, "…"), ""))
}

// edited gives the lines of all edits, with their signs.
func edited(edits []edit) map[string]bool {
	out := map[string]bool{}
	for _, e := range edits {
		for _, line := range e.Removed {
			out["-"+plain(line)] = true
		}
		for _, line := range e.Added {
			out["+"+plain(line)] = true
		}
	}
	return out
}

// invented gives the lines of hunks in a text that no edit has, as a line or as the
// value of a tool.
func invented(text string, edits []edit) []string {
	known := edited(edits)
	for _, e := range edits {
		for _, leaf := range e.Leaves {
			known["-"+plain(leaf.From)], known["+"+plain(leaf.To)] = true, true
		}
	}
	var out []string
	for line := range strings.Lines(text) {
		if line, ok := hunkLine(line); ok && !known[line[:1]+plain(line[1:])] && !elided(line, known) {
			out = append(out, line)
		}
	}
	return out
}

// elided reports whether a line is one of the known with something left out.
func elided(line string, known map[string]bool) bool {
	parts := strings.Split(cut.ReplaceAllString(line, "…"), "…")
	if len(parts) == 1 {
		return false
	}
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(plain(part))
	}
	like := regexp.MustCompile(`(?s)^` + strings.Join(parts, `.*`) + `$`)
	for one := range known {
		if like.MatchString(one) {
			return true
		}
	}
	return false
}

// says is what stands where something is left out: "… 3 more lines", "and 12 more
// changes", "400 more lines of the text follow from it".
var says = regexp.MustCompile(`\d[\d,]* more\b`)

// uncounted gives what a format leaves out of the edits without a count of
// anything; "" where all is there, or something is counted. A line of which the
// middle is left out says so by itself.
func uncounted(text string, edits []edit) string {
	if text = cut.ReplaceAllString(text, "…"); says.MatchString(text) {
		return ""
	}
	shown := map[string]bool{}
	for line := range strings.Lines(text) {
		if line, ok := hunkLine(line); ok {
			shown[line[:1]+plain(line[1:])] = true
		}
	}
	var missing []string
	for line := range edited(edits) {
		if strings.TrimSpace(line[1:]) == "" {
			continue // between others it is printed without a sign
		}
		if !shown[line] && !strings.Contains(text, "…") {
			missing = append(missing, line)
		}
	}
	slices.Sort(missing)
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("%d lines (%q)", len(missing), missing[0])
}

// unread gives those of some files that lie below the fixed part of a pattern and
// have its extension. That of a pattern at the root has no fixed part.
func unread(patterns, files []string) []string {
	var out []string
	for _, file := range files {
		if slices.ContainsFunc(patterns, func(pattern string) bool {
			at := strings.IndexAny(pattern, `*?[`)
			folder := path.Dir(pattern[:max(at, 0)] + "x")
			return at >= 0 && folder != "." && strings.HasPrefix(file, folder+"/") && path.Ext(file) == path.Ext(pattern)
		}) {
			out = append(out, file)
		}
	}
	return out
}

// mentions reports whether a JSON document has a path, from here or from the
// other side's folder.
func mentions(document, wanted string) bool {
	quoted, err := json.Marshal(wanted)
	end := strings.TrimPrefix(string(quoted), `"`)
	return err == nil && (strings.Contains(document, `"`+end) || strings.Contains(document, "/"+end))
}
