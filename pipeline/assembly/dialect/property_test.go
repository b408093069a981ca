package dialect_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// words are what JSON or a provider's client might change.
var words = []string{
	"a", "é", "🐦", "\"", "\\", "/", "<&>", "\n", "\r", "\t", "\x00", "\x7f", "\u2028", "\u2029", "\uFFFD", "{{slot}}", "```", " ", "~1",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(12) {
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

// randomTalk makes a conversation with alternating roles.
func randomTalk(t *testing.T, r *rand.Rand, name string) *assembly.Artifact {
	t.Helper()
	chapters := []chapter{says(language.RoleSystem, randomText(r), randomText(r))}
	if r.IntN(3) == 0 {
		chapters = nil
	}
	for i := range 1 + r.IntN(6) {
		role := []language.Role{language.RoleUser, language.RoleAssistant}[i%2]
		c := chapter{role: role}
		for range 1 + r.IntN(3) {
			c.blocks = append(c.blocks, piece{parts: []string{randomText(r)}, marked: r.IntN(3) == 0})
		}
		if role == language.RoleUser && r.IntN(3) == 0 {
			c.blocks = append(c.blocks, piece{image: dot()})
		}
		chapters = append(chapters, c)
	}
	return compose(t, name, true, chapters...)
}

// at follows a pointer through decoded JSON.
func at(t *testing.T, root any, pointer string) any {
	t.Helper()
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch v := root.(type) {
		case map[string]any:
			root = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				t.Fatalf("%q leads nowhere", pointer)
			}
			root = v[i]
		default:
			t.Fatalf("%q leads nowhere", pointer)
		}
	}
	return root
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		t.Fatalf("the body is no JSON: %v\n%s", err, text)
	}
	return root
}

// roles gives the roles of a body's messages, in the dialect's own words.
func roles(t *testing.T, text string) []string {
	t.Helper()
	root := decode(t, text)
	var out []string
	for _, key := range []string{"messages", "input", "contents"} {
		list, _ := root[key].([]any)
		for _, m := range list {
			message, _ := m.(map[string]any)
			role, _ := message["role"].(string)
			out = append(out, role)
		}
	}
	return out
}

func TestCuttingAtThePlacesGivesEachBlockBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		for _, d := range ground.Dialects {
			if !d.JSON {
				continue
			}
			a := randomTalk(t, r, d.Name)
			body := dialect.Encode(a)
			root := decode(t, body.Text())
			for m, message := range a.Messages {
				for b, block := range message.Blocks {
					p := body.Places[m][b]
					whole, ok := at(t, root, p.Pointer).(string)
					if !ok {
						t.Fatalf("%s: %q is no string", d.Name, p.Pointer)
					}
					want := a.BlockText(block)
					if block.Image != nil {
						if want = block.Image.Data; strings.HasPrefix(whole, "data:") {
							want = block.Image.URL
						}
					}
					if p.Start > len(whole) || !strings.HasPrefix(whole[p.Start:], want) {
						t.Fatalf("%s: %q from %d of %q is not %q", d.Name, whole, p.Start, p.Pointer, want)
					}
				}
			}
		}
	}
}

// TestConvertingKeepsRolesAndText reads every dialect back into the same
// story: who says what, in order.
func TestConvertingKeepsRolesAndText(t *testing.T) {
	for seed := range uint64(200) {
		var want []string
		for _, m := range randomTalk(t, rand.New(rand.NewPCG(seed, 3)), "openai-chat").Messages {
			want = append(want, string(m.Role))
		}
		text := randomTalk(t, rand.New(rand.NewPCG(seed, 3)), "openai-chat").Text()
		for _, d := range ground.Dialects[1:] {
			body := dialect.Encode(randomTalk(t, rand.New(rand.NewPCG(seed, 3)), d.Name))
			root := decode(t, body.Text())
			var said strings.Builder
			got := []string{}
			if root["system"] != nil || root["systemInstruction"] != nil {
				got = append(got, "system")
			}
			for _, role := range roles(t, body.Text()) {
				role = strings.NewReplacer("model", "assistant", "developer", "system").Replace(role)
				got = append(got, role)
			}
			for _, key := range []string{"system", "systemInstruction", "messages", "input", "contents"} {
				collect(root[key], &said)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: roles (-want +got):\n%s", d.Name, diff)
			}
			if diff := cmp.Diff(text, said.String()); diff != "" {
				t.Fatalf("%s: text (-want +got):\n%s", d.Name, diff)
			}
		}
	}
}

// collect gathers what is said, in order: strings below text, content and the
// like.
func collect(v any, out *strings.Builder) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			collect(item, out)
		}
	case map[string]any:
		for _, key := range []string{"text", "content", "parts"} {
			if s, ok := v[key].(string); ok {
				out.WriteString(s)
			} else {
				collect(v[key], out)
			}
		}
	}
}

// TestAMegabyteTakesNoTime holds that nothing is copied more than a few times.
func TestAMegabyteTakesNoTime(t *testing.T) {
	big := strings.Repeat("\"\\\n", 1<<19)
	for _, name := range ground.DialectNames() {
		a := compose(t, name, true, says(language.RoleUser, big))
		if got := len(dialect.Encode(a).Text()); got < len(big) {
			t.Errorf("%s: %d bytes of %d", name, got, len(big))
		}
	}
}
