package scaffold

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// shape is what names have in common: literals with axes between them.
type shape struct {
	literals []string   // one more than axes
	axes     []string   // the key of each, "" for none
	rows     [][]string // the values in each name
	auto     bool       // the names have no order in them: values are not listed
	slugs    bool       // what differs are words, of which values are made
	isPath   bool
}

// candidate finds a shape of names.
type candidate struct {
	find   func([]string) *shape
	isPath bool
}

// What is tried for names, the best first. Only of entries are values made.
var (
	pathCandidates  = []candidate{{byParts, true}, {byLast, true}, {byFirst, true}, {byWhole, true}, {byLevels, true}}
	entryCandidates = []candidate{{byParts, false}, {byLast, false}, {byFirst, false}, {byWhole, false}, {byWords, false}}
)

// shapeOf finds the shape of names that differ from each other, nil for none.
// The first that stands for all names, each in one way, is taken.
func shapeOf(names []string, candidates ...candidate) *shape {
	if len(names) == 1 {
		return &shape{literals: []string{names[0]}, rows: [][]string{nil}, isPath: candidates[0].isPath}
	}
	for _, c := range candidates {
		if s := c.find(names); s != nil {
			s.isPath = c.isPath
			if s.fits(names) {
				return s
			}
		}
	}
	return nil
}

// separators stand between the parts of names.
const separators = "-_./,:;>()[]'\"@ "

var (
	part  = regexp.MustCompile(`[^-_./,:;>()\[\]'"@ ]+`)
	keyed = regexp.MustCompile(`^([a-z0-9][a-z0-9-]{0,63})=(.+)$`)
)

// byParts takes names apart at every separator: all have as many parts, with the
// same between them. Parts in which names differ are axes.
func byParts(names []string) *shape {
	first := part.FindAllStringIndex(names[0], -1)
	columns := make([][]string, len(first))
	var frame []string
	for n, name := range names {
		found := part.FindAllStringIndex(name, -1)
		between := part.Split(name, -1)
		if n == 0 {
			frame = between
		}
		if len(found) != len(first) || !slices.Equal(frame, between) {
			return nil
		}
		for i, at := range found {
			columns[i] = append(columns[i], name[at[0]:at[1]])
		}
	}
	b := newBuilder(len(names))
	for i, column := range columns {
		b.literal(frame[i])
		b.column(column)
	}
	b.literal(frame[len(frame)-1])
	return b.shape.atMostMissing(2)
}

// byLast and byFirst take off the last part, or the first, of names whose other
// parts do not go together.
func byLast(names []string) *shape  { return byEnd(names, strings.LastIndex) }
func byFirst(names []string) *shape { return byEnd(names, strings.Index) }

func byEnd(names []string, find func(s, sep string) int) *shape {
	before, inner, behind := common(names)
	for sep := range strings.SplitSeq(separators, "") {
		b := newBuilder(len(names))
		var left, right []string
		for _, s := range inner {
			if i := find(s, sep); i > 0 && i < len(s)-1 {
				left, right = append(left, s[:i]), append(right, s[i+1:])
			}
		}
		if len(left) != len(names) {
			continue
		}
		b.literal(before)
		b.column(left)
		b.literal(sep)
		b.column(right)
		b.literal(behind)
		if len(b.shape.axes) == 2 {
			if s := b.shape.atMostMissing(5); s != nil {
				return s
			}
		}
	}
	return nil
}

// byWhole takes all that differs for one axis.
func byWhole(names []string) *shape {
	before, inner, behind := common(names)
	b := newBuilder(len(names))
	b.literal(before)
	b.column(inner)
	b.literal(behind)
	b.shape.auto = true
	return b.shape
}

// byWords takes all that differs for one axis whose values are made of it.
func byWords(names []string) *shape {
	s := byWhole(names)
	s.slugs = true
	return s
}

// listSlugs puts the values in the place of the words of which they are made, if
// it is plain what they are: those of other alphabets are found by the manifest.
func (s *shape) listSlugs() {
	texts := s.values(0)
	if slices.ContainsFunc(texts, func(t string) bool { return strings.ContainsFunc(t, func(r rune) bool { return r > '~' }) }) {
		return
	}
	ids := prompt.EntryIDs(texts)
	for i, row := range s.rows {
		s.rows[i] = []string{ids[row[0]]}
	}
	s.auto = false
}

