package pipeline_test

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/tests/testproject"
)

const hostileManifest = `version: 1
artifacts: dist
slots: {clock: {example: noon, max_tokens: 9, volatile: true}}
sources: {chat: {kind: conversation, path: "chat.*"}}
prompts:
  talk:
    axes: {assembly: [tiered, flat]}
    dialect: anthropic
    cache_minimum: 0
    layout: {name: messages, conversation: chat, assembly: "{assembly}"}
    sections: [{id: s, text: System.}]
`

// hostile is a fixture that nobody means well with.
type hostile struct {
	name string
	// fixture is the file's bytes: JSON where it begins so.
	fixture string
	files   map[string]string // of the workspace "ws"
	// code is the error that it gets; "" for none. It is placed in the fixture.
	code diag.Code
	// at is the file in which the error is placed where that is another.
	at string
}

// repeat makes a list of n entries.
func repeat(n int, entry func(i int) string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = entry(i)
	}
	return strings.Join(out, ",\n ")
}

const rest = `, "prompt": "p"}`

// hostileTexts are about size, depth and syntax.
func hostileTexts() []hostile {
	big := strings.Repeat("word ```` word\\n", 30_000)
	return []hostile{
		{"flow lists nested too deep", "prompt: p\nlegend: " + strings.Repeat("[", 200_000), nil, diag.TooComplex, ""},
		{"lists nested too deep in JSON", `{"legend": ` + strings.Repeat("[", 200_000) + rest, nil, diag.TooComplex, ""},
		{"block mappings nested too deep", "prompt: p\n" + deep(1_000), nil, diag.TooComplex, ""},
		{"aliases that multiply", aliases(), nil, "", ""},
		{"a megabyte of content", `{"history": [{"role": "user", "content": "` + big + `"}, {"role": "assistant", "content": "` + big + `"}]` + rest, nil, "", ""},
		{"a long run of backticks", `{"workspace": "ws", "selected": ["a"]` + rest, map[string]string{"a": strings.Repeat("`", 1<<18)}, "", ""},
		{"a megabyte of short lines", `{"workspace": "ws", "selected": ["a"]` + rest, map[string]string{"a": strings.Repeat("`\r\n", 1<<18)}, "", ""},
		{"a diff of backticks", `{"review": {"diffs": ["` + strings.Repeat("` ```", 100_000) + `"]}` + rest, nil, "", ""},
		{"blank lines without end", `{"legend": "` + strings.Repeat("\\n ", 300_000) + `x"` + rest, nil, "", ""},
		{"ten thousand messages", `{"history": [` + repeat(10_000, turn) + "]" + rest, nil, "", ""},
		{"ten thousand messages of one role", `{"history": [` + repeat(10_000, func(i int) string { return turn(2 * i) }) + "]" + rest, nil, diag.BrokenAlternation, ""},
		{"five thousand symbols", `{"symbols": {` + repeat(5_000, func(i int) string { return fmt.Sprintf(`"d/%d.go": "f%d"`, i, i) }) + "}" + rest, nil, "", ""},
		{"five thousand stray symbols", `{"workspace": "ws", "symbols": {` + repeat(5_000, func(i int) string { return fmt.Sprintf(`"d/%d.go": "f%d"`, i, i) }) + "}" + rest, map[string]string{"d/1.go": "x"}, "", ""},
		{"five thousand files that are not there", `{"workspace": "ws", "selected": [` + repeat(5_000, func(i int) string { return fmt.Sprintf(`"src/Fil%d.go"`, i) }) + "]" + rest, many(5_000), diag.NotThere, ""},
		{"five thousand symbols that are not there", `{"tiers": {"L1": [` + repeat(5_000, func(i int) string { return fmt.Sprintf(`"symbol:src/file%d.go"`, i) }) + "]}" + rest, nil, diag.NotThere, ""},
		{"five thousand files", `{"workspace": "ws", "tiers": {"L2": [` + repeat(5_000, func(i int) string { return fmt.Sprintf(`"file:src/File%d.go"`, i) }) + "]}" + rest, many(5_000), "", ""},
		{"a key five thousand times", `{"tiers": {"L1": [` + repeat(5_000, func(int) string { return `"history:0"` }) + "]}" + rest, nil, diag.DuplicateName, ""},
		{"a huge image", `{"images": ["data:image/png;base64,` + base64.StdEncoding.EncodeToString(make([]byte, 700_000)) + `"]` + rest, nil, "", ""},
		{"a huge image that is none", `{"images": ["data:image/png;base64,` + strings.Repeat("=A", 500_000) + `"]` + rest, nil, diag.BadDataURL, ""},
		{"a file that is too large", `{"legend": "` + big + big + big + `"` + rest, nil, diag.FileTooLarge, "prompts.yaml"},
		{"five hundred pages", `{"urls": [` + repeat(500, func(i int) string { return fmt.Sprintf(`{"url": "u%d", "content": "---\n"}`, i) }) + "]" + rest, nil, "", ""},
	}
}

