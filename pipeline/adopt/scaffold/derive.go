package scaffold

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// names are those of the files of one prompt, and of their entries.
type names struct {
	files   []Snapshot
	paths   []string
	entries []string // each once
	several bool     // entries in a file, so that they are named
	asked   asked
}

func namesOf(files []Snapshot, asked asked) *names {
	n := &names{files: files, asked: asked}
	known := map[string]bool{}
	for _, f := range files {
		n.paths = append(n.paths, f.Path)
		n.several = n.several || len(f.Entries) > 1
		for _, e := range f.Entries {
			if !known[e] {
				known[e] = true
				n.entries = append(n.entries, e)
			}
		}
	}
	return n
}

// derive finds the axes in the names of files of the same depth, and of their
// entries; nil where no pattern stands for all and for none of the other files.
func (n *names) derive(others []Snapshot) *Legacy {
	if !n.oneDepth() {
		return nil
	}
	for _, plain := range []bool{false, true} {
		byEntry := &shape{literals: []string{""}, rows: make([][]string, 1)}
		if n.several {
			byEntry = entryShape(n.entries, plain)
		}
		byPath := pathShape(n.paths, plain, n.asked)
		byPath.words = !slices.ContainsFunc(n.files, func(f Snapshot) bool { return !f.Sent })
		if l := n.wide(byPath, byEntry, others); l != nil {
			return l
		}
		if l := n.legacy(byPath, byEntry, others); l != nil {
			return l
		}
	}
	return nil
}

// wide takes later files beside the only one, too: their entries have names of
// their own.
func (n *names) wide(byPath, byEntry *shape, others []Snapshot) *Legacy {
	only := n.files[0]
	if !n.several || len(n.files) > 1 || n.asked == nil || only.Alone {
		return nil
	}
	f := n.asked.frame(n.paths, strings.Count(only.Path, "/"))
	if ext := path.Ext(only.Path); len(ext) > len(f.behind) {
		f.behind = ext
	}
	pattern := path.Join(path.Dir(only.Path), f.before+"*"+f.behind)
	if !n.asked.all(pattern) {
		return nil
	}
	all := &shape{literals: []string{pattern}, rows: byPath.rows, isPath: true}
	return n.legacy(all, byEntry, others)
}

// legacy makes the prompt whose names have these shapes; nil where these do not
// tell its texts apart.
func (n *names) legacy(byPath, byEntry *shape, others []Snapshot) *Legacy {
	axes := axisNames(byPath, byEntry)
	l := &Legacy{Path: byPath.pattern(axes[:len(byPath.keys)]), files: n.paths, open: byPath.open && len(byPath.keys) > 0}
	if n.several {
		l.Entry = byEntry.pattern(axes[len(byPath.keys):])
	}
	product := 1
	for _, s := range []*shape{byPath, byEntry} {
		for i := range s.keys {
			product = min(product*len(s.values(i)), maxProduct+1)
		}
	}
	if product > maxProduct {
		return nil
	}
	inPath, ok := byPath.listing(axes[:len(byPath.keys)], n.paths, others, n.asked)
	inEntry, also := byEntry.listing(axes[len(byPath.keys):], n.named(), nil, nil)
	if !ok || !also {
		return nil
	}
	any, work := func(string) []string { return nil }, maxWork
	l.loose = !n.asked.hold(l.Path, axes[:len(byPath.keys)], any)
	beside := l.loose && byPath.reads(axes[:len(byPath.keys)], any, n.paths, nil, &work)
	for i, name := range axes {
		l.Axes = append(l.Axes, Axis{Name: name, Values: slices.Concat(inPath, inEntry)[i], beside: beside && i < len(byPath.keys)})
	}
	l.rows = n.rows(byPath, byEntry)
	l.withoutOthers(others)
	return l
}

// named gives the entries that are told apart by their names.
func (n *names) named() []string {
	if n.several {
		return n.entries
	}
	return nil
}

func (n *names) oneDepth() bool {
	return !slices.ContainsFunc(n.paths, func(p string) bool { return strings.Count(p, "/") != strings.Count(n.paths[0], "/") })
}

// rows gives the axis values of every text that is there.
func (n *names) rows(byPath, byEntry *shape) [][]string {
	place := map[string]int{}
	for i, e := range n.entries {
		place[e] = i
	}
	var rows [][]string
	for i, f := range n.files {
		if !n.several {
			rows = append(rows, byPath.rows[i])
			continue
		}
		for _, e := range f.Entries {
			rows = append(rows, slices.Concat(byPath.rows[i], byEntry.rows[place[e]]))
		}
	}
	return rows
}

