package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// Adoption is a manifest over the files that agents read in a repository, in which
// check finds no error; "" where there are no such files.
type Adoption struct {
	Manifest string
	// Store is the folder of the snapshots, and Snapshots are what a build would
	// write.
	Store     string
	Snapshots []assembly.Output
	// Took says what each prompt is made of, and Left why files were left out.
	Took []scaffold.Taken
	Left []diag.Words
	// Bad are the errors for which files were left out.
	Bad []Refusal
	// Saved are patterns of the files in which tests keep snapshots, where there is no
	// manifest: they may hold prompts that a program assembles.
	Saved []string
	// Fronts are rules whose front matter differs between the two states: that of the head
	// says for both when they are read.
	Fronts []string
}

// ErrNothingAdopted is the error where check has an error about all that there is.
var ErrNothingAdopted error = diag.Fail("nothing-adopted")

// adoptionStores are the folders that snapshots may go to: the first that is not
// there yet.
var adoptionStores = []string{"snapshots", "prompt-snapshots", "promptc-snapshots"}

// maxAdoptionRounds bounds how often a manifest is made again without the files
// that check has an error about.
const maxAdoptionRounds = 50

// maxLookedAt is the size of the largest file that is looked into: what is larger
// is no source.
const maxLookedAt = 1 << 20

// maxText is the size of the largest text that is found: what is larger, no prompt may read.
const maxText = 16 << 20

// Adopting says what is adopted, and for what.
type Adopting struct {
	// Below is the folder of the manifest. Ignored are the paths that git does not keep,
	// folders with a slash behind them.
	Below   fs.FS
	Ignored []string
	// Only and Skip are patterns of files, or folders: with some of Only, no other files are
	// taken, and none of Skip are.
	Only, Skip []string
	// Look says that nothing will be written: the manifest is to be looked at once, and
	// has no budgets.
	Look bool
	// Base is the folder in the other state of a comparison, which the manifest has to serve,
	// too; nil for none.
	Base fs.FS
}

// Adopt finds a product's prompts and the files that agents read below a folder, and
// makes a manifest over those that check has no error about.
func Adopt(ctx context.Context, in Adopting) (*Adoption, error) {
	a := &adopting{ctx: ctx, below: in.Below, base: in.Base, until: Compared, only: in.Only, skip: in.Skip, met: map[string]bool{}}
	if in.Look {
		a.until, a.store = Composed, scaffold.DefaultSnapshots
	}
	for _, folder := range adoptionStores {
		if _, err := fs.Stat(in.Below, folder); a.store == "" && errors.Is(err, fs.ErrNotExist) {
			a.store = folder
		}
	}
	if err := a.gather(in); err != nil {
		return nil, err
	}
	for range maxAdoptionRounds {
		made := scaffold.Adopt(a.files)
		left := append(made.Left, a.said...)
		none := len(made.Drafts)+len(made.Products) == 0
		switch {
		case none && len(a.bad) > 0:
			return &Adoption{Left: left, Bad: a.bad}, ErrNothingAdopted
		case none:
			return &Adoption{Left: left, Saved: a.saved(made.Takes)}, nil
		case a.store == "":
			return nil, &scaffold.Unfit{Fact: diag.Say("folders-for-snapshots", diag.Names(adoptionStores))}
		}
		r, again, err := a.check(made)
		if err != nil {
			return nil, err
		}
		if again {
			continue
		}
		if !in.Look {
			measure(made, r)
			if r, again, err = a.check(made); err != nil {
				return nil, err
			}
			if again {
				return nil, errUnsettled
			}
		}
		out := &Adoption{Manifest: made.Manifest(a.store).Text, Store: a.store, Took: made.Took(), Left: left, Bad: a.bad, Fronts: a.fronts}
		if saved := a.saved(made.Takes); saved != nil {
			out.Left = append(out.Left, diag.Say("snapshots-left", diag.AndOthers(saved)))
		}
		if r.Delta != nil {
			for _, c := range r.Delta.Snapshots {
				out.Snapshots = append(out.Snapshots, c.Output)
			}
		}
		return out, nil
	}
	return nil, errUnsettled
}

// gather finds the files of both states.
func (a *adopting) gather(in Adopting) (err error) {
	if a.files, err = a.look(in.Below, in.Ignored); err != nil {
		return err
	}
	for _, p := range slices.Concat(in.Only, in.Skip) {
		if !a.met[p] {
			a.said = append(a.said, diag.Say("fits-no-file", p))
		}
	}
	if in.Base == nil {
		return nil
	}
	return a.lookBack()
}

var errUnsettled error = &scaffold.Unfit{Fact: diag.Say("errors-in-every-manifest")}

