package slugs_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language/axispattern"
	"github.com/promptc-build/promptc/pipeline/language/slugs"
)

func TestEntriesHaveIDsOfTheirWords(t *testing.T) {
	for _, c := range []struct {
		texts, want []string
	}{
		{[]string{"gpt-4.1", "Gemini_2"}, []string{"gpt-4.1", "Gemini_2"}},
		{[]string{"should be brief", "it's > `quoted` \"${x}\"\nagain"}, []string{"should-be-brief", "it-s-quoted-x-again"}},
		{[]string{"be brief", "be brief!"}, []string{"be-brief-b0d336", "be-brief-7e24bc"}},
		{[]string{"be brief", "be-brief"}, []string{"be-brief-b0d336", "be-brief"}},
		{[]string{"Be Brief", "be-brief"}, []string{"be-brief-06b9bc", "be-brief"}},
		{[]string{"用中文", "!", "?!"}, []string{"u7528-u4e2d-u6587", "entry-bb7208", "entry-545f94"}},
		{[]string{"a b" + strings.Repeat("c", 45)}, []string{"a-b" + strings.Repeat("c", 45)}},
		{[]string{"a b" + strings.Repeat("c", 46)}, []string{"a-b" + strings.Repeat("c", 38) + "-eefbc3"}},
		{[]string{"a long suite of many words > of another suite > should work"}, []string{"a-long-suite-of-another-suite-should-work-390ced"}},
		{[]string{"should take the words that it has room for and no half"}, []string{"should-take-the-has-room-for-and-no-half-1fce69"}},
	} {
		ids := slugs.EntryIDs(c.texts)
		var got []string
		for _, text := range c.texts {
			got = append(got, ids[text])
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.texts, d)
		}
	}
}

// TestIDsOfEntriesHangOnNoPosition holds for texts that often have the same
// words: they are told apart, in any order, and a text that comes later changes
// the id of another only where both have its words.
func TestIDsOfEntriesHangOnNoPosition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", "b", "A", " ", "!", " > ", "-", "日", "é", "e", strings.Repeat("long ", 8), "4"}
	for range 2000 {
		set := map[string]bool{}
		for range 1 + r.IntN(12) {
			var b strings.Builder
			for range 1 + r.IntN(5) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			if !axispattern.IsAxisValue(b.String()) { // what is written in two cases is said elsewhere
				set[b.String()] = true
			}
		}
		texts := slices.Collect(maps.Keys(set))
		ids := slugs.EntryIDs(texts)
		of := map[string]string{}
		for _, text := range texts {
			id := ids[text]
			if other, ok := of[id]; ok || !axispattern.IsAxisValue(id) {
				t.Fatalf("%q and %q have the id %q", text, other, id)
			}
			of[id] = text
		}
		slices.Reverse(texts)
		if d := cmp.Diff(ids, slugs.EntryIDs(texts)); d != "" {
			t.Fatalf("in another order (-want +got):\n%s", d)
		}
		if len(texts) < 2 {
			continue
		}
		last := texts[0]
		before := slugs.EntryIDs(texts[1:])
		short, _ := slugs.EntryID(last)
		for _, text := range texts[1:] {
			if own, _ := slugs.EntryID(text); own != short && before[text] != ids[text] {
				t.Fatalf("%q was %q, and with %q is %q", text, before[text], last, ids[text])
			}
		}
	}
}

func TestTenThousandEntriesHaveTheirOwnIDs(t *testing.T) {
	var texts []string
	for i := range 10_000 {
		texts = append(texts, fmt.Sprintf("should work%s > with %s", strings.Repeat("!", i%100), strings.Repeat("?", i/100)))
	}
	seen := map[string]bool{}
	for _, id := range slugs.EntryIDs(texts) {
		seen[id] = true
	}
	if len(seen) != len(texts) {
		t.Errorf("%d ids of %d texts", len(seen), len(texts))
	}
}
