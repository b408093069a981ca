package main

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

func showCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print the bytes of one variant",
		UsageText: "promptc show [OPTIONS] VARIANT",
		Description: "Prints exactly what the variant's artifact holds, also when it is over budget.\n" +
			"VARIANT is a name as `promptc list` prints it, axes in any order; a part of a name is\n" +
			"enough where only one variant has it.",
		Flags: append(
			locationFlags(),
			&cli.StringFlag{Name: "dialect", Usage: "print the variant in the request shape `NAME`: " + strings.Join(ground.DialectNames(), ", ")},
			&cli.StringFlag{Name: "section", Usage: "print the section with this `ID` alone, heading included"},
			&cli.BoolFlag{Name: "example", Usage: "put each slot's example in its place"},
			&cli.BoolFlag{Name: "tools", Usage: "print the native tool schemas that go with the request, as a JSON list"},
		),
		Action: func(c *cli.Context) error { return show(c, con) },
	}
}

func show(c *cli.Context, con Console) error {
	name, err := argument(c, "a variant")
	if err != nil {
		return err
	}
	if c.Bool("tools") && (c.IsSet("section") || c.Bool("example")) {
		return usage("--tools prints schemas; it does not go with --section or --example")
	}
	if err := knownDialect(c); err != nil {
		return err
	}
	p, r, a, err := con.artifact(c, name, c.IsSet("dialect"))
	if err != nil {
		return err
	}
	if c.IsSet("dialect") {
		if a, err = con.converted(c, p, r, a); err != nil {
			return err
		}
	}
	if c.Bool("tools") {
		return con.bytes(dialect.Tools(a.Variant.Dialect, a.Beside))
	}
	if c.Bool("example") {
		a = exampled(a)
	}
	if c.IsSet("section") {
		text, err := sectionText(a, c.String("section"))
		if err != nil {
			return err
		}
		return con.bytes(text)
	}
	text := dialect.Encode(a).Text()
	if text == "" && len(a.Beside) > 0 {
		if _, err := fmt.Fprintf(con.Stderr, "promptc: %q emits no text: its tools go beside it\n  hint: promptc show --tools %s\n", a.Variant.Name, a.Variant.Name); err != nil {
			return failed(err)
		}
	}
	return con.bytes(text)
}

// bytes prints a text as it is, but where it goes to a terminal: that would act
// upon what is hidden in it, so that it is named there.
func (con Console) bytes(text string) error {
	if con.Terminal {
		if tame := words.Tame(text); tame != text {
			text = tame
			if err := con.note("hidden characters are shown by their numbers; what is written to a file or a pipe is exact"); err != nil {
				return err
			}
		}
	}
	return con.write("%s", text)
}

func knownDialect(c *cli.Context) error {
	name := c.String("dialect")
	if _, ok := ground.LookupDialect(name); ok || !c.IsSet("dialect") {
		return nil
	}
	known := ground.DialectNames()
	return usage("no dialect is called %q", name).nearest(name, known, "dialects: %s", strings.Join(known, ", "))
}

// converted gives a variant's artifact in another dialect, and says what that
// cannot carry. What its provider refuses is not printed.
func (con Console) converted(c *cli.Context, p *project, r *prompt.Result, a *assembly.Artifact) (*assembly.Artifact, error) {
	out, found := pipeline.WithDialect(r, a, c.String("dialect"))
	if len(found) == 0 {
		return out, nil
	}
	if out == nil {
		return nil, con.refuse(c, p, &prompt.Result{Spec: r.Spec, Plan: r.Plan, Findings: found, Stopped: true})
	}
	return out, failed(finding.Text(con.Stderr, found, con.reportOptions(c, p, r, con.ErrTerminal)))
}

// sectionText gives what a section says, with a final line break.
func sectionText(a *assembly.Artifact, id string) (string, error) {
	sections := a.Build.Prompt.Sections
	for _, p := range a.Parts {
		if p.Section >= 0 && sections[p.Section].ID.Str == id {
			if p.Text == "" && p.Rendering != nil && p.Rendering.Text.Str != "" {
				return "", usage("section %q is not in %s: its slot %q is optional and has no example", id, a.Variant.Name, p.Rendering.Slots[0].Slot.Name.Str).
					withHint("give the slot an example, or leave out --example")
			}
			return p.Text + "\n", nil
		}
	}
	for _, o := range a.Out {
		if sections[o.Section].ID.Str == id {
			return "", usage("section %q is not in %s: %s", id, a.Variant.Name, o)
		}
	}
	var ids []string
	for _, s := range sections {
		ids = append(ids, s.ID.Str)
	}
	if slices.Contains(ids, id) {
		return "", usage("section %q of %s has no text: its tools go beside it", id, a.Variant.Name).withHint("--tools prints them")
	}
	return "", usage("prompt %q has no section %q", a.Build.Prompt.ID.Str, id).nearest(id, ids, "sections: %s", strings.Join(ids, ", "))
}

