package scaffold

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// Product is what a file holds of a product's prompts.
type Product struct {
	Sort Sought
	// Saved is a file of a test, and Words how many words its texts have.
	Saved *Snapshot
	// Template is the language of a text, "" for none.
	Template string
	// Values are where the texts of a file of data are. Again finds those beside some that
	// another state has.
	Values []ValuePattern
	Again  func(known []ValuePattern) []ValuePattern
	// Symbols lead to the texts in a file of code.
	Symbols []string
}

// Unite adds what another state of the file holds, nil for nothing.
func (p *Product) Unite(other *Product) {
	if other == nil || other.Sort != p.Sort {
		return
	}
	for _, s := range other.Symbols {
		if !slices.Contains(p.Symbols, s) {
			p.Symbols = append(p.Symbols, s)
		}
	}
	if slices.Contains(p.Symbols, wholeFile) {
		p.Symbols = []string{wholeFile}
	}
	if other.Again != nil {
		p.Values = append(p.Values, other.Again(p.Values)...)
	}
	if was, is := other.Saved, p.Saved; was != nil && is != nil {
		if is.Sort != Prompt {
			is.Sort = was.Sort
		}
		for _, e := range was.Entries {
			if !slices.Contains(is.Entries, e) {
				is.Entries = append(is.Entries, e)
			}
		}
	}
}

// products makes the prompts of what a product has in files: as few as the folders
// that they are in.
func (a *Adoption) products() {
	a.savedTexts()
	skills := a.skillsAt()
	var texts []*RepoFile
	for i := range a.files {
		f := &a.files[i]
		if f.Product == nil || f.Bad || f.Odd || a.taken[f.Path] || f.Ignored || isBelow(f.Path, skills) {
			continue
		}
		if f.Product.Sort == PromptFile {
			texts = append(texts, f)
		}
		a.valuesOf(f)
		if p := f.Product; p.Sort == CodeFile {
			a.Products = append(a.Products, &Legacy{Path: literalPath(f.Path), Symbols: p.Symbols, Template: p.Template, files: []string{f.Path}, rows: [][]string{nil}})
		}
	}
	a.mergeFiles()
	for _, group := range folders(texts) {
		a.textsOf(group)
	}
	a.nameProducts()
	for _, l := range a.Products {
		for _, f := range l.files {
			a.taken[f] = true
		}
	}
}

// skillsAt gives the folders of skills: what else is in them, a skill refers to.
func (a *Adoption) skillsAt() map[string]bool {
	out := map[string]bool{}
	for _, f := range a.match("**/*/" + skillFile) {
		out[path.Dir(f.Path)] = true
	}
	return out
}

func isBelow(name string, folders map[string]bool) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if folders[dir] {
			return true
		}
	}
	return false
}

// folders puts files of one folder, ending and language together.
func folders(files []*RepoFile) [][]*RepoFile {
	var out [][]*RepoFile
	place := map[string]int{}
	for _, f := range files {
		key := path.Dir(f.Path) + "\x00" + endingOf(f.Path) + "\x00" + f.Product.Template
		i, known := place[key]
		if !known {
			i, out = len(out), append(out, nil)
			place[key] = i
		}
		out[i] = append(out[i], f)
	}
	return out
}

// endingOf gives what a name ends with behind its first word: .prompt.md.
func endingOf(name string) string {
	base := path.Base(name)
	for _, e := range promptEndings {
		if strings.HasSuffix(strings.ToLower(base), e) {
			return base[len(base)-len(e):]
		}
	}
	return path.Ext(base)
}

