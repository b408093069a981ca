package render

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// The facts of a runtime document, in the order in which they are printed
// (the conformance document, item 6).
var (
	hostFacts = []string{
		"host", "os", "arch", "shell", "provider", "model", "session", "sudo_non_interactive", "sudo_status",
		"timezone", "accept_language", "remote_ip", "location",
	}
	sandboxFacts = []string{"enabled", "mode", "backend", "scope", "image", "workspace_mount", "network"}
)

// factSeparator stands between two facts of a line.
const factSeparator = " | "

// runtimeBody prints the facts of where the agent runs.
func runtimeBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	var parts []passage
	for _, doc := range in.Docs {
		host := b.facts(in, doc.Data.Field("host"), hostFacts)
		sandbox := b.facts(in, doc.Data.Field("sandbox"), sandboxFacts)
		if host.empty() && sandbox.empty() {
			b.saysNothing(in, doc, "has-no-facts")
			continue
		}
		parts = append(parts, b.frame(b.style(in), scope{
			passEntry("Host", host),
			passEntry("Sandbox", sandbox),
			flagEntry("Routing", in.Routing),
			flagEntry("Sandboxed", sandboxed(doc.Data.Field("sandbox"))),
		}))
	}
	return b.uncut(in, join(parts, "\n\n"))
}

// facts gives the keys that have a value as key=value.
func (b *bench) facts(in *prompt.Input, n *prompt.Node, keys []string) passage {
	var parts []passage
	for _, key := range keys {
		p := trimmed(b.field(in, scalarText(n.Field(key))))
		s := p.text.Str
		if s == "" {
			continue
		}
		if strings.Contains(s, factSeparator) || strings.ContainsAny(s, lineBreaks) {
			b.found = append(b.found, diag.New(diag.BrokenLineValue, n.Field(key).At,
				"value-holds-line-break", key, factSeparator).WithHint("facts-stand-line-joined", factSeparator))
			continue
		}
		var w writer
		w.literal(key + "=")
		w.write(p)
		parts = append(parts, w.passage())
	}
	return join(parts, factSeparator)
}

// switchedOff are the words for a sandbox that is not used.
var switchedOff = []struct{ key, value string }{
	{"enabled", "false"}, {"enabled", "no"}, {"enabled", "off"}, {"mode", "off"}, {"mode", "none"},
}

// sandboxed reports whether there is a sandbox that is not switched off.
func sandboxed(n *prompt.Node) bool {
	if n == nil || len(n.Fields) == 0 {
		return false
	}
	for _, off := range switchedOff {
		if strings.EqualFold(n.Field(off.key).Scalar(), off.value) {
			return false
		}
	}
	return true
}
