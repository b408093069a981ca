package architecture_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/tests/testproject"
)

// These tests show that each rule can fail: a sound module, one file added or
// replaced, and the one violation that this must be.

// sound is a small module that keeps all rules.
func sound() fstest.MapFS {
	files := map[string]string{
		"go.mod":                               "module " + module + "\n",
		"pipeline/ground/diag/diag.go":         "// Package diag says.\npackage diag\n\n// List is.\ntype List []int\n",
		"pipeline/assembly/resolve/resolve.go": goodStage("resolve", "(int, diag.List)"),
		"pipeline/store/snapshot/snap.go":      "package snapshot\n\nimport \"os\"\n\nfunc write() { os.Remove(\"x\") }\n",
		"pipeline/store/snapshot/snapshot.go":  goodStage("snapshot", "(x int, l diag.List, err error)"),
		"pipeline/ground/par/par.go": "// Package par runs.\npackage par\n\n" +
			"import \"golang.org/x/sync/errgroup\"\n\n// Map is.\nfunc Map() { run() }\n\nfunc run() { var g errgroup.Group; g.Go(nil); panic(1) }\n",
		"cmd/promptc/main.go": "// Command promptc compiles.\npackage main\n\nimport \"os\"\n\nfunc main() { os.Exit(1) }\n",
		// What the go command leaves out is left out here.
		"pipeline/assembly/resolve/testdata/x.go": "package broken broken",
		"conformance/go.mod":                      "module other\n",
		"conformance/x.go":                        "package main\n",
		"schema/gen.go":                           "//go:build ignore\n\npackage main\n\nimport \"os\"\n\nfunc main() { panic(os.Args) }\n",
	}
	return testproject.From(files)
}

func goodStage(name, results string) string {
	return "// Package " + name + " does.\npackage " + name + "\n\nimport \"" + module + "/pipeline/ground/diag\"\n\n" +
		"// Run is.\nfunc Run() " + results + " { return }\n"
}

func TestRulesAccept(t *testing.T) {
	if found := violations(t, sound()); found != nil {
		t.Errorf("a sound module has violations: %v", found)
	}
}

