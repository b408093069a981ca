package snapshot

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path"
	"strconv"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// staged is an output with the name of the temporary file beside its place that
// holds it; "" once it is in its place.
type staged struct {
	prompt.Output
	temp string
}

// firstNumber ends the name of a temporary file unless another one has it.
// People name files .eslintrc.json5: leftovers have two digits or more.
const firstNumber = 10

// stage writes an output to a temporary file beside its place and syncs it. An
// existing file's permissions are kept.
func (c *committer) stage(s *staged) (struct{}, error) {
	perm, exists := fs.FileMode(0o644), false
	if stat, err := c.root.Lstat(s.Path); err == nil {
		perm, exists = stat.Mode().Perm(), true
	}
	var f *os.File
	var temp string
	err := fs.ErrExist
	for n := firstNumber; errors.Is(err, fs.ErrExist); n++ {
		temp = path.Join(path.Dir(s.Path), "."+path.Base(s.Path)+strconv.Itoa(n))
		f, err = c.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	}
	if err != nil {
		return struct{}{}, writing(s.Path, err)
	}
	s.temp = temp
	buffer := bufio.NewWriter(f)
	for _, p := range s.Parts {
		_, _ = buffer.WriteString(p) // Flush gives the first error
	}
	err = buffer.Flush()
	if err == nil && exists {
		err = f.Chmod(perm) // the mask took some away
	}
	if err == nil {
		err = f.Sync()
	}
	return struct{}{}, writing(s.Path, errors.Join(err, f.Close()))
}

// replace puts staged files in their places, each in one step.
func (c *committer) replace(all []*staged) error {
	for _, s := range all {
		if err := c.root.Rename(s.temp, s.Path); err != nil {
			return writing(s.Path, err)
		}
		s.temp = ""
	}
	return nil
}

// discard removes the temporary files that are still there.
func (c *committer) discard(all []*staged) {
	for _, s := range all {
		if s.temp != "" {
			_ = c.root.Remove(s.temp) // the error that is reported came first; the next build removes it
		}
	}
}