// textsOf makes a prompt of the texts in a folder, a variant each; what lies beside
// them and is none is left out by its name.
func (a *Adoption) textsOf(group []*RepoFile) {
	ending, template := endingOf(group[0].Path), group[0].Product.Template
	folder := path.Dir(group[0].Path)
	stem := func(name string) string { return strings.TrimSuffix(path.Base(name), ending) }
	var named, odd []*RepoFile
	for _, f := range group {
		if axispattern.IsAxisValue(stem(f.Path)) && literalPath(folder) == folder {
			named = append(named, f)
		} else {
			odd = append(odd, f)
		}
	}
	if len(named) == 1 {
		odd, named = append(odd, named...), nil
	}
	for _, f := range odd {
		a.Products = append(a.Products, &Legacy{Path: literalPath(f.Path), Template: template, files: []string{f.Path}, rows: [][]string{nil}})
	}
	if named == nil {
		return
	}
	l := &Legacy{Path: path.Join(folder, "{name}"+ending), Template: template, Axes: []Axis{{Name: "name"}}}
	for _, f := range named {
		l.files, l.rows = append(l.files, f.Path), append(l.rows, []string{stem(f.Path)})
	}
	var others []string
	for _, f := range a.files {
		if path.Dir(f.Path) == folder && strings.HasSuffix(f.Path, ending) && !slices.Contains(l.files, f.Path) && !slices.ContainsFunc(odd, func(o *RepoFile) bool { return o.Path == f.Path }) {
			others = append(others, stem(f.Path))
		}
	}
	legal := !slices.ContainsFunc(others, func(s string) bool { return !axispattern.IsAxisValue(s) })
	if len(others) > maxUnasked || !legal || len(odd) > 0 {
		for _, row := range l.rows {
			l.Axes[0].Values = append(l.Axes[0].Values, row[0])
		}
	} else {
		for _, o := range others {
			l.Exclude = append(l.Exclude, []string{o})
		}
	}
	a.Products = append(a.Products, l)
}

// valuesOf makes prompts of the values in a file, one for each pattern.
func (a *Adoption) valuesOf(f *RepoFile) {
	for _, v := range f.Product.Values {
		a.Products = append(a.Products, &Legacy{
			Path: literalPath(f.Path), Pointer: v.Pointer, Template: LanguageOf("", strings.Join(v.Texts, "\n")), Axes: slices.Clone(v.Axes), files: []string{f.Path}, rows: [][]string{nil},
		})
	}
}

// mergeFiles makes one prompt of those of several files that are alike, where these are all
// the files of their folder and ending.
func (a *Adoption) mergeFiles() {
	var out []*Legacy
	for _, l := range a.Products {
		i := slices.IndexFunc(out, func(o *Legacy) bool { return o.Pointer != "" && o.isLike(l) })
		if i < 0 || l.Pointer == "" {
			out = append(out, l)
			continue
		}
		out[i].files = append(out[i].files, l.files...)
	}
	var apart []*Legacy
	for _, l := range out {
		if len(l.files) < 2 || l.Pointer == "" {
			apart = append(apart, l)
			continue
		}
		folder, ending := path.Dir(l.files[0]), path.Ext(l.files[0])
		whole := literalPath(folder) == folder && (folder != "." || ending != path.Ext(Manifest)) // which would take itself
		for _, f := range a.files {
			if path.Dir(f.Path) == folder && path.Ext(f.Path) == ending {
				whole = whole && slices.Contains(l.files, f.Path) && axispattern.IsAxisValue(strings.TrimSuffix(path.Base(f.Path), ending))
			}
		}
		if whole {
			l.Path, l.Axes = path.Join(folder, "{name}"+ending), append([]Axis{{Name: "name"}}, l.Axes...)
			apart = append(apart, l)
			continue
		}
		for _, f := range l.files {
			one := *l
			one.Path, one.files = literalPath(f), []string{f}
			apart = append(apart, &one)
		}
	}
	a.Products = apart
}

// isLike reports whether another prompt has the same pointer in a file beside it.
func (l *Legacy) isLike(o *Legacy) bool {
	return l.Pointer == o.Pointer && l.Template == o.Template && path.Dir(l.Path) == path.Dir(o.Path) && path.Ext(l.Path) == path.Ext(o.Path) &&
		slices.EqualFunc(l.Axes, o.Axes, func(x, y Axis) bool { return x.Name == y.Name && slices.Equal(x.Values, y.Values) })
}

