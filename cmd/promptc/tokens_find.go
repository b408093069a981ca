package main

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/token"
)

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
		count, err := token.New(prompt.DefaultTokenizer)
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
		out := usage("%s is no text: %s", what, wrong).withHint("tokens are those of UTF-8 text")
		out.code = exitFindings
		return out
	}
	switch {
	case errors.Is(err, load.ErrTooLarge):
		out := usage("%s is %s", what, load.ErrTooLarge).withHint("is this the right file?")
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
	var found []*prompt.Artifact
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
		count := run.all
		if count == nil {
			count = run.own(a.Variant.Tokenizer)
		}
		out[i] = counted{name: a.Variant.Name, texts: pipeline.Texts(a), count: count}
	}
	return out, nil
}

// named gives the variant of a name, as show does, or else all that the name
// selects, as list does.
func named(r *prompt.Result, name string) ([]*prompt.Artifact, error) {
	variants, err := selectVariants(r.Plan, []string{name})
	if v, ownErr := oneVariant(r.Plan, name); ownErr == nil {
		variants, err = []*prompt.Variant{v}, nil
	}
	if err != nil {
		return nil, err
	}
	wanted := make(map[*prompt.Variant]bool, len(variants))
	for _, v := range variants {
		wanted[v] = true
	}
	var out []*prompt.Artifact
	for _, a := range r.Artifacts {
		if wanted[a.Variant] {
			out = append(out, a)
		}
	}
	return out, nil
}
