package scaffold

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// besides is a pattern of files with tools, and what it gives them to.
type besides struct {
	pattern string
	files   []string
	texts   map[int]bool // rows of the prompt
}

// toolsOf finds the patterns, with axes of the prompt, that give the files of tools
// to the texts that their names say, and to no other: those for most texts first.
// Of two that go beside the same text, which one is meant is clear only where they
// go beside the same texts and have no tool in common.
func (l *Legacy) toolsOf(tools []string, fits func(*besides) bool, common func(a, b *besides) bool) (best []*besides) {
	by := map[string]*besides{}
	axes := l.axesOf()
	var all []*besides
	for _, t := range tools {
		pattern, rows := l.whose(t, axes)
		if pattern == "" {
			continue
		}
		b := by[pattern]
		if b == nil {
			b = &besides{pattern: pattern, texts: map[int]bool{}}
			by[pattern], all = b, append(all, b)
		}
		b.files = append(b.files, t)
		for _, i := range rows {
			b.texts[i] = true
		}
	}
	slices.SortStableFunc(all, func(a, b *besides) int {
		return cmp.Or(len(b.texts)-len(a.texts), strings.Count(b.pattern, "{")-strings.Count(a.pattern, "{"))
	})
	for _, b := range all {
		unclear := func(other *besides) bool {
			return b.meets(other) && (!maps.Equal(b.texts, other.texts) || common(b, other))
		}
		if !slices.ContainsFunc(best, unclear) && !l.takesOthers(b, tools, axes) && fits(b) {
			best = append(best, b)
		}
	}
	return best
}

// meets reports whether two patterns go beside the same text.
func (b *besides) meets(other *besides) bool {
	for i := range b.texts {
		if other.texts[i] {
			return true
		}
	}
	return false
}

// takesOthers reports whether a pattern gives a text tools that its name does not
// say.
func (l *Legacy) takesOthers(b *besides, tools []string, axes map[string][]int) bool {
	parsed, work := axispattern.PathPattern(b.pattern), maxWork
	known := func(axis, value string) bool {
		return slices.ContainsFunc(axes[value], func(i int) bool { return l.Axes[i].Name == axis })
	}
	return slices.ContainsFunc(tools, func(t string) bool {
		return !slices.Contains(b.files, t) && len(parsed.MatchBy(t, known, &work)) > 0
	}) || work < 0
}

// whose gives the pattern of a file of tools, and the rows of the texts that its
// name says: those that have every value that stands in it; all of them where no
// value does, and it is called as they are. Its other words say nothing else. The
// pattern is "" where its name says no text, or where it can be read in two ways.
func (l *Legacy) whose(name string, axes map[string][]int) (pattern string, rows []int) {
	if literalPath(name) != name {
		return "", nil
	}
	spots := l.spots(name, axes)
	if len(spots) == 0 && !l.ofAll(name) || l.saysMore(name, spots) {
		return "", nil
	}
	for i, row := range l.rows {
		with, ok := l.template(name, spots, row)
		if !ok {
			continue
		}
		if pattern != "" && pattern != with {
			return "", nil
		}
		pattern, rows = with, append(rows, i)
	}
	return pattern, rows
}

// saysMore reports a word in a name that is no value and none that all texts have.
func (l *Legacy) saysMore(name string, spots []spot) bool {
	var rest strings.Builder
	at := 0
	for _, s := range spots {
		rest.WriteString(name[at:s.start])
		at = s.end
	}
	rest.WriteString(stemOf(name[at:]))
	ours := wordsOf(patternPart.ReplaceAllString(l.Path+"/"+l.Entry, "/"))
	return slices.ContainsFunc(wordsOf(rest.String()), func(w string) bool { return !slices.Contains(ours, w) })
}

// spot is a place of a name at which a value of some axes stands.
type spot struct {
	start, end int
	axes       []int
}

// patternPart is what stands for anything in a pattern.
var patternPart = regexp.MustCompile(`\{[^{}]*\}|\*+`)

// roles are words that say what a file is, not which one.
var roles = []string{
	"tool", "tools", "toolset", "toolsets", "function", "functions", "schema", "schemas", "definition", "definitions",
	"mcp", "json", "prompt", "prompts", "all",
}

