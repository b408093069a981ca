package lint

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// emptied finds sections with a text or files of which nothing came out in some
// variants. That a section says nothing in any is said elsewhere, and nothing
// where the manifest says that it may be so.
func emptied(c *census) diag.List {
	empty := sets[int]{size: len(c.artifacts)} // by section
	for v, a := range c.artifacts {
		for _, o := range a.Out {
			if o.Reason == prompt.OutEmpty && c.surprising(a, o) {
				empty.of(o.Section).Add(v)
			}
		}
	}
	var out diag.List
	for i, section := range c.build.Prompt.Sections {
		if empty.values[i] == nil || !c.somewhere(i) {
			continue
		}
		out = append(out, c.find(diag.EmptySection, section.ID.At, *empty.values[i], "nothing came out of the section %q of %q", section.ID.Str, c.build.Prompt.ID.Str).
			WithHint("leave it out there by when, or look why it says nothing"))
	}
	return out
}

// surprising reports whether an empty section was meant to say something: the
// manifest neither lets its source be empty nor writes an empty value.
func (c *census) surprising(a *prompt.Artifact, o prompt.Omission) bool {
	use := a.Variant.Uses[o.Section]
	if use.Unit < 0 {
		return o.Why == "select" // entries that nothing selects
	}
	u := c.scope.plan.Units[use.Unit]
	blank := func(b prompt.Binding) bool { return b.Slot == nil && b.Value.Str == "" }
	lenient := func(in *prompt.Input) bool { return in.Lenient }
	return len(u.Inputs) > 0 && !slices.ContainsFunc(u.Bindings, blank) && !slices.ContainsFunc(u.Inputs, lenient)
}

// somewhere reports whether some variant has a section.
func (c *census) somewhere(section int) bool {
	return slices.ContainsFunc(c.said, func(s *entry) bool { return s.section == section })
}
