package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// diffFormats are the ways in which a difference is printed; the last is not
// about what changed, but for tools that work on what did.
var diffFormats = []string{"text", "json", "markdown", "github", "sarif", "affected"}

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
			formatFlag(diffFormats...)),
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
	format, err := formatOf(c, diffFormats...)
	if err != nil {
		return err
	}
	words, err := failOn(c)
	if err != nil {
		return err
	}
	if c.IsSet("only") && format != "text" {
		return usage("--only and --format %s exclude one another", format).withHint("--format json has all lines")
	}
	if c.String("policy") == policyHead && slices.Contains(words, "policy-weakened") {
		return usage("--policy head and --fail-on policy-weakened exclude one another").withHint("nothing weakens a policy that is the head's own")
	}
	if c.IsSet("head") && slices.Contains(words, "drift") {
		return usage("--head and --fail-on drift exclude one another").withHint("promptc build writes no snapshots into a commit: check out the head, and run promptc check")
	}
	w, err := con.openWorkspace(c)
	if err != nil {
		return err
	}
	if w != nil {
		return con.diffAll(c, w, format, words)
	}
	head, err := con.open(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, failed(head.close())) }()
	base, err := openBase(c, head)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, failed(base.close())) }()
	notes := slices.Concat(head.notes, base.notes)
	policy, err := openPolicy(c, head, base)
	if err != nil {
		return err
	}
	if c.IsSet("rendered") {
		said, err := propose(c, head, base)
		if err != nil {
			return err
		}
		notes = slices.Concat(notes, said)
	}
	if policy != nil && policy != base {
		defer func() { err = errors.Join(err, failed(policy.close())) }()
		notes = slices.Concat(notes, policy.notes)
	}
	for _, line := range notes {
		if err := con.note("%s", line); err != nil {
			return err
		}
	}
	v := &diffRun{con: con, c: c, head: head, base: base, policy: policy, format: format, failOn: words}
	return v.run()
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

type diffRun struct {
	con  Console
	c    *cli.Context
	head *project
	base *side
	// policy is what the head is judged by beside its own; it may be the base,
	// and is nil for nothing.
	policy *side
	format string
	failOn []string
}

func (v *diffRun) run() error {
	until := pipeline.Composed
	if slices.Contains(v.failOn, "drift") && v.head.text == nil {
		until = pipeline.Snapshots
	}
	made, err := v.review(until)
	if err != nil {
		return err
	}
	d, found := made.Difference, made.Findings
	if (v.base.text != nil || v.head.text != nil) && slices.Contains([]string{"affected", "sarif"}, v.format) {
		for _, line := range change.Borrowed(d, v.options(d.Head.Result)) { // the others have it in their result
			if err := v.con.note("%s", line); err != nil {
				return err
			}
		}
	}
	if d, found, err = v.selected(d, found); err != nil {
		return err
	}
	if found, err = nameOwners(d, v.head.fsys, found); err != nil {
		return err
	}
	if err := onlyOf(v.c, d); err != nil {
		return err
	}
	return v.print(d, found, v.options(made.Head.Result))
}

// review compares both sides, the head compiled until a stage, and says what of them is
// not read. One that does not compile is printed, and is the error; so is the policy.
func (v *diffRun) review(until pipeline.Until) (*pipeline.Reviewed, error) {
	was, is := v.base.request(pipeline.Composed), v.head.request(until)
	if v.c.IsSet("rendered") {
		was.Patterns = v.c.StringSlice("rendered")
		is.Patterns = was.Patterns
	}
	by := pipeline.Policy{Base: v.policy == v.base}
	if v.policy != nil && !by.Base {
		q := v.policy.request(pipeline.Composed)
		by.Of = &q
	}
	made, err := pipeline.Review(v.c.Context, was, is, by)
	if err != nil {
		return nil, failed(err)
	}
	made.Base.Moved = v.base.moved
	d := made.Difference
	if d == nil {
		d = &review.Difference{Base: made.Base, Head: made.Head}
	}
	d.Base.Moved = v.base.moved
	for _, side := range []struct {
		review.Side
		of *project
	}{{made.Head, v.head}, {made.Base, &v.base.project}} {
		if side.Result == nil { // the head did not compile
			continue
		}
		if err := v.con.unread(side.of, side.Result, side.Name); err != nil {
			return nil, err
		}
		if err := v.con.sayAbsent(v.c.Context, side.of, side.Result); err != nil {
			return nil, err
		}
		if side.Result.Stopped {
			return nil, v.stopped(d, side.Side)
		}
	}
	return made, v.judged(made.Policy)
}

