package snapshot

import (
	"path"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// store collects the files below the snapshot folder. Equal texts of a group
// share one file.
type store struct {
	folder    string
	outputs   []prompt.Output
	sizes     []string // by output: the text to measure
	byContent map[string]int
	taken     map[string]bool // paths in lower case
}

// keep adds a file, or finds the one of the same group that has the same content
// and extension, and gives its path below the folder. The index counts the
// measured text.
func (s *store) keep(at, group string, owner prompt.Owner, measured string, users prompt.Users) string {
	key := path.Ext(at) + "\x00" + group + "\x00" + owner.Text.Str
	if i, ok := s.byContent[key]; ok {
		s.use(i, users)
		return s.below(i)
	}
	s.byContent[key] = len(s.outputs)
	return s.add(at, owner, measured, users)
}

// add adds a file, whatever the store has already.
func (s *store) add(at string, owner prompt.Owner, measured string, users prompt.Users) string {
	at = freeName(s.taken, at, path.Ext(at))
	if users.Build != nil {
		users.Set = users.Set.Clone()
		owner.Users = []prompt.Users{users}
	}
	s.outputs = append(s.outputs, prompt.Output{Path: s.folder + "/" + at, Parts: []string{owner.Text.Str}, Owner: owner})
	s.sizes = append(s.sizes, measured)
	return at
}

// use notes more variants of a file.
func (s *store) use(i int, more prompt.Users) {
	owner := &s.outputs[i].Owner
	for _, u := range owner.Users {
		if u.Build == more.Build {
			u.Set.Union(more.Set)
			return
		}
	}
	more.Set = more.Set.Clone()
	owner.Users = append(owner.Users, more)
}

// below gives an output's path without the folder.
func (s *store) below(i int) string { return s.outputs[i].Path[len(s.folder)+1:] }
