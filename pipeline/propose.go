package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/prompt"
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
	Snapshots []assembly.Output
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
const maxRounds = 64

// Propose finds the prompts in rendered files, which patterns gave, and what
// check has no error about. What lies in below beside the files is looked at,
// too; without it, they are all there is, and tools are looked at as each of the
// sides has them. No pattern takes what bad is about. The error is a *NoText where
// no text is left.
func Propose(ctx context.Context, below fs.FS, patterns []string, files []RenderedFile, bad diag.List, sides ...fs.FS) (*Proposal, error) {
	p := &proposing{ctx: ctx, below: below, patterns: patterns, files: map[string][]byte{}}
	for _, side := range sides {
		p.sides = append(p.sides, Request{Files: side, Manifest: scaffold.Manifest, Patterns: patterns, Past: true, Until: Composed})
	}
	if below != nil {
		_, err := fs.Stat(below, snapshotFolder)
		p.noInputs = err == nil // the folder that the record would go to is another's
	}
	asked := map[string]bool{}
	for _, f := range files {
		asked[f.Path] = true
		if below == nil {
			p.files[f.Path] = f.Data
		}
		if load.IsReceived(f.Path) {
			p.said = append(p.said, diag.Say("left-out", f.Path, diag.Say("received")))
			continue
		}
		if slices.Contains(ownFiles(), f.Path) {
			p.said = append(p.said, diag.Say("left-out", f.Path, diag.Say("set-up")))
			continue
		}
		doc, found := load.Look(f.Path, f.Data)
		seen := scaffold.Snapshot{Path: f.Path, Sort: scaffold.Broken}
		if doc != nil {
			seen = look(doc)
		}
		seen.Sides = f.Sides
		p.left = append(p.left, found...)
		p.seen = append(p.seen, seen)
	}
	for _, d := range bad {
		p.left = append(p.left, d)
		p.seen = append(p.seen, scaffold.Snapshot{Path: d.Span.File.Path, Sort: scaffold.Broken})
	}
	for _, name := range ownFiles() {
		if asked[name] || below != nil { // init writes them
			p.seen = append(p.seen, scaffold.Snapshot{Path: name, Sort: scaffold.Broken})
		}
	}
	p.oneSided()
	return p.settle()
}

// ownFiles are those by which promptc, and what runs it, is set up: no prompt is in
// them.
func ownFiles() []string { return slices.Concat(load.ManifestNames(), scaffold.SetUp()) }

// look takes a file that can be read for what it seems to be.
func look(doc *language.Doc) scaffold.Snapshot {
	return scaffold.Look(doc, validate.ToolNames(doc))
}

// settle makes proposals until check has no error about one.
func (p *proposing) settle() (*Proposal, error) {
	var found *scaffold.Found
	for range maxRounds {
		if found == nil {
			var err error
			if found, err = scaffold.Derive(p.seen, p.patterns...); err != nil {
				return nil, p.because(err)
			}
			if again, err := p.beside(found.Prompts); err != nil {
				return nil, err
			} else if again {
				found = nil
				continue
			}
			p.inputs(found.Prompts)
		}
		out := &Proposal{Manifest: scaffold.Rendered(found.Prompts).Text, Prompts: found.Prompts, Said: slices.Concat(p.said, found.Said)}
		bad, err := p.check(out)
		if err != nil {
			return nil, err
		}
		if len(bad) == 0 {
			out.Left, out.Refused = p.left.Sorted(), p.refused
			return out, nil
		}
		if p.repair(found.Prompts, bad) {
			found = nil
		}
	}
	return nil, p.because(&scaffold.Unfit{Fact: diag.Say("errors-in-every-manifest"), Hint: diag.Say("match-one-folder")})
}

type proposing struct {
	ctx      context.Context
	below    fs.FS
	patterns []string
	files    map[string][]byte // over those below
	sides    []Request
	seen     []scaffold.Snapshot
	left     diag.List
	// refused are tools that are left out, or texts.
	refused []Refusal
	said    []diag.Words
	// noInputs says that prompts do not name what they are made from.
	noInputs bool
}