// savedTexts makes prompts of the files of tests, as [Derive] does.
func (a *Adoption) savedTexts() {
	var files []Snapshot
	some := false
	for _, f := range a.files {
		if f.Product == nil || f.Product.Saved == nil || f.Odd {
			continue
		}
		s := *f.Product.Saved
		if f.Bad {
			s.Sort = Broken
		}
		some = some || s.Sort == Prompt && !f.Ignored
		files = append(files, s)
	}
	if !some {
		return
	}
	found, err := Derive(files)
	if err != nil {
		return
	}
	for _, l := range found.Prompts {
		if l.Toolset == nil {
			a.Products = append(a.Products, l)
		}
	}
}

// nameProducts gives each prompt an id that no other has: that of its file or its
// folder, and of the last key of its pointer. Where that is another's, too, it names
// more keys, or the folder around it.
func (a *Adoption) nameProducts() {
	called := map[string][]*Legacy{}
	name := func() {
		clear(called)
		for _, l := range a.Products {
			l.ID = l.called()
			called[l.ID] = append(called[l.ID], l)
		}
	}
	name()
	for range maxParents {
		for _, l := range a.Products {
			here := func(o *Legacy) bool { return o != l && o.Path == l.Path }
			away := func(o *Legacy) bool { return o.Path != l.Path }
			if slices.ContainsFunc(called[l.ID], here) {
				l.keys++
			}
			if slices.ContainsFunc(called[l.ID], away) {
				l.parent++
			}
		}
		name()
	}
	for _, l := range a.Products {
		if len(called[l.ID]) > 1 || !axispattern.IsAxisValue(l.ID) || slices.ContainsFunc(a.Drafts, func(d *Draft) bool { return d.ID == l.ID }) {
			l.ID += fmt.Sprintf("-%06x", hash(l.Path+"\x00"+l.Entry+"\x00"+l.Pointer))
		}
	}
}

// An id has about mostOfID bytes. The name of the file has leastOfID of them at least.
// maxParents is how many folders and keys an id names beside the last.
const mostOfID, leastOfID, maxParents = 40, 16, 3

// called gives the words of a prompt's path, of folders around it, and of the pointer in
// it.
func (l *Legacy) called() string {
	name := l.words()
	folder := path.Dir(strings.SplitN(l.Path, "{", 2)[0] + "x")
	if slug(path.Base(folder)) == name {
		folder = path.Dir(folder)
	}
	for range l.parent {
		if more := slug(path.Base(folder)); more != "" {
			name = more + "-" + name
		}
		folder = path.Dir(folder)
	}
	var keys []string
	for s := range strings.SplitSeq(l.Pointer, "/") {
		if !strings.Contains(s, "{") && strings.Trim(s, "0123456789") != "" {
			keys = append(keys, slug(s))
		}
	}
	if len(keys) == 0 {
		return name
	}
	last := shortened(strings.Join(keys[max(0, len(keys)-1-l.keys):], "-"), mostOfID)
	return shortened(name, max(mostOfID-len(last), leastOfID)) + "-" + last
}

// tookProducts says what each prompt of the product is made of.
func (a *Adoption) tookProducts() []Taken {
	var out []Taken
	for _, l := range a.Products {
		var at diag.Words
		if l.Pointer != "" {
			at = diag.Say("at-pointer", l.Pointer)
		}
		if l.Symbols != nil && l.Symbols[0] != wholeFile {
			at = diag.Say("at-symbols", diag.AndOthers(l.Symbols))
		}
		out = append(out, Taken{ID: l.ID, From: diag.Say("taken-from", diag.AndOthers(l.files), at), Tokens: l.Tokens})
	}
	return out
}
