package code

import (
	"slices"
	"strings"
)

// Words of the languages that say what follows.
var (
	classWords = []string{"class", "interface", "enum", "namespace", "module"}
	typeWords  = []string{"type", "interface"}
	// softWords are names, too, where one of softSigns follows.
	softWords = []string{"type", "get", "set", "static", "async", "of", "as", "from", "readonly", "declare", "abstract", "module", "namespace", "satisfies", "public", "private", "protected", "match", "case", "let"}
	softSigns = []string{"(", ":", "=", ",", ";", ".", "?", ")", "}", "=>"}
	// hardWords have parentheses and a block, and are no functions.
	hardWords = []string{"if", "for", "while", "switch", "catch", "with", "function"}
)

// asideCalls are calls whose texts are for people, by the first name or the last.
var (
	asideFirst = []string{"console", "logger", "logging", "log", "warnings", "print", "printf", "click", "typer", "parser", "argparse", "debug", "slog", "vscode"}
	asideLast  = []string{"print", "println", "log", "debug", "info", "warn", "warning", "error", "exception", "fatal", "Errorf", "Fatalf", "Printf", "Println", "Fatal", "Panic", "panic", "add_argument", "showErrorMessage", "showWarningMessage", "showInformationMessage", "captureException", "assert", "ask", "confirm", "input"}
)

func isAside(chain []string) bool {
	if len(chain) == 0 {
		return false
	}
	last := chain[len(chain)-1]
	return slices.Contains(asideFirst, chain[0]) || slices.Contains(asideLast, last) || strings.HasSuffix(last, "Error") || strings.HasSuffix(last, "Exception") || last == "New" && chain[0] == "errors"
}

// sign gives the text of a token, counted from this one; "" behind the end.
func (r *reader) sign(n int) string {
	if i := r.i + n; i >= 0 && i < len(r.tokens) {
		if t := r.tokens[i]; t.kind != kindEnd {
			return r.src[t.start:t.end]
		}
	}
	return ""
}

func (r *reader) kindAt(n int) kind {
	if i := r.i + n; i >= 0 && i < len(r.tokens) {
		return r.tokens[i].kind
	}
	return kindEnd
}

// name reads a word.
func (r *reader) name(f *frame, word string) {
	t := r.tokens[r.i]
	if before := r.sign(-1); (before == "." || before == "?.") && r.i > 0 {
		f.chain = append(f.chain, word)
		r.code(f, t.start, t.end)
		if len(f.first) == len(f.chain)-1 {
			f.first = f.chain
		}
		return
	}
	if f.kind == '<' {
		f.chain = []string{word}
		if r.kindAt(-1) == kindOpen {
			r.step(word, false)
			f.inner = len(r.path)
		} else {
			r.unbind(f)
		}
		return
	}
	if !r.soft(f, word) && r.keyword(f, word) {
		f.chain = nil
		return
	}
	f.function = f.function || word == "function" && r.lang.name == "TypeScript"
	f.chain, f.chainFrom = []string{word}, t.start
	if f.first == nil {
		f.first = f.chain
	}
	r.code(f, t.start, t.end)
}

// soft reports a word of the language that is a name here.
func (r *reader) soft(f *frame, word string) bool {
	if r.lang.name == "Go" {
		return false
	}
	next := r.sign(1)
	isKey := f.kind == '{' && f.state == stateNone && (next == ":" || next == "," || next == "(") && r.lang.name == "TypeScript"
	return isKey || slices.Contains(softWords, word) && slices.Contains(softSigns, next) && !(word == "case" && f.statements() && r.lang.name == "TypeScript")
}

// keyword reads a word of the language, and reports whether it is one.
func (r *reader) keyword(f *frame, word string) bool {
	switch {
	case slices.Contains(r.lang.resets, word):
		r.flush(f)
		f.kept = true
		f.isCase = word == "case" || word == "default"
		f.aside = f.aside || word == "raise" || word == "throw"
	case r.lang.name == "Python" && (word == "def" || word == "class") && r.kindAt(1) == kindName:
		r.scope(f)
	case r.lang.name == "Python" && word == "lambda":
		r.flush(f)
		f.lambda = true
	case r.lang.name == "TypeScript" && slices.Contains(classWords, word) && r.kindAt(1) == kindName:
		f.class = r.sign(1)
		f.types = word == "interface"
		r.i++
	case r.lang.name == "TypeScript" && slices.Contains(typeWords, word) && r.kindAt(1) == kindName && f.statements():
		f.typed, f.types = true, true
	case r.lang.name == "Go" && word == "func":
		f.function = true
	case f.state != stateNone && slices.Contains(r.lang.suffixes, word):
		if r.sign(1) == "const" {
			r.i++
		}
	case slices.Contains(r.lang.breaks, word):
		r.breaks(f)
		f.isCase = word == "case" || word == "default"
		f.control = f.control || r.lang.name == "Go" && slices.Contains([]string{"if", "for", "switch", "select"}, word)
		f.types = f.types || r.lang.name == "Go" && word == "import"
		f.typed = f.typed || r.lang.name == "Go" && word == "import"
	default:
		return false
	}
	return true
}

