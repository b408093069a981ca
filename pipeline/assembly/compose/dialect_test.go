package compose_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/compose"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

func TestWithDialectComposesTheVariantAgain(t *testing.T) {
	p, renderings := plan(limit(4), section{id: "a", texts: []string{text(9)}, breakpoint: true}, section{id: "b", texts: []string{text(6), text(3)}})
	artifacts, _ := compose.Run(p, renderings, counters(t))
	if got := artifacts[0].Text(); got != text(9)+"\n\n"+text(3)+"\n" {
		t.Fatalf("the text is %q", got)
	}
	a, found := compose.WithDialect(renderings, counters(t), artifacts[0], lookup(t, "anthropic"))
	// Blocks of 9 and 5 characters are counted each by itself: 3 and 2 tokens.
	if diff := cmp.Diff([]string{`system  system "xxxxxxxxx"* "\n\nxxx"`}, array(a)); diff != "" || a.Tokens != 5 {
		t.Errorf("%d tokens: %s", a.Tokens, diff)
	}
	if len(found) != 1 || found[0].Code != diag.OverTokens {
		t.Errorf("findings: %v", found)
	}
	if artifacts[0].Variant.Dialect.JSON || a.Variant.Dialect.Name != "anthropic" {
		t.Error("the dialect of the artifact that was given has changed, or that of the result has not")
	}
	back, found := compose.WithDialect(renderings, counters(t), a, lookup(t, "text"))
	if back.Text() != artifacts[0].Text() || len(found) > 0 {
		t.Errorf("back as text: %q, %v", back.Text(), found)
	}
}

func TestAConversationIsNoText(t *testing.T) {
	p, renderings := plan(limit(-1), section{id: "a", texts: []string{"A"}})
	renderings = talk(t, p, renderings, "gemini", -1, turn(language.RoleUser, "", "prompt", "prompt:"))
	artifacts, _ := compose.Run(p, renderings, counters(t))
	a, found := compose.WithDialect(renderings, counters(t), artifacts[0], lookup(t, "text"))
	if a != nil || len(found) != 1 || found[0].Level != diag.Error {
		t.Fatalf("artifact %v, findings %v", a, found)
	}
	if want := "use one of: openai-chat, openai-responses, anthropic, gemini"; wording.Hint(found[0]) != want {
		t.Errorf("hint: %s", wording.Hint(found[0]))
	}
}

// chat is a random conversation, as it is rendered with tiers and flat.
type chat struct {
	tiered, flat []assembly.Turn
	contents     []string // each is said once
	marks        int
}

func randomChat(random *rand.Rand) chat {
	c := chat{}
	next := 0
	some := func(kind string, most int) []string {
		var out []string
		for range random.IntN(most + 1) {
			content := fmt.Sprintf("%s:%d|%s", kind, next, text(random.IntN(50)))
			next++
			out = append(out, content)
		}
		c.contents = append(c.contents, out...)
		return out
	}
	under := func(heading string, contents []string) []string {
		var out []string
		for _, s := range contents {
			out = append(out, heading, s)
			heading = "\n\n"
		}
		return out
	}
	legend, files := some("legend", 1), []string{}
	c.tiered = append(c.tiered, marked(turn(language.RoleSystem, "L0", "system", under("# Map\n\n", legend)...)))
	c.marks++
	for n := 1; n < language.Tiers; n++ {
		list := some("files", 2)
		files = append(files, list...)
		if len(list) > 0 {
			tier := fmt.Sprintf("L%d", n)
			c.tiered = append(c.tiered, turn(language.RoleUser, tier, "tier", under("# Files\n\n", list)...), marked(turn(language.RoleAssistant, tier, "tier", "Ok.")))
			c.marks++
		}
	}
	if len(legend) > 0 {
		c.flat = append(c.flat, turn(language.RoleSystem, "", "system", under("# Map\n\n", legend)...))
	}
	if len(files) > 0 {
		c.flat = append(c.flat, turn(language.RoleUser, "", "files", under("# Files\n\n", files)...), turn(language.RoleAssistant, "", "files", "Ok."))
	}
	for _, s := range some("history", 4) {
		said := turn(language.RoleUser, "", "history", s)
		c.tiered, c.flat = append(c.tiered, said), append(c.flat, said)
	}
	asks := turn(language.RoleUser, "", "prompt", "prompt:|"+text(1+random.IntN(9)))
	asks.Images = make([]language.Image, random.IntN(3))
	c.contents = append(c.contents, asks.Passages[0].Text.Str)
	c.tiered, c.flat = append(c.tiered, asks), append(c.flat, asks)
	return c
}

