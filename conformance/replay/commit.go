package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// row is what became of one commit.
type row struct {
	Commit, Subject string
	// Refused is why init wrote no manifest, Failed why diff compared nothing:
	// the first line of what they said. Both are "" for a commit that was measured.
	Refused, Failed string
	Skipped         int // files that are links or submodules
	Unique, Git     int // lines, see difference
	Beside          int // distinct lines of the text's hunks that are not among git's unique ones
	Hunk, Header    int // lines of the text
	Lines           int // all lines of the text
	Took, CPU       time.Duration
	Unchecked       []string // what the laws were not held against, and why
	Violations      []violation
}

// violation is a law that a commit's difference breaks.
type violation struct{ Law, What string }

// ratio gives lines for each unique one.
func (r row) ratio(lines int) float64 { return float64(lines) / float64(r.Unique) }

// measured reports whether there is something to say about the row.
func (r row) measured() bool { return r.Refused == "" && r.Failed == "" && r.Unique > 0 }

// bench is where one commit is looked at: its two trees, and promptc.
type bench struct {
	ctx        context.Context
	opt        options
	base, head string
	// manifestText is the manifest that was found for both sides, and texts are those of
	// each.
	manifestText []byte
	texts        map[string]map[string]string
}

// replay compares one commit with its parent.
func replay(ctx context.Context, repo *history, c commit, dir string, opt options) (row, error) {
	out := row{Commit: c.id, Subject: c.subject}
	b := &bench{ctx: ctx, opt: opt, base: filepath.Join(dir, "base"), head: filepath.Join(dir, "head")}
	for _, side := range []struct{ dir, id string }{{b.base, c.parent}, {b.head, c.id}} {
		if err := os.RemoveAll(side.dir); err != nil {
			return out, err
		}
		if err := os.MkdirAll(side.dir, 0o755); err != nil {
			return out, err
		}
		skipped, err := repo.write(side.dir, side.id, opt.globs)
		if err != nil {
			return out, err
		}
		out.Skipped += len(skipped)
	}
	manifest, refused, err := b.manifest(filepath.Join(dir, "union"))
	if err != nil || refused != "" {
		out.Refused = refused
		return out, err
	}
	read := opt.globs
	if manifest != nil {
		if read, err = patterns(manifest); err != nil {
			return out, err
		}
	}
	said, err := repo.difference(c.parent, c.id, read)
	if err != nil {
		return out, err
	}
	out.Unique, out.Git = len(said.unique), said.lines
	if out.Unique == 0 && opt.keep == "" {
		return out, nil
	}
	if err := b.placeManifest(manifest); err != nil {
		return out, err
	}
	formats, err := b.compare(&out, dir)
	out.Beside = said.lacks(formats.text)
	if err != nil || !out.measured() {
		return out, err
	}
	changed, err := repo.changed(c.parent, c.id, opt.globs)
	known, err2 := repo.changed(c.parent, c.id, read)
	if err := errors.Join(err, err2); err != nil {
		return out, err
	}
	beside := unread(read, slices.DeleteFunc(changed, func(f string) bool { return slices.Contains(known, f) }))
	return out, b.judge(&out, formats, manifest, beside, dir)
}

// manifest gives the one that somebody wrote, or what init makes of the files of
// a side; or why it makes none.
func (b *bench) manifest(union string) (text []byte, refused string, err error) {
	if b.opt.manifest != "" {
		text, err = os.ReadFile(b.opt.manifest)
		return text, "", err
	}
	if b.opt.found {
		return b.adopted()
	}
	from := map[string]string{"base": b.base, "head": b.head, "union": union}[b.opt.where]
	if b.opt.rendered || b.opt.where == "union" {
		from = union
		if err := unite(union, b.base, b.head); err != nil {
			return nil, "", err
		}
	}
	args := []string{"init", "--rendered", b.opt.globs[0]}
	ran, err := b.promptc(from, args...)
	if err != nil || ran.status != 0 {
		return nil, fmt.Sprintf("exit %d: %s", ran.status, firstLine(ran.stderr)), err
	}
	text, err = os.ReadFile(filepath.Join(from, "prompts.yaml"))
	return text, "", err // diff finds it here, too, where this is one of its sides
}

// unite writes the files of two folders into one, those of the second over those
// of the first.
func unite(union, base, head string) error {
	if err := os.RemoveAll(union); err != nil {
		return err
	}
	if err := os.CopyFS(union, os.DirFS(base)); err != nil {
		return err
	}
	return filepath.WalkDir(head, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, _ := filepath.Rel(head, name)
		to := filepath.Join(union, below)
		text, err := os.ReadFile(name)
		return errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644))
	})
}

