package report

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/leaf"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// noun names a kind of output, in the order of the constants.
func noun(k prompt.OutputKind) string {
	return [...]string{"index file", "outline", "rendering", "item", "tool", "full variant", "artifact", "item"}[k]
}

// change is one file below the snapshot folder that differs, with what people
// want to know of it.
type change struct {
	prompt.Change
	kind prompt.OutputKind
	// prompt is the prompt's id; subject what of it: "soul", "skills commit",
	// "tool exec".
	prompt, subject string
	// order are the places of prompt and section as the manifest declares
	// them.
	order [2]int
	// follows says that other changes explain this one: it is counted in the
	// closing line and not shown.
	follows bool
	// at is the source of the change, unknown where no source caused it.
	at diag.Span
	// tokens is the difference, nil where there is none to count.
	tokens *int
	// leaves are the places in which the definition of a tool differs.
	leaves []prompt.Leaf
}

// changes gives the changes below the snapshot folder in the order of the
// manifest, indexes last. The counter may be nil.
func changes(r *prompt.Result, tokens func(string) int) []change {
	if r.Delta == nil {
		return nil
	}
	var out []change
	for _, c := range r.Delta.Snapshots {
		out = append(out, named(r, c))
	}
	slices.SortStableFunc(out, func(a, b change) int {
		return cmp.Or(
			cmp.Compare(a.order[0], b.order[0]), cmp.Compare(a.order[1], b.order[1]),
			cmp.Compare(a.Output.Path, b.Output.Path),
		)
	})
	seen := shownLines(out)
	for i := range out {
		c := &out[i]
		c.follows = c.explained(out, seen)
		var first []string
		c.leaves, first = c.differing()
		c.at = c.place(r, first)
		if n, ok := growth(*c, tokens); ok {
			c.tokens = &n
		}
	}
	return out
}

// named finds out what a changed file stands for.
func named(r *prompt.Result, c prompt.Change) change {
	owner := c.Output.Owner
	section := owner.Section
	out := change{Change: c, kind: owner.Kind, prompt: owner.Prompt}
	switch out.kind {
	case prompt.OutRendering:
		out.subject = section
	case prompt.OutItem:
		out.subject = section + " " + owner.Item
	case prompt.OutContent:
		out.subject = owner.Item
	case prompt.OutTool:
		out.subject = "tool " + owner.Item
	case prompt.OutFull:
		out.subject = "full " + strings.TrimPrefix(owner.Item, out.prompt+"/")
	case prompt.OutOutline:
		out.subject = "outline"
	default:
		out.subject = path.Base(c.Output.Path)
	}
	out.order = declared(r.Plan, out.prompt, section)
	return out
}

// describes reports whether the file describes an image, whose bytes never
// reach a snapshot, and is no text that a model gets.
func (c *change) describes() bool {
	return c.kind == prompt.OutContent && strings.HasPrefix(c.subject, prompt.ContentImage.String()+"/")
}

// isBody reports whether the file holds a request body, not a text.
func (c *change) isBody() bool {
	return c.kind == prompt.OutFull && path.Ext(c.Output.Path) == ".json"
}

// declared gives the places of a prompt and a section in the manifest; what
// it does not declare comes after all that it does.
func declared(plan *prompt.Plan, id, section string) [2]int {
	out := [2]int{1 << 30, 1 << 30}
	if plan == nil {
		return out
	}
	for i, b := range plan.Builds {
		if b.Prompt.ID.Str != id {
			continue
		}
		out[0] = i
		for j, s := range b.Prompt.Sections {
			if s.ID.Str == section {
				out[1] = j
			}
		}
	}
	return out
}

// verb says what happened to the file.
func (c *change) verb() string {
	switch {
	case c.Status == prompt.Added:
		return "snapshot missing"
	case c.Status == prompt.Orphaned:
		return "no longer built"
	case c.describes():
		return "changed"
	case c.kind == prompt.OutRendering || c.kind == prompt.OutItem || c.kind == prompt.OutFull || c.kind == prompt.OutContent:
		return "text changed"
	default:
		return "changed"
	}
}

// place gives the source bytes that caused the change: those of the first
// byte that differs, or else the nearest that came from a file; of a tool
// those of a leaf.
func (c *change) place(r *prompt.Result, leaf []string) diag.Span {
	if c.Status == prompt.Orphaned {
		return diag.Span{}
	}
	if c.kind == prompt.OutTool {
		return c.toolPlace(r, leaf)
	}
	text := c.Output.Owner.Text
	at := 0
	if c.Status == prompt.Changed {
		at = firstDifference(c.Old, c.Output.Content())
	}
	if found := text.Span(at, at+1); found.Known() {
		return found
	}
	if s := nearest(text.Segs, at); s != nil {
		// A deletion at the end is placed behind what is left.
		return text.Span(min(max(at, s.Start), s.End-1), s.End)
	}
	return diag.Span{}
}

// toolPlace gives the first place of a tool's definition that differs, or the
// definition.
func (c *change) toolPlace(r *prompt.Result, steps []string) diag.Span {
	t := toolOf(r, c.Output.Owner)
	if t == nil {
		return diag.Span{}
	}
	if steps != nil {
		return leaf.Place(t, steps)
	}
	return t.At
}

// differing gives the places in which the definition of a tool differs, and the
// steps to the first; none where the file holds no definition, or the same in
// another layout.
func (c *change) differing() (found []prompt.Leaf, first []string) {
	if c.kind != prompt.OutTool || c.Status != prompt.Changed || !json.Valid([]byte(c.Old)) || !json.Valid([]byte(c.Output.Content())) {
		return nil, nil
	}
	return leaf.Between(c.Output.Owner.Item, c.Old, c.Output.Content())
}

// nearest gives the segment that follows an offset, or the last before it.
func nearest(segs []prompt.Seg, at int) *prompt.Seg {
	for i := range segs {
		if segs[i].End > at {
			return &segs[i]
		}
	}
	if len(segs) == 0 {
		return nil
	}
	return &segs[len(segs)-1]
}

// firstDifference gives the offset of the first byte of b that differs from
// a, at the start of its code point.
func firstDifference(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return runeStart(b, i)
		}
	}
	return runeStart(b, n)
}

// toolOf finds the definition that a file holds, which canonical JSON does not
// say; nil for none.
func toolOf(r *prompt.Result, owner prompt.Owner) *prompt.Tool {
	for _, a := range r.Artifacts {
		if a.Build.Prompt.ID.Str != owner.Prompt {
			continue
		}
		for _, t := range a.Toolset {
			if t.Name == owner.Item && uses(owner, a) {
				return t
			}
		}
	}
	return nil
}

// uses reports whether a variant is among the users of a file; of a file
// without users every variant is.
func uses(owner prompt.Owner, a *prompt.Artifact) bool {
	for _, u := range owner.Users {
		if u.Build == a.Build {
			return u.Set.Has(a.Variant.Index)
		}
	}
	return len(owner.Users) == 0
}
