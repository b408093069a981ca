package code

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// reader goes over the tokens of a file once, and keeps what is open at each place.
type reader struct {
	file   *diag.File
	src    string
	lang   *row
	tokens []token
	match  []int32
	i      int // the token at which it is
	path   []Step
	shared []Step // a copy of path, nil since it changed
	frames []frame
	scopes []scope
	holes  int // how many are open
	// noAngle is the token up to which no `<` opens the parameters of a type.
	noAngle int
	out     []Literal
}

// scope is a class or a function of Python.
type scope struct{ column, path int }

// state is what stands before a place in an expression.
type state uint8

const (
	stateNone state = iota // an operand may begin
	stateCode              // code, which is a hole where it is joined with text
	stateText              // text; code behind it does something with it
)

// Kinds of frames, beside the brackets `(`, `[`, `{` and `<`.
const (
	frameFile  = 'f'
	frameBlock = 'b' // statements
	frameText  = 's'
	frameHole  = 'h'
	frameGroup = 'g' // parentheses around an expression
	frameIndex = 'i'
	frameShown = 'e' // an expression in an element
)

// frame is what is open.
type frame struct {
	kind         byte
	open         int // the token
	base, inner  int // how long the path is outside, and where an element begins
	call, header bool
	state        state
	run, tail    *run // the text so far, and its last operand
	codeFrom     int  // of stateCode, in the file
	codeTo       int
	chain        []string // the names with dots before this place
	chainFrom    int
	first        []string // the first of a statement
	statement    int      // the token with which it began

	formats, bound, kept, typed, types, returns, isCase, lambda, breaks, aside, drawn bool

	angle, ternary, items int
	class, callee         string
	control, function     bool // Go: the head of a statement, or of a function
	receiver              string
	inserts               []insert
	hole                  int // the frame of the hole or the group that it is in, -1 for none
	sep                   *run
	all                   *run // the elements of a list that is joined
	element               int  // where the element begins, in the file
	dedent                func(*run) *run
	raw                   bool
	role, called          string
	key                   string // of a call its name, of a subscript its text
	from                  int    // literals
}

func (r *reader) top() *frame { return &r.frames[len(r.frames)-1] }

func (f *frame) statements() bool { return f.kind == frameFile || f.kind == frameBlock }

func read(file *diag.File, lang *row, tokens []token) []Literal {
	r := &reader{file: file, src: file.Text, lang: lang, tokens: tokens, match: matching(tokens)}
	r.frames = append(r.frames, frame{kind: frameFile, hole: -1})
	for r.i = 0; r.i < len(tokens); r.i++ {
		r.token(tokens[r.i])
	}
	for len(r.frames) > 1 {
		r.close()
	}
	r.endStatement(r.top())
	slices.SortStableFunc(r.out, func(a, b Literal) int { return a.At.Start - b.At.Start })
	return r.out
}

func (r *reader) token(t token) {
	f := r.top()
	if len(r.frames) > maxFrames && (t.kind == kindOpen || t.kind == kindHole) {
		r.i = max(r.i, int(r.match[r.i]))
		r.code(f, t.start, r.tokens[r.i].end)
		return
	}
	if t.newline && f.statements() && r.ends(f, t) {
		r.endStatement(f)
	}
	if f.statement < 0 {
		r.startStatement(f, t)
	}
	switch t.kind {
	case kindName:
		r.name(f, r.src[t.start:t.end])
	case kindOperand:
		f.chain = nil
		r.code(f, t.start, t.end)
	case kindPunct:
		r.punct(f, t, r.src[t.start:t.end])
	case kindOpen:
		r.opens(f, t)
	case kindClose, kindHoleEnd, kindTextEnd:
		r.close()
	case kindEnd:
		if f.statements() {
			r.endStatement(f)
		} else {
			r.flush(f)
		}
	case kindText:
		r.opensText(f, t)
	case kindChunk:
		r.chunk(f, t)
	case kindHole:
		if r.plainHole(f, t) {
			return
		}
		r.holes++
		r.push(frame{kind: frameHole, hole: len(r.frames), kept: true})
	}
}

// maxFrames is how deep code may nest that is read: what is deeper is passed over.
const maxFrames = 200

// ends reports whether a line break before a token ends a statement of JavaScript.
func (r *reader) ends(f *frame, t token) bool {
	if r.lang.name != "TypeScript" || f.state == stateNone {
		return false
	}
	switch t.kind {
	case kindName:
		w := r.src[t.start:t.end]
		return w != "instanceof" && w != "in" && w != "of" && !slices.Contains(r.lang.suffixes, w)
	case kindOperand:
		return true
	case kindText:
		return !t.raw
	case kindOpen:
		return t.block
	default:
		return false
	}
}

// startStatement notes where a statement begins; in Python it leaves the classes and the
// functions that its indentation ends.
func (r *reader) startStatement(f *frame, t token) {
	f.statement = r.i
	if !r.lang.adjacent || len(r.frames) > 1 || t.kind == kindEnd {
		return
	}
	if r.i > 0 && r.tokens[r.i-1].kind != kindEnd || !t.newline && r.i > 0 {
		return
	}
	column := t.start - strings.LastIndexByte(r.src[max(0, t.start-maxColumn):t.start], '\n') - 1 - max(0, t.start-maxColumn)
	for n := len(r.scopes); n > 0 && r.scopes[n-1].column >= column; n-- {
		r.cut(r.scopes[n-1].path)
		r.scopes = r.scopes[:n-1]
	}
	f.inner = len(r.path)
}

