package conformance_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/code"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Literals that the languages' own parsers have to read as promptc does: so many of each
// language, of random pieces.
const literals = 500

// TestPythonReadsTheSameLiterals compares with the module ast of the Python that is
// installed.
func TestPythonReadsTheSameLiterals(t *testing.T) {
	need(t, "python3")
	compareLiterals(t, "literals.py", pythonLiteral, "python3", "testdata/code/literals.py")
}

// TestTypeScriptReadsTheSameLiterals compares with the parser of TypeScript, in a file of
// TypeScript and in one with JSX.
func TestTypeScriptReadsTheSameLiterals(t *testing.T) {
	need(t, "node")
	compiler, err := filepath.Abs(filepath.Join(tsFolder, "node_modules", "typescript-js"))
	if err != nil {
		t.Fatal(err)
	}
	needAt(t, "npm", filepath.Join(tsFolder, "node_modules", ".bin", "prettier")) // installed beside it
	for _, name := range []string{"literals.ts", "literals.tsx"} {
		compareLiterals(t, name, func(r *rand.Rand) string {
			return "const %s = " + scriptLiteral(r, strings.HasSuffix(name, "x"), 2) + ";\n"
		},
			"node", "testdata/code/literals.js", compiler)
	}
}

// part is a piece of a text, or an expression in it.
type part struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type readLiteral struct {
	Parts   []part      `json:"parts"`
	Escapes [][2]string `json:"escapes"`
	Line    int         `json:"line"`
}

func compareLiterals(t *testing.T, name string, literal func(*rand.Rand) string, program string, args ...string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(41, 41))
	var file strings.Builder
	for i := range literals {
		file.WriteString(strings.Replace(literal(rng), "%s", fmt.Sprintf("v%d", i), 1))
	}
	dir := t.TempDir()
	source := filepath.Join(dir, name)
	writeFile(t, source, file.String())
	read := map[string]readLiteral{}
	for _, l := range code.Read(&diag.File{Path: name, Text: file.String()}) {
		if l.Path[0].Declared && (len(l.Path) == 1 || strings.HasSuffix(name, "x") && l.Drawn) {
			read[l.Path[0].Name] = partsOf(t, l, read[l.Path[0].Name])
		}
	}
	out, err := json.Marshal(read)
	if err != nil {
		t.Fatal(err)
	}
	answer := filepath.Join(dir, "read.json")
	writeFile(t, answer, string(out))
	said, err := exec.Command(program, append(args, source, answer)...).CombinedOutput()
	if err != nil || len(said) > 0 {
		t.Errorf("%v\n%s", err, said)
	}
}

// partsOf gives a literal as its parts, behind those that were read of its name before, and
// checks that every byte has its place within it.
func partsOf(t *testing.T, l code.Literal, out readLiteral) readLiteral {
	t.Helper()
	if out.Line == 0 {
		out.Parts, out.Escapes = []part{}, [][2]string{}
		out.Line = 1 + strings.Count(l.At.File.Text[:l.At.Start], "\n")
	}
	add := func(kind, value string) {
		if n := len(out.Parts); n > 0 && kind == "text" && out.Parts[n-1].Kind == "text" {
			out.Parts[n-1].Value += value
		} else if value != "" {
			out.Parts = append(out.Parts, part{kind, value})
		}
	}
	at := 0
	for _, h := range l.Holes {
		add("text", l.Text.Str[at:h.Start])
		add("hole", h.Field)
		at = h.End
	}
	add("text", l.Text.Str[at:])
	last, covered := 0, 0
	for _, s := range l.Text.Segs {
		written, said := s.At.File.Text[s.At.Start:s.At.End], l.Text.Str[s.Start:s.End]
		inHole := false
		for _, h := range l.Holes {
			inHole = inHole || s.Start >= h.Start && s.End <= h.End
		}
		if s.At.Start < last || s.Start != covered {
			t.Errorf("%q: its places are not in order", l.Text.Str)
		}
		if last, covered = s.At.End, s.End; s.Exact() && written != said {
			t.Errorf("%q stands at %q", said, written)
		} else if !s.Exact() && !inHole && (!l.Drawn || written != "\n") { // a blank stands for it
			out.Escapes = append(out.Escapes, [2]string{written, said})
		}
	}
	if covered != len(l.Text.Str) {
		t.Errorf("%q: not every byte has a place", l.Text.Str)
	}
	return out
}

// someOf puts random pieces together.
func someOf(r *rand.Rand, most int, pieces ...string) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

