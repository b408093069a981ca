package render

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// soulBody prints the file's text, or the built-in soul where the source says
// `absent: default` and there is no file. A file that says nothing means no
// soul.
func soulBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	p := b.fileBodies(in, fileName)
	p.items = nil
	if in.Origin == prompt.FromBuiltIn {
		// promptc ships the file, so it is there.
		text, _ := builtIn.ReadFile("styles/soul.md")
		p = b.wholeSource(in, b.eachFile(in, words(strings.TrimSpace(string(text))), nil))
	}
	if p.empty() {
		return p
	}
	return b.frame(b.style(in), scope{passEntry("Body", p)})
}