// spots gives the places of values in the path of a file of tools, but for its
// extension, what is the same in the paths of the texts, and the last word that
// says that it has tools.
func (l *Legacy) spots(name string, axes map[string][]int) []spot {
	stem := len(name) - len(path.Ext(name))
	type run struct{ start, end int }
	var words []run
	for at := 0; at < stem; {
		if isSeparator(name[at]) {
			at++
			continue
		}
		end := at
		for end < stem && !isSeparator(name[end]) {
			end++
		}
		words = append(words, run{at, end})
		at = end
	}
	role, base := -1, strings.LastIndexByte(name, '/')
	for i, w := range words {
		if w.start > base && slices.Contains(roles, strings.ToLower(name[w.start:w.end])) {
			role = i
		}
	}
	var out []spot
	for i := 0; i < len(words); i++ {
		for j := len(words) - 1; j >= i; j-- { // the longest value that stands here
			at := spot{words[i].start, words[j].end, nil}
			if i == role && i == j || strings.Contains(name[at.start:at.end], "/") || l.literally(name, at.start) {
				continue
			}
			if at.axes = l.inFolder(name, at.start, axes[name[at.start:at.end]]); len(at.axes) > 0 {
				out = append(out, at)
				i = j
				break
			}
		}
	}
	return out
}

func isSeparator(c byte) bool { return c == '=' || strings.IndexByte(separators, c) >= 0 }

// axesOf gives the axes that have a value.
func (l *Legacy) axesOf() map[string][]int {
	out := map[string][]int{}
	for _, row := range l.rows {
		for i, value := range row {
			if axispattern.IsAxisValue(value) && !slices.Contains(out[value], i) {
				out[value] = append(out[value], i)
			}
		}
	}
	return out
}

// literally reports whether the folder that has a byte of a path is one that all
// texts lie in.
func (l *Legacy) literally(name string, at int) bool {
	level := strings.Count(name[:at], "/")
	parts, ours := strings.Split(name, "/"), strings.Split(l.Path, "/")
	return level < len(parts)-1 && level < len(ours)-1 && parts[level] == ours[level]
}

// inFolder gives those of some axes that the texts have at the level of a folder,
// if there are such.
func (l *Legacy) inFolder(name string, at int, axes []int) []int {
	level := strings.Count(name[:at], "/")
	ours := strings.Split(l.Path, "/")
	if level == strings.Count(name, "/") || level >= len(ours)-1 {
		return axes
	}
	here := slices.DeleteFunc(slices.Clone(axes), func(i int) bool { return !strings.Contains(ours[level], "{"+l.Axes[i].Name+"}") })
	if len(here) == 0 {
		return axes
	}
	return here
}

// template writes the axes where a path has the values of a row; false where it has
// other values.
func (l *Legacy) template(name string, spots []spot, row []string) (string, bool) {
	var b strings.Builder
	used := map[int]bool{}
	at := 0
	for _, s := range spots {
		value, axis := name[s.start:s.end], -1
		for _, i := range s.axes {
			if row[i] == value && (axis < 0 || used[axis] && !used[i]) {
				axis = i
			}
		}
		if axis < 0 {
			return "", false
		}
		used[axis] = true
		b.WriteString(name[at:s.start] + "{" + l.Axes[axis].Name + "}")
		at = s.end
	}
	b.WriteString(name[at:])
	return b.String(), true
}

// ofAll reports whether a file without a value in its name has the tools of all
// texts: its words are theirs, or it is only called what it is and lies in a folder
// that all texts lie in.
func (l *Legacy) ofAll(name string) bool {
	dir, base := wordsOf(path.Dir(name)), wordsOf(stemOf(path.Base(name)))
	ours := patternPart.ReplaceAllString(l.Path, "/")
	theirs := wordsOf(path.Dir(ours))
	if len(base) == 0 {
		return len(dir) <= len(theirs) && slices.Equal(dir, theirs[:len(dir)])
	}
	return slices.Equal(append(dir, base...), append(theirs, wordsOf(stemOf(path.Base(ours)))...))
}

func stemOf(base string) string { return extension.ReplaceAllString(base, "") }

// wordsOf gives the words of a path that say which file it is.
func wordsOf(s string) []string {
	out := part.FindAllString(strings.ToLower(s), -1)
	return slices.DeleteFunc(out, func(w string) bool { return slices.Contains(roles, w) || slices.Contains(noWords, w) })
}