// hostilePaths are about names.
func hostilePaths() []hostile {
	selected := func(path string) string { return `{"workspace": "ws", "selected": [` + path + `]` + rest }
	some := map[string]string{"a": "x", "lib/x": "y", "bin": "\x00\x01", "latin": "\xe9", "clock": "{{clock}}", "cut": "<<<<<<< a\n=======\n>>>>>>> b\n"}
	return []hostile{
		{"a path that leaves the workspace", selected(`"../prompts.yaml"`), some, diag.BadPath, ""},
		{"a key that leaves the workspace", `{"workspace": "ws", "tiers": {"L0": ["file:a/../../x"]}` + rest, some, diag.BadPath, ""},
		{"an absolute path", selected(`"/etc/passwd"`), some, diag.BadPath, ""},
		{"a line break in a path", selected(`"a\nb"`), some, diag.UnplainPath, ""},
		{"a NUL in a path", selected(`"a\u0000"`), some, diag.BadPath, ""},
		{"a device of Windows", selected(`"CON"`), some, diag.BadPath, ""},
		{"marks that turn the direction", selected(`"a\u202eb"`), some, diag.NotThere, ""},
		{"a file as a folder", selected(`"a/b"`), some, diag.NotThere, ""},
		{"a folder as a file", selected(`"lib", "lib/x"`), some, diag.NotAFile, ""},
		{"a pattern", selected(`"*"`), some, diag.NotThere, ""},
		{"a path of dots", selected(`"."`), some, diag.BadPath, ""},
		{"a very long path", selected(`"` + strings.Repeat("a/", 3000) + `a"`), some, diag.BadPath, ""},
		{"a binary file", selected(`"bin"`), some, diag.NotText, ""},
		{"a file in another encoding", selected(`"latin"`), some, diag.NotText, ""},
		{"a file that reads like a slot", selected(`"clock"`), some, diag.LooksLikeSlot, "ws/clock"},
		{"a file with conflict markers", selected(`"cut"`), some, diag.ConflictMarkers, "ws/cut"},
		{"a workspace above", `{"workspace": "../ws"` + rest, some, diag.BadPath, ""},
		{"a workspace that is a list", `{"workspace": ["ws"]` + rest, some, diag.WrongType, ""},
		{"a workspace that is a file", `{"workspace": "prompts.yaml"` + rest, some, diag.NotAFile, ""},
		{"a workspace that promptc writes", `{"workspace": "snapshots"` + rest, map[string]string{"../snapshots/README.md": "x"}, diag.BadPath, ""},
		{"a number beyond all", `{"tiers": {"L0": ["history:99999999999999999999999"]}` + rest, nil, diag.BadTierKey, ""},
		{"a number in other digits", `{"tiers": {"L0": ["history:１"]}` + rest, nil, diag.BadTierKey, ""},
		{"a tier that there is not", `{"tiers": {"L4": []}` + rest, nil, diag.UnknownKey, ""},
		{"tiers in a list", `{"tiers": [["history:0"]]` + rest, nil, diag.WrongType, ""},
		{"a role in a list", `{"history": [{"role": ["user"], "content": "x"}]` + rest, nil, diag.WrongValue, ""},
		{"a key twice", `{"legend": "a", "legend": "b"` + rest, nil, diag.RepeatedKey, ""},
		{"half a file", `{"legend": "a`, nil, diag.JSONSyntax, ""},
		{"nothing but a comment", "# prompt: p\n", nil, diag.EmptyFile, ""},
		{"nothing but a mark of order", "\ufeff", nil, diag.EmptyFile, ""},
		{"two documents", "prompt: p\n---\nprompt: q\n", nil, diag.YAMLFeature, ""},
		{"a blank that is no ASCII", `{"legend": "\u00a0\u2003"` + rest, nil, diag.WrongValue, ""},
		{"a lone surrogate", `{"legend": "\ud800"` + rest, nil, diag.JSONSyntax, ""},
	}
}

