package git

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Kind says what keeps git from giving what it was asked for.
type Kind int

// The kinds of errors.
const (
	// Failed is anything else, such as a configuration that cannot be read.
	Failed Kind = iota
	// NoProgram says that there is no git.
	NoProgram
	// NotRepository says that the folder lies in no work tree.
	NotRepository
	// Untrusted says that the repository is somebody else's, whose
	// configuration git does not want to follow.
	Untrusted
	// UnknownRef says that a ref names no commit or tree, or several.
	UnknownRef
	// NoCommit says that there is no commit yet that a ref could name.
	NoCommit
	// NoMergeBase says that two commits have no ancestor in common.
	NoMergeBase
	// Unmerged says that the index holds conflicts.
	Unmerged
	// MissingObject says that the repository lacks what it should hold: it is
	// a partial clone, or damaged.
	MissingObject
	// TooLarge says that a file is longer than anything that is read.
	TooLarge
)

// Error is what keeps git from giving what it was asked for.
type Error struct {
	Kind Kind
	diag.Failure
}

// Is reports whether an error is one of git, of one of some kinds.
func Is(err error, kinds ...Kind) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(kinds, e.Kind)
}

// failed is about what nobody foresaw. It quotes git, so that one can search for
// its words.
func failed(what diag.Words, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	e := &Error{Failed, diag.Failure{Fact: diag.Say("git-could-not", what), Cause: err}}
	if s, ok := saidBy(err); ok {
		if words := s.complaint(); words != "" {
			e.Fact = diag.Say("git-could-not-since", what, words)
		}
	}
	return e
}

// plain gives a word that a shell takes as it is, else what stands for it:
// hints are there to be pasted.
func plain(word, instead string) string {
	odd := strings.ContainsFunc(word, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("._/@:+-", c)
	})
	if odd || word == "" || word[0] == '-' {
		return instead
	}
	return word
}

// errOpen says why a folder's repository cannot be read.
func errOpen(dir string, err error) error {
	s, ok := saidBy(err)
	if !ok {
		return failed(diag.Say("be-started"), err)
	}
	switch {
	case s.about(untrusted):
		return errUntrusted(s, err)
	case s.about(noRepository):
		return errBroken(dir, err)
	default:
		return failed(diag.Say("read-repository"), err)
	}
}

func errNotRepository(dir string, err error) error {
	return &Error{NotRepository, diag.Failure{
		Fact: diag.Say("not-in-repository", dir),
		Hint: diag.Say("start-in-repository"), Cause: err,
	}}
}

// errBroken says that what is called .git leads to no repository.
func errBroken(dir string, err error) error {
	return &Error{NotRepository, diag.Failure{
		Fact: diag.Say("git-leads-nowhere", dir),
		Hint: diag.Say("repair-work-tree"), Cause: err,
	}}
}

func errNoFolder(dir string, err error) error {
	return &Error{NotRepository, diag.Failure{Fact: diag.Say("no-folder", dir), Cause: err}}
}

// errSlow says that git was not waited for any longer.
func errSlow(limit time.Duration) error {
	return &Error{Failed, diag.Failure{Fact: diag.Say("git-too-slow", limit.Seconds()), Hint: diag.Say("waits-for-pipe")}}
}

// errUntrusted says that git does not trust a repository. Only git knows by
// which path it wants it named.
func errUntrusted(s *said, err error) error {
	top := ""
	if _, rest, ok := strings.Cut(string(s.text), "safe.directory "); ok {
		top, _, _ = strings.Cut(rest, "\n")
	}
	return &Error{Untrusted, diag.Failure{
		Fact: diag.Say("somebody-elses-repository"),
		Hint: diag.Say("trust-repository", plain(strings.TrimSpace(top), "FOLDER")), Cause: err,
	}}
}

func errNoWorkTree(dir string) error {
	return &Error{NotRepository, diag.Failure{Fact: diag.Say("not-in-work-tree", dir), Hint: diag.Say("start-in-checkout")}}
}

func errBare(dir string) error {
	return &Error{NotRepository, diag.Failure{Fact: diag.Say("in-bare-repository", dir), Hint: diag.Say("start-in-checkout")}}
}

func errGitDir(named string) error {
	return &Error{NotRepository, diag.Failure{Fact: diag.Say("git-dir-elsewhere", named), Hint: diag.Say("start-as-hook")}}
}

// errUnmerged names the first file of an unfinished merge.
func errUnmerged(paths []string) error {
	return &Error{Unmerged, diag.Failure{Fact: diag.Say("index-conflicts", diag.Some(paths, 1)), Hint: diag.Say("resolve-conflicts")}}
}

// errMissing says that an object is not there. In a partial clone that is
// meant so, and git would fetch it; nothing is fetched behind somebody's back.
func errMissing(git program, what diag.Words, err error) error {
	e := &Error{MissingObject, diag.Failure{Fact: diag.Say("object-missing", what), Hint: diag.Say("fetch-again"), Cause: err}}
	if promisors, found := git.run("config", "--get-regexp", `^remote\..*\.promisor$`); found == nil && promisors != "" {
		e.Fact, e.Hint = diag.Say("object-not-fetched", what), diag.Say("fetch-unfiltered")
	}
	return e
}
