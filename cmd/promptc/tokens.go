package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

func tokensCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "tokens",
		Usage:     "count the tokens of files, variants, or what is piped in",
		UsageText: "promptc tokens [OPTIONS] FILE|VARIANT|-...",
		Description: "A file is counted as its bytes are, and needs no manifest; its encoding is\n" +
			language.DefaultTokenizer + " unless one is named. If no file has the name, it names a variant or a set\n" +
			"of variants: each is assembled and counted with its own tokenizer. Of a request\n" +
			"body, its texts are counted, one by one; tools beside the text are not counted.\n" +
			"- is standard input.\n\n" +
			"Encodings: " + strings.Join(token.Names(), ", ") + ",\nand the estimators that the manifest declares.",
		Flags: append(locationFlags(), formatFlag(listFormats...),
			&cli.StringFlag{Name: "encoding", Usage: "count in the encoding `NAME`"},
			&cli.StringFlag{Name: "model", Usage: "count as the model `NAME` does"},
			&cli.BoolFlag{Name: "ids", Usage: "print the tokens' numbers, a line for each text"},
			&cli.BoolFlag{Name: "split", Usage: "show the tokens: in colour, or one a line"},
			&cli.BoolFlag{Name: "verify", Usage: "count again with tiktoken-go, and fail where that differs"}),
		Action: func(c *cli.Context) error { return tokens(c, con) },
	}
}

func tokens(c *cli.Context, con Console) error {
	format, err := formatOf(c, listFormats...)
	if err != nil {
		return err
	}
	if err := tokensUsage(c, format); err != nil {
		return err
	}
	run := &counting{con: con, c: c}
	if err := run.choose(); err != nil {
		return err
	}
	var texts []counted
	for _, name := range c.Args().Slice() {
		found, err := run.find(name)
		if err != nil {
			return err
		}
		texts = append(texts, found...)
	}
	rows := make([]ledger.Counted, len(texts))
	for i, t := range texts {
		if rows[i], err = t.row(c.Bool("ids") || c.Bool("split")); err != nil {
			return err
		}
	}
	if c.Bool("verify") {
		for _, t := range texts {
			if err := t.verify((*token.Counter).Recount); err != nil {
				return err
			}
		}
		if err := con.note("tiktoken-go counts the same"); err != nil {
			return err
		}
	}
	opt := words.Options{Color: con.colour(con.Terminal)}
	switch {
	case format == "json":
		return failed(ledger.TokensJSON(con.Stdout, run.spec(), rows, c.Bool("ids")))
	case c.Bool("ids"):
		return failed(ledger.TokenIDs(con.Stdout, rows, opt))
	case c.Bool("split"):
		return failed(ledger.TokenPieces(con.Stdout, run.spec(), rows, opt))
	default:
		return failed(ledger.Tokens(con.Stdout, run.spec(), rows, opt))
	}
}

func tokensUsage(c *cli.Context, format string) error {
	if c.NArg() == 0 {
		return usage("tokens needs a file, a variant, or - for standard input").withHint("promptc help tokens")
	}
	if c.IsSet("encoding") && c.IsSet("model") {
		return usage("--encoding and --model both say how to count: give one of them")
	}
	if c.Bool("split") && (c.Bool("ids") || format != "text") {
		return usage("--split shows the tokens to people: it goes neither with --ids nor with --format json").
			withHint("--format json --ids gives programs the numbers")
	}
	piped := 0
	for _, name := range c.Args().Slice() {
		if name == "-" {
			piped++
		}
	}
	if piped > 1 {
		return usage("standard input can be read once, but - is there %d times", piped)
	}
	return nil
}

type counted struct {
	name  string
	texts [][]string // each in its parts
	count *token.Counter
	// standsFor is the dialect whose own tokenizer that one stands for.
	standsFor string
}

// row counts, and lists the tokens where they are asked for.
func (t counted) row(pieces bool) (ledger.Counted, error) {
	out := ledger.Counted{Name: t.name, Encoding: t.count.Name(), StandsFor: t.standsFor}
	for _, parts := range t.texts {
		for _, part := range parts {
			out.Bytes += len(part)
		}
		if !pieces {
			out.Tokens += t.whole(parts)
			continue
		}
		text := strings.Join(parts, "")
		list, err := t.count.Tokens(text)
		if err != nil {
			return out, statusOf(exitUsage, err).withHint("--ids and --split take an encoding: %s", strings.Join(encodings(), ", "))
		}
		out.Tokens += len(list)
		for _, one := range list {
			out.Pieces = append(out.Pieces, ledger.Piece{ID: one.ID, Text: text[one.Start:one.End]})
		}
	}
	return out, nil
}

