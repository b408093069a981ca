package code

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// foreignTags are tags of templates in another language.
var foreignTags = []string{"sql", "SQL", "gql", "graphql", "css", "html", "svg", "styled", "keyframes", "glsl"}

// opensText begins a string. A name before it is its tag.
func (r *reader) opensText(f *frame, t token) {
	s := frame{kind: frameText, hole: -1, run: &run{}}
	s.run.texts = true
	s.run.reach(t.end, t.end)
	if f.state == stateCode && t.raw && len(f.chain) > 0 && r.tokens[r.i-1].end == t.start {
		s.dedent = dedenter(r.lang, f.chain)
		s.raw = strings.Join(f.chain, ".") == "String.raw"
		s.aside = slices.Contains(foreignTags, f.chain[0])
		if f.codeFrom == f.chainFrom {
			f.state = stateNone
		}
	}
	if end := int(r.match[r.i]); end <= r.i+2 { // without holes
		if end == r.i+2 {
			r.chunk(&s, r.tokens[r.i+1])
		}
		r.i = end
		r.closeText(f, &s)
		return
	}
	r.push(s)
}

// chunk adds a part of a string.
func (r *reader) chunk(s *frame, t token) {
	if s.raw {
		t.escapes = verbatim
	}
	for t.escapes == pythonEscapes {
		start, end, ok := named(r.src[:t.end], t.start)
		if !ok {
			break
		}
		before := t
		before.end = start
		s.run.say(chunkText(r.file, before), t.start, start)
		s.run.hole(ground.Verbatim(diag.Span{File: r.file, Start: start, End: end}), r.src[start:end])
		t.start = end
	}
	s.run.say(chunkText(r.file, t), t.start, t.end)
}

// opens opens a bracket.
func (r *reader) opens(f *frame, t token) {
	switch b := r.src[t.start]; {
	case f.kind == '<' && b == '{':
		r.push(frame{kind: frameShown, hole: -1, kept: true})
	case b == '<':
		r.push(frame{kind: '<', hole: -1, drawn: true, kept: true})
	case b == '(':
		r.opensCall(f)
	case b == '[' && f.state != stateNone && !(r.lang.name == "Go" && r.sign(1) == "]"):
		r.push(frame{kind: frameIndex, hole: f.hole, kept: true})
	case b == '[':
		r.opensList(f, '[')
	case r.lang.name == "Go":
		r.opensGo(f)
	case t.block:
		r.opensBlock(f)
	default:
		r.opensList(f, '{')
	}
}

// opensList opens a list or an object.
func (r *reader) opensList(f *frame, kind byte) {
	role := f.role
	in := frame{kind: kind, hole: f.hole, kept: true, role: role}
	if kind == '[' || r.lang.name == "Go" {
		if in.sep = r.joinedBy(f); in.sep != nil {
			in.hole = len(r.frames)
		}
	}
	in.types = f.typed
	r.push(in)
}

// joinedBy gives what stands between the elements of a list when they are joined; nil for
// a list that is not.
func (r *reader) joinedBy(f *frame) *run {
	if f.sep != nil && f.kind == '(' && r.i == f.open+1 { // "".join([
		return f.sep
	}
	after := int(r.match[r.i]) + 1
	at := func(n int) string {
		if i := after + n; i < len(r.tokens) && r.tokens[i].kind != kindEnd {
			return r.src[r.tokens[i].start:r.tokens[i].end]
		}
		return ""
	}
	if r.lang.name == "Go" {
		if f.kind == '(' && f.key == "strings.Join" && at(0) == "," && after+1 < len(r.tokens) && r.tokens[after+1].kind == kindText {
			return r.plain(after + 1)
		}
		return nil
	}
	for range 8 { // such as .filter(Boolean)
		if at(0) != "." || at(2) != "(" {
			return nil
		}
		open := after + 2
		if at(1) == "join" {
			if at(3) == ")" {
				out := &run{texts: true}
				out.write(ground.Literal(","))
				return out
			}
			if r.tokens[open+1].kind == kindText {
				return r.plain(open + 1)
			}
			return nil
		}
		after = int(r.match[open]) + 1
	}
	return nil
}

// plain gives the text of a string that begins at a token; nil where it has holes.
func (r *reader) plain(i int) *run {
	out := &run{texts: true}
	for _, t := range r.tokens[i+1 : r.match[i]] {
		if t.kind != kindChunk {
			return nil
		}
		out.write(chunkText(r.file, t))
	}
	return out
}

