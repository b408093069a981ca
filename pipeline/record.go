package pipeline

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/resolve"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/recorded"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/pipeline/world/record"
)

// Program is a command that is run once, and what is recorded of it.
type Program struct {
	Args, Env []string
	// Fixtures is the file with the answers, "" for none.
	Fixtures string
	// Targets are the variants that it sends; none for a command that no manifest names,
	// of which each label is one.
	Targets []*Target
}

// Target is a variant that is recorded.
type Target struct {
	Name string // of the variant: agent/mode=ask
	// File is where the recording goes, from the manifest's folder on.
	File   string
	prompt string
	left   bool              // it was not chosen
	values map[string]string // by the names of the axes
	pick   language.Pick
	filter []language.Filter
}

// Programs gives the commands by which variants of a manifest are recorded, in order: those
// that choose gives, whose error is that of Programs. Variants for which the same is run
// share one.
func Programs(fsys fs.FS, manifest string, choose func(*assembly.Plan) ([]*assembly.Variant, error)) ([]*Program, diag.List, error) {
	tree, found, err := load.Extended(fsys, manifest, validate.Language{})
	if err != nil || found.HasErrors() {
		return nil, found, err
	}
	spec, more := validate.Programs(tree)
	if found = append(found, more...); found.HasErrors() {
		return nil, found.Sorted(), nil
	}
	all, plan, more := resolve.Programs(spec)
	if found = append(found, more...).Sorted(); found.HasErrors() {
		return nil, found, nil
	}
	chosen, err := choose(plan)
	if err != nil {
		return nil, found, err
	}
	var out []*Program
	files := map[string]recordedFile{}
	for _, p := range all {
		how := p.Prompt.Record
		if wrong := load.WrongPath(p.File, p.Prompt.Rendered.Path.At); wrong != nil {
			found = append(found, *wrong)
			continue
		}
		i := slices.IndexFunc(out, func(o *Program) bool {
			return slices.Equal(o.Args, p.Args) && slices.Equal(o.Env, p.Env) && o.Fixtures == how.Fixtures.Str
		})
		if i < 0 {
			i, out = len(out), append(out, &Program{Args: p.Args, Env: p.Env, Fixtures: how.Fixtures.Str})
		}
		file := recordedFile{program: i, prompt: p.Prompt.ID.Str, pick: [3]string{how.Pick.Tool.Str, how.Pick.Model.Str, how.Pick.Contains.Str}}
		if other, has := files[p.File]; has && (other.program != file.program || other.pick != file.pick) {
			found = append(found, diag.New(diag.RenderedTwice, p.Prompt.Rendered.Path.At, "recorded-twice", p.File, other.prompt, file.prompt).WithHint("name-file-apart"))
			continue
		}
		files[p.File] = file
		out[i].Targets = append(out[i].Targets, &Target{
			Name: p.Variant.Name, left: !slices.Contains(chosen, p.Variant), File: p.File, prompt: p.Prompt.ID.Str, values: p.Values, pick: how.Pick, filter: how.Filters,
		})
	}
	return slices.DeleteFunc(out, func(p *Program) bool { return !slices.ContainsFunc(p.Targets, func(t *Target) bool { return !t.left }) }), found, nil
}

// recordedFile says what is recorded into a file: only one command can be, and of it what
// is picked in one way.
type recordedFile struct {
	program int
	prompt  string
	pick    [3]string
}

// Chosen gives the variants that are recorded: a command may send others, too.
func (p *Program) Chosen() (out []*Target) {
	for _, t := range p.Targets {
		if !t.left {
			out = append(out, t)
		}
	}
	return out
}

// Recording is a file with what a program sent.
type Recording struct {
	// Name is that of the variant, or of the command and the label.
	Name, Path string
	recorded.Kept
	// Bad says which requests are no JSON that can be read.
	Bad diag.List
}

// Record gives the recordings of what a program sent, and the labels of requests that
// belong to none. Settle replaces in strings what differs from run to run.
func (p *Program) Record(sent []record.Sent, settle func(string) string) (out []*Recording, strange []string) {
	taken := make([]bool, len(sent))
	met := map[string]bool{}
	for _, t := range p.Targets {
		var own []record.Sent
		for i, s := range sent {
			if slices.ContainsFunc(p.Targets, func(o *Target) bool { return o.prompt == t.prompt && o.File == t.File && p.belongs(s.Label, o) }) {
				own, taken[i] = append(own, s), true
			}
		}
		if t.left || met[t.File] {
			continue
		}
		met[t.File] = true
		out = append(out, recording(t.Name, t.File, own, recorded.Keeping{Pick: t.pick, Settle: func(text string) string {
			text = settle(text)
			for _, f := range t.filter {
				text = f.Match.ReplaceAllString(text, f.With)
			}
			return text
		}}))
	}
	for i, s := range sent {
		if !taken[i] && !slices.Contains(strange, s.Label) {
			strange = append(strange, s.Label)
		}
	}
	slices.Sort(strange)
	return out, strange
}

