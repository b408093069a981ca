package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// cause is why some variants do not have a section.
type cause struct {
	why   string
	users prompt.Set
}

// neverKept finds the sections that no variant has. One whose files may be
// missing or empty, because the manifest says so, is not judged: somebody may
// write them.
func (c *census) neverKept() diag.List {
	n := len(c.artifacts)
	out := make([][]prompt.Omission, len(c.build.Prompt.Sections)) // by section, then variant
	for v, a := range c.artifacts {
		for _, o := range a.Out {
			if len(out[o.Section]) == v { // else some variant before has it
				out[o.Section] = append(out[o.Section], o)
			}
		}
	}
	var found diag.List
	for i, s := range c.build.Prompt.Sections {
		if len(out[i]) < n || c.mayBeMissing(out[i]) {
			continue
		}
		found = append(found, diag.New(diag.NeverKept, s.ID.At, "no variant of %q has the section %q", c.build.Prompt.ID.Str, s.ID.Str).
			WithDetail(c.causes(out[i])...).
			WithHint("remove it, or change what keeps it out"))
	}
	return found
}

// mayBeMissing reports whether some variant is without a section because its
// files are allowed to be missing or empty.
func (c *census) mayBeMissing(out []prompt.Omission) bool {
	for v, o := range out {
		if o.Reason == prompt.OutAbsent {
			return true
		}
		if o.Reason != prompt.OutEmpty {
			continue
		}
		unit := c.artifacts[v].Variant.Uses[o.Section].Unit
		if unit < 0 && !c.build.Prompt.Sections[o.Section].Text.Set() {
			return true
		}
		if unit >= 0 && slices.ContainsFunc(c.scope.plan.Units[unit].Inputs, func(in *prompt.Input) bool { return in.Lenient }) {
			return true
		}
	}
	return false
}

// causes says why a section is out, each reason with its variants.
func (c *census) causes(out []prompt.Omission) []string {
	var all []cause
	for v, o := range out {
		why := strings.TrimSpace(o.Reason.String() + " " + o.Why)
		i := slices.IndexFunc(all, func(c cause) bool { return c.why == why })
		if i < 0 {
			i = len(all)
			all = append(all, cause{why, prompt.NewSet(len(out))})
		}
		all[i].users.Add(v)
	}
	cover := prompt.NewCover(c.build)
	var lines []string
	for _, c := range all {
		line := fmt.Sprintf("%s in %d of %d", c.why, c.users.Len(), len(out))
		if c.users.Len() < len(out) {
			line += ": " + cover.Describe(c.users)
		}
		lines = append(lines, line)
	}
	return lines
}
