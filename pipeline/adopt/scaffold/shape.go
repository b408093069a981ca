package scaffold

import (
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// shape is what names have in common: literals with axes between them.
type shape struct {
	literals []string   // one more than places
	places   []int      // the axes between the literals: one may stand there again
	keys     []string   // by axis: the key of its values (key=value), "" for none
	folder   []bool     // by axis: its values are names of folders
	rows     [][]string // by name: the value of each axis
	isPath   bool
	words    bool // names may have words for values, whose ids these are
	plain    bool // the names of files and entries are one axis
	open     bool // names that come later may have other values
}

// pathShape finds the shape of paths of the same depth: what differs in the
// name of a folder is an axis, and so is each part of the files' names, where
// most combinations are there. A plain shape has no parts. What the patterns that
// the paths were asked for by have around a name is no part of the values.
func pathShape(paths []string, plain bool, asked asked) *shape {
	s := &shape{literals: []string{""}, rows: make([][]string, len(paths)), isPath: true, plain: plain, open: true}
	depth := strings.Count(paths[0], "/")
	for i := range depth + 1 {
		level := make([]string, len(paths))
		for j, p := range paths {
			level[j] = strings.Split(p, "/")[i]
		}
		if allEqual(level) {
			s.literal(level[0])
		} else {
			s.open = s.open && asked.open(paths, i)
			frame, inner := asked.frame(paths, i).cut(level)
			s.literal(frame.before)
			if i < depth {
				s.folders(inner)
			} else {
				s.files(inner)
			}
			s.literal(frame.behind)
		}
		if i < depth {
			s.literal("/")
		}
	}
	return s
}

// folders adds the names of the folders of one level. What they begin and end
// with is no part of the values.
func (s *shape) folders(names []string) {
	before, inner, behind := common(names, separators)
	s.literal(before)
	n := len(s.keys)
	s.column(inner)
	s.literal(behind)
	for ; n < len(s.keys); n++ {
		s.folder[n] = true
	}
}

// extension is what the names of files end with, from a dot on.
var extension = regexp.MustCompile(`(?:\.[A-Za-z][A-Za-z0-9]*)+$`)

// files adds the names of files. Where they are one axis, a value is all of a
// name but its extension, so that a file that comes later is taken, too.
func (s *shape) files(names []string) {
	if !s.plain && s.again(names) {
		return
	}
	before, inner, behind := common(names, separators)
	tail := extension.FindString(behind)
	stems := make([]string, len(names))
	for i, name := range names {
		stems[i] = strings.TrimSuffix(name, tail)
	}
	if !s.plain && (s.combined(before, inner, behind) || s.combined("", stems, tail)) {
		return
	}
	if commonKey(inner) == "" {
		before, inner, behind = "", stems, tail
	}
	s.literal(before)
	s.column(inner)
	s.literal(behind)
}

// combined adds names whose parts are combined with each other, with what stands
// around them.
func (s *shape) combined(before string, names []string, behind string) bool {
	parts := partsOf(names)
	if parts == nil || !s.isPath && !legalValues(parts) {
		return false
	}
	s.literal(before)
	s.parts(parts)
	s.literal(behind)
	return true
}

// again adds names that all have the value of a folder's axis once more.
func (s *shape) again(names []string) bool {
	for axis := range s.keys {
		var before, behind []string
		for i, name := range names {
			value := s.rows[i][axis]
			if at := indexWord(name, value); at >= 0 {
				before, behind = append(before, name[:at]), append(behind, name[at+len(value):])
			}
		}
		if len(before) == len(names) && allEqual(behind) {
			s.cut(before)
			s.places, s.literals = append(s.places, axis), append(s.literals, behind[0])
			return true
		}
	}
	return false
}

// entryShape finds the shape of the names of entries, which end with a number.
// Where they are one axis, a value is all of a name but the tests around it and
// the number, so that an entry that comes later is taken, too. A plain shape has
// no parts.
func entryShape(names []string, plain bool) *shape {
	s := &shape{literals: []string{""}, rows: make([][]string, len(names))}
	if allEqual(names) {
		s.literal(names[0])
		return s
	}
	before, inner, behind := common(names, separators)
	if !plain && s.combined(before, inner, behind) {
		return s
	}
	suites := before[:strings.LastIndex(before, suite)+1]
	if suites != "" {
		suites += suite[1:]
	}
	number := trailingNumber.FindString(behind)
	for i, name := range names {
		inner[i] = strings.TrimSuffix(strings.TrimPrefix(name, suites), number)
	}
	if !plain && s.combined(suites, inner, number) {
		return s
	}
	s.literal(suites)
	s.column(inner)
	s.literal(number)
	return s
}

// suite stands between the names of vitest's suites and tests.
const suite = " > "

var trailingNumber = regexp.MustCompile(` \d+$`)

// legalValues reports whether what differs in all parts but the last can be values
// as it is written, behind keys: those are listed where names could be split in other
// ways.
func legalValues(parts *parts) bool {
	for _, column := range parts.columns[:len(parts.columns)-1] {
		if !allEqual(column) {
			_, column, _ = common(column, around)
		}
		key := commonKey(column)
		if key != "" {
			key += "="
		}
		if slices.ContainsFunc(column, func(v string) bool { return !axispattern.IsAxisValue(strings.TrimPrefix(v, key)) }) {
			return false
		}
	}
	return true
}

// separators stand between the parts of names, strong ones between larger parts:
// within these the others may stand, too.
const separators = "-_./,:;>()[]'\"@ "

var (
	strong = []string{"__", suite, " - ", ", ", ": ", "--", "@", ":", ","}
	weak   = []string{"-", "_", ".", " "}

	part  = regexp.MustCompile(`[^-_./,:;>()\[\]'"@ ]+`)
	keyed = regexp.MustCompile(`^([a-z0-9][a-z0-9-]{0,63})=(.+)$`)
)

// parts are columns of names with texts between them.
type parts struct {
	columns [][]string
	between []string // one less than columns
	// frame stands before the first column and behind the last.
	frame [2]string
}

// partsOf takes names apart where the values of the parts are combined with each
// other; nil where they are not.
func partsOf(names []string) *parts {
	if p := atEverySeparator(names); p != nil && p.combined(half) {
		return p
	}
	var best *parts
	for _, sep := range slices.Concat(strong, weak) {
		for _, behind := range []bool{true, false} {
			if p := atOne(names, sep, behind); p != nil && p.combined(most) && (best == nil || p.product() < best.product()) {
				best = p
			}
		}
	}
	return best
}

// atEverySeparator cuts names at all separators, which are the same in all.
func atEverySeparator(names []string) *parts {
	frame := part.Split(names[0], -1)
	if len(frame) < 3 {
		return nil
	}
	p := &parts{columns: make([][]string, len(frame)-1), between: frame[1 : len(frame)-1], frame: [2]string{frame[0], frame[len(frame)-1]}}
	for _, name := range names {
		found := part.FindAllString(name, -1)
		if !slices.Equal(part.Split(name, -1), frame) {
			return nil
		}
		for i, f := range found {
			p.columns[i] = append(p.columns[i], f)
		}
	}
	return p
}

// atOne cuts names at one place of a separator: where the part that it cuts off,
// in front or behind, is that of the most names, the longest of these.
func atOne(names []string, sep string, behind bool) *parts {
	count := map[string]int{}
	for _, name := range names {
		for _, cut := range cuts(name, sep, behind) {
			count[cut[1]]++
		}
	}
	p := &parts{columns: make([][]string, 2), between: []string{sep}}
	for _, name := range names {
		var best [2]string
		for _, cut := range cuts(name, sep, behind) {
			if n, m := count[cut[1]], count[best[1]]; n > m || n == m && len(cut[1]) > len(best[1]) {
				best = cut
			}
		}
		if best[0] == "" {
			return nil
		}
		front, back := 0, 1
		if !behind {
			front, back = 1, 0
		}
		p.columns[0], p.columns[1] = append(p.columns[0], best[front]), append(p.columns[1], best[back])
	}
	return p
}

// maxCuts is at how many places a name is cut.
const maxCuts = 12

// cuts gives the rests and the parts that a separator cuts off.
func cuts(name, sep string, behind bool) (out [][2]string) {
	for at := 0; len(out) < maxCuts; {
		i := strings.Index(name[at:], sep)
		if i < 0 {
			break
		}
		front, back := name[:at+i], name[at+i+len(sep):]
		at += i + len(sep)
		switch {
		case front == "" || back == "":
		case behind:
			out = append(out, [2]string{front, back})
		default:
			out = append(out, [2]string{back, front})
		}
	}
	return out
}

// half and most are how much of all combinations is there: more than half, at
// least four of five.
func half(there, product int) bool { return there*2 > product }
func most(there, product int) bool { return there*5 >= product*4 }

func (p *parts) combined(enough func(there, product int) bool) bool {
	axes, rows := 0, map[string]bool{}
	for _, c := range p.columns {
		if !allEqual(c) {
			axes++
		}
	}
	for i := range p.columns[0] {
		var row []string
		for _, c := range p.columns {
			row = append(row, c[i])
		}
		rows[strings.Join(row, "\x00")] = true
	}
	return axes > 1 && enough(len(rows), p.product())
}

func (p *parts) product() int {
	n := 1
	for _, c := range p.columns {
		n = min(n*len(distinct(c)), maxProduct+1)
	}
	return n
}

// maxProduct is how many combinations of values a prompt may have. Most of them
// need no text: names of folders and tests are combined with few others.
const maxProduct = 200_000

func (s *shape) literal(text string) { s.literals[len(s.literals)-1] += text }

func (s *shape) parts(p *parts) {
	s.literal(p.frame[0])
	for i, column := range p.columns {
		if i > 0 {
			s.literal(p.between[i-1])
		}
		s.cut(column)
	}
	s.literal(p.frame[1])
}

// around separates what all values of a part have from what differs.
const around = "-_ "

// cut adds a part of names, which may have parts itself.
func (s *shape) cut(values []string) {
	if allEqual(values) {
		s.literal(values[0])
		return
	}
	before, inner, behind := common(values, around)
	s.literal(before)
	if p := partsOf(inner); p != nil {
		s.parts(p)
	} else {
		s.column(inner)
	}
	s.literal(behind)
}

// column adds what stands at one place of every name: a literal where it is the
// same, else an axis.
func (s *shape) column(values []string) {
	if allEqual(values) {
		s.literal(values[0])
		return
	}
	key := commonKey(values)
	if key != "" {
		s.literal(key + "=")
	}
	s.places, s.literals = append(s.places, len(s.keys)), append(s.literals, "")
	s.keys, s.folder = append(s.keys, key), append(s.folder, false)
	for i, value := range values {
		if key != "" {
			value = value[len(key)+1:]
		}
		s.rows[i] = append(s.rows[i], value)
	}
}

// common takes off what all names begin and end with, up to a separator.
func common(names []string, separators string) (before string, inner []string, behind string) {
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
			return "", slices.Clone(names), "" // they lie over each other in a name that is another's beginning
		}
		inner = append(inner, name[len(before):len(name)-len(behind)])
	}
	return before, inner, behind
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

// distinct gives each value once, by bytes.
func distinct(values []string) []string {
	out := slices.Clone(values)
	slices.Sort(out)
	return slices.Compact(out)
}

// values gives those of an axis, by bytes.
func (s *shape) values(axis int) []string {
	var out []string
	for _, row := range s.rows {
		out = append(out, row[axis])
	}
	return distinct(out)
}

// What means something in patterns: of paths, and of names.
var (
	specialInPath = regexp.MustCompile(`[*?{}\[\]]+`)
	specialInName = regexp.MustCompile(`\*+|\{[^{},]*\}`)
)

// literalPath and literalName write a name as a pattern. What means something in
// patterns becomes a character that stands for anything.
func literalPath(name string) string { return specialInPath.ReplaceAllString(name, "*") }
func literalName(name string) string { return specialInName.ReplaceAllString(name, "*") }

func (s *shape) pattern(axes []string) string {
	write := literalName
	if s.isPath {
		write = literalPath
	}
	var b strings.Builder
	for i, literal := range s.literals {
		b.WriteString(write(literal))
		if i < len(s.places) {
			b.WriteString("{" + axes[s.places[i]] + "}")
		}
	}
	return b.String()
}