// beside finds the files that nobody asked for and that a pattern may match. It
// reports whether there are new ones.
func (p *proposing) beside(prompts []*scaffold.Legacy) (found bool, err error) {
	known := map[string]bool{}
	for _, s := range p.seen {
		known[s.Path] = true
	}
	for _, l := range prompts {
		for _, pattern := range l.Loose() {
			unasked, err := p.unasked(pattern, known)
			if err != nil {
				return false, err
			}
			p.seen, found = append(p.seen, unasked...), found || len(unasked) > 0
		}
	}
	return found, nil
}

// unasked gives the files that a pattern matches and that are not known. One that a
// state cannot read is broken.
func (p *proposing) unasked(pattern string, known map[string]bool) (out []scaffold.Snapshot, err error) {
	sorts := map[string]scaffold.Sort{}
	for _, state := range p.states() {
		found, err := load.Match(state, axispattern.PathPattern(pattern).Glob())
		if err != nil {
			return nil, err
		}
		for _, d := range found.Bad {
			sorts[d.Span.File.Path] = scaffold.Broken
		}
		for _, name := range found.Files {
			if sort, met := sorts[name]; known[name] || load.IsReceived(name) || met && sort == scaffold.Broken {
				continue
			}
			data, err := load.ReadSome(state, name)
			if err != nil {
				return nil, err
			}
			sorts[name] = scaffold.Unasked
			if doc, _ := load.Look(name, data); doc == nil {
				sorts[name] = scaffold.Broken
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sorts)) {
		if !known[name] {
			known[name], out = true, append(out, scaffold.Snapshot{Path: name, Sort: sorts[name]})
		}
	}
	return out, nil
}

// states are where files may lie beside those that were asked for.
func (p *proposing) states() []fs.FS {
	if p.below != nil {
		return []fs.FS{p.below}
	}
	var out []fs.FS
	for _, side := range p.sides {
		out = append(out, side.Files)
	}
	return out
}

// inputs names the folders that may hold what the texts are made from.
func (p *proposing) inputs(prompts []*scaffold.Legacy) {
	for _, l := range prompts {
		if p.below == nil || p.noInputs || l.Toolset != nil {
			continue
		}
		for _, folder := range l.InputFolders() {
			if info, err := fs.Stat(p.below, folder); err == nil && info.IsDir() {
				l.From = append(l.From, folder+"/**")
			}
		}
	}
}

// fault is an error that check has about a proposal.
type fault struct {
	diag.Diagnostic
	files []string // that it is about; nil where nobody knows
	// id is the prompt of the variant whose text is none, and values are its values.
	id     string
	values []string
}

// check gives the errors that check has about a proposal; without any, the
// proposal has the snapshots. Of two states each has to be right about its tools:
// both may have what neither has twice.
func (p *proposing) check(out *Proposal) (bad []fault, err error) {
	var texts, toolsets []*scaffold.Legacy
	for _, l := range out.Prompts {
		if l.Toolset != nil && p.sides != nil {
			toolsets = append(toolsets, l)
		} else {
			texts = append(texts, l)
		}
	}
	if len(texts) > 0 {
		w := scaffold.Rendered(texts)
		p.files[scaffold.Manifest] = []byte(w.Text)
		r, err := Compile(p.ctx, Request{Files: load.Over(p.below, p.files), Manifest: scaffold.Manifest, Until: Compared})
		if err != nil {
			return nil, err
		}
		bad = p.faults(r, w, texts)
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
		w := scaffold.Rendered(toolsets)
		side.Text = []byte(w.Text)
		r, err := Compile(p.ctx, side)
		if err != nil {
			return nil, err
		}
		bad = append(bad, p.faults(r, w, toolsets)...)
	}
	return bad, nil
}

// faults finds out what the errors about a manifest are about.
func (p *proposing) faults(r *prompt.Result, w *scaffold.Written, prompts []*scaffold.Legacy) (out []fault) {
	for _, d := range r.Findings {
		if d.Level != diag.Error {
			continue
		}
		x := fault{Diagnostic: d, files: p.about(d.Span, w, prompts)}
		if d.Code == diag.RenderedNoText || d.Code == diag.EmptyFile {
			x.id, x.values = valuesOf(r.Plan, d.Variant)
		}
		out = append(out, x)
	}
	return out
}

// valuesOf gives the prompt of a variant, and the variant's values.
func valuesOf(plan *assembly.Plan, name string) (id string, values []string) {
	for _, b := range plan.Builds {
		for _, v := range b.Variants {
			if v.Name != name {
				continue
			}
			for axis, value := range v.Values {
				values = append(values, b.Prompt.Axes[axis].Values[value].Str)
			}
			return b.Prompt.ID.Str, values
		}
	}
	return "", nil
}

// about gives the files that an error is about: its own, or those of its part of
// the manifest. One beside them is about the tools of its folder; only tools without
// a text have snapshots, where nobody knows what texts are made from.
func (p *proposing) about(at diag.Span, w *scaffold.Written, prompts []*scaffold.Legacy) []string {
	switch f := at.File; {
	case f == nil:
	case f.Path == scaffold.Manifest:
		return w.At(at.Start)
	case slices.ContainsFunc(p.seen, func(s scaffold.Snapshot) bool { return s.Path == f.Path && s.Sort != scaffold.Broken }):
		return []string{f.Path}
	default:
		for _, l := range prompts {
			if l.Toolset != nil && (f.Path == snapshotFolder || path.Dir(f.Path) == path.Dir(l.Path)) {
				return l.Takes()
			}
		}
	}
	return nil
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
			if doc, _ := load.Look(s.Path, data); doc != nil && look(doc).Sort != scaffold.ToolList {
				s.NoTools = true
				p.said = append(p.said, diag.Say("tools-on-one-side", s.Path))
			}
		}
	}
}

