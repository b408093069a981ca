package code_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/code"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// told gives the literals of a program, one a line: its path, its role and what else is
// known of it, its text, and what fills its holes.
func told(name, text string) []string {
	var out []string
	for _, l := range code.Read(&diag.File{Path: name, Text: text}) {
		var path []string
		for _, s := range l.Path {
			path = append(path, s.Name)
		}
		line := strings.Join(path, ".")
		for _, mark := range []struct {
			is   bool
			word string
		}{{l.Role != "", "role " + l.Role}, {l.Format != "", l.Format}, {l.Aside, "aside"}, {l.Drawn, "drawn"}} {
			if mark.is {
				line += " (" + mark.word + ")"
			}
		}
		line += ": " + strconv.Quote(l.Text.Str)
		for _, h := range l.Holes {
			line += " <" + h.Field + ">"
		}
		out = append(out, line)
	}
	return out
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		about, name, text string
		want              []string
	}{
		{
			"constants and attributes", "a.py", "SYSTEM = 'You are.'\nX: str = \"b\"\nclass C:\n    main = '''c\n  d'''\n    def run(self, x='e'):\n        self.y = 'f'\n        return 'g'\nafter = 'h'\n",
			[]string{`SYSTEM: "You are."`, `X: "b"`, `C.main: "c\n  d"`, `C.run.x: "e"`, `C.run.y: "f"`, `C.run: "g"`, `after: "h"`},
		},
		{
			"keys, calls and items", "a.py", "P = {'ask': {'system': 'a', 'x.y': 'b'}}\nagent = lib.Agent(role='c', tools=[Tool(name='read', description='d')])\nP['code'] = 'e'\n",
			[]string{`P.ask.system: "a"`, `P.ask.x.y: "b"`, `agent.lib.Agent.role: "c"`, `agent.lib.Agent.tools.Tool.read.name: "read"`, `agent.lib.Agent.tools.Tool.read.description: "d"`, `P.code: "e"`},
		},
		{
			"what joins", "a.py", "x = ('a' 'b' # don't\n  'c' + name + 'd')\ny = '\\n'.join(['e', name, 'f'])\nz = 'g' if a else 'h'\n",
			[]string{`x: "abc{name}d" <name>`, `y: "e\n{name}\nf" <name>`, `z: "g"`, `z: "h"`},
		},
		{
			"f-strings", "a.py", "x = f'{a!r:>8} {{b}} {c:{w}.{p}} {d=} { {1: 2}[1] } {e[\"k\"]}'\n",
			[]string{`x: "{a!r:>8} {b} {c:{w}.{p}} {d=} { {1: 2}[1] } {e[\"k\"]}" <a> <c> <d> <{1: 2}[1]> <e["k"]>`},
		},
		{
			"f-strings of Python 3.12 and t-strings of 3.14", "a.py", "x = f'{d['k']} {f'{'deep'}'} {'\\n'.join(a)}'\ny = f\"\"\"{\n  a # it's } \"here\"\n  + b\n} c\"\"\"\nz = t'{name} d'\n",
			[]string{`x: "{d['k']} {f'{'deep'}'} {'\\n'.join(a)}" <d['k']> <f'{'deep'}'> <'\n'.join(a)>`, `y: "{a # it's } \"here\" + b} c" <a # it's } "here" + b>`, `z: "{name} d" <name>`},
		},
		{
			"escapes", "a.py", `x = 'a\tb\x41\u00e9\U0001F600\N{BULLET}\101\q\\'` + "\ny = r'\\n{x}'\nb = b'no'\nz = 'g\\\nh'\n",
			[]string{`x: "a\tbAé😀\\N{BULLET}A\\q\\" <\N{BULLET}>`, `y: "\\n{x}"`, `z: "gh"`},
		},
		{
			"dedents", "a.py", "x = textwrap.dedent('''\\\n    a\n      {b}\n\n    c''')\ny = inspect.cleandoc('''\n    d\n      e\n    ''').format(z)\n",
			[]string{`x: "a\n  {b}\n\nc"`, `y (f-string): "d\n  e"`},
		},
		{
			"formats", "a.py", "x = 'a %s' % name\ny = 'b {name}'.format(name=1)\nz = 'c'.strip()\n",
			[]string{`x (percent): "a %s"`, `y (f-string): "b {name}"`, `z: "c"`},
		},
		{
			"roles", "a.py", "m = [('system', 'a'), ('human', f'b {c}')]\nn = [{'role': 'user', 'content': 'd'}, {'content': 'e', 'role': 'assistant'}]\no = [dict(role='user', content='f')]\n",
			[]string{`m.system (role system): "a"`, `m.human (role human): "b {c}" <c>`, `n.user (role user): "d"`, `n.assistant (role assistant): "e"`, `o.user (role user): "f"`},
		},
		{
			"texts in texts", "a.py", "x = f\"{nl.join(f'{i}. the rule {r}' for i, r in rules)}\"\ny = '\\n'.join(p for p in [a, 'not joined here'] if p)\nz = 'a %s' % 'b' + 'c'\n",
			[]string{`x: "{nl.join(f'{i}. the rule {r}' for i, r in rules)}" <nl.join> <i> <r> <>`, `y: "{p for p in [a, 'not joined here'] if p}" <p> <>`, `z (percent): "a %sc"`},
		},
		{
			"what is for people", "a.py", "'''doc'''\ndef f():\n    '''says'''\n    logger.info('a %s', b)\n    raise ValueError(f'c {d}')\n",
			[]string{`__doc__ (aside): "doc"`, `f.__doc__ (aside): "says"`, `f.logger.info (aside): "a %s"`, `f.ValueError (aside): "c {d}" <d>`},
		},

		{"an object in an expression", "a.ts", "x = `a ${ {a: 1}.a } b`", []string{"x: \"a ${ {a: 1}.a } b\" <{a: 1}.a>"}},
		{"a dollar that is escaped", "a.ts", "x = `a \\${b} $\\{c} ${d}`", []string{"x: \"a ${b} ${c} ${d}\" <d>"}},
		{
			"an apostrophe between tags", "a.tsx", "const x = <p title='It&apos;s'>You're {name}, don't\n  fail</p>\nconst y = 'after'",
			[]string{`x.p (drawn): "It's"`, `x.p (drawn): "You're {name}, don't fail" <name>`, `y: "after"`},
		},
		{"generic functions beside elements", "a.tsx", "const f = <T,>(x: T) => 'a'\ntype G = <T>(x: T) => void\nconst y = a < b ? 'c' : 'd'", []string{`f: "a"`, `y: "c"`, `y: "d"`}},
		{
			"types say nothing", "a.ts", "const P: Record<string, {a: 'no'}> = { ask: {system: 'a'} }\ntype T = 'b c' | 'd'\ninterface I { x: 'e'; y?: string }\nlet z: () => string = 'f'",
			[]string{`P.ask.system: "a"`, `z: "f"`},
		},
		{"regular expressions", "a.ts", "if (/[\"'`/]/.test(a)) { b = 'c' }\nd = e / 2 / 'f'.length\ng = x => /'/g", []string{`b: "c"`, `d: "f"`}},
		{
			"functions, methods and classes", "a.ts", "export class C {\n  static readonly p: string = 'a'\n  run(x = 'b'): Promise<string> {\n    const y = 'c'\n    return `d`\n  }\n}\nexport const f = (x: string): string => `e`\nexport default function g(): T {\n  return {description: 'f' + 'g'}\n}",
			[]string{`C.p: "a"`, `C.run.x: "b"`, `C.run.y: "c"`, `C.run: "d"`, `f: "e"`, `g.description: "fg"`},
		},
		{
			"items of a list", "a.ts", "export const MODES = [{ slug: 'ask', roleDefinition: 'a' }, { slug: 'code', roleDefinition: 'b' }] as const\nserver.tool({name: 'read', description: z.string().describe('c')})",
			[]string{`MODES.ask.slug: "ask"`, `MODES.ask.roleDefinition: "a"`, `MODES.code.slug: "code"`, `MODES.code.roleDefinition: "b"`, `server.tool.read.name: "read"`, `server.tool.read.description.describe: "c"`},
		},
		{
			"text in an expression", "a.ts", "x = `a ${on ? `You can use ${tool} now` : ''} b`\ny = 'c ' + (on ? 'one two three' : '') + ' d'",
			[]string{"x: \"a ${on ? `You can use ${tool} now` : ''} b\" <on> <tool> <>", `y: "c ${(on ? 'one two three' : '')} d" <on> <>`},
		},
		{"lists that are joined", "a.ts", "x = ['a', name, on && 'one two three'].filter(Boolean).join('\\n') + 'b'", []string{`x: "a\n${name}\n${on && 'one two three'}b" <name> <on> <>`, `x: "\n"`}},
		{"tags", "a.ts", "x = dedent`\n    a\n      ${b}\n  `\ny = outdent`\n    c\n      d\n  `\nz = String.raw`\\n`\nq = gql`e`", []string{"x: \"a\\n  ${b}\" <b>", `y: "c\n  d"`, `z: "\\n"`, `q (aside): "e"`}},
		{"escapes", "a.js", `x = "a\tb\x41\u00e9\u{1F600}\uD83D\uDE00\q\\\0"`, []string{`x: "a\tbAé😀😀q\\\x00"`}},

		{
			"constants, functions and methods", "a.go", "package p\nconst A = `a` + b\nconst (\n\tB = \"b\"\n\tC string = \"c\"\n)\nfunc (r *T[K]) Run(x string) (string, error) {\n\ty := \"d\"\n\tif y == \"e\" { return \"f\", nil }\n\treturn fmt.Sprintf(\"g %s\", x), nil\n}\n",
			[]string{`A: "a{b}" <b>`, `B: "b"`, `C: "c"`, `T.Run.y: "d"`, `T.Run (aside): "e"`, `T.Run: "f"`, `T.Run.fmt.Sprintf (percent): "g %s"`},
		},
		{
			"composite literals", "a.go", "package p\nvar m = map[string]string{\"ask\": \"a\"}\nvar t = []Tool{{Name: \"read\", Description: \"b\"}}\nvar u = &mcp.Tool{Description: \"c\"}\ntype S struct { X string `json:\"x\"` }\nvar j = strings.Join([]string{\"d\", e}, \"\\n\")\n",
			[]string{`m.ask: "a"`, `t.read.Name: "read"`, `t.read.Description: "b"`, `u.mcp.Tool.Description: "c"`, `j.strings.Join: "d\n{e}" <e>`, `j.strings.Join: "\n"`},
		},
		{
			"blanks between tags, and lists in lists", "a.tsx", "const x = <p>a{' '}{b} c</p>\nconst y = ['d', ...(on ? ['one two three'] : [])].join()",
			[]string{`x.p (drawn): "a {b} c" <b>`, `y: "d,${...(on ? ['one two three'] : [])}" <on> <>`},
		},
		{"messages", "a.go", "package p\nvar m = []Msg{{Role: \"system\", Content: \"a\"}, {Role: \"user\", Content: \"b\"}}\n", []string{`m.system (role system): "a"`, `m.user (role user): "b"`}},
		{"what is not terminated", "a.py", "x = 'a\ny = \"b\"\nz = '''c", []string{`x: "a"`, `y: "b"`, `z: "c"`}},
	} {
		t.Run(c.name+" "+c.about, func(t *testing.T) {
			if d := cmp.Diff(c.want, told(c.name, c.text)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestPlaces finds each byte of a text at its line, also where what stands before it was
// decoded or taken away.
func TestPlaces(t *testing.T) {
	for name, text := range map[string]string{
		"a.py": "# \xff\xfe no UTF-8\nx = textwrap.dedent(f'''\n    one\\n{a}\n      two \\u00e9\n    ''' 'three')\n",
		"a.ts": "/* \xff */\nx = dedent`\n    one\\n${a}\n      two \\u00e9\n    ` + 'three'\n",
	} {
		literals := code.Read(&diag.File{Path: name, Text: text})
		if len(literals) != 1 {
			t.Fatalf("%s has %d literals, want 1", name, len(literals))
		}
		l := literals[0]
		for word, line := range map[string]int{"one": 3, "two": 4, "é": 4, "three": 5} {
			at := strings.Index(l.Text.Str, word)
			span := l.Text.Span(at, at+len(word))
			if got := 1 + strings.Count(text[:span.Start], "\n"); got != line {
				t.Errorf("%s: %q stands at line %d, want %d", name, word, got, line)
			}
		}
	}
}

// TestGoReadsTheSame compares with go/parser.
func TestGoReadsTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	pieces := []string{"a", "You are ", "é", "你好", "😀", "//", "/*", "'", "{", "}", "%s"}
	var b strings.Builder
	b.WriteString("package p\n")
	for i := range 500 {
		fmt.Fprintf(&b, "var v%d = ", i)
		for n := range 1 + rng.IntN(3) {
			if n > 0 {
				b.WriteString([]string{" + ", " + /* it's */ ", " + // \"\n\t", " + name(`q`) + "}[rng.IntN(4)])
			}
			more, quote := []string{`\n`, `\t`, `\x41`, `\u00e9`, `\U0001F600`, `\101`, `\"`, `\\`, "`", `\a`}, `"`
			if rng.IntN(2) == 0 {
				more, quote = []string{"\n", `\n`, `"`, "\n\t"}, "`"
			}
			b.WriteString(quote)
			for range rng.IntN(8) {
				all := append(more, pieces...)
				b.WriteString(all[rng.IntN(len(all))])
			}
			b.WriteString(quote)
		}
		b.WriteString("\n")
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "a.go", b.String(), 0)
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]code.Literal{}
	for _, l := range code.Read(&diag.File{Path: "a.go", Text: b.String()}) {
		if len(l.Path) == 1 {
			read[l.Path[0].Name] = l
		}
	}
	for _, d := range file.Decls {
		spec := d.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		name := spec.Names[0].Name
		want := valueOf(t, spec.Values[0])
		l := read[name]
		if l.Text.Str != want {
			t.Errorf("%s is %q, want %q", name, l.Text.Str, want)
		}
		if from, to := files.Position(spec.Pos()).Offset, files.Position(spec.End()).Offset; want != "" && (l.At.Start < from || l.At.End > to) {
			t.Errorf("%s stands at %d to %d, want it within %d to %d", name, l.At.Start, l.At.End, from, to)
		}
	}
}

func valueOf(t *testing.T, e ast.Expr) string {
	t.Helper()
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		if err != nil {
			t.Fatal(err)
		}
		return s
	case *ast.BinaryExpr:
		return valueOf(t, e.X) + valueOf(t, e.Y)
	default:
		return "{name(`q`)}"
	}
}

// hostile are texts that cost much where a scanner looks back or ahead.
var hostile = []struct {
	name  string
	piece string
	n     int
}{
	{"a.ts", "`${", 100_000},
	{"a.py", "f'{", 100_000},
	{"a.py", "(", 100_000},
	{"a.go", "(", 100_000},
	{"a.tsx", "<a b='c'>don't ", 50_000},
	{"a.tsx", "</", 200_000},
	{"a.py", "[{'a': ", 100_000},
	{"a.ts", "[c && 'a b c'].join('x') + ", 50_000},
	{"a.py", "dedent(", 100_000},
	{"a.ts", "/[a", 200_000},
	{"a.ts", "a<b", 200_000},
	{"a.ts", "'a b c' + ", 200_000},
	{"a.ts", "[1].a()", 100_000},
	{"a.ts", "({role:'user',content:[", 50_000},
	{"a.ts", "/* a b ", 200_000},
	{"a.py", "x = '\xff\xfe' # \xff\n", 50_000},
	{"a.ts", "{", 200_000},
	{"a.go", "`a b` + y + ", 100_000},
}

// TestHostile reads texts that are made to be slow. It ends, or the tests do not.
func TestHostile(*testing.T) {
	for _, h := range hostile {
		for _, text := range []string{"x = " + strings.Repeat(h.piece, h.n), strings.Repeat(h.piece, h.n) + "\nx = 'a b c'"} {
			code.Read(&diag.File{Path: h.name, Text: text})
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"x = f'{a!r:>{w}} {{' + b", "const x = `a ${b ? `c d e` : {}} f` /* ' */", "<p a={`x`}>don't {y} <b/></p>", "func (r *T) F() { x := T{A: `b`} }", "x = '\\n'.join([dedent('''\n a'''), *b])"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, ending := range []string{".py", ".ts", ".tsx", ".go"} {
			last := 0
			for _, l := range code.Read(&diag.File{Path: "a" + ending, Text: text}) {
				if l.At.Start < last || l.At.End < l.At.Start || l.At.End > len(text) {
					t.Fatalf("%q: %v", text, l.At)
				}
				last = l.At.Start
				at := 0
				for _, h := range l.Holes {
					if h.Start < at || h.End < h.Start || h.End > len(l.Text.Str) {
						t.Fatalf("%q: %v in %q", text, h, l.Text.Str)
					}
					at = h.End
				}
			}
		}
	})
}
