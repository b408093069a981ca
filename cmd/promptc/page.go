package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/page"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// pageFile is where the page is written unless somebody says otherwise.
const pageFile = "report.html"

// pageMark stands near the beginning of every page that was written before.
const pageMark = `<meta name="generator" content="promptc report">`

func reportCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write one HTML page: variants, budgets, sections, texts, findings, changes",
		UsageText: "promptc report [OPTIONS]",
		Description: "Compiles the project and writes a page that a browser opens without a server or a network:\n" +
			"a matrix of each prompt's variants, their budgets, what their sections and tools take, their\n" +
			"texts, and what check finds. With --base, --merge-base or --against it also shows what changed,\n" +
			"each change once, with the variants that it reaches and those that it does not.\n\n" +
			"The page holds the texts of all variants: share it only with those who may read them. Keys\n" +
			"that promptc recognises are masked.\n\n" +
			"Exits 0 once the page is written, whatever it shows: check and diff --fail-on judge. Errors that\n" +
			"keep the project from compiling give exit status 1, and nothing is written.",
		Flags: append(append(append(locationFlags(), workspaceFlags()...), baseFlags("nothing is compared")...),
			headFlag(),
			&cli.StringFlag{Name: "o", Value: pageFile, Usage: "write the page to `FILE`, or to the standard output for -"}),
		Action: func(c *cli.Context) error { return writePage(c, con) },
	}
}

// writePage makes the page and puts it in its place.
func writePage(c *cli.Context, con Console) (err error) {
	if err := noArguments(c); err != nil {
		return err
	}
	start, _ := location(c)
	to, err := outputPlace(start, c.String("o"), pageFile, pageMark)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := con.makePages(c, &page); err != nil {
		return err
	}
	if to == "" {
		return con.write("%s", page.String())
	}
	if err := replaceFile(to, page.String()); err != nil {
		return err
	}
	return con.write("wrote %s (leave it out of commits)\n", words.Safe(seen(to)))
}

// outputPlace gives the file to write that -o names, from a folder on, "" for the
// standard output. Only a file with our mark near its beginning is replaced: the
// name of another may be a mistake.
func outputPlace(start, given, usual, mark string) (string, error) {
	switch given {
	case "-":
		return "", nil
	case "":
		return "", usage("-o is empty").withHint("name a file, or - for the standard output")
	}
	to := given
	if !filepath.IsAbs(to) {
		to = filepath.Join(start, to)
	}
	name := filepath.ToSlash(filepath.Dir(given))
	switch folder, err := os.Stat(filepath.Dir(to)); {
	case errors.Is(err, fs.ErrNotExist):
		return "", usage("no folder %q", name).withHint("make it (mkdir -p %s), or name another file with -o", shellWord(name))
	case err == nil && !folder.IsDir():
		return "", usage("%q is a file, and no folder", name).withHint("name another file with -o")
	}
	st, err := os.Lstat(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return to, nil
	case err != nil:
		return "", failed(err)
	case st.IsDir():
		return "", usage("%q is a folder", given).withHint("name a file in it: -o %s", shellWord(filepath.Join(given, usual)))
	case !st.Mode().IsRegular():
		return "", usage("%q is not a regular file", given).withHint("for a pipe, write to the standard output: -o -")
	}
	if ours, err := hasMark(to, mark); err != nil || ours {
		return to, failed(err)
	}
	return "", usage("%q was not written by promptc, so it stays", given).withHint("name another file with -o, or remove this one")
}

// hasMark reports whether a file has a mark near its beginning, or is empty.
func hasMark(name, mark string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	start, err := io.ReadAll(io.LimitReader(f, 512))
	return len(start) == 0 || bytes.Contains(start, []byte(mark)), errors.Join(err, f.Close())
}

// makePages compiles what the command works on, and its base where one is named, and
// writes the page.
func (con Console) makePages(c *cli.Context, out io.Writer) (err error) {
	w, err := con.openProjects(c)
	if err != nil {
		return err
	}
	if hasBase(c) {
		return con.pageOfChanges(c, w, out)
	}
	defer func() { err = errors.Join(err, failed(w.close())) }()
	results, err := con.every(w, func(_ Console, m *member) (*prompt.Result, error) {
		q := m.request(pipeline.Snapshots)
		if m.text != nil {
			q.Until = pipeline.Composed
		}
		return pipeline.Compile(c.Context, q)
	})
	if err != nil {
		return err
	}
	all := w.joined(results)
	if all.Stopped {
		return con.refuse(c, w.asProject(results), all)
	}
	if err := con.leftOut(w, results); err != nil {
		return err
	}
	return con.printPage(c, w.asProject(results), out, all, page.With{}, nil)
}

func (con Console) pageOfChanges(c *cli.Context, w *workspace, out io.Writer) (err error) {
	v := &comparison{con: con, c: c, w: w, all: true, format: change.FormatOf("text")}
	defer func() { err = errors.Join(err, failed(v.close())) }()
	made, err := v.run()
	if err != nil {
		return err
	}
	found, err := v.owned(made.d, slices.Concat(made.found, made.bad, made.badBase))
	if err != nil {
		return err
	}
	p := w.asProject([]*prompt.Result{made.d.Base.Result})
	return con.printPage(c, p, out, made.d.Head.Result, page.With{Difference: made.d, Found: found}, v.base)
}

func (con Console) printPage(c *cli.Context, p *project, out io.Writer, r *prompt.Result, with page.With, base *side) error {
	opt := con.reportOptions(c, p, r, false)
	if base != nil && base.tree == nil {
		opt.Against = base.base()
	}
	with.Served = c.Bool("report")
	counters := pipeline.Counters(r.Spec)
	with.Count = func(tokenizer, text string) int { return counters(tokenizer).Count(text) }
	return failed(page.Write(out, r, with, opt))
}
