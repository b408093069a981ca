package match_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/internal/match"
)

func TestWordsAreThoseOfTheirExpression(t *testing.T) {
	const bytes = "abzAZ09._-:/@[`{\n\x00\xc3\xa9"
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		word match.Word
		expr string
	}{
		{match.Word{Rest: "a-z"}, `^[a-z]+$`},
		{match.Word{Rest: "A-Za-z0-9_.:/-"}, `^[A-Za-z0-9_.:/-]+$`},
		{match.Word{First: "a-z0-9", Rest: "a-z0-9._-", Max: 4}, `^[a-z0-9][a-z0-9._-]{0,3}$`},
		{match.Word{First: "A-Z", Rest: "0-9", Max: 3}, `^[A-Z][0-9]{0,2}$`},
		{match.Word{Rest: "-"}, `^-+$`},
	} {
		expr := regexp.MustCompile(c.expr)
		for range 20_000 {
			text := make([]byte, random.IntN(7))
			for i := range text {
				text[i] = bytes[random.IntN(len(bytes))]
			}
			if got, want := c.word.MatchString(string(text)), expr.MatchString(string(text)); got != want {
				t.Fatalf("%+v on %q: %v, %s says otherwise", c.word, text, got, c.expr)
			}
		}
	}
}

// TestEveryExpressionCompiles stands in for what happens at the start of a
// program elsewhere.
func TestEveryExpressionCompiles(t *testing.T) {
	top := filepath.Join("..", "..", "..")
	found := 0
	err := fs.WalkDir(os.DirFS(top), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, name), nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			field, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			if key, ok := field.Key.(*ast.Ident); !ok || key.Name != "Expr" {
				return true
			}
			expr, ok := field.Value.(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: an expression that is not spelt out", name)
				return true
			}
			text, err := strconv.Unquote(expr.Value)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := regexp.Compile(text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			found++
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 15 {
		t.Errorf("%d expressions were found", found)
	}
}

func TestExpressionsAreCompiledOnce(t *testing.T) {
	r := match.Regexp{Expr: `^a+$`}
	if !r.MatchString("aa") || r.MatchString("ab") {
		t.Error("it matches something else")
	}
	if first := r.Compiled(); first != r.Compiled() {
		t.Error("it was compiled twice")
	}
}

func TestBreachSaysWhatIsWrong(t *testing.T) {
	w := match.Word{First: "a-z_", Rest: "a-z0-9_-", Max: 4}
	for text, want := range map[string]string{
		"ab-1": "", "_": "",
		"":        "is empty",
		"1a":      "begins with a '1'",
		"-a":      "begins with a '-'",
		"$a":      "has a '$'",
		"a$":      "has a '$'",
		"a b":     "has a blank",
		"aé":      "has a 'é'",
		"a\u200b": "has a U+200B",
		"a'":      `has a "'"`,
		"a\xff":   "has what is no text",
		"abcde":   "has 5 characters; 4 are taken",
	} {
		if got := w.Breach(text); got != want || (got == "") != w.MatchString(text) {
			t.Errorf("%q %q, want %q", text, got, want)
		}
	}
}
