package lint_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// talk adds messages to an artifact: "user: text", by role and text.
func (s *scene) talk(a *assembly.Artifact, said ...[2]string) {
	for _, m := range said {
		from := len(a.Parts)
		s.part(a, assembly.Part{Section: -1, Text: m[1], Passage: &assembly.Passage{
			Content: &assembly.Content{Kind: assembly.ContentHistory}, Text: ground.Literal(m[1]),
		}})
		a.Messages = append(a.Messages, assembly.Message{
			Role: language.Role(m[0]), Block: "history", At: s.span(60 + len(a.Messages)), Blocks: []assembly.Block{{From: from, To: from + 1}},
		})
	}
}

func TestTurnsAreRefusedWhereTheProviderDoes(t *testing.T) {
	user, assistant, system := [2]string{"user", "a"}, [2]string{"assistant", "b"}, [2]string{"system", "c"}
	for _, tc := range []struct {
		name, dialect, declared string
		said                    [][2]string
		want                    []string
	}{
		{"in turns", "anthropic", "anthropic", [][2]string{user, assistant, user}, nil},
		{"twice the user", "anthropic", "anthropic", [][2]string{user, user}, []string{
			`error PC6010 two messages of the user follow one another; "anthropic" expects the roles to alternate`,
		}},
		{"the assistant first", "gemini", "gemini", [][2]string{assistant, user}, []string{
			`error PC6010 the first message is of the assistant; "gemini" expects one of the user`,
		}},
		{"the system between", "anthropic", "anthropic", [][2]string{user, system, assistant, user}, []string{
			`error PC6010 most models of "anthropic" take no system message inside a conversation`,
		}},
		{"no system between", "gemini", "gemini", [][2]string{user, system, assistant}, []string{
			`error PC6010 "gemini" has no system messages inside a conversation`,
		}},
		{"advice was said before", "openai-chat", "openai-chat", [][2]string{user, system, assistant}, nil},
		{"advice about another dialect", "openai-chat", "openai-responses", [][2]string{user, system, assistant}, []string{
			`warning PC6010 some programs that speak "openai-chat" refuse a system message inside a conversation`,
		}},
		{"order that is only advised", "openai-responses", "anthropic", [][2]string{user, user, system}, []string{
			`warning PC6010 two messages of the user follow one another; "openai-responses" expects the roles to alternate`,
		}},
		{"text has no turns", "text", "text", [][2]string{user, user}, nil},
	} {
		s := newScene("one")
		a := s.variant(tc.declared, "a b")
		s.talk(a, tc.said...)
		v := *a.Variant
		v.Dialect, _ = ground.LookupDialect(tc.dialect)
		a.Variant = &v
		if diff := cmp.Diff(tc.want, s.said()); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestConversationsWithoutASystemMessage(t *testing.T) {
	s := newScene("one")
	for _, dialect := range []string{"anthropic", "gemini", "openai-chat", "openai-responses"} {
		a := s.variant(dialect, "")
		a.Variant.Messages, a.Messages = &assembly.MessageRules{Reminder: -1}, nil
		s.talk(a, [2]string{"user", "a"})
	}
	want := []string{`warning PC6010 "p" has no system message`}
	if diff := cmp.Diff(want, s.said()); diff != "" {
		t.Error(diff)
	}
	if found := lint.Run(s.plan, s.all[:1]); wording.Hint(found[0]) != "give it a section that says something" || found[0].Span != s.span(0) {
		t.Error(found)
	}
	s.variant("anthropic", "a b").Variant.Messages = &assembly.MessageRules{Reminder: -1}
	want = append(want, "  in 4 of 5 variants: mode=a+b+c+d")
	if diff := cmp.Diff(want, s.said()); diff != "" {
		t.Error(diff)
	}
}

func TestBlankTexts(t *testing.T) {
	for dialect, want := range map[string][]string{
		"anthropic":   {`error PC6011 a text in a user message is blank, which "anthropic" refuses`},
		"openai-chat": {`warning PC6011 a text in a user message is blank`},
		"text":        nil,
	} {
		s := newScene("one")
		s.talk(s.variant(dialect, "a b"), [2]string{"user", " \n"})
		if diff := cmp.Diff(want, s.said()); diff != "" {
			t.Errorf("%s: %s", dialect, diff)
		}
	}
	s := newScene("one")
	s.variant("anthropic", "| ").Cache.Points[0].Tokens = 9
	if got := s.said(); got != nil {
		t.Errorf("where a marker is on it, that is said elsewhere: %q", got)
	}
}

func TestImages(t *testing.T) {
	several := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = "image/png"
		}
		return out
	}
	for _, tc := range []struct {
		name, dialect string
		media         []string
		want          []string
	}{
		{"read by all", "anthropic", []string{"image/png", "image/jpeg", "image/webp"}, nil},
		{"not read", "anthropic", []string{"image/heic"}, []string{`error PC6012 "anthropic" does not read images of the type "image/heic"`}},
		{"read by one", "gemini", []string{"image/heic"}, nil},
		{"not read by one", "gemini", []string{"image/gif"}, []string{`error PC6012 "gemini" does not read images of the type "image/gif"`}},
		{"as text they are not sent", "text", []string{"image/heic"}, nil},
		{"more than some models take", "anthropic", several(101), []string{`warning PC6012 "p" sends 101 images; some models of "anthropic" take 100`}},
		{"too many", "anthropic", several(601), []string{`error PC6012 "p" sends 601 images; "anthropic" takes 600 in a request`}},
		{"too many at once", "openai-chat", several(1501), []string{`error PC6012 "p" sends 1,501 images; "openai-chat" takes 1,500 in a request`}},
		{"as many as OpenAI takes", "openai-responses", several(1500), nil},
		{"as many as Gemini takes", "gemini", several(3600), nil},
		{"more than Gemini takes", "gemini", several(3601), []string{`error PC6012 "p" sends 3,601 images; "gemini" takes 3,600 in a request`}},
	} {
		s := newScene("one")
		a := s.variant(tc.dialect, "a b")
		s.talk(a, [2]string{"user", "look"})
		last := &a.Messages[len(a.Messages)-1]
		for _, media := range tc.media {
			last.Blocks = append(last.Blocks, assembly.Block{From: len(a.Parts), To: len(a.Parts), Image: &language.Image{Media: media, At: s.span(70)}})
		}
		if diff := cmp.Diff(tc.want, s.said()); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestSlotsInConversations(t *testing.T) {
	s := newScene("one")
	s.plan.Spec.Slots = []*language.Slot{s.slots["name"]}
	a := s.variant("anthropic", "a b")
	file := &diag.File{Path: "chat.yaml", Text: "say {{name}} and {{other}}"}
	s.talk(a, [2]string{"user", file.Text})
	last := &a.Parts[len(a.Parts)-1]
	last.Passage.Text = ground.Verbatim(diag.Span{File: file, End: len(file.Text)})
	b := *a // another variant that says the same
	s.all = append(s.all, &b)
	want := []string{`error PC6001 "{{name}}" is emitted as text, but "name" is a slot`}
	if diff := cmp.Diff(want, s.said()); diff != "" {
		t.Error(diff)
	}
}

func TestAnAxisOfShapesIsAlive(t *testing.T) {
	for name, change := range map[string]func(*assembly.Artifact){
		"nothing":    func(*assembly.Artifact) {},
		"dialect":    func(a *assembly.Artifact) { a.Variant.Dialect = &ground.Dialects[0] },
		"role":       func(a *assembly.Artifact) { a.Messages[1].Role = language.RoleAssistant },
		"tier":       func(a *assembly.Artifact) { a.Messages[1].Tier = "L1" },
		"marker":     func(a *assembly.Artifact) { a.Messages[1].Blocks[0].Marked = true },
		"image":      func(a *assembly.Artifact) { a.Messages[1].Blocks[0].Image = &language.Image{} },
		"one less":   func(a *assembly.Artifact) { a.Messages = a.Messages[:1] },
		"minimum":    func(a *assembly.Artifact) { a.Variant.CacheMinimum = 9 },
		"other cuts": func(a *assembly.Artifact) { a.Messages[0].Blocks[0].To, a.Messages[1].Blocks[0].From = 2, 2 },
	} {
		plan, artifacts := grid{axes: []string{"mode=a,b"}, sections: []says{constant}}.build()
		s := newScene()
		for _, a := range artifacts {
			a.Messages = []assembly.Message{{Role: language.RoleSystem, Blocks: []assembly.Block{{To: 1}}}}
			s.talk(a, [2]string{"user", "a"}, [2]string{"assistant", "b"})
			a.Variant.Dialect = &ground.Dialects[3]
			a.Messages = a.Messages[:2]
			a.Messages[1].Blocks[0].To = 3
		}
		change(artifacts[1])
		dead := false
		for _, line := range findings(plan, artifacts) {
			dead = dead || line == `PC6003 axis "mode" changes nothing in any variant of "p"`
		}
		if dead != (name == "nothing") {
			t.Errorf("%s: dead is %v", name, dead)
		}
	}
}