// maxColumn is how deep a statement of Python may be indented, in bytes.
const maxColumn = 4096

// endStatement finishes the text of a statement, and forgets its names.
func (r *reader) endStatement(f *frame) {
	r.flush(f)
	r.unbind(f)
	f.kept, f.typed, f.types, f.returns, f.isCase, f.lambda, f.breaks, f.header = false, false, false, false, false, false, false, false
	f.angle, f.ternary, f.class, f.callee, f.control, f.function, f.receiver = 0, 0, "", "", false, false, ""
	f.chain, f.first, f.statement = nil, nil, -1
	f.aside = len(r.frames) > 1 && r.frames[len(r.frames)-2].aside
}

func (r *reader) cut(n int) {
	if n < len(r.path) {
		r.path, r.shared = r.path[:n], nil
	}
}

func (r *reader) step(name string, declared bool) {
	r.path, r.shared = append(r.path, Step{Name: name, Declared: declared}), nil
}

// maxSteps is how many names of a path are kept.
const maxSteps = 12

func (r *reader) steps() []Step {
	if r.shared == nil {
		r.shared = slices.Clone(r.path[:min(len(r.path), maxSteps)])
	}
	return r.shared
}

// push opens a frame. What is in a type, or speaks to people, has nothing else in it.
func (r *reader) push(f frame) {
	outer := r.top()
	f.open, f.base, f.inner, f.from, f.statement = r.i, len(r.path), len(r.path), len(r.out), -1
	f.typed, f.types, f.aside = f.typed || outer.typed, f.types || outer.types, f.aside || outer.aside
	f.drawn = f.drawn || outer.drawn && f.kind != frameBlock
	f.element = r.tokens[r.i].end
	r.frames = append(r.frames, f)
}

// bind names what follows.
func (r *reader) bind(f *frame, names []string, declared bool) {
	r.unbind(f)
	for i, n := range names {
		if i == 0 && slices.Contains(r.lang.self, n) {
			continue
		}
		r.step(n, declared)
	}
	f.bound = true
}

func (r *reader) unbind(f *frame) {
	r.cut(f.inner)
	f.bound = false
}

// code goes on with code.
func (r *reader) code(f *frame, from, to int) {
	switch f.state {
	case stateNone:
		f.state, f.codeFrom, f.codeTo = stateCode, from, to
	case stateCode:
		f.codeTo = to
	case stateText: // what the code does with the text
	}
}

// whole gives the text so far; nil for none.
func (f *frame) whole() *run {
	if f.tail != nil {
		f.run, f.tail = joined(f.run, f.tail), nil
	}
	return f.run
}

// forget drops the expression so far.
func (f *frame) forget() { f.run, f.tail, f.state, f.formats = nil, nil, stateNone, false }

// operand ends the operand before this place: code becomes a hole.
func (r *reader) operand(f *frame) {
	f.whole()
	f.formats = false
	if f.state == stateCode {
		if f.run == nil {
			f.run = &run{}
		}
		r.holeOf(f.run, f.codeFrom, f.codeTo)
	}
	f.state = stateNone
}

// holeOf appends code that is joined with text.
func (r *reader) holeOf(to *run, from, end int) {
	field := shortened(r.src[from:end])
	to.hole(ground.Derived(r.lang.open+field+r.lang.shut, diag.Span{File: r.file, Start: from, End: end}), field)
	to.reach(from, end)
}

// text takes a text for an operand.
func (r *reader) text(f *frame, t *run) {
	if f.state != stateNone && (f.state != stateText || !r.lang.adjacent) {
		r.flush(f)
	}
	f.state = stateText
	if f.typed || f.formats { // an argument of what formats
		return
	}
	f.whole()
	f.tail = t
}

// flush ends an expression: if there is text in it, this is a literal.
func (r *reader) flush(f *frame) {
	if whole := f.whole(); whole == nil || !whole.texts {
		f.forget()
		return
	}
	r.operand(f)
	whole := f.run
	f.forget()
	switch {
	case f.typed:
	case f.kind == frameGroup, f.kind == frameHole, f.sep != nil, f.dedent != nil:
		f.inserts = append(f.inserts, insert{whole})
	case f.hole >= 0:
		if to := &r.frames[f.hole]; r.holes <= maxHoles {
			to.inserts, to.breaks = append(to.inserts, insert{whole}), true
		}
	default:
		r.emit(f, whole)
	}
}

// docstring is the attribute of Python that has what a module, a class or a function says
// of itself.
const docstring = "__doc__"

// maxHoles is how deep texts in expressions in texts are read.
const maxHoles = 8

// emit adds a literal.
func (r *reader) emit(f *frame, t *run) {
	text := t.text()
	if text.Str == "" {
		return
	}
	if f.kind == '(' && f.items == 0 && strings.HasSuffix(f.key, "Sprintf") {
		t.format = "percent"
	}
	path, states := r.steps(), f.statements() && !f.kept && !f.bound
	if states && r.lang.adjacent && len(path) < maxSteps {
		path = append(slices.Clip(path), Step{Name: docstring, Declared: true})
	}
	r.out = append(r.out, Literal{
		Path: path, Text: text, Holes: t.holes, At: diag.Span{File: r.file, Start: t.from, End: t.to},
		Role: f.role, Format: t.format, Drawn: f.drawn, Aside: f.aside || states || t.aside,
	})
}
