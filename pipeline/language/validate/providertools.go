package validate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// A provider's own tools have no schema: a request names them, and the provider,
// or its client, knows the rest. Each belongs into the requests of one dialect.

// providerTypes are the types of a provider's own tools, by dialect. From the
// providers' documentation, 2026-11: Anthropic's pages on tools, which date each
// type, and OpenAI's reference of the Responses API.
var providerTypes = []struct {
	dialect string
	types   *regexp.Regexp
}{
	{"anthropic", regexp.MustCompile(`^(?:[a-z][a-z_]*_20[0-9]{6}|mcp_toolset)$`)},
	{"openai-responses", regexp.MustCompile(`^(?:web_search|web_search_preview|file_search|code_interpreter|computer|computer_use_preview|` +
		`image_generation|mcp|local_shell|shell|apply_patch|tool_search)(?:_20[0-9]{2}_[0-9]{2}_[0-9]{2})?$`)},
}

// geminiTools are the keys of Gemini's own tools, each the whole of an entry of
// its list of tools, from its reference of Tool, 2026-11: in small letters and
// without `_`, since both spellings are common.
var geminiTools = []string{
	"googlesearch", "googlesearchretrieval", "googlemaps", "codeexecution", "urlcontext", "computeruse", "filesearch",
	"enterprisewebsearch", "retrieval",
}

// servers are the keys by which one type stands for several tools: the server
// that each is about.
var servers = map[string]string{"mcp": "server_label", "mcp_toolset": "mcp_server_name"}

// providerTool takes a provider's own tool that has a type, and reports whether
// the definition is one.
func (r *toolReader) providerTool(n *ground.Node) bool {
	kind := n.Field("type")
	if len(signalsOf(n)) > 0 || kind.Scalar() == "" {
		return false
	}
	for _, p := range providerTypes {
		if !p.types.MatchString(kind.Scalar()) {
			continue
		}
		name := kind
		if p.dialect == "anthropic" {
			name = n.Field("name")
		}
		word := name.Scalar()
		if server := n.Field(servers[kind.Scalar()]); server != nil {
			name, word = server, kind.Scalar()+"_"+server.Scalar()
		}
		if name == nil {
			r.found = append(r.found, diag.New(diag.MissingKey, n.At.FirstLine(), "lacks-key", quoted(kind.Scalar()), "name").
				WithHint("give-name-of-provider"))
			return true
		}
		r.ownTool(n, n, word, name.At, p.dialect)
		return true
	}
	return false
}

// geminiTool takes the tools of Gemini's own that a mapping names, and gives
// their keys.
func (r *toolReader) geminiTool(n *ground.Node) []string {
	if n.Field("name") != nil || n.Field("type") != nil || len(signalsOf(n)) > 0 {
		return nil
	}
	var keys []string
	for _, f := range n.Fields {
		if slices.Contains(geminiTools, strings.ToLower(strings.ReplaceAll(f.Key, "_", ""))) && f.Value.Kind == ground.Mapping {
			keys = append(keys, f.Key)
			r.ownTool(n, &ground.Node{Kind: ground.Mapping, Fields: []ground.Field{f}}, f.Key, f.KeyAt, "gemini")
		}
	}
	return keys
}

// ownTool adds a provider's own tool: what is sent is its definition, as it is.
func (r *toolReader) ownTool(n, sent *ground.Node, name string, at diag.Span, dialect string) {
	if !isPossible(name) {
		r.found = append(r.found, diag.New(diag.BadToolName, at, "tool-name-no-provider-takes", name).WithHint("use-letters-digits"))
		return
	}
	r.tools = append(r.tools, &language.Tool{
		Name: name, Provider: dialect, Description: said(sent.Field("description")),
		Canonical: canon.Object(sent, canonicalOrder) + "\n",
		File:      r.file, At: n.At, NameAt: at,
	})
}
