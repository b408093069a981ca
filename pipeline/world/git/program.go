package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// noAnswer is the exit status by which git says no, as against that it could
// not do what it was asked.
const noAnswer = 1

// program runs git in a folder.
type program struct {
	// ctx ends git when it ends. It is kept here because a file system reads
	// later, and the methods of [fs.FS] take no context.
	ctx context.Context
	dir string
	// gitDir is where the repository is kept, and top the folder that holds
	// its files; "" leaves git to look for them.
	gitDir, top string
	// env is the whole environment.
	env []string
	// limit is how long git may take for one answer.
	limit time.Duration
	// in is what git reads from its standard input.
	in string
}

// guard is what git is always told: to speak plainly and in one language, to
// take names as they are, to wait for nobody, to write nothing, and to stay off
// the network. The protocols say the last once more, since older versions of
// git do not know GIT_NO_LAZY_FETCH.
var guard = []string{
	"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1",
	"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
}

// contrary are variables that git refuses beside those of guard.
var contrary = []string{"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}

// environment gives the caller's environment, guarded.
func environment() []string {
	return append(without(exec.Command("git").Environ(), contrary...), guard...)
}

// variable gives the value of a variable of an environment, "" for none.
func variable(env []string, name string) string {
	for _, v := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// without gives an environment without some variables.
func without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(names, name)
	})
}

// settings overrule those of the repository that would change an answer, name a
// program to be run, or have git take a folder for a repository that is not
// called `.git`.
var settings = []string{
	"safe.bareRepository=explicit", "protocol.allow=never", "core.fsmonitor=false", "core.hooksPath=/dev/null",
	"core.quotePath=false", "core.warnAmbiguousRefs=true",
}

// command prepares git.
func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	all := []string{"-C", p.dir, "--no-pager"}
	for _, s := range settings {
		all = append(all, "-c", s)
	}
	if p.gitDir != "" {
		all = append(all, "--git-dir="+p.gitDir)
	}
	if p.top != "" {
		all = append(all, "--work-tree="+p.top)
	}
	cmd := exec.CommandContext(ctx, "git", append(all, args...)...) //nolint:gosec // arguments from outside follow --end-of-options or are ids
	cmd.Env, cmd.WaitDelay = p.env, patience
	return cmd
}

// run gives what git prints. Its error is a *said, or an *Error where there is
// no git.
func (p program) run(args ...string) (string, error) {
	out, _, err := p.answer(args...)
	return out, err
}

// answer is run that also gives what git wrote to its standard error, never nil.
func (p program) answer(args ...string) (string, *said, error) {
	ctx, cancel := context.WithTimeout(p.ctx, p.limit)
	defer cancel()
	cmd := p.command(ctx, args...)
	var out bytes.Buffer
	said := &said{}
	cmd.Stdout, cmd.Stderr = &out, said
	if p.in != "" {
		cmd.Stdin = strings.NewReader(p.in)
	}
	switch err := cmd.Run(); {
	case err == nil:
		return out.String(), said, nil
	case p.ctx.Err() != nil:
		return "", said, p.ctx.Err()
	case ctx.Err() != nil:
		return "", said, errSlow(p.limit)
	default:
		return "", said, said.because(err)
	}
}

// line gives what git prints as one line.
func (p program) line(args ...string) (string, error) {
	out, err := p.run(args...)
	return strings.TrimSuffix(out, "\n"), err
}

// said is what git wrote to its standard error before it failed. It is an
// error, but none to be shown: see failed.
type said struct {
	text   []byte
	status int
	cause  error
}

// maxSaid is how much of it is kept, in bytes.
const maxSaid = 16 << 10

// Write keeps the beginning.
func (s *said) Write(text []byte) (int, error) {
	s.text = append(s.text, text[:min(len(text), maxSaid-len(s.text))]...)
	return len(text), nil
}

func (s *said) Error() string { return "git: " + s.cause.Error() }

func (s *said) Unwrap() error { return s.cause }

// because gives the error of a git that ended with one.
func (s *said) because(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		s.status, s.cause = exit.ExitCode(), err
		return s
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, exec.ErrDot) {
		return &Error{NoProgram, diag.Failure{Fact: diag.Say("no-git"), Hint: diag.Say("install-git"), Cause: err}}
	}
	s.cause = err
	return s
}

// topic is something that git says, which matters here.
type topic string

// The topics.
const (
	untrusted    topic = "untrusted"     // the repository is somebody else's
	noRepository topic = "no-repository" // there is none
	ambiguous    topic = "ambiguous"     // a name of several things, or of several ids
	shortLog     topic = "short-log"     // a time before a log begins
	noUpstream   topic = "no-upstream"   // of a branch
	noBranch     topic = "no-branch"     // HEAD is detached
	notFetched   topic = "not-fetched"   // an object that a partial clone lacks
	beyondLink   topic = "beyond-link"   // a path through a symbolic link
)

// phrases are what git says of a topic, in one version or another. Its exit status is
// the same for nearly everything, so its words are all that tells.
var phrases = map[topic][]string{
	untrusted:    {"dubious ownership", "unsafe repository"},
	noRepository: {"not a git repository", "cannot use bare repository"},
	ambiguous:    {"is ambiguous"},
	shortLog:     {"only goes back to"},
	noUpstream:   {"no upstream configured"},
	noBranch:     {"does not point to a branch"},
	notFetched:   {"promisor", "lazy fetching"},
	beyondLink:   {"beyond a symbolic link"},
}

