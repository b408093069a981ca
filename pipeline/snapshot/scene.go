package snapshot

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/dialect"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// scene is one prompt with what its variants have.
type scene struct {
	build *prompt.Build
	cover *prompt.Cover
	// artifacts are by variant; nil where there is none.
	artifacts []*prompt.Artifact
	// sections are by index in Prompt.Sections.
	sections [][]held
	frames   map[*prompt.Rendering]frame
	units    []*prompt.Unit // of the plan
	images   map[*prompt.Image]prompt.Text
	// bare stand for texts that are not their renderings' own.
	bare map[string]*prompt.Rendering
}

// held is one rendering of a section and the variants that have it.
type held struct {
	rendering *prompt.Rendering
	users     prompt.Set
}

// scenes gives the prompts of a plan in declared order, without those that are
// rendered elsewhere: their texts are in the repository already.
func scenes(in Input) []*scene {
	byUnit := map[*prompt.Unit]*prompt.Rendering{}
	for _, r := range in.Renderings {
		if r != nil && r.Unit != nil {
			byUnit[r.Unit] = r
		}
	}
	index := map[*prompt.Build]*scene{}
	var out []*scene
	for _, b := range in.Plan.Builds {
		if b.Prompt.Rendered != nil {
			continue
		}
		s := &scene{
			build: b, cover: prompt.NewCover(b),
			artifacts: make([]*prompt.Artifact, len(b.Variants)),
			frames:    map[*prompt.Rendering]frame{},
			units:     in.Plan.Units,
			images:    map[*prompt.Image]prompt.Text{},
			bare:      map[string]*prompt.Rendering{},
		}
		index[b] = s
		out = append(out, s)
	}
	for _, a := range in.Artifacts {
		if a != nil && index[a.Build] != nil {
			index[a.Build].artifacts[a.Variant.Index] = a
		}
	}
	for _, s := range out {
		s.gather(in.Plan, byUnit)
	}
	return out
}

// gather finds who has which rendering.
func (s *scene) gather(plan *prompt.Plan, byUnit map[*prompt.Unit]*prompt.Rendering) {
	n := len(s.build.Prompt.Sections)
	s.sections = make([][]held, n)
	place := make([]map[*prompt.Rendering]int, n)
	for i := range place {
		place[i] = map[*prompt.Rendering]int{}
	}
	for v, a := range s.artifacts {
		if a == nil {
			continue
		}
		note := func(section int, r *prompt.Rendering) {
			at, ok := place[section][r]
			if !ok {
				at = len(s.sections[section])
				place[section][r] = at
				s.sections[section] = append(s.sections[section], held{r, prompt.NewSet(len(s.artifacts))})
			}
			s.sections[section][at].users.Add(v)
		}
		have := make([]bool, n)
		for _, p := range a.Parts {
			if p.Section >= 0 && p.Section < n {
				note(p.Section, s.emitted(p))
				have[p.Section] = true
			}
		}
		for _, o := range a.Out {
			if o.Section >= 0 && o.Section < n {
				have[o.Section] = true
			}
		}
		for section := range n {
			// No part and no reason: it adds tools and says nothing.
			if r := used(plan, byUnit, a, section); r != nil && !have[section] && r.Text.Str == "" {
				note(section, r)
			}
		}
	}
}

// used gives the rendering of a section on the rung that it ended on, nil
// where it is out. An artifact that does not say it stands on no rung.
func used(plan *prompt.Plan, byUnit map[*prompt.Unit]*prompt.Rendering, a *prompt.Artifact, section int) *prompt.Rendering {
	if a.Used != nil {
		if section < len(a.Used) {
			return a.Used[section]
		}
		return nil
	}
	if section >= len(a.Variant.Uses) {
		return nil
	}
	if unit := a.Variant.Uses[section].Unit; unit >= 0 && unit < len(plan.Units) {
		return byUnit[plan.Units[unit]]
	}
	return nil
}

// emitted gives the rendering of a part. A text that is not its rendering's
// own is taken as it is, since the artifact is what counts.
func (s *scene) emitted(p prompt.Part) *prompt.Rendering {
	if p.Rendering != nil && p.Rendering.Text.Str == p.Text {
		return p.Rendering
	}
	if s.bare[p.Text] == nil {
		r := &prompt.Rendering{Text: prompt.Literal(p.Text)}
		if p.Rendering != nil {
			r.Unit, r.Tools, r.Marks = p.Rendering.Unit, p.Rendering.Tools, p.Rendering.Marks
		}
		s.bare[p.Text] = r
	}
	return s.bare[p.Text]
}

func (s *scene) frame(r *prompt.Rendering) frame {
	f, ok := s.frames[r]
	if !ok {
		f = frameOf(r)
		s.frames[r] = f
	}
	return f
}

// step gives the label of the rung that a rendering stands on, "" for the
// section's own.
func step(r *prompt.Rendering) string {
	if r.Unit == nil {
		return ""
	}
	return r.Unit.Step
}

// users gives a set as the users of a file.
func (s *scene) users(set prompt.Set) prompt.Users { return prompt.Users{Build: s.build, Set: set} }

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
// included; the declared order where it names them otherwise.
func (s *scene) order() []int {
	n := len(s.build.Prompt.Sections)
	declared := make([]int, n)
	for i := range declared {
		declared[i] = i
	}
	if len(s.build.Variants) == 0 {
		return declared
	}
	first := slices.Clone(s.build.Variants[0].Order)
	sorted := slices.Clone(first)
	slices.Sort(sorted)
	if !slices.Equal(sorted, declared) {
		return declared
	}
	return first
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
