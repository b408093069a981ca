package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// content is what a provider documents about the contents of messages.
type content struct {
	dialect string
	blank   diag.Level // of a text of white space alone
	// images are the media types that are read, most the number that a
	// request may have, and usual the number that every model takes.
	images      []string
	usual, most int
}

// contents has a row for each dialect that is a request. From the providers'
// documentation, 2026-11: OpenAI's guide "Images and vision" (image input
// requirements; older copies say 500 images), Anthropic's page "Vision" (600 images,
// 100 with models of 200,000 tokens), Gemini's page "Image understanding" (file
// limit). That Anthropic refuses blank text comes from error messages of its
// API.
var contents = []content{
	{dialect: "openai-chat", blank: diag.Warning, images: []string{"image/png", "image/jpeg", "image/webp", "image/gif"}, usual: 1500, most: 1500},
	{dialect: "openai-responses", blank: diag.Warning, images: []string{"image/png", "image/jpeg", "image/webp", "image/gif"}, usual: 1500, most: 1500},
	{dialect: "anthropic", blank: diag.Error, images: []string{"image/png", "image/jpeg", "image/webp", "image/gif"}, usual: 100, most: 600},
	{
		dialect: "gemini", blank: diag.Warning, images: []string{"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"},
		usual: 3600, most: 3600,
	},
}

// refusesBlank reports whether a dialect's provider answers blank text with an
// error.
func refusesBlank(d *prompt.Dialect) bool {
	return slices.ContainsFunc(contents, func(c content) bool { return c.dialect == d.Name && c.blank == diag.Error })
}

// misshapen is a finding about messages, as it is grouped.
type misshapen struct {
	build *prompt.Build
	code  diag.Code
	level diag.Level
	what  string // its words, to compare
	at    diag.Span
}

// shape is what is found, and where.
type shape struct {
	tally
	found diag.Diagnostic
}

// shapes collects findings about the messages of requests.
type shapes struct{ ordered[misshapen, shape] }

func (s *shapes) note(a *prompt.Artifact, d diag.Diagnostic) {
	one := s.of(misshapen{a.Build, d.Code, d.Level, fmt.Sprint(d.What), d.Span})
	one.found = d
	one.add(a, 0)
}

// messages judges the messages of every request by its dialect.
func (s *requestSet) messages() diag.List {
	var all shapes
	for _, a := range s.artifacts {
		d := dialectOf(a)
		i := slices.IndexFunc(contents, func(c content) bool { return c.dialect == d.Name })
		if !d.JSON || i < 0 {
			continue
		}
		all.system(a)
		all.turns(a, d)
		all.texts(a, contents[i])
		all.images(a, contents[i])
	}
	var out diag.List
	for _, key := range all.keys {
		out = append(out, s.among(all.values[key].found, key.build, all.values[key].users))
	}
	return out
}

// system finds conversations that nothing is said before.
func (s *shapes) system(a *prompt.Artifact) {
	if a.Variant.Messages == nil || len(a.Messages) > 0 && a.Messages[0].Role == prompt.RoleSystem {
		return
	}
	id := a.Build.Prompt.ID
	found := diag.New(diag.TurnOrder, at(id.At), "no-system-message", id.Str)
	found.Level = diag.Warning
	s.note(a, found.WithHint("give-section-says-something"))
}

// turns judges who speaks when. What is only advised against was already said
// of the dialect that the manifest gives; here it is said of another one.
func (s *shapes) turns(a *prompt.Artifact, d *prompt.Dialect) {
	order := diag.Warning
	if d.MustAlternate {
		order = diag.Error
	}
	var last prompt.Role
	for i, m := range a.Messages {
		found := diag.Diagnostic{Code: diag.TurnOrder, Level: order, Span: at(m.At, a.Build.Prompt.ID.At)}
		switch {
		case m.Role == prompt.RoleSystem && (i == 0 || d.Midway == prompt.MidwayKept):
			continue
		case m.Role == prompt.RoleSystem && d.Midway == prompt.MidwayRefused:
			found.Level = diag.Error
			found.What = diag.Say("no-system-messages-inside", d.Name)
			found.Hint = diag.Say("say-system-text-user")
		case m.Role == prompt.RoleSystem && d.Midway == prompt.MidwaySome:
			found.Level = diag.Error
			found.What = diag.Say("most-models-take-no", d.Name)
			found.Hint = diag.Say("say-system-text-user")
		case m.Role == prompt.RoleSystem:
			found.Level = diag.Warning
			found.What = diag.Say("some-programs-speak-refuse", d.Name)
			found.Hint = diag.Say("say-system-text-user")
		case last == "" && m.Role != prompt.RoleUser:
			found.What = diag.Say("first-message-expects-user", m.Role, d.Name)
			found.Hint = diag.Say("begin-conversation-user")
		case last == m.Role:
			found.What = diag.Say("two-messages-follow-another", m.Role, d.Name)
			found.Hint = diag.Say("join-two-put-answer")
		}
		if m.Role != prompt.RoleSystem {
			last = m.Role
		}
		if !found.What.None() && (found.Level == diag.Error || converted(a)) {
			s.note(a, found)
		}
	}
}

// texts judges the texts of messages. That a marked one is blank is said where
// the marker is set.
func (s *shapes) texts(a *prompt.Artifact, c content) {
	for _, m := range a.Messages {
		for _, b := range m.Blocks {
			if b.Image != nil || b.Marked || !isBlank(a.Parts[b.From:b.To]) {
				continue
			}
			d := diag.New(diag.BlankText, at(blankAt(a, b), m.At, a.Build.Prompt.ID.At), "text-message-blank", m.Role)
			if d.Level = c.blank; c.blank == diag.Error {
				d.What = diag.Say("refuses", d.What, c.dialect)
			}
			s.note(a, d.WithHint("leave-out-let-say"))
		}
	}
}

func isBlank(parts []prompt.Part) bool {
	return !slices.ContainsFunc(parts, func(p prompt.Part) bool { return strings.TrimSpace(p.Text) != "" })
}

// blankAt gives the place of the first thing that somebody wrote in a block.
func blankAt(a *prompt.Artifact, b prompt.Block) diag.Span {
	for _, p := range a.Parts[b.From:b.To] {
		if p.Section >= 0 {
			return a.Build.Prompt.Sections[p.Section].ID.At
		}
		if p.Passage != nil && len(p.Passage.Text.Segs) > 0 {
			return p.Passage.Text.Segs[0].At
		}
	}
	return diag.Span{}
}

// images judges the types of images and their number.
func (s *shapes) images(a *prompt.Artifact, c content) {
	var images []*prompt.Image
	for _, m := range a.Messages {
		for _, b := range m.Blocks {
			if b.Image != nil {
				images = append(images, b.Image)
			}
		}
	}
	id := a.Build.Prompt.ID
	for _, image := range images {
		if !slices.Contains(c.images, image.Media) {
			s.note(a, diag.New(diag.ImageRefused, at(image.At, id.At), "not-read-images-type", c.dialect, image.Media).
				WithHint("use-one-of", diag.Names(c.images)))
		}
	}
	if len(images) <= c.usual {
		return
	}
	place := at(images[c.usual].At, id.At)
	found := diag.New(diag.ImageRefused, place, "sends-images-takes-request", id.Str, diag.Count(len(images)), c.dialect, diag.Count(c.most))
	if len(images) <= c.most {
		found = diag.New(diag.ImageRefused, place, "sends-images-some-models", id.Str, diag.Count(len(images)), c.dialect, diag.Count(c.usual))
		found.Level = diag.Warning
	}
	s.note(a, found.WithHint("leave-some-out"))
}
