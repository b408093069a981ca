package code

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Operators that assign, and those that are within a hole.
var (
	assigns = []string{"=", "+=", ":=", "||=", "??=", "&&="}
	within  = []string{"-", "*", "/", "%", "**", "//", "&", "|", "^", "~", "<<", "@", "++", "--", "...", "!", ".", "?.", "<-"}
)

// punct reads an operator.
func (r *reader) punct(f *frame, t token, op string) {
	switch {
	case op == ",":
		r.comma(f)
	case op == ";":
		if f.statements() {
			r.endStatement(f)
		} else {
			r.flush(f)
		}
	case op == ":":
		r.colon(f)
	case op == "=" && f.kind == '<':
		r.bind(f, f.chain, false)
		f.forget()
	case op == ">" && f.kind == '<':
		r.flush(f)
		r.unbind(f)
	case op == "=" && f.angle > 0:
	case slices.Contains(assigns, op):
		r.assign(f)
	case op == "=>":
		if f.returns || !f.typed {
			f.typed, f.returns = f.types, false
		}
		if !f.typed {
			f.forget()
			f.chain, f.kept = nil, true
		}
	case op == "?" && r.lang.name == "TypeScript":
		if !slices.Contains([]string{":", ",", ")", "="}, r.sign(1)) {
			f.ternary++
			r.breaks(f)
		}
	case op == "+":
		r.operand(f)
	case op == "%" && f.tail != nil && r.lang.name == "Python":
		f.tail.format, f.formats = "percent", true
	case slices.Contains(within, op):
		r.code(f, t.start, t.end)
		if op != "." && op != "?." {
			f.chain = nil
		}
	case op == "<" && r.lang.name == "TypeScript":
		r.angle(f, t)
	case op == ">" && f.angle > 0:
		f.angle--
	default:
		r.breaks(f)
	}
}

// angle reads `<`: the parameters of a type, or a comparison.
func (r *reader) angle(f *frame, t token) {
	const most = 64 // tokens
	if f.typed {
		f.angle++
		return
	}
	if r.i < r.noAngle {
		r.breaks(f)
		return
	}
	r.noAngle = r.i + most
	if f.state == stateNone || f.state == stateCode && r.tokens[r.i-1].end == t.start {
		depth := 0
		for n := range most {
			switch s := r.sign(n); {
			case s == "<":
				depth++
			case s == ">":
				if depth--; depth == 0 {
					if next := r.sign(n + 1); next == "(" {
						r.i += n
						return
					}
					r.breaks(f)
					return
				}
			case s == "" || s == ";" || s == "(" || s == ")" || s == "&&" || s == "||":
				r.breaks(f)
				return
			}
		}
	}
	r.breaks(f)
}

// comma ends an element.
func (r *reader) comma(f *frame) {
	switch {
	case f.angle > 0:
	case f.sep != nil:
		r.endElement(f, r.tokens[r.i].start)
		f.element = r.tokens[r.i].end
		f.items++
	case f.statements():
		r.flush(f)
		if r.lang.name == "TypeScript" {
			r.unbind(f)
			f.typed = f.types
		}
	default:
		r.element(f)
	}
}

// element ends one of a call, a list, an object or a tuple.
func (r *reader) element(f *frame) {
	r.called(f)
	pair := f.items == 0 && (f.kind == frameGroup || f.kind == '[') && f.whole() != nil && len(f.run.holes) == 0 && slices.Contains(roles, f.run.text().Str)
	if pair {
		f.role = f.run.text().Str
		f.forget()
	}
	r.flush(f)
	if f.kind == frameGroup {
		f.kind = '['
		for _, in := range f.inserts {
			r.emitOrInsert(f, in.run)
		}
		f.inserts = nil
	}
	r.unbind(f)
	if pair {
		r.step(f.role, false)
		f.inner = len(r.path)
	}
	f.items++
	f.typed, f.lambda, f.ternary, f.chain = f.types, false, 0, nil
}

func (r *reader) emitOrInsert(f *frame, t *run) {
	if f.hole >= 0 {
		to := &r.frames[f.hole]
		to.inserts, to.breaks = append(to.inserts, insert{t}), true
		return
	}
	r.emit(f, t)
}

// holeIn appends an expression [codeFrom, codeTo) that stands in a string with its braces
// [from, to).
func (r *reader) holeIn(to *run, from, end, codeFrom, codeTo int) {
	field := shortened(r.src[codeFrom:codeTo])
	at := diag.Span{File: r.file, Start: from, End: end}
	shown := ground.Verbatim(at)
	if written := shortened(shown.Str); written != shown.Str {
		shown = ground.Derived(r.src[from:codeFrom]+field+r.lang.shut, at)
	}
	to.hole(shown, field)
	to.reach(from, end)
}
