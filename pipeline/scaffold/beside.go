package scaffold

import (
	"slices"
	"strconv"
	"strings"
)

// beside finds the pattern of the tools of a prompt. Files that it does not take
// are left out.
func (f *finder) beside(d *derived, tools []string) {
	if len(tools) == 0 {
		return
	}
	pattern, used := "", map[string]bool{}
	if d != nil {
		pattern, used = toolsOf(d, tools)
	}
	if pattern != "" {
		d.legacy.Tools = pattern
		f.say("took %s for the tools beside the texts", named(keep(tools, used, true)))
	}
	if rest := keep(tools, used, false); len(rest) > 0 {
		f.say("left out %s: tools, but their names do not say of which texts", named(rest))
	}
}

// maxTried is how many files of tools are tried for a pattern.
const maxTried = 20

// toolsOf finds a pattern, with axes of the prompt, that names a file of tools
// for each text.
func toolsOf(d *derived, tools []string) (string, map[string]bool) {
	there := map[string]bool{}
	for _, t := range tools {
		there[t] = true
	}
	for _, t := range tools[:min(len(tools), maxTried)] {
		if specialInPath.MatchString(t) {
			continue
		}
		tried := map[string]bool{}
		for _, row := range d.rows {
			pattern := d.template(t, row)
			if tried[pattern] || d.legacy.Slugs && pattern != t {
				continue
			}
			tried[pattern] = true
			if used := d.cover(pattern, there); used != nil && len(used) == len(tools) {
				return pattern, used
			}
		}
	}
	return "", map[string]bool{}
}

// template writes the axes where a path has the values of a row.
func (d *derived) template(name string, row []string) string {
	order := make([]int, len(row))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(row[b]) - len(row[a]) })
	for _, i := range order {
		if at := indexWord(name, row[i]); at >= 0 {
			name = name[:at] + "{" + d.legacy.Axes[i].Name + "}" + name[at+len(row[i]):]
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

// cover gives the files that a pattern names for the texts, nil if one is not
// there.
func (d *derived) cover(pattern string, there map[string]bool) map[string]bool {
	used := map[string]bool{}
	for _, row := range d.rows {
		name := pattern
		for i, value := range row {
			name = strings.ReplaceAll(name, "{"+d.legacy.Axes[i].Name+"}", value)
		}
		if !there[name] {
			return nil
		}
		used[name] = true
	}
	return used
}

// keep gives the names that are in a set, or those that are not.
func keep(names []string, set map[string]bool, in bool) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return set[name] != in })
}

// named gives the first of some names, and how many there are.
func named(names []string) string {
	out := strconv.Quote(names[0])
	if len(names) > 1 {
		out += " and " + others(len(names)-1)
	}
	return out
}
