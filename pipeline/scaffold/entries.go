package scaffold

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
)

// Snapshot is a file with a prompt that another program assembled, or several;
// or one that lies beside such files.
type Snapshot struct {
	Path    string   // relative to the manifest's folder, with slashes
	Entries []string // see [Entries]
	Sort    Sort
}

// Sort is what a file seems to be.
type Sort int

// The sorts of files.
const (
	Prompt   Sort = iota // any text
	ToolList             // JSON that defines tools
	Data                 // other JSON
	ReadMe
)

// Look takes a file for what it seems to be.
func Look(name, text string) Snapshot {
	s := Snapshot{Path: name, Entries: Entries(text)}
	stem, _, _ := strings.Cut(path.Base(name), ".")
	switch {
	case strings.EqualFold(stem, "readme"):
		s.Sort = ReadMe
	case definesTools(text):
		s.Sort = ToolList
	case strings.HasPrefix(strings.TrimSpace(text), "{") || strings.HasPrefix(strings.TrimSpace(text), "["):
		if json.Valid([]byte(text)) {
			s.Sort = Data
		}
	}
	return s
}

// definesTools reports whether a text is JSON in which each element of a list
// has what a tool has: a name, or a function.
func definesTools(text string) bool {
	type tool struct {
		Name     string
		Function json.RawMessage
	}
	var list []tool
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		var object struct{ Tools []tool }
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			return false
		}
		list = object.Tools
	}
	for _, t := range list {
		if t.Name == "" && t.Function == nil {
			return false
		}
	}
	return len(list) > 0
}

var savedHeader = regexp.MustCompile(`^\s*// (?:Jest|Vitest) Snapshot v\d`)

const entryStart = "exports[`"

// Entries gives the names of the entries in a snapshot file of jest or vitest,
// in the order of the file; none for any other file, which may quote one. An
// entry begins at the start of a line; within a text, its first backtick would
// have an escape.
func Entries(text string) []string {
	if !savedHeader.MatchString(text) && !strings.HasPrefix(strings.TrimLeft(text, "\r\n"), entryStart) {
		return nil
	}
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		rest, ok := strings.CutPrefix(line, entryStart)
		if !ok {
			continue
		}
		name, closed := entryName(rest)
		if closed {
			out = append(out, name)
		}
	}
	return out
}

// entryName reads up to the backtick that has no escape.
func entryName(s string) (name string, closed bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '`':
			return b.String(), true
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", false
}