// belongs reports whether a request with a label is one of a variant. One without a label
// is one of all variants of a prompt that have the same file: its entries tell them apart.
func (p *Program) belongs(label string, t *Target) bool {
	if label == "" {
		return !slices.ContainsFunc(p.Targets, func(o *Target) bool { return o.prompt == t.prompt && o.File != t.File })
	}
	for pair := range strings.SplitSeq(label, ",") {
		axis, value, _ := strings.Cut(pair, "=")
		if own, has := t.values[axis]; !has || own != value {
			return false
		}
	}
	return true
}

// RecordLabels gives the recordings of a command that no manifest names, one a file. File
// gives the path for a label.
func RecordLabels(sent []record.Sent, file func(label string) string, settle func(string) string) []*Recording {
	byFile := map[string][]record.Sent{}
	for _, s := range sent {
		byFile[file(s.Label)] = append(byFile[file(s.Label)], s)
	}
	var out []*Recording
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		out = append(out, recording(name, name, byFile[name], recorded.Keeping{Settle: settle}))
	}
	return out
}

func recording(name, file string, sent []record.Sent, how recorded.Keeping) *Recording {
	out := &Recording{Name: name, Path: file}
	var all []recorded.Request
	for _, s := range sent {
		n, found := load.JSON(s.Path, s.Body)
		if out.Bad = append(out.Bad, found...); n != nil {
			all = append(all, recorded.Request{Path: s.Path, Body: n})
		}
	}
	out.Kept = recorded.Write(all, how)
	return out
}

// Recorded compares recordings with the files that are there.
func Recorded(fsys fs.FS, all []*Recording) (*store.Delta, error) {
	delta := &store.Delta{SnapshotFolder: "."}
	for _, r := range all {
		out := assembly.Output{Path: r.Path, Parts: []string{r.Text}}
		delta.Wanted = append(delta.Wanted, out)
		old, err := load.ReadSome(fsys, r.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			delta.Snapshots = append(delta.Snapshots, store.Change{Output: out, Status: store.Added})
		case err != nil:
			return nil, err
		case plainBreaks(string(old)) != r.Text:
			delta.Snapshots = append(delta.Snapshots, store.Change{Output: out, Status: store.Changed, Old: string(old)})
		}
	}
	return delta, nil
}

// RequestsOf counts the requests of a file. It is false for one that holds anything else,
// which is somebody's work.
func RequestsOf(text string) (count int, ours bool) {
	if strings.TrimSpace(text) == "" {
		return 0, true
	}
	n, found := load.JSON("", []byte(text))
	if found.HasErrors() {
		return 0, false
	}
	list := n.List()
	if n.Kind != ground.Sequence {
		list = []*ground.Node{n}
	}
	return len(list), !slices.ContainsFunc(list, func(n *ground.Node) bool {
		return (n.Field("url") == nil || n.Field("body") == nil) && n.Field("messages") == nil && n.Field("contents") == nil && n.Field("input") == nil
	})
}

// CommitRecorded writes what was recorded.
func CommitRecorded(dir string, delta *store.Delta) error {
	return snapshot.Commit(dir, delta, snapshot.Snapshots)
}

// Place is a folder that differs from machine to machine, or from run to run.
type Place struct {
	Path, Name string
	// Anywhere says that nothing else has its name, which may then be a part of a path.
	Anywhere bool
}

// Settle gives a function that writes names in place of paths. What only begins like a
// path, or ends like it, stays.
func Settle(places ...Place) func(string) string {
	var all []Place
	for _, p := range places {
		if len(p.Path) > 1 {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b Place) int { return len(b.Path) - len(a.Path) })
	return func(text string) string {
		for _, p := range all {
			text = renamed(text, p)
		}
		return text
	}
}

func renamed(text string, p Place) string {
	if !strings.Contains(text, p.Path) {
		return text
	}
	var out strings.Builder
	for behind := false; ; behind = true {
		before, after, ok := strings.Cut(text, p.Path)
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		begins := beginsPath(before) && (before != "" || !behind) // else it goes on with another
		if p.Anywhere || begins && endsPath(after) {
			out.WriteString(p.Name)
		} else {
			out.WriteString(p.Path)
		}
		text = after
	}
}

// beginsPath reports whether a path can begin behind a text: behind a blank, a quote, a
// bracket, or what stands between two paths.
func beginsPath(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || strings.HasSuffix(before, "://") || unicode.IsSpace(last) || strings.ContainsRune("\"'`([{<=:,;|>", last)
}

// endsPath reports whether a path ends before a text, or goes on with what is in it. A
// full stop ends it, and so does a dash.
func endsPath(after string) bool {
	rest := strings.TrimLeft(after, ".-")
	first, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsSpace(first) || strings.ContainsRune("\"'`)]}>=:,;|!?<&/\\", first)
}

// Answers reads a file with the answers to a program.
func Answers(name string, data []byte) ([]language.Answer, diag.List) {
	n, found := load.YAML(name, data)
	if found.HasErrors() {
		return nil, found
	}
	out, more := validate.Answers(n)
	return out, append(found, more...).Sorted()
}
