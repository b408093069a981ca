package dialect_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
)

// TestWhatIsEmittedIsReadBack: the shapes are one model, so that a body of an artifact
// says the same messages, blocks and breakpoints, and is written the same again.
func TestWhatIsEmittedIsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		for _, d := range ground.Dialects {
			a := randomTalk(t, r, d.Name)
			if !d.JSON || a.Messages[0].Role != language.RoleSystem {
				continue // without system text, Anthropic's and OpenAI's are alike
			}
			a.Beside = []*language.Tool{exec(), ping()}
			text := dialect.Encode(a).Text()
			doc, found := load.Look("a.json", []byte(text))
			if doc == nil || len(doc.Saved) != 1 || doc.Saved[0].Sent == nil {
				t.Fatalf("%s: %v\n%s", d.Name, found, text)
			}
			body := doc.Saved[0].Sent.Body
			if body.Dialect.Name != d.Name {
				t.Fatalf("%s is taken for %s\n%s", d.Name, body.Dialect.Name, text)
			}
			if diff := cmp.Diff(decode(t, text), decode(t, request.NewEncoder().Encode(body).Text())); diff != "" {
				t.Fatalf("%s (-emitted +written again):\n%s", d.Name, diff)
			}
			if diff := cmp.Diff(story(a), storyOf(body), cmp.AllowUnexported(line{})); diff != "" {
				t.Fatalf("%s (-emitted +read):\n%s", d.Name, diff)
			}
		}
	}
}

// line is a block: who says it, what, and whether a breakpoint stands behind it.
type line struct {
	role, text, image string
	marked            bool
}

func story(a *assembly.Artifact) []line {
	var out []line
	d := a.Variant.Dialect
	for _, m := range a.Messages {
		for _, b := range m.Blocks {
			l := line{role: string(m.Role), text: a.BlockText(b), marked: b.Marked && d.Markers}
			if b.Image != nil {
				l.image = b.Image.Data
			}
			out = append(out, l)
		}
	}
	return joinedLines(out, d)
}

func storyOf(body *request.Body) []line {
	var out []line
	for i := range body.Messages {
		for _, b := range body.Messages[i].Leaves() {
			l := line{role: string(body.Messages[i].Role), text: b.Text(), marked: b.Marked}
			if b.Image != nil {
				l.image = b.Image.Data
			}
			out = append(out, l)
		}
	}
	return joinedLines(out, body.Dialect)
}

// joinedLines joins the blocks of an answer where the shape has one string for them.
func joinedLines(all []line, d *ground.Dialect) []line {
	var out []line
	for _, l := range all {
		if n := len(out); n > 0 && d.Name == "openai-responses" && l.role == "assistant" && out[n-1].role == l.role {
			out[n-1].text += l.text
			continue
		}
		out = append(out, l)
	}
	return out
}
