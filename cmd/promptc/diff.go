package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

func diffCommand(con Console) *cli.Command {
	flags := slices.Concat(locationFlags(), workspaceFlags(), baseFlags("HEAD"))
	return &cli.Command{
		Name:      "diff",
		Usage:     "report what changed in meaning, and which variants each change reaches",
		UsageText: "promptc diff [OPTIONS] [PROMPT[/VARIANT]...]",
		Description: "Compiles the project as it is and as it was, and prints what changed in what it sends:\n" +
			"each change once, with the variants that it affects and those that it does not reach.\n" +
			"The base is read from git, at the same place in the repository, and needs no snapshots;\n" +
			"where one side has no manifest, the other's serves both, and a line says so. --head compares\n" +
			"two commits, without a checkout.\n" +
			"Arguments name what to look at, as for list. If the repository has a CODEOWNERS file, a line\n" +
			"names the owners of the sources of the affected prompts.\n\n" +
			"With --rendered no manifest is needed: the prompts are the texts in the files of a pattern\n" +
			"(in quotes: \"test/__snapshots__/*.snap\"), and their axes what the names differ in.\n\n" +
			"The stricter of base and head counts for every limit, expectation and check: a change that\n" +
			"weakens one is shown as such, and judged by what counted before. --policy says otherwise.\n\n" +
			"Exits 0 unless a condition listed in --fail-on is met:\n\n" + failOnTable() + "\n" +
			"The format affected prints the ids of the variants that send other bytes than before, one a line.",
		Flags: append(flags,
			stagedFlag("compare what is staged for the next commit, not the working tree"),
			headFlag(),
			policyFlag(),
			renderedFlag(),
			&cli.StringSliceFlag{Name: "fail-on", Usage: "exit 1 on `LIST`: " + strings.Join(change.FailOns(), ", ")},
			&cli.IntFlag{Name: "only", Usage: "print change `K` alone, with all of its lines: the number before each change"},
			formatFlag(change.FormatNames()...)),
		Action: func(c *cli.Context) error { return difference(c, con) },
	}
}

// failOnTable says what each word of --fail-on stands for.
func failOnTable() string {
	var b strings.Builder
	for _, word := range change.FailOns() {
		fmt.Fprintf(&b, "  %-15s %s\n", word, change.FailOnHelp(word))
	}
	return b.String()
}

// difference compiles both sides and says how they differ.
func difference(c *cli.Context, con Console) (err error) {
	name, err := formatOf(c, change.FormatNames()...)
	if err != nil {
		return err
	}
	words, err := failOn(c)
	if err != nil {
		return err
	}
	format := change.FormatOf(name)
	if c.IsSet("only") && format.Name != "text" {
		return usage("--only and --format %s exclude one another", name).withHint("--format json has all lines")
	}
	if c.String("policy") == policyHead && slices.Contains(words, "policy-weakened") {
		return usage("--policy head and --fail-on policy-weakened exclude one another").withHint("nothing weakens a policy that is the head's own")
	}
	if c.IsSet("head") && slices.Contains(words, "drift") {
		return usage("--head and --fail-on drift exclude one another").withHint("promptc build writes no snapshots into a commit: check out the head, and run promptc check")
	}
	w, err := con.openProjects(c)
	if err != nil {
		return err
	}
	v := &comparison{con: con, c: c, w: w, format: format, failOn: words}
	defer func() { err = errors.Join(err, failed(v.close())) }()
	all, err := v.run()
	if err != nil {
		return err
	}
	return v.print(all)
}

// failOn gives the words of --fail-on, given in one list or one by one.
func failOn(c *cli.Context) ([]string, error) {
	var out []string
	for _, list := range c.StringSlice("fail-on") {
		for word := range strings.SplitSeq(list, ",") {
			word = strings.TrimSpace(word)
			if !slices.Contains(change.FailOns(), word) {
				return nil, usage("--fail-on does not know %q", word).nearest(word, change.FailOns(), "it takes %s", strings.Join(change.FailOns(), ", "))
			}
			out = append(out, word)
		}
	}
	return out, nil
}

// onlyOf refuses a number of --only that no change has.
func onlyOf(c *cli.Context, d *review.Difference) error {
	if only, n := c.Int("only"), change.Changes(d); c.IsSet("only") && (only < 1 || only > n) {
		return usage("there is no change %d", only).withHint("the last number is %d", n)
	}
	return nil
}

// repeated gives a command with the options and arguments of this one.
func repeated(c *cli.Context, command string, leaveOut ...string) string {
	out := []string{repeatedOptions(c, command, leaveOut...)}
	for _, arg := range c.Args().Slice() {
		out = append(out, shellWord(arg))
	}
	return strings.Join(out, " ")
}

// repeatedOptions gives a command with the options of this one as they were typed, but
// for those that say what is printed and those to leave out.
func repeatedOptions(c *cli.Context, command string, leaveOut ...string) string {
	out := []string{command}
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if !c.IsSet(name) || name == "only" || name == "format" || slices.Contains(leaveOut, name) {
			continue
		}
		switch f.(type) {
		case *cli.BoolFlag:
			out = append(out, dashed(name))
		case *cli.StringSliceFlag:
			for _, value := range c.StringSlice(name) {
				out = append(out, dashed(name), shellWord(value))
			}
		default:
			out = append(out, dashed(name), shellWord(fmt.Sprint(c.Value(name))))
		}
	}
	return strings.Join(out, " ")
}