// withoutOthers excludes the files that are no prompts and that the pattern
// takes.
func (l *Legacy) withoutOthers(others []Snapshot) {
	pattern := axispattern.PathPattern(l.Path)
	if len(pattern.Axes) == 0 {
		return
	}
	for _, o := range others {
		if o.Sort == Blank && o.Sent {
			continue
		}
		work := maxWork
		for _, row := range pattern.Match(o.Path, l.listed, false, &work) {
			clause := make([]string, len(l.Axes))
			for i, axis := range pattern.Axes {
				at := slices.IndexFunc(l.Axes, func(a Axis) bool { return a.Name == axis })
				clause[at] = row[i]
				folder := strings.Contains(path.Dir(l.Path), "{"+axis+"}")
				if folder && o.Sort == ToolList && !slices.ContainsFunc(l.rows, func(r []string) bool { return r[at] == row[i] }) {
					clause = make([]string, len(l.Axes)) // no text lies in the folder
					clause[at] = row[i]
					break
				}
			}
			if o.Sort == Unasked {
				l.unasked, clause = true, narrowed(clause, l.rows)
			}
			if !slices.ContainsFunc(l.Exclude, func(c []string) bool { return slices.Equal(c, clause) }) {
				l.Exclude = append(l.Exclude, clause)
			}
		}
	}
}

func (l *Legacy) listed(axis string) []string {
	return l.Axes[slices.IndexFunc(l.Axes, func(a Axis) bool { return a.Name == axis })].Values
}

// What bounds the comparison of names with their pattern: of all, and of each.
const (
	maxWork     = 5_000_000
	workForEach = 4_000
)

// listing finds for which axes values have to be listed, as few as will do, so
// that the pattern splits every name in the one way that is meant and matches
// nothing that was not asked for: for each axis its values, or nil. ok is false
// where that does not help. Where names may come later, what is there already and
// was not asked for is excluded rather.
func (s *shape) listing(axes, names []string, others []Snapshot, asked asked) (values [][]string, ok bool) {
	all := make([][]string, len(axes))
	var order []int
	for i := range axes {
		all[i] = s.values(i)
		slices.SortFunc(all[i], byNumber(all[i]))
		order = append(order, i)
		legal := !slices.ContainsFunc(all[i], func(v string) bool { return !axispattern.IsAxisValue(v) })
		if !legal && s.isPath && !s.words {
			return nil, false
		}
		if !legal {
			order = order[:len(order)-1]
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(len(all[a])-len(all[b]), b-a) })
	tries := [][]int{nil}
	for _, i := range order {
		tries = append(tries, []int{i})
	}
	work := min(maxWork, (len(names)+len(others)+10)*workForEach)
	for _, try := range append(tries, order) {
		values = make([][]string, len(axes))
		for _, i := range try {
			values[i] = all[i]
		}
		listed := func(axis string) []string { return values[slices.Index(axes, axis)] }
		if (s.open && len(axes) > 0 || asked.hold(s.pattern(axes), axes, listed)) && s.reads(axes, listed, names, others, &work) {
			return values, true
		}
	}
	return nil, false
}

// reads reports whether the pattern, with these values listed, splits each name
// in the way that is meant, takes no file of another prompt, and makes no other
// name an error.
func (s *shape) reads(axes []string, listed func(string) []string, names []string, others []Snapshot, work *int) bool {
	pattern := axispattern.NamePattern(s.pattern(axes))
	if s.isPath {
		pattern = axispattern.PathPattern(s.pattern(axes))
	}
	takes := func(axis, text string) bool { return listed(axis) == nil || slices.Contains(listed(axis), text) }
	for i, name := range names {
		ways := pattern.Match(name, listed, false, work)
		if len(ways) == 0 && (!s.isPath || s.words) {
			ways = pattern.MatchBy(name, takes, work)
		}
		if len(ways) != 1 || !slices.Equal(ways[0], s.rows[i]) {
			return false
		}
	}
	if len(axes) == 0 && !strings.Contains(s.pattern(axes), "*") {
		others = nil // it is the name of its own file
	}
	unasked := map[string]bool{}
	for _, o := range others {
		if o.Sort == Blank && o.Sent {
			continue // nothing is read from it
		}
		strict := pattern.Match(o.Path, listed, false, work)
		if o.Sort == Unasked && len(strict) > 0 {
			unasked[strings.Join(narrowed(strict[0], s.rows), "\x00")] = true
		}
		loose := pattern.MatchBy(o.Path, takes, work)
		if o.Sort == Broken && len(pattern.MatchBy(o.Path, func(string, string) bool { return true }, work)) > 0 {
			return false
		}
		if len(strict) > 1 || len(strict) == 0 && len(loose) > 0 || len(strict) > 0 && (len(axes) == 0 || o.Sort == Prompt) {
			return false
		}
	}
	return *work >= 0 && len(unasked) <= maxUnasked
}

