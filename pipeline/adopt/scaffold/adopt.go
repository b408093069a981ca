package scaffold

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
	"github.com/promptc-build/promptc/pipeline/language/slugs"
)

// RepoFile is a file of a repository.
type RepoFile struct {
	Path string // relative to the manifest's folder, with slashes
	// Front is its front matter, nil for none. Tools are the names of the tools that
	// it defines.
	Front *ground.Node
	Tools []string
	// Product is what it holds of a product's prompts, nil for nothing.
	Product *Product
	// Ignored says that git does not keep it, Bad that check has an error about it,
	// and Odd that it is no file, but a link that leads nowhere, say.
	Ignored, Bad, Odd bool
}

// Adoption are prompts over the files that agents read in a repository.
type Adoption struct {
	// Products are the prompts of the product, and Drafts what agents read of those who
	// write it.
	Products []*Legacy
	Drafts   []*Draft
	// Left says why files were left out, a line each.
	Left []diag.Words

	files []RepoFile
	taken map[string]bool
	told  map[string]bool // why they were left out
}

// Draft is what one agent reads.
type Draft struct {
	ID     string
	What   string // it is
	Axis   string
	Values []Value
	// Tokens and ToolTokens are what its largest variant has.
	Tokens, ToolTokens int

	says     string // who reads it
	limits   string
	counts   string
	sections []*draftSection
}

// Value is one of an axis, and what it stands for: globs or a file.
type Value struct {
	Name  string
	Means []string
}

// draftSection is a section with a source of its own.
type draftSection struct {
	id, kind, form string
	patterns       []string // of the part
	files          []string
	when           []string // values of the axis; nil for all
}

// fixtures are folders whose files are there for tests, or are others': agents read
// them like any other, but nobody means them. In tests are no tools that somebody
// sends.
var (
	fixtures = []string{"testdata", "__snapshots__", "__fixtures__", "fixture", "fixtures", "third_party", "vendor", "node_modules"}
	tests    = []string{"test", "tests", "__tests__", "spec"}
)

// Looked reports whether more has to be known of a file than its path: its front
// matter, or the tools in it.
func Looked(name string) (front, tools bool) {
	base := path.Base(name)
	front = base == skillFile || path.Ext(base) == ".mdc" || strings.HasSuffix(base, ".md") && strings.HasPrefix(name, ".")
	return front, path.Ext(base) == ".json" && !isFixture(name) && !isIn(name, tests) && !setUpFiles.MatchString(base)
}

// SaysWhen reports whether the front matter of a file says when an agent reads it.
func SaysWhen(name string) bool {
	return slices.ContainsFunc(agents, func(by agent) bool {
		return slices.ContainsFunc(by.parts, func(p agentPart) bool {
			return p.sort == ruleFiles && slices.ContainsFunc(p.files, func(pattern string) bool {
				fit, _ := glob.Parse(pattern)
				return fit.Match(name)
			})
		})
	})
}

func isFixture(name string) bool { return isIn(name, fixtures) }

// isIn reports whether a path leads through one of some folders.
func isIn(name string, folders []string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(folder string) bool { return slices.Contains(folders, folder) })
}

// Adopt makes prompts of the files of a repository: one for each agent that has
// files of its own there.
func Adopt(files []RepoFile) *Adoption {
	a := &Adoption{files: slices.Clone(files), taken: map[string]bool{}, told: map[string]bool{}}
	slices.SortFunc(a.files, func(x, y RepoFile) int { return strings.Compare(x.Path, y.Path) })
	for i := range agents {
		a.agent(&agents[i])
	}
	a.skillFolders()
	a.toolsets()
	a.products()
	a.leave()
	return a
}

func (a *Adoption) match(pattern string) []*RepoFile {
	p, fault := glob.Parse(pattern)
	if fault != "" {
		return nil // of the table, all can be read
	}
	var out []*RepoFile
	for i := range a.files {
		if p.Match(a.files[i].Path) {
			out = append(out, &a.files[i])
		}
	}
	return out
}

// say says once why a file is left out.
func (a *Adoption) say(f *RepoFile, why diag.Words) {
	line := diag.Say("left-out", f.Path, why)
	if !slices.ContainsFunc(a.Left, func(l diag.Words) bool { return l.Compare(line) == 0 }) {
		a.Left = append(a.Left, line)
	}
	a.told[f.Path] = true
}

// usable leaves out what no prompt can have. What is Bad is said by who found it.
func (a *Adoption) usable(files []*RepoFile) []*RepoFile {
	return slices.DeleteFunc(files, func(f *RepoFile) bool {
		if f.Ignored {
			a.say(f, diag.Say("nobody-else-has"))
		}
		return f.Ignored || f.Bad || f.Odd
	})
}

