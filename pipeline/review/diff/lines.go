package diff

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/review/textdiff"
)

// lined gives the text of an artifact by lines, which equal texts share; that of
// no artifact is empty.
func (r *run) lined(a *assembly.Artifact) *textdiff.Text {
	if a == nil {
		return r.lines.Text("")
	}
	if l := r.artifactLines[a]; l != nil {
		return l
	}
	runs := a.Runs()
	texts := make([]string, len(runs))
	var parts []string
	for i, run := range runs {
		parts = parts[:0]
		for _, p := range a.Parts[run.From:run.To] {
			parts = append(parts, p.Text)
		}
		texts[i] = strings.Join(parts, "") // += would copy all parts before it, for each part of each variant
	}
	l := r.lines.Text(texts...)
	r.artifactLines[a] = l
	return l
}

// comparison is a variant with the texts that are compared for it: those of its
// two sides or, where it is on one side alone, the text of the other side that
// is nearest to its own.
type comparison struct {
	twin
	was, is *assembly.Artifact // nil for no text
	*textdiff.Script
}

// compared gives the texts that are compared for a variant.
func (r *run) compared(t twin) comparison {
	c := comparison{twin: t, was: t.Base, is: t.Head}
	switch {
	case t.Base == nil:
		c.was = r.nearest(t.Head, true)
	case t.Head == nil:
		c.is = r.nearest(t.Base, false)
	}
	c.Script = r.lines.Compare(r.lined(c.was), r.lined(c.is))
	return c
}

// nearness knows in which texts of one side each line stands.
type nearness struct {
	all   []*assembly.Artifact // the first of each distinct text of a prompt, in order
	index *textdiff.Index
}

// nearest gives the artifact of the other side with the text that shares most
// distinct lines that say something: of the same prompt if there is one, of
// equals the first; nil where no text shares any.
func (r *run) nearest(a *assembly.Artifact, inBase bool) *assembly.Artifact {
	side := 0
	result := r.d.Base.Result
	if !inBase {
		side, result = 1, r.d.Head.Result
	}
	if result == nil || result.Stopped {
		return nil
	}
	if r.near[side] == nil {
		r.near[side] = r.nearnessOf(result.Artifacts)
	}
	n := r.near[side]
	shared := n.index.Shared(r.lined(a))
	id := a.Build.Prompt.ID.Str
	best, own := -1, false
	for i, other := range n.all {
		same := other.Build.Prompt.ID.Str == id
		if shared[i] == 0 || own && !same {
			continue
		}
		if best < 0 || same && !own || shared[i] > shared[best] {
			best, own = i, same
		}
	}
	if best < 0 {
		return nil
	}
	return n.all[best]
}

func (r *run) nearnessOf(all []*assembly.Artifact) *nearness {
	n := &nearness{}
	type key struct {
		build *assembly.Build
		text  *textdiff.Text
	}
	known := map[key]bool{}
	var texts []*textdiff.Text
	for _, a := range all {
		if k := (key{a.Build, r.lined(a)}); !known[k] {
			known[k] = true
			n.all, texts = append(n.all, a), append(texts, k.text)
		}
	}
	n.index = r.lines.Index(texts)
	return n
}
