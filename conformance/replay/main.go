// Command replay runs promptc over the history of a repository: for every commit
// that touches the files of its globs, it writes those files as they were before
// and after into two folders, compares them with promptc diff, and measures how
// long the answer is beside what git says. From the JSON it checks the laws that a
// difference has to keep: that the edits are a patch, that nothing is invented, that
// nothing is said twice, and that what is left out is counted.
//
//	cd conformance && go run ./replay [OPTIONS] GITDIR GLOB...
//	go run ./replay -worst 5 ~/roo/.git 'src/core/prompts/__tests__/__snapshots__/**'
//	go run ./replay -manifest replay/manifests/roo.yaml ~/roo/.git 'src/core/prompts/__tests__/__snapshots__/**'
//
// GITDIR may be bare. A GLOB is one of git's: * within a name, ** for any folders.
// The first is what promptc init --rendered gets, unless -manifest names a manifest
// that somebody wrote for the repository; the others are files beside its texts.
// With -found there is no manifest at all, and promptc looks at what init would take of
// the files of all globs. Every commit but merges is compared with its first parent. What is measured:
//
//	unique     distinct signs and lines of git diff -U0 --no-renames, over the files
//	           that the manifest reads; commits without any are left out
//	hunk       lines of the text that begin with + or -
//	header     its other lines that are not blank
//	not git's  distinct hunk lines that are not among the unique ones
//	longer     commits whose text has more lines than git diff -U0 of these files, and ten
//	slowest    the longest time of a commit, of the quickest of its three formats
//
// The folder manifests has some that were written by hand, each with its command.
// It exits 1 if a law is broken.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// options are what the command line says.
type options struct {
	name, promptc, manifest, revisions, where string
	rendered, shared, found                   bool
	workers, worst                            int
	rows, keep                                string
	globs                                     []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	broken, err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(0)
	case err != nil:
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(2)
	case broken:
		os.Exit(1)
	}
}

// parse reads the command line, and gives the folder of the repository too.
func parse(args []string) (opt options, dir string, err error) {
	set := flag.NewFlagSet("replay", flag.ContinueOnError)
	set.StringVar(&opt.name, "name", "", "call the repository `NAME` in the table (default: its folder)")
	set.StringVar(&opt.promptc, "promptc", "", "run the program `FILE` (default: build that of this repository)")
	set.StringVar(&opt.manifest, "manifest", "", "use this manifest `FILE` for every commit, instead of what init writes")
	set.StringVar(&opt.revisions, "revisions", "HEAD", "go over the commits of `RANGE`, as git log takes it")
	set.StringVar(&opt.where, "init", "head", "run init on the files of the `SIDE`: head, base or union")
	set.BoolVar(&opt.rendered, "rendered", false, "run promptc diff --rendered GLOB, without any manifest")
	set.BoolVar(&opt.found, "found", false, "run promptc diff without any manifest, over what init would take on each side")
	set.BoolVar(&opt.shared, "shared", false, "put the manifest into the base too, which has none otherwise")
	set.IntVar(&opt.workers, "workers", 2, "replay `N` commits at a time")
	set.IntVar(&opt.worst, "worst", 0, "list the `N` commits with most hunk lines for each unique one, most headers, and longest beside git")
	set.StringVar(&opt.rows, "rows", "", "write what was measured of each commit to `FILE`, a JSON object a line")
	set.StringVar(&opt.keep, "keep", "", "keep both trees and all output of each commit below `DIR`")
	if err := set.Parse(args); err != nil {
		return opt, "", err
	}
	if set.NArg() < 2 {
		return opt, "", errors.New("usage: replay [OPTIONS] GITDIR GLOB... (replay -help lists the options)")
	}
	if !map[string]bool{"head": true, "base": true, "union": true}[opt.where] {
		return opt, "", fmt.Errorf("-init is head, base or union, not %q", opt.where)
	}
	if (opt.rendered || opt.found) && (opt.manifest != "" || opt.shared || opt.rendered && opt.found) {
		return opt, "", errors.New("-rendered and -found go without a manifest, and exclude one another: leave out -manifest and -shared")
	}
	if opt.workers < 1 {
		return opt, "", errors.New("-workers is at least 1")
	}
	dir, opt.globs = set.Arg(0), set.Args()[1:]
	if opt.name == "" {
		opt.name = filepath.Base(dir)
	}
	return opt, dir, nil
}

func run(ctx context.Context, args []string, out io.Writer) (broken bool, err error) {
	opt, dir, err := parse(args)
	if err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp("", "replay")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if opt.promptc, err = program(ctx, temp, opt.promptc); err != nil {
		return false, err
	}
	repo, err := openHistory(ctx, dir)
	if err != nil {
		return false, err
	}
	commits, err := repo.commits(opt.revisions, opt.globs)
	if err != nil {
		return false, err
	}
	rows, err := replayAll(ctx, temp, repo, commits, opt)
	if err != nil {
		return false, err
	}
	if err := writeRows(opt.rows, rows); err != nil {
		return false, err
	}
	return printTable(out, opt, rows)
}

// program gives the path of the promptc that is measured, and builds it where
// none is named.
func program(ctx context.Context, temp, named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	out := filepath.Join(temp, "promptc.exe")
	build := exec.CommandContext(ctx, "go", "build", "-o", out, "./cmd/promptc")
	build.Dir = ".." // the module around this one
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("promptc does not build: %w\n%s", err, said)
	}
	return out, nil
}

// replayAll goes over the commits, some at a time, and gives their rows in the
// order of the commits.
func replayAll(ctx context.Context, temp string, repo *history, commits []commit, opt options) ([]row, error) {
	rows := make([]row, len(commits))
	failed := make([]error, opt.workers)
	next := make(chan int)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var done sync.WaitGroup
	for w := range opt.workers {
		done.Go(func() {
			for i := range next {
				at := filepath.Join(temp, fmt.Sprint("worker", w))
				if opt.keep != "" {
					at = filepath.Join(opt.keep, commits[i].id[:12])
				}
				if rows[i], failed[w] = replay(ctx, repo, commits[i], at, opt); failed[w] != nil {
					failed[w] = fmt.Errorf("commit %s: %w", commits[i].id, failed[w])
					stop()
					return
				}
			}
		})
	}
feed:
	for i := range commits {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	done.Wait()
	return rows, errors.Join(append(failed, context.Cause(ctx))...)
}

// writeRows writes what was measured, for other programs to read.
func writeRows(path string, rows []row) error {
	if path == "" {
		return nil
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	for _, r := range rows {
		if err := encoder.Encode(r); err != nil {
			return err
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