// opensCall opens the parentheses of a call, of parameters, or around an expression.
func (r *reader) opensCall(f *frame) {
	if f.state == stateNone {
		group := frame{kind: frameGroup, hole: f.hole, kept: true}
		if r.lang.name == "Go" && f.statements() && slices.Contains([]string{"const", "var", "type", "import"}, r.sign(-1)) {
			group.kind = frameBlock
		}
		if f.function || f.typed {
			group.kind, group.call = '(', f.function
		}
		r.push(group)
		return
	}
	names := f.chain
	if len(names) > 0 && slices.Contains(r.lang.self, names[0]) {
		names = names[1:]
	}
	in := frame{kind: '(', hole: f.hole, call: true, kept: true, key: strings.Join(names, ".")}
	in.aside = isAside(names)
	switch {
	case f.state == stateText && f.tail != nil:
		switch name := r.sign(-1); {
		case name == "join" && r.lang.adjacent && len(f.tail.holes) == 0:
			in.sep, f.tail, in.hole = f.tail, nil, len(r.frames)
		case name == "format":
			f.tail.format = "f-string"
		case (name == "strip" || name == "trim") && r.sign(1) == ")":
			f.tail = f.tail.trimmed(true, true)
		}
	case f.state == stateCode:
		in.dedent = dedenter(r.lang, f.chain)
	}
	if len(names) > 0 {
		f.callee = names[len(names)-1]
	}
	base := len(r.path)
	r.push(in)
	if !f.header && f.state == stateCode && in.dedent == nil && in.key != "dict" {
		for i, n := range last(names, maxNames) {
			r.step(n, i == 0 && f.statements() && !f.kept && !f.bound)
			r.path[len(r.path)-1].Call = true
		}
	}
	g := r.top()
	g.base, g.inner = base, len(r.path)
}

// opensBlock opens statements of JavaScript: the body of what has a name, or of none.
func (r *reader) opensBlock(f *frame) {
	r.flush(f)
	in := frame{kind: frameBlock, hole: -1}
	name := f.class
	if isMethod := f.kind == '{' || f.statements() && !f.kept; name == "" && r.sign(-1) != "=>" && !f.bound && (isMethod || f.function) {
		name = f.callee
	}
	base := len(r.path)
	types := f.types && f.class != ""
	f.typed, f.class, f.types, f.callee, f.function = false, "", false, "", false
	r.push(in)
	g := r.top()
	g.typed, g.types = types, types
	if name != "" && !slices.Contains(hardWords, name) {
		r.step(name, true)
	}
	g.base, g.inner = base, len(r.path)
}

// opensGo opens a block, or a composite literal.
func (r *reader) opensGo(f *frame) {
	before := r.sign(-1)
	base := len(r.path)
	switch {
	case before == "struct" || before == "interface":
		r.push(frame{kind: '{', hole: -1, typed: true, types: true})
		return
	case f.function || f.control && r.sign(-2) != "]" || f.state == stateNone && f.statements():
		name, receiver := f.callee, f.receiver
		isFunc := f.function && f.statements() && !f.bound && !f.kept && name != ""
		f.function, f.control, f.callee, f.receiver = false, false, "", ""
		r.flush(f)
		r.push(frame{kind: frameBlock, hole: -1})
		if isFunc {
			for _, n := range []string{receiver, name} {
				if n != "" {
					r.step(n, true)
				}
			}
		}
	default:
		names, kept := f.chain, f.kept || f.bound || !f.statements()
		r.opensList(f, '{')
		if len(names) > 0 && f.state == stateCode && r.sign(-2*len(names)) != "]" {
			for i, n := range last(names, maxNames) {
				r.step(n, i == 0 && !kept)
			}
		}
	}
	g := r.top()
	g.base, g.inner = base, len(r.path)
}

// close closes what is open, and says to what is around it what it was.
func (r *reader) close() {
	if len(r.frames) == 1 {
		return
	}
	f := r.top()
	t := r.tokens[min(r.i, len(r.tokens)-1)]
	switch {
	case f.kind == frameText:
	case f.sep != nil:
		r.endElement(f, t.start)
	case f.statements():
		r.endStatement(f)
	case f.kind == frameIndex:
		if f.whole() != nil && len(f.run.holes) == 0 {
			f.key = f.run.text().Str
		}
		f.forget()
	default:
		r.called(f)
		r.flush(f)
	}
	if f.kind == '{' || f.call {
		r.rename(f)
	}
	r.cut(f.base)
	in := r.frames[len(r.frames)-1]
	r.frames = r.frames[:len(r.frames)-1]
	outer := r.top()
	from := r.tokens[in.open].start
	switch in.kind {
	case frameText:
		r.closeText(outer, &in)
	case frameHole:
		r.holes--
		r.closeHole(outer, &in, from, t)
	case frameGroup:
		r.closeGroup(outer, &in, from, t.end)
	case frameIndex:
		r.code(outer, from, t.end)
		if in.key != "" {
			outer.chain = append(slices.Clip(outer.chain), in.key)
		}
	case frameBlock:
		r.code(outer, from, t.end)
		if outer.statements() && !outer.bound && !outer.kept {
			r.endStatement(outer)
		}
	default:
		r.closeValue(outer, &in, from, t.end)
	}
}

