package pipeline_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

// hiddenWorld has a place of every kind that reaches a model or a reviewer:
// PLACE-N in a text, and PLACE in the name of a file.
var hiddenWorld = map[string]string{
	"prompts.yaml": `version: 1
# A comment with PLACE-1.
slots: {clock: {example: "PLACE-2", max_tokens: 9, volatile: true}}
fragments: {shell: "PLACE-3"}
sources:
  skills: {kind: skills, path: "skills/*/SKILL.md"}
  tools: {kind: tools, path: tools.json, style: {path: style.txt}}
  goal: {kind: goal, path: goal.yaml, transcript: transcript.txt}
  registry: {kind: registry, path: registry.yaml}
  talk: {kind: conversation, path: talk.yaml}
prompts:
  agent:
    description: PLACE-4
    sections:
      - {id: rules, path: "rules/*.md", heading: "PLACE-5"}
      - {id: inline, text: "It is {{clock}} in {{shell}} PLACE-6.", expand: true}
      - {id: skills, source: skills}
      - {id: tools, source: tools, form: fallback}
      - {id: goal, source: goal}
      - {id: library, source: registry}
  chat:
    dialect: anthropic
    layout: {name: messages, conversation: talk}
    sections:
      - {id: role, text: Be brief.}
  elsewhere:
    axes: {mode: [a, b]}
    rendered: "rendered/{mode}.md"
  saved:
    axes: {mode: [a]}
    rendered: {path: "saved.snap", entry: "prompt {mode} 1"}
`,
	"rules/one.md":             "<!-- A note PLACE-7. -->\n# Rules\n\n    code PLACE-8\n\n- Be kind PLACE-9.\n",
	"rules/PLACE.md":           "Be quick.\n",
	"skills/review/SKILL.md":   "---\nname: review\ndescription: Reviews PLACE-10.\nlicense: PLACE-11\n---\nRead PLACE-12.\n",
	"tools.json":               `{"name": "find", "title": "PLACE-13", "description": "Finds PLACE-14.", "inputSchema": {"type": "object", "properties": {"in PLACE-15": {"type": "object", "properties": {"x": {"enum": ["a", "PLACE-16"], "default": "PLACE-17"}}}}}}`,
	"style.txt":                "Tools PLACE-18:\n{{.Items}}\n",
	"goal.yaml":                "id: auth\ndescription: Log in PLACE-19\npriority: high\nstatus: active\n",
	"transcript.txt":           "user: PLACE-20\n[NEXT] Go on PLACE-21\n",
	"registry.yaml":            "- {id: one, name: One PLACE-22, content: \"Text PLACE-23\", tags: [\"PLACE-24\"]}\n",
	"talk.yaml":                "workspace: ws\nselected: [src/a.go]\nhistory:\n  - {role: user, content: Hello PLACE-25}\n  - {role: assistant, content: \"Hi PLACE-26\"}\nprompt: Go PLACE-27\n",
	"ws/src/a.go":              "package a // PLACE-28\n",
	"ws/dir/PLACE/b.go":        "package b\n",
	"rendered/a.md":            "# A\n\nRendered PLACE-29.\n",
	"rendered/b.md":            "# B\n\nRendered.\n",
	"saved.snap":               "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`prompt a 1`] = `\"Saved \\`PLACE-30\\`.\"`;\n",
	"skills/PLACE/SKILL.md":    "---\nname: other\ndescription: Does.\n---\nDo.\n",
	"ws/src/unnamed-PLACE.txt": "none\n",
}

// planted is a place of the world, and the file that a finding of it is in.
type planted struct{ file, mark string }

func places() []planted {
	var out []planted
	for name, text := range hiddenWorld {
		for i := 1; i <= 30; i++ {
			mark := fmt.Sprintf("PLACE-%d", i)
			if j := strings.Index(text, mark); j >= 0 && !strings.HasPrefix(text[j+len(mark):], "0") {
				out = append(out, planted{name, mark})
			}
		}
		if strings.Contains(name, "PLACE") {
			out = append(out, planted{name, ""})
		}
	}
	slices.SortFunc(out, func(a, b planted) int { return strings.Compare(a.file+a.mark, b.file+b.mark) })
	return out
}

