package load_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/language/load"
)

func TestPlainKeepsEveryByte(t *testing.T) {
	for _, text := range []string{"", "a", "\ufeffa\r\nb\x00c\n", "<<<<<<< a\n=======\n>>>>>>> b\n", "\ufffd", strings.Repeat("ä", 2<<20)} {
		name := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := load.Plain(name)
		if err != nil || got != text {
			t.Errorf("Plain gives %d bytes, %v; want %d", len(got), err, len(text))
		}
		if got, err = load.PlainFrom(strings.NewReader(text)); err != nil || got != text {
			t.Errorf("PlainFrom gives %d bytes, %v; want %d", len(got), err, len(text))
		}
	}
}

func TestPlainSaysWhereATextIsWrong(t *testing.T) {
	for _, tt := range []struct {
		text   string
		offset int
		wrong  byte
	}{
		{"\xff", 0, 0xff},
		{"ab\xc3", 2, 0xc3},
		{"\ufffd\xed\xa0\x80", 3, 0xed},
		{"ä\x80\xff", 2, 0x80},
	} {
		_, err := load.PlainFrom(strings.NewReader(tt.text))
		wrong, ok := errors.AsType[*load.NotUTF8Error](err)
		if !ok || !reflect.DeepEqual(wrong.Fact.Args, []any{tt.wrong, tt.offset}) {
			t.Errorf("PlainFrom(%q): %v; want byte %#x at offset %d", tt.text, err, tt.wrong, tt.offset)
		}
	}
}

// endless is a stream that nobody closes; it counts what was read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	e.read += len(p)
	return len(p), nil
}

func TestPlainEndsAtItsLimit(t *testing.T) {
	e := &endless{}
	if _, err := load.PlainFrom(e); !errors.Is(err, load.ErrTooLarge) {
		t.Errorf("an endless text: %v; want ErrTooLarge", err)
	}
	if e.read > 65<<20 {
		t.Errorf("%d bytes of an endless text were read", e.read)
	}
	if text, err := load.PlainFrom(io.LimitReader(&endless{}, 64<<20)); err != nil || len(text) != 64<<20 {
		t.Errorf("64 MiB: %d bytes, %v", len(text), err)
	}
	name := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 64<<20+1); err != nil {
		t.Fatal(err)
	}
	if _, err := load.Plain(name); !errors.Is(err, load.ErrTooLarge) {
		t.Errorf("a file of 64 MiB and a byte: %v; want ErrTooLarge", err)
	}
}

func TestPlainRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		want error
	}{
		{dir, load.ErrFolder},
		{filepath.Join(dir, "missing"), fs.ErrNotExist},
		{filepath.Join(file, "below=a"), fs.ErrNotExist},
		{filepath.Join(dir, strings.Repeat("a", 5000)), fs.ErrNotExist},
	} {
		if _, err := load.Plain(tt.name); !errors.Is(err, tt.want) {
			t.Errorf("Plain(%q): %v; want %v", tt.name, err, tt.want)
		}
	}
}

func TestPlainFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "file"), link); err != nil {
		t.Skip(err)
	}
	if text, err := load.Plain(link); err != nil || text != "text" {
		t.Errorf("Plain of a link: %q, %v", text, err)
	}
}
