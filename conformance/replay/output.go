package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// cut is what stands in a line in place of the characters that are left out.
var cut = regexp.MustCompile(`…\((\d[\d,]*) more characters?\)…`)

// marks stand around the words of a line that differ, by the sign of the line.
var marks = map[byte][2]string{'-': {"[-", "-]"}, '+': {"{+", "+}"}}

// signed are lines with their signs, without the blanks around them.
type signed map[string]bool

func (s signed) add(sign, line string) { s[sign+strings.TrimSpace(line)] = true }

// find gives the one that a line of a hunk is, as the text format prints it.
func (s signed) find(printed string) (line string, ok bool) {
	sign, text := printed[:1], strings.TrimSpace(printed[1:])
	if s[sign+text] {
		return sign + text, true
	}
	text = strings.TrimSpace(spelled.ReplaceAllStringFunc(text, meant))
	if s[sign+text] {
		return sign + text, true
	}
	if !strings.Contains(text, marks[sign[0]][0]) && !cut.MatchString(text) {
		return "", false
	}
	for line := range s {
		if line[:1] == sign && shows(text, line[1:], marks[sign[0]]) {
			return line, true
		}
	}
	return "", false
}

// spelled is a character that nobody would see, such as a carriage return, as promptc
// prints it.
var spelled = regexp.MustCompile(`<U\+([0-9A-F]{4,6})>`)

// meant gives the character that is spelled.
func meant(spelled string) string {
	code, err := strconv.ParseUint(strings.Trim(spelled, "<U+>"), 16, 32)
	if err != nil {
		return spelled
	}
	return string(rune(code))
}

// shows reports whether a line is what was printed: with marks around words of
// it, or parts left out of which the characters are counted. A line may have what
// looks like a mark itself.
func shows(printed, line string, marks [2]string) bool {
	r := &reading{line: line, marks: marks, tried: map[[3]int]bool{}}
	return r.from(printed, line, 0)
}

// reading is a line that is compared with what was printed of it.
type reading struct {
	line  string
	marks [2]string
	tried map[[3]int]bool
}

// from compares from a place on; in is 1 between two marks, else 0.
func (r *reading) from(printed, line string, in int) bool {
	for printed != "" {
		if strings.HasPrefix(printed, r.marks[in]) {
			state := [3]int{len(printed), len(line), in}
			if r.tried[state] {
				return false
			}
			r.tried[state] = true
			if r.from(printed[len(r.marks[in]):], line, 1-in) {
				return true
			}
		}
		if at := cut.FindStringSubmatchIndex(printed); at != nil && at[0] == 0 {
			left, err := strconv.Atoi(strings.ReplaceAll(printed[at[2]:at[3]], ",", ""))
			rest := []rune(line)
			if err == nil && left <= len(rest) && r.from(printed[at[1]:], string(rest[left:]), in) {
				return true
			}
			const blanks = 100 // at the end, which do not count here and were left out, too
			if err == nil && at[1] == len(printed) && in == 0 && left > len(rest) && left <= len(rest)+blanks {
				return true
			}
		}
		edge := line == "" || line == r.line // blanks around it do not count
		switch {
		case line != "" && printed[0] == line[0]:
			printed, line = printed[1:], line[1:]
		case edge && strings.TrimLeft(printed[:1], " \t") == "":
			printed = printed[1:]
		default:
			return false
		}
	}
	return line == "" && in == 0
}

// edited gives the lines of all edits.
func edited(edits []edit) signed {
	out := signed{}
	for _, e := range edits {
		for _, line := range e.Removed {
			out.add("-", line)
		}
		for _, line := range e.Added {
			out.add("+", line)
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
			known.add("-", leaf.From)
			known.add("+", leaf.To)
		}
	}
	var out []string
	text = strings.ReplaceAll(text, `##\[`, "##[") // a runner would take that for a command
	for line := range strings.Lines(text) {
		line, ok := hunkLine(line)
		if !ok {
			continue
		}
		if _, ok := known.find(line); !ok {
			out = append(out, line)
		}
	}
	return out
}

// says is what stands where something is left out: "… 3 more lines", "and 12 more
// changes", "400 more lines of the text follow from it".
var says = regexp.MustCompile(`\d[\d,]* more\b`)

// uncounted gives what a format leaves out of the edits without a count of
// anything; "" where all is there, or something is counted. A line of which a part
// is left out counts what it leaves out.
func uncounted(text string, edits []edit) string {
	if says.MatchString(cut.ReplaceAllString(text, "")) {
		return ""
	}
	missing := edited(edits)
	for line := range strings.Lines(text) {
		if line, ok := hunkLine(line); ok {
			found, _ := missing.find(line)
			delete(missing, found)
		}
	}
	maps.DeleteFunc(missing, func(line string, _ bool) bool {
		return line[1:] == "" // between others it is printed without a sign
	})
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("%d lines (%q)", len(missing), slices.Sorted(maps.Keys(missing))[0])
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
