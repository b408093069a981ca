package lint

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// written is what somebody wrote: a whole file, or a value or key of one in
// which escapes were undone, so that the file does not hold the characters.
type written struct {
	text prompt.Text
	file *diag.File
	// whole says that it is the file itself.
	whole bool
	// prose says that it is a file in Markdown, whose code is only shown.
	prose bool
	// prompts are the ids of the prompts that have the file, in declared order;
	// nil for the manifest and for what no prompt has.
	prompts []string
	// asides are those of the manifest; nil for other files.
	asides *asides
}

// find makes a finding at bytes of the text.
func (w written) find(code diag.Code, start, end int, format string, args ...any) diag.Diagnostic {
	d := diag.New(code, at(w.text.Span(start, end), diag.Whole(w.file)), format, args...)
	d.Prompts = w.prompts
	return d
}

// verbatim reports whether some bytes of the text stand in the file as they are,
// where who reads the file as a whole finds them.
func (w written) verbatim(start, end int) bool {
	i, found := slices.BinarySearchFunc(w.text.Segs, start, func(s prompt.Seg, at int) int { return cmp.Compare(s.Start, at) })
	if !found {
		i--
	}
	return !w.whole && i >= 0 && w.text.Segs[i].Exact() && end <= w.text.Segs[i].End
}

// library is what was read.
type library struct {
	plan *prompt.Plan
	// docs are all files but the manifest, by path.
	docs []*prompt.Doc
	// users are the ids of the prompts that have a file, by its path.
	users map[string][]string
	// tokens are the special tokens to look for.
	tokens map[string][]string
}

func newLibrary(plan *prompt.Plan) *library {
	return &library{plan: plan, docs: plan.Spec.Tree.Docs(), users: usersOf(plan), tokens: tokensByStart(plan.Spec.Families)}
}

// texts gives every text of the inputs, by the paths of the files.
func (l *library) texts() []written {
	tree := l.plan.Spec.Tree
	out := []written{whole(tree.File, nil)}
	out = append(out, escaped(tree.File, tree.Manifest, nil)...)
	asides := asidesOf(tree.Manifest)
	for i := range out {
		out[i].asides = asides
	}
	last := tree.File.Path
	for _, d := range l.docs {
		f, prompts := d.File, l.users[d.File.Path]
		if f.Path != last { // a file may have been read as several things
			w := whole(f, prompts)
			w.prose = d.Format == prompt.Markdown
			out = append(out, w)
		}
		last = f.Path
		out = append(out, escaped(f, d.Front, prompts)...)
		out = append(out, escaped(f, d.Data, prompts)...)
		for _, s := range d.Saved {
			if strings.Contains(f.Text[s.NameAt.Start:s.At.End], `\`) {
				out = append(out, written{text: prompt.Derived(s.Name, s.NameAt), file: f, prompts: prompts},
					written{text: s.Value, file: f, prompts: prompts})
			}
		}
	}
	return out
}

// usersOf gives the prompts that have a file, by its path.
func usersOf(plan *prompt.Plan) map[string][]string {
	out := map[string][]string{}
	for _, b := range plan.Builds {
		met := map[int]bool{}
		for _, v := range b.Variants {
			if v.Messages != nil {
				met[v.Messages.Unit] = true
			}
			for _, u := range v.Uses {
				if u.Unit >= 0 {
					met[u.Unit] = true
				}
				for _, step := range u.Steps {
					met[step.Unit] = true
				}
			}
		}
		for _, unit := range slices.Sorted(maps.Keys(met)) {
			for _, d := range documentsOf(plan.Units[unit], plan.Spec.Tree) {
				if ids := out[d.File.Path]; len(ids) == 0 || ids[len(ids)-1] != b.Prompt.ID.Str {
					out[d.File.Path] = append(ids, b.Prompt.ID.Str)
				}
			}
		}
	}
	return out
}

// documentsOf gives the files of a unit: those of its inputs, or of its
// conversation with what that shows.
func documentsOf(u *prompt.Unit, tree *prompt.Tree) []*prompt.Doc {
	var out []*prompt.Doc
	for _, in := range u.Inputs {
		out = append(out, in.Docs...)
	}
	if u.Dialogue != nil {
		c := u.Dialogue.Conversation
		out = append(out, c.Doc)
		if w := tree.Workspaces[c.Workspace.Str]; w != nil {
			for _, name := range slices.Sorted(maps.Keys(w.Docs)) {
				out = append(out, w.Docs[name])
			}
		}
	}
	return slices.DeleteFunc(out, func(d *prompt.Doc) bool { return d == nil || d.File == nil })
}

func whole(f *diag.File, prompts []string) written {
	return written{text: prompt.Verbatim(diag.Span{File: f, Start: 0, End: len(f.Text)}), file: f, whole: true, prompts: prompts}
}

// escaped gives the values and keys below a node that are written with a
// backslash: what they say stands nowhere in the file.
func escaped(f *diag.File, n *prompt.Node, prompts []string) []written {
	if n == nil || !n.At.Known() || !strings.Contains(f.Text, `\`) {
		return nil
	}
	var out []written
	if n.IsScalar() && strings.Contains(f.Text[n.At.Start:n.At.End], `\`) {
		out = append(out, written{text: n.Text, file: f, prompts: prompts})
	}
	for _, item := range n.Items {
		out = append(out, escaped(f, item, prompts)...)
	}
	for _, field := range n.Fields {
		if strings.Contains(f.Text[field.KeyAt.Start:field.KeyAt.End], `\`) {
			out = append(out, written{text: prompt.Derived(field.Key, field.KeyAt), file: f, prompts: prompts})
		}
		out = append(out, escaped(f, field.Value, prompts)...)
	}
	return out
}