// agent makes the prompt of what an agent reads.
func (a *Adoption) agent(by *agent) {
	d := &Draft{ID: by.id, What: "What " + by.says + " reads in this repository.", Axis: by.axis, says: by.says, limits: by.limits, counts: by.counts}
	if by.axis != "" {
		d.What = by.says + ", a variant for each."
	}
	w := &drafting{Adoption: a, Draft: d, values: map[string]string{}}
	own := false
	for i := range by.parts {
		p := &by.parts[i]
		before := len(d.sections)
		switch p.sort {
		case wholeFiles:
			w.whole(p)
		case ruleFiles:
			w.rules(p)
		case belowFiles:
			w.below(p)
		case skillFiles:
			w.skills(p)
		case eachFile:
			w.each(p)
		}
		own = own || len(d.sections) > before && !p.shared
	}
	if own {
		w.keepOwn()
	}
	for i := range by.parts {
		if p := &by.parts[i]; p.sort == skillFiles {
			var skills []*RepoFile
			for _, pattern := range p.files {
				skills = append(skills, a.usable(a.match(pattern))...)
			}
			a.bodies(by.id+"-skills", by.says+"'s skills", by.counts, skills)
		}
	}
}

// keepOwn keeps the prompt of what an agent reads, and that of its subagents' lines.
func (w *drafting) keepOwn() {
	d := w.Draft
	w.widen()
	if d.Axis == openAxis && !slices.ContainsFunc(d.sections, func(s *draftSection) bool { return s.when == nil }) {
		d.Values = d.Values[1:] // where no file is open, nothing is read
	}
	w.keep(d)
	if s := d.sections[0]; s.kind == language.SubagentsKind {
		listing := &draftSection{id: "listing", kind: s.kind, form: "listing", patterns: s.patterns, files: s.files}
		w.keep(&Draft{ID: d.ID + "-listing", What: "The line of each of " + d.says + ".", counts: d.counts, sections: []*draftSection{listing}})
	}
}

// bodies makes a variant of the text of each skill, which is read once it is needed.
func (a *Adoption) bodies(id, says, counts string, skills []*RepoFile) {
	w := &drafting{Adoption: a, Draft: &Draft{ID: id, What: "The texts of " + says + ", a variant for each.", Axis: "skill", counts: counts}}
	s := &draftSection{id: "skill"}
	for _, f := range skills {
		folder := path.Dir(f.Path)
		pattern, name := path.Join(path.Dir(folder), "*", skillFile), path.Base(folder)
		if folder == "." {
			name = w.Axis
		}
		if folder == "." || literalPath(folder) != folder {
			pattern = literalPath(f.Path)
		}
		if !slices.Contains(s.patterns, pattern) {
			s.patterns = append(s.patterns, pattern)
		}
		w.variant(s, f, name)
	}
	if w.add(s); len(w.sections) > 0 {
		a.keep(w.Draft)
	}
}

type drafting struct {
	*Adoption
	*Draft
	values map[string]string // by what they mean: the names of values
}

func (w *drafting) add(s *draftSection) {
	if len(s.files) > 0 {
		w.sections = append(w.sections, s)
	}
}

func pathsIn(files []*RepoFile) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

// whole takes files that are always read.
func (w *drafting) whole(p *agentPart) {
	var files []*RepoFile
	for _, pattern := range p.files {
		files = append(files, w.usable(w.match(pattern))...)
	}
	w.add(&draftSection{id: p.id, files: pathsIn(w.firstOf(p, files))})
}

// firstOf leaves out those that another one stands in for.
func (w *drafting) firstOf(p *agentPart, files []*RepoFile) []*RepoFile {
	if !p.first || len(files) < 2 {
		return files
	}
	for _, f := range files[1:] {
		w.say(f, diag.Say("reads-in-place", w.says, files[0].Path))
	}
	return files[:1]
}

// rules takes rules, each of which says when it is read.
func (w *drafting) rules(p *agentPart) {
	always := &draftSection{id: p.id, kind: language.RulesKind, patterns: p.files}
	listed := &draftSection{id: p.id + "-listed", kind: language.RulesKind, form: "index", patterns: p.files}
	var some []*draftSection
	for _, pattern := range p.files {
		for _, f := range w.usable(w.match(pattern)) {
			r := p.when(f.Front)
			switch {
			case r.always, slices.ContainsFunc(r.globs, func(g string) bool { return slices.Contains(everyFile, g) }):
				always.files = append(always.files, f.Path)
			case r.listed:
				listed.files = append(listed.files, f.Path)
			case len(r.globs) == 0:
				w.say(f, diag.Say("reads-when-named", w.says))
			default:
				some = w.open(some, p, language.RulesKind, r.globs, f.Path)
			}
		}
	}
	w.add(always)
	for _, s := range some {
		w.add(s)
	}
	w.add(listed)
}