// about reports whether git speaks of a topic.
func (s *said) about(t topic) bool {
	return slices.ContainsFunc(phrases[t], func(phrase string) bool { return bytes.Contains(s.text, []byte(phrase)) })
}

// complaint gives the first line of what git says went wrong, "" for none.
func (s *said) complaint() string {
	for line := range strings.Lines(string(s.text)) {
		for _, start := range []string{"fatal: ", "error: "} {
			if words, ok := strings.CutPrefix(line, start); ok {
				return strings.TrimSpace(words)
			}
		}
	}
	return ""
}

// saidBy gives what git said where that is the cause of an error.
func saidBy(err error) (*said, bool) { return errors.AsType[*said](err) }

// objects hands over what git keeps under an id. It runs one git, from the first
// question on.
type objects struct {
	git program

	mu       sync.Mutex
	closed   bool
	contents *batch
}

// batch is a git that answers a question a line.
type batch struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said *said
	// limit is how long git may take for one answer.
	limit time.Duration
}

// patience is how long a git that was told to end is waited for.
const patience = 5 * time.Second

// start runs the git that is asked.
func (p program) start() (*batch, error) {
	b := &batch{cmd: p.command(p.ctx, "cat-file", "--batch"), said: &said{}, limit: p.limit}
	b.cmd.Stderr = b.said
	in, err := b.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.in, b.out = in, bufio.NewReader(out)
	return b, b.cmd.Start()
}

// ask gives the type of an object and its size in bytes. The type is "missing"
// where there is no such object.
func (b *batch) ask(id string) (kind string, size int64, err error) {
	if _, err := io.WriteString(b.in, id+"\n"); err != nil {
		return "", 0, err
	}
	line, err := b.out.ReadString('\n')
	if err != nil {
		return "", 0, err
	}
	words := strings.Fields(line)
	switch {
	case len(words) == 2 && words[1] == "missing":
		return words[1], 0, nil
	case len(words) == 3:
		size, err = strconv.ParseInt(words[2], 10, 64)
		return words[1], size, err
	default:
		return "", 0, fmt.Errorf("cat-file: %q", diag.Start(line, 200))
	}
}

// within has an exchange with git, and ends git where it takes too long.
func (b *batch) within(exchange func() error) error {
	late := time.AfterFunc(b.limit, func() { _ = b.cmd.Process.Kill() }) // it may have ended just now
	err := exchange()
	if !late.Stop() {
		return errSlow(b.limit)
	}
	return err
}

// end waits for git to end; kill does not let it finish.
func (b *batch) end(kill bool) error {
	err := b.in.Close()
	if kill {
		err = errors.Join(err, b.cmd.Process.Kill())
	}
	return errors.Join(err, b.cmd.Wait())
}

// read gives the content of a file, up to a limit in bytes, and whether that
// is all of it. The rest is not transferred.
func (o *objects) read(id string, limit int64) (data []byte, whole bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, false, fs.ErrClosed
	}
	if o.contents == nil {
		if o.contents, err = o.git.start(); err != nil {
			o.contents = nil
			return nil, false, failed(diag.Say("be-started"), (&said{}).because(err))
		}
	}
	var kind string
	var size int64
	err = o.contents.within(func() (err error) {
		if kind, size, err = o.contents.ask(id); err != nil || kind == "missing" {
			return err
		}
		data = make([]byte, min(size, limit))
		_, err = io.ReadFull(o.contents.out, data)
		return err
	})
	switch {
	case err == nil && kind == "missing":
		return nil, false, errMissing(o.git, diag.Say("object-named", id), nil)
	case Is(err, Failed):
		o.drop()
		return nil, false, err
	case err != nil:
		return nil, false, o.broken(id, err)
	case size > limit || kind != "blob":
		o.drop()
	default:
		if _, err := o.contents.out.Discard(len("\n")); err != nil {
			return nil, false, o.broken(id, err)
		}
	}
	if kind != "blob" {
		return nil, false, &Error{Failed, diag.Failure{Fact: diag.Say("object-no-file", id, kind), Hint: diag.Say("repository-damaged")}}
	}
	return data, size <= limit, nil
}

// drop ends the git of the contents in the middle of an answer. That it did not
// like it is no error.
func (o *objects) drop() {
	_ = o.contents.end(true)
	o.contents = nil
}

// broken says why git stopped answering: an object that it could not get, or
// that is damaged.
func (o *objects) broken(id string, cause error) error {
	b := o.contents
	o.contents = nil
	err := b.said.because(cause)
	if ended := b.end(true); ended != nil {
		err = b.said.because(ended)
	}
	if b.said.about(notFetched) {
		return errMissing(o.git, diag.Say("object-named", id), err)
	}
	return failed(diag.Say("read-object", id), err)
}

// close ends git. After it nothing can be read.
func (o *objects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	b := o.contents
	if o.contents = nil; b == nil {
		return nil
	}
	if ended := b.end(false); ended != nil {
		return failed(diag.Say("be-ended"), b.said.because(ended))
	}
	return nil
}