var plainPieces = []string{"a", "You are ", "é", "你好", "😀", " ", "#", "//", "/*", "*/", "$ ", "%s", "<b>", "&amp;", "--", ";", ":", "(", "]", "="}

// pythonLiteral gives an assignment of strings beside one another, or joined.
func pythonLiteral(r *rand.Rand) string {
	var pieces []string
	for range 1 + r.IntN(3) {
		pieces = append(pieces, pythonString(r))
		if r.IntN(5) == 0 {
			pieces = append(pieces, "+ "+pick(r, "name", "a.b(1)", "x[0]")+" +", pythonString(r))
		}
	}
	if len(pieces) == 1 && r.IntN(2) == 0 {
		return "%s = " + pieces[0] + pick(r, "\n", " # it's a comment\n")
	}
	return "%s = (" + strings.Join(pieces, pick(r, " ", "\n  ", " # don't\n\t")) + ")\n"
}

func pythonString(r *rand.Rand) string {
	prefix, quote := pick(r, "", "r", "u", "f", "F", "rf", "RF", "fr"), pick(r, "'", `"`, "'''", `"""`)
	raw, filled := strings.ContainsAny(prefix, "rR"), strings.ContainsAny(prefix, "fF")
	pieces := append([]string{}, plainPieces...)
	other := `"`
	if quote[0] == '"' {
		other = "'"
	}
	pieces = append(pieces, other, `\\`)
	if len(quote) == 3 {
		pieces = append(pieces, "\n", "\n    ", quote[:1]+"x", "\\\n")
	}
	if raw {
		pieces = append(pieces, `\n`, `\`+quote[:1], `\d`)
	} else {
		pieces = append(pieces, `\n`, `\t`, `\'`, `\"`, `\x41`, `\u00e9`, `\U0001F600`, `\101`, `\0`, `\q`, `\a`)
	}
	if filled {
		pieces = append(pieces, "{{", "}}", "{{x}}")
		for range 3 {
			pieces = append(pieces, pick(r, "{name}", "{ a.b }", "{x!r}", "{x:>8}", "{x!s:{w}.{p}}", "{d["+other+"k"+other+"]}", "{f(1, [2, 3])}", "{ {1: 2}[1] }", "{x if y else z}", "{(lambda q: q)(1)}"))
		}
	} else {
		pieces = append(pieces, "{", "}", "{x}")
	}
	return prefix + quote + someOf(r, 8, pieces...) + quote
}

// scriptLiteral gives an expression of TypeScript that is a text.
func scriptLiteral(r *rand.Rand, jsx bool, depth int) string {
	if jsx && depth == 2 && r.IntN(3) == 0 {
		return "<p>" + someOf(r, 6, append([]string{"don't ", "it's\n   ", "{name}", "{f(1)}", "`", `"`, "\n"}, plainPieces[:8]...)...) + "</p>"
	}
	switch r.IntN(6) {
	case 0:
		return "(" + scriptString(r, depth) + " + " + pick(r, "name", "a.b(1)", "x[0]", "f(`q`)", "/[\"'`]/.source") + pick(r, " + ", " /* it's */ + ", " + // don't\n ") + scriptString(r, depth) + ")"
	case 1:
		return scriptString(r, depth) + " +\n  " + scriptString(r, depth)
	}
	return scriptString(r, depth)
}

func scriptString(r *rand.Rand, depth int) string {
	quote := pick(r, "'", `"`, "`", "`")
	pieces := append([]string{`\n`, `\t`, `\'`, `\"`, "\\`", `\x41`, `\u00e9`, `\u{1F600}`, `\uD83D\uDE00`, `\0`, `\q`, `\\`, "\\\n", "{", "}"}, plainPieces...)
	for _, q := range []string{"'", `"`, "`"} {
		if q != quote {
			pieces = append(pieces, q)
		}
	}
	if quote == "`" {
		pieces = append(pieces, "\n", "\n    ", `\${`, `$\{`)
		for range 4 {
			inner := "x"
			if depth > 0 {
				inner = pick(r, "`t${y}`", "`t`", `"s"`)
			}
			pieces = append(pieces, pick(r, "${name}", "${ {a: 1}.a }", "${f({b: [1]})}", "${a ? b : c}", "${x.map((i) => { return i })}", "${/[}`]/.source}", "${a /* } */}", "${"+inner+"}", "${a\n  + b}"))
		}
	}
	return quote + someOf(r, 8, pieces...) + quote
}