func shellWord(s string) string {
	special := func(r rune) bool { return !strings.ContainsRune(plainInShell, r) }
	if s != "" && !strings.ContainsFunc(s, special) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// plainInShell are the characters that no shell takes for anything else.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:@%+,^~"

// selected keeps what reaches the variants that the arguments name; all without
// any.
func (v *comparison) selected(d *review.Difference, found diag.List) (*review.Difference, diag.List, error) {
	patterns := v.c.Args().Slice()
	if len(patterns) == 0 {
		return d, found, nil
	}
	out, err := d.Select(patterns)
	if err != nil {
		return nil, nil, notSelected(err)
	}
	limits := limitPlaces(out)
	named := func(id string) bool {
		return slices.ContainsFunc(out.Pairs, func(p *review.Pair) bool { return p.ID == id })
	}
	found = slices.DeleteFunc(slices.Clone(found), func(f diag.Diagnostic) bool {
		if f.Code == diag.GrowthExceeded || f.Code == diag.OverPolicy {
			return !limits[f.Span]
		}
		return len(f.Prompts) > 0 && !slices.ContainsFunc(f.Prompts, named)
	})
	return out, found, nil
}

// notSelected says which name of an argument neither side has.
func notSelected(err error) error {
	wrong, ok := errors.AsType[*setcover.SelectError](err)
	if !ok {
		return failed(err)
	}
	out := usage("%s", words.Text(wrong.Fact()))
	if wrong.What == "prompt" {
		// Who knows git puts the commit first.
		return out.nearest(wrong.Word, wrong.Candidates, "prompts: %s; commits come after --base and --head", strings.Join(wrong.Candidates, ", "))
	}
	return out.nearest(wrong.Word, wrong.Candidates, "promptc list shows the variants that are built")
}

// limitPlaces gives where findings about limits stand that are about the
// variants of a difference: at the limit, or where that is the policy's at the
// prompt or section.
func limitPlaces(d *review.Difference) map[diag.Span]bool {
	out := map[diag.Span]bool{}
	for _, o := range d.Over {
		out[o.At] = true
	}
	for _, pair := range d.Pairs {
		if pair.Head == nil {
			continue
		}
		for _, variant := range pair.Head.Variants { // what grew is affected
			if !pair.Affected.Has(variant.Index) {
				continue
			}
			out[pair.Head.Prompt.ID.At] = true
			limits := []*language.Limits{&variant.Budget}
			for i, use := range variant.Uses {
				out[pair.Head.Prompt.Sections[i].ID.At] = true
				limits = append(limits, use.Budget)
			}
			for _, l := range limits {
				if l != nil {
					out[l.GrowthAt], out[l.GrowthTokensAt] = true, true
				}
			}
		}
	}
	return out
}

// printed writes the difference in the chosen format and turns the verdict into
// an exit status.
func (v *comparison) printed(d *review.Difference, found diag.List, opt words.Options) error {
	judged := change.Judge(d, found, v.failOn)
	if v.format.Names && judged.Fails() {
		toErr := opt
		toErr.Color = v.con.colour(v.con.ErrTerminal)
		if err := finding.Text(v.con.Stderr, found, toErr); err != nil {
			return failed(err)
		}
		if err := change.Failures(v.con.Stderr, judged, toErr); err != nil {
			return failed(err)
		}
	}
	if err := v.format.Write(v.con.Stdout, d, found, judged, opt); err != nil {
		return failed(err)
	}
	if judged.Fails() {
		return &status{code: exitFindings}
	}
	return nil
}

// The words of --policy. Anything else is a ref, or a file by its extension:
// what lies in the working tree does not decide which.
const (
	policyBase = "base"
	policyHead = "head"
)

func policyFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "policy", Value: policyBase,
		Usage: "judge by the stricter of the head and `WHAT`: base, head (its own alone), a commit, or a manifest (a path that ends in .yaml or .yml)",
	}
}

// openPolicy finds the state whose policy counts: the base itself, nil for none,
// or a project of its own.
func openPolicy(c *cli.Context, head *project, base *side) (*side, error) {
	name := c.String("policy")
	switch {
	case name == policyHead:
		return nil, nil //nolint:nilnil // nothing counts beside the head
	case name == policyBase, !c.IsSet("policy"):
		return base, nil
	case slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)):
		return openManifest(c, name)
	}
	repo, err := git.Open(c.Context, near(head.dir))
	if err != nil {
		return nil, gitError(err)
	}
	tree, err := repo.Tree(name)
	if err != nil {
		return nil, gitError(err)
	}
	out := &side{project: project{dir: head.dir, fsys: tree, tree: tree, label: name, ref: name, notes: worded(repo.Notes())}}
	if err := out.findManifest(head); err != nil {
		return nil, err
	}
	if out.name == "" {
		return nil, usage("%q has no %s to take the policy from", name, head.name).withHint("--policy names a commit that has one, or a file")
	}
	return out, nil
}

// openManifest takes the policy from a manifest on disk.
func openManifest(c *cli.Context, name string) (*side, error) {
	file := name
	if start, _ := location(c); !filepath.IsAbs(file) {
		file = filepath.Join(start, file)
	}
	dir := filepath.Dir(file)
	fsys, err := load.Dir(dir)
	if err != nil {
		return nil, usage("no manifest at %q", name).withHint("--policy names a manifest, a commit, base or head")
	}
	out := &side{project: project{dir: dir, name: filepath.Base(file), fsys: fsys, label: name}}
	return out, out.readable(name, "")
}
