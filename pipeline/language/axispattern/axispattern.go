// Package axispattern matches paths and names in which the values of axes stand, such
// as `tiers/{tier}.md`.
package axispattern

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
)

// Pattern tells axis values from names: those of rendered files, or those of
// entries in them. `{axis}` stands for a value, `*` for any part of a name; in a
// path `**` stands for any folders.
type Pattern struct {
	// Axes are the names in braces, each once, in the order in which they stand.
	Axes   []string
	pieces []piece
	twice  []bool // by axis: it stands there more than once
	path   bool
}

// piece is a part of a pattern.
type piece struct {
	kind    pieceKind
	literal string
	axis    int // index in Pattern.Axes
	again   bool
}

type pieceKind int

const (
	pieceLiteral pieceKind = iota
	pieceAxis
	pieceStar    // anything within one name
	pieceFolders // `**/`: nothing, or any folders
	pieceAll     // anything
)

var patternPiece = regexp.MustCompile(`\{([^{},]*)\}|\*+`)

// PathPattern reads the pattern of a path.
func PathPattern(s string) *Pattern { return parsePattern(s, true) }

// NamePattern reads the pattern of a name in which `/` is a character like any
// other.
func NamePattern(s string) *Pattern { return parsePattern(s, false) }

func parsePattern(s string, isPath bool) *Pattern {
	p := &Pattern{path: isPath}
	at := 0
	for _, m := range patternPiece.FindAllStringSubmatchIndex(s, -1) {
		if m[0] < at {
			continue // the slash of `**/`
		}
		p.literal(s[at:m[0]])
		at = m[1]
		if m[2] >= 0 {
			p.axis(s[m[2]:m[3]])
			continue
		}
		whole := isPath && m[1]-m[0] == 2 && (m[0] == 0 || s[m[0]-1] == '/')
		switch {
		case whole && strings.HasPrefix(s[m[1]:], "/"):
			p.add(piece{kind: pieceFolders})
			at++
		case whole && m[1] == len(s), !isPath:
			p.add(piece{kind: pieceAll})
		default:
			p.add(piece{kind: pieceStar})
		}
	}
	p.literal(s[at:])
	return p
}

// add appends a piece; two of the same that match anything are one.
func (p *Pattern) add(q piece) {
	if n := len(p.pieces); n > 0 && q.kind >= pieceStar && p.pieces[n-1].kind == q.kind {
		return
	}
	p.pieces = append(p.pieces, q)
}

func (p *Pattern) literal(s string) {
	if s != "" {
		p.add(piece{kind: pieceLiteral, literal: s})
	}
}

func (p *Pattern) axis(name string) {
	i := slices.Index(p.Axes, name)
	again := i >= 0
	if !again {
		i = len(p.Axes)
		p.Axes, p.twice = append(p.Axes, name), append(p.twice, false)
	} else {
		p.twice[i] = true
	}
	p.add(piece{kind: pieceAxis, axis: i, again: again})
}

// Glob gives the glob of all paths that the pattern can match.
func (p *Pattern) Glob() string {
	var b strings.Builder
	star := false
	for _, q := range p.pieces {
		switch q.kind {
		case pieceLiteral:
			b.WriteString(q.literal)
		case pieceAxis, pieceStar:
			if !star { // two beside each other would be another wildcard
				b.WriteString("*")
			}
		case pieceFolders:
			b.WriteString("**/")
		case pieceAll:
			b.WriteString("**")
		}
		star = q.kind == pieceAxis || q.kind == pieceStar
	}
	return b.String()
}

// Match finds the values of Axes in a name: none, one way, or two of several
// ways in which they differ. values gives those that an axis may have, nil for
// all that IsAxisValue holds of; loose takes any text for these. Every attempt
// is taken off work, and where that falls below zero the result says nothing.
func (p *Pattern) Match(name string, values func(axis string) []string, loose bool, work *int) [][]string {
	m := matcher{Pattern: p, name: name, work: work, values: make([][]string, len(p.Axes))}
	if loose {
		m.takes = func(string, string) bool { return true }
	}
	for i, a := range p.Axes {
		m.values[i] = values(a)
	}
	return m.match()
}

// MatchBy is Match where each axis may have any text that takes holds of.
func (p *Pattern) MatchBy(name string, takes func(axis, text string) bool, work *int) [][]string {
	m := matcher{Pattern: p, name: name, work: work, values: make([][]string, len(p.Axes)), takes: takes}
	return m.match()
}

// MaxName is the length in bytes above which a name matches no pattern, and
// maxWays how many ways are told apart: that there are two is enough.
const (
	MaxName = 4096
	maxWays = 2
)

