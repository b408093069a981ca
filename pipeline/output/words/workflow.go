package words

import (
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
)

// Message escapes what would end the message of a workflow command.
func Message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "##[", `##\[`).Replace(s)
}

// Property escapes what would end a property of a workflow command.
func Property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C", "##[", `##\[`).Replace(s)
}

// Harmless puts a backslash into every line that the runner of a workflow would
// take for a command: one that begins with `::`, blanks aside, or has `##[` anywhere.
func Harmless(text string) string {
	text = strings.ReplaceAll(text, "##[", `##\[`)
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		bare := strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || chars.Hidden(r) })
		if strings.HasPrefix(bare, "::") {
			b.WriteString(line[:len(line)-len(bare)] + `\`)
			line = bare
		}
		b.WriteString(line)
	}
	return b.String()
}
