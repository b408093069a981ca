package load

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// maxPlain limits what Plain and PlainFrom read. A text of this size has more
// tokens than any model reads, and a stream without an end has to end somewhere.
const maxPlain = 64 << 20

// What Plain and PlainFrom refuse, besides ErrNotRegular and NotUTF8Error. All
// are found with errors.Is.
var (
	// ErrFolder is the error of a name that is a folder's.
	ErrFolder = errors.New("a folder")
	// ErrTooLarge is the error of a text that does not end in time.
	ErrTooLarge = errors.New("larger than 64 MiB")
)

// NotUTF8Error is the error of a text that is no valid UTF-8.
type NotUTF8Error struct {
	Offset int  // of the first byte that is wrong
	Byte   byte // that byte
}

// Error says where the text is wrong.
func (e *NotUTF8Error) Error() string {
	return fmt.Sprintf("byte 0x%02x at offset %d is not UTF-8", e.Byte, e.Offset)
}

// Plain reads a file of any place on disk as its bytes are: byte order mark,
// CRLF and NUL included, which sources may not have or lose when they are read.
// Only valid UTF-8 is a text.
//
// It follows links and never waits: what is no regular file is ErrFolder or
// ErrNotRegular. A name that cannot be one (a part of it is a file, it is too
// long) is fs.ErrNotExist like one that nobody has.
func Plain(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("read %s: %w", name, cause(err))
	case err != nil:
		return "", fmt.Errorf("read %s: %w: %w", name, fs.ErrNotExist, cause(err))
	}
	if err := ordinary(info); err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	file, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, cause(err))
	}
	var text string
	if info, err = file.Stat(); err == nil {
		err = ordinary(info) // the answer may have changed
	}
	if err == nil {
		text, err = plainText(file, info.Size())
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("read %s: %w", name, cause(err))
	}
	return text, nil
}

// PlainFrom is Plain for what arrives in a stream. It reads to the end, and not
// past the limit.
func PlainFrom(r io.Reader) (string, error) { return plainText(r, 0) }

// ordinary says why a file cannot be read to its end.
func ordinary(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return ErrFolder
	case !info.Mode().IsRegular():
		return ErrNotRegular
	default:
		return nil
	}
}

// plainText reads what is expected to have so many bytes.
func plainText(r io.Reader, size int64) (string, error) {
	var b strings.Builder
	b.Grow(int(min(max(size, 0), maxPlain)))
	n, err := io.Copy(&b, io.LimitReader(r, maxPlain+1))
	switch {
	case err != nil:
		return "", err
	case n > maxPlain:
		return "", ErrTooLarge
	}
	text := b.String()
	if first := invalid(text); first >= 0 {
		return "", &NotUTF8Error{Offset: first, Byte: text[first]}
	}
	return text, nil
}
