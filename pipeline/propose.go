package pipeline

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/scaffold"
)

// RenderedFile is a file that another program may have rendered a prompt into.
type RenderedFile struct {
	Path string // relative to the manifest's folder, with slashes
	Data []byte
	// Sides are the states that have it, a bit each; 0 where there is only one.
	Sides int
}

// Proposal is a manifest over rendered files in which check finds no error.
type Proposal struct {
	Manifest string
	Prompts  []*scaffold.Legacy
	// Snapshots are what a build would write.
	Snapshots []prompt.Output
	// Said is what was made of files that are not simply taken.
	Said []diag.Words
	// Left says why files and entries were left out that seemed to be prompts.
	Left    diag.List
	Refused []Refusal
}

// Refusal says why no tools are read from files that seem to have some.
type Refusal struct {
	Files []string
	Why   diag.Diagnostic
}

// snapshotFolder is where a proposal's snapshots go.
const snapshotFolder = "snapshots"

// maxRounds bounds how often a proposal is made again without what check has an
// error about.
const maxRounds = 8

// Propose finds the prompts in rendered files, which patterns gave, and what
// check has no error about. What lies in below beside the files is looked at,
// too; without it, they are all there is, and tools are looked at as each of the
// sides has them. No pattern takes what bad is about. The error is a *NoText where
// no text is left.
func Propose(below fs.FS, patterns []string, files []RenderedFile, bad diag.List, sides ...fs.FS) (*Proposal, error) {
	wide := slices.ContainsFunc(patterns, func(p string) bool { return strings.ContainsAny(path.Base(p), "*?[{") })
	p := &proposing{below: below, files: map[string][]byte{}}
	for _, side := range sides {
		p.sides = append(p.sides, State{Files: side, Manifest: scaffold.Manifest, Patterns: patterns})
	}
	if below != nil {
		_, err := fs.Stat(below, snapshotFolder)
		p.noInputs = err == nil // the folder that the record would go to is another's
	}
	for _, f := range files {
		if below == nil {
			p.files[f.Path] = f.Data
		}
		if load.IsReceived(f.Path) {
			p.said = append(p.said, diag.Say("left-out", f.Path, diag.Say("received")))
			continue
		}
		doc, found := load.Look(f.Path, f.Data)
		seen := scaffold.Snapshot{Path: f.Path, Sort: scaffold.Broken}
		if doc != nil {
			seen = scaffold.Look(doc)
		}
		seen.Wide, seen.Sides = wide, f.Sides
		p.left = append(p.left, found...)
		p.seen = append(p.seen, seen)
	}
	for _, d := range bad {
		p.left = append(p.left, d)
		p.seen = append(p.seen, scaffold.Snapshot{Path: d.Span.File.Path, Sort: scaffold.Broken})
	}
	p.listTools()
	p.oneSided()
	for range maxRounds {
		out, done, err := p.round()
		if done || err != nil {
			return out, err
		}
	}
	return nil, p.because(&scaffold.Unfit{Fact: diag.Say("errors-in-every-manifest"), Hint: diag.Say("match-one-folder")})
}

type proposing struct {
	below fs.FS
	files map[string][]byte // over those below
	sides []State
	seen  []scaffold.Snapshot
	left  diag.List
	// refused are tools that are left out, or texts.
	refused []Refusal
	said    []diag.Words
	// noInputs says that prompts do not name what they are made from.
	noInputs bool
}

// round makes a manifest and leaves out what check has an error about. A new
// round is needed where that changes what patterns may take.
func (p *proposing) round() (*Proposal, bool, error) {
	found, err := scaffold.Derive(p.seen)
	if err != nil {
		return nil, true, p.because(err)
	}
	if p.below != nil && !p.noInputs {
		p.inputs(found.Prompts)
	}
	left := p.left
	for range maxRounds {
		out := &Proposal{Prompts: found.Prompts, Said: slices.Concat(p.said, found.Said)}
		out.Manifest = scaffold.Rendered(found.Prompts)
		bad, err := p.check(out)
		if err != nil {
			return nil, true, err
		}
		if len(bad) == 0 {
			out.Left, out.Refused = left.Sorted(), p.refused
			return out, true, nil
		}
		excluded, again := p.learn(found.Prompts, bad)
		if left = append(left, excluded...); again {
			p.left = append(p.left, slices.DeleteFunc(left, p.taken)...).Sorted()
			return nil, false, nil
		}
	}
	return nil, false, nil
}