func turn(i int) string {
	return fmt.Sprintf(`{"role": %q, "content": "t%d"}`, []string{"user", "assistant"}[i%2], i)
}

func deep(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func aliases() string {
	out := "prompt: p\nlegend: &a x\nurls:\n"
	for i := range 500 {
		out += fmt.Sprintf("  - {url: u%d, content: *a}\n", i)
	}
	return out
}

func many(n int) map[string]string {
	out := map[string]string{}
	for i := range n {
		out[fmt.Sprintf("src/File%d.go", i)] = fmt.Sprintf("package p%d\n", i)
	}
	return out
}

func TestHostileFixturesAreSurvived(t *testing.T) {
	skipIfShort(t)
	for _, h := range append(hostileTexts(), hostilePaths()...) {
		t.Run(h.name, func(t *testing.T) {
			name := "chat.yaml"
			if strings.HasPrefix(h.fixture, "{") {
				name = "chat.json"
			}
			fsys := testproject.Of("prompts.yaml", hostileManifest, name, h.fixture)
			for p, text := range h.files {
				fsys[filepath.ToSlash(filepath.Join("ws", p))] = &fstest.MapFile{Data: []byte(text)}
			}
			if h.at != "" {
				name = h.at
			}
			checkHostile(t, fsys, name, h.code)
		})
	}
}

// checkHostile compiles a project and holds that it is built, or refused with
// a code at a place in a file.
func checkHostile(t *testing.T, fsys fs.FS, file string, code diag.Code) *prompt.Result {
	t.Helper()
	r := testproject.Compile(t, fsys, pipeline.Built)
	placed := false
	for _, d := range r.Findings {
		if d.Level != diag.Error {
			continue
		}
		if !d.Span.Known() || wording.Hint(d) == "" || code == "" {
			t.Errorf("%.300s (hint %.100s)", worded(d), wording.Hint(d))
		}
		placed = placed || d.Code == code && d.Span.Known() && d.Span.File.Path == file
	}
	if code != "" && !placed {
		t.Errorf("no %s in %s, but %d findings", code, file, len(r.Findings))
		for _, d := range r.Findings[:min(3, len(r.Findings))] {
			t.Logf("%s %.300s", d.Level, worded(d))
		}
	}
	return r
}

// TestWorkspacesOnADiskAreSurvived tries what only a disk can have.
func TestWorkspacesOnADiskAreSurvived(t *testing.T) {
	for _, c := range []struct {
		name, workspace string
		link            [2]string // target and name
		tree            string
	}{
		{"a link to the folder itself", "ws", [2]string{".", "ws/loop"}, "# File Tree (1 files)\n\na"},
		{"a link that leads nowhere", "ws", [2]string{"nothing", "ws/gone"}, "# File Tree (1 files)\n\na"},
		{"a link out of the project", "ws", [2]string{"/etc", "ws/out"}, "# File Tree (1 files)\n\na"},
		{"the whole project", ".", [2]string{"ws", "again"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			testproject.Write(t, dir, testproject.Of(
				"prompts.yaml", hostileManifest, "ws/a", "a",
				"chat.yaml", "workspace: "+c.workspace+"\nprompt: p\n",
			))
			if err := os.Symlink(c.link[0], filepath.Join(dir, c.link[1])); err != nil {
				t.Skip("no links here: ", err)
			}
			r := checkHostile(t, os.DirFS(dir), "chat.yaml", "")
			text := r.Artifacts[0].Text()
			if !strings.Contains(text, c.tree) || strings.Contains(text, "etc") {
				t.Errorf("the tree is not that of the workspace: %s", text)
			}
			if err := pipeline.Commit(dir, r, 3); err != nil {
				t.Fatal(err)
			}
			if again := checkHostile(t, os.DirFS(dir), "chat.yaml", ""); again.Delta.Drifted() || len(again.Delta.Artifacts.Changes) > 0 {
				t.Error("what a build writes changes the next one")
			}
		})
	}
}
