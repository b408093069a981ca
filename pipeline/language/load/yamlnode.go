package load

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// converter turns the library's nodes into ours, each with its exact place.
type converter struct {
	text  *yamlText
	found *diag.List
	// done holds the anchored nodes: aliases share them, so that a file full
	// of aliases costs no more than its own length. Nil marks a node that is
	// still being read, which an alias inside it would close into a circle.
	done    map[*yaml.Node]*converted
	nodes   int
	aliases int
	stopped bool // a limit was passed, there is no usable result
	most    int  // how many nodes there may be
	foreign bool // a program wrote it: any tag and any key is right
}

// converted is a node with what aliases to it weigh.
type converted struct {
	node *ground.Node
	// start and end are the bytes in yamlText.src; for an alias they are
	// those of `*name`, while node.At is where the anchor is.
	start, end int
	// What the node holds, itself included, with aliases expanded.
	nodes, aliases, depth int
}

func (c *converter) convert(n *yaml.Node, depth int) *converted {
	start := c.text.offset(n.Line, n.Column)
	if n.Kind == yaml.AliasNode {
		return c.alias(n, start, depth)
	}
	if n.Anchor != "" {
		c.done[n] = nil
	}
	if depth > maxDepth {
		c.stop(start, "nested-deeper-levels", maxDepth)
		return nil
	}
	nodes, aliases := c.nodes, c.aliases
	if c.nodes++; c.nodes > c.most {
		c.stop(start, "more-values", diag.Count(c.most))
		return nil
	}
	property := start
	if !emptyPlain(n) { // an empty value has nothing behind its anchor
		start = c.text.content(start)
	}
	out := &converted{start: start, depth: 1}
	switch n.Kind {
	case yaml.SequenceNode:
		c.sequence(n, out, depth)
	case yaml.MappingNode:
		c.mapping(n, out, depth)
	default:
		c.scalar(n, out)
	}
	if c.stopped {
		return nil
	}
	c.checkTag(n, out, property)
	out.node.At = c.text.span(out.start, out.end)
	out.nodes, out.aliases = c.nodes-nodes, c.aliases-aliases
	if n.Anchor != "" {
		c.done[n] = out
	}
	return out
}

func (c *converter) stop(at int, key string, args ...any) {
	if c.stopped {
		return
	}
	c.stopped = true
	*c.found = append(*c.found, diag.New(diag.TooComplex, c.text.lineFrom(at), key, args...).
		WithHint("divide-file-write-less"))
}

func (c *converter) alias(n *yaml.Node, start, depth int) *converted {
	end := start + len("*") + len(n.Value)
	at := c.text.span(start, min(end, len(c.text.src)))
	target, known := c.done[n.Alias]
	if target == nil {
		if known {
			*c.found = append(*c.found, diag.New(diag.YAMLFeature, at, "alias-stands-inside-own", "*"+n.Value).
				WithHint("alias-only-repeat-complete"))
		}
		c.stopped = true
		return nil
	}
	c.nodes += target.nodes
	c.aliases += 1 + target.aliases
	switch {
	case c.nodes > c.most:
		c.stop(start, "aliases-expand-more-values", diag.Count(c.most))
	case c.aliases > maxAliases:
		c.stop(start, "more-aliases-expand", diag.Count(maxAliases))
	case depth+target.depth-1 > maxDepth:
		c.stop(start, "nested-deeper-levels-alias", maxDepth)
	}
	if c.stopped {
		return nil
	}
	return &converted{
		node: target.node, start: start, end: end,
		nodes: target.nodes, aliases: 1 + target.aliases, depth: target.depth,
	}
}

// hold makes room in out for a child.
func (out *converted) hold(child *converted) {
	out.depth = max(out.depth, child.depth+1)
	out.end = max(out.end, child.end)
}

func (c *converter) sequence(n *yaml.Node, out *converted, depth int) {
	out.node = &ground.Node{Kind: ground.Sequence}
	out.end = out.start + 1
	for _, item := range n.Content {
		child := c.convert(item, depth+1)
		if child == nil {
			return
		}
		out.hold(child)
		out.node.Items = append(out.node.Items, child.node)
	}
	c.close(out, '[', ']')
}

