package render_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// randomScene gives a fixture that is right, of up to a dozen files. What each
// thing says holds a word of its own, so that it can be counted.
func randomScene(r *rand.Rand) scene {
	fixture := &diag.File{Path: "conversation.json", Text: "{}"}
	c := &language.Conversation{Doc: &language.Doc{File: fixture}, Prompt: ground.Literal("<prompt>")}
	s := scene{said: c, files: map[string]*diag.File{}}
	for i := range r.IntN(12) {
		path := fmt.Sprintf("%c/%d.txt", 'a'+rune(r.IntN(4)), i)
		text := "<file " + path + ">" + strings.Repeat("`", r.IntN(7)) + strings.Repeat("\n", r.IntN(3)) + []string{"", "x", "```\n"}[r.IntN(3)]
		s.files[path] = &diag.File{Path: path, Text: text}
	}
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		s.place(r, path)
	}
	for i := range 2 * r.IntN(6) {
		role := []string{"user", "assistant"}[i%2]
		c.History = append(c.History, language.Said{Role: ground.Word{Str: role}, Content: ground.Literal(fmt.Sprintf("<history %d>", i))})
		// What is asked and what is answered stay in one tier.
		if n := r.IntN(6); i%2 == 0 && n < language.Tiers {
			c.Tiers[n] = append(c.Tiers[n], language.TierKey{Kind: language.KeyHistory, N: i}, language.TierKey{Kind: language.KeyHistory, N: i + 1})
		}
	}
	for i := range c.Tiers {
		r.Shuffle(len(c.Tiers[i]), func(a, b int) { c.Tiers[i][a], c.Tiers[i][b] = c.Tiers[i][b], c.Tiers[i][a] })
	}
	randomRest(r, c)
	return s
}

// place gives a file a random share in the conversation: selected or not, in
// a tier in full or by its symbols, or both.
func (s scene) place(r *rand.Rand, path string) {
	c := s.said
	if r.IntN(3) == 0 {
		c.Selected = append(c.Selected, ground.Word{Str: path})
	}
	if r.IntN(3) == 0 {
		n := r.IntN(language.Tiers)
		c.Tiers[n] = append(c.Tiers[n], language.TierKey{Kind: language.KeyFile, Path: path})
	}
	if r.IntN(2) == 0 {
		return
	}
	c.Symbols = append(c.Symbols, language.SymbolBlock{Path: ground.Word{Str: path}, Text: ground.Literal("<symbols " + path + ">")})
	if r.IntN(2) == 0 {
		n := r.IntN(language.Tiers)
		c.Tiers[n] = append(c.Tiers[n], language.TierKey{Kind: language.KeySymbol, Path: path})
	}
}

func randomRest(r *rand.Rand, c *language.Conversation) {
	some := func(s string) ground.Text {
		if r.IntN(2) == 0 {
			return ground.Text{}
		}
		return ground.Literal(s)
	}
	c.Legend = some("<legend>")
	for i := range r.IntN(3) {
		c.URLs = append(c.URLs, language.Page{
			Title: some("title"), URL: ground.Literal(fmt.Sprintf("<urls %d>", i+1)), Content: some("content"), Symbols: some("symbols"),
		})
	}
	if r.IntN(2) == 0 {
		return
	}
	c.Review = &language.Review{
		Summary: some("<review summary>"), Commits: some("<review commits>"), Stats: some("<review stats>"), Symbols: some("<review symbols>"),
	}
	for i := range r.IntN(3) {
		c.Review.Diffs = append(c.Review.Diffs, language.Diff{Text: ground.Literal(fmt.Sprintf("<review diff-%d>", i+1))})
	}
}

// declared gives what a conversation has to show, whatever the assembly: the
// word of each thing with whether it is shown. A symbol block gives way to its
// file.
func (s scene) declared() map[string]bool {
	c := s.said
	out := map[string]bool{"<prompt>": true}
	for path := range s.files {
		out["<file "+path+">"] = false
	}
	for _, w := range c.Selected {
		out["<file "+w.Str+">"] = true
	}
	eachKey(c, func(_ int, k language.TierKey) {
		if k.Kind == language.KeyFile {
			out["<file "+k.Path+">"] = true
		}
	})
	for _, b := range c.Symbols {
		out[b.Text.Str] = !out["<file "+b.Path.Str+">"]
	}
	texts := []ground.Text{c.Legend}
	for _, m := range c.History {
		texts = append(texts, m.Content)
	}
	for _, p := range c.URLs {
		texts = append(texts, p.URL)
	}
	if c.Review != nil {
		texts = append(texts, c.Review.Summary, c.Review.Commits, c.Review.Stats, c.Review.Symbols)
		for _, d := range c.Review.Diffs {
			texts = append(texts, d.Text)
		}
	}
	for _, t := range texts {
		if t.Str != "" {
			out[t.Str] = true
		}
	}
	return out
}