// inputs names the folders that may hold what the texts are made from.
func (p *proposing) inputs(prompts []*scaffold.Legacy) {
	for _, l := range prompts {
		if l.Toolset != nil {
			continue
		}
		for _, folder := range l.InputFolders() {
			if info, err := fs.Stat(p.below, folder); err == nil && info.IsDir() {
				l.From = append(l.From, folder+"/**")
			}
		}
	}
}

// check gives the errors that check has about a proposal; without any, the
// proposal has the snapshots. Of two states each has to be right about its tools:
// both may have what neither has twice.
func (p *proposing) check(out *Proposal) (bad diag.List, err error) {
	var texts, toolsets []*scaffold.Legacy
	for _, l := range out.Prompts {
		if l.Toolset != nil && p.sides != nil {
			toolsets = append(toolsets, l)
		} else {
			texts = append(texts, l)
		}
	}
	var results []*prompt.Result
	if len(texts) > 0 {
		p.files[scaffold.Manifest] = []byte(scaffold.Rendered(texts))
		r, err := Check(load.Over(p.below, p.files), scaffold.Manifest)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
		if r.Delta != nil {
			for _, c := range r.Delta.Snapshots {
				out.Snapshots = append(out.Snapshots, c.Output)
			}
		}
	}
	for _, side := range p.sides {
		if toolsets == nil {
			break
		}
		side.Text = []byte(scaffold.Rendered(toolsets))
		r, err := side.compileBase(plainCounters())
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	for _, r := range results {
		for _, d := range r.Findings {
			if d.Level == diag.Error {
				bad = append(bad, d)
			}
		}
	}
	return bad, nil
}

// because says why no text is left.
func (p *proposing) because(err error) error {
	if unfit, ok := errors.AsType[*scaffold.Unfit](err); ok {
		unfit.Said = slices.Concat(p.said, unfit.Said)
		return &NoText{Unfit: unfit, Left: p.left.Sorted(), Refused: p.refused}
	}
	return err
}

// NoText is the error where no text is left.
type NoText struct {
	*scaffold.Unfit
	// Left says why files were left out that seemed to be prompts.
	Left    diag.List
	Refused []Refusal
}

// oneSided takes what has tools on one side and another text on the other for a
// text.
func (p *proposing) oneSided() {
	for i := range p.seen {
		s := &p.seen[i]
		for _, side := range p.sides {
			data, err := load.ReadSome(side.Files, s.Path)
			if err != nil || s.Sort != scaffold.ToolList || s.NoTools {
				continue // this side does not have it
			}
			if doc, _ := load.Look(s.Path, data); doc != nil && scaffold.Look(doc).Sort != scaffold.ToolList {
				s.NoTools = true
				p.said = append(p.said, diag.Say("tools-on-one-side", s.Path))
			}
		}
	}
}

// learn excludes the variants that errors are about, and gives these errors.
// again says that files have to be left out, or taken otherwise.
func (p *proposing) learn(prompts []*scaffold.Legacy, bad diag.List) (excluded diag.List, again bool) {
	gone := map[*scaffold.Legacy]diag.List{}
	for _, d := range bad {
		id, values, _ := strings.Cut(d.Variant, "/")
		i := slices.IndexFunc(prompts, func(l *scaffold.Legacy) bool { return l.ID == id })
		switch {
		case i >= 0 && isEmptyText(d):
			excluded = append(excluded, d)
			gone[prompts[i]] = append(gone[prompts[i]], d)
			if !prompts[i].Leave(pairs(values)) {
				p.drop(prompts[i].Takes(), scaffold.Blank)
				again = true
			}
		case p.file(d):
			again = true
		case !p.noInputs && slices.ContainsFunc(prompts, func(l *scaffold.Legacy) bool { return len(l.From) > 0 }):
			p.noInputs, again = true, true
		default:
			p.simpler(prompts, d)
			again = true
		}
	}
	for _, l := range prompts {
		l.Shorten()
		var files []string
		for _, d := range gone[l] {
			files = append(files, d.Span.File.Path)
		}
		if len(l.Exclude) > maxExcluded && !again {
			again = p.alone(files, l.Takes())
		}
	}
	return excluded, again
}

// maxExcluded is how many clauses a prompt of several files may have: beyond it,
// those that they are about are prompts of their own.
const maxExcluded = 20

// taken reports whether a finding is about a file that is still a prompt: it is
// found again.
func (p *proposing) taken(d diag.Diagnostic) bool {
	return d.Span.File != nil && slices.ContainsFunc(p.seen, func(s scaffold.Snapshot) bool {
		return s.Path == d.Span.File.Path && s.Sort == scaffold.Prompt
	})
}

// isEmptyText reports whether an error is about a text that says nothing, or is
// none: an entry that is an object, say.
func isEmptyText(d diag.Diagnostic) bool {
	return d.Code == diag.RenderedNoText || d.Code == diag.EmptyFile
}

// pairs reads the values in a variant's name.
func pairs(values string) map[string]string {
	out := map[string]string{}
	for pair := range strings.SplitSeq(values, ",") {
		axis, value, _ := strings.Cut(pair, "=")
		out[axis] = value
	}
	return out
}

// file leaves out the file that an error is about.
func (p *proposing) file(d diag.Diagnostic) bool {
	if d.Span.File == nil || d.Span.File.Path == scaffold.Manifest {
		return false
	}
	i := slices.IndexFunc(p.seen, func(s scaffold.Snapshot) bool { return s.Path == d.Span.File.Path })
	if i < 0 {
		return false
	}
	switch s := &p.seen[i]; s.Sort {
	case scaffold.ToolList:
		p.refuse([]string{s.Path}, d)
		return true
	case scaffold.Broken:
		return false
	default:
		s.Sort = scaffold.Broken
	}
	p.left = append(p.left, d)
	return true
}

// refuse takes no tools from files.
func (p *proposing) refuse(paths []string, why diag.Diagnostic) {
	changed := false
	for i := range p.seen {
		if s := &p.seen[i]; !s.NoTools && slices.Contains(paths, s.Path) {
			s.NoTools, changed = true, true
		}
	}
	if changed { // each side may say it
		p.refused = append(p.refused, Refusal{paths, why})
	}
}

// listTools says of files of tools with others beside them, which nobody named,
// that no pattern is to take these.
func (p *proposing) listTools() {
	if p.below == nil {
		return
	}
	named, others := map[string]bool{}, map[string]bool{} // others by pattern
	for _, s := range p.seen {
		named[s.Path] = true
	}
	of := func(name string) string { return path.Join(path.Dir(name), "*"+path.Ext(name)) }
	looked := map[string]bool{}
	for i := range p.seen {
		s := &p.seen[i]
		if dir := path.Dir(s.Path); s.Sort == scaffold.ToolList && !looked[dir] {
			looked[dir] = true
			entries, _ := fs.ReadDir(p.below, dir) // a folder that cannot be read names none
			for _, e := range entries {
				name := path.Join(dir, e.Name())
				others[of(name)] = others[of(name)] || !named[name]
			}
		}
		s.Listed = s.Sort == scaffold.ToolList && others[of(s.Path)]
	}
}

// simpler takes the files of the prompt that an error is about for prompts of
// their own; where that was done already, or nobody knows which prompt it is,
// they are left out. What is wrong with its tools takes them away.
func (p *proposing) simpler(prompts []*scaffold.Legacy, d diag.Diagnostic) {
	l, line := prompts[0], ""
	for _, other := range prompts {
		if f := d.Span.File; f != nil && other.Toolset != nil && (f.Path == snapshotFolder || path.Dir(f.Path) == path.Dir(other.Path)) {
			l = other // only tools without a text have snapshots, where nobody knows what texts are made from
		}
	}
	if d.Span.File != nil && d.Span.File.Path == scaffold.Manifest {
		text := d.Span.File.Text
		start := strings.LastIndexByte(text[:d.Span.Start], '\n') + 1
		line, _, _ = strings.Cut(text[start:], "\n")
		last := -1
		for _, other := range prompts {
			if at := strings.LastIndex(text[:start+len(line)], "\n  "+other.ID+":"); at > last {
				last, l = at, other
			}
		}
	}
	if l.Toolset != nil {
		p.refuse(l.Takes(), d)
		return
	}
	if strings.HasPrefix(strings.TrimSpace(line), "tools:") {
		p.left = append(p.left, d)
		for i := range p.seen {
			p.seen[i].NoTools = p.seen[i].NoTools || p.seen[i].Sort == scaffold.ToolList && l.TakesTools(p.seen[i].Path)
		}
		return
	}
	if !p.alone(l.Takes(), l.Takes()) {
		p.left = append(p.left, d)
		p.drop(l.Takes(), scaffold.Blank)
	}
}

// alone takes some files of a prompt for prompts of their own; false where each
// is already.
func (p *proposing) alone(paths, of []string) (changed bool) {
	for i := range p.seen {
		if s := &p.seen[i]; !s.Alone && slices.Contains(paths, s.Path) && len(of) > 1 {
			s.Alone, changed = true, true
		}
	}
	return changed
}

func (p *proposing) drop(paths []string, sort scaffold.Sort) {
	for i := range p.seen {
		if slices.Contains(paths, p.seen[i].Path) {
			p.seen[i].Sort = sort
		}
	}
}