func (c *converter) mapping(n *yaml.Node, out *converted, depth int) {
	out.node = &ground.Node{Kind: ground.Mapping}
	out.end = out.start + 1
	places := make(map[string]diag.Span, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := c.convert(n.Content[i], depth+1), (*converted)(nil)
		if key != nil {
			c.nodes-- // a key is no value: limits count values
			out.hold(key)
			value = c.convert(n.Content[i+1], depth+1)
		}
		if value == nil {
			return
		}
		out.hold(value)
		field := ground.Field{
			Key: key.node.Scalar(), KeyAt: c.text.span(key.start, min(key.end, len(c.text.src))), Value: value.node,
		}
		if c.checkKey(n.Content[i], field, places) {
			places[field.Key] = field.KeyAt
			out.node.Fields = append(out.node.Fields, field)
		}
	}
	c.close(out, '{', '}')
}

// checkKey reports a key that a mapping cannot have; such an entry is left
// out.
func (c *converter) checkKey(n *yaml.Node, field ground.Field, places map[string]diag.Span) bool {
	plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0
	switch {
	case c.foreign:
		return true
	case n.Kind == yaml.AliasNode:
		*c.found = append(*c.found, diag.New(diag.YAMLFeature, field.KeyAt, "key-cannot-alias").
			WithHint("write-key-itself"))
	case n.Kind == yaml.MappingNode && c.isPlaceholder(field.KeyAt):
		name := strings.Trim(field.KeyAt.File.Text[field.KeyAt.Start:field.KeyAt.End], "{} \t")
		*c.found = append(*c.found, diag.New(diag.YAMLFeature, field.KeyAt, "two-braces-without-quotes").
			WithHint("quote-text", `"{{`+name+`}}"`))
	case n.Kind != yaml.ScalarNode || n.Value == "":
		*c.found = append(*c.found, diag.New(diag.YAMLFeature, field.KeyAt, "key-must-text").
			WithHint("write-key-value-key"))
	case plain && n.Value == "<<":
		*c.found = append(*c.found, diag.New(diag.YAMLFeature, field.KeyAt, "merge-key-not-allowed").
			WithHint("repeat-keys-give-each"))
	default:
		if first, ok := places[field.Key]; ok {
			*c.found = append(*c.found, repeatedKey(field.Key, field.KeyAt, first))
			return false
		}
		return true
	}
	return false
}

// placeholder is what YAML takes for a key in a value such as {{name}}.
var placeholder = regexp.MustCompile(`^\{[ \t]*[A-Za-z0-9._-]+[ \t]*\}$`)

func (c *converter) isPlaceholder(key diag.Span) bool {
	text := key.File.Text
	return key.Start > 0 && text[key.Start-1] == '{' && strings.HasPrefix(strings.TrimLeft(text[key.End:], " \t"), "}") &&
		placeholder.MatchString(text[key.Start:key.End])
}

func repeatedKey(key string, at, first diag.Span) diag.Diagnostic {
	line := first.File.LineAt(first.Start)
	return diag.New(diag.RepeatedKey, at, "key-twice", diag.Start(key, maxQuoted)).
		WithHint("first-line-remove", line)
}

// maxQuoted is how many characters a message quotes of a name or a pattern.
const maxQuoted = 60

// close moves the end of a collection in brackets behind its closing bracket.
// Collections without brackets end where their last child ends.
func (c *converter) close(out *converted, open, closing byte) {
	if c.stopped || out.start >= len(c.text.src) || c.text.src[out.start] != open {
		return
	}
	if at := c.text.skip(out.end, ",:?"); at < len(c.text.src) && c.text.src[at] == closing {
		out.end = at + 1
	}
}

// content skips what may stand before a node's first byte: anchor, tag, and
// the blanks, line breaks and comments after them.
func (y *yamlText) content(at int) int {
	for at < len(y.src) && (y.src[at] == '&' || y.src[at] == '!') {
		at = y.skip(y.propertyEnd(at), "")
	}
	return at
}

// propertyEnd gives the end of the anchor or tag at a place.
func (y *yamlText) propertyEnd(at int) int {
	if rest := y.src[at:]; strings.HasPrefix(rest, "!<") && strings.Contains(rest, ">") {
		return at + strings.IndexByte(rest, '>') + 1 // a tag in full may hold commas
	}
	for at < len(y.src) && breakAt(y.src, at) == 0 && !strings.ContainsRune(" \t,[]{}", rune(y.src[at])) {
		at++
	}
	return at
}

