// Package conformance_test loads what promptc emits with the official SDKs of
// the providers whose request shapes it writes, and what it reports with the
// programs and schemas of those who show it. It is a module of its own, so that
// nobody who uses promptc inherits them.
package conformance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// promptc is the program under test, built from the module around this one.
var promptc string

// projects are built once for all tests, each in a folder of its own.
var projects = []project{
	{name: "repository", from: "..", parts: []string{"prompts.yaml", "sources"}},
	{name: "fixture", from: filepath.Join("testdata", "project"), parts: []string{"."}},
}

// project is a manifest with its sources.
type project struct {
	name, from string
	parts      []string // what of the folder is copied
	dir        string   // the copy, in which it is built
	variants   []variant
}

// variant is what dist/manifest.json says of one.
type variant struct {
	Name, File, Dialect string
	Sections            []place
	Slots               []place
}

// manifest is dist/manifest.json. Variants name the lists of their places by
// their rows in the tables.
type manifest struct {
	Version int
	Prompts []struct {
		Variants []struct {
			Name, File, Dialect string
			Sections, Slots     int
		}
	}
	Tables struct{ Sections, Slots [][]place }
}

func (m manifest) variants() []variant {
	var out []variant
	for _, p := range m.Prompts {
		for _, v := range p.Variants {
			out = append(out, variant{v.Name, v.File, v.Dialect, m.Tables.Sections[v.Sections], m.Tables.Slots[v.Slots]})
		}
	}
	return out
}

// place is where a section or a slot stands: from Start to End in bytes, of the
// string that the pointer leads to.
type place struct {
	ID, Name, Pointer string
	Start, End        int
}

func TestMain(m *testing.M) {
	status, err := prepared(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// prepared builds the program and the projects, and runs the tests on them.
func prepared(m *testing.M) (status int, err error) {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	promptc = filepath.Join(dir, "promptc.exe")
	build := exec.Command("go", "build", "-o", promptc, "./cmd/promptc")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("promptc does not build: %w\n%s", err, out)
	}
	for i := range projects {
		p := &projects[i]
		if err := p.build(filepath.Join(dir, p.name)); err != nil {
			return 1, fmt.Errorf("project %s: %w", p.name, err)
		}
	}
	return m.Run(), nil
}

// build copies the project, builds it there, and reads what there is.
func (p *project) build(dir string) error {
	p.dir = dir
	for _, part := range p.parts {
		from, to := filepath.Join(p.from, part), filepath.Join(dir, part)
		info, err := os.Stat(from)
		if err != nil {
			return err
		}
		if info.IsDir() {
			err = os.CopyFS(to, os.DirFS(from))
		} else if err = os.MkdirAll(dir, 0o755); err == nil {
			var text []byte
			if text, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, text, 0o644)
			}
		}
		if err != nil {
			return err
		}
	}
	if _, stderr, err := run(dir, "build"); err != nil {
		return fmt.Errorf("promptc build: %w\n%s", err, stderr)
	}
	text, err := os.ReadFile(filepath.Join(dir, "dist", "manifest.json"))
	if err != nil {
		return err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	if m.Version != 2 {
		return fmt.Errorf("manifest.json has the version %d", m.Version)
	}
	p.variants = m.variants()
	return nil
}

// run calls the program in a folder.
func run(dir string, args ...string) (stdout []byte, stderr string, err error) {
	cmd := exec.Command(promptc, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	err = cmd.Run()
	return out.Bytes(), errs.String(), err
}

// slug makes a name that go test -run takes as it is printed.
func slug(name string) string { return strings.NewReplacer("/", " ").Replace(name) }
