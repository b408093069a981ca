package architecture_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// violation is a place, as path:line below the top, and the rule that it
// breaks.
type violation struct{ at, rule string }

// file is one Go file of the module.
type file struct {
	path    string
	dir     string
	lines   int
	test    bool // or made for tests: below tests
	ignored bool // a program of its own: //go:build ignore
	ast     *ast.File
	fset    *token.FileSet
}

// violations checks a module. It is apart from the test so that each rule can
// be seen to fail.
func violations(t *testing.T, module fs.FS) []violation {
	t.Helper()
	var found []violation
	files := goFiles(t, module)
	if len(files) == 0 {
		t.Fatal("there are no Go files: the test looks in the wrong place")
	}
	for _, f := range files {
		for _, check := range []func(file) []violation{
			checkSize, checkImports, checkCalls, checkKeys, checkSentences, checkStatements, checkDocs,
		} {
			found = append(found, check(f)...)
		}
	}
	found = append(found, checkPackages(files)...)
	found = append(found, checkStages(files)...)
	found = append(found, checkVariables(files)...)
	slices.SortFunc(found, func(a, b violation) int { return cmp.Compare(a.at+a.rule, b.at+b.rule) })
	return found
}

// goFiles parses every Go file of the module. What the go command leaves out is
// left out here too: testdata, names with a leading dot or underscore, and
// nested modules.
func goFiles(t *testing.T, module fs.FS) []file {
	t.Helper()
	fset := token.NewFileSet()
	var files []file
	err := fs.WalkDir(module, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		hidden := p != "." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"))
		if d.IsDir() {
			_, err := fs.Stat(module, path.Join(p, "go.mod"))
			if hidden || name == "testdata" || p != "." && err == nil {
				return fs.SkipDir
			}
			return nil
		}
		if hidden || path.Ext(name) != ".go" {
			return nil
		}
		src, err := fs.ReadFile(module, p)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(fset, p, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file{
			path: p, dir: path.Dir(p), lines: strings.Count(string(src), "\n"),
			test: strings.HasSuffix(name, "_test.go") || strings.HasPrefix(p, "tests/"), ignored: isIgnored(parsed), ast: parsed, fset: fset,
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// isIgnored tells whether a build constraint asks for the tag "ignore".
func isIgnored(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() > f.Package {
				return false
			}
			expr, err := constraint.Parse(c.Text)
			if err == nil && !expr.Eval(func(tag string) bool { return tag != "ignore" }) {
				return true
			}
		}
	}
	return false
}

func (f file) at(pos token.Pos, format string, args ...any) violation {
	return violation{fmt.Sprintf("%s:%d", f.path, f.fset.Position(pos).Line), fmt.Sprintf(format, args...)}
}

func (f file) production() bool { return !f.test && !f.ignored }

// find gives the rows of a package and of its wing: the innermost wing that it stands
// in. Zero rows, which may import nothing, when it has none.
func find(dir string) (wing, room, bool) {
	for _, w := range slices.Backward(wings) {
		for _, r := range w.rooms {
			if path.Join(w.dir, r.dir) == dir {
				return w, r, true
			}
		}
	}
	return wing{}, room{}, false
}

func checkSize(f file) []violation {
	var found []violation
	if f.lines > maxFileLines && !ast.IsGenerated(f.ast) {
		found = append(found, f.at(f.ast.Package, "the file has %d lines, the limit is %d", f.lines, maxFileLines))
	}
	if f.test {
		return found
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		name, body := "a function literal", (*ast.BlockStmt)(nil)
		switch n := n.(type) {
		case *ast.FuncDecl:
			name, body = n.Name.Name, n.Body
		case *ast.FuncLit:
			body = n.Body
		}
		if body == nil {
			return true
		}
		lines := f.fset.Position(body.End()).Line - f.fset.Position(n.Pos()).Line + 1
		if lines > maxFuncLines {
			found = append(found, f.at(n.Pos(), "%s has %d lines, the limit is %d", name, lines, maxFuncLines))
		}
		return true
	})
	return found
}

func checkImports(f file) []violation {
	if f.ignored {
		return nil
	}
	var found []violation
	for _, spec := range f.ast.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			found = append(found, f.at(spec.Pos(), "the import path %s cannot be read", spec.Path.Value))
			continue
		}
		if rule := forbids(f, imported); rule != "" {
			found = append(found, f.at(spec.Pos(), "%s", rule))
		}
	}
	return found
}

// forbids gives the rule against an import, or "". Tests may import every room
// and the standard library, and libraries that have a home somewhere.
func forbids(f file, imported string) string {
	w, r, _ := find(f.dir)
	switch {
	case within(imported, []string{module}):
		other := strings.TrimPrefix(strings.TrimPrefix(imported, module), "/")
		if f.production() && !mayEnter(w, r, other) {
			return fmt.Sprintf("%s may not import %s", f.dir, other)
		}
	case !strings.Contains(strings.Split(imported, "/")[0], "."):
		if f.production() && within(imported, guarded) && !slices.Contains(r.std, imported) {
			return fmt.Sprintf("%s may not import %q: it reaches outside", f.dir, imported)
		}
	case within(imported, testLibs):
		if !f.test {
			return fmt.Sprintf("%q is for tests and nowhere else", imported)
		}
	case f.test:
		if !slices.ContainsFunc(wings, func(w wing) bool {
			return slices.ContainsFunc(w.rooms, func(r room) bool { return within(imported, r.libs) })
		}) {
			return fmt.Sprintf("%q has no home in the module", imported)
		}
	case !within(imported, r.libs):
		return fmt.Sprintf("%q has its home elsewhere, not in %s", imported, f.dir)
	}
	return ""
}

