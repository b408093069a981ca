package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/glob"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// mostCompared bounds how often a pattern is compared with a file to say that it
// fits none: far above what any project needs. Beyond it nothing is said.
const mostCompared = 1_000_000

// inspector finds the rows that set nothing.
type inspector struct {
	*settler
	seen Seen
	// files are the paths of all that was read.
	files []string
	left  int // of mostCompared
}

func newInspector(s *settler, tree *prompt.Tree, found diag.List, seen Seen) *inspector {
	in := &inspector{settler: s, seen: seen, left: mostCompared}
	for _, d := range found {
		if d.Span.Known() {
			in.files = append(in.files, d.Span.File.Path)
		}
	}
	if tree != nil {
		if tree.File != nil {
			in.files = append(in.files, tree.File.Path)
		}
		for _, d := range tree.Docs() {
			in.files = append(in.files, d.File.Path)
		}
	}
	slices.Sort(in.files)
	in.files = slices.Compact(in.files)
	return in
}

// inspect says what of a row sets nothing: paths that fit no file, codes about
// which a later row decides, and of a suppression those of which it leaves
// nothing out. One finding where these are all.
func (in *inspector) inspect(r *rowRule) diag.List {
	ofDisk := func(w prompt.Word) bool { return diag.Code(w.Str).OfDisk() }
	disk := slices.ContainsFunc(r.Codes, ofDisk)
	if disk && in.seen < SeenAll {
		return nil
	}
	if !disk { // else files are meant that nobody reads
		if out := in.strayPaths(r); out != nil {
			return out
		}
	}
	var undone, unused []prompt.Word
	var by *rowRule
	var rows []*rowRule // that fit all that it fits
	compared := false
	for _, w := range r.Codes {
		code := diag.Code(w.Str)
		if r.decides[code] {
			continue
		}
		if !compared {
			rows, compared = in.covering(r), true
		}
		if later := in.later(r, code, rows); later != nil {
			undone, by = append(undone, w), later
		} else if r.Level == prompt.Off {
			unused = append(unused, w)
		}
	}
	out := r.report(undone, "a later row decides%s wherever this one fits", " about ", func(d diag.Diagnostic, _ []prompt.Word) diag.Diagnostic {
		return d.WithHint("%s", overrule(by))
	})
	return append(out, r.report(unused, "no finding%s is left out by this row", " of ", func(d diag.Diagnostic, codes []prompt.Word) diag.Diagnostic {
		return in.because(d, r, codes)
	})...)
}

// overrule says what to do about a row that another one undoes.
func overrule(by *rowRule) string {
	if !by.At.Known() {
		return "remove it, or put it behind the other"
	}
	line := by.At.File.LineAt(by.At.Start)
	return fmt.Sprintf("the one in line %s does: remove one of them, or put the exception behind the rule", diag.Number(line))
}

// report makes the findings about codes of a row: one at the row where they are
// all, else one at each. complete adds what there is to do.
func (r *rowRule) report(codes []prompt.Word, format, of string, complete func(diag.Diagnostic, []prompt.Word) diag.Diagnostic) diag.List {
	if len(codes) == len(r.Codes) && len(codes) > 1 {
		return diag.List{complete(diag.New(diag.IdleSetting, at(r.At), format, ""), codes)}
	}
	var out diag.List
	for _, w := range codes {
		place := w.At
		if len(r.Codes) == 1 {
			place = r.At
		}
		out = append(out, complete(diag.New(diag.IdleSetting, at(place), format, of+w.Str), []prompt.Word{w}))
	}
	return out
}

// later gives the row that decides about a code wherever another fits, nil for
// none: one of those that fit all that the row does; for a suppression also one
// that fitted all that was found. What another row says may be the rule, to which
// all that there is now are exceptions.
func (in *inspector) later(r *rowRule, code diag.Code, rows []*rowRule) *rowRule {
	for _, other := range slices.Backward(rows) {
		if other.codes[string(code)] {
			return other
		}
	}
	if r.Level != prompt.Off {
		return nil
	}
	return r.behind[code]
}

