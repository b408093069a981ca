package main

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// adopt makes a project of the files that agents read here, or an example where
// there are none.
func (f founding) adopt(ctx context.Context, in scaffold.Input) error {
	fsys, err := load.Dir(f.dir())
	if errors.Is(err, fs.ErrNotExist) {
		return f.write(scaffold.Files(in), nil, "promptc build") // the folder is made
	}
	if err != nil {
		return failed(err)
	}
	f.end = append(f.end, f.client(fsys)...)
	ignored, said := f.ignored(ctx)
	found, err := pipeline.Adopt(ctx, pipeline.Adopting{Below: fsys, Ignored: ignored, Only: f.only, Skip: f.skip})
	if unfit, ok := errors.AsType[*scaffold.Unfit](err); ok {
		return &status{code: exitFailed, message: words.Text(unfit.Fact)}
	}
	if err != nil && !errors.Is(err, pipeline.ErrNothingAdopted) {
		return failed(err)
	}
	said = slices.Concat(wordsOfBad(found.Bad), said, worded(found.Left))
	if len(found.Bad)+len(found.Left) > 0 && !f.list && found.Manifest != "" {
		said = append(said, "  run: "+f.inFolder("promptc init --list")+" (it names them again)")
	}
	if table := tookTable(found.Took); len(said) > 0 && table != nil {
		said = append(append(said, ""), table...)
	} else {
		said = append(said, table...)
	}
	if err != nil {
		return usage("check has an error about every file that an agent reads here:\n  %s", words.Safe(strings.Join(said, "\n  "))).
			withHint("correct them, and run: promptc init")
	}
	if found.Manifest == "" && len(found.Saved) > 0 {
		return usage("agents read no file here, but tests keep snapshots: %s", words.Text(diag.AndOthers(found.Saved))).
			withHint("if they are prompts: %s; for an example: %s",
				f.inFolder("promptc init --rendered "+shellWord(found.Saved[0])), f.inFolder("promptc init --example"))
	}
	if found.Manifest == "" {
		return f.exampleIn(fsys, in, said)
	}
	in.Adopted, in.Store, in.Snapshots = found.Manifest, found.Store, found.Snapshots
	f.store = found.Store
	if err := f.write(scaffold.Files(in), said, "promptc list --tokens"); err != nil || len(found.Bad) == 0 {
		return err
	}
	return &status{code: exitFindings} // said above
}

// exampleIn writes the example into a folder in which agents read no file, if it is
// as good as empty: elsewhere it would stand among other people's files.
func (f founding) exampleIn(fsys fs.FS, in scaffold.Input, said []string) error {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return failed(err)
	}
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !scaffold.IsBare(e.Name()) }) {
		return f.write(scaffold.Files(in), said, "promptc build")
	}
	none := "found nothing to write a manifest for: no AGENTS.md, CLAUDE.md or GEMINI.md, no rules or skills of an agent, " +
		"no prompt files, no JSON that defines tools, no snapshots of tests"
	if client := f.client(fsys); client != nil {
		return usage("%s", words.Safe(strings.Join(append([]string{none}, said...), "\n  "))).withHint("%s", client[0])
	}
	return usage("%s", words.Safe(strings.Join(append([]string{none}, said...), "\n  "))).
		withHint("for an example: %s; if a program or a test writes your prompts to files, name them: %s",
			f.inFolder("promptc init --example"), f.inFolder("promptc init --rendered 'GLOB'"))
}

// client says how to record what the program here sends, if it talks to a provider.
func (f founding) client(fsys fs.FS) []string {
	if said := clientOf(fsys, f.inFolder); said != "" {
		return []string{said}
	}
	return nil
}

// ignored gives what git does not keep here, or says why nobody knows.
func (f founding) ignored(ctx context.Context) (paths, said []string) {
	if !f.has(".git") {
		return nil, nil
	}
	repo, err := git.Open(ctx, seen(f.dir()))
	if err == nil {
		paths, err = repo.Ignored()
	}
	if err != nil {
		said = []string{"git does not say which files it ignores: " + words.Error(err)}
	}
	return paths, said
}

// tookTable says what each prompt is made of, a row each.
func tookTable(took []scaffold.Taken) []string {
	if took == nil {
		return nil
	}
	figure := func(n int, before string) string {
		if n == 0 {
			return ""
		}
		return before + diag.Number(n)
	}
	t := words.Table{Align: []words.Side{words.ToLeft, words.ToRight, words.ToRight}}
	for _, p := range took {
		about := ""
		if p.About {
			about = "≈"
		}
		t.Row(p.ID, figure(p.Tokens, about), figure(p.ToolTokens, ""), words.Text(p.From))
	}
	t.Head("prompt", "tokens", "tool tokens", "taken from")
	p := words.NewPrinter(words.Options{})
	t.Print(p, 3)
	return strings.Split(p.String(), "\n") // with an empty line behind it
}

// wordsOfBad says what was left out for which error.
func wordsOfBad(bad []pipeline.Refusal) []string {
	var out []string
	for _, r := range bad {
		line := "left out " + words.Text(diag.AndOthers(r.Files)) + ": "
		if file := r.Why.Span.File; file != nil && file.Path != scaffold.Manifest && file.Path != r.Files[0] {
			line += strconv.Quote(file.Path) + ": "
		}
		out = append(out, line+words.Text(r.Why.What)+" ("+string(r.Why.Code)+")")
	}
	return out
}