// mayEnter reports whether a room may import another: the package of its own wing, a
// room beside it that its row names, or one of a wing below that is open to others.
func mayEnter(w wing, r room, other string) bool {
	to, there, known := find(other)
	switch {
	case !known:
		return false
	case to.dir == w.dir:
		return there.dir == "" && r.dir != "" || slices.Contains(r.beside, there.dir)
	default:
		return !there.own && slices.Contains(w.below, to.dir)
	}
}

// within tells whether an import path is one of roots, or below one.
func within(imported string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return imported == root || strings.HasPrefix(imported, root+"/")
	})
}

// checkCalls finds functions of packages where they may not be named. A file
// that imports a package under another name is held to the same: the name is
// looked up in its imports.
func checkCalls(f file) []violation {
	if !f.production() {
		return nil
	}
	var found []violation
	names := importNames(f.ast)
	ast.Inspect(f.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg := ""
		if id, ok := sel.X.(*ast.Ident); ok {
			pkg = names[id.Name]
		}
		for _, c := range calls {
			anyone := c.pkg == "" || c.pkg == pkg
			if anyone && matches(c.name, sel.Sel.Name) && !slices.Contains(c.rooms, f.dir) {
				found = append(found, f.at(sel.Pos(), "%s does not belong here: %s", sel.Sel.Name, c.why))
			}
		}
		return true
	})
	return found
}

// checkKeys finds where a manifest is walked by its keys instead of decoded.
func checkKeys(f file) []violation {
	if !f.production() || f.dir == validateDir {
		return nil
	}
	var found []violation
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
			sel, isMethod := call.Fun.(*ast.SelectorExpr)
			key, isText := call.Args[0].(*ast.BasicLit)
			if isMethod && isText && sel.Sel.Name == "Field" && slices.Contains(manifestKeys, strings.Trim(key.Value, `"`)) {
				found = append(found, f.at(call.Pos(), "only validate knows the key %s of the manifest", key.Value))
			}
		}
		return true
	})
	return found
}

// worders are the functions that make an error or words of a text.
var worders = []string{"errors.New", "fmt.Errorf", "http.Error", "diag.Verbatim", "panic"}

// checkSentences finds English that is not in the tables of package wording.
func checkSentences(f file) []violation {
	if !f.production() || !within(f.dir, []string{"pipeline"}) || within(f.dir, []string{outputDir}) {
		return nil
	}
	var found []violation
	for _, decl := range f.ast.Decls {
		in := ""
		if d, ok := decl.(*ast.FuncDecl); ok {
			in = d.Name.Name
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !slices.Contains(worders, types.ExprString(call.Fun)) {
				return true
			}
			for _, arg := range call.Args {
				ast.Inspect(arg, func(n ast.Node) bool {
					text, ok := n.(*ast.BasicLit)
					if ok && text.Kind == token.STRING && isSentence(text.Value) && !mayWord(f.dir, in) {
						found = append(found, f.at(text.Pos(), "%s is for a table of pipeline/output/wording", text.Value))
					}
					return true
				})
			}
			return true
		})
	}
	return found
}

// isSentence reports whether a literal has three words or more; a gap stands for one.
func isSentence(literal string) bool {
	words := 0
	for w := range strings.FieldsSeq(strings.Trim(literal, "\"`")) {
		if strings.Trim(strings.ToLower(w), "abcdefghijklmnopqrstuvwxyz'.,:;%") == "" {
			words++
		}
	}
	return words > 2
}

func mayWord(dir, fn string) bool {
	return slices.ContainsFunc(speakers, func(w speaker) bool { return w.dir == dir && (w.fn == fn || w.fn == "") })
}

// importNames maps the name that a package has in a file to the last part of
// its path. Names are not looked up in scopes: no variable of the module is
// called like a package that it imports.
func importNames(f *ast.File) map[string]string {
	names := make(map[string]string)
	for _, spec := range f.Imports {
		base := path.Base(strings.Trim(spec.Path.Value, `"`))
		names[base] = base
		if spec.Name != nil {
			delete(names, base)
			names[spec.Name.Name] = base
		}
	}
	return names
}

func matches(pattern, name string) bool {
	prefix, open := strings.CutSuffix(pattern, "*")
	return name == pattern || open && strings.HasPrefix(name, prefix)
}

// checkStatements finds what no production code has, whatever it imports.
func checkStatements(f file) []violation {
	if !f.production() {
		return nil
	}
	var found []violation
	for _, decl := range f.ast.Decls {
		in, local := "", map[string]bool(nil) // the function, when it is one
		if d, ok := decl.(*ast.FuncDecl); ok {
			in, local = d.Name.Name, localNames(d)
			if in == "init" && d.Recv == nil {
				found = append(found, f.at(d.Pos(), "init runs before anybody asked"))
			}
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				if f.dir != parDir {
					found = append(found, f.at(n.Pos(), "goroutines are started in %s only", parDir))
				}
			case *ast.ImportSpec:
				if n.Name != nil && n.Name.Name == "." {
					found = append(found, f.at(n.Pos(), "a dot import hides where names come from"))
				}
			case *ast.CallExpr:
				if fun, ok := n.Fun.(*ast.Ident); ok && !local[fun.Name] {
					found = append(found, checkBuiltin(f, in, fun)...)
				}
			}
			return true
		})
	}
	return found
}

func checkBuiltin(f file, in string, fun *ast.Ident) []violation {
	switch fun.Name {
	case "panic":
		for _, p := range panickers {
			if p.dir == f.dir && p.fn == in {
				return nil
			}
		}
		return []violation{f.at(fun.Pos(), "panic is no answer to an input")}
	case "print", "println":
		return []violation{f.at(fun.Pos(), "%s is for debugging", fun.Name)}
	}
	return nil
}
