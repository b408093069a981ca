package git

import (
	"errors"
	"fmt"
	"strings"
	"time"
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
	Kind    Kind
	Message string // one line, lower case, no full stop
	Hint    string // what to do; may be empty
	cause   error
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.cause }

// failed words what nobody foresaw. It quotes git, so that one can search for
// its words.
func failed(what string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	e := &Error{Message: "git could not " + what, cause: err}
	if s, ok := saidBy(err); ok {
		if words := s.complaint(); words != "" {
			e.Message += fmt.Sprintf(": it says %q", brief(words))
		}
	}
	return e
}

// brief cuts a text that is to be quoted.
func brief(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
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
		return failed("be started", err)
	}
	switch {
	case s.has("dubious ownership"), s.has("unsafe repository"):
		return errUntrusted(s, err)
	case s.has("not a git repository"), s.has("cannot use bare repository"):
		return errNotRepository(dir, err)
	default:
		return failed("read the repository", err)
	}
}

func errNotRepository(dir string, err error) error {
	return &Error{
		Kind: NotRepository, Message: fmt.Sprintf("%q is not in a git repository", dir),
		Hint: "start it in a checkout of a repository, or make one: git init", cause: err,
	}
}

func errNoFolder(dir string, err error) error {
	return &Error{Kind: NotRepository, Message: fmt.Sprintf("no folder %q", dir), cause: err}
}

// errSlow says that git was not waited for any longer.
func errSlow(limit time.Duration) error {
	return &Error{
		Message: fmt.Sprintf("git did not answer within %g s", limit.Seconds()),
		Hint:    "it may be waiting for a file that is a pipe, such as one that include.path in .git/config names, or for a slow disk",
	}
}

func isKind(err error, kind Kind) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Kind == kind
}

// errUntrusted says that git does not trust a repository. Only git knows by
// which path it wants it named.
func errUntrusted(s *said, err error) error {
	top := ""
	if _, rest, ok := strings.Cut(string(s.text), "safe.directory "); ok {
		top, _, _ = strings.Cut(rest, "\n")
	}
	return &Error{
		Kind: Untrusted, Message: "git does not read the repository, because it belongs to somebody else",
		Hint: "if you trust it: git config --global --add safe.directory " + plain(strings.TrimSpace(top), "FOLDER"), cause: err,
	}
}

func errNoWorkTree(dir string) error {
	return &Error{
		Kind: NotRepository, Message: fmt.Sprintf("%q is not in a work tree: git keeps the repository itself there", dir),
		Hint: "start it in a checkout of the repository",
	}
}

func errGitDir(named string) error {
	return &Error{
		Kind: NotRepository, Message: fmt.Sprintf("GIT_DIR is %q, which is no repository here", brief(named)),
		Hint: "start it in the folder in which git starts the hook, or unset GIT_DIR",
	}
}

// errUnmerged names the first file of an unfinished merge.
func errUnmerged(paths []string) error {
	message := fmt.Sprintf("the index holds conflicts: %q", paths[0])
	if more := len(paths) - 1; more > 0 {
		message += fmt.Sprintf(" and %d more", more)
	}
	return &Error{Kind: Unmerged, Message: message, Hint: "resolve the conflicts, then run: git add"}
}

// errMissing says that an object is not there. In a partial clone that is
// meant so, and git would fetch it; nothing is fetched behind somebody's back.
func errMissing(git program, what string, err error) error {
	e := &Error{Kind: MissingObject, Message: what + " is missing from the repository", cause: err}
	e.Hint = "git fsck says what else is damaged; git fetch --refetch gets it again"
	if promisors, found := git.run("config", "--get-regexp", `^remote\..*\.promisor$`); found == nil && promisors != "" {
		e.Message = what + " was not fetched: the clone is partial"
		e.Hint = "fetch it: git fetch --refetch --no-filter"
	}
	return e
}