type adopting struct {
	ctx         context.Context
	below, base fs.FS
	until       Until
	// only and skip are patterns of files, and met those that fit one.
	only, skip []string
	met        map[string]bool
	// known are the files that a manifest takes already; nil where there is none.
	known map[string]bool
	// noBodies says that recordings of requests are left out.
	noBodies bool
	store    string
	files    []scaffold.RepoFile
	said     []diag.Words
	bad      []Refusal
	fronts   []string
}

// look finds the files of a state, and what has to be known of them.
func (a *adopting) look(state fs.FS, ignored []string) (files []scaffold.RepoFile, err error) {
	left := map[string]bool{}
	for _, name := range ignored {
		left[strings.TrimSuffix(name, "/")] = true
	}
	isIgnored := func(name string) bool {
		for ; name != "."; name = path.Dir(name) {
			if left[name] {
				return true
			}
		}
		return false
	}
	names, others, all, err := load.Walk(state, func(folder string) bool {
		base := path.Base(folder)
		hidden := strings.HasPrefix(base, ".") && !slices.Contains(scaffold.AgentFolders, base)
		return base == "node_modules" || !strings.HasPrefix(folder, ".") && (hidden || isIgnored(folder)) || hidden
	})
	if err != nil {
		return nil, err
	}
	if !all {
		a.said = append(a.said, diag.Say("looked-at-some", diag.Count(len(names))))
	}
	for _, name := range others {
		files = append(files, scaffold.RepoFile{Path: name, Ignored: isIgnored(name), Odd: true})
	}
	a.leaveBodies(names)
	own := ownSnapshots(names)
	for _, name := range names {
		f := scaffold.RepoFile{Path: name, Ignored: isIgnored(name)}
		if f.Bad = !a.wants(name) || slices.ContainsFunc(own, func(folder string) bool { return strings.HasPrefix(name, folder) }); f.Bad {
			files = append(files, f)
			continue
		}
		a.lookInto(state, &f)
		files = append(files, f)
	}
	return files, nil
}

