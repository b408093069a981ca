package snapshot_test

import (
	"encoding/base64"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// chat is a draft with the layout `messages`: its sections are the system
// text, but for the one called "reminder".
type chat struct {
	draft
	dialect func(at) string
	// turns gives the fixture of a point and what it says.
	turns func(at) (fixture string, turns []assembly.Turn)
}

// inDialect gives the dialect of a name.
func inDialect(name string) *ground.Dialect {
	d, ok := ground.LookupDialect(name)
	if !ok {
		panic("no dialect " + name)
	}
	return d
}

// chats puts chats together as the stages before this one would.
func chats(all ...chat) snapshot.Input {
	drafts := make([]draft, 0, len(all))
	for _, c := range all {
		drafts = append(drafts, c.draft)
	}
	in := world(drafts...)
	for i, c := range all {
		units := map[string]int{}
		for _, a := range in.Artifacts {
			if a.Build != in.Plan.Builds[i] {
				continue
			}
			point := pointOf(a.Build, a.Variant)
			fixture, turns := c.turns(point)
			if _, ok := units[fixture]; !ok {
				file := &diag.File{Path: "fixtures/" + fixture + ".yaml"}
				units[fixture] = len(in.Plan.Units)
				in.Plan.Units = append(in.Plan.Units, &assembly.Unit{
					Index: len(in.Plan.Units), Dialogue: &assembly.Dialogue{Name: fixture},
					Inputs: []*assembly.Input{{Docs: []*language.Doc{{File: file}}}},
				})
			}
			a.Variant.Messages = &assembly.MessageRules{Unit: units[fixture], Reminder: -1}
			a.Variant.Dialect = inDialect(c.dialect(point))
			compose(a, turns)
		}
	}
	return in
}

// compose makes messages of an artifact's sections and the turns.
func compose(a *assembly.Artifact, turns []assembly.Turn) {
	old := a.Parts[:len(a.Parts)-1]
	var reminder *assembly.Part
	if n := len(old); n > 0 && a.Build.Prompt.Sections[old[n-1].Section].ID.Str == "reminder" {
		reminder = &old[n-1]
		old = old[:max(0, n-2)]
	}
	a.Parts = nil
	add := func(p assembly.Part) {
		p.Start = a.Bytes()
		a.Parts = append(a.Parts, p)
	}
	for i, turn := range turns {
		m := assembly.Message{Role: turn.Role, Tier: turn.Tier, Block: turn.Block}
		from := len(a.Parts)
		if i == 0 && len(old) > 0 {
			for _, p := range old {
				add(p)
			}
			if len(turn.Passages) > 0 {
				add(assembly.Part{Section: -1, Text: "\n\n"})
			}
		}
		for _, p := range turn.Passages {
			add(assembly.Part{Section: -1, Text: p.Text.Str, Passage: &p})
		}
		if i == len(turns)-1 && reminder != nil {
			add(assembly.Part{Section: -1, Text: "\n\n"})
			add(*reminder)
		}
		m.Blocks = []assembly.Block{{From: from, To: len(a.Parts), Marked: turn.Marked}}
		for _, image := range turn.Images {
			m.Blocks = append(m.Blocks, assembly.Block{From: len(a.Parts), To: len(a.Parts), Image: &image})
		}
		a.Messages = append(a.Messages, m)
	}
}

// piece is a passage that a source wrote.
func piece(kind assembly.ContentKind, key, fixture, text string) assembly.Passage {
	return assembly.Passage{
		Content: &assembly.Content{Kind: kind, Key: key, Fixture: fixture}, Text: ground.Literal(text),
	}
}

func own(text string) assembly.Passage { return assembly.Passage{Text: ground.Literal(text)} }

// turn is a message of some pieces with a blank line between two.
func turn(role language.Role, tier, block string, passages ...assembly.Passage) assembly.Turn {
	out := assembly.Turn{Role: role, Tier: tier, Block: block}
	for i, p := range passages {
		if i > 0 {
			out.Passages = append(out.Passages, own("\n\n"))
		}
		out.Passages = append(out.Passages, p)
	}
	return out
}

func marked(t assembly.Turn) assembly.Turn {
	t.Marked = true
	return t
}

func image(data string) language.Image {
	encoded := base64.StdEncoding.EncodeToString([]byte(data))
	return language.Image{URL: "data:image/png;base64," + encoded, Media: "image/png", Data: encoded, Bytes: len(data)}
}

// coder is a prompt over two fixtures and one workspace. Edits replace texts.
func coder(edits ...string) chat {
	text := strings.NewReplacer(edits...).Replace
	return chat{
		draft: draft{id: "coder", axes: []string{"state=first,long", "dialect=openai-chat,anthropic,gemini"}, sections: []section{
			always("system", text("You edit code.")), always("extra", "Be brief."), always("reminder", "Close the blocks."),
		}},
		dialect: func(p at) string { return p["dialect"] },
		turns: func(p at) (string, []assembly.Turn) {
			fixture := p["state"]
			say := func(kind assembly.ContentKind, key, words string) assembly.Passage {
				return piece(kind, key, fixture, text(words))
			}
			ok := turn(language.RoleAssistant, "", "tree", own("Ok."))
			tree := turn(language.RoleUser, "", "tree", own("# Repository Files"), say(assembly.ContentTree, "", "# File Tree (2 files)\n\nb.md\nsrc/a.go"))
			if fixture == "first" {
				last := turn(language.RoleUser, "", "prompt", say(assembly.ContentPrompt, "", "Hello?"))
				last.Images = []language.Image{image(text("a picture"))}
				return fixture, []assembly.Turn{
					marked(turn(language.RoleSystem, "L0", "system", own("# Map"), say(assembly.ContentLegend, "", "f=func"))), tree, ok, last,
				}
			}
			urls := turn(language.RoleUser, "", "urls", own("# URL Context"), say(assembly.ContentPage, "1", "## One"))
			urls.Passages = append(urls.Passages, own("\n---\n"), say(assembly.ContentPage, "2", "## Two"))
			return fixture, []assembly.Turn{
				turn(language.RoleSystem, "L0", "system", own("# Map"), say(assembly.ContentLegend, "", "f=func"), say(assembly.ContentSymbols, "b.md", "b: #1")),
				turn(language.RoleUser, "L0", "history", say(assembly.ContentHistory, "0-user", "Old?")),
				marked(turn(language.RoleAssistant, "L0", "history", say(assembly.ContentHistory, "1-assistant", "Old."))),
				turn(language.RoleUser, "L1", "tier", own("# Reference Files"), say(assembly.ContentFile, "src/a.go", "src/a.go\n```\npackage a\n```")),
				marked(turn(language.RoleAssistant, "L1", "tier", own("Ok."))),
				tree, ok, urls, turn(language.RoleAssistant, "", "urls", own("Ok, I've reviewed the URL content.")),
				turn(language.RoleUser, "", "prompt", say(assembly.ContentPrompt, "", "Go on.")),
			}
		},
	}
}
