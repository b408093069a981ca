package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/run"
)

// vile is what must not reach a terminal: it would clear it, write over a line,
// change its title, or show a text in another order.
const vile = "\x1b]0;x\a\x1b[2J\r\u009b31m\u202e\u2066\U000E0041\u200b\x7f"

// vileName is the same for the name of a file, with bytes that are no text.
const vileName = "a\x1b[31m\r\u009b\u202eb"

// command is what a runner would carry out at the start of a line.
const command = "no\n::add-mask::x"

func vileWorld(t *testing.T) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no file can have this name")
	}
	dir = t.TempDir()
	files := map[string]string{
		"prompts.yaml": `version: 1
artifacts: dist
slots: {clock: {example: "now ESC", max_tokens: 9, volatile: true}}
fragments: {shell: "sh ESC"}
tokenizers: {"cl": {base: o200k_base, factor: 1.2, error: 0.1}}
sources:
  rules: {kind: text, path: "rules/**/*.md"}
  skills: {kind: skills, path: "skills/*/SKILL.md"}
  tools: {kind: tools, path: "*.json"}
  library: {kind: registry, path: registry.yaml}
  talk: {kind: conversation, path: talk.yaml}
prompts:
  agent:
    description: "About ESC"
    budget: {tokens: 5000}
    sections:
      - {id: rules, source: rules, heading: "# ESC"}
      - {id: inline, text: "It is {{clock}} in {{shell}} ESC.", expand: true}
      - {id: skills, source: skills}
      - {id: tools, source: tools, form: fallback}
      - {id: library, source: library}
  chat:
    dialect: anthropic
    layout: {name: messages, conversation: talk}
    sections:
      - {id: role, text: "Be brief. ESC"}
      - {id: tools, source: tools}
`,
		"rules/one.md":                "# Rules RAW\n\n- Be kind RAW.\n",
		"rules/NAME/NAME.md":          "# Named RAW\n",
		"skills/NAME/SKILL.md":        "---\nname: \"r ESC\"\ndescription: \"Reviews ESC.\"\n\"key ESC\": x\n---\nRead RAW.\n",
		"tools.json":                  `{"name": "find", "title": "ESC", "description": "Finds ESC.", "inputSchema": {"type": "object", "properties": {"in ESC": {"enum": ["ESC"]}}}}`,
		"registry.yaml":               "- {id: \"one ESC\", name: \"One ESC\", content: \"Text ESC\", tags: [\"t ESC\"]}\n",
		"talk.yaml":                   "workspace: ws\nselected: [src/a.go]\nhistory:\n  - {role: user, content: \"Hello ESC\"}\n  - {role: assistant, content: \"Hi\"}\nprompt: \"Go ESC\"\nurls:\n  - {url: \"https://example.com/\", content: \"ESC\"}\n",
		"ws/src/a.go":                 "package a // RAW\n",
		"ws/NAME.txt":                 "x\n",
		"broken/NAME/prompts.yaml":    "version: 1\nprompts:\n  \"a ESC\":\n    axes: {\"m ESC\": [\"v ESC\"]}\n    sections: [{\"id\": \"s ESC\", text: x, \"key ESC\": 1, path: \"no ESC\"}]\n",
		"syntax/prompts.yaml":         "version: 1\nname: RAW\n",
		"missing/prompts.yaml":        "version: 1\nsources: {a: {kind: \"k ESC\", path: \"ESC/*.md\"}}\nprompts: {p: {sections: [{id: a, source: \"ESC\"}, {id: b, path: \"b ESC\"}]}}\n",
		"elsewhere/rendered/NAME.md":  "# A RAW\n\n- b\n",
		"elsewhere/rendered/plain.md": "# A RAW\n\n- c RAW\n",
		"elsewhere/saved.snap":        "// Vitest Snapshot v1, https://vitest.dev\n\nexports[`a RAW 1`] = `\"x RAW\"`;\n",
	}
	for name, text := range files {
		name = filepath.Join(dir, strings.ReplaceAll(name, "NAME", vileName))
		text = strings.ReplaceAll(text, "RAW", vile)
		text = strings.ReplaceAll(text, "ESC", `\u001b]0;x\u0007\u001b[2J\r\u009b31m\u202e\u2066\udb40\udc41\u200b\u007f`)
		if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".md") {
			text = strings.ReplaceAll(text, `\udb40\udc41`, `\U000E0041`)
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Skip("no file can have this name here: ", err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Skip("no file can have this name here: ", err)
		}
	}
	return dir
}

// raw finds what a terminal would act upon.
func raw(s string) string {
	for i, r := range s {
		bad := r < ' ' && r != '\n' && r != '\t' || r >= 0x7F && r < 0xA0 || r >= 0x200B && r <= 0x200F || r >= 0x2028 && r <= 0x202E ||
			r >= 0x2060 && r <= 0x206F || r >= 0xE0000 && r <= 0xE0FFF || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD")
		if bad {
			return s[max(0, i-60):min(len(s), i+20)]
		}
	}
	return ""
}

