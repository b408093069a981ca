package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// history is a repository whose commits are replayed.
type history struct {
	ctx   context.Context
	dir   string
	empty string // the tree without files, which a first commit is compared with
}

// commit is one state, and the one before it.
type commit struct {
	id, subject string
	parent      string // the empty tree for a first commit
}

func openHistory(ctx context.Context, dir string) (*history, error) {
	h := &history{ctx: ctx, dir: dir}
	out, err := h.git(nil, "hash-object", "-t", "tree", "--stdin")
	h.empty = strings.TrimSpace(string(out))
	return h, err
}

func (h *history) git(input []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(h.ctx, "git", append([]string{"-C", h.dir}, args...)...)
	cmd.Stdin = bytes.NewReader(input)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w\n%s", args[0], err, said.Bytes())
	}
	return out, nil
}

// pathspecs makes git's own matcher read globs.
func pathspecs(globs []string) []string {
	out := []string{"--"}
	for _, g := range globs {
		out = append(out, ":(top,glob)"+g)
	}
	return out
}

// commits lists those that touch the files, without merges, the oldest first.
func (h *history) commits(revisions string, globs []string) ([]commit, error) {
	args := []string{"log", "--reverse", "--topo-order", "--full-history", "--no-merges", "--format=%H%x09%P%x09%s"}
	args = append(append(args, strings.Fields(revisions)...), pathspecs(globs)...)
	text, err := h.git(nil, args...)
	if err != nil {
		return nil, err
	}
	var out []commit
	for line := range strings.Lines(string(text)) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		parent, subject, _ := strings.Cut(rest, "\t")
		if parent == "" {
			parent = h.empty
		}
		out = append(out, commit{id: id, subject: subject, parent: parent})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no commit of %s touches %s", revisions, strings.Join(globs, " "))
	}
	return out, nil
}

// changed lists the files that differ between two commits or trees.
func (h *history) changed(base, head string, globs []string) ([]string, error) {
	entries, err := h.entries(base, head, globs)
	var out []string
	for _, e := range entries {
		out = append(out, e.path)
	}
	return out, err
}

// entry is a file that one side has, or both have differently.
type entry struct{ mode, blob, path string }

func (h *history) entries(base, head string, globs []string) ([]entry, error) {
	args := []string{"diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", base, head}
	text, err := h.git(nil, append(args, pathspecs(globs)...)...)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	var out []entry
	for pair := range slices.Chunk(fields, 2) {
		meta := strings.Fields(pair[0]) // ":oldmode newmode oldblob newblob status"
		if len(pair) != 2 || len(meta) != 5 {
			break // nothing differs
		}
		out = append(out, entry{mode: meta[1], blob: meta[3], path: pair[1]})
	}
	return out, nil
}

