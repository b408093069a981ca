// Package pipeline compiles prompts. [Compile] is the ordered list of stages;
// each stage is a package below this one whose Run turns one noun of package
// prompt into the next:
//
//	prompts.yaml + sources
//	   │ load       reads    → Tree         files with positions, no meaning yet
//	   │ validate   pure     → Spec         schema-valid, typed
//	   │ resolve    pure     → Plan         names bound, axes expanded
//	   │ render     pure     → []Rendering  every distinct text of each section
//	   │ compose    pure     → []Artifact   the emitted bytes with their ledger
//	   │ lint       pure     → diagnostics  what only the assembled text shows
//	   │ bind       pure     → []Generated  typed modules that load what was built
//	   │ snapshot   reads    → Delta        compared with the baseline
//	   ▼ Commit     writes   (build only)
//
// A stage that returns no error is pure. From load to render the first stage
// that finds errors ends the run, after it has reported all of them; compose
// and lint never end it, so that what is too long can be looked at. What the
// findings of a run count as is settled once, when all are there.
package pipeline

import (
	"io/fs"
	"maps"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/bind"
	"github.com/promptc-build/promptc/pipeline/assembly/compose"
	"github.com/promptc-build/promptc/pipeline/assembly/render"
	"github.com/promptc-build/promptc/pipeline/assembly/resolve"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/ground/token"
	"github.com/promptc-build/promptc/pipeline/guard"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/diff"
	"github.com/promptc-build/promptc/pipeline/review/idle"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
	"github.com/promptc-build/promptc/pipeline/review/policy"
	"github.com/promptc-build/promptc/pipeline/review/volatile"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// Option sets what the manifest does not decide about a run.
type Option func(*settings)

type settings struct {
	limits resolve.Limits
	look   Look
}

// Look finds out what no stage can know of a project, such as what git does not
// have of it.
type Look func(*prompt.Result) (diag.List, error)

// MaxUses allows a manifest n uses of sections, which is variants times
// sections over all prompts; without it resolve.DefaultUses.
func MaxUses(n int) Option { return func(s *settings) { s.limits.Uses = n } }

// Besides adds what a look at the compared project finds, before the findings
// are settled.
func Besides(look Look) Option { return func(s *settings) { s.look = look } }

func settingsOf(options []Option) settings {
	s := settings{look: func(*prompt.Result) (diag.List, error) { return nil, nil }}
	for _, set := range options {
		set(&s)
	}
	return s
}

// Compile runs every stage over the manifest at a path of the file system. An
// error means that the job could not be done; what is wrong with the input is
// in the result's findings.
func Compile(fsys fs.FS, manifest string, options ...Option) (*prompt.Result, error) {
	return compile(fsys, manifest, plainCounters(), snapshot.Input{}, options)
}

// Check is Compile for those who will not write: artifacts that were never
// built are not assembled.
func Check(fsys fs.FS, manifest string, options ...Option) (*prompt.Result, error) {
	return compile(fsys, manifest, plainCounters(), snapshot.Input{Compared: true}, options)
}

// CompileSnapshots is Compile without a look at the artifacts: for what was
// never built where it stands, such as the index of a repository.
func CompileSnapshots(fsys fs.FS, manifest string, options ...Option) (*prompt.Result, error) {
	return compile(fsys, manifest, plainCounters(), snapshot.Input{SnapshotsOnly: true}, options)
}

func compile(fsys fs.FS, manifest string, plain map[string]*token.Counter, in snapshot.Input, options []Option) (*prompt.Result, error) {
	r, err := assemble(fsys, manifest, plain, options)
	if err != nil || r.Stopped {
		return settled(r, lint.SeenSome), err
	}
	in.Plan, in.Artifacts, in.Renderings, in.Counters = r.Plan, r.Artifacts, r.Renderings, withEstimators(plain, r.Spec)
	in.Files = snapshot.Files(fsys, in)
	generated, wrong := bind.Run(bind.Input{Plan: r.Plan, Renderings: r.Renderings, Artifacts: r.Artifacts, Files: in.Files})
	in.Generated = generated
	delta, found, err := snapshot.Run(fsys, in)
	if err != nil {
		return r, err
	}
	if found = append(found, wrong...); wrong.HasErrors() {
		delta = nil // nothing may be written
	}
	r.Delta = delta
	seen, err := settingsOf(options).look(r)
	if err != nil {
		return r, err
	}
	r.Findings = slices.Concat(r.Findings, found, seen).Sorted()
	if in.SnapshotsOnly {
		return settled(r, lint.SeenVariants), nil
	}
	return settled(r, lint.SeenAll), nil
}

// settled makes of a run's findings what the manifest's settings say, once all
// are there: they never change how far a run goes.
func settled(r *prompt.Result, seen lint.Seen) *prompt.Result {
	if r.Stopped {
		seen = lint.SeenSome
	}
	r.Findings, r.Off = lint.Settle(r.Spec, r.Findings, seen)
	return r
}

// Assemble runs the stages up to lint: everything but the comparison with
// what is on disk.
func Assemble(fsys fs.FS, manifest string, options ...Option) (*prompt.Result, error) {
	r, err := assemble(fsys, manifest, plainCounters(), options)
	return settled(r, lint.SeenVariants), err
}

// AssembleSome is Assemble for the variants that a choice gives, which may look
// at the plan; the error is the choice's own or that of Assemble. What there is
// to say of several variants is not among the findings.
func AssembleSome(fsys fs.FS, manifest string, choose func(*assembly.Plan) ([]*assembly.Variant, error), options ...Option) (*prompt.Result, error) {
	tree, found, err := load.Run(fsys, manifest, validate.Language{})
	if err != nil {
		return &prompt.Result{}, err
	}
	r := rendered(tree, found, options)
	if r.Stopped {
		return settled(r, lint.SeenSome), nil
	}
	wanted, err := wantedBy(r.Plan, choose)
	if err != nil {
		return r, err
	}
	r.Artifacts, found = compose.Some(r.Plan, r.Renderings, Counters(r.Spec), func(v *assembly.Variant) bool { return wanted[v] })
	judge(r, found)
	return settled(r, lint.SeenSome), nil
}

func assemble(fsys fs.FS, manifest string, plain map[string]*token.Counter, options []Option) (*prompt.Result, error) {
	tree, found, err := load.Run(fsys, manifest, validate.Language{})
	if err != nil {
		return &prompt.Result{}, err
	}
	return assembled(tree, found, plain, options), nil
}

// assembled runs what comes after load.
func assembled(tree *language.Tree, found diag.List, plain map[string]*token.Counter, options []Option) *prompt.Result {
	r := rendered(tree, found, options)
	if r.Stopped {
		return r
	}
	r.Artifacts, found = compose.Run(r.Plan, r.Renderings, withEstimators(plain, r.Spec))
	judge(r, found)
	return r
}

// NameSome is AssembleSome without composing: its artifacts are the names of the
// variants alone.
func NameSome(fsys fs.FS, manifest string, choose func(*assembly.Plan) ([]*assembly.Variant, error), options ...Option) (*prompt.Result, error) {
	tree, found, err := load.Run(fsys, manifest, validate.Language{})
	if err != nil {
		return &prompt.Result{}, err
	}
	r := settled(rendered(tree, found, options), lint.SeenSome)
	if r.Stopped {
		return r, nil
	}
	wanted, err := wantedBy(r.Plan, choose)
	for _, b := range r.Plan.Builds {
		for _, v := range b.Variants {
			if wanted[v] {
				r.Artifacts = append(r.Artifacts, &assembly.Artifact{Build: b, Variant: v})
			}
		}
	}
	return r, err
}

// wantedBy is the set of the variants that a choice gives.
func wantedBy(plan *assembly.Plan, choose func(*assembly.Plan) ([]*assembly.Variant, error)) (map[*assembly.Variant]bool, error) {
	chosen, err := choose(plan)
	wanted := map[*assembly.Variant]bool{}
	for _, v := range chosen {
		wanted[v] = true
	}
	return wanted, err
}

// rendered runs the stages that end a run, after load.
func rendered(tree *language.Tree, found diag.List, options []Option) *prompt.Result {
	r := &prompt.Result{Tree: tree}
	if stop(r, found) {
		return r
	}
	r.Spec, found = validate.Run(r.Tree)
	if stop(r, found) {
		return r
	}
	r.Plan, found = resolve.Run(r.Spec, settingsOf(options).limits)
	if !found.HasErrors() {
		found = slices.Concat(found, lint.Locked(r.Spec), policy.Locked(r.Plan))
	}
	if stop(r, found) {
		return r
	}
	r.Renderings, found = render.Run(r.Plan)
	stop(r, found)
	return r
}

// judge adds what compose found, and what lint finds in what it composed.
// Neither ends a run.
func judge(r *prompt.Result, found diag.List) {
	r.Findings = append(r.Findings, found...)
	r.Findings = lint.Once(append(r.Findings, lint.Run(r.Plan, r.Artifacts)...)).Sorted()
}

// Compare says what changed in meaning from one state of a project to another.
// A side without a Result has no manifest. The head is judged by its own limits,
// expectations and checks and by those of the policy, most often the base's; by
// its own alone where the policy has no Result. The findings are what the head
// does not keep of them, but for what its own compilation finds.
func Compare(base, head, by review.Side) (*review.Difference, diag.List) {
	spec := &language.Spec{}
	for _, side := range []review.Side{head, base} {
		if side.Result != nil && side.Result.Spec != nil {
			spec = side.Result.Spec
			break
		}
	}
	in := policy.Input{Two: pairing.Of(base.Result, head.Result, pairing.Counters(Counters(spec))), Policy: by}
	var hidden diag.List
	compared := by.Result != nil && head.Result != nil
	if compared {
		in.Lowered, hidden = lint.Lowered(by.Result, head.Result)
	}
	judged, found := policy.Run(in)
	if compared {
		lost, _ := lint.Settle(by.Result.Spec, lint.Lost(head.Result, judged.Lost, by.Name), lint.SeenSome)
		found = slices.Concat(found, hidden, lost).Sorted()
	}
	d := diff.Run(base, head, in.Two, slices.Concat(judged.Edits, volatile.Run(in.Two)))
	d.Policy, d.Over = by, judged.Over
	d.Idle, d.Stale = idle.Run(in.Two, d.Edits)
	settlePlaces(d)
	return d, found
}

// settlePlaces says of what stands in a borrowed manifest that it stands in the
// lender's; in a proposed one, which is no file, it stands nowhere.
func settlePlaces(d *review.Difference) {
	borrows := func(s review.Side) bool { return s.Result != nil && s.Result.Tree != nil && s.Result.Tree.Borrowed }
	if !borrows(d.Base) && !borrows(d.Head) {
		return
	}
	ours := func(at diag.Span) bool {
		return at.Known() && (at.File == d.Base.Result.Tree.File || at.File == d.Head.Result.Tree.File)
	}
	for _, e := range d.Edits {
		if ours(e.At) {
			e.InBase = !borrows(d.Base)
		}
		if d.Head.Patterns != nil {
			e.Also = slices.DeleteFunc(e.Also, ours)
			if ours(e.At) {
				e.At = diag.Span{}
			}
		}
	}
}

// stop adds a stage's findings and says whether they end the run.
func stop(r *prompt.Result, found diag.List) bool {
	if r.Tree.Borrowed {
		found = lacking(r, found)
	}
	r.Findings = append(r.Findings, found...).Sorted()
	r.Stopped = found.HasErrors()
	return r.Stopped
}

// Counters makes the counters of a manifest: the built-in ones and its
// declared estimators. A name that neither knows is a mistake of the caller
// and gets the default.
func Counters(spec *language.Spec) compose.Counters { return withEstimators(plainCounters(), spec) }

func plainCounters() map[string]*token.Counter {
	made := map[string]*token.Counter{}
	for _, name := range token.Names() {
		if c, err := token.New(name); err == nil {
			made[name] = c
		}
	}
	return made
}

// withEstimators adds a manifest's estimators, none of which has the name of a
// built-in counter.
func withEstimators(plain map[string]*token.Counter, spec *language.Spec) compose.Counters {
	made := maps.Clone(plain)
	for _, e := range spec.Tokenizers {
		if c, err := token.Estimate(e.Name.Str, e.Base.Str, e.Factor, e.Error); err == nil {
			made[e.Name.Str] = c
		}
	}
	return func(name string) *token.Counter {
		if c, ok := made[name]; ok {
			return c
		}
		return made[language.DefaultTokenizer]
	}
}

// WithBudget composes the variant of an artifact again with another limit in
// tokens.
func WithBudget(r *prompt.Result, a *assembly.Artifact, tokens int) *assembly.Artifact {
	return compose.WithBudget(r.Renderings, Counters(r.Spec), a, tokens)
}

// WithDialect composes the variant of an artifact again in the dialect of a
// name, and says what that brings up beyond what there is to say about the
// artifact already; for the dialect that it has, what lint says of it. There is
// no artifact where the dialect has no way to say it, or its provider would
// refuse the request: then one of the findings is an error.
func WithDialect(r *prompt.Result, a *assembly.Artifact, name string) (*assembly.Artifact, diag.List) {
	d, ok := ground.LookupDialect(name)
	if !ok {
		return a, nil
	}
	out, found := compose.WithDialect(r.Renderings, Counters(r.Spec), a, d)
	if out == nil {
		return nil, found
	}
	same, known := a.Variant.Dialect == d, slices.Clone(found)
	if same {
		out = a
	} else {
		known = append(lint.Run(r.Plan, []*assembly.Artifact{a}), r.Findings...)
	}
	found = append(found, lint.Run(r.Plan, []*assembly.Artifact{out})...)
	found = slices.DeleteFunc(found.Sorted(), func(f diag.Diagnostic) bool {
		return !refuses(d, f) && slices.ContainsFunc(known, func(k diag.Diagnostic) bool {
			return k.Same(f)
		})
	})
	var against diag.List
	for _, f := range found {
		if refuses(d, f) || !same && isError(f) {
			against = append(against, f)
		}
	}
	// A setting may take an error back here, but makes no other out of what the
	// provider takes.
	against, _ = lint.Settle(r.Spec, against, lint.SeenSome)
	found, _ = lint.Settle(r.Spec, found, lint.SeenSome)
	if against.HasErrors() {
		return nil, found
	}
	return out, found
}

// refuses reports whether a finding says that the provider answers a request in
// a dialect with an error, whether or not it was said before.
func refuses(d *ground.Dialect, f diag.Diagnostic) bool {
	if !d.JSON || f.Level != diag.Error {
		return false
	}
	switch f.Code {
	case diag.BlankMarker:
		return d.Markers
	case diag.TooManyBreakpoints, diag.TurnOrder, diag.BlankText, diag.ImageRefused,
		diag.ToolNameRefused, diag.TooManyTools, diag.SchemaRefused, diag.StrictRefused:
		return true
	default:
		return false
	}
}

// isError tells an error about what is said from one about how much: what is
// over its budget is there to be looked at.
func isError(f diag.Diagnostic) bool {
	switch f.Code {
	case diag.OverTokens, diag.OverChars, diag.OverToolTokens, diag.OverSection, diag.OverSticky, diag.ToolDropped:
		return false
	default:
		return f.Level == diag.Error
	}
}

// Windows names, for every section that an artifact's layout dropped, a budget
// in tokens with which it is in; by index in Prompt.Sections.
func Windows(r *prompt.Result, a *assembly.Artifact) map[int]int {
	return compose.Windows(r.Renderings, Counters(r.Spec), a)
}

// Objections says what each of ground.ToolTakers has against the tools of an
// artifact, if all of them went with one request.
func Objections(a *assembly.Artifact) []guard.Objection { return lint.Objections(a.Toolset) }

// Effective gives the settings that count for a prompt of a result, of those that
// policies may have, each with its place.
func Effective(r *prompt.Result, id string) []language.Effective {
	return validate.Effective(r.Tree, id)
}

// Texts gives the texts of an artifact that its Tokens count, each in the parts
// that it is joined from: one, or those in a request body.
func Texts(a *assembly.Artifact) [][]string { return compose.Texts(a) }

// Commit writes what a compiled result wants on disk below dir.
func Commit(dir string, r *prompt.Result, what snapshot.Parts) error {
	if r.Delta == nil {
		return diag.Fail("nothing-compiled")
	}
	return snapshot.Commit(dir, r.Delta, what)
}

// Nearest gives the candidate that somebody who wrote name probably meant,
// where one is close enough. The command line asks it for its own names.
func Nearest(name string, candidates []string) (string, bool) {
	return suggest.Best(name, candidates)
}
