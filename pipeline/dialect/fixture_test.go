package dialect_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// chapter is a message of an artifact: role, tier, and its blocks.
type chapter struct {
	role   prompt.Role
	tier   string
	blocks []piece
}

// piece is a block: text in parts, or an image.
type piece struct {
	parts  []string
	image  *prompt.Image
	marked bool
}

// says is an unmarked message of one block.
func says(role prompt.Role, parts ...string) chapter {
	return chapter{role: role, blocks: []piece{{parts: parts}}}
}

// marks puts a breakpoint behind a message's last block.
func marks(tier string, c chapter) chapter {
	c.tier = tier
	c.blocks[len(c.blocks)-1].marked = true
	return c
}

// compose makes an artifact of messages by hand. A conversation says whether
// its variant has the layout `messages`.
func compose(t *testing.T, dialect string, conversation bool, chapters ...chapter) *prompt.Artifact {
	t.Helper()
	d, ok := prompt.LookupDialect(dialect)
	if !ok {
		t.Fatalf("no dialect is called %q", dialect)
	}
	a := &prompt.Artifact{Variant: &prompt.Variant{Name: "agent", Dialect: d}}
	if conversation {
		a.Variant.Messages = &prompt.MessageRules{Reminder: -1}
	}
	for _, c := range chapters {
		m := prompt.Message{Role: c.role, Tier: c.tier}
		for _, p := range c.blocks {
			b := prompt.Block{From: len(a.Parts), Image: p.image, Marked: p.marked}
			for _, text := range p.parts {
				a.Parts = append(a.Parts, prompt.Part{Section: -1, Text: text, Start: a.Bytes()})
			}
			b.To = len(a.Parts)
			m.Blocks = append(m.Blocks, b)
		}
		a.Messages = append(a.Messages, m)
	}
	if !d.JSON && len(a.Parts) > 0 {
		a.Parts = append(a.Parts, prompt.Part{Section: -1, Text: "\n", Start: a.Bytes()})
	}
	return a
}

// dot is a picture of one pixel.
func dot() *prompt.Image {
	return &prompt.Image{
		URL: "data:image/gif;base64,R0lGODlhAQABAAAAACw=", Media: "image/gif", Data: "R0lGODlhAQABAAAAACw=", Bytes: 14,
	}
}

func scalar(kind prompt.NodeKind, text string) *prompt.Node {
	return &prompt.Node{Kind: kind, Text: prompt.Literal(text)}
}

func mapping(fields ...prompt.Field) *prompt.Node {
	return &prompt.Node{Kind: prompt.Mapping, Fields: fields}
}

// exec is a tool with an argument and a number that is written oddly.
func exec() *prompt.Tool {
	return &prompt.Tool{
		Name:        "exec",
		Description: "Runs a command & waits.\nAt most <5> minutes.",
		Input: mapping(
			prompt.Field{Key: "type", Value: scalar(prompt.String, "object")},
			prompt.Field{Key: "properties", Value: mapping(
				prompt.Field{Key: "command", Value: mapping(prompt.Field{Key: "type", Value: scalar(prompt.String, "string")})},
				prompt.Field{Key: "a~b/c", Value: mapping(prompt.Field{Key: "maximum", Value: scalar(prompt.Number, "3.00e2")})},
			)},
			prompt.Field{Key: "additionalProperties", Value: scalar(prompt.Bool, "false")},
		),
		Canonical: "{\n  \"name\": \"exec\",\n  \"title\": \"Execute\"\n}\n",
	}
}

// ping is a strict tool without words and arguments.
func ping() *prompt.Tool {
	return &prompt.Tool{
		Name:      "ping",
		Strict:    true,
		Input:     mapping(prompt.Field{Key: "type", Value: scalar(prompt.String, "object")}),
		Canonical: "{\n  \"name\": \"ping\"\n}\n",
	}
}

// alone are sections in two blocks, the first of which is marked.
func alone(t *testing.T, dialect string) *prompt.Artifact {
	t.Helper()
	a := compose(t, dialect, false, chapter{role: prompt.RoleSystem, blocks: []piece{
		{parts: []string{"You are \"kind\".", "\n\n", "## Rules <1>\u2028"}, marked: true},
		{parts: []string{"\n\n", "Now: {{clock}}"}},
	}})
	a.Beside = []*prompt.Tool{exec(), ping()}
	return a
}

// talk is a conversation with all that messages may have.
func talk(t *testing.T, dialect string) *prompt.Artifact {
	t.Helper()
	a := compose(t, dialect, true,
		says(prompt.RoleSystem, "You write code.", "\n\n", "# Repository Structure"),
		marks("L0", says(prompt.RoleUser, "Hello")),
		says(prompt.RoleAssistant, "Hi"),
		marks("L1", says(prompt.RoleAssistant, "Ok.")),
		chapter{role: prompt.RoleUser, blocks: []piece{
			{parts: []string{"What is this?", "\n\n", "Be brief."}}, {image: dot()},
		}},
	)
	a.Beside = []*prompt.Tool{ping()}
	return a
}
