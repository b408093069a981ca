package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// talk binds one fixture over a small workspace, tiered and flat, in the
// dialects that are named.
func talk(t *testing.T, fixture string, dialects ...string) ([]*assembly.Dialogue, diag.List) {
	t.Helper()
	if len(dialects) == 0 {
		dialects = []string{"anthropic"}
	}
	p, found := plan(t, `version: 1
sources: {chat: {kind: conversation, path: fx/chat.yaml}}
prompts:
  coder:
    axes: {assembly: [tiered, flat], dialect: [`+strings.Join(dialects, ", ")+`]}
    dialect: "{dialect}"
    layout: {name: messages, conversation: chat, assembly: "{assembly}"}
    sections: [{id: sys, text: System.}]
`, "fx/chat.yaml", fixture, "fx/ws/beside.go", "beside", "ws/a.go", "A", "ws/b.go", "B", "ws/c.go", "C", "ws/sub/d.go", "D", "ws/Z.go", "Z")
	var out []*assembly.Dialogue
	for _, u := range p.Units {
		if u.Dialogue != nil {
			out = append(out, u.Dialogue)
		}
	}
	return out, found
}

// shape writes what a dialogue shows where.
func shape(d *assembly.Dialogue) string {
	var out strings.Builder
	line := func(name string, symbols []*language.SymbolBlock, files []assembly.WorkFile, history []int) {
		fmt.Fprintf(&out, "%s:", name)
		for _, s := range symbols {
			fmt.Fprintf(&out, " symbol:%s=%s", s.Path.Str, s.Text.Str)
		}
		for _, f := range files {
			fmt.Fprintf(&out, " file:%s=%s", f.Path, f.Doc.File.Text)
		}
		for _, n := range history {
			fmt.Fprintf(&out, " history:%d", n)
		}
		out.WriteByte('\n')
	}
	for i, tier := range d.Tiers {
		if !tier.Empty() {
			line(fmt.Sprintf("L%d", i), tier.Symbols, tier.Files, tier.History)
		}
	}
	line("rest", d.Symbols, d.Working, d.Active)
	fmt.Fprintf(&out, "tree: %s\n", strings.Join(d.Tree, " "))
	return out.String()
}

func TestEverythingIsShownOnceWhereItBelongs(t *testing.T) {
	history := "history:\n"
	for i := range 12 {
		history += fmt.Sprintf("  - {role: %s, content: m%d}\n", []string{"user", "assistant"}[i%2], i)
	}
	got, found := talk(t, `workspace: ws
selected: [sub/d.go, Z.go]
symbols: {c.go: SC, b.go: SB, a.go: SA, sub/d.go: SD}
tiers:
  L0: ["history:11", "history:10", "file:b.go"]
  L1: ["symbol:c.go", "symbol:b.go"]
  L3: ["history:2", "history:3"]
prompt: Go on.
`+history)
	want := []string{
		"L0: file:b.go=B history:10 history:11\nL1: symbol:c.go=SC\nL3: history:2 history:3\n" +
			"rest: symbol:a.go=SA file:Z.go=Z file:sub/d.go=D history:0 history:1 history:4 history:5 history:6 history:7 history:8 history:9\n" +
			"tree: Z.go a.go b.go c.go sub/d.go\n",
		"rest: symbol:a.go=SA symbol:c.go=SC file:Z.go=Z file:b.go=B file:sub/d.go=D" +
			" history:0 history:1 history:2 history:3 history:4 history:5 history:6 history:7 history:8 history:9 history:10 history:11\n" +
			"tree: Z.go a.go b.go c.go sub/d.go\n",
	}
	for i, d := range got {
		if diff := cmp.Diff(want[i], shape(d)); diff != "" {
			t.Error(diff)
		}
	}
	early := `fx/chat.yaml:5:22: note[PC3045]: the model reads message 10 before message 0, which is in no tier; the model reads L0 to L3 in order, then the messages in no tier: put message 0 before it, or both into one tier`
	if diff := cmp.Diff([]string{early, `fx/chat.yaml:6:23: note[PC3041]: the symbols of "b.go" are left out: the file is there in full; the file is asked for at fx/chat.yaml:5; keep one of the two`}, told(found)); diff != "" {
		t.Error(diff)
	}
}