// whole counts a text of several parts so that a part which many variants have
// is counted once. A file is counted as it comes, which takes no memory.
func (t counted) whole(parts []string) int {
	if len(parts) == 1 {
		return t.count.Count(parts[0])
	}
	return t.count.Sum(parts)
}

// encodings are the tokenizers that have tokens to show.
func encodings() []string {
	var out []string
	for _, name := range token.Names() {
		if c, err := token.New(name); err == nil {
			if _, err := c.Tokens(""); err == nil {
				out = append(out, name)
			}
		}
	}
	return out
}

// verify counts again by another way and says where that differs.
func (t counted) verify(recount func(*token.Counter, string) (int, error)) error {
	for _, parts := range t.texts {
		n, err := recount(t.count, strings.Join(parts, ""))
		if err != nil {
			return statusOf(exitUsage, err).withHint("--verify takes an encoding: %s", strings.Join(encodings(), ", "))
		}
		if own := t.whole(parts); n != own {
			return (&status{code: exitFindings, message: fmt.Sprintf("%q: %d tokens in %s, but %d by tiktoken-go (%+d)", t.name, own, t.count.Name(), n, n-own)}).
				withHint("this is a mistake in promptc; please report it with the text")
		}
	}
	return nil
}

// counting is one run of the command. The manifest is looked for when
// something asks for it, which a file does not.
type counting struct {
	con    Console
	c      *cli.Context
	opened *prompt.Result
	all    *token.Counter              // counts every text; nil where each has its own
	plain  *token.Counter              // counts files
	own    func(string) *token.Counter // counts variants, by their tokenizer
}

// assembled gives the project's variants.
func (run *counting) assembled() (*prompt.Result, error) {
	if run.opened == nil {
		_, r, err := run.con.assembled(run.c, func(plan *assembly.Plan) ([]*assembly.Variant, error) { return selectVariants(plan, nil) })
		if err != nil {
			return nil, err
		}
		run.opened = r
	}
	return run.opened, nil
}

// spec is what the manifest says, nil as long as nobody asked.
func (run *counting) spec() *language.Spec {
	if run.opened == nil {
		return nil
	}
	return run.opened.Spec
}

// choose finds the counter that --encoding or --model means.
func (run *counting) choose() error {
	name := run.c.String("encoding")
	if run.c.IsSet("model") {
		model := run.c.String("model")
		encoding, ok := token.ForModel(model)
		if !ok {
			return run.estimate(model)
		}
		name = encoding
	} else if !run.c.IsSet("encoding") {
		return nil
	}
	if count, err := token.New(name); err == nil {
		run.all = count
		return nil
	}
	r, err := run.assembled()
	names := token.Names()
	if err == nil {
		if run.all = declared(r, name); run.all != nil {
			return nil
		}
		for _, e := range r.Spec.Tokenizers {
			names = append(names, e.Name.Str)
		}
	} else if st, ok := errors.AsType[*status](err); !ok || st.code != exitUsage {
		return err
	}
	return usage("no encoding is called %q", name).
		nearest(name, names, "encodings: %s, or an estimator of a manifest", strings.Join(names, ", "))
}

// declared makes the counter of a manifest's estimator, nil for none.
func declared(r *prompt.Result, name string) *token.Counter {
	if r.Spec.Estimator(name) == nil {
		return nil
	}
	return pipeline.Counters(r.Spec)(name)
}

// estimate finds the estimator for a model without an encoding: one that has
// the name of the model, or of its family.
func (run *counting) estimate(model string) error {
	family, ok := token.Family(model)
	if !ok {
		return usage("no model is known as %q", model).
			nearest(model, token.Models(), "--encoding names an encoding itself: %s", strings.Join(token.Names(), ", "))
	}
	r, err := run.assembled()
	if err == nil {
		for _, name := range []string{model, family} {
			if run.all = declared(r, name); run.all != nil {
				return nil
			}
		}
	} else if st, ok := errors.AsType[*status](err); !ok || st.code != exitUsage {
		return err
	}
	return usage("the tokens of %q cannot be counted here: its tokenizer is not public, or not one of promptc's", model).
		withHint("declare an estimator called %q under tokenizers in prompts.yaml, with its error", family)
}