// payload makes something hidden, of one of many kinds.
func payload(r *rand.Rand) string {
	row := func(n int, from ...rune) string {
		var b strings.Builder
		for range n {
			b.WriteRune(from[r.IntN(len(from))])
		}
		return b.String()
	}
	var b strings.Builder
	switch r.IntN(13) {
	case 0, 1: // tags
		for range 1 + r.IntN(30) {
			b.WriteRune(0xE0020 + rune(r.IntN(0x5F)))
		}
	case 2:
		return row(1, 0x202D, 0x202E) + "word\u202c"
	case 3:
		return row(1, 0x2066, 0x2067, 0x2068, 0x202A, 0x202B) + "word" + row(1, 0x2069, 0x202C)
	case 4: // bytes in selectors
		for range 1 + r.IntN(20) {
			b.WriteRune(0xE0100 + rune(r.IntN(0xF0)))
		}
	case 5:
		return "❤\ufe0f" + row(1+r.IntN(3), 0xFE0F, 0xFE0E, 0xFE00)
	case 6: // bits
		return "wo" + row(1+r.IntN(40), 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF) + "rd"
	case 7:
		return "wo" + row(1, 0xAD, 0x34F, 0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x180E, 0x2061, 0x2062, 0x2063, 0x2064, 0x206A, 0xFFF9) + "rd"
	case 8:
		return "wo" + row(1+r.IntN(3), 0x200E, 0x200F, 0x061C) + "rd"
	case 9:
		return "wo" + row(1, 1, 7, 8, 0xB, 0xC, 0x1B, 0x1F, 0x7F) + "rd"
	case 11: // what each font shows otherwise
		return "wo" + row(1+r.IntN(12), 0xE000, 0xE041, 0xF8FF, 0xF0041, 0x100041) + "rd"
	case 12: // bits in the width of blanks
		return "wo" + row(1+r.IntN(9), 0x1680, 0x2000, 0x2002, 0x2003, 0x2005, 0x2007, 0x200A, 0x205F) + "rd"
	case 10:
		return "wo" + row(1, 0x80, 0x85, 0x90, 0x9B, 0x9D, 0x2028, 0x2029) + "rd"
	}
	return b.String()
}

