package lint

import (
	"regexp"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// orders are words of definitions that are seldom about the tool itself. From
// published attacks by descriptions of tools, 2025 and 2026.
var orders = regexp.MustCompile(`(?i)</?(?:important|system|instructions?|secret|hidden)>` +
	`|\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|earlier|other|above) (?:instructions?|rules|prompts?|messages?)` +
	`|\b(?:do not|don't|never) (?:tell|inform|mention|show|reveal|notify)[^.\n]{0,40}\buser\b` +
	`|\bwithout (?:telling|informing|notifying|asking) the user\b` +
	`|\b(?:before|after|whenever|instead of) (?:you )?(?:use|using|call|calling) (?:any|all|every|each)(?: of the)?(?: other)? tools?\b` +
	`|~/\.ssh\b|\bid_(?:rsa|ed25519)\b`)

// pulledTools judges the tools that sources pull from servers.
func pulledTools(l *sourceSet) diag.List {
	var out diag.List
	offers := map[string]string{} // the first server with a name, in small letters
	for _, d := range l.docs {
		server := l.plan.Spec.Pulled[d]
		if server == "" {
			continue
		}
		for _, t := range l.plan.Spec.Tools[d] {
			found := append(ordersIn(server, t, d.Data), clientName(server, t)...)
			name := strings.ToLower(t.Name)
			if first, known := offers[name]; !known {
				offers[name] = server
			} else if first != server {
				found = append(found, diag.New(diag.PulledShadow, at(t.NameAt, t.At), "pulled-shadow", server, t.Name, first).WithHint("leave-one-out"))
			}
			for i := range found {
				found[i].Prompts = l.users[d.File.Path]
			}
			out = append(out, found...)
		}
	}
	return out
}

// ordersIn finds the first order in each text of a definition.
func ordersIn(server string, t *language.Tool, n *ground.Node) diag.List {
	if n == nil {
		return nil
	}
	var out diag.List
	if n.Kind == ground.String {
		if m := orders.FindStringIndex(n.Text.Str); m != nil {
			out = append(out, diag.New(diag.PulledOrder, at(n.Text.Span(m[0], m[1]), n.At), "pulled-order", t.Name, server, n.Text.Str[m[0]:m[1]]).
				WithHint("read-definition"))
		}
	}
	for _, item := range n.Items {
		out = append(out, ordersIn(server, t, item)...)
	}
	for _, f := range n.Fields {
		out = append(out, ordersIn(server, t, f.Value)...)
	}
	return out
}

// maxClientName is how long the name of a tool may be for clients and providers.
const maxClientName = 64

// clientName says which name clients give a tool, where it is not the tool's own
// behind that of the server.
func clientName(server string, t *language.Tool) diag.List {
	whole := "mcp__" + server + "__" + t.Name
	sent := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, whole)
	var out diag.List
	if sent != whole {
		out = append(out, diag.New(diag.PulledClientName, at(t.NameAt, t.At), "client-name-changed", t.Name, sent).WithHint("client-name-hint"))
	}
	if len(sent) > maxClientName {
		out = append(out, diag.New(diag.PulledClientName, at(t.NameAt, t.At), "client-name-long", t.Name, sent, diag.Count(maxClientName)).WithHint("client-name-hint"))
	}
	return out
}