// byLevels takes what differs in a folder's name for an axis, and what differs
// in the file's for another.
func byLevels(names []string) *shape {
	depth := strings.Count(names[0], "/")
	levels := make([][]string, depth+1)
	for _, name := range names {
		elems := strings.Split(name, "/")
		if len(elems) != depth+1 {
			return nil
		}
		for i, e := range elems {
			levels[i] = append(levels[i], e)
		}
	}
	b := newBuilder(len(names))
	for i, level := range levels {
		if i > 0 {
			b.literal("/")
		}
		if allEqual(level) {
			b.literal(level[0])
			continue
		}
		before, inner, behind := common(level)
		b.literal(before)
		b.column(inner)
		b.literal(behind)
	}
	b.shape.auto = true
	return b.shape
}

// common takes off what all names begin and end with, up to a separator.
func common(names []string) (before string, inner []string, behind string) {
	before, behind = names[0], names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, before) {
			before = before[:len(before)-1]
		}
		for !strings.HasSuffix(name, behind) {
			behind = behind[1:]
		}
	}
	before = before[:strings.LastIndexAny(before, separators)+1]
	if i := strings.IndexAny(behind, separators); i >= 0 {
		behind = behind[i:]
	} else {
		behind = ""
	}
	for _, name := range names {
		if len(before)+len(behind) >= len(name) {
			return "", names, "" // they lie over each other in a name that is another's beginning
		}
		inner = append(inner, name[len(before):len(name)-len(behind)])
	}
	return before, inner, behind
}

// builder puts a shape together from left to right.
type builder struct{ shape *shape }

func newBuilder(names int) builder {
	return builder{&shape{literals: []string{""}, rows: make([][]string, names)}}
}

func (b builder) literal(s string) { b.shape.literals[len(b.shape.literals)-1] += s }

// column adds what stands at one place of every name: a literal where it is the
// same, else an axis.
func (b builder) column(values []string) {
	if allEqual(values) {
		b.literal(values[0])
		return
	}
	key := commonKey(values)
	if key != "" {
		b.literal(key + "=")
	}
	b.shape.axes = append(b.shape.axes, key)
	b.shape.literals = append(b.shape.literals, "")
	for i, value := range values {
		if key != "" {
			value = value[len(key)+1:]
		}
		b.shape.rows[i] = append(b.shape.rows[i], value)
	}
}

// commonKey gives the key of values that are all written key=value, "" for none.
func commonKey(values []string) string {
	key := ""
	for i, value := range values {
		m := keyed.FindStringSubmatch(value)
		if m == nil || i > 0 && m[1] != key {
			return ""
		}
		key = m[1]
	}
	return key
}

func allEqual(values []string) bool {
	return !slices.ContainsFunc(values, func(s string) bool { return s != values[0] })
}

// atMostMissing gives the shape if its axes seem to be some: of all combinations
// of their values, at most one in n has no name.
func (s *shape) atMostMissing(n int) *shape {
	product := 1
	for i := range s.axes {
		product = min(product*len(s.values(i)), 1<<30)
	}
	if (product-len(s.rows))*n > product {
		return nil
	}
	return s
}

