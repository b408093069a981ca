package load

import (
	"path"
	"strings"
	"unicode/utf8"
)

// maxTarget is how long the target of a link is, in bytes, as on Linux.
const maxTarget = 4095

// flattens reports whether the bytes of a file are what git writes where it checks out
// no symbolic links (core.symlinks=false, as on Windows): nothing but the path of what
// the link leads to.
func (d disk) flattens(name string, data []byte) bool {
	target := string(data)
	if len(target) > maxTarget || strings.Trim(target, ".") == "" || !strings.ContainsAny(target, "./") ||
		strings.ContainsAny(target, "\n\r\x00") || path.IsAbs(target) || !utf8.ValidString(target) {
		return false
	}
	dest, err := d.real(name)
	if err != nil {
		return false
	}
	to := path.Join(path.Dir(dest), target)
	if to == dest || to == ".." || strings.HasPrefix(to, "../") {
		return false
	}
	s, err := d.inspect(to)
	return err == nil && (s == regular || s == directory)
}

// isFlattened is flattens for a path, which may be none of a file.
func (d disk) isFlattened(name string) (bool, error) {
	if s, err := d.inspect(name); err != nil || s != regular {
		return false, err
	}
	data, err := d.read(name, maxTarget)
	return err == nil && d.flattens(name, data), err
}
