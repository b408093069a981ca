package lint

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// thing is a sort of things that a variant may have and a text may name.
type thing int

// The sorts of things.
const (
	aTool thing = iota
	aSkill
	aFile
)

// things gives for each sort the word, and the code of what a variant lacks of
// it: what that is, and what to do.
var things = []struct {
	word       string
	code       diag.Code
	lack, hint string
}{
	aTool:  {"tool", diag.MissingTool, "not in the toolset", "say it in a section of its own with needs: {tools: [%s]}, or bring the tool"},
	aSkill: {"skill", diag.MissingSkill, "not listed", "put it under the condition of the section that lists %q, or list that here, too"},
	aFile:  {"file", diag.MissingFile, "not in the text", "put it under the condition of the section that shows %q, or show that here, too"},
}

// subject is a thing that some variant has.
type subject struct {
	thing
	name string
}

// names are what to look for: what a word may mean.
type names map[string][]subject

func (n names) add(s subject) {
	if slices.Contains(n[s.name], s) {
		return
	}
	n[s.name] = append(n[s.name], s)
}

// mention is a place at which a text names a thing.
type mention struct {
	subject
	start, end int
	// line is what it stands on, from the byte column.
	line   string
	column int
}

// mentions finds the names in a text, in order. A word that anybody may use for
// something else counts only as code, or beside the word for its sort.
func mentions(s string, lines []mdLine, known names) []mention {
	if len(known) == 0 {
		return nil
	}
	var out []mention
	for _, line := range lines {
		text := s[line.start:line.end]
		for start := 0; start < len(text); {
			if !nameByte(text[start]) {
				start++
				continue
			}
			end := start + 1
			for end < len(text) && nameByte(text[end]) {
				end++
			}
			for _, m := range meanings(text, start, end, known) {
				if m.certain(text, line.code) {
					m.line, m.column = text, m.start
					m.start, m.end = line.start+m.start, line.start+m.end
					out = append(out, m)
				}
			}
			start = end
		}
	}
	return out
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/'
}

// meanings gives what a run of the bytes of names says: the whole of it, also
// without what a sentence puts around it, and for a path to a skill its folder.
func meanings(line string, start, end int, known names) []mention {
	for end > start && (line[end-1] == '.' || line[end-1] == '-') {
		end--
	}
	for start < end && strings.HasPrefix(line[start:end], "./") {
		start += 2
	}
	var out []mention
	for _, s := range known[line[start:end]] {
		out = append(out, mention{subject: s, start: start, end: end})
	}
	folder, isSkill := strings.CutSuffix(line[start:end], "/SKILL.md")
	if isSkill && !strings.HasPrefix(folder, "//") { // else an address
		name := folder[strings.LastIndexByte(folder, '/')+1:]
		for _, s := range known[name] {
			if s.thing == aSkill {
				out = append(out, mention{subject: s, start: start, end: end})
			}
		}
	}
	return out
}

// nearby is how many bytes beside a name are looked at.
const nearby = 32

// certain reports whether a word on a line can only mean the thing.
func (m mention) certain(line string, fenced bool) bool {
	before, after := line[max(0, m.start-nearby):m.start], line[m.end:min(len(line), m.end+nearby)]
	path := line[m.start:m.end] != m.name // as only a skill is named
	ticked := strings.HasSuffix(before, "`") && (strings.HasPrefix(after, "`") || strings.HasPrefix(after, "("))
	switch {
	case fenced:
		quoted := strings.HasSuffix(before, `"`) && strings.HasPrefix(after, `"`)
		tag := (strings.HasSuffix(before, "<") || strings.HasSuffix(before, "</")) && strings.HasPrefix(after, ">")
		return path || !ordinary(m.name) && m.thing != aFile && (quoted || tag)
	case path || !ordinary(m.name):
		return true
	case ticked && (m.thing == aTool || strings.Contains(m.name, "-")):
		return true
	default:
		return m.called(before, after)
	}
}

// determiners stand before a name that is one: "the read tool" names a tool,
// "then read tool output" does not.
var determiners = []string{"a", "an", "call", "our", "the", "this", "use", "using", "via", "with", "your"}

const quotes = "`\"'*“”"

// called reports whether the word for the sort stands beside a name: "the exec
// tool", "the tool `exec`".
func (m mention) called(before, after string) bool {
	outside := strings.TrimRight(before, quotes)
	bare := outside == before
	words := strings.Fields(strings.ToLower(outside))
	last := ""
	if len(words) > 0 && strings.HasSuffix(outside, " ") {
		last = words[len(words)-1]
	}
	next, spaced := strings.CutPrefix(strings.TrimLeft(after, quotes), " ")
	if i := strings.IndexFunc(next, func(r rune) bool { return r < 'a' || r > 'z' }); i >= 0 {
		next = next[:i] // "The Write Tool" is a title
	}
	if spaced && next == things[m.thing].word {
		return !bare || slices.Contains(determiners, last)
	}
	return !bare && strings.TrimSuffix(last, ":") == things[m.thing].word
}

// ordinary reports whether a name may as well be a word of a sentence: letters
// and hyphens, with a capital at most at the beginning, or capitals alone.
func ordinary(name string) bool {
	if len(name) < 4 {
		return true
	}
	if strings.ContainsAny(name, "_./0123456789") {
		return false
	}
	return strings.ToLower(name[1:]) == name[1:] || strings.ToUpper(name) == name
}

// sides is how many bytes of a sentence beside a name are looked at.
const sides = 200

// sentence gives what stands around a mention, in small letters.
func (m mention) sentence() string {
	end := m.column + m.end - m.start
	before, after := m.line[max(0, m.column-sides):m.column], m.line[end:min(len(m.line), end+sides)]
	for _, stop := range []string{". ", "! ", "? ", "; "} {
		before = before[strings.LastIndex(before, stop)+1:]
		after, _, _ = strings.Cut(after, stop)
	}
	return strings.ToLower(strings.ReplaceAll(before+m.line[m.column:end]+after, "’", "'"))
}

// hedgings are words by which a sentence says that a thing may not be there.
var hedgings = []string{
	"if you have", "if available", "if present", "if it is available", "if it exists", "when available", "where available", "when you have",
	"not available", "unavailable", "isn't available", "aren't available", "no longer", "without", "disabled", "there is no ", "there are no ", "do not have",
	"don't have", "have no ", "has no ", "no access", "not have access", "cannot use", "can't use", "not present", "may not exist", "not provided", "instead of",
	"unlike", "rather than", "formerly", "does not exist", "is missing", "are missing",
}

// hedged reports whether a sentence speaks of the thing as one that may not be
// there.
func (m mention) hedged() bool {
	said := m.sentence()
	return slices.ContainsFunc(hedgings, func(words string) bool { return strings.Contains(said, words) })
}

// openings are words by which a sentence speaks of a file on the disk, which
// need not be in the prompt.
var openings = []string{"read", "open", "cat", "edit", "write", "create", "update", "load", "save", "add", "keep", "put", "change", "generate"}

// opened reports whether a sentence has such a word.
func (m mention) opened() bool {
	words := strings.FieldsFunc(m.sentence(), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(openings, w) })
}