func TestRulesBite(t *testing.T) {
	// more is a further file of the stage resolve, whose third line is line.
	const more = "pipeline/assembly/resolve/more.go"
	line := func(s string) string { return "package resolve\n\n" + s + "\n" }
	imports := func(p string) string { return line("import _ \"" + p + "\"") }

	for _, tc := range []struct {
		name, path, src string
		at, rule        string
	}{
		{"import of a wing that is not below", "pipeline/guard/lint/x.go", "package lint\n\nimport _ \"" + module + "/pipeline/review\"\n", "pipeline/guard/lint/x.go:3", "pipeline/guard/lint may not import pipeline/review"},
		{"stage imports a stage", more, imports(module + "/pipeline/assembly/compose"), more + ":3", "pipeline/assembly/resolve may not import pipeline/assembly/compose"},
		{"import upwards", "pipeline/ground/diag/up.go", "package diag\n\nimport _ \"" + module + "/pipeline/language\"\n", "pipeline/ground/diag/up.go:3", "pipeline/ground/diag may not import pipeline/language"},
		{"import of a room beside", more, imports(module + "/pipeline/assembly/render"), more + ":3", "pipeline/assembly/resolve may not import pipeline/assembly/render"},
		{"import of what a wing keeps", "cmd/promptc/x.go", "package main\n\nimport _ \"" + module + "/pipeline/output/wording\"\n", "cmd/promptc/x.go:3", "cmd/promptc may not import pipeline/output/wording"},
		{"import of the top", more, imports(module), more + ":3", "pipeline/assembly/resolve may not import "},
		{"library away from home", more, imports("go.yaml.in/yaml/v4"), more + ":3", `"go.yaml.in/yaml/v4" has its home elsewhere`},
		{"part of a library", more, imports("github.com/yuin/goldmark/ast"), more + ":3", "has its home elsewhere"},
		{"errgroup", more, imports("golang.org/x/sync/errgroup"), more + ":3", "has its home elsewhere"},
		{"new library", more, imports("example.org/new"), more + ":3", "has its home elsewhere"},
		{"new library in a test", "pipeline/assembly/resolve/x_test.go", imports("example.org/new"), "pipeline/assembly/resolve/x_test.go:3", "has no home"},
		{"go-cmp outside of tests", "cmd/promptc/x.go", "package main\n\nimport _ \"github.com/google/go-cmp/cmp\"\n", "cmd/promptc/x.go:3", "is for tests and nowhere else"},
		{"disk", more, imports("os"), more + ":3", `may not import "os"`},
		{"network", more, imports("net/http"), more + ":3", `may not import "net/http"`},
		{"clock", "pipeline/store/snapshot/x.go", "package snapshot\n\nimport _ \"time\"\n", "pipeline/store/snapshot/x.go:3", `may not import "time"`},
		{"process", "pipeline/store/snapshot/x.go", "package snapshot\n\nimport _ \"os/exec\"\n", "pipeline/store/snapshot/x.go:3", `may not import "os/exec"`},
		{"dot import", more, line(`import . "strings"`), more + ":3", "dot import"},
		{"print", more, "package resolve\n\nimport \"fmt\"\n\nfunc f() { fmt.Println() }\n", more + ":5", "Println does not belong here"},
		{"print under another name", more, "package resolve\n\nimport f \"fmt\"\n\nvar _ = f.Printf\n", more + ":5", "Printf does not belong here"},
		{"environment", "pipeline/store/snapshot/x.go", "package snapshot\n\nimport \"os\"\n\nvar _ = os.Getenv\n", "pipeline/store/snapshot/x.go:5", "Getenv does not belong here"},
		{"write outside of snapshot", "cmd/promptc/x.go", "package main\n\nfunc f(r root) { r.WriteFile() }\n", "cmd/promptc/x.go:3", "WriteFile does not belong here: only snapshot writes"},
		{"key of the manifest", more, line("func f(n node) { n.Field(\"prompts\") }"), more + ":3", `only validate knows the key "prompts"`},
		{"English error", more, line("var err = errors.New(\"it is wrong\")"), more + ":3", "is for a table of pipeline/output/wording"},
		{"English around an error", more, line("func f() error { return fmt.Errorf(`what %s is: %w`, g(), err) }"), more + ":3", "is for a table"},
		{"go statement", more, line("func f() { go f() }"), more + ":3", "goroutines are started"},
		{"wait group", more, line("func f() { wg.Go(f) }"), more + ":3", "goroutines are started"},
		{"init", more, line("func init() {}"), more + ":3", "init runs before"},
		{"panic", more, line("func f() { panic(1) }"), more + ":3", "panic is no answer"},
		{"panic in another function of par", "pipeline/ground/par/x.go", "package par\n\nfunc f() { panic(1) }\n", "pipeline/ground/par/x.go:3", "panic is no answer"},
		{"println", more, line("func f() { println(1) }"), more + ":3", "println is for debugging"},
		{"changed variable", more, line("var x []int; func f() { x[0]++ }"), more + ":3", "the package's variable x is changed"},
		{"assigned variable", more, line("var x struct{ y int }; func f() { x.y = 1 }"), more + ":3", "the package's variable x is changed"},
		{"exported function", more, line("func F() {}"), more + ":3", "the exported F has no comment"},
		{"exported method", more, line("func (*T[K]) F() {}"), more + ":3", "the exported F has no comment"},
		{"exported type in a group", more, "package resolve\n\n// About both.\ntype (\n\tT int\n)\n", more + ":5", "the exported T has no comment"},
		{"exported constant", more, line("const a, B = 1, 2"), more + ":3", "the exported B has no comment"},
		{"long file", more, line("/*" + strings.Repeat("\n", maxFileLines) + "*/"), more + ":1", "the file has 803 lines"},
		{"long test", "pipeline/assembly/resolve/x_test.go", line("/*" + strings.Repeat("\n", maxFileLines) + "*/"), "pipeline/assembly/resolve/x_test.go:1", "the file has 803 lines"},
		{"long function", more, line("func f() {" + strings.Repeat("\n", maxFuncLines) + "}"), more + ":3", "f has 61 lines"},
		{"long literal", more, line("var f = func() {" + strings.Repeat("\n", maxFuncLines) + "}"), more + ":3", "a function literal has 61 lines"},
		{"two package comments", more, "// Package resolve too.\npackage resolve\n", more + ":2", "pipeline/assembly/resolve has 2 package comments"},
		{"no package comment", "schema/schema.go", "package schema\n", "schema/schema.go:1", "schema has 0 package comments"},
		{"package comment", "schema/schema.go", "// The schemas.\npackage schema\n", "schema/schema.go:1", `does not start with "Package schema "`},
		{"new room", "pipeline/util/util.go", "// Package util is.\npackage util\n", "pipeline/util/util.go:2", "pipeline/util is in no row of the wings"},
		{"second program", "schema/main.go", "// Command schema is.\npackage main\n", "schema/main.go:2", "the one program is cmd/promptc"},
		{"stage without Run", "pipeline/guard/lint/lint.go", "// Package lint is.\npackage lint\n", "pipeline/guard/lint/lint.go:1", "a stage has its func Run here"},
		{"Run elsewhere", "pipeline/guard/lint/other.go", goodStage("lint", "diag.List"), "pipeline/guard/lint/lint.go:1", "a stage has its func Run here"},
		{"pure stage with an error", "pipeline/guard/lint/lint.go", goodStage("lint", "(diag.List, error)"), "pipeline/guard/lint/lint.go:1", "with the results (…, diag.List)"},
		{"stage without findings", "pipeline/guard/lint/lint.go", goodStage("lint", "int"), "pipeline/guard/lint/lint.go:1", "with the results (…, diag.List)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := sound()
			m[tc.path] = &fstest.MapFile{Data: []byte(tc.src)}
			found := violations(t, m)
			// A rule may be broken in the eyes of its neighbours too (a second
			// program is also one in the wrong place), so one of them must fit.
			if !slices.ContainsFunc(found, func(v violation) bool {
				return v.at == tc.at && strings.Contains(v.rule, tc.rule)
			}) {
				t.Errorf("want %s: … %s …\ngot %v", tc.at, tc.rule, found)
			}
		})
	}
}

func TestRulesOverlook(t *testing.T) {
	for name, src := range map[string]string{
		"error of two words":     "var err = errors.New(\"too much\")",
		"English in a test":      "func f() { t.Errorf(\"this is not so\") }",
		"local of the same name": "var x int\n\nfunc f() { x := 1; x++; _ = x }",
		"row of a table":         "var x []int\n\nfunc f() *int { return &x[0] }",
		"well-known method":      "type e int\n\nfunc (e) Error() string { return \"\" }",
		"unexported receiver":    "type e int\n\nfunc (e) Shown() {}",
		"documented group":       "// The limits.\nconst (\n\tA = 1\n\tB = 2\n)",
		"use of a blank":         "var _ int\n\nfunc f() { _ = 1 }",
		"local named print":      "func f() { print := g; print() }",
		"method named panic":     "func f(v v) { v.panic() }",
	} {
		m := sound()
		m["pipeline/assembly/resolve/more.go"] = &fstest.MapFile{Data: []byte("package resolve\n\n" + src + "\n")}
		if diff := cmp.Diff([]violation(nil), violations(t, fs.FS(m)), cmp.AllowUnexported(violation{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