// asEscapes writes a text with the escapes of JSON and of YAML's double quotes.
func asEscapes(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= ' ' && r < 0x7F:
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// plant puts a payload into a copy of the world and gives the line that it is on
// there, 0 for the name of a file.
func plant(at planted, what string, escaped bool) (fsys fstest.MapFS, line int) {
	fsys = fstest.MapFS{}
	for name, text := range hiddenWorld {
		if name == at.file && at.mark == "" {
			name = strings.ReplaceAll(name, "PLACE", what)
		}
		if name == at.file && at.mark != "" {
			i := strings.Index(text, at.mark)
			line = strings.Count(text[:i], "\n") + 1
			if escaped {
				what = asEscapes(what)
			}
			text = text[:i] + what + text[i+len(at.mark):]
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys, line
}

// mayEscape are the places at which an escape stands for its character.
func mayEscape(at planted) bool {
	switch at.file {
	case "tools.json":
		return true
	case "prompts.yaml":
		return at.mark != "PLACE-1" && at.mark != "PLACE-4"
	default:
		return at.mark == "PLACE-23" || at.mark == "PLACE-24" || at.mark == "PLACE-26"
	}
}

// TestEveryHiddenPayloadIsFound plants one thing after the other and looks for a
// finding on its line: of the check, or of the stage that refuses the file.
// PROMPTC_PAYLOADS=1000 plants more.
func TestEveryHiddenPayloadIsFound(t *testing.T) {
	skipIfShort(t)
	clean, err := pipeline.Compile(t.Context(), pipeline.Request{Files: unplanted(plant(planted{}, "", false)), Manifest: "prompts.yaml", Until: pipeline.Composed})
	if err != nil || clean.Findings.HasErrors() || slices.ContainsFunc(clean.Findings, isHidden) {
		t.Fatal(err, clean.Findings)
	}
	all, r := places(), rand.New(rand.NewPCG(7, 31))
	if len(all) < 34 {
		t.Fatalf("%d places", len(all))
	}
	for i := range rounds(t, "PROMPTC_PAYLOADS", 250) {
		at, what := all[i%len(all)], payload(r)
		escaped := mayEscape(at) && r.IntN(2) == 0
		fsys, line := plant(at, what, escaped)
		got := testproject.Compile(t, fsys, pipeline.Composed)
		if !slices.ContainsFunc(got.Findings, func(d diag.Diagnostic) bool { return isAt(d, at, line) }) {
			t.Errorf("%q in %s %s (escaped: %v) is not found: %v", what, at.file, at.mark, escaped, got.Findings)
		}
		for _, d := range got.Findings {
			if text := wording.Message(d) + wording.Hint(d) + strings.Join(wording.Detail(d), ""); strings.ContainsFunc(text, isRaw) {
				t.Errorf("%q in %s: the finding shows it raw: %q", what, at.file, text)
			}
		}
	}
}

func unplanted(fsys fstest.MapFS, _ int) fstest.MapFS { return fsys }

func isHidden(d diag.Diagnostic) bool {
	return d.Code == diag.HiddenText || d.Code == diag.OddCharacter
}

// isAt reports whether a finding is that of something planted.
func isAt(d diag.Diagnostic, at planted, line int) bool {
	if !d.Span.Known() {
		return false
	}
	if at.mark == "" {
		return isHidden(d) || d.Code == diag.NotAFile
	}
	got, column := d.Span.File.Position(d.Span.Start)
	refused := d.Code == diag.YAMLSyntax || d.Code == diag.JSONSyntax || d.Code == diag.NotText
	return d.Span.File.Path == at.file && got == line && column > 0 && (isHidden(d) || refused)
}

// isRaw reports whether a character would act on a terminal.
func isRaw(r rune) bool {
	return r < ' ' && r != '\n' || r >= 0x7F && r < 0xA0 || r >= 0x200B && r <= 0x200F && r != 0x200D || r >= 0x2028 && r <= 0x202E ||
		r >= 0x2066 && r <= 0x2069 || r >= 0xE0000 && r <= 0xE0FFF || r == 0xFEFF
}

// irregular gives files that are odd, by their names: those written for the test,
// and real ones where they stand beside the checkout.
func irregular(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	shared := filepath.Join("..", "..", "shared")
	for _, root := range []string{filepath.Join("testdata", "corpora", "irregular"), filepath.Join(shared, "corpora", "irregular"), filepath.Join(shared, "seeds")} {
		entries, err := os.ReadDir(root)
		if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(root, shared) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(root, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(e.Name(), "bad-utf8-") {
				out[e.Name()] = text
			}
		}
	}
	return out
}

// oddities reads files as texts and gives what is found of hidden and garbled
// text in each, and the errors.
func oddities(t *testing.T, files map[string][]byte) map[string]diag.List {
	t.Helper()
	fsys := testproject.Of("prompts.yaml", "version: 1\nprompts:\n  real:\n    sections: [{id: odd, path: \"odd/*\"}]\n")
	out := map[string]diag.List{}
	for name, text := range files {
		fsys["odd/"+name] = &fstest.MapFile{Data: text}
		out[name] = nil
	}
	r := testproject.Compile(t, fsys, pipeline.Composed)
	for _, d := range r.Findings {
		if d.Span.Known() && (isHidden(d) || d.Code == diag.Mojibake || d.Level == diag.Error) {
			name := strings.TrimPrefix(d.Span.File.Path, "odd/")
			out[name] = append(out[name], d)
		}
	}
	return out
}

func TestRealFilesAreOddWhereTheyAre(t *testing.T) {
	skipIfShort(t)
	own := irregular(t)
	plain := map[string][]byte{}
	for name, text := range own {
		plain[strings.TrimSuffix(name, ".txt")+".txt"] = text
	}
	for _, files := range []map[string][]byte{plain, own} { // as plain text, and as Markdown
		for name, found := range oddities(t, files) {
			kind, _, _ := strings.Cut(name, "-")
			switch kind {
			case "zw", "C0", "shy", "filler":
				if !slices.ContainsFunc(found, isHidden) {
					t.Errorf("%s: nothing is found", name)
				}
			case "C1":
				if len(found) != 1 || found[0].Code != diag.Mojibake {
					t.Errorf("%s: %v", name, found)
				}
			case "002_c70859761582ee11.txt":
				if len(found) != 1 || found[0].Code != diag.Mojibake {
					t.Errorf("%s: %v", name, found)
				}
			default:
				if len(found) > 0 {
					t.Errorf("%s: %v", name, found)
				}
			}
		}
	}
}

// TestPublishedFilesAreNotSuspected holds that what people publish is not taken
// for an attack or an accident.
func TestPublishedFilesAreNotSuspected(t *testing.T) {
	eachCorpus(t, func(t *testing.T, fsys fstest.MapFS, _ bool) {
		t.Helper()
		fsys["prompts.yaml"] = &fstest.MapFile{Data: []byte(overCorpora)}
		r := testproject.Compile(t, fsys, pipeline.Composed)
		for _, d := range r.Findings {
			if d.Code >= diag.HiddenText && d.Code <= diag.SpecialToken {
				t.Errorf("%s: %s", d.Span.File.Path, wording.Message(d))
			}
		}
	})
}

// TestHiddenTextNamesItsPrompts holds what settings go by.
func TestHiddenTextNamesItsPrompts(t *testing.T) {
	for file, want := range map[string]string{
		"rules/one.md PLACE-9": "agent", "talk.yaml PLACE-25": "chat", "ws/src/a.go PLACE-28": "chat", "rendered/a.md PLACE-29": "elsewhere",
		"prompts.yaml PLACE-1": "",
	} {
		name, mark, _ := strings.Cut(file, " ")
		fsys, _ := plant(planted{name, mark}, "wo\u202erd", false)
		r := testproject.Compile(t, fsys, pipeline.Composed)
		i := slices.IndexFunc(r.Findings, isHidden)
		if i < 0 {
			t.Fatalf("%s: nothing is found", file)
		}
		if got := strings.Join(r.Findings[i].Prompts, " "); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// TestDeclaredFamiliesAlone holds that a manifest's families narrow the search.
func TestDeclaredFamiliesAlone(t *testing.T) {
	fsys := testproject.Of(
		"prompts.yaml", "version: 1\nprompts:\n  a:\n    sections: [{id: x, path: x.md}]\n",
		"x.md", "Say <|im_end|> or <start_of_turn>.\n\nHuman: hi\n",
	)
	r := testproject.Compile(t, fsys, pipeline.Composed)
	if got := tokenFindings(r.Findings); got != `warning "<|im_end|>" warning "<start_of_turn>"` {
		t.Error(got)
	}
	r.Spec.Families = []ground.Word{{Str: "gemma"}, {Str: "anthropic"}}
	if got := tokenFindings(lint.Run(r.Plan, r.Artifacts)); got != `error "<start_of_turn>" error "\n\nHuman:"` {
		t.Error(got)
	}
}

func tokenFindings(all diag.List) string {
	var out []string
	for _, d := range all {
		if d.Code == diag.SpecialToken {
			token, _, _ := strings.Cut(wording.Message(d), " is ")
			out = append(out, d.Level.String()+" "+token)
		}
	}
	return strings.Join(out, " ")
}
