package git

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
)

// resolve gives the full id of what a ref names.
func (r *Repository) resolve(ref string) (string, error) {
	if namesPath(ref) {
		return "", &Error{UnknownRef, diag.Failure{Fact: diag.Say("ref-names-path", ref), Hint: diag.Say("name-commit-alone")}}
	}
	if ref == "" || strings.ContainsFunc(ref, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return "", unknown(ref, diag.Say("list-refs"))
	}
	id, said, err := r.git.answer("rev-parse", "--verify", "--end-of-options", ref)
	if err != nil {
		return "", r.unknownRef(ref, err)
	}
	if id = strings.TrimSuffix(id, "\n"); !isID(id) {
		return "", unknown(ref, diag.Say("name-one-commit"))
	}
	if said.about(ambiguous) {
		r.note(diag.Say("ref-ambiguous", ref))
	}
	if said.about(shortLog) {
		r.note(diag.Say("ref-before-log", ref))
	}
	return id, nil
}

func (r *Repository) note(w diag.Words) {
	if !slices.ContainsFunc(r.notes, func(o diag.Words) bool { return o.Compare(w) == 0 }) {
		r.notes = append(r.notes, w)
	}
}

// namesPath reports whether a ref has the form COMMIT:PATH, or :PATH for the
// index. A colon in braces, or in the text of `:/text`, belongs to the commit.
func namesPath(ref string) bool {
	if strings.HasPrefix(ref, ":/") {
		return false
	}
	depth := 0
	for _, c := range ref {
		switch {
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == ':' && depth == 0:
			return true
		}
	}
	return false
}

// isID reports whether a text is a full id.
func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

func unknown(ref string, hint diag.Words) error {
	return &Error{UnknownRef, diag.Failure{Fact: diag.Say("ref-names-no-commit", ref), Hint: hint}}
}

// unknownRef says why a ref names nothing.
func (r *Repository) unknownRef(ref string, err error) error {
	s, ok := saidBy(err)
	switch {
	case !ok:
		return failed(diag.Say("read-name", ref), err)
	case s.about(noUpstream):
		return unknown(ref, diag.Say("set-upstream"))
	case s.about(noBranch):
		return unknown(ref, diag.Say("head-detached"))
	case s.about(ambiguous):
		return unknown(ref, diag.Say("more-digits"))
	case strings.Contains(ref, "..") && !strings.HasPrefix(ref, ":/"):
		from, to, _ := strings.Cut(ref, "..")
		if head, three := strings.CutPrefix(to, "."); three {
			return unknown(ref, diag.Say("name-range", "--merge-base", cmp.Or(from, "HEAD"), cmp.Or(head, "HEAD")))
		}
		return unknown(ref, diag.Say("name-range", "--base", cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD")))
	}
	names := r.names()
	if r.unborn(ref, names) {
		return &Error{NoCommit, diag.Failure{Fact: diag.Say("no-commit-yet", ref), Hint: diag.Say("commit-first"), Cause: err}}
	}
	return unknown(ref, r.hint(ref, append(names, "HEAD")))
}

// unborn reports whether a ref names nothing because nothing was committed yet:
// it is HEAD or HEAD's branch, or there is no name at all.
func (r *Repository) unborn(ref string, names []string) bool {
	if _, err := r.git.run("rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
		return false
	}
	branch, err := r.git.line("symbolic-ref", "--quiet", "HEAD")
	if err != nil {
		return false
	}
	head := strings.TrimPrefix(ref, "HEAD")
	return len(names) == 0 || ref == "@" || head != ref && (head == "" || strings.ContainsAny(head[:1], "~^@")) ||
		ref == strings.TrimPrefix(branch, "refs/heads/")
}

// noCommit says why the thing with an id, which a ref names, is no commit, or has
// no tree.
func (r *Repository) noCommit(ref, id string, err error) error {
	kind, found := r.git.line("cat-file", "-t", id+"^{}")
	if kind == "blob" {
		kind = "file"
	}
	if found != nil || kind == "commit" {
		return r.missing(ref, err)
	}
	return &Error{UnknownRef, diag.Failure{Fact: diag.Say("ref-names-other", ref, kind), Hint: diag.Say("name-branch-or-tag"), Cause: err}}
}

// missing says that what a ref names is not there as a whole.
func (r *Repository) missing(ref string, err error) error {
	s, ok := saidBy(err)
	switch {
	case !ok:
		return failed(diag.Say("read-name", ref), err)
	case isID(ref) && r.shallow:
		return unknown(ref, diag.Say("shallow"))
	case isID(ref) && !s.about(notFetched):
		return unknown(ref, diag.Say("fetch-commits"))
	default:
		return errMissing(r.git, diag.Say("part-of-ref", ref), err)
	}
}

// noMergeBase says that two refs have nothing in common.
func (r *Repository) noMergeBase(of, ref string) error {
	e := &Error{NoMergeBase, diag.Failure{Fact: diag.Say("no-common-commit", of, ref), Hint: diag.Say("compare-with-commit")}}
	if r.shallow {
		e.Hint = diag.Say("shallow")
	}
	return e
}

// hint says what to do about a ref that names nothing.
func (r *Repository) hint(ref string, names []string) diag.Words {
	name, steps := ref, strings.IndexAny(ref, "~^") // which no name can hold
	if steps >= 0 {
		name = ref[:steps]
	}
	meant, ok := suggest.Path(name, names)
	switch {
	case r.shallow:
		return diag.Say("shallow")
	case steps >= 0 && slices.Contains(names, name):
		return diag.Say("ref-steps-too-far", name, ref[steps:])
	case ok:
		return diag.Say("did-you-mean", meant)
	default:
		return diag.Say("list-or-fetch-refs")
	}
}

// names gives what the refs of a repository are called: branches, then those
// of remotes, then tags. It is for hints, so that no error is worth a word.
func (r *Repository) names() []string {
	out, err := r.git.run("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return nil
	}
	var names []string
	for line := range strings.Lines(out) {
		name := strings.TrimSuffix(line, "\n")
		for _, space := range []string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
			name = strings.TrimPrefix(name, space)
		}
		names = append(names, name)
	}
	return names
}