// open adds a file to the section of a part that is there while a file that globs
// fit is open.
func (w *drafting) open(sections []*draftSection, p *agentPart, kind string, globs []string, file string) []*draftSection {
	value := w.value(globs)
	id := p.id + "-" + value
	i := slices.IndexFunc(sections, func(s *draftSection) bool { return s.id == id })
	if i < 0 {
		i, sections = len(sections), append(sections, &draftSection{id: id, kind: kind, patterns: p.files, when: []string{value}})
	}
	sections[i].files = append(sections[i].files, file)
	return sections
}

// openAxis says which file is open; noneOpen is that none is.
const openAxis, noneOpen = "open", "none"

// value gives the value that stands for globs.
func (w *drafting) value(globs []string) string {
	means := strings.Join(slices.Compact(slices.Sorted(slices.Values(globs))), "\x00")
	if name, known := w.values[means]; known {
		return name
	}
	if w.Axis = openAxis; len(w.Values) == 0 {
		w.Values = []Value{{Name: noneOpen}}
	}
	words := strings.NewReplacer("**/*.", " ", "*.", " ", "**", " ", "*", " ").Replace(strings.Join(globs, " "))
	name := w.unused(words)
	w.values[means] = name
	w.Values = append(w.Values, Value{name, globs})
	return name
}

// unused makes a new name for a value.
func (w *drafting) unused(words string) string {
	const most = 40
	slug, _ := slugs.Slug(words, most, "files")
	name := slug
	for n := 2; slices.ContainsFunc(w.Values, func(v Value) bool { return strings.EqualFold(v.Name, name) }); n++ {
		name = fmt.Sprintf("%s-%d", slug, n)
	}
	return name
}

// below takes the files in sub-folders that are read once a file there is open,
// with those of the folders around it.
func (w *drafting) below(p *agentPart) {
	byFolder := map[string][]*RepoFile{}
	var folders []string
	for _, name := range p.files {
		for _, f := range w.usable(w.match("**/" + name)) {
			folder := path.Dir(f.Path)
			if folder == "." || strings.HasPrefix(folder, ".") || isFixture(f.Path) {
				continue // read before; or said by leave
			}
			if byFolder[folder] == nil {
				folders = append(folders, folder)
			}
			byFolder[folder] = append(byFolder[folder], f)
		}
	}
	slices.Sort(folders)
	for _, folder := range folders {
		value := w.value([]string{folder + inFolder})
		w.add(&draftSection{id: p.id + "-" + value, files: pathsIn(w.firstOf(p, byFolder[folder])), when: []string{value}})
	}
}

// everywhere and inFolder are what globs begin and end with that fit whatever
// stands there.
const everywhere, inFolder = "**/", "/**"

// widen has the sections that are there for some globs also where narrower globs
// fit: a file in a/b is one in a.
func (w *drafting) widen() {
	for _, s := range w.sections {
		if s.when == nil {
			continue
		}
		i := slices.IndexFunc(w.Values, func(v Value) bool { return v.Name == s.when[0] })
		wide := w.Values[i].Means
		s.when = nil
		for _, v := range w.Values {
			wider := func(glob string) bool {
				return slices.ContainsFunc(wide, func(other string) bool { return fitsAll(other, glob) })
			}
			if v.Means != nil && !slices.ContainsFunc(v.Means, func(glob string) bool { return !wider(glob) }) {
				s.when = append(s.when, v.Name)
			}
		}
	}
}

// fitsAll reports whether a glob surely fits every file that another one fits.
func fitsAll(wide, glob string) bool {
	folder, isFolder := strings.CutSuffix(wide, inFolder)
	last, anywhere := strings.CutPrefix(wide, everywhere)
	return wide == glob ||
		isFolder && !strings.ContainsAny(folder, "*?[{") && strings.HasPrefix(glob, folder+"/") ||
		anywhere && !strings.Contains(last, "/") && path.Base(glob) == last
}

func (w *drafting) skills(p *agentPart) {
	s := &draftSection{id: p.id, kind: language.SkillsKind, patterns: p.files}
	for _, pattern := range p.files {
		s.files = append(s.files, w.listable(w.match(pattern))...)
	}
	w.add(s)
}

// listable gives the skills that a program lists.
func (a *Adoption) listable(files []*RepoFile) []string {
	var out []string
	for _, f := range a.usable(files) {
		if !f.Front.Field("disable-model-invocation").IsTrue() { // else only people call it
			out = append(out, f.Path)
		}
	}
	return out
}

