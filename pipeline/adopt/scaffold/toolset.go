package scaffold

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// jsonAlone looks at files of which none is a text: those of tools go beside the
// rest, if all of them do by their names. Else they are sent as tools, by folder, and
// the rest is taken as texts.
func (f *finder) jsonAlone() {
	if with, data, tools := f.dataAsTexts(); len(data) > 0 && tools > 0 && f.besideTools(with) == tools {
		f.files = with
		f.say(diag.Say("json-alone", diag.AndOthers(data)))
		return
	}
	f.findToolsets(func(Snapshot) bool { return true }, maxOther)
	var texts []string
	for i := range f.files {
		s := &f.files[i]
		folder := f.hasToolset(path.Dir(s.Path))
		switch {
		case s.Sort == ToolList && !f.sent[s.Path]:
			s.Sort, s.Alone = Prompt, s.Alone || folder // no pattern of these takes the others
		case s.Sort == Data && !folder:
			s.Sort = Prompt
		default:
			continue
		}
		texts = append(texts, s.Path)
	}
	if len(texts) > 0 {
		f.say(diag.Say("json-alone", diag.AndOthers(texts)))
	}
}

// dataAsTexts gives the files with JSON that defines no tools as texts, and the
// number of the others that do.
func (f *finder) dataAsTexts() (with []Snapshot, data []string, tools int) {
	with = slices.Clone(f.files)
	for i, s := range with {
		if s.Sort == Data {
			with[i].Sort, data = Prompt, append(data, s.Path)
		}
		if s.Sort == ToolList {
			tools++
		}
	}
	return with, data, tools
}

// findToolsets makes prompts of the files of tools that are asked for, where not too
// much else lies in their folder: one of so many files at most. 0 is for anything.
func (f *finder) findToolsets(asked func(Snapshot) bool, most int) {
	var tools []Snapshot
	others := map[string]int{} // by folder
	for _, s := range f.files {
		if s.Sort == ToolList && asked(s) {
			tools = append(tools, s)
		} else if s.Sort == ToolList || s.Sort == Prompt || s.Sort == Data {
			others[path.Dir(s.Path)]++
		}
	}
	for _, files := range partition(tools, func(s Snapshot) string { return path.Dir(s.Path) }) {
		for i, set := range toolsetsOf(files, others[path.Dir(files[0].Path)], most) {
			l := f.toolset(set)
			if l.nth = i + 1; most == 0 && len(set) == 1 {
				l.Path, l.nth = set[0].Path, 0 // it is called after its file
			}
			f.toolsets = append(f.toolsets, l)
			f.say(diag.Say("took-as-toolset", diag.AndOthers(l.files)))
		}
	}
}

// maxOther is how much of a folder may not go into its first toolset: one of so
// many files.
const maxOther = 4

// toolsetsOf divides the files of tools in a folder, beside some others, so that no
// two in a set define a tool of one name. The first has most files; nil where it has
// not, and most is not 0.
func toolsetsOf(files []Snapshot, others, most int) (sets [][]Snapshot) {
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, b Snapshot) int { // x.json before x-y.json, which varies it
		return cmp.Or(len(a.Path)-len(b.Path), strings.Compare(a.Path, b.Path))
	})
	var taken []map[string]int // by set: the sides that have a tool, by its name
	for _, s := range sorted {
		if s.NoTools || literalPath(s.Path) != s.Path {
			continue
		}
		i := slices.IndexFunc(taken, func(t map[string]int) bool {
			return !slices.ContainsFunc(s.Tools, func(name string) bool { return t[name]&s.sides() != 0 })
		})
		if i < 0 {
			i, taken, sets = len(taken), append(taken, map[string]int{}), append(sets, nil)
		}
		for _, name := range s.Tools {
			taken[i][name] |= s.sides()
		}
		sets[i] = append(sets[i], s)
	}
	if all := len(files) + others; len(sets) == 0 || (all-len(sets[0]))*most > all {
		return nil
	}
	return sets
}

// sides are the states that have a file, a bit each.
func (s *Snapshot) sides() int { return max(s.Sides, 1) }

// toolset makes the prompt that sends the tools of files in a folder: by one
// pattern, which takes later ones too, where it takes no other file now.
func (f *finder) toolset(files []Snapshot) *Legacy {
	dir, ext := path.Dir(files[0].Path), path.Ext(files[0].Path)
	l := &Legacy{Path: path.Join(dir, "*"+ext), files: pathsOf(files), rows: [][]string{nil}}
	slices.Sort(l.files)
	l.Toolset = []string{l.Path}
	in := map[string]bool{}
	for _, name := range l.files {
		in[name], f.sent[name] = true, true
	}
	other := func(s Snapshot) bool {
		in := in[s.Path]
		return in && path.Ext(s.Path) != ext || !in && path.Dir(s.Path) == dir && path.Ext(s.Path) == ext
	}
	if ext == "" || !f.asked.all(l.Path) || slices.ContainsFunc(f.files, other) {
		l.Toolset = l.files
	}
	return l
}

// hasToolset reports whether the files of a folder are sent as tools.
func (f *finder) hasToolset(folder string) bool {
	return slices.ContainsFunc(f.toolsets, func(l *Legacy) bool { return path.Dir(l.Path) == folder })
}

// writeSources writes the sources of the prompts without a text.
func writeSources(b *writer, prompts []*Legacy) {
	head := "sources:\n"
	for _, l := range prompts {
		if l.Toolset == nil {
			continue
		}
		b.WriteString(head)
		b.about(nil)
		head = ""
		if len(l.Toolset) > 1 {
			b.printf("  %s: # each file, since a pattern would take others: add those that come\n    kind: tools\n    path: %s\n", scalar(l.ID), list("    path: [", l.Toolset, quote))
		} else {
			b.printf("  %s: {kind: tools, path: %s}\n", scalar(l.ID), quote(l.Toolset[0]))
		}
		b.about(l.files)
	}
	if head == "" {
		b.WriteString("\n")
	}
}
