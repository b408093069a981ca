package pipeline_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// library is a module that promptc requires, and its packages that are linked.
type library struct {
	module   string
	packages []string
}

// libraries lists what is linked into promptc and can be imported by a program,
// by module.
func libraries(b *testing.B) []library {
	b.Helper()
	const row = `{{with .Module}}{{if not (or .Main .Indirect)}}{{.Path}} {{$.ImportPath}}{{end}}{{end}}`
	cmd := exec.Command("go", "list", "-deps", "-f", row, "./cmd/promptc")
	cmd.Dir = ".."
	said, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	var all []library
	for line := range strings.Lines(string(said)) {
		of, pkg, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || slices.Contains(strings.Split(pkg, "/"), "internal") {
			continue
		}
		i := slices.IndexFunc(all, func(l library) bool { return l.module == of })
		if i < 0 {
			i = len(all)
			all = append(all, library{module: of})
		}
		all[i].packages = append(all[i].packages, pkg)
	}
	return all
}

// linking builds a program that imports libraries, reads a file and prints its
// length.
func linking(b *testing.B, libs ...library) string {
	b.Helper()
	var src strings.Builder
	src.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n")
	for _, lib := range libs {
		for _, pkg := range lib.packages {
			fmt.Fprintf(&src, "\t_ %q\n", pkg)
		}
	}
	src.WriteString(`)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println(len(text))
}
`)
	dir := b.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(src.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	return goBuild(b, filepath.Join(dir, "main.exe"), file)
}

// BenchmarkLink says what each library adds to the start of a process, whether
// it is used or not, and what all of them do.
func BenchmarkLink(b *testing.B) {
	file, _ := textFile(b)
	none, libs := linking(b), libraries(b)
	link := func(name string, libs ...library) {
		program := linking(b, libs...)
		b.Run(name, func(b *testing.B) {
			byTurns(b, process(b, 0, "", program, file), process(b, 0, "", none, file)).ReportExtra(b)
		})
	}
	for _, lib := range libs {
		name := path.Base(lib.module)
		if name[0] == 'v' && len(name) == 2 { // its version
			name = path.Base(path.Dir(lib.module))
		}
		link(name, lib)
	}
	link("all", libs...)
}