// write writes the files of a commit below a folder, as git has them, and gives
// the paths that are no plain files and were not written.
func (h *history) write(dir, id string, globs []string) (skipped []string, err error) {
	entries, err := h.entries(h.empty, id, globs)
	if err != nil {
		return nil, err
	}
	var wanted bytes.Buffer
	kept := entries[:0]
	for _, e := range entries {
		plain := e.mode == "100644" || e.mode == "100755"
		if !plain || !filepath.IsLocal(e.path) || slices.Contains(strings.Split(e.path, "/"), ".git") {
			skipped = append(skipped, e.path)
			continue
		}
		kept = append(kept, e)
		wanted.WriteString(e.blob + "\n")
	}
	texts, err := h.git(wanted.Bytes(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	for _, e := range kept {
		var text []byte
		if text, texts, err = nextBlob(texts); err != nil {
			return nil, fmt.Errorf("%s of %s: %w", e.path, id, err)
		}
		name := filepath.Join(dir, filepath.FromSlash(e.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return nil, err
		}
	}
	return skipped, nil
}

// nextBlob takes one answer of git cat-file --batch: "ID TYPE SIZE", the bytes, a
// line break.
func nextBlob(answers []byte) (blob, rest []byte, err error) {
	line, rest, _ := bytes.Cut(answers, []byte("\n"))
	var id, kind string
	var size int
	if _, err := fmt.Sscanf(string(line), "%s %s %d", &id, &kind, &size); err != nil || len(rest) <= size {
		return nil, nil, fmt.Errorf("git lacks it: %q", line)
	}
	return rest[:size], rest[size+1:], nil
}

// difference is what git says about the files that a manifest reads.
type difference struct {
	unique signed // distinct signs and lines, renames not followed
	lines  int    // of git diff -U0
}

func (h *history) difference(base, head string, globs []string) (difference, error) {
	args := []string{"diff", "-U0", "--text", "--no-ext-diff", "--no-textconv", "--no-color", "--diff-algorithm=default"}
	ask := func(renames string) ([]byte, error) {
		return h.git(nil, append(append(slices.Clone(args), renames, base, head), pathspecs(globs)...)...)
	}
	plain, err := ask("--no-renames")
	followed, err2 := ask("--find-renames")
	return difference{unique: uniqueLines(plain), lines: bytes.Count(followed, []byte("\n"))}, errors.Join(err, err2)
}

// lacks counts the distinct lines of hunks in a text that git does not have, as
// they are, without the escapes of snapshot files, or behind the key of a JSON
// value. A few are a matter of taste, since two algorithms may keep different lines.
func (d difference) lacks(text string) int {
	all := maps.Clone(d.unique)
	for line := range d.unique {
		all.add(line[:1], unescaped(line[1:]))
		if _, value, ok := strings.Cut(line[1:], `": `); ok {
			all.add(line[:1], strings.TrimSuffix(value, ","))
		}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		line, ok := hunkLine(line)
		if !ok {
			continue
		}
		if _, ok := all.find(line); !ok {
			seen[line] = true
		}
	}
	return len(seen)
}

// unescaped writes a line as it was before vitest or jest wrote it to a file.
func unescaped(entry string) string {
	return strings.NewReplacer(`\\`, `\`, "\\`", "`", `\${`, `${`).Replace(entry)
}

// uniqueLines gives the distinct lines of a diff without context, signs first. The
// headers of a hunk say how many lines it has, so that a removed "-- x" is not
// taken for the name of a file.
func uniqueLines(diff []byte) signed {
	seen := signed{}
	left := 0
	for line := range bytes.Lines(diff) {
		var removed, added int
		switch {
		case left > 0 && (line[0] == '-' || line[0] == '+'):
			seen.add(string(line[:1]), string(line[1:]))
			left--
		case bytes.HasPrefix(line, []byte("@@ ")):
			removed, added = hunkSize(string(line))
			left = removed + added
		}
	}
	return seen
}

// hunkSize reads "@@ -1,2 +3 @@": how many lines are removed and added.
func hunkSize(header string) (removed, added int) {
	fields := strings.Fields(header)
	count := func(s string) int {
		n := 1
		if _, after, ok := strings.Cut(s, ","); ok {
			fmt.Sscan(after, &n)
		}
		return n
	}
	return count(fields[1]), count(fields[2])
}

// linesChanged asks git how many lines differ between the files of two folders
// that have the same names, by its histogram algorithm.
func linesChanged(ctx context.Context, base, head string) (map[string]int, error) {
	cmd := exec.CommandContext(ctx, "git", "diff", "--no-index", "--no-renames", "--histogram", "--numstat", "--text", base, head)
	cmd.Dir = filepath.Dir(base) // no repository, whose attributes would count
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	text, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) { // 1: they differ
		return nil, fmt.Errorf("git diff --no-index: %w", err)
	}
	out := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var added, removed int
		if _, err := fmt.Sscanf(line, "%d\t%d\t", &added, &removed); err != nil {
			return nil, fmt.Errorf("git diff --numstat said %q", line)
		}
		name := strings.TrimSuffix(line, "\n")
		out[name[strings.LastIndexByte(name, '/')+1:]] = added + removed
	}
	return out, nil
}
