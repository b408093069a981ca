package words

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// No key is printed whole. Everything that this wing prints passes through
// Mask, as late as possible: lines before they are sent, documents string by
// string. It masks what looks like a key by itself, and every part of a key that
// was found in a file of the project: a line or a hunk may show a part without
// the name or header that tells what it is.

// Masking returns the options for what is printed about some runs.
func (o Options) Masking(results ...*prompt.Result) Options {
	o.Of = append(slices.Clip(o.Of), results...)
	return o
}

// MaskingFiles returns the options for what is printed about some findings.
func (o Options) MaskingFiles(findings diag.List) Options {
	return o.Masking(&prompt.Result{Findings: findings})
}

// Keys returns the keys of all files that the runs have read or compared.
func (o Options) Keys() *secret.Known {
	known := &secret.Known{}
	met := map[*diag.File]bool{nil: true}
	add := func(f *diag.File) {
		if met[f] {
			return
		}
		met[f] = true
		for _, m := range f.Secrets() {
			known.Add(m)
		}
	}
	for _, r := range o.Of {
		if r == nil {
			continue
		}
		for _, d := range r.Findings {
			add(d.Span.File)
		}
		if r.Tree != nil {
			add(r.Tree.File)
			for _, d := range r.Tree.Docs() {
				add(d.File)
			}
		}
		if r.Delta != nil {
			for _, c := range r.Delta.Snapshots {
				add(&diag.File{Text: c.Old})
			}
		}
	}
	return known
}

// maskedLine returns a part of a file with a star for each byte of a key, before
// anything in it is shown in another way: a caret stands below.
func maskedLine(f *diag.File, from, to int) string {
	out := []byte(f.Text[from:to])
	for _, m := range f.Secrets() {
		for i := max(m.Hidden(f.Text), from); i < min(m.End, to); i++ {
			out[i-from] = '*'
		}
	}
	return string(out)
}

// Mask masks the keys in a text that is about to be printed.
func (p *Printer) Mask(text string) string {
	if p.known == nil {
		p.known = p.Opt.Keys()
	}
	return p.known.Mask(text)
}