// tag gives the place of a node's tag, which stands first or behind an anchor.
func (y *yamlText) tag(at int) diag.Span {
	for at < len(y.src) && y.src[at] == '&' {
		at = y.skip(y.propertyEnd(at), "")
	}
	return y.span(at, y.propertyEnd(at))
}

// plainKind gives the kind of an unquoted scalar: what JSON reads the same
// characters as.
func plainKind(text string) ground.NodeKind {
	switch {
	case text == "" || text == "null":
		return ground.Null
	case text == "true" || text == "false":
		return ground.Bool
	case strings.IndexByte("-0123456789", text[0]) >= 0 && json.Valid([]byte(text)):
		return ground.Number
	default:
		return ground.String
	}
}

// yamlKind is plainKind for YAML, which writes true and false in three ways. Other
// words, such as yes, are texts to the programs that read front matter, too.
func yamlKind(text string) ground.NodeKind {
	switch text {
	case "True", "TRUE", "False", "FALSE":
		return ground.Bool
	}
	return plainKind(text)
}

// yamlTags are the tags that a node may carry, and the kinds they go with.
var yamlTags = []struct {
	tag   string
	kinds []ground.NodeKind
}{
	{"!!str", []ground.NodeKind{ground.String}},
	{"!!int", []ground.NodeKind{ground.Number}},
	{"!!float", []ground.NodeKind{ground.Number}},
	{"!!bool", []ground.NodeKind{ground.Bool}},
	{"!!null", []ground.NodeKind{ground.Null}},
	{"!!seq", []ground.NodeKind{ground.Sequence}},
	{"!!map", []ground.NodeKind{ground.Mapping}},
}

// checkTag reports a written tag that is unknown or does not fit the value.
// first is where the node starts with its tag.
func (c *converter) checkTag(n *yaml.Node, out *converted, first int) {
	if n.Style&yaml.TaggedStyle == 0 || c.foreign {
		return
	}
	at := c.text.tag(first)
	for _, known := range yamlTags {
		if known.tag != n.Tag {
			continue
		}
		if !slices.Contains(known.kinds, out.node.Kind) {
			*c.found = append(*c.found, diag.New(diag.YAMLFeature, at, "value-not-fit-tag", n.Tag).
				WithHint("remove-tag"))
		}
		return
	}
	*c.found = append(*c.found, diag.New(diag.YAMLFeature, at, "tag-not-allowed", diag.Start(n.Tag, maxQuoted)).
		WithHint("remove-part-text-quote"))
}

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func emptyPlain(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&quotedStyles == 0
}

// scalar reads a scalar. The library has decoded its text.
func (c *converter) scalar(n *yaml.Node, out *converted) {
	out.node = &ground.Node{Kind: ground.String}
	out.end = out.start
	// The library takes a number that no float holds for a text.
	asText := n.Style&yaml.TaggedStyle != 0 && n.Tag == "!!str" || n.Tag == "!"
	if n.Style&quotedStyles == 0 && !asText || emptyPlain(n) {
		out.node.Kind = yamlKind(n.Value)
	}
	if !emptyPlain(n) {
		out.node.Text, out.end = c.text.scalar(n.Value, n.Style, out.start)
	}
}

// scalar gives a decoded text with the places of its characters, and the end of
// the scalar. A text that is not found in its source has one place for all of it.
func (y *yamlText) scalar(text string, style yaml.Style, start int) (out ground.Text, end int) {
	at, quote := start, ""
	switch {
	case style&yaml.DoubleQuotedStyle != 0:
		quote = `"`
	case style&yaml.SingleQuotedStyle != 0:
		quote = `'`
	case style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		if at = y.lineEnd(start); at < len(y.src) {
			at += breakAt(y.src, at)
		}
	}
	if out, end, ok := align(y.src, text, at+len(quote), quote, y.span); ok && strings.HasPrefix(y.src[end:], quote) {
		return out, end + len(quote)
	}
	if end = y.lineEnd(start); quote != "" {
		end = closing(y.src, start, quote[0])
	}
	var whole textMap
	whole.put(text, y.span(start, end))
	return whole.Text(), end
}
