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
			end := nameEnd(text, start)
			for _, m := range meanings(text, start, end, known) {
				m.start, m.end = line.start+m.start, line.start+m.end
				m.in, m.intro = passage{s, lines}, intro
				if m.certain(line, known) {
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

// nameEnd gives the end of a run of such bytes. Markdown may have escapes before
// underscores.
func nameEnd(s string, start int) int {
	end := start + 1
	for end < len(s) && (nameByte(s[end]) || strings.HasPrefix(s[end:], `\_`)) {
		end++
	}
	return end
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
	if strings.IndexByte(run, '\\') >= 0 {
		return mentionsOf(known[strings.ReplaceAll(run, `\_`, "_")], start, end, false)
	}
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