// matcher is one Match. It goes through the name once for each piece: what the
// rest of the pattern makes of the rest of the name is remembered.
type matcher struct {
	*Pattern
	name   string
	work   *int
	values [][]string                   // by axis, nil for any
	takes  func(axis, text string) bool // which texts are taken then; nil for values alone
	bound  []string                     // the values of axes that the pattern has twice
	known  map[state][][]string
}

type state struct {
	piece, pos int
	bound      string
}

func (m *matcher) match() [][]string {
	if len(m.name) > MaxName {
		return nil
	}
	m.bound, m.known = make([]string, len(m.values)), map[state][][]string{}
	return m.from(0, 0)
}

// from gives the ways in which the pieces from one on match the name from a
// byte on: the values of the axes among them.
func (m *matcher) from(i, pos int) [][]string {
	if i == len(m.pieces) {
		if pos == len(m.name) {
			return [][]string{make([]string, len(m.values))}
		}
		return nil
	}
	at := state{i, pos, strings.Join(m.bound, "\x00")}
	if ways, ok := m.known[at]; ok {
		return ways
	}
	if *m.work--; *m.work < 0 {
		return nil
	}
	ways := m.piece(m.pieces[i], i, pos)
	m.known[at] = ways
	return ways
}

func (m *matcher) piece(q piece, i, pos int) [][]string {
	rest := m.name[pos:]
	switch q.kind {
	case pieceLiteral:
		if !strings.HasPrefix(rest, q.literal) {
			return nil
		}
		return m.from(i+1, pos+len(q.literal))
	case pieceAxis:
		return m.axisValue(q, i, pos)
	case pieceFolders:
		ways := m.from(i+1, pos)
		if next := strings.IndexByte(rest, '/'); next >= 0 {
			ways = merged(ways, m.from(i, pos+next+1))
		}
		return ways
	default:
		ways := m.from(i+1, pos)
		if rest != "" && (q.kind == pieceAll || rest[0] != '/') {
			ways = merged(ways, m.from(i, pos+1))
		}
		return ways
	}
}

// axisValue gives the ways that begin with a value of an axis.
func (m *matcher) axisValue(q piece, i, pos int) [][]string {
	rest, values := m.name[pos:], m.values[q.axis]
	if q.again {
		values = m.bound[q.axis : q.axis+1]
	}
	var out [][]string
	try := func(value string) {
		if *m.work--; *m.work < 0 {
			return
		}
		if m.twice[q.axis] {
			m.bound[q.axis] = value
		}
		ways := m.from(i+1, pos+len(value))
		// What is taken is asked last: it may cost more than to match the rest.
		if len(ways) > 0 && m.takes != nil && values == nil && !m.takes(m.Axes[q.axis], value) {
			ways = nil
		}
		for _, row := range ways {
			row = slices.Clone(row)
			row[q.axis] = value
			out = merged(out, [][]string{row})
		}
		if !q.again {
			m.bound[q.axis] = ""
		}
	}
	if values != nil {
		for _, value := range values {
			if value != "" && len(out) < maxWays && strings.HasPrefix(rest, value) {
				try(value)
			}
		}
		return out
	}
	loose := m.takes != nil
	for n := 1; n <= len(rest) && len(out) < maxWays && *m.work >= 0; n++ {
		switch {
		case m.path && rest[n-1] == '/', !loose && n > MaxAxisValue:
			return out
		case loose && n < len(rest) && !utf8.RuneStart(rest[n]), !loose && !IsAxisValue(rest[:n]):
			continue
		}
		try(rest[:n])
	}
	return out
}

// merged gives the ways of both that differ, at most maxWays.
func merged(a, b [][]string) [][]string {
	out := slices.Clip(a)
	for _, row := range b {
		if len(out) < maxWays && !slices.ContainsFunc(out, func(o []string) bool { return slices.Equal(o, row) }) {
			out = append(out, row)
		}
	}
	return out
}

// MaxAxisValue is how long an axis value may be, in bytes.
const MaxAxisValue = 64

var axisValue = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// IsAxisValue reports whether a text can be the value of an axis: its names
// become parts of files' names on every system.
func IsAxisValue(s string) bool {
	return axisValue.MatchString(s) && !strings.HasSuffix(s, ".") && !pathrule.Device(s)
}

// Fill gives the name that the pattern stands for with the values of its axes; false
// where it stands for several, since it has a wildcard.
func (p *Pattern) Fill(value func(axis string) string) (string, bool) {
	var b strings.Builder
	for _, q := range p.pieces {
		switch q.kind {
		case pieceLiteral:
			b.WriteString(q.literal)
		case pieceAxis:
			b.WriteString(value(p.Axes[q.axis]))
		default:
			return "", false
		}
	}
	return b.String(), true
}