// values gives those of an axis, by bytes.
func (s *shape) values(axis int) []string {
	var out []string
	for _, row := range s.rows {
		out = append(out, row[axis])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fits reports whether the shape's values can be axis values, and every name has
// them in one way.
func (s *shape) fits(names []string) bool {
	axes := make([]string, len(s.axes))
	known := map[string][]string{}
	for i := range s.axes {
		values := s.values(i)
		if !s.legal(values) {
			return false
		}
		axes[i] = strconv.Itoa(i)
		if !s.auto {
			known[axes[i]] = values
		}
	}
	pattern := prompt.NamePattern(s.pattern(axes))
	if s.isPath {
		pattern = prompt.PathPattern(s.pattern(axes))
	}
	listed := func(axis string) []string { return known[axis] }
	work := min(maxWork, (len(names)+10)*workForEach)
	for i, name := range names {
		ways := pattern.Match(name, listed, s.slugs, &work)
		if len(ways) != 1 || !slices.Equal(ways[0], s.rows[i]) {
			return false
		}
	}
	return work >= 0
}

// legal reports whether values can be those of an axis, or else be made such, and
// stay apart.
func (s *shape) legal(values []string) bool {
	folded := map[string]bool{}
	for _, v := range values {
		key := strings.ToLower(v)
		if s.slugs {
			key = strings.Join(strings.FieldsFunc(key, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }), "-")
		}
		if key == "" || folded[key] || !s.slugs && !prompt.IsAxisValue(v) {
			return false
		}
		folded[key] = true
	}
	return true
}

// What bounds the comparison of names with their pattern: of all, and of each.
const (
	maxWork     = 2_000_000
	workForEach = 4_000
)

// What means something in patterns: of paths, and of names.
var (
	specialInPath = regexp.MustCompile(`[*?{}\[\]]+`)
	specialInName = regexp.MustCompile(`\*+|\{[^{},]*\}`)
)

// pattern writes the shape with the names of its axes. What means something in
// patterns is written as a character that stands for anything.
func (s *shape) pattern(axes []string) string {
	special := specialInName
	if s.isPath {
		special = specialInPath
	}
	var b strings.Builder
	for i, literal := range s.literals {
		b.WriteString(special.ReplaceAllString(literal, "*"))
		if i < len(s.axes) {
			b.WriteString("{" + axes[i] + "}")
		}
	}
	return b.String()
}

// maxOdd is how many names may be odd ones, and minRegular how many others it
// takes for each.
const (
	maxOdd     = 5
	minRegular = 8
)

// mostly finds the shape of the names of most files, or of most entries, where a
// few stand in its way, which it gives too: entries without the others of their
// file; nil for none. A single axis is worth that only if there is no shape of
// all.
func (n *names) mostly(noShape bool) (d *derived, files, entries []Snapshot) {
	if n.mixed {
		return nil, nil, nil
	}
	for _, set := range oddSets(n.paths) {
		rest, odd := n.without(func(s Snapshot) bool { return set[s.Path] })
		if d := namesOf(rest).derive(); d != nil && d.regular && (len(d.legacy.Axes) > 1 || noShape) {
			return d, odd, nil
		}
	}
	if !n.several {
		return nil, nil, nil
	}
	for _, set := range oddSets(n.entries) {
		rest := slices.Clone(n.files)
		var odd []Snapshot
		for i, s := range rest {
			rest[i].Entries = slices.DeleteFunc(slices.Clone(s.Entries), func(e string) bool { return set[e] })
			for _, e := range s.Entries {
				if set[e] {
					odd = append(odd, Snapshot{Path: s.Path, Entries: []string{e}})
				}
			}
		}
		if d := namesOf(rest).derive(); d != nil && d.regular && d.legacy.Entry != "" && (len(d.legacy.Axes) > 1 || noShape) {
			return d, nil, odd
		}
	}
	return nil, nil, nil
}

func (n *names) without(isOdd func(Snapshot) bool) (rest, odd []Snapshot) {
	for _, s := range n.files {
		if isOdd(s) {
			odd = append(odd, s)
		} else {
			rest = append(rest, s)
		}
	}
	return rest, odd
}

// oddSets gives sets of a few names that the others may go together without.
func oddSets(names []string) []map[string]bool {
	most := min(maxOdd, len(names)/minRegular)
	var out []map[string]bool
	try := func(key func(string) string) {
		if set := rare(names, key, most); len(set) > 0 {
			out = append(out, set)
		}
	}
	try(func(s string) string { return strings.Join(part.Split(s, -1), "\x00") })
	try(func(s string) string {
		if strings.ContainsFunc(s, func(r rune) bool { return r > '~' || r < ' ' }) {
			return "other characters"
		}
		return ""
	})
	_, inner, _ := common(names)
	of := map[string]string{}
	for i, s := range names {
		of[s] = inner[i]
	}
	for sep := range strings.SplitSeq(separators, "") {
		try(func(s string) string {
			if i := strings.LastIndex(of[s], sep); i >= 0 {
				return of[s][i+1:]
			}
			return "\x00"
		})
		try(func(s string) string {
			before, _, ok := strings.Cut(of[s], sep)
			if !ok {
				return "\x00"
			}
			return before
		})
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
		if count[key(s)]*3 <= usual {
			out[s] = true
		}
	}
	if len(out) > most {
		return nil
	}
	return out
}
