package diff_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/tests/testproject"
)

// homes is a project whose sections read the same files, in another number in
// each variant.
func homes() fstest.MapFS {
	return testproject.From(map[string]string{
		manifest: `version: 1
sources:
  user: {kind: text, path: USER.md, absent: omit}
  cards: {kind: registry, path: "cards/*.md"}
prompts:
  one:
    axes: {size: [small, large]}
    sections:
      - {id: a, text: "A."}
      - {id: b, text: "B.", when: {size: large}}
      - {id: user, source: user}
      - {id: c, text: "C."}
      - {id: d, text: "D is the fourth."}
      - {id: cards, source: cards, select: [{when: {size: small}, value: {tags: [x]}}, {value: {tags: [y]}}]}
  two:
    sections:
      - {id: mine, source: user}
      - {id: soul, path: soul.md}
      - {id: last, text: "Bye."}
`,
		"soul.md":    "One.\n\nTwo.\n\nThree.\n",
		"USER.md":    "She likes tea.\n",
		"cards/1.md": "---\nid: one\ntags: [x, y]\n---\nFirst.\n",
		"cards/2.md": "---\nid: two\ntags: [y]\n---\nSecond.\n",
	})
}

// TestPlacesOfEdits holds where edits are said to be, and that one cause is one
// edit.
func TestPlacesOfEdits(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []step
		want  []string
	}{
		{
			"a file that goes is one edit for all that read it",
			[]step{{"USER.md", "", ""}},
			[]string{
				`section-dropped user "" → "absent USER.md" USER.md:1 (base) | one: all -4 | two: all -4`,
				"follows from 1: text-changed user USER.md:1 (base) | one: all -4 | two: all -4",
				"  -She likes tea.", "  -",
			},
		},
		{
			"a move has no numbers where variants differ in them",
			[]step{{manifest, "      - {id: d, text: \"D is the fourth.\"}\n", ""}, {manifest, "      - {id: user,", "      - {id: d, text: \"D is the fourth.\"}\n      - {id: user,"}},
			[]string{
				"moved d prompts.yaml:11 | one: all",
				"   D is the fourth.", "   ",
			},
		},
		{
			"lines that went have a place in the head, beside those that came",
			[]step{{"soul.md", "One.\n\n", ""}, {"soul.md", "Three.", "Third."}},
			[]string{
				"text-changed soul soul.md:1 | two: all -2",
				"  -One.", "  -",
				"text-changed soul soul.md:3 | two: all +0",
				"  -Three.", "  +Third.",
			},
		},
		{
			"what a variant has already is not missed",
			[]step{{"cards/2.md", "tags: [y]", "tags: [x, y]"}},
			[]string{
				"follows from 2: text-changed cards two cards/2.md:5 | one: size=small +2",
				"  +", "  +Second.",
				"item-added cards two cards/2.md:5 | one: size=small +2",
			},
		},
		{
			"an item that went is said once where a new variant never had it",
			[]step{{manifest, "size: [small, large]", "size: [small, large, mid]"}, {"cards/2.md", "", ""}},
			[]string{
				`value-added size "" → "mid" prompts.yaml:7 | one: size=mid +15`,
				"follows from 3: text-changed cards two cards/2.md:5 (base) | one: size=large -2",
				"  -", "  -Second.",
				"item-removed cards two cards/2.md:5 (base) | one: size=large -2",
			},
		},
		{
			"an item that came is said once where a new variant has it, too",
			[]step{{manifest, "size: [small, large]", "size: [mid, small, large]"}, {"cards/3.md", "", "---\nid: three\ntags: [y]\n---\nThird.\n"}},
			[]string{
				`value-added size "" → "mid" prompts.yaml:7 | one: size=mid +19`,
				"follows from 1: text-changed b prompts.yaml:10 (base) | one: size=mid -2",
				"  -B.", "  -",
				"follows from 4: text-changed cards cards/3.md:5 | one: size=mid+large +2",
				"  +", "  +Third.",
				"item-added cards three cards/3.md:5 | one: size=mid+large +2, not size=small: only",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, toldOfTexts(differ(t, homes(), stepped(t, homes(), tt.steps)))); d != "" {
				t.Error(strings.TrimSpace(d))
			}
		})
	}
}

