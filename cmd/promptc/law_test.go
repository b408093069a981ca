package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// sentencesAreKeys makes a program that prints the key of each sentence for it.
const sentencesAreKeys = "-X github.com/promptc-build/promptc/pipeline/output/wording.onlyKeys=yes"

// TestNothingIsComputedFromMessages runs the projects of the scripts with two
// programs: one that prints sentences, one that prints a key for each. Exit
// statuses, order, places, groups, fingerprints and masking have to be the same.
// By default it takes every forty-fifth project; PROMPTC_LAW=all takes all.
func TestNothingIsComputedFromMessages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	coded, err := buildProgram("promptc-keys", "-ldflags", sentencesAreKeys)
	if err != nil {
		t.Fatal(err)
	}
	programs := [2]string{ourProgram(t), coded}
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts: %v", len(scripts), err)
	}
	step := 45
	if os.Getenv("PROMPTC_LAW") == "all" {
		step = 1
	}
	worded, ran := false, 0
	for i := 0; i < len(scripts); i += step {
		archive, err := txtar.ParseFile(scripts[i])
		if err != nil {
			t.Fatal(err)
		}
		project := filepath.Join(dir, "project", filepath.Base(scripts[i]))
		if !unpack(t, project, archive) {
			continue
		}
		ran++
		for _, args := range [][]string{
			{"check", "--format", "json"}, {"check", "--format", "sarif"}, {"check", "--format", "codequality"}, {"check"},
		} {
			words, keys := typed(t, programs[0], project, args), typed(t, programs[1], project, args)
			worded = worded || words.raw != keys.raw
			if d := cmp.Diff(words.facts, keys.facts); d != "" {
				t.Errorf("%s: promptc %s (-sentences +keys):\n%s", filepath.Base(scripts[i]), strings.Join(args, " "), d)
			}
		}
	}
	for _, format := range []string{"text", "json", "markdown", "github", "sarif"} {
		args := []string{"diff", "--fail-on", "budget,growth,tool-removed,policy-weakened", "--format", format}
		words, keys := typed(t, programs[0], overBudget(t), args), typed(t, programs[1], overBudget(t), args)
		if d := cmp.Diff(words.facts, keys.facts); d != "" || words.status != 1 || !strings.Contains(words.raw, "PC8001") {
			t.Errorf("promptc %s (-sentences +keys):\n%s\n%s", strings.Join(args, " "), d, words.raw)
		}
	}
	words, keys := adopts(t, programs[0]), adopts(t, programs[1])
	if d := cmp.Diff(words, keys); d != "" || words["prompts.yaml"] == "" || words["status"] != "1" {
		t.Errorf("promptc init (-sentences +keys):\n%s\n%v", d, words)
	}
	if !worded || ran < 5 {
		t.Errorf("%d projects; sentences differ from keys: %v", ran, worded)
	}
}

// adopts runs init over files of agents, one of which has an error, and gives its status
// and what it writes.
func adopts(t *testing.T, program string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"AGENTS.md": "Answer briefly.\n", "CLAUDE.md": "@AGENTS.md\n", "GEMINI.md": "<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n",
		".claude/skills/search/SKILL.md": "---\nname: search\ndescription: Searches.\n---\nSearch.\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]string{"status": strconv.Itoa(typed(t, program, dir, []string{"init"}).status)}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out[strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(dir)+"/")] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// unpack writes the files of a script below a folder, and reports whether they
// are a project.
func unpack(t *testing.T, dir string, a *txtar.Archive) bool {
	t.Helper()
	found := false
	for _, f := range a.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if !filepath.IsLocal(f.Name) || os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, f.Data, 0o600) != nil {
			return false
		}
		found = found || f.Name == "prompts.yaml"
	}
	return found
}

// overBudget makes a repository whose working tree is over the budget that its
// commit keeps.
func overBudget(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("prompts.yaml", "version: 1\nprompts:\n  agent:\n    tokenizer: o200k_base\n    budget: {tokens: 8, growth: 5%}\n"+
		"    sections:\n      - {id: soul, path: soul.md}\n")
	write("soul.md", "Answer briefly.\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "a"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), gitWorld(dir)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	write("soul.md", "Answer briefly, and say where you looked, and what you did not find there.\n")
	return dir
}

// printed is what a command printed: as it is, and without its sentences.
type printed struct {
	raw    string
	status int
	facts  any
}

// typed runs a command.
func typed(t *testing.T, program, dir string, args []string) printed {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	status := cmd.ProcessState.ExitCode()
	var doc any
	if json.Unmarshal(out.Bytes(), &doc) != nil {
		return printed{out.String(), status, []any{status, frames(out.String())}}
	}
	return printed{out.String(), status, []any{status, unworded(doc)}}
}

// sourceLine is a line of a source below a finding, the head of one, or a
// condition that is met.
var sourceLine = regexp.MustCompile(`(?m)^ *\d* \| .*|^\S+:\d+:\d+: (?:error|warning|note)\[PC\d+\]|^(?:- )?fails on .*`)

// frames gives of a text format what is no sentence: places, codes, conditions,
// and the lines of sources, in which keys are masked.
func frames(text string) []string { return sourceLine.FindAllString(text, -1) }

// unworded takes the sentences out of a document.
func unworded(doc any) any {
	switch d := doc.(type) {
	case []any:
		for i := range d {
			d[i] = unworded(d[i])
		}
	case map[string]any:
		for key, value := range d {
			switch key {
			case "message", "hint", "detail", "details", "description":
				d[key] = value != nil
			default:
				d[key] = unworded(value)
			}
		}
	}
	return doc
}