// TestNothingRawReachesATerminal drives every command with what must not reach a
// terminal in every place.
func TestNothingRawReachesATerminal(t *testing.T) {
	dir := vileWorld(t)
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "first")
	t.Chdir(dir)
	save := func(name string, args ...string) {
		var stdout, stderr bytes.Buffer
		env := func(string) string { return "" }
		if strings.HasPrefix(name, "github") {
			env = func(key string) string { return map[string]string{"GITHUB_ACTIONS": "true", "CI": "true"}[key] }
		}
		code := Run(append([]string{"promptc"}, args...), Console{
			Stdin: strings.NewReader("text " + vile), Stdout: &stdout, Stderr: &stderr, Getenv: env, Terminal: true, ErrTerminal: true,
		})
		for stream, text := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
			if at := raw(uncoloured(text)); at != "" {
				t.Errorf("%s %q: raw on %s: %q", name, args, stream, at)
			}
			if strings.HasPrefix(text, "::add-mask") || strings.Contains(text, "\n::add-mask") {
				t.Errorf("%s %q: a command to the runner on %s: %q", name, args, stream, text)
			}
			if strings.Contains(text, "internal error") {
				t.Errorf("%q: %s", args, text)
			}
		}
		if stdout.Len()+stderr.Len() == 0 {
			t.Errorf("%s %q says nothing (%d)", name, args, code)
		}
	}
	for _, args := range [][]string{
		{"build"},
		{"check"},
		{"check", "--strict"},
		{"list"},
		{"list", "--tokens"},
		{"list", "--format", "json"},
		{"explain", "agent"},
		{"explain", "chat"},
		{"explain", "--format", "json", "agent"},
		{"explain", "--format", "json", "chat"},
		{"show", "agent"},
		{"show", "chat"},
		{"show", "--example", "agent"},
		{"show", "--section", "inline", "agent"},
		{"show", "--dialect", "gemini", "agent"},
		{"show", "--tools", "chat"},
		{"tokens"},
		{"tokens", "agent"},
		{"tokens", "-"},
		{"tokens", "--split", "-"},
		{"tokens", "--split", "rules/one.md"},
		{"tokens", "--format", "json", "-"},
		{"tokens", "rules/" + vileName + "/" + vileName + ".md"},
	} {
		save("whole", args...)
	}
	edited := filepath.Join(dir, "rules", "one.md")
	if err := os.WriteFile(edited, []byte("# Rules\n\n- Be kinder "+vile+" and\n- "+vile+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "rules", vileName), filepath.Join(dir, "rules", vileName+"c")); err != nil {
		t.Fatal(err)
	}
	for _, format := range change.FormatNames() {
		save(format, "diff", "--base", "HEAD", "--format", format)
	}
	for _, format := range run.FormatNames() {
		save(format, "check", "--format", format)
		save(format, "build", "--format", format, "--frozen")
		for _, manifest := range []string{"broken/" + vileName, "syntax", "missing"} {
			save(format, "check", "--format", format, "-C", manifest)
		}
	}
	for _, args := range [][]string{
		{"diff", "--base", "HEAD", "--affected"},
		{"diff", "--base", vile},
		{"diff", "--base", "broken"},
		{"diff", "--fail-on", vile},
		{vile},
		{"--" + vile},
		{"check", "--" + vile},
		{"check", "--format", vile},
		{"check", vile},
		{"check", "-C", vile},
		{"check", "--config", vile},
		{"show", vile},
		{"show", "agent/" + vile},
		{"show", "--dialect", vile, "agent"},
		{"show", "--section", vile, "agent"},
		{"list", vile},
		{"list", "--context", vile},
		{"explain", vile},
		{"explain", "--budget", vile, "agent"},
		{"tokens", vile},
		{"tokens", "--encoding", vile, "-"},
		{"tokens", "--model", vile, "-"},
		{"tokens", "no/\x9b\xff"},
		{"show", "\x9b\xff"},
		{"check", "--config", "\x9b\xff"},
		{"\x9b"},
		{"check", "-C", "\x9b\xff"},
		{"help", vile},
		{"schema", vile},
		{"completion", vile},
		{"version", vile},
		{"init", "--rendered", "elsewhere/rendered/*.md", "new1"},
		{"init", "--rendered", "elsewhere/*.snap", "new2"},
		{"init", "--rendered", vile, "new3"},
		{"init", "new-" + vileName},
		{"init", "new-" + vileName},
		{"check", "-C", command},
		{"check", "--config", command},
		{"tokens", command},
		{"show", command},
		{command},
		{"--" + command},
		{"list", "--context", command},
		{"explain", command},
		{"diff", "--base", command},
		{"init", "--rendered", command, "new4"},
		{"init", "new-" + command},
		{"help", command},
	} {
		save("github", args...)
	}
}

// uncoloured takes out the styles that the program itself writes.
func uncoloured(s string) string {
	for _, code := range []string{"0", "1", "2", "1;31", "32", "1;33", "36", "1;31;7", "32;7", "30;46", "30;43"} {
		s = strings.ReplaceAll(s, "\x1b["+code+"m", "")
	}
	return s
}

// TestShownBytesAreExactBesideATerminal holds that what is named to be seen is
// only what a terminal gets.
func TestShownBytesAreExactBesideATerminal(t *testing.T) {
	dir := vileWorld(t)
	t.Chdir(dir)
	shown := func(terminal bool) (string, string) {
		var stdout, stderr bytes.Buffer
		Run([]string{"promptc", "show", "--section", "inline", "agent"}, Console{
			Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Terminal: terminal,
		})
		return stdout.String(), stderr.String()
	}
	exact, said := shown(false)
	if !strings.Contains(exact, vile) || said != "" {
		t.Errorf("in a pipe: %q, %q", exact, said)
	}
	tame, said := shown(true)
	if raw(tame) != "" || !strings.Contains(tame, "<U+001B>]0;x<U+0007>") || !strings.Contains(said, "shown by their numbers") {
		t.Errorf("on a terminal: %q, %q", tame, said)
	}
}