// repair excludes the variants whose texts are none, and takes what the other
// errors are about otherwise. again says that prompts have to be found again.
func (p *proposing) repair(prompts []*scaffold.Legacy, bad []fault) (again bool) {
	empty := map[string][]string{} // the files with such texts, by prompt
	touched := map[string]bool{}   // files that are taken otherwise from now on
	isTouched := func(name string) bool { return touched[name] }
	for _, x := range bad {
		i := slices.IndexFunc(prompts, func(l *scaffold.Legacy) bool { return l.ID == x.id })
		switch {
		case i >= 0:
			p.left = append(p.left, x.Diagnostic)
			empty[x.id] = append(empty[x.id], x.files...)
			if !prompts[i].Leave(x.values) {
				p.change(prompts[i].Takes(), dropped)
				again = true
			}
		case x.files == nil && again, slices.ContainsFunc(x.files, isTouched):
			// The next check says whether it is still there.
		default:
			p.simpler(x)
			again = true
			for _, name := range x.files {
				touched[name] = true
			}
		}
	}
	for _, l := range prompts {
		l.Shorten()
		if len(l.Exclude) > maxExcluded && len(l.Takes()) > 1 && !again {
			again = p.change(empty[l.ID], alone)
		}
	}
	return again
}

// maxExcluded is how many clauses a prompt of several files may have: beyond it,
// those that they are about are prompts of their own.
const maxExcluded = 20

// simpler takes no tools from the files that an error is about. Each text is a
// prompt of its own; if it is already, or the error stands in it, it is left out.
// What is about no file takes away what texts are made from, or is about all files.
func (p *proposing) simpler(x fault) {
	if x.files == nil && !p.noInputs {
		p.noInputs = true
		return
	}
	files := x.files
	if files == nil {
		for _, s := range p.seen {
			files = append(files, s.Path)
		}
	}
	switch {
	case x.files != nil && p.change(files, withoutTools):
		p.refused = append(p.refused, Refusal{files, x.Diagnostic})
	case (x.Span.File == nil || !slices.Contains(files, x.Span.File.Path)) && p.change(files, alone):
	default:
		p.left = append(p.left, x.Diagnostic)
		p.change(files, dropped)
	}
}

// change takes files otherwise, and reports whether that is new for one of them.
func (p *proposing) change(paths []string, to func(*scaffold.Snapshot) bool) (changed bool) {
	for i := range p.seen {
		if slices.Contains(paths, p.seen[i].Path) && to(&p.seen[i]) {
			changed = true
		}
	}
	return changed
}

// The ways to take a file: for a prompt of its own, without its tools, not at all.
func alone(s *scaffold.Snapshot) (changed bool) {
	changed, s.Alone = !s.Alone, true
	return changed
}

func withoutTools(s *scaffold.Snapshot) (changed bool) {
	changed, s.NoTools = !s.NoTools && s.Sort == scaffold.ToolList, true
	return changed
}

func dropped(s *scaffold.Snapshot) (changed bool) {
	changed, s.Sort = s.Sort != scaffold.Broken, scaffold.Broken
	return changed
}