func (r *reader) closeText(outer, in *frame) {
	t := in.run
	t.aside = in.aside
	if in.dedent != nil {
		t = in.dedent(t)
	}
	r.text(outer, t)
}

// plainHole reads an expression in a string that has no text in it, and reports whether
// it is one.
func (r *reader) plainHole(f *frame, t token) bool {
	end := r.match[r.i]
	if f.kind != frameText || slices.ContainsFunc(r.tokens[r.i+1:end], func(t token) bool { return t.kind == kindText }) {
		return false
	}
	r.holeIn(f.run, t.start, r.tokens[end].end, t.end, max(t.end, min(r.tokens[end].start, r.tokens[end-1].end)))
	r.i = int(end)
	return true
}

// closeHole ends an expression in a string.
func (r *reader) closeHole(outer, in *frame, from int, t token) {
	if outer.kind != frameText || r.holes >= maxHoles {
		return
	}
	texts := said(in.inserts)
	if len(texts) > 0 {
		outer.run.add(compose(r.file, from, t.end, texts, "", ""))
		return
	}
	if r.tokens[outer.open].escapes == jsxText && len(in.inserts) == 1 && !in.breaks { // {" "}
		outer.run.add(in.inserts[0].run)
		return
	}
	end := max(r.tokens[in.open].end, min(t.start, r.tokens[r.i-1].end))
	r.holeIn(outer.run, from, t.end, r.tokens[in.open].end, end)
}

// closeGroup takes what is in parentheses for what it is without them.
func (r *reader) closeGroup(outer, in *frame, from, to int) {
	texts := said(in.inserts)
	switch {
	case in.call, len(in.inserts) == 0:
		r.code(outer, from, to)
	case len(in.inserts) == 1 && !in.breaks:
		r.text(outer, in.inserts[0].run)
	case len(texts) > 0:
		r.text(outer, compose(r.file, from, to, texts, r.lang.open, r.lang.shut))
	default:
		r.code(outer, from, to)
	}
}

// closeValue ends a call, a list or an object.
func (r *reader) closeValue(outer, in *frame, from, to int) {
	switch {
	case in.sep != nil && in.all != nil && in.all.texts:
		if in.kind == '(' {
			outer.state = stateNone
		}
		r.text(outer, in.all)
	case in.sep != nil && in.kind == '(':
		outer.state = stateNone
		r.code(outer, in.sep.from, to)
	case in.dedent != nil && len(in.inserts) == 1 && outer.state == stateCode:
		if outer.codeFrom == outer.chainFrom {
			outer.state = stateNone
		}
		r.text(outer, in.dedent(in.inserts[0].run))
	default:
		for _, text := range in.inserts { // of a call whose texts are more than one
			r.emitOrInsert(outer, text.run)
		}
		switch in.kind {
		case '[':
			outer.chain = in.chain
		case '(':
			outer.chain = nil
		}
		if in.kind == '(' && outer.function && outer.callee == "" && len(in.chain) > 0 {
			outer.receiver = in.chain[len(in.chain)-1]
		}
		r.code(outer, from, to)
	}
}

// endElement ends an element of a list whose elements are joined.
func (r *reader) endElement(f *frame, end int) {
	r.flush(f)
	texts := said(f.inserts)
	from := f.element
	var element *run
	switch {
	case len(f.inserts) == 1 && !f.breaks:
		element = f.inserts[0].run
	case len(texts) > 0:
		end = from + len(strings.TrimRight(r.src[from:end], " \t\n"))
		element = compose(r.file, from+blanks(r.src[from:end]), end, texts, r.lang.open, r.lang.shut)
	case strings.TrimSpace(r.src[from:end]) != "":
		element = &run{}
		code := strings.TrimSpace(r.src[from:end])
		at := from + strings.Index(r.src[from:end], code)
		r.holeOf(element, at, at+len(code))
	}
	f.inserts, f.breaks = nil, false
	if element == nil {
		return
	}
	if f.all == nil {
		f.all = &run{}
	} else {
		sep := &run{}
		sep.write(f.sep.text())
		f.all.add(sep)
	}
	f.all.add(element)
}

func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " \t\n")) }
