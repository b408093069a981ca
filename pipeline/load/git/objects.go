package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

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
	b := &batch{cmd: p.command(context.Background(), "cat-file", "--batch"), said: &said{}, limit: p.limit}
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
		return "", 0, fmt.Errorf("git cat-file answers %q", brief(line))
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
			return nil, false, failed("be started", (&said{}).because(err))
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
		return nil, false, errMissing(o.git, "object "+id, nil)
	case isKind(err, Failed):
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
		return nil, false, &Error{Message: fmt.Sprintf("object %s is a %s, not a file", id, kind), Hint: "the repository is damaged: git fsck says more"}
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
	if b.said.has("promisor") || b.said.has("lazy fetching") {
		return errMissing(o.git, "object "+id, err)
	}
	return failed("read object "+id, err)
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
		return failed("be ended", b.said.because(ended))
	}
	return nil
}
