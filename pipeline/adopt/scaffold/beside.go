package scaffold

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// beside finds the tools of the prompts, by the names of their files, and says
// what was found. Tools that go beside no text are sent by prompts of their own.
func (f *finder) beside() {
	var paths, refused []string
	for _, t := range f.tools {
		if t.NoTools {
			refused = append(refused, t.Path)
		} else {
			paths = append(paths, t.Path)
		}
	}
	used := map[string]bool{}
	for _, l := range f.out.Prompts {
		for _, b := range l.toolsOf(paths, func(b *besides) bool { return f.fits(l, b.pattern) }, f.toolTwice) {
			l.Tools, l.beside = append(l.Tools, b.pattern), append(l.beside, b.files...)
		}
		slices.Sort(l.beside)
		if fresh := slices.DeleteFunc(slices.Clone(l.beside), func(p string) bool { return used[p] }); len(fresh) > 0 {
			f.say(diag.Say("took-beside-texts", diag.AndOthers(fresh)))
		}
		for _, p := range l.beside {
			used[p] = true
		}
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return used[p] })
	f.findToolsets(func(s Snapshot) bool { return slices.Contains(paths, s.Path) }, 0)
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

// toolTwice reports whether files of two patterns define a tool of one name.
func (f *finder) toolTwice(a, b *besides) bool {
	var names []string
	for _, s := range f.tools {
		if slices.Contains(a.files, s.Path) {
			names = append(names, s.Tools...)
		}
	}
	return slices.ContainsFunc(f.tools, func(s Snapshot) bool {
		return slices.Contains(b.files, s.Path) && slices.ContainsFunc(s.Tools, func(name string) bool { return slices.Contains(names, name) })
	})
}

// fits reports whether a pattern of tools matches only files that were asked for,
// and of those only files of tools.
func (f *finder) fits(l *Legacy, pattern string) bool {
	parsed, work := axispattern.PathPattern(pattern), maxWork
	if !l.open && !f.asked.hold(pattern, parsed.Axes, l.listed) {
		return false
	}
	other := func(s Snapshot) bool {
		return (s.Sort != ToolList || s.NoTools) && len(parsed.MatchBy(s.Path, func(string, string) bool { return true }, &work)) > 0
	}
	return !slices.ContainsFunc(f.files, other) && work >= 0
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
