package scaffold

import (
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// Found are the prompts in files that another program wrote.
type Found struct {
	Prompts []*Legacy
	// Said are what was made of files that are not simply taken, a line each.
	Said []diag.Words
}

// Unfit says why there is no prompt in some files, and what to do.
type Unfit struct {
	Fact, Hint diag.Words
	// Said is what was made of files, a line each.
	Said []diag.Words
}

// Error is for developers; Fact is what people are told.
func (u *Unfit) Error() string { return u.Fact.Key }

// maxPrompts is how many prompts are written.
const maxPrompts = 200

// Snapshot is a file with a prompt that another program assembled, or several;
// or one that lies beside such files.
type Snapshot struct {
	Path    string   // relative to the manifest's folder, with slashes
	Entries []string // the names of its texts; nil for a file that is one text
	// Sent says that its entries are requests that a program sent; it may have none.
	Sent bool
	Sort Sort
	// Alone says that it is a prompt of its own.
	Alone bool
	// NoTools says that its tools are left out.
	NoTools bool
	// Tools are the names of the tools that it defines, without those that have an
	// error.
	Tools []string
	// Sides are the states that have it, a bit each; 0 where there is only one.
	Sides int
}

// Sort is what a file seems to be.
type Sort int

// The sorts of files.
const (
	Prompt   Sort = iota // any text
	ToolList             // JSON that defines tools
	Data                 // other JSON
	ReadMe               // about the others
	Blank                // nothing
	Broken               // what cannot be read, so that no pattern may take it
	Unasked              // a file that nobody asked for, and that a pattern may match
)

// Look takes a file that can be read for what it seems to be. tools are the names of
// those that it defines, nil for none.
func Look(doc *language.Doc, tools []string) Snapshot {
	s := Snapshot{Path: doc.File.Path, Tools: tools}
	stem, _, _ := strings.Cut(path.Base(s.Path), ".")
	text := strings.TrimSpace(doc.Body.Str)
	switch {
	case strings.EqualFold(stem, "readme"):
		s.Sort = ReadMe
	case doc.Saved != nil:
		s.Entries = []string{}
		s.Sort, s.Sent = Blank, doc.Recording
		for _, e := range doc.Saved {
			s.Entries = append(s.Entries, e.Name)
			s.Sent = s.Sent || e.Sent != nil
			switch {
			case e.IsText:
				s.Sort = Prompt
			case s.Sort == Blank && strings.Contains(e.Value.Str, "\n"):
				s.Sort = Data // an object or a list, printed in lines
			}
		}
	case text == "":
		s.Sort = Blank
	case s.Tools != nil:
		s.Sort = ToolList
	case doc.Data != nil:
		s.Sort = Data
	}
	return s
}

// Derive finds the prompts in files: as few as stand for all, with what names
// differ in for axes. They read no file that does not match the patterns, by which
// the files were asked for; without patterns they may read any. The error is an
// *Unfit.
func Derive(files []Snapshot, patterns ...string) (*Found, error) {
	f := &finder{out: &Found{}, sent: map[string]bool{}, asked: askedFor(patterns)}
	for _, group := range groups(f.sorted(files)) {
		f.group(group)
	}
	f.beside()
	if f.out.Prompts = append(f.out.Prompts, f.toolsets...); len(f.out.Prompts) == 0 {
		return nil, &Unfit{diag.Say("no-prompt-in-match"), diag.Say("match-texts"), f.out.Said}
	}
	nameAll(f.out.Prompts)
	return f.out, nil
}

// finder collects prompts.
type finder struct {
	out      *Found
	asked    asked
	files    []Snapshot // all
	tools    []Snapshot // that may go beside texts
	toolsets []*Legacy
	sent     map[string]bool // the files of the toolsets
}

func (f *finder) say(w diag.Words) { f.out.Said = append(f.out.Said, w) }

func (f *finder) sorted(files []Snapshot) (texts []Snapshot) {
	f.files = slices.Clone(files)
	f.emptyTexts()
	if !slices.ContainsFunc(f.files, func(s Snapshot) bool { return s.Sort == Prompt }) {
		f.jsonAlone()
	}
	why := map[Sort]string{Data: "json-without-tools", ReadMe: "read-me", Blank: "no-text-in-it"}
	var others []Snapshot // recordings of other requests
	for _, s := range f.files {
		switch {
		case s.Sort == Blank && s.Sent:
			others = append(others, s)
		case s.Sort == Data && s.Entries != nil:
			f.say(diag.Say("left-out", s.Path, diag.Say(why[Blank])))
		case s.Sort == Prompt:
			texts = append(texts, s)
		case s.Sort == ToolList && !f.sent[s.Path]:
			f.tools = append(f.tools, s)
		case why[s.Sort] != "":
			f.say(diag.Say("left-out", s.Path, diag.Say(why[s.Sort])))
		}
	}
	if len(others) > 0 {
		f.say(diag.Say("recordings-of-others", diag.AndOthers(pathsOf(others))))
	}
	return texts
}

// emptyTexts takes the empty files for texts that are empty: where they are called
// like those that are not, or where the names of tools say that these go beside them.
func (f *finder) emptyTexts() {
	kind := func(s Snapshot) string { return fmt.Sprint(path.Ext(s.Path), s.Entries != nil) }
	texts := map[string]bool{}
	for _, s := range f.files {
		texts[kind(s)] = texts[kind(s)] || s.Sort == Prompt
	}
	none := !slices.ContainsFunc(f.files, func(s Snapshot) bool { return s.Sort == Prompt })
	with, some := slices.Clone(f.files), false
	for i, s := range f.files {
		named := strings.IndexByte(separators, path.Base(s.Path)[0]) < 0 // not .gitkeep, nor __init__.py
		if s.Sort == Blank && s.Entries == nil && named && (none || texts[kind(s)]) {
			with[i].Sort, some = Prompt, true
		}
	}
	if !none || some && f.besideTools(with) > 0 {
		f.files = with
	}
}

// besideTools counts the files of tools that go beside texts.
func (f *finder) besideTools(files []Snapshot) int {
	out := map[string]bool{}
	if found, err := Derive(files, f.asked...); err == nil {
		for _, l := range found.Prompts {
			for _, name := range l.beside {
				out[name] = true
			}
		}
	}
	return len(out)
}

// groups puts files together that one pattern may stand for: at the same depth,
// with the same extension, all with entries or none.
func groups(files []Snapshot) [][]Snapshot {
	return partition(files, func(s Snapshot) string {
		if s.Alone {
			return "alone " + s.Path
		}
		return fmt.Sprint(strings.Count(s.Path, "/"), path.Ext(extension.FindString(s.Path)), s.Entries != nil, s.Sent)
	})
}

// group takes files for those of one prompt, but for a few with odd names if the
// others have more order without them; else those of each folder for those of a
// prompt; else each file for one.
func (f *finder) group(files []Snapshot) {
	n := namesOf(files, f.asked)
	all := f.derive(files)
	if best, odd := f.mostly(n, all); best != nil {
		f.add(best)
		f.say(diag.Say("names-unlike-others", diag.AndOthers(pathsOf(odd)), diag.Count(len(best.rows))))
		f.apart(odd)
		return
	}
	if all != nil {
		f.add(all)
		return
	}
	for _, key := range []func(Snapshot) string{namesFolder(files), firstWord} {
		if f.parts(partition(files, key)) {
			return
		}
	}
	folders := partition(files, func(s Snapshot) string { return path.Dir(s.Path) })
	for _, folder := range folders {
		if len(folders) > 1 {
			f.group(folder)
		} else {
			f.apart(files)
		}
	}
}

// parts takes each part of some files for a prompt, if all are prompts and the
// parts are few.
func (f *finder) parts(parts [][]Snapshot) bool {
	const few = 8
	if len(parts) < 2 || len(parts) > few {
		return false
	}
	var all []*Legacy
	for _, files := range parts {
		l := f.derive(files)
		if l == nil {
			return false
		}
		all = append(all, l)
	}
	for _, l := range all {
		f.add(l)
	}
	return true
}

// partition puts files of one key together, in the order of the first of each.
func partition(files []Snapshot, key func(Snapshot) string) [][]Snapshot {
	var out [][]Snapshot
	place := map[string]int{}
	for _, s := range files {
		k := key(s)
		i, known := place[k]
		if !known {
			i, out = len(out), append(out, nil)
			place[k] = i
		}
		out[i] = append(out[i], s)
	}
	return out
}

// firstWord is what a file's name begins with.
func firstWord(s Snapshot) string { return part.FindString(path.Base(s.Path)) }

// namesFolder tells files that have a part of their folder's name in their own
// from others: tools-gpt-5.snap in prompts-gpt-5. Of the folders' names the rest
// tells them apart, too.
func namesFolder(files []Snapshot) func(Snapshot) string {
	rest := map[string]string{} // of a folder's name, before what files repeat
	repeats := map[string]bool{}
	for _, s := range files {
		folder := path.Base(path.Dir(s.Path))
		for start := 0; start < len(folder); start++ {
			boundary := start == 0 || strings.ContainsRune(separators, rune(folder[start-1]))
			if boundary && len(folder)-start > 2 && indexWord(path.Base(s.Path), folder[start:]) > 0 {
				repeats[s.Path], rest[folder] = true, folder[:start]
				break
			}
		}
	}
	return func(s Snapshot) string {
		folder := path.Base(path.Dir(s.Path))
		before, known := rest[folder]
		for _, other := range rest {
			if !known && len(other) > len(before) && strings.HasPrefix(folder, other) {
				before = other
			}
		}
		return before + strconv.FormatBool(repeats[s.Path])
	}
}

// derive finds the prompt of some files; nil where no pattern stands for all of
// them and for no others.
func (f *finder) derive(files []Snapshot) *Legacy {
	taken := map[string]bool{}
	for _, s := range files {
		taken[s.Path] = true
	}
	others := slices.DeleteFunc(slices.Clone(f.files), func(s Snapshot) bool { return taken[s.Path] || s.Sort == ToolList })
	return namesOf(files, f.asked).derive(others)
}

// apart takes files for one prompt if they go together, else each for one.
func (f *finder) apart(files []Snapshot) {
	if len(files) > 1 {
		if l := f.derive(files); l != nil {
			f.add(l)
			return
		}
	}
	for i, s := range files {
		if len(f.out.Prompts) >= maxPrompts {
			f.say(diag.Say("files-without-pattern", diag.AndOthers(pathsOf(files[i:])), diag.Count(maxPrompts)))
			return
		}
		f.file(s)
	}
}

// file takes a file for a prompt, or each of its entries for one.
func (f *finder) file(s Snapshot) {
	if l := f.derive([]Snapshot{s}); l != nil {
		f.add(l)
		return
	}
	if s.Entries == nil || !f.asked.hold(literalPath(s.Path), nil, nil) {
		f.say(diag.Say("left-out", s.Path, diag.Say("pattern-takes-another")))
		return
	}
	for i, name := range s.Entries {
		if len(f.out.Prompts) >= maxPrompts {
			f.say(diag.Say("entries-without-pattern", diag.Count(len(s.Entries)-i), s.Path, diag.Count(maxPrompts)))
			return
		}
		l := &Legacy{Path: literalPath(s.Path), Entry: literalName(name), files: []string{s.Path}, rows: [][]string{nil}}
		pattern, work := axispattern.NamePattern(l.Entry), maxWork
		if slices.ContainsFunc(s.Entries, func(other string) bool {
			return other != name && len(pattern.Match(other, func(string) []string { return nil }, true, &work)) > 0
		}) {
			f.say(diag.Say("entry-left-out", name, s.Path, diag.Say("pattern-takes-another")))
			continue
		}
		f.add(l)
	}
}

func (f *finder) add(l *Legacy) { f.out.Prompts = append(f.out.Prompts, l) }

// noWords are names that say where tests keep files, and not of what.
var noWords = []string{"", "snapshots", "snaps", "snap", "tests", "test", "testdata", "golden", "goldens", "fixtures", "unit-tests", "src"}

// nameAll gives every prompt an id that no other has: the only one is the legacy;
// of several, each is called after its entry, its file or its folder, which stay
// what they are when others come.
func nameAll(prompts []*Legacy) {
	if len(prompts) == 1 && prompts[0].Toolset == nil {
		prompts[0].ID = "legacy"
		return
	}
	count := map[string]int{}
	for _, l := range prompts {
		if l.ID = l.words(); l.nth > 1 {
			l.ID += "-" + strconv.Itoa(l.nth)
		}
		count[l.ID]++
	}
	for _, l := range prompts {
		if count[l.ID] > 1 || !axispattern.IsAxisValue(l.ID) {
			l.ID += fmt.Sprintf("-%06x", hash(l.Path+"\x00"+l.Entry))
		}
	}
}

func hash(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // it never fails
	return h.Sum32() & 0xffffff
}

// words are what a prompt is called after: the first that says something of its
// entry, its file and the folders from the last on.
func (l *Legacy) words() string {
	const most = 40
	from := []string{trailingNumber.ReplaceAllString(l.Entry, "")}
	for p := l.Path; p != "." && p != "/"; p = path.Dir(p) {
		from = append(from, path.Base(p))
	}
	if stem := extension.ReplaceAllString(from[1], ""); stem != "" { // not .roomodes
		from[1] = stem
	}
	for _, s := range from {
		axis := strings.Contains(s, "{") && !strings.HasPrefix(s, "{")
		if head, _, _ := strings.Cut(s, "{"); axis {
			s = head
		}
		if id := slug(s); !strings.Contains(s, "{") && !slices.Contains(noWords, id) {
			return shortened(id, most)
		}
	}
	if l.Toolset != nil {
		return "tools"
	}
	return "legacy"
}

// slug writes words as an id: what is no letter or digit of ASCII is "-".
func slug(words string) string {
	fields := strings.FieldsFunc(strings.ToLower(words), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(fields, "-")
}

// shortened cuts an id, between words if there are several.
func shortened(id string, most int) string {
	if len(id) <= most {
		return id
	}
	if i := strings.LastIndexByte(id[:most+1], '-'); i > 0 {
		return id[:i]
	}
	return id[:most]
}

func pathsOf(files []Snapshot) []string {
	out := make([]string, len(files))
	for i, s := range files {
		out[i] = s.Path
	}
	return out
}
