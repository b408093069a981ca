package dialect_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// chapter is a message of an artifact: role, tier, and its blocks.
type chapter struct {
	role   language.Role
	tier   string
	blocks []piece
}

// piece is a block: text in parts, or an image.
type piece struct {
	parts  []string
	image  *language.Image
	marked bool
}

// says is an unmarked message of one block.
func says(role language.Role, parts ...string) chapter {
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
func compose(t *testing.T, dialect string, conversation bool, chapters ...chapter) *assembly.Artifact {
	t.Helper()
	d, ok := ground.LookupDialect(dialect)
	if !ok {
		t.Fatalf("no dialect is called %q", dialect)
	}
	a := &assembly.Artifact{Variant: &assembly.Variant{Name: "agent", Dialect: d}}
	if conversation {
		a.Variant.Messages = &assembly.MessageRules{Reminder: -1}
	}
	for _, c := range chapters {
		m := assembly.Message{Role: c.role, Tier: c.tier}
		for _, p := range c.blocks {
			b := assembly.Block{From: len(a.Parts), Image: p.image, Marked: p.marked}
			for _, text := range p.parts {
				a.Parts = append(a.Parts, assembly.Part{Section: -1, Text: text, Start: a.Bytes()})
			}
			b.To = len(a.Parts)
			m.Blocks = append(m.Blocks, b)
		}
		a.Messages = append(a.Messages, m)
	}
	if !d.JSON && len(a.Parts) > 0 {
		a.Parts = append(a.Parts, assembly.Part{Section: -1, Text: "\n", Start: a.Bytes()})
	}
	return a
}

// dot is a picture of one pixel.
func dot() *language.Image {
	return &language.Image{
		URL: "data:image/gif;base64,R0lGODlhAQABAAAAACw=", Media: "image/gif", Data: "R0lGODlhAQABAAAAACw=", Bytes: 14,
	}
}

func scalar(kind ground.NodeKind, text string) *ground.Node {
	return &ground.Node{Kind: kind, Text: ground.Literal(text)}
}

func mapping(fields ...ground.Field) *ground.Node {
	return &ground.Node{Kind: ground.Mapping, Fields: fields}
}

// exec is a tool with an argument and a number that is written oddly.
func exec() *language.Tool {
	return &language.Tool{
		Name:        "exec",
		Description: "Runs a command & waits.\nAt most <5> minutes.",
		Input: mapping(
			ground.Field{Key: "type", Value: scalar(ground.String, "object")},
			ground.Field{Key: "properties", Value: mapping(
				ground.Field{Key: "command", Value: mapping(ground.Field{Key: "type", Value: scalar(ground.String, "string")})},
				ground.Field{Key: "a~b/c", Value: mapping(ground.Field{Key: "maximum", Value: scalar(ground.Number, "3.00e2")})},
			)},
			ground.Field{Key: "additionalProperties", Value: scalar(ground.Bool, "false")},
		),
		Canonical: "{\n  \"name\": \"exec\",\n  \"title\": \"Execute\"\n}\n",
	}
}

// ping is a strict tool without words and arguments.
func ping() *language.Tool {
	return &language.Tool{
		Name:      "ping",
		Strict:    true,
		Input:     mapping(ground.Field{Key: "type", Value: scalar(ground.String, "object")}),
		Canonical: "{\n  \"name\": \"ping\"\n}\n",
	}
}

// alone gives an artifact of sections in two blocks. The first block is marked.
func alone(t *testing.T, dialect string) *assembly.Artifact {
	t.Helper()
	a := compose(t, dialect, false, chapter{role: language.RoleSystem, blocks: []piece{
		{parts: []string{"You are \"kind\".", "\n\n", "## Rules <1>\u2028"}, marked: true},
		{parts: []string{"\n\n", "Now: {{clock}}"}},
	}})
	a.Beside = []*language.Tool{exec(), ping()}
	return a
}

// talk is a conversation with all that messages may have.
func talk(t *testing.T, dialect string) *assembly.Artifact {
	t.Helper()
	a := compose(t, dialect, true,
		says(language.RoleSystem, "You write code.", "\n\n", "# Repository Structure"),
		marks("L0", says(language.RoleUser, "Hello")),
		says(language.RoleAssistant, "Hi"),
		marks("L1", says(language.RoleAssistant, "Ok.")),
		chapter{role: language.RoleUser, blocks: []piece{
			{parts: []string{"What is this?", "\n\n", "Be brief."}}, {image: dot()},
		}},
	)
	a.Beside = []*language.Tool{ping()}
	return a
}
