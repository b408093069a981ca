package pipeline

import (
	"io/fs"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// State is one state of a project, to be compared with another.
type State struct {
	// Name is what people call it.
	Name string
	// Files hold it, with the manifest at a path.
	Files    fs.FS
	Manifest string
	// Text is a manifest that does not stand there, else nil: the other state's,
	// or one that was proposed for the files of patterns.
	Text     []byte
	Patterns []string
	// Snapshots says that somebody wants to know about its snapshots, too.
	Snapshots bool
	Options   []Option
}

// Sides compiles the two states that [Compare] takes, both at once. Most texts
// stand in both and are counted once. An error means that the job could not be
// done; of a base beside a head that does not compile nobody wants to know, so
// that it is no error then, and the base without a Result.
func Sides(base, head State) (was, is review.Side, err error) {
	type outcome struct {
		side review.Side
		err  error
	}
	counters := plainCounters()
	made := par.Map([]func() outcome{
		func() outcome {
			r, err := head.compile(counters)
			return outcome{review.Side{Name: head.Name, Result: r, Patterns: head.Patterns}, err}
		},
		func() outcome {
			r, err := base.compileBase(counters)
			return outcome{review.Side{Name: base.Name, Result: r, Patterns: base.Patterns}, err}
		},
	}, func(compile func() outcome) outcome { return compile() })
	was, is, err = made[1].side, made[0].side, made[0].err
	switch {
	case err != nil:
	case is.Result.Stopped:
		was.Result = nil
	default:
		err = made[1].err
	}
	if err != nil || was.Result == nil {
		return was, is, err
	}
	if was.Result.Tree.Borrowed {
		withoutUnread(was.Result, is.Result)
	}
	if is.Result.Tree.Borrowed {
		withoutUnread(is.Result, was.Result)
	}
	if head.Patterns != nil {
		refuseUnread(was.Result, is.Result)
	}
	return was, is, nil
}

// refuseUnread ends a comparison by a proposed manifest with a prompt that
// neither side has a text of: no change would be said of what nobody read.
func refuseUnread(base, head *prompt.Result) {
	has := func(r *prompt.Result, id string) bool {
		return r.Stopped || r.Plan.Build(id) != nil
	}
	for _, p := range head.Spec.Prompts {
		if !has(base, p.ID.Str) && !has(head, p.ID.Str) {
			head.Findings, head.Stopped = append(head.Findings, head.Unrendered...).Sorted(), true
		}
	}
}

// withoutUnread takes the prompts from a side with a borrowed manifest of which it has
// no file and the other side has some: they are new, or gone.
func withoutUnread(side, other *prompt.Result) {
	if side.Stopped || other.Stopped {
		return
	}
	lacks := func(b *assembly.Build) bool {
		id := b.Prompt.ID.Str
		return !reads(side, id) && reads(other, id)
	}
	side.Artifacts = slices.DeleteFunc(side.Artifacts, func(a *assembly.Artifact) bool { return lacks(a.Build) })
	side.Plan.Builds = slices.DeleteFunc(side.Plan.Builds, lacks)
}

// lacking keeps of a stage's findings those that are wrong about a state with a
// borrowed manifest. An error in the manifest, which fits the state that it is
// from, is no mistake but something that this one does not have.
func lacking(r *prompt.Result, found diag.List) diag.List {
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		if d.Level != diag.Error || d.Span.File != r.Tree.File {
			return false
		}
		if d.Code == diag.RenderedNothing || d.Code == diag.RenderedMissing {
			r.Unrendered = append(r.Unrendered, d)
		} else {
			r.Lacks = append(r.Lacks, d)
		}
		return true
	})
}

// PolicyOf compiles a state by whose policy [Compare] is to judge. An error means
// that the job could not be done.
func PolicyOf(s State) (review.Side, error) {
	r, err := s.compileBase(plainCounters())
	return review.Side{Name: s.Name, Result: r}, err
}

// SideOf compiles a state that has no other to be compared with, such as a new
// project of a workspace. An error means that the job could not be done.
func SideOf(s State) (review.Side, error) {
	r, err := s.compile(plainCounters())
	return review.Side{Name: s.Name, Result: r}, err
}

func (s State) compile(plain map[string]*token.Counter) (*prompt.Result, error) {
	if s.Snapshots {
		return compile(s.Files, s.Manifest, plain, snapshot.Input{SnapshotsOnly: true}, s.Options)
	}
	tree, found, err := s.load()
	if err != nil {
		return &prompt.Result{}, err
	}
	return s.assembled(tree, found, plain), nil
}

// compileBase compiles what is compared with. A prompt whose rendered files
// were not yet there is new, and no mistake.
func (s State) compileBase(plain map[string]*token.Counter) (*prompt.Result, error) {
	tree, found, err := s.load()
	if err != nil {
		return &prompt.Result{}, err
	}
	tree.Past = tree.Borrowed
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code == diag.RenderedNothing })
	return s.assembled(tree, found, plain), nil
}

// assembled runs what comes after load.
func (s State) assembled(tree *language.Tree, found diag.List, plain map[string]*token.Counter) *prompt.Result {
	r := assembled(tree, found, plain, s.Options)
	if s.Patterns != nil && !r.Stopped {
		withoutFiles(r)
	}
	if s.Patterns != nil && len(r.Lacks) > 0 { // a proposal fits no state for certain
		r.Findings, r.Lacks, r.Stopped = append(r.Findings, r.Lacks...).Sorted(), nil, true
	}
	return settled(r, lint.SeenVariants)
}

// withoutFiles takes from a state by a proposed manifest the prompts that it has no
// file of, or only such as are excluded: the other state may have some.
func withoutFiles(r *prompt.Result) {
	r.Lacks = slices.DeleteFunc(r.Lacks, func(d diag.Diagnostic) bool {
		none := d.Code == diag.NoFile || d.Code == diag.NoVariant
		if none {
			r.Unrendered = append(r.Unrendered, d)
		}
		return none
	})
	gone := map[diag.Span]bool{}
	r.Plan.Builds = slices.DeleteFunc(r.Plan.Builds, func(b *assembly.Build) bool {
		gone[b.Prompt.ID.At] = !reads(r, b.Prompt.ID.Str)
		return gone[b.Prompt.ID.At]
	})
	r.Artifacts = slices.DeleteFunc(r.Artifacts, func(a *assembly.Artifact) bool { return gone[a.Build.Prompt.ID.At] })
	r.Findings = slices.DeleteFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Code == diag.NothingComposed && gone[d.Span] })
}

// reads reports whether a prompt of a result has a source.
func reads(r *prompt.Result, id string) bool {
	return slices.ContainsFunc(r.Plan.Units, func(u *assembly.Unit) bool { return u.Prompt.ID.Str == id && len(u.Sources()) > 0 })
}

func (s State) load() (*language.Tree, diag.List, error) {
	if s.Text != nil {
		return load.RunBorrowed(s.Files, s.Manifest, s.Text, validate.Language{})
	}
	return load.Run(s.Files, s.Manifest, validate.Language{})
}
