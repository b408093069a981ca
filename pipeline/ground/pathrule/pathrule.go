// Package pathrule holds what the names of files mean on the systems that a
// repository is checked out on: which are devices on Windows, which lead into
// the folder that Git keeps for itself, and which no system refuses. It touches
// no disk.
package pathrule

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// devices are names that Windows gives to no file, with any extension; `com`
// and `lpt` have a digit behind them (learn.microsoft.com, "Naming Files, Paths,
// and Namespaces").
var devices = []string{"con", "prn", "aux", "nul", "conin$", "conout$"}

// Device reports whether Windows keeps a name for a device.
func Device(name string) bool {
	stem, _, dotted := strings.Cut(name, ".")
	if dotted {
		stem = strings.TrimRight(stem, " ")
	}
	for _, device := range devices {
		if strings.EqualFold(stem, device) {
			return true
		}
	}
	if len(stem) < len("com1") || !strings.EqualFold(stem[:3], "com") && !strings.EqualFold(stem[:3], "lpt") {
		return false
	}
	number, size := utf8.DecodeRuneInString(stem[3:])
	return size == len(stem[3:]) && strings.ContainsRune("0123456789¹²³", number)
}

// Git reports whether some file system takes a name for .git, as Git's own
// verify_path judges: in any case, by its short name on Windows, with what
// Windows ignores behind it (dots and blanks, then a stream or more of a path),
// and with the characters that HFS+ ignores anywhere in it.
func Git(name string) bool {
	if name == "" || name[0] < utf8.RuneSelf && name[0] != '.' && name[0] != 'g' && name[0] != 'G' {
		return false // as nearly all names are
	}
	name = strings.Map(func(c rune) rune {
		if ignoredByHFS(c) {
			return -1
		}
		return c
	}, name)
	for _, own := range []string{".git", "git~1"} {
		if len(name) >= len(own) && strings.EqualFold(name[:len(own)], own) {
			rest := strings.TrimLeft(name[len(own):], ". ")
			return rest == "" || rest[0] == ':' || rest[0] == '\\'
		}
	}
	return false
}

func ignoredByHFS(c rune) bool {
	return '\u200c' <= c && c <= '\u200f' || '\u202a' <= c && c <= '\u202e' || '\u206a' <= c && c <= '\u206f' || c == '\ufeff'
}

// InGit reports whether a path, with slashes, leads through a name that is
// [Git]'s.
func InGit(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if Git(name) {
			return true
		}
	}
	return false
}

// Refused gives the key of the words that say why not every system can have a
// file or folder of a name, "" if all can.
func Refused(name string) string {
	switch {
	case strings.ContainsAny(name, "\\:*?\"<>|/") || strings.ContainsFunc(name, unicode.IsControl):
		return "holds-odd-character"
	case Git(name):
		return "lies-in-git"
	case Device(name):
		return "name-of-device"
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "name-ends-in-dot"
	}
	return ""
}

// BreaksLines reports whether a character cannot stand in a list of one path a
// line.
func BreaksLines(c rune) bool {
	return unicode.IsControl(c) || c == '\u2028' || c == '\u2029'
}

// PlainFolder gives the path of a folder without what many write around it: `./`
// before it and `/` behind it.
func PlainFolder(p string) string {
	if dir := strings.TrimPrefix(p, "./"); !strings.HasPrefix(dir, "/") {
		p = dir
	}
	if dir := strings.TrimRight(p, "/"); dir != "" || p == "" {
		p = dir
	}
	return p
}
