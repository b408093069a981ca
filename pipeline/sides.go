package pipeline

import (
	"io/fs"
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/lint"
	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/snapshot"
	"github.com/promptc-build/promptc/pipeline/token"
	"github.com/promptc-build/promptc/pipeline/validate"
)

// State is one state of a project, to be compared with another.
type State struct {
	// Name is what people call it.
	Name string
	// Files hold it, with the manifest at a path; "" where it has none.
	Files    fs.FS
	Manifest string
	// Snapshots says that somebody wants to know about its snapshots, too.
	Snapshots bool
	Options   []Option
}

// Sides compiles the two states that [Compare] takes, both at once. Most texts
// stand in both and are counted once. An error means that the job could not be
// done; of a base beside a head that does not compile nobody wants to know, so
// that it is no error then, and the base without a Result.
func Sides(base, head State) (was, is prompt.Side, err error) {
	type outcome struct {
		side prompt.Side
		err  error
	}
	counters := plainCounters()
	made := par.Map([]func() outcome{
		func() outcome {
			r, err := head.compile(counters)
			return outcome{prompt.Side{Name: head.Name, Result: r}, err}
		},
		func() outcome {
			r, err := base.compileBase(counters)
			return outcome{prompt.Side{Name: base.Name, Result: r}, err}
		},
	}, func(compile func() outcome) outcome { return compile() })
	was, is, err = made[1].side, made[0].side, made[0].err
	switch {
	case err != nil:
	case is.Result != nil && is.Result.Stopped:
		was.Result = nil
	default:
		err = made[1].err
	}
	return was, is, err
}

// PolicyOf compiles a state by whose policy [Compare] is to judge. An error means
// that the job could not be done.
func PolicyOf(s State) (prompt.Side, error) {
	r, err := s.compileBase(plainCounters())
	return prompt.Side{Name: s.Name, Result: r}, err
}

func (s State) compile(plain map[string]*token.Counter) (*prompt.Result, error) {
	if s.Manifest == "" {
		return nil, nil //nolint:nilnil // a side without a Result has no manifest
	}
	if s.Snapshots {
		return compile(s.Files, s.Manifest, plain, snapshot.Input{SnapshotsOnly: true}, s.Options)
	}
	r, err := assemble(s.Files, s.Manifest, plain, s.Options)
	return settled(r, lint.SeenVariants), err
}

// compileBase compiles what is compared with. A prompt whose rendered files
// were not yet there is new, and no mistake.
func (s State) compileBase(plain map[string]*token.Counter) (*prompt.Result, error) {
	if s.Manifest == "" {
		return nil, nil //nolint:nilnil // as above
	}
	tree, found, err := load.Run(s.Files, s.Manifest, validate.Language{})
	if err != nil {
		return &prompt.Result{}, err
	}
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Code == diag.RenderedNothing })
	return settled(assembled(tree, found, plain, s.Options), lint.SeenVariants), nil
}