// TestKeysThatNameNothing has a fixture for each thing that may be missing.
func TestKeysThatNameNothing(t *testing.T) {
	for fixture, want := range map[string]string{
		`tiers: {L1: ["file:sub/e.go"]}`:                      `3:14: error[PC3039]: the workspace "ws" has no file "sub/e.go"; paths are below the workspace`,
		`tiers: {L1: ["file:ws/b.go"]}`:                       `3:14: error[PC3039]: the workspace "ws" has no file "ws/b.go"; did you mean "b.go"?`,
		`tiers: {L1: ["file:src/deep/D.go"]}`:                 `3:14: error[PC3039]: the workspace "ws" has no file "src/deep/D.go"; did you mean "sub/d.go"?`,
		`selected: [nowhere.txt]`:                             `3:12: error[PC3039]: the workspace "ws" has no file "nowhere.txt"; paths are below the workspace`,
		`selected: ["*.go"]`:                                  `3:12: error[PC3039]: the workspace "ws" has no file "*.go"; patterns are not taken: name the files one by one`,
		`selected: ["file:a.go"]`:                             `3:12: error[PC3039]: the workspace "ws" has no file "file:a.go"; did you mean "a.go"?`,
		`selected: [c.ts]`:                                    `3:12: error[PC3039]: the workspace "ws" has no file "c.ts"; did you mean "c.go"?`,
		`selected: [pkg/sub/d.go]`:                            `3:12: error[PC3039]: the workspace "ws" has no file "pkg/sub/d.go"; did you mean "sub/d.go"?`,
		`tiers: {L2: ["symbol:a.go"]}`:                        `3:14: error[PC3039]: the fixture has no symbols of "a.go"; add them under symbols:, or name the file in full as file:a.go`,
		`tiers: {L0: ["history:0"]}`:                          `3:14: error[PC3039]: the history has no message 0; the fixture has no history`,
		`symbols: {d.go: SD}`:                                 `3:11: warning[PC3042]: there are symbols of "d.go", which the workspace "ws" does not have; did you mean "sub/d.go"?`,
		"symbols: {d.go: SD}\ntiers: {L1: [\"symbol:d.go\"]}": `4:14: error[PC3039]: the workspace "ws" has no file "d.go"; did you mean "sub/d.go"?`,
		"symbols: {d.go: SD}\ntiers: {L1: [\"file:d.go\"]}":   `4:14: error[PC3039]: the workspace "ws" has no file "d.go"; did you mean "sub/d.go"?`,
		`tiers: {L1: ["file:a.go"], L2: ["file:a.go"]}`:       `3:33: error[PC3040]: tier L2 has "file:a.go", which stands in L1, too, as "file:a.go"; the first is at fx/chat.yaml:3; keep one, since everything is shown once`,
	} {
		_, found := talk(t, "workspace: ws\nprompt: Go on.\n"+fixture+"\n")
		if diff := cmp.Diff([]string{"fx/chat.yaml:" + want}, told(found)); diff != "" {
			t.Errorf("%s: %s", fixture, diff)
		}
	}
}

func TestHistoryIndicesAreChecked(t *testing.T) {
	_, found := talk(t, `prompt: Go on.
history: [{role: user, content: a}, {role: assistant, content: b}]
tiers: {L0: ["history:0", "history:1"], L3: ["history:1", "history:2"]}
`)
	want := []string{
		`fx/chat.yaml:3:46: error[PC3040]: tier L3 has "history:1", which stands in L0, too, as "history:1"; the first is at fx/chat.yaml:3; keep one, since everything is shown once`,
		`fx/chat.yaml:3:59: error[PC3039]: the history has no message 2; messages are counted from 0; the last is 1`,
	}
	if diff := cmp.Diff(want, told(found)); diff != "" {
		t.Error(diff)
	}
}

// TestAMissingWorkspaceIsOneFinding: what it would hold is not asked for.
func TestAMissingWorkspaceIsOneFinding(t *testing.T) {
	_, found := talk(t, "workspace: away\nprompt: Go on.\nselected: [b.go]\ntiers: {L1: [\"file:a.go\", \"file:c.go\"]}\nsymbols: {q.go: Q}\n")
	want := []string{`fx/chat.yaml:1:12: error[PC3038]: the workspace "away" is not there; the path is relative to the manifest, not to the fixture`}
	if diff := cmp.Diff(want, told(found)); diff != "" {
		t.Error(diff)
	}
}

// TestManyMissingFilesTakeLittleTime: a fixture of 20,000 paths against a
// workspace of 3,000 files, of which the nearest are looked for a few times.
func TestManyMissingFilesTakeLittleTime(t *testing.T) {
	files := []string{"fx/chat.yaml", ""}
	for i := range 3_000 {
		files = append(files, fmt.Sprintf("ws/some/folder/with/a/long/path/%d.go", i), "x")
	}
	var fixture strings.Builder
	fixture.WriteString("workspace: ws\nprompt: Go on.\nselected:\n")
	for i := range 20_000 {
		fmt.Fprintf(&fixture, "  - some/folder/another/path/%d.go\n", i)
	}
	files[1] = fixture.String()
	_, found := plan(t, `version: 1
sources: {chat: {kind: conversation, path: fx/chat.yaml}}
prompts: {coder: {dialect: gemini, layout: {name: messages, conversation: chat}, sections: [{id: sys, text: System.}]}}
`, files...)
	if len(found) != 20_000 {
		t.Errorf("%d findings", len(found))
	}
}

// TestSelectedFilesOfATier are shown there, which is said; flat there is but
// one place.
func TestSelectedFilesOfATier(t *testing.T) {
	got, found := talk(t, `workspace: ws
selected: [a.go, b.go]
tiers: {L2: ["file:b.go", "symbol:a.go"]}
symbols: {a.go: SA}
prompt: Go on.
`)
	want := []string{
		`fx/chat.yaml:2:18: note[PC3041]: the selected file "b.go" is shown in tier L2, not among the working files; the tier asks for it at fx/chat.yaml:3; keep one of the two`,
		`fx/chat.yaml:3:27: note[PC3041]: the symbols of "a.go" are left out: the file is there in full; the file is asked for at fx/chat.yaml:2; keep one of the two`,
	}
	if diff := cmp.Diff(want, told(found)); diff != "" {
		t.Error(diff)
	}
	const tree = "tree: Z.go a.go b.go c.go sub/d.go\n"
	if diff := cmp.Diff([]assembly.LeftOut{{Kind: assembly.ContentFile, Path: "b.go", Tier: 2}, {Kind: assembly.ContentSymbols, Path: "a.go"}}, got[0].LeftOut); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]assembly.LeftOut{{Kind: assembly.ContentSymbols, Path: "a.go"}}, got[1].LeftOut); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"L2: file:b.go=B\nrest: file:a.go=A\n" + tree, "rest: file:a.go=A file:b.go=B\n" + tree}, []string{shape(got[0]), shape(got[1])}); diff != "" {
		t.Error(diff)
	}
}