// TestRandomConversations holds what is true of every conversation.
func TestRandomConversations(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 1500 {
		s := randomScene(r)
		tiered, flat := s.turns(t, false), s.turns(t, true)
		for _, turns := range [][]assembly.Turn{tiered, flat} {
			checkOnce(t, s, turns)
			checkTurns(t, turns)
		}
		if diff := cmp.Diff(contentSet(tiered), contentSet(flat)); diff != "" {
			t.Errorf("contents (-tiered +flat):\n%s", diff)
		}
		checkMarks(t, s.bound(false), tiered)
		if n := slices.IndexFunc(flat, func(turn assembly.Turn) bool { return turn.Marked || turn.Tier != "" }); n >= 0 {
			t.Errorf("message %d of a flat array is of the tier %q", n, flat[n].Tier)
		}
		if t.Failed() {
			t.Fatalf("conversation %d:\n%s", i, describeTurns(tiered))
		}
	}
}

// checkOnce: everything that is to be shown is there once, and nothing else;
// files are whole, in fences that they do not close.
func checkOnce(t *testing.T, s scene, turns []assembly.Turn) {
	t.Helper()
	var b strings.Builder
	for _, turn := range turns {
		b.WriteString(turnText(turn))
	}
	for word, shown := range s.declared() {
		want := 0
		if shown {
			want = 1
		}
		if n := strings.Count(b.String(), word); n != want {
			t.Errorf("%q is there %d times, not %d", word, n, want)
		}
	}
	for _, p := range contents(turns) {
		if p.Content.Kind != assembly.ContentFile {
			continue
		}
		content := s.files[p.Content.Key].Text
		mark := p.Text.Str[strings.LastIndexByte(p.Text.Str, '\n')+1:]
		if strings.Contains(content, mark) || strings.Trim(mark, "`") != "" {
			t.Errorf("the fence %q does not hold %q", mark, content)
		}
		if want := p.Content.Key + "\n" + mark + "\n" + strings.TrimSuffix(content, "\n") + "\n" + mark; p.Text.Str != want {
			t.Errorf("%q is shown as %q", content, p.Text.Str)
		}
	}
}

// checkTurns: one system message at most, first; roles alternate; every
// message says something, but for a mark that waits for the sections; every
// passage has text, a name of its own, and right places.
func checkTurns(t *testing.T, turns []assembly.Turn) {
	t.Helper()
	seen := map[string]bool{}
	last := language.RoleSystem
	for i, turn := range turns {
		if strings.TrimSpace(turnText(turn)) == "" && (i > 0 || turn.Role != language.RoleSystem || !turn.Marked) {
			t.Errorf("message %d says nothing", i)
		}
		want := language.RoleUser
		if last == language.RoleUser {
			want = language.RoleAssistant
		}
		if turn.Role != want && (i > 0 || turn.Role != language.RoleSystem) {
			t.Errorf("message %d is of the role %q after %q", i, turn.Role, last)
		}
		last = turn.Role
		for _, p := range turn.Passages {
			checkPlaces(t, p.Text)
			if p.Text.Str == "" {
				t.Errorf("message %d has an empty passage", i)
			}
			if p.Content == nil {
				continue
			}
			name := p.Content.Kind.String() + "/" + p.Content.Key
			if seen[name] || p.Content.Fixture != "conversation" {
				t.Errorf("%q appears twice, or has no fixture", name)
			}
			seen[name] = true
		}
	}
}

// checkMarks: there is a mark behind each tier that shows something and
// behind the system message, on the last message, and nowhere else.
func checkMarks(t *testing.T, d *assembly.Dialogue, turns []assembly.Turn) {
	t.Helper()
	got := map[string]int{}
	for i, turn := range turns {
		if !turn.Marked {
			continue
		}
		got[turn.Tier]++
		if i+1 < len(turns) && turns[i+1].Tier == turn.Tier {
			t.Errorf("message %d is marked, and %q goes on", i, turn.Tier)
		}
	}
	want := map[string]int{"L0": 1}
	for i, tier := range d.Tiers {
		if !tier.Empty() {
			want[fmt.Sprintf("L%d", i)] = 1
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) > ground.MaxBreakpoints {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}

func contentSet(turns []assembly.Turn) map[string]string {
	out := map[string]string{}
	for _, p := range contents(turns) {
		out[p.Content.Kind.String()+"/"+p.Content.Key] = p.Text.Str
	}
	return out
}
