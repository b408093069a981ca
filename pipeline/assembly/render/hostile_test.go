package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// archive puts a unit together from settings and files.
func archive(comment string, files ...string) *txtar.Archive {
	a := &txtar.Archive{Comment: []byte(comment)}
	for i := 0; i < len(files); i += 2 {
		a.Files = append(a.Files, txtar.File{Name: files[i], Data: []byte(files[i+1])})
	}
	return a
}

// TestHostileInputEnds gives inputs that a careless renderer would work on
// for minutes.
func TestHostileInputEnds(t *testing.T) {
	const mebibyte = 1 << 20 // the most that load lets through
	tool := `{"name": "t", "description": "d", "inputSchema": {"type": "object", "required": ["a"], "properties": {"a": {}, "b": {}, "c": {}}}}`
	styled := "input tools\nform fallback\ntools t.json\nstyle-file t.tmpl\n"
	nested := func(open string) string {
		return strings.Repeat(open, 9000) + strings.Repeat("{{end}}", 9000) + "{{.Items}}"
	}
	cases := []struct {
		name string
		a    *txtar.Archive
		code diag.Code
	}{
		{"undeclared placeholders", archive("input text\nexpand\nfiles a.md\n", "a.md", strings.Repeat("{{a}} ", mebibyte/6)), diag.UndeclaredPlaceholder},
		{"slots on one line", archive("input text\nexpand\nfiles a.md\nslot a\n", "a.md", strings.Repeat("{{a}}", mebibyte/5)), ""},
		{"empty fragments on lines of their own", archive("input text\nexpand\nfiles a.md\nfragment a \"\"\n", "a.md", "x\n"+strings.Repeat("{{a}}\n", mebibyte/6)+"y"), ""},
		{"line breaks in a description", archive("input skills\nform full\nfiles a.md\nlimit 50 source cut\n", "a.md",
			"---\nname: x\ndescription: "+strings.Repeat("<&", mebibyte/2)+"\n---\n"), diag.LimitTooSmall},
		{"cut of long lines", archive("input text\nexpand\nslot a\nlimit 500000 cut\nfiles a.md\n", "a.md", strings.Repeat("{{a}}\n```\n", mebibyte/10)), ""},
		{"nested conditions", archive(styled, "t.json", tool, "t.tmpl", nested("{{if .Items}}")), diag.BadTemplate},
		{"nested parentheses", archive(styled, "t.json", tool, "t.tmpl", "{{if "+strings.Repeat("(", 5000)+".Items"+strings.Repeat(")", 5000)+"}}{{.Items}}{{end}}"), diag.BadTemplate},
		{"nested ranges", archive(styled, "t.json", tool, "t.tmpl", `{{define "item"}}`+strings.Repeat("{{range $.Parameters}}", 30)+"x"+strings.Repeat("{{end}}", 30)+"{{end}}{{.Items}}"), diag.BadTemplate},
		{"much output", archive(styled, "t.json", strings.Replace(tool, `"d"`, `"`+strings.Repeat("d", 100000)+`"`, 1),
			"t.tmpl", `{{define "item"}}`+strings.Repeat("{{.Description}}", 10000)+"{{end}}{{.Items}}"), diag.BadTemplate},
		{"template calling itself", archive(styled, "t.json", tool, "t.tmpl", `{{define "item"}}{{template "item" .}}{{end}}{{.Items}}`), diag.BadTemplate},
		{"endless range", archive(styled, "t.json", tool, "t.tmpl", `{{range 1000000000000}}x{{end}}{{.Items}}`), diag.BadTemplate},
		{"schema that refers to itself", archive("input tools\nform fallback\nstyle llama\ntools t.json\n", "t.json",
			`{"name": "t", "inputSchema": {"type": "object", "required": ["a", "b", "c"], "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"$ref": "#/properties/c"}}}}`), ""},
		{"huge template", archive(styled, "t.json", tool, "t.tmpl", "{{.Items}}"+strings.Repeat("x", mebibyte)), diag.BadTemplate},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, c.a)
			r, found := f.run()
			checkRendering(t, r)
			if c.code == "" && found.HasErrors() {
				t.Errorf("%v", found[0])
			}
			if c.code != "" && (len(found) == 0 || found[0].Code != c.code) {
				t.Errorf("found %d, not %s: %.200v", len(found), c.code, found)
			}
		})
	}
}

// TestManyFilesOfOneName: names stay apart, also on disks that fold cases,
// and quickly.
func TestManyFilesOfOneName(t *testing.T) {
	comment := "input rules\nform full\nfiles"
	var files []string
	for i := range 3000 {
		name := []string{"a.md", "A.mdc", "a.instructions.md"}[i%3]
		comment += fmt.Sprintf(" d%d/../%s", i, name)
		files = append(files, fmt.Sprintf("d%d/../%s", i, name), "x")
	}
	f := newFixture(t, archive(comment+"\n", files...))
	for _, d := range f.unit.Inputs[0].Docs {
		d.File.Path = d.File.Path[strings.LastIndex(d.File.Path, "/")+1:]
	}
	r, _ := f.run()
	seen := map[string]bool{}
	for _, it := range r.Items {
		if folded := strings.ToLower(it.Name); seen[folded] {
			t.Fatalf("%q appears twice", it.Name)
		} else {
			seen[folded] = true
		}
	}
	if len(r.Items) != 3000 || r.Items[1].Name != "A~2" {
		t.Errorf("%d items, the second %q", len(r.Items), r.Items[1].Name)
	}
}
