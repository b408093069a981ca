// Command compare builds promptc at two states of this repository and runs
// both over the same projects: this repository, what init writes, the projects
// of the end-to-end scripts, of the documents and of the pages of checks, and
// the generated monorepo. It prints every difference in exit statuses, in codes
// with their places, and in the bytes of snapshots and artifacts, and exits
// with 1 if one of them is not listed in expected.txt.
//
//	cd conformance && go run ./compare BEFORE [AFTER]
//
// BEFORE and AFTER are commits; without AFTER it is the working tree.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// expected lists the differences that were made on purpose, one a line as
// compare prints them, each below a comment with its reason.
//
//go:embed expected.txt
var expected string

func main() {
	status, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		status = 2
	}
	os.Exit(status)
}

func run(args []string) (status int, err error) {
	if len(args) < 1 || len(args) > 2 {
		return 0, errors.New("usage: go run ./compare BEFORE [AFTER], in the folder conformance")
	}
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	before, err := program(dir, "before", args[0])
	if err != nil {
		return 0, err
	}
	after, err := program(dir, "after", strings.Join(args[1:], ""))
	if err != nil {
		return 0, err
	}
	projects, err := collect()
	if err != nil {
		return 0, err
	}
	known := map[string]bool{}
	for line := range strings.Lines(expected) {
		known[strings.TrimSpace(line)] = true
	}
	unknown := 0
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		old, err := observe(before, filepath.Join(dir, "old"), projects[name])
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		now, err := observe(after, filepath.Join(dir, "new"), projects[name])
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		for _, line := range differences(name, old, now) {
			if !known[line] {
				unknown++
				fmt.Println(line)
			}
		}
	}
	fmt.Printf("%d projects, %d unexpected differences\n", len(projects), unknown)
	return min(unknown, 1), nil
}

// program builds promptc at a commit, or from the working tree for "".
func program(dir, name, ref string) (string, error) {
	out, from := filepath.Join(dir, "promptc-"+name), ".."
	if ref != "" {
		from = filepath.Join(dir, "source-"+name)
		if _, err := command("..", "git", "worktree", "add", "--detach", "--force", from, ref); err != nil {
			return "", err
		}
		defer command("..", "git", "worktree", "remove", "--force", from)
	}
	_, err := command(from, "go", "build", "-o", out, "./cmd/promptc")
	return out, err
}

func command(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return string(out), nil
}

// files are a project: the texts of its files by their paths.
type files map[string]string

// collect gives all projects by name.
func collect() (map[string]files, error) {
	out := map[string]files{"scaffold": nil}
	own := files{}
	for _, part := range []string{"../prompts.yaml", "../sources", "../snapshots"} {
		if err := read(own, "..", part); err != nil {
			return nil, err
		}
	}
	out["repository"] = own
	scripts, err := filepath.Glob("../cmd/promptc/testdata/script/*.txtar")
	if err != nil {
		return nil, err
	}
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		return nil, err
	}
	for _, path := range append(append(scripts, pages...), "../README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		split(out, filepath.Base(path), string(text))
	}
	checks, err := filepath.Glob("../pipeline/diag/codes/PC6*.md")
	if err != nil {
		return nil, err
	}
	for _, path := range checks {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for i, part := range strings.Split(string(text), "\nAfter:\n") {
			out[fmt.Sprintf("%s %d", filepath.Base(path), i)] = fenced(part)
		}
	}
	return out, monorepo(out)
}

// monorepo adds the generated one, which a test of the module writes.
func monorepo(out map[string]files) error {
	dir, err := os.MkdirTemp("", "monorepo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("go", "test", "-run", "TestWriteMonorepo", "-count=1", "./pipeline")
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "PROMPTC_MONOREPO="+dir)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	all := files{}
	out["monorepo"] = all
	return read(all, dir, dir)
}

// read adds the files below a folder, or a file.
func read(out files, root, path string) error {
	return filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, at)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
}

