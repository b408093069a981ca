package lint

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/par"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// written is what somebody wrote: a whole file, or a value or key of one in
// which escapes were undone, so that the file does not hold the characters.
type written struct {
	text prompt.Text
	file *diag.File
	// whole says that it is the file itself.
	whole bool
	// prompts are the ids of the prompts that have the file, in declared order;
	// nil for the manifest and for what no prompt has.
	prompts []string
}

// find makes a finding at bytes of the text.
func (w written) find(code diag.Code, start, end int, format string, args ...any) diag.Diagnostic {
	d := diag.New(code, at(w.text.Span(start, end), diag.Whole(w.file)), format, args...)
	d.Prompts = w.prompts
	return d
}

// readers look at one written text each. They are called at once for several.
var readers = []func(*prompt.Plan, written) diag.List{
	secrets,
}

// inputs judges everything that reaches the model or a reviewer, each text
// once: every file that was read, and every value with escapes in it.
func inputs(plan *prompt.Plan) diag.List {
	all := everything(plan)
	found := par.Map(all, func(w written) diag.List {
		var out diag.List
		for _, read := range readers {
			out = append(out, read(plan, w)...)
		}
		return out
	})
	return slices.Concat(found...)
}

// everything gives every text of the inputs, by the paths of the files.
func everything(plan *prompt.Plan) []written {
	tree := plan.Spec.Tree
	if tree == nil || tree.File == nil {
		return nil // a plan that was made from no file
	}
	users := usersOf(plan)
	docs := map[string]*prompt.Doc{}
	for _, found := range tree.Matches {
		for _, d := range found {
			docs[d.File.Path] = d
		}
	}
	for _, found := range tree.Walks {
		for _, d := range found {
			docs[d.File.Path] = d
		}
	}
	out := []written{whole(tree.File, nil)}
	out = append(out, escaped(tree.File, tree.Manifest, nil)...)
	for _, path := range slices.SortedFunc(maps.Keys(docs), cmp.Compare[string]) {
		d := docs[path]
		out = append(out, whole(d.File, users[d.File]))
		out = append(out, escaped(d.File, d.Front, users[d.File])...)
		out = append(out, escaped(d.File, d.Data, users[d.File])...)
	}
	return out
}

// usersOf gives the prompts that have a file.
func usersOf(plan *prompt.Plan) map[*diag.File][]string {
	out := map[*diag.File][]string{}
	for _, b := range plan.Builds {
		met := map[int]bool{}
		for _, v := range b.Variants {
			for _, u := range v.Uses {
				if u.Unit < 0 || met[u.Unit] {
					continue
				}
				met[u.Unit] = true
				for _, in := range plan.Units[u.Unit].Inputs {
					for _, d := range in.Docs {
						if ids := out[d.File]; len(ids) == 0 || ids[len(ids)-1] != b.Prompt.ID.Str {
							out[d.File] = append(ids, b.Prompt.ID.Str)
						}
					}
				}
			}
		}
	}
	return out
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