// exampled gives an artifact with the examples in the places of the slots, as
// a loader puts values there: by place, and without the optional parts whose
// slots are empty. What says nothing then is left out: its join, its block, its
// message.
func exampled(a *assembly.Artifact) *assembly.Artifact {
	out := *a
	out.Parts = slices.Clone(a.Parts)
	for _, m := range a.Messages {
		if len(m.Blocks) == 0 {
			continue
		}
		from := m.Blocks[0].From
		end := m.Blocks[len(m.Blocks)-1].To
		fillIn(out.Parts[from:end], func(i int) bool { return isGlue(a, from+i) })
	}
	at := 0
	for i := range out.Parts {
		out.Parts[i].Start = at
		at += len(out.Parts[i].Text)
	}
	out.Messages = nil
	for _, m := range a.Messages {
		blocks := slices.DeleteFunc(slices.Clone(m.Blocks), func(b assembly.Block) bool {
			return b.Image == nil && out.BlockText(b) == ""
		})
		if len(blocks) > 0 {
			m.Blocks = blocks
			out.Messages = append(out.Messages, m)
		}
	}
	return &out
}

// fillIn replaces the texts of one message's parts. A join stays where
// something stands on both sides of it.
func fillIn(parts []assembly.Part, glue func(i int) bool) {
	join, joinAt, said := "", -1, false
	for i := range parts {
		p := &parts[i]
		if glue(i) {
			join, joinAt = p.Text, i
			p.Text = ""
			continue
		}
		stays := true
		if p.Rendering != nil {
			p.Text, stays = p.Rendering.Filled(func(s *language.Slot) string { return s.Example.Str })
		}
		if stays {
			if said && joinAt >= 0 {
				parts[joinAt].Text = join
			}
			said = true
		}
		joinAt = -1
	}
}

// isGlue reports whether a part stands between two others and goes with the
// one behind it: not the text's final line break, nor the layout's notice
// before it.
func isGlue(a *assembly.Artifact, i int) bool {
	p := a.Parts[i]
	final := i == len(a.Parts)-1 && !a.Variant.Shape().JSON
	return p.Rendering == nil && p.Passage == nil && !final && i != a.NoticePart()
}

func explainCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "show where a variant's tokens go, or what a code means",
		UsageText: "promptc explain [OPTIONS] VARIANT|CODE\npromptc explain [OPTIONS] --policy PROMPT",
		Description: "For a variant: each section's place, source lines and tokens, what was left out and\n" +
			"why, and what is left of the budget; then each tool with the interfaces that accept its definition: the\n" +
			"Model Context Protocol and each provider. For a code such as PC3002: what the finding\n" +
			"means and what to do about it; for the start of one, such as PC60: the codes that start so.\n" +
			"With --policy: the settings that a policy may have, as they count for a prompt, each with\n" +
			"the file and line that it comes from.",
		Flags: append(locationFlags(), formatFlag(listFormats...),
			&cli.IntFlag{Name: "budget", Usage: "explain what if the variant's budget were `N` tokens"},
			&cli.StringFlag{Name: "policy", Usage: "explain which settings count for the prompt `PROMPT`, and where they come from"}),
		Action: func(c *cli.Context) error { return explain(c, con) },
	}
}

// findingCode is what a finding's code looks like.
var findingCode = regexp.MustCompile(`^(?i)PC\d+$`)

func explain(c *cli.Context, con Console) error {
	format, err := formatOf(c, listFormats...)
	if err != nil {
		return err
	}
	if c.IsSet("policy") {
		return con.explainPolicy(c, c.String("policy"), format)
	}
	name, err := argument(c, "a variant or a code")
	if err != nil {
		return err
	}
	if findingCode.MatchString(name) {
		if c.IsSet("budget") {
			return usage("--budget goes with a variant, not with a code")
		}
		return con.explainCode(strings.ToUpper(name), format)
	}
	p, r, a, err := con.artifact(c, name, false)
	if err != nil {
		return err
	}
	with := ledger.With{}
	if c.IsSet("budget") {
		if with.Budget = c.Int("budget"); with.Budget <= 0 {
			return usage("--budget takes a number of tokens above 0")
		}
		a = pipeline.WithBudget(r, a, with.Budget)
	}
	with.Windows = pipeline.Windows(r, a)
	with.Tools = &ledger.ToolsWith{Count: pipeline.Counters(r.Spec)(a.Variant.Tokenizer).Count, Objections: lint.Objections(a.Toolset)}
	opt := con.reportOptions(c, p, r, con.Terminal)
	if format == "json" {
		return failed(ledger.JSON(con.Stdout, r, a, with, opt))
	}
	return failed(ledger.Explain(con.Stdout, r, a, with, opt))
}