var (
	header = regexp.MustCompile(`(?m)^-- (\S+) --\n`)
	fence  = regexp.MustCompile("(?ms)^```[a-z]+ (\\S+)\n(.*?)^```$")
)

// split adds the projects that a text holds as files below "-- NAME --" lines:
// one for each prompts.yaml, with the files below its folder. In a document a
// fence ends a file.
func split(out map[string]files, name, text string) {
	all := files{}
	at := header.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		content := text[m[1]:end]
		if strings.HasSuffix(name, ".md") {
			content, _, _ = strings.Cut(content, "```\n")
		}
		path := text[m[2]:m[3]]
		if filepath.Base(path) == "prompts.yaml" && all[path] != "" {
			add(out, fmt.Sprintf("%s %d", name, i), all)
			all = files{}
		}
		all[path] = content
	}
	add(out, name, all)
}

func add(out map[string]files, name string, all files) {
	for path := range all {
		folder, file := filepath.Split(path)
		if file != "prompts.yaml" {
			continue
		}
		one := files{}
		for p, text := range all {
			if rel, ok := strings.CutPrefix(p, folder); ok {
				one[rel] = text
			}
		}
		out[name+" "+folder] = one
	}
}

// fenced gives the project of a page: its fences with a file's name.
func fenced(text string) files {
	out := files{}
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		out[m[1]] = m[2]
	}
	return out
}

// observe runs the commands on a project in a folder that is new each time, and
// gives what is compared, by name.
func observe(program, dir string, project files) (map[string]string, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for path, text := range project {
		at := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if project == nil {
		if _, err := command(dir, program, "init"); err != nil {
			return nil, err
		}
	}
	out := map[string]string{}
	for _, args := range [][]string{{"check", "--format", "json"}, {"build", "--format", "json"}, {"check", "--format", "json"}, {"list"}} {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		var stdout bytes.Buffer
		cmd.Stdout = &stdout
		err := cmd.Run()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return nil, err
		}
		run := fmt.Sprintf("%d %s", len(out), args[0])
		out[run] = fmt.Sprint(cmd.ProcessState.ExitCode())
		if len(args) > 1 {
			out[run+" findings"] = places(stdout.Bytes())
		}
	}
	after := files{}
	err := read(after, dir, dir)
	for path, text := range after {
		if project[path] != text {
			out["file "+path] = text
		}
	}
	return out, err
}

// places gives the codes of a run with their places, a line each. What is
// not JSON, such as a refusal, is compared by its exit status alone.
func places(text []byte) string {
	var doc struct {
		Findings []struct {
			Code, Level, File    string
			Line, Column         int
			End_line, End_column int
		}
	}
	if json.Unmarshal(text, &doc) != nil {
		return ""
	}
	var out []string
	for _, f := range doc.Findings {
		out = append(out, fmt.Sprintf("%s %s %s:%d:%d-%d:%d", f.Code, f.Level, f.File, f.Line, f.Column, f.End_line, f.End_column))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// differences gives a line for each thing that differs.
func differences(project string, old, now map[string]string) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(merge(old, now))) {
		switch {
		case old[key] == now[key]:
		case strings.HasSuffix(key, "findings"):
			was, is := strings.Split(old[key], "\n"), strings.Split(now[key], "\n")
			for _, line := range was {
				if line != "" && !slices.Contains(is, line) {
					out = append(out, fmt.Sprintf("%s: %s: - %s", project, key, line))
				}
			}
			for _, line := range is {
				if line != "" && !slices.Contains(was, line) {
					out = append(out, fmt.Sprintf("%s: %s: + %s", project, key, line))
				}
			}
		case strings.HasPrefix(key, "file "):
			out = append(out, fmt.Sprintf("%s: %s: other bytes", project, key))
		default:
			out = append(out, fmt.Sprintf("%s: %s: exit status %s, was %s", project, key, now[key], old[key]))
		}
	}
	return out
}

func merge(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