// ownSnapshots gives the folders of snapshots that promptc wrote: each prompt has an outline
// in one.
func ownSnapshots(names []string) []string {
	var out []string
	for _, name := range names {
		folder := path.Dir(path.Dir(name)) + "/"
		if path.Base(name) == "outline.txt" && folder != "./" && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	return out
}

// lookInto finds what has to be known of a file. Of the tools in it nobody asks where a
// manifest has the prompts already.
func (a *adopting) lookInto(state fs.FS, f *scaffold.RepoFile) {
	front, tools := scaffold.Looked(f.Path)
	if front || tools {
		if text := textIn(state, f.Path, maxLookedAt); front {
			f.Front = load.Front(f.Path, text)
		} else if tools = mayDefineTools(text); tools && a.known == nil {
			if doc, _ := load.Look(f.Path, text); doc != nil {
				f.Tools = validate.ToolNames(doc)
			}
		}
	}
	if f.Tools == nil && !f.Ignored && !a.known[f.Path] && (a.known == nil || !tools) {
		f.Product = a.product(state, f.Path)
	}
}

// wants reports whether somebody asked for a file, or for all.
func (a *adopting) wants(name string) bool {
	in := func(patterns []string) (fits bool) {
		for _, p := range patterns {
			if glob.Element(p, name) || strings.HasPrefix(name, strings.TrimSuffix(p, "/")+"/") {
				a.met[p], fits = true, true
			}
		}
		return fits
	}
	skipped := in(a.skip)
	return (in(a.only) || len(a.only) == 0) && !skipped
}

// lookBack adds what the other state has: files that are gone, and of those that are
// there the prompts that only it finds in them.
func (a *adopting) lookBack() error {
	old, err := a.look(a.base, nil)
	if err != nil {
		return err
	}
	at := map[string]*scaffold.RepoFile{}
	for i := range a.files {
		at[a.files[i].Path] = &a.files[i]
	}
	var gone []scaffold.RepoFile
	for _, f := range old {
		now := at[f.Path]
		if now != nil && sourceOf(now.Front) != sourceOf(f.Front) && scaffold.SaysWhen(f.Path) {
			a.fronts = append(a.fronts, f.Path)
		}
		switch {
		case now == nil:
			gone = append(gone, f)
		case now.Product == nil && now.Tools == nil:
			now.Product = f.Product
		case now.Product != nil:
			now.Product.Unite(f.Product)
		}
	}
	a.files = append(a.files, gone...)
	return nil
}

// sourceOf gives what a value was read from, "" for none.
func sourceOf(n *ground.Node) string {
	if n == nil {
		return ""
	}
	return n.At.File.Text[n.At.Start:n.At.End]
}

// maxSent is how many files of recorded requests are read without being asked for: more
// take seconds.
const maxSent = 50

// leaveBodies leaves recorded requests out where they are too many to be read.
func (a *adopting) leaveBodies(names []string) {
	var bodies []string
	for _, name := range names {
		if scaffold.Seek(name) == scaffold.SentBody {
			bodies = append(bodies, name)
		}
	}
	if a.noBodies = a.noBodies || len(bodies) > maxSent; a.noBodies && len(bodies) > 0 {
		a.said = append(a.said, diag.Say("bodies-not-read", diag.Counted(len(bodies), "one-recording", "recordings"), scaffold.SentPattern(bodies[0])))
	}
}

// saved gives a pattern for each folder with snapshots of tests that nothing takes.
func (a *adopting) saved(takes func(name string) bool) []string {
	var out []string
	for _, f := range a.files {
		ending := path.Ext(f.Path)
		pattern := path.Join(path.Dir(f.Path), "*"+ending)
		if (ending == ".snap" || ending == ".ambr") && !f.Ignored && !takes(f.Path) && !slices.Contains(out, pattern) {
			out = append(out, pattern)
		}
	}
	return out
}

// textIn gives what a file holds in a state, nil where it has more bytes than are looked
// into.
func textIn(state fs.FS, name string, most int) []byte {
	info, err := fs.Stat(state, name)
	if err != nil || info.Size() > int64(most) {
		return nil
	}
	text, err := load.ReadSome(state, name)
	if err != nil || len(text) > most {
		return nil
	}
	return text
}

// check compiles a manifest, and marks the files that there are errors about. Of two
// states, neither has to have all that it names.
func (a *adopting) check(made *scaffold.Adoption) (r *prompt.Result, again bool, err error) {
	written := made.Manifest(a.store)
	q := Request{Files: load.Over(a.below, map[string][]byte{scaffold.Manifest: []byte(written.Text)}), Manifest: scaffold.Manifest, Until: a.until}
	states := []Request{q}
	if a.base != nil {
		states = nil
		for _, state := range []fs.FS{a.below, a.base} {
			states = append(states, Request{Files: state, Manifest: scaffold.Manifest, Text: []byte(written.Text), Past: len(states) > 0, Until: a.until})
		}
	}
	for _, q := range states {
		if r, err = Compile(a.ctx, q); err != nil {
			return nil, false, err
		}
		for _, d := range r.Findings {
			if d.Level != diag.Error {
				continue
			}
			again = true
			if !a.leave(blame(made, written, r.Tree, d), d) {
				return nil, false, &scaffold.Unfit{Fact: diag.Say("error-in-manifest", string(d.Code))}
			}
		}
	}
	return r, again, nil
}

// leave leaves out the files that an error is about; false where there are none.
func (a *adopting) leave(blamed []string, d diag.Diagnostic) bool {
	var fresh []string
	for i := range a.files {
		if f := &a.files[i]; slices.Contains(blamed, f.Path) && !f.Bad {
			f.Bad = true
			fresh = append(fresh, f.Path)
		}
	}
	switch {
	case fresh == nil:
	case d.Code == diag.EmptyFile:
		a.said = append(a.said, diag.Say("left-out", fresh[0], diag.Say("it-says-nothing")))
	default:
		a.bad = append(a.bad, Refusal{fresh, d})
	}
	return len(blamed) > 0
}

// blame gives the files that an error is about: its own, those that import it, or
// those of the part of the manifest that it stands in.
func blame(made *scaffold.Adoption, written *scaffold.Written, tree *language.Tree, d diag.Diagnostic) []string {
	f := d.Span.File
	switch {
	case f != nil && made.Takes(f.Path):
		return []string{f.Path}
	case f != nil && f.Path == scaffold.Manifest:
		if files := written.At(d.Span.Start); files != nil {
			return files
		}
	case f != nil:
		var importing []string
		for _, doc := range tree.Docs() {
			if doc.Expanded != nil && slices.ContainsFunc(doc.Expanded.Imported, func(i *language.Doc) bool { return i.File.Path == f.Path }) {
				importing = append(importing, doc.File.Path)
			}
		}
		if importing != nil {
			return importing
		}
	}
	for _, id := range d.Prompts {
		if files := made.In(id); files != nil {
			return files
		}
	}
	return nil
}

// measure notes what the largest variant of each prompt has.
func measure(made *scaffold.Adoption, r *prompt.Result) {
	for _, l := range made.Products {
		for _, artifact := range r.Artifacts {
			if artifact.Build.Prompt.ID.Str == l.ID {
				l.Tokens = max(l.Tokens, artifact.Use)
			}
		}
	}
	for _, d := range made.Drafts {
		for _, artifact := range r.Artifacts {
			if artifact.Build.Prompt.ID.Str == d.ID {
				d.Tokens, d.ToolTokens = max(d.Tokens, artifact.Use), max(d.ToolTokens, artifact.ToolTokens)
			}
		}
	}
}
