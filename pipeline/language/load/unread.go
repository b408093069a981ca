package load

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/language"
)

// inputs finds the files of a pattern that rendered texts are made from. They
// may be code in any language, and are only compared.
func (r *run) inputs(w ground.Word) error {
	before := len(r.found)
	names, err := r.find(w.Str, w.At)
	if err != nil {
		return err
	}
	if len(names) == 0 && len(r.found) == before {
		if err := r.otherCase(w.Str, w.At); err != nil {
			return err
		}
	}
	sums := []language.FileSum{}
	for _, name := range names {
		sum, err := r.sum(name)
		if err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	r.tree.Inputs[w.Str] = sums
	if len(sums) > 0 || len(r.found) > before {
		return nil
	}
	d := diag.New(diag.RenderedNothing, w.At, "matches-no-file", diag.Start(w.Str, maxQuoted))
	d.Hint, err = r.nothingHint(w.Str, w.Str)
	r.found = append(r.found, d)
	return err
}

// sum gives a file with the SHA-256 of what it holds.
func (r *run) sum(name string) (language.FileSum, error) {
	data, err := r.disk.read(name, maxBytes)
	if err != nil {
		return language.FileSum{}, err
	}
	// As git keeps it, whatever the line ends of a checkout.
	sum := sha256.Sum256(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	return language.FileSum{Path: name, SHA256: hex.EncodeToString(sum[:]), Includes: templates.Names(name, string(data))}, nil
}

// findUnread notes the files beside those that patterns match. What cannot be
// read there is no reason to end a run: no prompt needs it.
func (r *run) findUnread(files []language.Reading) {
	for _, one := range files {
		if !one.Walk && one.Kind != language.InputKind && one.How.Symbol == "" { // other code is beside it in any case
			r.tree.Unread = append(r.tree.Unread, r.besides(one)...)
		}
	}
	r.tree.Unread = append(r.tree.Unread, besideRules(files)...)
	taken := r.takenPaths()
	included := r.included(files, taken)
	order := slices.Clone(r.tree.Unread)
	slices.SortStableFunc(order, func(a, b *language.Unread) int { return cmp.Compare(len(b.Folder), len(a.Folder)) })
	for _, u := range order {
		w := unreadWalk{run: r, Unread: u, taken: taken}
		folders := u.Within
		if u.Folder != "." {
			folders = []string{u.Folder}
		}
		for _, folder := range folders {
			w.folder(folder, 0)
		}
		if u.Partial {
			u.Files = nil
		}
		slices.SortFunc(u.Files, func(a, b language.FileSum) int { return strings.Compare(a.Path, b.Path) })
	}
	r.tree.Unread = append(r.tree.Unread, included...)
}

// included gives the files that rendered templates include, and those that these
// include: below the folder of the file that names them, or one further up.
func (r *run) included(files []language.Reading, taken map[string]bool) []*language.Unread {
	var out []*language.Unread
	for _, one := range files {
		if one.Kind != language.RenderedKind {
			continue
		}
		u := &language.Unread{Path: one.Path, Kind: one.Kind, Folder: "."}
		type text struct {
			path  string
			names []templates.Name
		}
		var open []text
		for _, d := range r.matched(one) {
			open = append(open, text{d.File.Path, templates.Names(d.File.Path, d.File.Text)})
		}
		for ; len(open) > 0 && len(u.Files) < maxMatches; open = open[1:] {
			for _, n := range open[0].names {
				p := r.includes(open[0].path, n)
				if p == "" || taken[p] {
					continue
				}
				if sum, err := r.sum(p); err == nil {
					taken[p] = true
					u.Files = append(u.Files, sum)
					open = append(open, text{p, sum.Includes})
				}
			}
		}
		if len(u.Files) > 0 {
			slices.SortFunc(u.Files, func(a, b language.FileSum) int { return strings.Compare(a.Path, b.Path) })
			out = append(out, u)
		}
	}
	return out
}

// includes gives the file that a template names, "" for none that is there.
func (r *run) includes(from string, n templates.Name) string {
	if n.Defines || n.Name == "" || strings.Contains(from, ":") { // in a root beside the project
		return ""
	}
	for folder := path.Dir(from); ; folder = path.Dir(folder) {
		for _, p := range templates.Paths(path.Join(folder, strings.TrimPrefix(n.Name, "/")), path.Ext(from)) {
			if s, err := r.disk.inspect(p); err == nil && s == regular && fs.ValidPath(p) {
				return p
			}
		}
		if folder == "." {
			return ""
		}
	}
}

// besides gives the folders of the wildcards in a path, each once.
func (r *run) besides(one language.Reading) []*language.Unread {
	alternatives, ok := glob.Alternatives(axisName.ReplaceAllString(one.Path.Str, "*"))
	if !ok {
		return nil
	}
	var out []*language.Unread
	for _, p := range alternatives {
		if !isPattern(p) {
			continue
		}
		folder := literalFolder(p)
		i := slices.IndexFunc(out, func(u *language.Unread) bool { return u.Folder == folder })
		if i < 0 {
			i = len(out)
			out = append(out, &language.Unread{Path: one.Path, Kind: one.Kind, Folder: folder})
		}
		u := out[i]
		last := extension(path.Base(p))
		open := isPattern(last) || last == "" && isPattern(path.Base(p))
		if !open {
			u.Extensions = append(u.Extensions, last)
		}
		for _, d := range r.matched(one) {
			if within(d.File.Path, folder) {
				u.Within = append(u.Within, path.Dir(d.File.Path))
				if open {
					u.Extensions = append(u.Extensions, extension(d.File.Path))
				}
			}
		}
	}
	for _, u := range out {
		slices.Sort(u.Extensions)
		slices.Sort(u.Within)
		u.Extensions, u.Within = slices.Compact(u.Extensions), slices.Compact(u.Within)
		if u.Folder != "." {
			u.Within = nil
		}
	}
	return out
}

// besideRules gives the folders in which two rules or more are named one by one,
// as init does where they are read at different times. At the top of a project
// are files of every sort.
func besideRules(files []language.Reading) []*language.Unread {
	var out []*language.Unread
	named := map[string]map[string]bool{}
	for _, one := range files {
		p := one.Path.Str
		folder := path.Dir(p)
		if one.Kind != language.RulesKind || isPattern(p) || axisName.MatchString(p) || folder == "." {
			continue
		}
		if named[folder] == nil {
			named[folder] = map[string]bool{}
			out = append(out, &language.Unread{Path: one.Path, Kind: one.Kind, Folder: ".", Within: []string{folder}, Named: true})
		}
		named[folder][p] = true
		i := slices.IndexFunc(out, func(u *language.Unread) bool { return u.Within[0] == folder })
		out[i].Extensions = append(out[i].Extensions, extension(p))
	}
	return slices.DeleteFunc(out, func(u *language.Unread) bool { return len(named[u.Within[0]]) < least })
}

// least is how many rules of a folder are named before others beside them seem
// forgotten.
const least = 2

// matched gives what was found at a path with all values of its axes.
func (r *run) matched(one language.Reading) []*language.Doc {
	if one.AnyValue {
		return r.tree.Matches[language.MatchKey{Path: one.Path.Str, Kind: one.Kind, How: one.How}]
	}
	var out []*language.Doc
	words := []string{one.Path.Str}
	if within := one.How.Pointer + one.How.Symbol; within != "" {
		words = append(words, within)
	}
	all, _ := expand(r.axes, words...)
	for _, p := range all {
		out = append(out, r.tree.Matches[language.MatchKey{Path: p[0], Kind: one.Kind, How: pointedBy(one, p)}]...)
	}
	return out
}

// takenPaths are the paths of what is read, also as links lead to it.
func (r *run) takenPaths() map[string]bool {
	out := map[string]bool{r.tree.File.Path: true}
	for _, d := range r.tree.Docs() {
		out[d.File.Path], out[d.Real] = true, true
	}
	for _, sums := range r.tree.Inputs {
		for _, s := range sums {
			out[s.Path] = true
		}
	}
	return out
}

// unreadWalk looks for the files of one pattern's folder.
type unreadWalk struct {
	*run
	*language.Unread
	taken  map[string]bool // also what an earlier walk found
	visits int
}

// folder looks through a folder, and those in it unless it is one beside the
// manifest. Links to folders are not followed: their files are elsewhere.
func (w *unreadWalk) folder(name string, depth int) {
	if w.visits++; w.visits > maxVisits || depth > maxDown || len(w.Files) > maxMatches {
		w.Partial = true
	}
	if w.Partial || w.isOutput(name) || w.isWorkspace(name) {
		return
	}
	if s, err := w.disk.inspect(name); err != nil || s != directory {
		w.Partial = w.Partial || err != nil
		return
	}
	dest, err := w.disk.real(name)
	if err != nil {
		return // it was a folder just now
	}
	entries, err := w.disk.list(dest)
	if err != nil {
		w.Partial = true
		return
	}
	for _, e := range entries {
		p := path.Join(name, e.Name())
		switch {
		case !utf8.ValidString(e.Name()):
		case e.IsDir():
			if w.Folder != "." && !language.PassedOver(e.Name()) {
				w.folder(p, depth+1)
			}
		case w.Reads(p) && !w.taken[p]:
			w.file(p)
		}
	}
}

func (w *unreadWalk) file(p string) {
	dest, err := w.disk.real(p)
	if err != nil || w.taken[dest] {
		return // it leads to what is read, or to nothing
	}
	if s, err := w.disk.inspect(p); err != nil || s != regular {
		return
	}
	sum, err := w.sum(p)
	if err != nil {
		w.Partial = true
		return
	}
	w.taken[p], w.taken[dest] = true, true
	w.Files = append(w.Files, sum)
}

// isWorkspace tells the folder of a conversation's workspace, whose files it
// shows or not as it says.
func (r *run) isWorkspace(folder string) bool {
	_, ok := r.workspaces[folder]
	return ok
}