// maxUnasked is how many clauses exclude files that nobody asked for: beyond it,
// those that were asked for are listed.
const maxUnasked = 10

// narrowed gives the first of the values that no text has, since it alone excludes a
// file; all of them where each is a text's.
func narrowed(values []string, rows [][]string) []string {
	for i, v := range values {
		if v != "" && !slices.ContainsFunc(rows, func(row []string) bool { return row[i] == v }) {
			out := make([]string, len(values))
			out[i] = v
			return out
		}
	}
	return values
}

// byNumber orders values by bytes; where all are numbers, by size.
func byNumber(values []string) func(a, b string) int {
	numbers := !slices.ContainsFunc(values, func(s string) bool { return strings.Trim(s, "0123456789") != "" })
	return func(a, b string) int {
		if x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0"); numbers && len(x) != len(y) {
			return len(x) - len(y)
		}
		return strings.Compare(a, b)
	}
}

// What axes are called whose values have no key: after their values, after the
// word in front of them, or for their place.
var (
	models    = regexp.MustCompile(`(?i)gpt|claude|gemini|gemma|qwen|llama|grok|mistral|devstral|deepseek|sonnet|opus|haiku|codex|glm|kimi`)
	platforms = regexp.MustCompile(`(?i)^(darwin|linux|macos|windows|win32|unix)$`)
	nextWord  = regexp.MustCompile(`^[- _]([a-z]{3,})\b`)
	lastWord  = regexp.MustCompile(`([A-Za-z][A-Za-z0-9]*)(?:[-_]|: ?)$`)
)

// noNames are words in front of values that say nothing about them.
var noNames = []string{"with", "without", "for", "the", "a", "an", "in", "on", "of", "and", "or", "to", "by", "no", "not", "should", "is", "when", "test", "prompt", "prompts", "snapshot"}

// axisNames gives every axis of a path and of an entry a name.
func axisNames(byPath, byEntry *shape) []string {
	var out []string
	for _, s := range []*shape{byPath, byEntry} {
		for i := range s.keys {
			name := s.axisName(i)
			if name == "" || slices.Contains(out, name) {
				name = "group"
				switch {
				case s == byEntry && i == len(s.keys)-1, len(byEntry.keys) == 0 && i == len(s.keys)-1 && !s.folder[i]:
					name = "case"
				case s == byPath && !s.folder[i] && i == len(s.keys)-1:
					name = "file"
				}
			}
			base := name
			for n := 2; slices.Contains(out, name); n++ {
				name = base + strconv.Itoa(n)
			}
			out = append(out, name)
		}
	}
	return out
}

func (s *shape) axisName(i int) string {
	if s.keys[i] != "" {
		return s.keys[i]
	}
	count := func(re *regexp.Regexp) (n int) {
		for _, v := range s.values(i) {
			if re.MatchString(v) {
				n++
			}
		}
		return n
	}
	n := len(s.values(i))
	if n > 1 && count(platforms) == n {
		return "platform"
	}
	if n > 1 && count(models)*2 >= n && (s.folder[i] || len(s.keys) > 1) {
		return "model"
	}
	if m := lastWord.FindStringSubmatch(s.literals[slices.Index(s.places, i)]); m != nil {
		word := strings.ToLower(m[1])
		if !slices.Contains(noNames, word) && len(word) > 2 && !strings.Contains(word, "prompt") {
			return word
		}
	}
	if s.isPath {
		return ""
	}
	behind := s.literals[slices.Index(s.places, i)+1]
	if m := nextWord.FindStringSubmatch(behind); m != nil && !slices.Contains(noNames, m[1]) {
		return m[1] // `full mode`
	}
	return ""
}
