package scaffold

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Found are the prompts in files that another program wrote.
type Found struct {
	Prompts []*Legacy
	// Said are what was made of files that are not simply taken, a line each.
	Said []string
}

// Unfit says why there is no prompt in some files, and what to do.
type Unfit struct{ Fact, Hint string }

func (u *Unfit) Error() string { return u.Fact }

// maxPrompts is how many prompts are written one by one.
const maxPrompts = 200

// Derive finds the prompts in files: one with axes, if their names go together;
// else one for each folder, file or entry. The error is an *Unfit.
func Derive(files []Snapshot) (*Found, error) {
	f := &finder{out: &Found{}, ids: map[string]bool{}}
	files, tools := f.sorted(files)
	if len(files) == 0 {
		return nil, &Unfit{"there is no prompt in what it matches", "it names the files with the texts; schemas of tools are found beside them"}
	}
	first := f.whole(namesOf(files))
	if first == nil {
		f.folders(files)
	}
	f.beside(first, tools)
	if n := len(f.out.Prompts); n > maxPrompts {
		return nil, &Unfit{
			fmt.Sprintf("no pattern stands for %q and %s, and one by one they would be %s prompts", files[0].Path, others(len(files)-1), diag.Number(n)),
			"narrow it to files of one folder; the parts in which names differ become axis values: letters, digits, '.', '_' and '-'",
		}
	}
	return f.out, nil
}

// finder collects prompts.
type finder struct {
	out  *Found
	ids  map[string]bool
	left []string // paths that are no prompts
}

func (f *finder) say(format string, args ...any) {
	f.out.Said = append(f.out.Said, fmt.Sprintf(format, args...))
}

// sorted takes away what is no prompt. JSON is one where there is nothing else.
func (f *finder) sorted(files []Snapshot) (texts []Snapshot, tools []string) {
	isText := func(s Snapshot) bool { return s.Sort == Prompt }
	data := slices.ContainsFunc(files, isText)
	for _, s := range files {
		switch {
		case s.Sort == ToolList:
			tools = append(tools, s.Path)
			f.left = append(f.left, s.Path)
		case s.Sort != Prompt && data:
			f.left = append(f.left, s.Path)
			why := "JSON that defines no tools"
			if s.Sort == ReadMe {
				why = "about the others, by its name"
			}
			f.say("left out %s: %s", strconv.Quote(s.Path), why)
		default:
			texts = append(texts, s)
		}
	}
	return texts, tools
}

// whole takes all texts for those of one prompt, but for a few with odd names if
// that gives the others an order; nil if they do not go together.
func (f *finder) whole(n *names) *derived {
	all := n.derive()
	if all != nil && all.regular {
		return f.add("legacy", all)
	}
	if most, files, entries := n.mostly(all == nil); most != nil {
		f.add("legacy", most)
		const odd = "%s: its name does not go with the %s others, so that it is a prompt of its own"
		for _, s := range files {
			f.file(s)
			f.say(odd, strconv.Quote(s.Path), diag.Number(len(most.rows)))
		}
		for _, s := range entries {
			if f.entry(s, s.Entries[0]) {
				f.say(odd, strconv.Quote(s.Entries[0]), diag.Number(len(most.rows)))
			}
		}
		return most
	}
	if all != nil {
		return f.add("legacy", all)
	}
	return nil
}

// folders takes the texts of each folder for those of a prompt; where they do
// not go together, each text for one.
func (f *finder) folders(files []Snapshot) {
	groups := map[string][]Snapshot{}
	var keys []string
	for _, s := range files {
		key := path.Dir(s.Path) + " " + strconv.FormatBool(len(s.Entries) > 0)
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], s)
	}
	f.say("no pattern stands for all names: they are several prompts")
	for _, key := range keys {
		group := groups[key]
		if d := namesOf(group).derive(); d != nil && len(group) > 1 {
			f.add(path.Base(path.Dir(group[0].Path)), d)
			continue
		}
		for _, s := range group {
			f.file(s)
		}
	}
}

// file takes a file for a prompt, or each of its entries for one.
func (f *finder) file(s Snapshot) {
	if d := namesOf([]Snapshot{s}).derive(); d != nil {
		f.add(stem(s.Path), d)
		return
	}
	for _, e := range s.Entries {
		f.entry(s, e)
	}
}

// entry takes an entry of a file for a prompt, unless nothing tells it from
// another by a pattern.
func (f *finder) entry(s Snapshot, name string) bool {
	l := &Legacy{Path: specialInPath.ReplaceAllString(s.Path, "*"), Entry: specialInName.ReplaceAllString(name, "*")}
	pattern := prompt.NamePattern(l.Entry)
	work := maxWork
	if slices.ContainsFunc(s.Entries, func(other string) bool {
		return other != name && len(pattern.Match(other, func(string) []string { return nil }, true, &work)) > 0
	}) {
		f.say("left out the entry %s of %s: a pattern would take another for it", strconv.Quote(name), strconv.Quote(s.Path))
		return false
	}
	f.add(name, &derived{legacy: l, rows: [][]string{nil}})
	return true
}

// add takes a prompt, under a name that no other has.
func (f *finder) add(name string, d *derived) *derived {
	const most = 56 // leaves room for a number
	id := shortened(slug(name), most)
	switch {
	case id == "":
		id = "legacy"
	case !prompt.IsAxisValue(id): // a device of Windows
		id = "legacy-" + id
	}
	for base, i := id, 2; f.ids[id]; i++ {
		id = base + "-" + strconv.Itoa(i)
	}
	f.ids[id] = true
	d.legacy.ID = id
	f.out.Prompts = append(f.out.Prompts, d.legacy)
	f.apart(d)
	return d
}

// apart keeps values that are found in names from being those of files that were
// left out.
func (f *finder) apart(d *derived) {
	pattern := prompt.PathPattern(d.legacy.Path)
	work := maxWork
	taken := slices.ContainsFunc(f.left, func(name string) bool {
		return len(pattern.Match(name, func(string) []string { return nil }, false, &work)) > 0
	})
	if !taken || len(d.legacy.Axes) == 0 || d.legacy.Axes[0].Values != nil {
		return
	}
	if len(d.legacy.Axes) > 1 || d.legacy.Slugs {
		f.say("%s takes what was left out, too: narrow it", strconv.Quote(d.legacy.Path))
		return
	}
	d.legacy.Axes[0].Values = valuesOf(d.rows, 0)
}

// stem is a file's name without what says of which sort it is.
func stem(name string) string {
	base := path.Base(name)
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}

// slug writes words as an id: what is no letter or digit of ASCII is "-".
func slug(words string) string {
	fields := strings.FieldsFunc(strings.ToLower(words), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(fields, "-")
}

// shortened cuts an id.
func shortened(id string, most int) string {
	return strings.TrimRight(id[:min(len(id), most)], "-")
}

// others counts what is not named.
func others(n int) string {
	if n == 1 {
		return "1 other"
	}
	return diag.Number(n) + " others"
}
