package scaffold

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
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

// beside finds the pattern of the tools of a prompt. Files that it does not take
// are left out.
func (f *finder) beside(d *derived, tools []string) {
	if len(tools) == 0 {
		return
	}
	pattern, used := "", map[string]bool{}
	if d != nil {
		pattern, used = toolsOf(d, tools)
	}
	if pattern != "" {
		d.legacy.Tools = pattern
		f.say("took %s for the tools beside the texts", named(keep(tools, used, true)))
	}
	if rest := keep(tools, used, false); len(rest) > 0 {
		f.say("left out %s: tools, but their names do not say of which texts", named(rest))
	}
}

// maxTried is how many files of tools are tried for a pattern.
const maxTried = 20

// toolsOf finds a pattern, with axes of the prompt, that names a file of tools
// for each text.
func toolsOf(d *derived, tools []string) (string, map[string]bool) {
	there := map[string]bool{}
	for _, t := range tools {
		there[t] = true
	}
	for _, t := range tools[:min(len(tools), maxTried)] {
		if specialInPath.MatchString(t) {
			continue
		}
		tried := map[string]bool{}
		for _, row := range d.rows {
			pattern := d.template(t, row)
			if tried[pattern] || d.legacy.Slugs && pattern != t {
				continue
			}
			tried[pattern] = true
			if used := d.cover(pattern, there); used != nil && len(used) == len(tools) {
				return pattern, used
			}
		}
	}
	return "", map[string]bool{}
}

// template writes the axes where a path has the values of a row.
func (d *derived) template(name string, row []string) string {
	order := make([]int, len(row))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(row[b]) - len(row[a]) })
	for _, i := range order {
		if at := indexWord(name, row[i]); at >= 0 {
			name = name[:at] + "{" + d.legacy.Axes[i].Name + "}" + name[at+len(row[i]):]
		}
	}
	return name
}

// indexWord finds the last place of a word that has separators around it.
func indexWord(s, word string) int {
	for end := len(s); word != ""; {
		at := strings.LastIndex(s[:end], word)
		if at < 0 {
			break
		}
		before := at == 0 || strings.ContainsRune(separators+"=", rune(s[at-1]))
		behind := at+len(word) == len(s) || strings.ContainsRune(separators, rune(s[at+len(word)]))
		if before && behind {
			return at
		}
		end = at + len(word) - 1
	}
	return -1
}

// cover gives the files that a pattern names for the texts, nil if one is not
// there.
func (d *derived) cover(pattern string, there map[string]bool) map[string]bool {
	used := map[string]bool{}
	for _, row := range d.rows {
		name := pattern
		for i, value := range row {
			name = strings.ReplaceAll(name, "{"+d.legacy.Axes[i].Name+"}", value)
		}
		if !there[name] {
			return nil
		}
		used[name] = true
	}
	return used
}

// keep gives the names that are in a set, or those that are not.
func keep(names []string, set map[string]bool, in bool) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return set[name] != in })
}

// named gives the first of some names, and how many there are.
func named(names []string) string {
	out := strconv.Quote(names[0])
	if len(names) > 1 {
		out += " and " + others(len(names)-1)
	}
	return out
}