// onlyOf refuses a number of --only that no change has.
func onlyOf(c *cli.Context, d *review.Difference) error {
	if only, n := c.Int("only"), change.Changes(d); c.IsSet("only") && (only < 1 || only > n) {
		return usage("there is no change %d", only).withHint("the last number is %d", n)
	}
	return nil
}

// options prepares the printing of what concerns the head.
func (v *diffRun) options(r *prompt.Result) words.Options {
	opt := v.con.reportOptions(v.c, v.head, r, v.con.Terminal)
	opt.Only, opt.Command = v.c.Int("only"), repeated(v.c, "promptc "+v.c.Command.Name)
	from := v.base.base
	switch v.format {
	case "github", "markdown", "sarif":
		// As those who show it name files.
		opt.Base = v.head.inRepository()
		from = func() string { return v.base.from(v.head.top()) }
	}
	if v.base.tree == nil {
		opt.Against = cmp.Or(from(), ".")
	}
	return opt
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

// stopped says why there is nothing to compare: a side that does not compile.
func (v *diffRun) stopped(d *review.Difference, side review.Side) error {
	opt := v.options(side.Result)
	isBase := side.Result == d.Base.Result
	of := v.head
	if isBase {
		of = &v.base.project
	}
	if of.ref != "" {
		opt.Base, opt.Ref = of.inRepository(), of.ref // git names files from the top
	}
	if v.format != "text" && v.format != "affected" {
		return v.print(d, side.Result.Findings, opt)
	}
	opt.Color = v.con.colour(v.con.ErrTerminal)
	if isBase && opt.Against != "" {
		opt.Base = opt.Against
	}
	if err := finding.Text(v.con.Stderr, side.Result.Findings, opt); err != nil {
		return failed(err)
	}
	if err := run.Summary(v.con.Stderr, side.Result, run.Outcome{Command: "diff"}, opt); err != nil {
		return failed(err)
	}
	out := &status{code: exitFindings}
	if isBase {
		out.message = "the base does not compile: nothing was compared"
		out.hint = "compare with a state that does: --base REF, --merge-base REF or --against DIR"
	}
	return out
}

// selected keeps what reaches the variants that the arguments name; all without
// any.
func (v *diffRun) selected(d *review.Difference, found diag.List) (*review.Difference, diag.List, error) {
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

// print writes the difference in the chosen format and turns the verdict into
// an exit status.
func (v *diffRun) print(d *review.Difference, found diag.List, opt words.Options) error {
	judged := change.Judge(d, found, v.failOn)
	if err := v.write(d, found, judged, opt); err != nil {
		return failed(err)
	}
	if judged.Fails() {
		return &status{code: exitFindings}
	}
	return nil
}

func (v *diffRun) write(d *review.Difference, found diag.List, judged change.Verdict, opt words.Options) error {
	out := v.con.Stdout
	switch v.format {
	case "json":
		return change.JSON(out, d, found, judged, opt)
	case "markdown":
		return change.Markdown(out, d, found, judged, opt)
	case "github":
		return change.GitHub(out, d, found, judged, opt)
	case "sarif":
		return change.SARIF(out, d, found, judged, opt)
	case "affected":
		return v.affected(d, found, judged, opt)
	default:
		return change.Text(out, d, found, judged, opt)
	}
}

// affected prints names and nothing else to one stream, and to the other why
// the run fails, if it does.
func (v *diffRun) affected(d *review.Difference, found diag.List, judged change.Verdict, opt words.Options) error {
	if judged.Fails() {
		opt.Color = v.con.colour(v.con.ErrTerminal)
		if err := finding.Text(v.con.Stderr, found, opt); err != nil {
			return err
		}
		if err := change.Failures(v.con.Stderr, judged, opt); err != nil {
			return err
		}
	}
	return change.Affected(v.con.Stdout, d)
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
	case name == policyBase:
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

// judged prints a policy that does not compile, and is the error: nothing is judged by
// a part of it.
func (v *diffRun) judged(by review.Side) error {
	if by.Result == nil || !by.Result.Stopped {
		return nil
	}
	opt := v.con.reportOptions(v.c, &v.policy.project, by.Result, v.con.ErrTerminal)
	if v.policy.tree != nil {
		opt.Base, opt.Ref = v.policy.inRepository(), v.policy.ref
	}
	if err := finding.Text(v.con.Stderr, by.Result.Findings, opt); err != nil {
		return failed(err)
	}
	return &status{
		code: exitFindings, message: "the policy " + v.policy.label + " does not compile: nothing was judged",
		hint: "name a state that does: --policy REF or --policy FILE",
	}
}
