package lint

import (
	"iter"
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
	// sure says that what is written is no word of a sentence: a path to a
	// skill, a tool behind a qualifier.
	sure bool
	in   passage
	// intro is where the colon stands above the list that the place is in, 0
	// for none.
	intro int
}

// mentions finds the names in a text, in order. A word that anybody may use for
// something else counts only as code, or beside the word for its sort.
func mentions(s string, lines []mdLine, known names) []mention {
	if len(known) == 0 {
		return nil
	}
	var out []mention
	var above lists
	for _, line := range lines {
		text := s[line.start:line.end]
		intro := 0
		if !line.code {
			intro = above.next(text, line.start)
		}
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
				if m.certain(text, line.code, known) {
					m.start, m.end = line.start+m.start, line.start+m.end
					m.in, m.intro = passage{s, lines}, intro
					out = append(out, m)
				}
			}
			start = end
		}
	}
	return out
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/' || c == ':'
}

// qualifiers stand before the names of tools where programs list them.
var qualifiers = []string{"functions.", "default_api."}

// meanings gives what a run of the bytes of names says: the whole of it, also
// without what a sentence puts around it; for a path to a skill its folder; each
// of several tools between slashes; and what stands between colons.
func meanings(line string, start, end int, known names) []mention {
	for end > start && strings.IndexByte(".-:", line[end-1]) >= 0 {
		end--
	}
	for start < end && strings.HasPrefix(line[start:end], "./") {
		start += 2
	}
	run := line[start:end]
	subjects, whole := known[run]
	if whole {
		return mentionsOf(subjects, start, end, false)
	}
	if folder, ok := strings.CutSuffix(run, "/SKILL.md"); ok && !strings.Contains(folder, "//") { // else an address
		skills := only(aSkill, known[folder[strings.LastIndexByte(folder, '/')+1:]])
		return mentionsOf(skills, start, end, true)
	}
	for _, q := range qualifiers {
		if name, ok := strings.CutPrefix(run, q); ok {
			return mentionsOf(only(aTool, known[name]), start+len(q), end, true)
		}
	}
	between := strings.IndexByte(run, '/') > 0 && known.all(strings.SplitSeq(run, "/"))
	if !between && strings.IndexByte(run, ':') < 0 {
		return nil
	}
	mark := byte(':')
	if between {
		mark = '/'
	}
	var out []mention
	for part := start; part < end; {
		stop := part
		for stop < end && line[stop] != mark {
			stop++
		}
		if part < stop {
			out = append(out, meanings(line, part, stop, known)...)
		}
		part = stop + 1
	}
	return out
}

func mentionsOf(subjects []subject, start, end int, sure bool) []mention {
	var out []mention
	for _, s := range subjects {
		out = append(out, mention{subject: s, start: start, end: end, sure: sure})
	}
	return out
}

// only gives the subjects of one sort.
func only(sort thing, all []subject) []subject {
	var out []subject
	for _, s := range all {
		if s.thing == sort {
			out = append(out, s)
		}
	}
	return out
}

// all reports whether every word is a name, also of what nobody looks for.
func (n names) all(words iter.Seq[string]) bool {
	for w := range words {
		if _, ok := n[w]; !ok {
			return false
		}
	}
	return true
}

// nearby is how many bytes beside a name are looked at.
const nearby = 48

// certain reports whether a word on a line can only mean the thing.
func (m mention) certain(line string, fenced bool, known names) bool {
	before, after := line[max(0, m.start-nearby):m.start], line[m.end:min(len(line), m.end+nearby)]
	ticked := strings.HasSuffix(before, "`") && (strings.HasPrefix(after, "`") || strings.HasPrefix(after, "("))
	switch {
	case fenced:
		quoted := strings.HasSuffix(before, `"`) && strings.HasPrefix(after, `"`)
		tag := (strings.HasSuffix(before, "<") || strings.HasSuffix(before, "</")) && strings.HasPrefix(after, ">")
		return m.sure && m.thing == aSkill || !ordinary(m.name) && m.thing != aFile && (quoted || tag)
	case m.sure || !ordinary(m.name):
		return true
	case ticked && (m.thing == aTool || strings.Contains(m.name, "-")):
		return true
	default:
		return m.called(before, after) || m.thing == aTool && stressed(before, after) || m.listed(before, after, known)
	}
}

// stressed reports whether a name stands in bold behind a word of use: "Use
// **Bash** to run commands".
func stressed(before, after string) bool {
	lead, ok := strings.CutSuffix(before, " **")
	if !ok || !strings.HasPrefix(after, "**") {
		return false
	}
	word := strings.ToLower(lead[strings.LastIndexAny(lead, " \t(")+1:])
	return slices.Contains([]string{"use", "using", "via", "call", "calling"}, word)
}

// listed reports whether a name is one of several that the word for their sort
// follows: "the Bash and grep tools".
func (m mention) listed(before, after string, known names) bool {
	isName := func(word string) bool {
		_, ok := known[strings.Trim(word, quotes+",")]
		return ok
	}
	joins := func(word string) bool { return word == "and" || word == "or" || word == "&" }
	left, right := strings.Fields(before), strings.Fields(after)
	if strings.HasPrefix(after, ",") {
		right = right[1:]
	}
	i, j, joined := len(left)-1, 0, false
	for i >= 0 && (isName(left[i]) || joins(left[i])) {
		joined = joined || joins(left[i])
		i--
	}
	for j < len(right) && (isName(right[j]) || joins(right[j])) {
		joined = joined || joins(right[j])
		j++
	}
	return joined && i >= 0 && j < len(right) && slices.Contains(determiners, strings.ToLower(left[i])) &&
		strings.TrimRight(right[j], ".,:;") == things[m.thing].word+"s"
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
	if strings.ContainsAny(name, "_.:/0123456789") {
		return false
	}
	return strings.ToLower(name[1:]) == name[1:] || strings.ToUpper(name) == name
}

// openings are words by which a sentence speaks of a file on the disk, which
// need not be in the prompt.
var openings = []string{"read", "open", "cat", "edit", "write", "create", "update", "load", "save", "add", "keep", "put", "change", "generate"}

// opened reports whether a sentence has such a word.
func (m mention) opened() bool {
	before, after := m.in.sentence(m.start, m.end)
	words := strings.FieldsFunc(strings.ToLower(before+" "+after), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(openings, w) })
}