// randomSections gives sections with ladders and breakpoints, some of them
// out, and the index of a reminder, -1 for none.
func randomSections(random *rand.Rand) ([]section, int) {
	var out []section
	for i := range random.IntN(5) {
		s := section{id: fmt.Sprintf("s%d", i), breakpoint: random.IntN(3) == 0, volatile: random.IntN(6) == 0}
		size := 1 + random.IntN(80)
		for range 1 + random.IntN(3) {
			s.texts = append(s.texts, text(size))
			size = 1 + size/3
		}
		switch random.IntN(6) {
		case 0:
			s.texts, s.out = nil, assembly.OutWhen
		case 1:
			s.texts = []string{""}
		}
		out = append(out, s)
	}
	return out, random.IntN(len(out)+1) - 1
}

// said gives the contents of an artifact, in order.
func said(a *assembly.Artifact) []string {
	var out []string
	for _, p := range a.Parts {
		if p.Passage != nil && p.Passage.Content != nil {
			out = append(out, p.Text)
		}
	}
	return out
}

func TestMessagesHoldWhatTheyPromise(t *testing.T) {
	dialects := slices.DeleteFunc(ground.DialectNames(), func(name string) bool { return name == ground.TextDialect })
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 17))
		sections, reminder := randomSections(random)
		c := randomChat(random)
		budget := random.IntN(200)
		dialect := dialects[random.IntN(len(dialects))]
		both := map[string]*assembly.Artifact{}
		for name, turns := range map[string][]assembly.Turn{"tiered": c.tiered, "flat": c.flat} {
			p, renderings := plan(limit(budget), sections...)
			renderings = talk(t, p, renderings, dialect, reminder, turns...)
			artifacts, _ := compose.Run(p, renderings, counters(t))
			a, where := artifacts[0], fmt.Sprintf("seed %d, %s", seed, name)
			both[name] = a
			mustHang(t, where, a)
			mustConvert(t, where, renderings, a)
			if diff := cmp.Diff(slices.Sorted(slices.Values(c.contents)), slices.Sorted(slices.Values(said(a)))); diff != "" {
				t.Errorf("%s: %s", where, diff)
			}
		}
		if marks := len(both["tiered"].Cache.Points); marks > ground.MaxBreakpoints || c.marks-marks > 1 || len(both["flat"].Cache.Points) > 0 {
			t.Errorf("seed %d: %d breakpoints of %d", seed, marks, c.marks)
		}
	}
}

// mustConvert holds that every dialect gives the same roles, texts and images.
func mustConvert(t *testing.T, name string, renderings []*assembly.Rendering, a *assembly.Artifact) {
	t.Helper()
	for _, d := range ground.Dialects {
		if !d.JSON {
			continue
		}
		other, _ := compose.WithDialect(renderings, counters(t), a, &d)
		mustHang(t, name+" as "+d.Name, other)
		if diff := cmp.Diff(array(a), array(other)); diff != "" {
			t.Errorf("%s as %s: %s", name, d.Name, diff)
		}
	}
}

// TestSequencesAreOneTextInEveryDialect holds, without a budget, that a text is
// what the blocks of each request say, and a line break.
func TestSequencesAreOneTextInEveryDialect(t *testing.T) {
	seen := map[int]int{} // by number of breakpoints
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 19))
		sections, _ := randomSections(random)
		p, renderings := plan(limit(-1), sections...)
		artifacts, _ := compose.Run(p, renderings, counters(t))
		whole := artifacts[0]
		mustHang(t, fmt.Sprintf("seed %d", seed), whole)
		seen[len(whole.Cache.Points)]++
		for _, d := range ground.Dialects {
			a, _ := compose.WithDialect(renderings, counters(t), whole, &d)
			mustHang(t, fmt.Sprintf("seed %d as %s", seed, d.Name), a)
			if strings.TrimSuffix(whole.Text(), "\n") != strings.TrimSuffix(a.Text(), "\n") || len(a.Cache.Points) != len(whole.Cache.Points) {
				t.Errorf("seed %d as %s: %q is not %q", seed, d.Name, a.Text(), whole.Text())
			}
		}
	}
	if got := slices.Sorted(maps.Keys(seen)); len(got) < 3 {
		t.Errorf("breakpoints that were tried: %v", got)
	}
}