// skillFolders makes prompts of each folder of skills that no agent lists.
func (a *Adoption) skillFolders() {
	byFolder := map[string][]*RepoFile{}
	var folders []string
	for _, f := range a.usable(a.match("**/" + skillFile)) {
		if a.taken[f.Path] || isFixture(f.Path) {
			continue
		}
		folder := path.Dir(path.Dir(f.Path))
		if byFolder[folder] == nil {
			folders = append(folders, folder)
		}
		byFolder[folder] = append(byFolder[folder], f)
	}
	for _, folder := range folders {
		words := strings.TrimSuffix("skills "+strings.TrimSuffix(folder, "skills"), ".")
		if len(folders) == 1 {
			words = "skills"
		}
		where := "in " + folder
		if folder == "." {
			where = "here"
		}
		id, listed := a.unusedID(words), &draftSection{id: "skills", kind: language.SkillsKind, files: a.listable(byFolder[folder])}
		if literalPath(folder) == folder && path.Dir(byFolder[folder][0].Path) != "." {
			listed.patterns = []string{path.Join(folder, "*", skillFile)}
		}
		if len(listed.files) > 0 {
			a.keep(&Draft{ID: id, What: "The list of the skills " + where + ".", sections: []*draftSection{listed}})
		}
		a.bodies(id+"-texts", "the skills "+where, "", byFolder[folder])
	}
}

func (a *Adoption) keep(d *Draft) {
	for _, s := range d.sections {
		for _, f := range s.files {
			a.taken[f] = true
		}
	}
	a.Drafts = append(a.Drafts, d)
}

// each makes a variant of every file.
func (w *drafting) each(p *agentPart) {
	s := &draftSection{id: p.id, kind: p.kind, patterns: p.files}
	for _, pattern := range p.files {
		for _, f := range w.usable(w.match(pattern)) {
			if strings.EqualFold(path.Base(f.Path), "readme.md") {
				w.say(f, diag.Say("read-me"))
				continue
			}
			folder, _, _ := strings.Cut(pattern, "/**")
			stem := strings.TrimSuffix(strings.TrimPrefix(f.Path, folder+"/"), path.Ext(f.Path))
			w.variant(s, f, stem)
		}
	}
	w.add(s)
}

// variant adds a file to a section whose axis names it.
func (w *drafting) variant(s *draftSection, f *RepoFile, name string) {
	if !axispattern.IsAxisValue(name) || slices.ContainsFunc(w.Values, func(v Value) bool { return strings.EqualFold(v.Name, name) }) {
		name = w.unused(name)
	}
	w.Values = append(w.Values, Value{name, []string{f.Path}})
	s.files = append(s.files, f.Path)
}

func (a *Adoption) unusedID(words string) string {
	const most = 40
	slug, _ := slugs.Slug(words, most, "tools")
	id := slug
	for n := 2; slices.ContainsFunc(a.Drafts, func(d *Draft) bool { return d.ID == id }); n++ {
		id = fmt.Sprintf("%s-%d", slug, n)
	}
	return id
}

// skillFile is the name of a file with a skill, in a folder that is called after it.
const skillFile = "SKILL.md"

// agentNames are the names of files that agents look for wherever they are.
var agentNames = []string{"CLAUDE.md", "AGENTS.md", "GEMINI.md", skillFile}

// leave says of the files that look as if somebody read them why no prompt does.
func (a *Adoption) leave() {
	others := 0
	var inner []string
	for i := range a.files {
		f := &a.files[i]
		if a.taken[f.Path] || a.told[f.Path] || f.Bad || f.Ignored {
			continue
		}
		base := path.Base(f.Path)
		known := slices.Contains(agentNames, base)
		switch {
		case f.Odd:
			if known || strings.HasPrefix(f.Path, ".") {
				a.say(f, diag.Say("neither-file-nor-folder"))
			}
		case base == ".mcp.json":
			a.say(f, diag.Say("names-servers"))
		case isFixture(f.Path):
			if known {
				others++
			}
		case f.Tools != nil:
			a.say(f, diag.Say("tools-of-same-names"))
		case strings.HasPrefix(path.Ext(base), ".md") && slices.ContainsFunc(AgentFolders, func(folder string) bool { return strings.Contains(f.Path, "/"+folder+"/") }):
			inner = append(inner, f.Path)
		case known && base != skillFile:
			a.say(f, diag.Say("no-agent-there"))
		}
	}
	if len(inner) > 0 {
		folder, _, _ := strings.Cut(inner[0], "/.")
		a.Left = append(a.Left, diag.Say("left-out-below", diag.AndOthers(inner), folder))
	}
	if others > 0 {
		a.Left = append(a.Left, diag.Say("left-out-fixtures", diag.Counted(others, "one-unread-file", "unread-files"), diag.Names(agentNames)))
	}
}