// covering gives the rows behind one that fit all that it does.
func (in *inspector) covering(r *rowRule) []*rowRule {
	var out []*rowRule
	for _, other := range in.rules[slices.Index(in.rules, r)+1:] {
		if covers(other.pathSet, r.Paths) && covers(other.promptSet, r.Prompts) {
			out = append(out, other)
		}
	}
	return out
}

// covers reports whether a set of names has all of a list; none has any name.
func covers(all map[string]bool, some []prompt.Word) bool {
	return len(all) == 0 || len(some) > 0 && !slices.ContainsFunc(some, func(w prompt.Word) bool { return !all[w.Str] })
}

// strayPaths reports the patterns of a row that fit no file.
func (in *inspector) strayPaths(r *rowRule) diag.List {
	var out diag.List
	for i, p := range r.paths {
		w := r.Paths[i]
		known, fits := in.fitsAny(p)
		if !known || fits || w.Str == "" {
			continue
		}
		d := diag.New(diag.IdleSetting, at(w.At, r.At), "no file that was read fits %q", w.Str).
			WithHint("correct it, or remove it: paths are relative to the manifest's folder")
		if meant := in.meant(w.Str); meant != "" {
			d = d.WithHint("did you mean %q? Paths are relative to the manifest's folder", meant)
		}
		out = append(out, d)
	}
	return out
}

// fitsAny reports whether a pattern fits a file; nothing is known when too much
// was compared.
func (in *inspector) fitsAny(p glob.Pattern) (known, fits bool) {
	for _, f := range in.files {
		if in.left -= len(p.Alternatives()); in.left < 0 {
			return false, false
		}
		if p.Match(f) {
			return true, true
		}
	}
	return true, false
}

// meant gives what is left of a pattern without folders that lead to the
// manifest's, where that fits a file.
func (in *inspector) meant(pattern string) string {
	for {
		_, rest, ok := strings.Cut(pattern, "/")
		if !ok || strings.HasPrefix(rest, "**") {
			return ""
		}
		p, fault := glob.Parse(rest)
		if _, fits := in.fitsAny(p); fault == "" && fits {
			return rest
		}
		pattern = rest
	}
}

// because says why a row leaves nothing out of some codes: what there is that it
// does not fit.
func (in *inspector) because(d diag.Diagnostic, r *rowRule, codes []prompt.Word) diag.Diagnostic {
	var lines []string
	for _, w := range codes {
		if line := in.unfitted(r, diag.Code(w.Str)); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return d.WithHint("remove it: there is no such finding")
	}
	return d.WithDetail(lines...).WithHint("remove it, or let it fit the findings that are meant")
}

// unfitted says where the findings of a code are that a row does not fit, or
// what they are about; "" where there are none.
func (in *inspector) unfitted(r *rowRule, code diag.Code) string {
	all := in.met[code]
	if len(all) == 0 {
		return ""
	}
	var files []string
	met := map[string]bool{}
	for _, d := range all {
		if !d.Span.Known() || len(r.paths) == 0 {
			continue
		}
		of := append([]string{d.Span.File.Path}, d.Also...)
		if !slices.ContainsFunc(of, func(f string) bool { return !r.has(f) }) {
			return fmt.Sprintf("a finding of %s is about %s; the row names %s", code, prompts(d.Prompts), named(strs(r.Prompts)))
		}
		for _, f := range of {
			if !met[f] {
				met[f] = true
				files = append(files, f)
			}
		}
	}
	switch {
	case len(r.paths) == 0:
		return fmt.Sprintf("a finding of %s is about %s; the row names %s", code, prompts(all[0].Prompts), named(strs(r.Prompts)))
	case len(files) == 0:
		return fmt.Sprintf("findings of %s are in no file", code)
	default:
		return fmt.Sprintf("findings of %s are in %s", code, named(files))
	}
}

// prompts names what a finding is about.
func prompts(ids []string) string {
	if len(ids) == 0 {
		return "no prompt"
	}
	return named(ids)
}

func strs(words []prompt.Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Str
	}
	return out
}