// find gives what an argument names: standard input, a file, or variants.
func (run *counting) find(name string) ([]counted, error) {
	var text string
	var err error
	if name == "-" {
		text, err = load.PlainFrom(run.con.Stdin)
	} else {
		text, err = load.Plain(run.path(name))
	}
	switch {
	case err == nil:
		count, err := run.counter()
		return []counted{{name: name, texts: [][]string{{text}}, count: count}}, err
	case errors.Is(err, fs.ErrNotExist):
		return run.variants(name, "no file is called")
	case errors.Is(err, load.ErrFolder):
		return run.variants(name, "a folder is called")
	default:
		return nil, unreadable(name, err)
	}
}

// path is where a file is that the command line names.
func (run *counting) path(name string) string {
	if start, _ := location(run.c); start != "." && !filepath.IsAbs(name) {
		return filepath.Join(start, name)
	}
	return name
}

// counter is what counts a text that is no variant's.
func (run *counting) counter() (*token.Counter, error) {
	if run.all != nil {
		return run.all, nil
	}
	if run.plain == nil {
		count, err := token.New(language.DefaultTokenizer)
		if err != nil {
			return nil, failed(err)
		}
		run.plain = count
	}
	return run.plain, nil
}

// unreadable says why a text is not counted.
func unreadable(name string, err error) error {
	what := "the file " + quoted([]string{name})
	if name == "-" {
		what = "standard input"
	}
	if wrong, ok := errors.AsType[*load.NotUTF8Error](err); ok {
		out := usage("%s is not a text: %s", what, words.Error(wrong)).withHint("tokens are those of UTF-8 text")
		out.code = exitFindings
		return out
	}
	switch {
	case errors.Is(err, load.ErrTooLarge):
		out := usage("%s is larger than 64 MiB", what).withHint("is this the right file?")
		out.code = exitFindings
		return out
	case errors.Is(err, load.ErrNotRegular):
		return usage("%s is a pipe, socket or device", what).withHint("standard input is read with: promptc tokens - < %s", name)
	default:
		return failed(err)
	}
}

// variants gives the variants of a name that no file has. The words say what
// there is instead.
func (run *counting) variants(name, words string) ([]counted, error) {
	r, err := run.assembled()
	var found []*assembly.Artifact
	if err == nil {
		found, err = named(r, name)
	}
	if st, ok := errors.AsType[*status](err); ok && (st.code == exitUsage || st.message == "") {
		out := *st
		out.message = usage("%s %q", words, name).message
		if st.message != "" {
			out.message += "; " + st.message
		}
		if st.code == exitUsage && run.opened == nil {
			out.hint = "tokens counts files, - for standard input, and in a project with a manifest its variants"
		}
		return nil, &out
	}
	if err != nil {
		return nil, err
	}
	if run.own == nil {
		run.own = pipeline.Counters(r.Spec)
	}
	out := make([]counted, len(found))
	for i, a := range found {
		count, standsFor := run.all, ""
		if count == nil {
			count, standsFor = run.own(a.Variant.Tokenizer), a.Variant.StandsFor()
		}
		out[i] = counted{name: a.Variant.Name, texts: a.Texts(), count: count, standsFor: standsFor}
	}
	return out, nil
}

// named gives the variant of a name, as show does, or else all that the name
// selects, as list does.
func named(r *prompt.Result, name string) ([]*assembly.Artifact, error) {
	variants, err := selectVariants(r.Plan, []string{name})
	if v, ownErr := oneVariant(r.Plan, name); ownErr == nil {
		variants, err = []*assembly.Variant{v}, nil
	}
	if err != nil {
		return nil, err
	}
	return artifactsOf(r.Artifacts, variants), nil
}

// artifactsOf gives the artifacts that belong to some variants.
func artifactsOf(all []*assembly.Artifact, variants []*assembly.Variant) (out []*assembly.Artifact) {
	wanted := make(map[*assembly.Variant]bool, len(variants))
	for _, v := range variants {
		wanted[v] = true
	}
	for _, a := range all {
		if wanted[a.Variant] {
			out = append(out, a)
		}
	}
	return out
}