// TestWordsAroundItemsStandWithTheFirst holds that what a kind writes around each
// of several new items is no change of its own.
func TestWordsAroundItemsStandWithTheFirst(t *testing.T) {
	skill := func(name string) string {
		return "---\nname: " + name + "\ndescription: The " + name + ".\n---\nHow.\n"
	}
	base := testproject.From(map[string]string{
		"prompts.yaml":          "version: 1\nsources: {skills: {kind: skills, path: \"skills/*/SKILL.md\"}}\nprompts: {agent: {sections: [{id: skills, source: skills}]}}\n",
		"skills/first/SKILL.md": skill("first"),
	})
	head := stepped(t, base, []step{{"skills/second/SKILL.md", "", skill("second")}, {"skills/third/SKILL.md", "", skill("third")}})
	for _, sides := range [][2]fstest.MapFS{{base, head}, {head, base}} {
		for _, e := range differ(t, sides[0], sides[1]).Edits {
			if e.Kind == review.TextChanged && e.Follows == nil {
				t.Errorf("a change of its own: %+v", e.Hunks)
			}
		}
	}
}

// TestMovedFoldersAreOneRow holds that sources that stand elsewhere now, with
// the text that they had, are not said file by file.
func TestMovedFoldersAreOneRow(t *testing.T) {
	base := alike()
	head := testproject.From(nil)
	for name, file := range base {
		text := string(file.Data)
		if name == manifest {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "templates/", "texts/modes/"), "mine.md", "own.md")
		}
		name = strings.Replace(strings.Replace(name, "templates/", "texts/modes/", 1), "mine.md", "own.md", 1)
		head[name] = &fstest.MapFile{Data: []byte(text)}
	}
	d := differ(t, base, head)
	var got []review.Idle
	for _, i := range d.Idle {
		got = append(got, review.Idle{Path: i.Path, Was: i.Was, Files: i.Files, Added: i.Added, Removed: i.Removed})
	}
	want := []review.Idle{{Path: "own.md", Was: "mine.md", Files: 1}, {Path: manifest}, {Path: "texts/modes", Was: "templates", Files: 3}}
	if diff := cmp.Diff(want, got); diff != "" || len(d.Edits) > 0 {
		t.Errorf("%d edits\n%s", len(d.Edits), diff)
	}
}

// TestPlacesInConversations holds where pieces of conversations are said to
// have changed.
func TestPlacesInConversations(t *testing.T) {
	base := with(t, talking(), "chats/long.yaml", "", `workspace: ws
tiers: {L1: [file:a.go], L2: [file:b.go]}
history:
  - role: user
    content: |
      Hello.
  - {role: assistant, content: Hi.}
prompt: And now?
`)
	for _, tt := range []struct {
		name  string
		steps []step
		want  []string
	}{
		{
			"a file in another tier",
			[]step{{"chats/long.yaml", "L1: [file:a.go], L2: [file:b.go]", "L1: [], L2: [file:b.go, file:a.go]"}},
			[]string{
				"follows from 6: text-changed | p: state=long -4",
				"  -# Reference Files",
				"follows from 6: text-changed | p: state=long -3",
				"  -```⏎", "  -Ok.⏎",
				"follows from 6: text-changed | p: state=long -7",
				"  -", "  -These files are included for reference:",
				"follows from 6: moved | p: state=long",
				"   # Reference Files (L2)",
				"follows from 6: text-changed files/a.go | p: state=long +2",
				"  +```",
				`moved files/a.go "L1" → "L2" chats/long.yaml:2 | p: state=long`,
			},
		},
		{
			"a line break at the end has the place of its line",
			[]step{{"chats/long.yaml", "content: |", "content: |-"}},
			[]string{
				"text-changed history/0-user chats/long.yaml:6 | p: state=long +0, not state=short: file chats/short.yaml",
				"  -Hello.", "  +Hello.⏎",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, toldOfTexts(differ(t, base, stepped(t, base, tt.steps)))); d != "" {
				t.Error(strings.TrimSpace(d))
			}
		})
	}
}