// explainPolicy says which settings count for a prompt, also where one of them is
// weaker than what is locked: that is what people look for.
func (con Console) explainPolicy(c *cli.Context, id, format string) error {
	if c.IsSet("budget") {
		return usage("--budget goes with a variant, not with --policy")
	}
	if err := noArguments(c); err != nil {
		return err
	}
	p, err := con.open(c)
	if err != nil {
		return err
	}
	r, err := pipeline.Compile(c.Context, p.request(pipeline.Named))
	if err != nil {
		return failed(err)
	}
	if slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Level == diag.Error && d.Code != diag.LockedSetting }) {
		return con.refuse(c, p, r)
	}
	var ids []string
	for _, declared := range r.Spec.Prompts {
		ids = append(ids, declared.ID.Str)
	}
	if !slices.Contains(ids, id) {
		return unknownPrompt(ids, id)
	}
	opt, settings := con.reportOptions(c, p, r, con.Terminal), validate.Effective(r.Tree, id)
	if format == "json" {
		return failed(ledger.PolicyJSON(con.Stdout, r, id, settings, opt))
	}
	return failed(ledger.Policy(con.Stdout, r, id, settings, opt))
}

func (con Console) explainCode(code, format string) error {
	e, ok := diag.Lookup(diag.Code(code))
	if !ok {
		return con.explainCodes(code, format)
	}
	if format == "json" {
		return failed(finding.ExplainCodeJSON(con.Stdout, e))
	}
	return failed(finding.ExplainCode(con.Stdout, e, words.Options{Color: con.colour(con.Terminal)}))
}

// explainCodes lists the codes that begin with start.
func (con Console) explainCodes(start, format string) error {
	all := diag.Codes()
	found := slices.DeleteFunc(slices.Clone(all), func(e diag.Entry) bool { return !strings.HasPrefix(string(e.Code), start) })
	if len(found) == 0 {
		var codes []string
		for _, e := range all {
			codes = append(codes, string(e.Code))
		}
		return usage("no finding has the code %s", start).nearest(start, codes, "promptc explain PC1 lists the codes that start so; the last start with %s", codes[len(codes)-1][:3])
	}
	if format == "json" {
		return failed(finding.ExplainCodesJSON(con.Stdout, found))
	}
	return failed(finding.ExplainCodes(con.Stdout, found, words.Options{Color: con.colour(con.Terminal)}))
}

var (
	listFormats    = []string{"text", "json"}
	listingFormats = []string{"text", "json", "promptfoo"}
)

func listCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "print the variants, one id a line",
		UsageText: "promptc list [OPTIONS] [PATTERN...]",
		Description: "Prints every variant, or those that the patterns name: a prompt's id, a name or a\n" +
			"part of one (persona/entry=full), or a set as outlines write it\n" +
			"(modes/mode=developer+planning,tier=1+2).\n\n" +
			"The format promptfoo prints a configuration for promptfoo, with the artifacts as its prompts.",
		Flags: append(slices.Concat(locationFlags(), workspaceFlags()), formatFlag(listingFormats...),
			&cli.BoolFlag{Name: "tokens", Usage: "add tokens, characters, budget and share"},
			&cli.IntFlag{Name: "context", Usage: "only the variants made for a context of `N` tokens"}),
		Action: func(c *cli.Context) error { return list(c, con) },
	}
}

