package snapshot

import (
	"github.com/promptc-build/promptc/pipeline/dialect"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// promptView is one prompt with what its variants have.
type promptView struct {
	build *prompt.Build
	cover *prompt.Cover
	// artifacts are by variant; nil where there is none.
	artifacts []*prompt.Artifact
	// sections are by index in Prompt.Sections.
	sections [][]prompt.Holder
	frames   map[*prompt.Rendering]frame
	units    []*prompt.Unit // of the plan
	images   map[*prompt.Image]prompt.Text
}

// views gives the prompts of a plan in declared order, without those that are
// rendered elsewhere: their texts are in the repository already.
func views(in Input) []*promptView {
	var out []*promptView
	for _, b := range in.Plan.Builds {
		if b.Prompt.Rendered != nil {
			continue
		}
		v := &promptView{
			build: b, cover: prompt.NewCover(b), artifacts: make([]*prompt.Artifact, len(b.Variants)),
			frames: map[*prompt.Rendering]frame{}, units: in.Plan.Units, images: map[*prompt.Image]prompt.Text{},
		}
		for _, a := range in.Artifacts {
			if a.Build == b {
				v.artifacts[a.Variant.Index] = a
			}
		}
		v.sections = b.Holders(v.artifacts)
		out = append(out, v)
	}
	return out
}

func (v *promptView) frame(r *prompt.Rendering) frame {
	f, ok := v.frames[r]
	if !ok {
		f = frameOf(r)
		v.frames[r] = f
	}
	return f
}

// users gives a set as the users of a file.
func (v *promptView) users(set prompt.Set) prompt.Users {
	return prompt.Users{Build: v.build, Set: set}
}

// only gives the set of one variant.
func (v *promptView) only(variant int) prompt.Set {
	out := prompt.NewSet(len(v.artifacts))
	out.Add(variant)
	return out
}

// whole gives the emitted bytes of an artifact. Text keeps its places; in JSON
// it is written with escapes, so that no byte of it has one.
func whole(a *prompt.Artifact) prompt.Text {
	if isJSON(a) {
		return prompt.Literal(dialect.Encode(a).Text())
	}
	var b prompt.Builder
	for _, p := range a.Parts {
		b.WriteText(said(p))
	}
	return b.Text()
}

// order gives the sections as the first variant has them, those left out
// included.
func (v *promptView) order() []int {
	if len(v.build.Variants) == 0 {
		return nil
	}
	return v.build.Variants[0].Order
}

// variantFile gives a variant's file name without extension: its name's part
// after the prompt, or the prompt's where there is none.
func variantFile(v *prompt.Variant, b *prompt.Build) string {
	id := b.Prompt.ID.Str
	if len(v.Name) > len(id)+1 {
		return v.Name[len(id)+1:]
	}
	return id
}
