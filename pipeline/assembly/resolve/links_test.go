package resolve_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// linked binds one fixture, tiered, over a workspace in which src/c.ts is also
// dirlink/c.ts, and a.go is also a2.go.
func linked(t *testing.T, fixture string) (dialogue string, found []string) {
	t.Helper()
	return linkedIn(t, "ws", "tiered", fixture)
}

// linkedIn is linked by one of the workspace's names, ws and near, in one
// assembly.
func linkedIn(t *testing.T, workspace, assembly, fixture string) (dialogue string, found []string) {
	t.Helper()
	p, diags := planOf(t, fstest.MapFS{
		"prompts.yaml": {Data: []byte(`version: 1
sources: {chat: {kind: conversation, path: chat.yaml}}
prompts:
  coder:
    dialect: anthropic
    layout: {name: messages, conversation: chat, assembly: ` + assembly + `}
    sections: [{id: sys, text: System.}]
`)},
		"chat.yaml":   {Data: []byte("workspace: " + workspace + "\n" + fixture + "\nprompt: Go on.\n")},
		"ws/src/c.ts": {Data: []byte("C")},
		"ws/a.go":     {Data: []byte("A")},
		"ws/dirlink":  {Data: []byte("src"), Mode: fs.ModeSymlink},
		"ws/a2.go":    {Data: []byte("a.go"), Mode: fs.ModeSymlink},
		"near":        {Data: []byte("ws"), Mode: fs.ModeSymlink},
	})
	for _, u := range p.Units {
		if u.Dialogue != nil {
			dialogue = shape(u.Dialogue)
		}
	}
	return dialogue, told(diags)
}

func TestAFileOfTwoNamesIsOneFile(t *testing.T) {
	const link = "; the first is at chat.yaml:2; keep one, since everything is shown once"
	const tree = "tree: a.go a2.go dirlink/c.ts src/c.ts\n"
	for fixture, want := range map[string]struct{ shape, found string }{
		`selected: [src/c.ts, dirlink/c.ts]`: {
			"rest: file:src/c.ts=C\n" + tree,
			`chat.yaml:2:22: error[PC2008]: the selected "dirlink/c.ts" is the same file as "src/c.ts"` + link,
		},
		`tiers: {L1: ["file:a.go"], L2: ["file:a2.go"]}`: {
			"L1: file:a.go=A\nrest:\n" + tree,
			`chat.yaml:2:33: error[PC3040]: tier L2 has "file:a2.go", which stands in L1, too, as "file:a.go"` + link,
		},
		`tiers: {L1: ["file:a2.go", "file:a.go"]}`: {
			"L1: file:a2.go=A\nrest:\n" + tree,
			`chat.yaml:2:28: error[PC2008]: tier L1 has "file:a.go", which stands in L1, too, as "file:a2.go"` + link,
		},
	} {
		got, found := linked(t, fixture)
		if d := cmp.Diff(want.shape, got); d != "" {
			t.Errorf("%s: %s", fixture, d)
		}
		if d := cmp.Diff([]string{want.found}, found); d != "" {
			t.Errorf("%s: %s", fixture, d)
		}
	}
}

func TestAFileOfTwoNamesIsShownOnce(t *testing.T) {
	got, found := linked(t, `selected: [a2.go, dirlink/c.ts]
tiers: {L0: ["file:a.go", "symbol:src/c.ts"]}
symbols: {a2.go: SA, src/c.ts: SC}`)
	want := []string{
		`chat.yaml:2:12: note[PC3041]: the selected file "a2.go" is shown in tier L0, not among the working files; the tier asks for it at chat.yaml:3; keep one of the two`,
		`chat.yaml:3:27: note[PC3041]: the symbols of "src/c.ts" are left out: the file is there in full; the file is asked for at chat.yaml:2; keep one of the two`,
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff("L0: file:a.go=A\nrest: file:dirlink/c.ts=C\ntree: a.go a2.go dirlink/c.ts src/c.ts\n", got); d != "" {
		t.Error(d)
	}
}

// TestSymbolsUnderALinkGoWithItsFile: nothing but the list of the workspace
// knows where a name leads that only `symbols` has.
func TestSymbolsUnderALinkGoWithItsFile(t *testing.T) {
	const tree = "tree: a.go a2.go dirlink/c.ts src/c.ts\n"
	for _, workspace := range []string{"ws", "near"} {
		for _, test := range []struct{ fixture, tiered, flat string }{
			{"tiers: {L1: [\"file:a.go\"]}\nsymbols: {a2.go: SA}", "L1: file:a.go=A\nrest:\n", "rest: file:a.go=A\n"},
			{"tiers: {L1: [\"file:a2.go\"]}\nsymbols: {a.go: SA}", "L1: file:a2.go=A\nrest:\n", "rest: file:a2.go=A\n"},
			{"selected: [src/c.ts]\nsymbols: {dirlink/c.ts: SC, a2.go: SA}", "rest: symbol:a2.go=SA file:src/c.ts=C\n", "rest: symbol:a2.go=SA file:src/c.ts=C\n"},
		} {
			for assembly, want := range map[string]string{"tiered": test.tiered, "flat": test.flat} {
				got, found := linkedIn(t, workspace, assembly, test.fixture)
				if d := cmp.Diff(want+tree, got); d != "" || len(found) > 0 {
					t.Errorf("%s, %s, %s: %s%v", workspace, assembly, test.fixture, d, found)
				}
			}
		}
	}
}