// breaks ends a text at an operator that does not join.
func (r *reader) breaks(f *frame) {
	r.flush(f)
	f.breaks, f.callee = true, ""
}

// scope enters a class or a function of Python.
func (r *reader) scope(f *frame) {
	start := r.tokens[max(f.statement, 0)].start
	from := max(0, start-maxColumn)
	column := start - from - strings.LastIndexByte(r.src[from:start], '\n') - 1
	r.flush(f)
	r.unbind(f)
	r.i++
	name := r.tokens[r.i]
	r.scopes = append(r.scopes, scope{column, len(r.path)})
	r.step(r.src[name.start:name.end], true)
	f.inner, f.header, f.kept = len(r.path), true, false
	f.chain, f.state = nil, stateCode
}

// assign reads `=` and what is like it.
func (r *reader) assign(f *frame) {
	names := f.chain
	if r.lang.name == "Go" {
		names = f.first
	}
	if f.types && f.statements() { // a type of TypeScript
		return
	}
	if !f.typed || !f.bound {
		r.bind(f, last(names, maxNames), f.statements())
	}
	f.forget()
	f.typed, f.angle, f.kept = false, 0, true
}

// maxNames is how many names of a chain count.
const maxNames = 3

func last(names []string, n int) []string { return names[max(0, len(names)-n):] }

// colon reads `:`, which names, says a type, or ends a condition.
func (r *reader) colon(f *frame) {
	switch {
	case f.ternary > 0:
		f.ternary--
		r.breaks(f)
	case f.isCase:
		f.forget()
		f.isCase = false
	case f.lambda:
		f.lambda = false
		r.breaks(f)
	case f.kind == '{':
		r.keyed(f)
	case f.kind == frameIndex:
		r.code(f, r.tokens[r.i].start, r.tokens[r.i].end)
	case r.lang.name == "Go":
		f.forget()
	case f.kind == '(' || f.kind == frameGroup:
		if len(f.chain) > 0 {
			r.bind(f, f.chain, false)
		}
		f.typed = true
	case !f.statements():
		r.breaks(f)
	case r.lang.name == "Python":
		isName := len(f.chain) > 0 && r.i-f.statement == 2*len(f.chain)-1
		f.forget()
		f.header, f.breaks = false, false
		if isName {
			r.bind(f, f.chain, true)
			f.typed = true
		}
	default:
		f.returns = r.sign(-1) == ")"
		if !f.returns && len(f.chain) > 0 {
			r.bind(f, f.chain, true)
		}
		f.typed = true
	}
}

// maxKey is how long a key may be to be a name, in bytes.
const maxKey = 80

// keyed takes what stands before a colon for the key of what follows.
func (r *reader) keyed(f *frame) {
	name := ""
	switch {
	case f.whole() != nil && len(f.run.holes) == 0:
		name = f.run.text().Str
	case len(f.chain) > 0:
		name = f.chain[len(f.chain)-1]
	}
	f.forget()
	f.chain, f.typed = nil, f.types
	r.unbind(f)
	if name != "" && len(name) <= maxKey {
		r.bind(f, strings.Split(name, "."), false)
	}
}

// roles are those that messages have in code.
var roles = []string{"system", "developer", "user", "assistant", "human", "ai", "tool", "model", "placeholder"}

// itemNames are keys whose value names an item of a list.
var itemNames = []string{"slug", "name", "id"}

// called notes the role of a message, and what an item of a list is called.
func (r *reader) called(f *frame) {
	if f.kind != '{' && !f.call || !f.bound || len(r.path) <= f.inner || f.whole() == nil || len(f.run.holes) > 0 {
		return
	}
	key := r.path[len(r.path)-1].Name
	switch text := f.run.text().Str; {
	case strings.EqualFold(key, "role") && slices.Contains(roles, text):
		f.role, f.called = text, text
		f.forget()
	case slices.Contains(itemNames, strings.ToLower(key)) && f.called == "" && text != "" && len(text) <= maxKey && !strings.ContainsAny(text, " \n."):
		f.called = text
	}
}

// contentKeys are those of the content of a message.
var contentKeys = []string{"content", "text", "parts"}

// rename puts the role or the name of an object, or of what a call makes, into the paths
// of its literals.
func (r *reader) rename(f *frame) {
	outer := r.frames[len(r.frames)-2]
	if f.called == "" || f.called != f.role && (outer.bound || outer.statements()) { // it has a name
		return
	}
	for i := f.from; i < len(r.out); i++ {
		l := &r.out[i]
		if len(l.Path) < f.inner || len(l.Path) >= maxSteps {
			continue
		}
		rest := l.Path[f.inner:]
		if f.called == f.role {
			l.Role = f.role
			if len(rest) > 0 && slices.Contains(contentKeys, strings.ToLower(rest[0].Name)) {
				rest = rest[1:]
			}
		}
		l.Path = slices.Concat(l.Path[:f.inner], []Step{{Name: f.called}}, rest)
	}
}
