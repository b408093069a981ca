package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

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
	all := sets[string]{size: len(out)}
	for v, o := range out {
		all.of(strings.TrimSpace(o.Reason.String() + " " + o.Why)).Add(v)
	}
	var lines []string
	for _, why := range all.keys {
		users := *all.values[why]
		line := fmt.Sprintf("%s in %d of %d", why, users.Len(), len(out))
		if users.Len() < len(out) {
			line += ": " + c.scope.describe(c.build, users)
		}
		lines = append(lines, line)
	}
	return lines
}
