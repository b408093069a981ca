package wording

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestAKeyStandsInOneTable(t *testing.T) {
	seen := map[string]string{}
	for _, table := range tables() {
		for _, r := range table {
			if text, twice := seen[r.key]; twice {
				t.Errorf("%q says %q and %q", r.key, text, r.text)
			}
			seen[r.key] = r.text
		}
	}
}

// A key without a row would be printed as it is, and a row without a key is
// never printed.
func TestEveryKeyHasARow(t *testing.T) {
	rows, used := byKey(), map[string]bool{}
	everyFile(t, func(fset *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.BasicLit:
				if s, err := strconv.Unquote(x.Value); x.Kind == token.STRING && err == nil {
					used[s] = true
				}
			case *ast.CallExpr:
				key, args, ok := worded(x)
				if !ok {
					break
				}
				text, has := rows[key]
				if !has {
					t.Errorf("%s: no row has the key %q", fset.Position(x.Pos()), key)
				} else if want := gaps(text); args >= 0 && want != args {
					t.Errorf("%s: %q has %d gaps for %d arguments: %s", fset.Position(x.Pos()), key, want, args, text)
				}
			}
			return true
		})
	})
	for key := range rows {
		if !used[key] && !joined(key, used) {
			t.Errorf("nothing says %q", key)
		}
	}
}

// joined reports whether code puts a key together: of a prefix or a suffix that
// has its dash, or as one and many of a noun.
func joined(key string, used map[string]bool) bool {
	for i := range key {
		if key[i] == '-' && (used[key[:i+1]] || used[key[i:]]) {
			return true
		}
	}
	one, many := strings.CutSuffix(key, "s")
	return many && used[one]
}

// everyFile parses the files of the pipeline, but for tests and tables.
func everyFile(t *testing.T, look func(*token.FileSet, *ast.File)) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "wording") && !strings.HasSuffix(path, "wording.go") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err == nil {
			look(fset, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// worded gives the key of a call that words something, and the number of its
// arguments, -1 where they are a list.
func worded(call *ast.CallExpr) (key string, args int, ok bool) {
	fun, isSelector := call.Fun.(*ast.SelectorExpr)
	if !isSelector {
		return "", 0, false
	}
	at := -1
	of, _ := fun.X.(*ast.Ident)
	switch name := fun.Sel.Name; {
	case of != nil && of.Name == "diag" && name == "New":
		at = 2
	case of != nil && of.Name == "diag" && name == "Say", of != nil && of.Name == "diag" && name == "Fail", name == "WithHint":
		at = 0
	}
	if at < 0 || len(call.Args) <= at {
		return "", 0, false
	}
	literal, isLiteral := call.Args[at].(*ast.BasicLit)
	if !isLiteral || literal.Kind != token.STRING {
		return "", 0, false
	}
	key, err := strconv.Unquote(literal.Value)
	if call.Ellipsis.IsValid() {
		return key, -1, err == nil
	}
	return key, len(call.Args) - at - 1, err == nil
}

var gap = regexp.MustCompile(`%(\[(\d+)\])?[-+# 0]*[\d.]*([a-zA-Z%])`)

// gaps counts the arguments that a sentence takes.
func gaps(text string) int {
	n, most := 0, 0
	for _, m := range gap.FindAllStringSubmatch(text, -1) {
		switch {
		case m[3] == "%":
			continue
		case m[2] != "":
			n, _ = strconv.Atoi(m[2])
		default:
			n++
		}
		most = max(most, n)
	}
	return most
}
