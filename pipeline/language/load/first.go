package load

import (
	"io/fs"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// First reads the first of some files that is there in a repository, as UTF-8 with
// LF at the end of lines; what is not UTF-8 is U+FFFD in it. Without one the file is nil. Where
// something else than a file stands in its place, fact says what. A file over the
// limit has no text, and large is true.
func First(fsys fs.FS, names []string, limit int64) (file *diag.File, large bool, fact diag.Words, err error) {
	d := newDisk(fsys)
	for _, name := range names {
		s, err := d.inspect(name)
		if err != nil {
			return nil, false, fact, err
		}
		switch s {
		case missing, directory:
			continue
		case regular:
		case escaping:
			return &diag.File{Path: name}, false, diag.Say("link-leaves-repository"), nil
		default:
			return &diag.File{Path: name}, false, s.fact(), nil
		}
		data, err := d.read(name, limit)
		if err != nil {
			return nil, false, fact, err
		}
		if int64(len(data)) > limit {
			return &diag.File{Path: name}, true, fact, nil
		}
		text := lineBreak.ReplaceAllString(strings.TrimPrefix(string(data), "\uFEFF"), "\n")
		return &diag.File{Path: name, Text: string([]rune(text))}, false, fact, nil
	}
	return nil, false, fact, nil
}