func list(c *cli.Context, con Console) (err error) {
	format, err := formatOf(c, listingFormats...)
	if err != nil {
		return err
	}
	w, err := con.openProjects(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, failed(w.close())) }()
	if format == "promptfoo" && !w.alone {
		return usage("promptfoo takes the artifacts of one project").withHint("run it in the folder of a project, or with -C DIR")
	}
	results, err := con.every(w, func(_ Console, m *member) (*prompt.Result, error) {
		q := m.request(pipeline.Composed)
		if format == "text" && !c.Bool("tokens") {
			q.Until = pipeline.Named
		}
		if w.alone {
			q.Choose = func(plan *assembly.Plan) ([]*assembly.Variant, error) { return selectVariants(plan, c.Args().Slice()) }
		}
		return pipeline.Compile(c.Context, q)
	})
	if err != nil {
		return err
	}
	if w.alone && results[0].Stopped {
		return con.refuse(c, w.asProject(nil), results[0])
	}
	var projects []run.Project
	if format == "json" {
		if projects, err = con.ownedProjects(c, w, results); err != nil {
			return err
		}
	}
	all := w.joined(results)
	if !w.alone { // the arguments name variants of all projects
		chosen, err := selectVariants(all.Plan, c.Args().Slice())
		if err != nil {
			return err
		}
		all.Artifacts = artifactsOf(all.Artifacts, chosen)
	}
	p := w.asProject(results)
	if err := con.listed(c, p, all, format, projects); err != nil {
		return err
	}
	return con.refuseStopped(c, w, results)
}

// refuseStopped prints the findings of the projects that do not compile, and gives an
// error if there is one.
func (con Console) refuseStopped(c *cli.Context, w *workspace, results []*prompt.Result) error {
	var bad diag.List
	for _, r := range results {
		if r.Stopped {
			bad = append(bad, r.Findings...)
		}
	}
	if len(bad) == 0 {
		return nil
	}
	if err := con.leftOut(w, results); err != nil {
		return err
	}
	return con.refuse(c, w.asProject(results), &prompt.Result{Findings: bad, Stopped: true})
}

// ownedProjects notes the owners of the prompts in the results, and gives the projects of a
// workspace with theirs.
func (con Console) ownedProjects(c *cli.Context, w *workspace, results []*prompt.Result) (out []run.Project, err error) {
	owners, err := con.ownersFor(c, w.asProject(nil))
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		m := w.projects[i]
		owners.Name(r, m.folder)
		if !w.alone {
			out = append(out, run.Project{Folder: m.folder, Result: r, Owners: owners.Of(path.Join(m.folder, m.name))})
		}
	}
	return out, nil
}

func (con Console) listed(c *cli.Context, p *project, r *prompt.Result, format string, projects []run.Project) (err error) {
	found := r.Artifacts
	if c.IsSet("context") {
		if found, err = forContext(found, c.Int("context")); err != nil {
			return err
		}
	}
	opt := con.reportOptions(c, p, r, con.Terminal)
	switch format {
	case "json":
		return failed(run.ListJSON(con.Stdout, r, found, projects, opt))
	case "promptfoo":
		if r.Spec.Artifacts.Str == "" {
			return usage("promptfoo gets the artifacts, and the manifest asks for none").withHint("add `artifacts: dist`, and run: promptc build")
		}
		return failed(ledger.Promptfoo(con.Stdout, r, found))
	}
	with := run.Listing{} // names alone, unless sizes were asked for
	if c.Bool("tokens") {
		with = run.Listing{Tokens: true, Context: c.Int("context")}
	}
	return failed(run.List(con.Stdout, r, found, with, opt))
}

// forContext keeps the variants whose axes are made for a context window of
// so many tokens: on every axis with `context`, the first value whose upper
// limit is not exceeded.
func forContext(artifacts []*assembly.Artifact, tokens int) ([]*assembly.Artifact, error) {
	if tokens <= 0 {
		return nil, usage("--context takes a number of tokens above 0")
	}
	declared := 0
	var out []*assembly.Artifact
	for _, a := range artifacts {
		has, fits := 0, 0
		for i, axis := range a.Build.Prompt.Axes {
			if axis.Context != nil {
				has++
				if a.Variant.Values[i] == valueFor(axis, tokens) {
					fits++
				}
			}
		}
		declared += has
		if has > 0 && fits == has {
			out = append(out, a)
		}
	}
	if declared == 0 {
		return nil, usage("no axis of these prompts declares a context").withHint("an axis says context: [4096, 8192] to give each value's upper limit in tokens")
	}
	if len(out) == 0 {
		return nil, usage("no variant is made for a context of %d tokens", tokens).withHint("the axes' context gives each value's upper limit; a last value without one has none")
	}
	return out, nil
}

// valueFor gives the index of the first value whose limit is not exceeded, or
// -1 where all have a limit and none is large enough.
func valueFor(axis *language.Axis, tokens int) int {
	for i, limit := range axis.Context {
		if tokens <= limit {
			return i
		}
	}
	if len(axis.Context) < len(axis.Values) {
		return len(axis.Values) - 1 // the last value has no limit
	}
	return -1
}
