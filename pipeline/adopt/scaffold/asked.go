package scaffold

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/glob"
)

// asked are the patterns of the files that somebody asked for, without braces; nil
// for any file.
type asked []string

func askedFor(patterns []string) asked {
	var out asked
	for _, p := range patterns {
		all, _ := glob.Alternatives(p) // of a pattern that was matched
		out = append(out, all...)
	}
	return out
}

// unnamed stands for any text in a path: no pattern has this character.
const unnamed = "\ue000"

// anyText are texts that match no wildcards but those that any text matches: one is
// as short as a value can be, the other longer than any.
func anyText() []string {
	const long = 65
	return []string{unnamed, strings.Repeat(unnamed, long)}
}

// maxProbes bounds the names by which two patterns are compared.
const maxProbes = 2000

// hold reports whether the patterns match every path that a pattern can match:
// those that are there, and those that come later. values are those that are
// listed of an axis, nil for any. Signs of patterns in a name became `*`, which
// stands for one character of each.
func (a asked) hold(pattern string, axes []string, values func(axis string) []string) bool {
	if a == nil {
		return true
	}
	probes := []string{strings.ReplaceAll(pattern, "*", unnamed)}
	for _, axis := range axes {
		texts := values(axis)
		if texts == nil {
			texts = anyText()
		}
		var next []string
		for _, p := range probes {
			for _, text := range texts {
				next = append(next, strings.ReplaceAll(p, "{"+axis+"}", text))
			}
		}
		if probes = next; len(probes) > maxProbes {
			return false
		}
	}
	return !slices.ContainsFunc(probes, func(p string) bool { return !a.match(p) })
}

// all reports whether the patterns match every path with any text in place of `*`.
func (a asked) all(pattern string) bool {
	return !slices.ContainsFunc(anyText(), func(text string) bool { return !a.match(strings.ReplaceAll(pattern, "*", text)) })
}

func (a asked) match(name string) bool {
	return a == nil || slices.ContainsFunc(a, func(p string) bool { return glob.Element(p, name) })
}

// frame is what the names at one level of paths begin and end with, since the
// pattern that they were asked for by says so.
type frame struct{ before, behind string }

// maxFramed bounds the patterns whose frames are compared.
const maxFramed = 20

// frame gives that of a level of paths of the same depth; nothing where the
// patterns that match them differ in it.
func (a asked) frame(paths []string, level int) frame {
	if len(a) > maxFramed {
		return frame{}
	}
	var out []frame
	for _, p := range a {
		if part := levelOf(p, level, strings.Count(paths[0], "/")); slices.ContainsFunc(paths, func(name string) bool { return glob.Element(p, name) }) {
			out = append(out, frameOf(part))
		}
	}
	if len(out) == 0 || slices.ContainsFunc(out, func(f frame) bool { return f != out[0] }) {
		return frame{}
	}
	return out[0]
}

// levelOf gives the part of a pattern that names of a level match, where paths have
// so many slashes; "" where `**` stands for it.
func levelOf(pattern string, level, slashes int) string {
	parts := strings.Split(pattern, "/")
	first, last := slices.Index(parts, "**"), len(parts)-1
	if first < 0 {
		first = len(parts)
	}
	for last >= 0 && parts[last] != "**" {
		last--
	}
	fromEnd := slashes - level
	switch {
	case level < first && level < len(parts):
		return parts[level]
	case fromEnd < len(parts)-1-last:
		return parts[len(parts)-1-fromEnd]
	default:
		return ""
	}
}

// open reports whether names of a level of paths may come later: whether some
// pattern that matches the paths has a `*` there.
func (a asked) open(paths []string, level int) bool {
	return a == nil || slices.ContainsFunc(a, func(p string) bool {
		part := levelOf(p, level, strings.Count(paths[0], "/"))
		return (part == "" || strings.Contains(part, "*")) && slices.ContainsFunc(paths, func(name string) bool { return glob.Element(p, name) })
	})
}

// frameOf gives what stands around the wildcards of a part.
func frameOf(part string) frame {
	first, last := strings.IndexAny(part, "*?["), strings.LastIndexAny(part, "*?]")
	if first < 0 || last < first {
		return frame{}
	}
	return frame{part[:first], part[last+1:]}
}

// cut takes a frame off names; a separator that they all have beside it goes, too.
// Where one would have nothing left, nothing is taken off.
func (f frame) cut(names []string) (frame, []string) {
	out := slices.Clone(names)
	for i, name := range names {
		if len(name) <= len(f.before)+len(f.behind) {
			return frame{}, names
		}
		out[i] = name[len(f.before) : len(name)-len(f.behind)]
	}
	share := func(at func(string) byte) bool {
		c := at(out[0])
		return strings.IndexByte(separators, c) >= 0 && !slices.ContainsFunc(out, func(s string) bool { return at(s) != c || len(s) < 2 })
	}
	for f.before != "" && share(func(s string) byte { return s[0] }) {
		f.before += out[0][:1]
		for i := range out {
			out[i] = out[i][1:]
		}
	}
	for f.behind != "" && share(func(s string) byte { return s[len(s)-1] }) {
		f.behind = out[0][len(out[0])-1:] + f.behind
		for i := range out {
			out[i] = out[i][:len(out[i])-1]
		}
	}
	return f, out
}
