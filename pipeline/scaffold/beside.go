package scaffold

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// beside finds the tools of the prompts, by the names of their files, and says
// what was found. Files that no pattern takes are left out.
func (f *finder) beside() {
	var paths, refused []string
	for _, t := range f.tools {
		if t.NoTools {
			refused = append(refused, t.Path)
		} else {
			paths = append(paths, t.Path)
		}
	}
	for _, l := range f.out.Prompts {
		pattern, used := l.toolsOf(paths)
		if pattern == "" {
			continue
		}
		l.Tools, l.beside = pattern, used
		f.say(diag.Say("took-beside-texts", diag.AndOthers(used)))
		paths = slices.DeleteFunc(paths, func(p string) bool { return slices.Contains(used, p) })
	}
	free := map[string]bool{}
	for _, p := range paths {
		free[p] = true
	}
	f.findToolsets(func(s Snapshot) bool { return free[s.Path] })
	all := slices.Concat(paths, refused)
	if paths = slices.DeleteFunc(paths, func(p string) bool { return f.sent[p] }); len(paths) > 0 {
		f.say(diag.Say("tools-of-no-text", diag.AndOthers(paths)))
	}
	for _, l := range f.toolsets {
		all = append(all, l.files...)
	}
	for _, t := range f.tools {
		if t.NoTools && f.hasToolset(path.Dir(t.Path)) {
			f.file(t) // a text, as it is where there is no other
		}
	}
	f.notTaken(all)
}

// notTaken excludes files of tools that patterns of texts take.
func (f *finder) notTaken(paths []string) {
	var rest []Snapshot
	for _, p := range paths {
		rest = append(rest, Snapshot{Path: p, Sort: ToolList})
	}
	for _, l := range f.out.Prompts {
		if len(l.Axes) > 0 {
			l.withoutOthers(rest)
		}
	}
}

// ofAll is what a file with the tools of all texts is called.
var ofAll = regexp.MustCompile(`(?i)^(?:all[-_.])?(?:tools?|functions|schemas?)\.[^.]+$`)

// maxTried is how many patterns are tried for the tools of a prompt.
const maxTried = 40

// toolsOf finds the pattern, with axes of the prompt, that names the files of
// tools for the most texts.
func (l *Legacy) toolsOf(tools []string) (best string, used []string) {
	there := map[string]bool{}
	for _, t := range tools {
		there[t] = true
	}
	tried := map[string]bool{}
	texts := 0
	for _, t := range tools {
		for _, row := range l.rows {
			pattern := l.template(t, row)
			if pattern == "" || tried[pattern] || pattern == t && !ofAll.MatchString(path.Base(t)) {
				continue
			}
			if tried[pattern] = true; len(tried) > maxTried {
				return best, used
			}
			if files, n := l.cover(pattern, there); n > texts {
				best, used, texts = pattern, files, n
			}
		}
	}
	return best, used
}

// template writes the axes where a path has the values of a row; "" where a path
// is no pattern for itself.
func (l *Legacy) template(name string, row []string) string {
	if literalPath(name) != name {
		return ""
	}
	order := make([]int, len(row))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(row[b]) - len(row[a]) })
	for _, i := range order {
		if !prompt.IsAxisValue(row[i]) {
			continue
		}
		if at := indexWord(name, row[i]); at >= 0 {
			name = name[:at] + "{" + l.Axes[i].Name + "}" + name[at+len(row[i]):]
		}
	}
	return name
}

// indexWord finds the last place of a word that has separators around it.
func indexWord(s, word string) int {
	for end := len(s); word != ""; {
		at := strings.LastIndex(s[:end], word)
		if at < 0 {
			break
		}
		before := at == 0 || strings.ContainsRune(separators+"=", rune(s[at-1]))
		behind := at+len(word) == len(s) || strings.ContainsRune(separators, rune(s[at+len(word)]))
		if before && behind {
			return at
		}
		end = at + len(word) - 1
	}
	return -1
}

// cover gives the files that a pattern names for the texts, and counts the texts
// that have one.
func (l *Legacy) cover(pattern string, there map[string]bool) (used []string, texts int) {
	seen := map[string]bool{}
	for _, row := range l.rows {
		var words []string
		for i, value := range row {
			words = append(words, "{"+l.Axes[i].Name+"}", value)
		}
		name := strings.NewReplacer(words...).Replace(pattern)
		if !there[name] {
			continue
		}
		texts++
		if !seen[name] {
			seen[name] = true
			used = append(used, name)
		}
	}
	slices.Sort(used)
	return used, texts
}

// maxOdd is how many names may be odd ones, and minRegular how many others it
// takes for each.
const (
	maxOdd     = 5
	minRegular = 8
)

// mostly finds the prompt of most files, where a few with odd names stand in the
// way of more axes, or of any; nil for none.
func (f *finder) mostly(n *names, all *Legacy) (*Legacy, []Snapshot) {
	axes := -1
	if all != nil {
		axes = len(all.Axes)
	}
	for _, set := range oddSets(n.paths) {
		var rest, odd []Snapshot
		for _, s := range n.files {
			if set[s.Path] {
				odd = append(odd, s)
			} else {
				rest = append(rest, s)
			}
		}
		if l := f.derive(rest); l != nil && len(l.Axes) > axes {
			return l, odd
		}
	}
	return nil, nil
}

// oddSets gives sets of a few names that the others may go together without: those
// with signs that no value has, and those whose last part few others have.
func oddSets(names []string) []map[string]bool {
	keys := []func(string) string{func(s string) string {
		return strconv.FormatBool(strings.ContainsFunc(s, func(r rune) bool { return r > '~' || r <= ' ' }))
	}}
	_, inner, _ := common(names, separators)
	of := map[string]string{}
	for i, s := range names {
		of[s] = inner[i]
	}
	for _, sep := range weak {
		keys = append(keys, func(s string) string { return of[s][strings.LastIndex(of[s], sep)+1:] })
	}
	var out []map[string]bool
	for _, key := range keys {
		if set := rare(names, key, min(maxOdd, len(names)/minRegular)); len(set) > 0 {
			out = append(out, set)
		}
	}
	return out
}

// rare gives the names with keys that few have, at most so many; nil if more
// would be.
func rare(names []string, key func(string) string, most int) map[string]bool {
	count := map[string]int{}
	for _, s := range names {
		count[key(s)]++
	}
	usual := 0
	for _, n := range count {
		usual = max(usual, n)
	}
	out := map[string]bool{}
	for _, s := range names {
		if count[key(s)]*2 <= usual {
			out[s] = true
		}
	}
	if len(out) > most {
		return nil
	}
	return out
}