// placeManifest puts the manifest where diff is to find it.
func (b *bench) placeManifest(text []byte) error {
	if b.opt.rendered || b.opt.found {
		return nil
	}
	err := os.WriteFile(filepath.Join(b.head, "prompts.yaml"), text, 0o644)
	if b.opt.shared || b.opt.where == "base" && b.opt.manifest == "" {
		err = errors.Join(err, os.WriteFile(filepath.Join(b.base, "prompts.yaml"), text, 0o644))
	}
	return err
}

// patterns gives the paths that a manifest reads as globs of git. Names of
// sources are among them; no file has such a name.
func patterns(manifest []byte) ([]string, error) {
	var root any
	if err := yaml.Unmarshal(manifest, &root); err != nil {
		return nil, fmt.Errorf("the manifest: %w", err)
	}
	var out []string
	var collect func(v any, named bool)
	collect = func(v any, named bool) {
		switch v := v.(type) {
		case map[string]any:
			for key, below := range v {
				collect(below, slices.Contains([]string{"rendered", "path", "tools", "fallback", "value"}, key))
			}
		case []any:
			for _, below := range v {
				collect(below, named)
			}
		case string:
			if named && v != "" && !strings.ContainsAny(v, "\n") {
				out = append(out, axis.ReplaceAllString(v, "*"))
			}
		}
	}
	collect(root, false)
	slices.Sort(out)
	if out = slices.Compact(out); len(out) == 0 {
		return nil, errors.New("the manifest names no file")
	}
	return out, nil
}

var axis = regexp.MustCompile(`\{[\w-]+\}`)

// formats are what diff printed of one commit.
type formats struct{ text, json, markdown string }

// compare runs diff in three formats, and measures the text.
func (b *bench) compare(out *row, dir string) (formats, error) {
	var texts [3]string
	for i, format := range []string{"text", "json", "markdown"} {
		args := []string{"diff", "--against", filepath.Join("..", "base"), "--format", format} // a short name, which wraps no line
		if b.opt.rendered {
			for _, g := range b.opt.globs {
				args = append(args, "--rendered", g)
			}
		}
		began := time.Now()
		ran, err := b.promptc(b.head, args...)
		if err != nil {
			return formats{}, err
		}
		if took := time.Since(began); i == 0 || took < out.Took {
			out.Took, out.CPU = took, ran.cpu
		}
		if b.opt.keep != "" {
			if err := os.WriteFile(filepath.Join(dir, "diff."+format), []byte(ran.stdout+ran.stderr), 0o644); err != nil {
				return formats{}, err
			}
		}
		if ran.status != 0 {
			out.Failed = fmt.Sprintf("exit %d: %s", ran.status, firstLine(ran.stdout+ran.stderr))
			return formats{}, nil
		}
		texts[i] = ran.stdout
	}
	out.Hunk, out.Header, out.Lines = measureText(texts[0])
	return formats{texts[0], texts[1], texts[2]}, nil
}

// tokenCount is a line that begins with the size of a change and not with a sign.
var tokenCount = regexp.MustCompile(`^[+-][\d,]+(\.\.[+-]?[\d,]+)? (tool )?tokens?\b`)

// hunkLine gives a line of a hunk without its indentation, which is of two blanks
// in the format text. A moved line has a third one, and no sign.
func hunkLine(line string) (string, bool) {
	line = strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "  ")
	signed := strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+")
	return line, signed && !tokenCount.MatchString(line)
}

// measureText counts the lines of a difference in the format text: of hunks, the
// others that are not blank, and all.
func measureText(text string) (hunk, header, all int) {
	for line := range strings.Lines(text) {
		all++
		if _, ok := hunkLine(line); ok {
			hunk++
		} else if strings.TrimSpace(line) != "" {
			header++
		}
	}
	return hunk, header, all
}

// output is what a run of promptc left.
type output struct {
	stdout, stderr string
	status         int
	cpu            time.Duration
}

// patience is how long one run may take before it is held to hang.
const patience = 2 * time.Minute

// promptc runs the program in a folder.
func (b *bench) promptc(dir string, args ...string) (output, error) {
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	cmd := exec.CommandContext(ctx, b.opt.promptc, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	err := cmd.Run()
	out := output{stdout: stdout.String(), stderr: stderr.String()}
	if cmd.ProcessState != nil {
		out.status, out.cpu = cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok && b.ctx.Err() == nil {
		err = nil // a status of -1 says that it was killed
	}
	return out, err
}

// firstLine gives the first line of what a program said, of errors where it has
// any.
func firstLine(said string) string {
	if at := firstError.FindString(said); at != "" {
		return at
	}
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	return line
}

var firstError = regexp.MustCompile(`(?m)^.*: error\[.*$`)
