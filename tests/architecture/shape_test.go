package architecture_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
)

// checkVariables finds functions that change a variable of their package:
// nothing may depend on what ran before. Names are compared, not objects, so a
// function that has a local of the same name is believed.
func checkVariables(files []file) []violation {
	type name struct{ dir, name string }
	vars := make(map[name]bool)
	for _, f := range files {
		for _, decl := range f.ast.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR || !f.production() {
				continue
			}
			for _, spec := range d.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					vars[name{f.dir, id.Name}] = true
				}
			}
		}
	}
	var found []violation
	for _, f := range files {
		for _, decl := range f.ast.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || !f.production() {
				continue
			}
			local := localNames(d)
			for _, id := range changed(d) {
				if vars[name{f.dir, id.Name}] && !local[id.Name] {
					found = append(found, f.at(id.Pos(), "the package's variable %s is changed", id.Name))
				}
			}
		}
	}
	return found
}

// localNames gives the names that a function declares.
func localNames(d *ast.FuncDecl) map[string]bool {
	local := make(map[string]bool)
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if id, ok := e.(*ast.Ident); ok {
				local[id.Name] = true
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				local[id.Name] = true
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				local[id.Name] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, n.Value)
			}
		}
		return true
	})
	return local
}

// changed gives the names at the root of what a function assigns to or counts
// up. An address is not followed: mostly it is a row of a table, to be looked at.
func changed(d *ast.FuncDecl) []*ast.Ident {
	var ids []*ast.Ident
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if id := root(e); id != nil && id.Name != "_" {
				ids = append(ids, id)
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.IncDecStmt:
			add(n.X)
		}
		return true
	})
	return ids
}

// root gives x of x, x.y, x[i] and *x, and nil of what starts otherwise.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// checkDocs finds exported names without a comment.
func checkDocs(f file) []violation {
	if !f.production() {
		return nil
	}
	var found []violation
	undocumented := func(id *ast.Ident) {
		found = append(found, f.at(id.Pos(), "the exported %s has no comment", id.Name))
	}
	for _, decl := range f.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) && !wellKnown(d) {
				undocumented(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				for _, id := range bareNames(d, spec) {
					undocumented(id)
				}
			}
		}
	}
	return found
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	exported := false
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		exported = exported || ok && id.IsExported()
		return true
	})
	return exported
}

// wellKnown tells whether a method says all by its name, since the standard
// library fixes what it does.
func wellKnown(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "Unwrap", "String", "Len", "Less", "Swap"}, d.Name.Name)
}

// bareNames gives the exported names of a declaration that neither their own
// comment nor the one of their group explains. Of a group of types each needs
// its own.
func bareNames(d *ast.GenDecl, spec ast.Spec) []*ast.Ident {
	var names []*ast.Ident
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Doc == nil && (d.Doc == nil || d.Lparen.IsValid()) {
			names = []*ast.Ident{s.Name}
		}
	case *ast.ValueSpec:
		if s.Doc == nil && s.Comment == nil && d.Doc == nil {
			names = slices.Clone(s.Names)
		}
	}
	return slices.DeleteFunc(names, func(id *ast.Ident) bool { return !id.IsExported() })
}

// checkPackages holds the packages as a whole: each is in the table, says what
// it is in one place, and exactly one is a program.
func checkPackages(files []file) []violation {
	var found []violation
	docs := make(map[string]int)
	mains := 0
	for _, f := range files {
		if f.production() && f.ast.Doc != nil {
			docs[f.dir]++
			if want := docStart(f); !strings.HasPrefix(f.ast.Doc.Text(), want) {
				found = append(found, f.at(f.ast.Doc.Pos(), "the package's comment does not start with %q", want))
			}
		}
	}
	seen := make(map[string]bool)
	for _, f := range files {
		if !f.production() || seen[f.dir] {
			continue
		}
		seen[f.dir] = true
		if _, _, known := find(f.dir); !known {
			found = append(found, f.at(f.ast.Package, "%s is in no row of the wings", f.dir))
		}
		if docs[f.dir] != 1 {
			found = append(found, f.at(f.ast.Package, "%s has %d package comments, want one", f.dir, docs[f.dir]))
		}
		if f.ast.Name.Name == "main" {
			mains++
			if f.dir != cmdDir {
				found = append(found, f.at(f.ast.Package, "the one program is %s", cmdDir))
			}
		}
	}
	if mains > 1 {
		found = append(found, violation{".:1", fmt.Sprintf("the module has %d programs, want one", mains)})
	}
	return found
}

func docStart(f file) string {
	if f.ast.Name.Name == "main" {
		return "Command " + path.Base(f.dir) + " "
	}
	return "Package " + f.ast.Name.Name + " "
}

// checkStages holds the signature of the stages: Run stands in the file named
// like the package, ends in its findings, and has an error only where it
// touches the world.
func checkStages(files []file) []violation {
	var found []violation
	for _, s := range stages {
		home := path.Join(s.dir, path.Base(s.dir)+".go")
		want := "(…, diag.List)"
		if !s.pure {
			want = "(…, diag.List, error)"
		}
		present, ok := false, false
		for _, f := range files {
			present = present || f.production() && f.dir == s.dir
			ok = ok || f.path == home && slices.ContainsFunc(f.ast.Decls, func(d ast.Decl) bool {
				return isRun(d, s.pure)
			})
		}
		if present && !ok {
			found = append(found, violation{home + ":1", "a stage has its func Run here, with the results " + want})
		}
	}
	return found
}

func isRun(decl ast.Decl, pure bool) bool {
	d, ok := decl.(*ast.FuncDecl)
	if !ok || d.Name.Name != "Run" || d.Recv != nil || d.Type.Results == nil {
		return false
	}
	want := []string{"diag.List"}
	if !pure {
		want = append(want, "error")
	}
	var results []string
	for _, field := range d.Type.Results.List {
		// A field has several names when results are named.
		for range max(1, len(field.Names)) {
			results = append(results, types.ExprString(field.Type))
		}
	}
	return len(results) >= len(want) && slices.Equal(results[len(results)-len(want):], want) &&
		slices.Contains(results, "error") != pure
}
