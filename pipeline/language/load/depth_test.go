package load_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/tests/testproject"
)

func TestDepthIsPlacedWhereTheLimitIsPassed(t *testing.T) {
	open := strings.Repeat("[", 63)
	tests := map[string]struct{ name, text, want string }{
		"65 levels of JSON":     {"a.json", "[\"[[\",\n" + open + "[]", "2:64"},
		"100 levels of JSON":    {"a.json", "[\"[[\",\n" + open + strings.Repeat("[", 36), "2:64"},
		"20,000 levels of JSON": {"a.json", "[\"[[\",\n" + open + strings.Repeat("[", 19_936), "2:64"},
		"20,000 JSON objects":   {"a.json", strings.Repeat("{\"a\":\n", 20_000), "65:1"},
		"20,000 levels of YAML": {"a.yaml", strings.Repeat("[", 20_000), "1:65"},
		"indented lists":        {"IDENTITY.md", steps(200), "101:201"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := test.text
			if test.name == "a.json" { // closed, so that depth is all that is wrong
				text += closing(text)
			}
			_, found := runOn(t, testproject.From(map[string]string{
				"prompts.yaml": "sources: {a: {kind: identity, path: IDENTITY.md}, b: {kind: tools, path: [a.json, a.yaml]}}",
				test.name:      text,
			}))
			want := test.name + ":" + test.want + ": error[PC1008]: "
			if got := lines(found); !strings.HasPrefix(got, want) || len(found) != 1 {
				t.Errorf("got %.300s, want %s", got, want)
			}
		})
	}
}

// closing gives what closes the brackets of a JSON text that has none in its
// strings but "[[".
func closing(text string) string {
	var b strings.Builder
	text = strings.ReplaceAll(text, `"[["`, "")
	if strings.HasSuffix(text, "\n") {
		b.WriteString("0")
	}
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case '[':
			b.WriteByte(']')
		case ']':
			i-- // closed already
		case '{':
			b.WriteByte('}')
		}
	}
	return b.String()
}
