package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

func showCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print the bytes of one variant",
		UsageText: "promptc show [OPTIONS] VARIANT",
		Description: "Prints exactly what the variant's artifact holds, also when it is over budget.\n" +
			"VARIANT is a name as `promptc list` prints it, axes in any order; a part of a name is\n" +
			"enough where only one variant has it.",
		Flags: append(
			locationFlags(),
			&cli.StringFlag{Name: "section", Usage: "print the section with this `ID` alone, heading included"},
			&cli.BoolFlag{Name: "example", Usage: "put each slot's example in its place"},
			&cli.BoolFlag{Name: "tools", Usage: "print the native tool schemas that go beside the text, as a JSON list"},
		),
		Action: func(c *cli.Context) error { return show(c, con) },
	}
}

func show(c *cli.Context, con Console) error {
	name, err := argument(c, "a variant")
	if err != nil {
		return err
	}
	if c.Bool("tools") && (c.IsSet("section") || c.Bool("example")) {
		return usage("--tools prints schemas; it does not go with --section or --example")
	}
	_, r, err := con.assembled(c)
	if err != nil {
		return err
	}
	a, err := oneArtifact(r, name)
	if err != nil {
		return err
	}
	if c.Bool("tools") {
		return con.showTools(a)
	}
	parts := a.Parts
	if c.IsSet("section") {
		if parts, err = sectionParts(a, c.String("section")); err != nil {
			return err
		}
	}
	if c.Bool("example") {
		return con.write("%s", withExamples(parts))
	}
	var out strings.Builder
	for _, part := range parts {
		out.WriteString(part.Text)
	}
	return con.write("%s", out.String())
}

// showTools prints the list as it stands in the variant's .tools.json.
func (con Console) showTools(a *prompt.Artifact) error {
	list := make([]json.RawMessage, len(a.Beside))
	for i, t := range a.Beside {
		list[i] = json.RawMessage(t.Canonical)
	}
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(list); err != nil {
		return failed(err)
	}
	return con.write("%s", out.String())
}

// sectionParts gives the one part that a section emits, with a final newline.
func sectionParts(a *prompt.Artifact, id string) ([]prompt.Part, error) {
	sections := a.Build.Prompt.Sections
	for _, p := range a.Parts {
		if p.Section >= 0 && sections[p.Section].ID.Str == id {
			return []prompt.Part{p, {Section: -1, Text: "\n"}}, nil
		}
	}
	for _, o := range a.Out {
		if sections[o.Section].ID.Str == id {
			why := o.Reason.String()
			if o.Why != "" {
				why += " " + o.Why
			}
			return nil, usage("section %q is not in %s: %s", id, a.Variant.Name, why)
		}
	}
	var ids []string
	for _, s := range sections {
		ids = append(ids, s.ID.Str)
	}
	if slices.Contains(ids, id) {
		return nil, usage("section %q of %s has no text: its tools go beside it", id, a.Variant.Name).withHint("--tools prints them")
	}
	err := usage("prompt %q has no section %q", a.Build.Prompt.ID.Str, id)
	if best, ok := pipeline.Nearest(id, ids); ok {
		return nil, err.withHint("did you mean %q?", best)
	}
	return nil, err.withHint("sections: %s", strings.Join(ids, ", "))
}

// withExamples puts the examples in the places of the slots, as a loader puts
// values there: by place, and without the section whose only slot is optional
// and empty.
func withExamples(parts []prompt.Part) string {
	var out strings.Builder
	join := ""
	for i, p := range parts {
		switch {
		case p.Rendering == nil && i < len(parts)-1:
			join = p.Text
		case p.Rendering == nil:
			out.WriteString(p.Text)
		case cutWhenEmpty(p.Rendering):
			join = ""
		default:
			if out.Len() > 0 {
				out.WriteString(join)
			}
			at := 0
			for _, s := range p.Rendering.Slots {
				out.WriteString(p.Text[at:s.Start])
				out.WriteString(s.Slot.Example.Str)
				at = s.End
			}
			out.WriteString(p.Text[at:])
		}
	}
	return out.String()
}

// cutWhenEmpty reports whether a section goes with its slot: it has no other,
// the slot is optional, and there is no value.
func cutWhenEmpty(r *prompt.Rendering) bool {
	if len(r.Slots) == 0 {
		return false
	}
	only := r.Slots[0].Slot
	another := slices.ContainsFunc(r.Slots, func(s prompt.SlotAt) bool { return s.Slot != only })
	return !another && only.Optional && only.Example.Str == ""
}
