package conformance_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
)

// tsBindings are the ways in which the binding of testdata/typescript is made.
var tsBindings = []struct{ name, binding string }{
	{"files", "src/prompts"},
	{"inline", "{path: src/prompts, inline: true}"},
}

// tsFolder has what make conformance installs.
const tsFolder = "testdata/typescript"

func tsFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(tsFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tsProgram runs a program that npm installed, or else node.
func tsProgram(t *testing.T, dir, name string, args ...string) (string, error) {
	t.Helper()
	need(t, "node")
	program, err := filepath.Abs(filepath.Join(tsFolder, "node_modules", ".bin", name))
	if err != nil {
		t.Fatal(err)
	}
	if name == "node" {
		program = name
	} else {
		needAt(t, "npm", program)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.String(), err
}

// tsProject builds a manifest in a folder of its own, with programs and the sources
// of the repository beside it.
func tsProject(t *testing.T, manifest string, programs map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "sources"), os.DirFS(filepath.Join("..", "sources"))); err != nil {
		t.Fatal(err)
	}
	tsPlace(t, dir, programs)
	writeFile(t, filepath.Join(dir, "prompts.yaml"), manifest)
	tsBuild(t, dir)
	return dir
}

// tsPlace makes a folder one of programs in TypeScript.
func tsPlace(t *testing.T, dir string, programs map[string]string) {
	t.Helper()
	writeFile(t, filepath.Join(dir, "package.json"), `{"type": "module"}`)
	writeFile(t, filepath.Join(dir, "tsconfig.json"), tsFile(t, "tsconfig.json"))
	for name, text := range programs {
		writeFile(t, filepath.Join(dir, name), text)
	}
	modules, err := filepath.Abs(filepath.Join(tsFolder, "node_modules"))
	if err == nil {
		err = os.Symlink(modules, filepath.Join(dir, "node_modules"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func tsBuild(t *testing.T, dir string) {
	t.Helper()
	if _, stderr, err := run(dir, "build"); err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
}

// tsManifest gives the manifest of testdata/typescript with a binding.
func tsManifest(t *testing.T, binding string) string {
	t.Helper()
	return strings.Replace(tsFile(t, "prompts.yaml"), "src/prompts", binding, 1)
}

// tsCompiled compiles the programs of a project, and puts the data beside the
// module as a program's own build would.
func tsCompiled(t *testing.T, dir string) {
	t.Helper()
	if said, err := tsProgram(t, dir, "tsc"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	from, to := filepath.Join(dir, "src", "prompts", "data"), filepath.Join(dir, "out", "src", "prompts", "data")
	if _, err := os.Stat(from); err != nil {
		return // it is in the code
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func tsPrograms(t *testing.T, names ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range names {
		out[name] = tsFile(t, "programs/"+name)
	}
	return out
}

// What the programs print is the same whether files or the code have the data.
func TestTypeScriptLoads(t *testing.T) {
	for _, b := range tsBindings {
		t.Run(b.name, func(t *testing.T) {
			dir := tsProject(t, tsManifest(t, b.binding), tsPrograms(t, "right.ts", "errors.ts"))
			tsCompiled(t, dir)
			for _, program := range []string{"right", "errors"} {
				got, err := tsProgram(t, dir, "node", "out/"+program+".js")
				if err != nil {
					t.Fatalf("%v\n%s", err, got)
				}
				if os.Getenv("UPDATE") != "" {
					if err := os.WriteFile(filepath.Join(tsFolder, program+".out"), []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if d := diff.Diff(tsFile(t, program+".out"), got); d != "" {
					t.Errorf("%s (-want +got):\n%s", program, d)
				}
			}
		})
	}
}

// tsMistakes are calls that do not compile, and what the compiler says.
var tsMistakes = []struct{ call, says string }{
	{`helper({ mode: "chatt" }, { clock })`, `Type '"chatt"' is not assignable to type`},
	{`helper({ mode: "chat", tier: "3" }, { clock })`, `Type '"3"' is not assignable to type '"2"'`},
	{`helper({ mode: "plan" }, {})`, `Property 'clock' is missing in type`},
	{`helper({ mode: "plan" })`, `Expected 2-3 arguments, but got 1`},
	{`helper({ mode: "plan" }, { clock, clocks: "" })`, `'clocks' does not exist in type 'HelperSlots'`},
	{`helper({ mode: "plan", modes: "" }, { clock })`, `'modes' does not exist in type`},
	{`fitMemory({ request: "" })`, `Expected 2 arguments, but got 1`},
	{`agent({ dialect: "gemini" }, { clock }).text`, `Property 'text' does not exist on type`},
}

func TestTypeScriptRefusesMistakes(t *testing.T) {
	const start = "import { agent, fitMemory, helper } from \"./src/prompts/index.js\";\nconst clock = \"noon\";\nvoid [agent, fitMemory, helper, clock];\n"
	programs := map[string]string{}
	for i, m := range tsMistakes {
		programs["mistake"+string(rune('a'+i))+".ts"] = start + m.call + ";\n"
	}
	dir := tsProject(t, tsManifest(t, "src/prompts"), programs)
	said, err := tsProgram(t, dir, "tsc", "--pretty", "false")
	if err == nil {
		t.Fatal("it compiles")
	}
	for i, m := range tsMistakes {
		name := "mistake" + string(rune('a'+i)) + ".ts(4,"
		at := strings.Index(said, name)
		if at < 0 || !strings.Contains(said[at:at+cmp.Or(strings.Index(said[at:], "\nmistake")+1, len(said)-at)], m.says) {
			t.Errorf("%s: no %q in\n%s", m.call, m.says, said)
		}
	}
	if others := strings.Count(said, "error TS") - len(tsMistakes); others != 0 {
		t.Errorf("%d errors too many:\n%s", others, said)
	}
}

// A program that uses a value which prompts.yaml no longer has does not compile.
func TestTypeScriptBreaksWithAnAxis(t *testing.T) {
	manifest := tsManifest(t, "src/prompts")
	dir := tsProject(t, manifest, tsPrograms(t, "one.ts"))
	tsCompiled(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "prompts.yaml"), []byte(strings.ReplaceAll(manifest, "plan", "design")), 0o644); err != nil {
		t.Fatal(err)
	}
	tsBuild(t, dir)
	said, err := tsProgram(t, dir, "tsc", "--pretty", "false")
	if want := `one.ts(3,22): error TS2322: Type '"plan"' is not assignable to type '"chat" | "code" | "design"'.`; err == nil || !strings.Contains(said, want) {
		t.Errorf("%v, want %s:\n%s", err, want, said)
	}
}

// Every byte of what was built is verified.
func TestTypeScriptFindsAChangedByte(t *testing.T) {
	dir := tsProject(t, tsManifest(t, "src/prompts"), tsPrograms(t, "one.ts"))
	tsCompiled(t, dir)
	data := filepath.Join(dir, "out", "src", "prompts", "data")
	for name, says := range map[string]string{
		"manifest.json":        "manifest.json: is not what was built",
		"manifest.sha256":      "manifest.json: is not what was built",
		"helper/mode=plan.txt": "helper/mode=plan.txt: is not what was built",
	} {
		file := filepath.Join(data, filepath.FromSlash(name))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{0, 7, 30} {
			changed := bytes.Clone(text)
			changed[at]++
			mustFail(t, dir, file, changed, says)
		}
		mustFail(t, dir, file, []byte{}, "is not what was built")
		mustFail(t, dir, file, nil, "ENOENT")
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if said, err := tsProgram(t, dir, "node", "out/one.js"); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// mustFail runs the program with another file, or without it.
func mustFail(t *testing.T, dir, file string, text []byte, says string) {
	t.Helper()
	err := os.WriteFile(file, text, 0o644)
	if text == nil {
		err = os.Remove(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	if said, err := tsProgram(t, dir, "node", "out/one.js"); err == nil || !strings.Contains(said, "PromptError: ") || !strings.Contains(said, says) {
		t.Errorf("%s: %v\n%s", file, err, said)
	}
}

// So is a text in the code, and another version of its form is refused.
func TestTypeScriptFindsChangedCode(t *testing.T) {
	dir := tsProject(t, tsManifest(t, "{path: src/prompts, inline: true}"), tsPrograms(t, "one.ts"))
	module := filepath.Join(dir, "src", "prompts", "index.ts")
	text, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, says string }{
		{"Grüße 🐦.", "Grüße 🐥.", "helper/mode=plan.txt: is not what was built"},
		{`"max_tokens":12,`, `"max_tokens":13,`, "manifest.json: is not what was built"},
		{`"helper/mode=plan.txt": `, `"helper/mode=plans.txt": `, "helper/mode=plan.txt: is not in the code"},
		{"(version !== 2)", "(version !== 3)", "manifest.json: has 2"},
	} {
		changed := strings.ReplaceAll(string(text), c.old, c.new)
		if changed == string(text) {
			t.Errorf("%q is not there", c.old)
		}
		if err := os.WriteFile(module, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		tsCompiled(t, dir)
		if said, err := tsProgram(t, dir, "node", "out/one.js"); err == nil || !strings.Contains(said, "PromptError: "+c.says) {
			t.Errorf("%s: %v\n%s", c.new, err, said)
		}
	}
}

// oddNames has names and values that need care, and lines of all lengths.
const oddNames = `version: 1
artifacts: dist
bindings: {typescript: src/prompts}
slots:
  a-b: {max_tokens: 3, optional: true}
  class: {max_tokens: 3}
  a-very-long-name-of-a-slot-that-fills-a-line-of-its-own-in-code: {max_tokens: 3, optional: true}
  another_very_long.name: {max_tokens: 3, optional: true}
prompts:
  load: {sections: [{id: a, text: "` + "`${x}` \\\\ \\u0007 \\u200d \\uFEFF \\\\n" + `"}]}
  "4k": {axes: {class: [new, "4k"], a-b: {values: [c], default: c}}, sections: &s [{id: a, path: a.txt}]}
  usual: {axes: {a: {values: [b, c], default: b}, d: {values: [e, f], default: f}}, sections: *s}
  unusual: {axes: {a: {values: [b, c], default: b}, d: {values: [e, f], default: f}}, exclude: [{a: b, d: f}], sections: *s}
  new: {axes: {one-axis: {values: [aaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbb, ccccccccccc], default: bbbbbbbbbbbbbbbbbbb}}, sections: *s}
  longer: {axes: {one-axis: {values: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbb, ccccccccccc, ddddddddd]}}, sections: *s}
  text:
    axes: {a: [b, c, d], e: [f, g], h: [i, j, k]}
    exclude: [{a: b, e: f}, {h: {not: i}, a: c}, {a: d}]
    sections: [{id: a, text: "{{a-b}} {{class}}", expand: true}]
  wide:
    axes: {a-rather-long-name: [bbbbbbbbbbbbbbbbb, ccccccccccccccc, dddddddddddd], e: [f, g], h: [iiiiiiii, jjjjjjjjjj, kkkkkkkkkkkk]}
    exclude: [{a-rather-long-name: bbbbbbbbbbbbbbbbb, e: f}, {a-rather-long-name: ccccccccccccccc, h: [jjjjjjjjjj, iiiiiiii]}]
    sections: [{id: a, text: "{{a-very-long-name-of-a-slot-that-fills-a-line-of-its-own-in-code}} {{another_very_long.name}}", expand: true}]
  a-name-of-sixty-four-characters-which-is-the-most-that-there-are: {sections: *s}
  dialects:
    axes: {dialect: [text, openai-chat, openai-responses, anthropic, gemini]}
    dialect: "{dialect}"
    layout: phases
    budget: {tokens: 99}
    sections: [{id: a, text: "{{a-b}}", expand: true, sticky: true, phase: user, priority: 1}]
`

// A module with a function called then is taken for a promise by import();
// CommonJS has its own require and exports; and every object has a constructor.
func TestTypeScriptNamesMeanNothingToTheRuntime(t *testing.T) {
	t.Parallel()
	const manifest = `version: 1
artifacts: dist
bindings: {typescript: {path: src/prompts, inline: true}}
slots: {constructor: {max_tokens: 9, optional: true}, value-of: {max_tokens: 9, optional: true}}
prompts:
  then:
    axes: {constructor: {values: [a, b], default: a}, to-string: {values: [c, d], default: c}}
    sections:
      - {id: a, text: [{when: {constructor: b, to-string: d}, value: "B. {{value-of}}"}, {value: A.}], expand: true}
  default: {sections: [{id: a, text: "D. {{constructor}}", expand: true}]}
  exports: {sections: &s [{id: a, text: A.}]}
  require: {sections: *s}
`
	const program = `import * as prompts from "./src/prompts/index.js";

async function main() {
  const module = (await import("./src/prompts/index.js")) as typeof prompts;
  const all = { constructor_: "b", toString_: "d" } as const;
  console.log(module.then_().text, module.then_({}).text, module.then_(all, { valueOf_: "v" }).text);
  console.log(module.default_({ constructor_: "c" }).text, module.exports_().text, module.require_().text);
}

void main();
`
	const want = "A.\n A.\n B. v\n\nD. c\n A.\n A.\n\n"
	for _, kind := range []string{"module", "commonjs"} {
		dir := tsProject(t, manifest, map[string]string{"main.ts": program})
		writeFile(t, filepath.Join(dir, "package.json"), `{"type": "`+kind+`"}`)
		writeFile(t, filepath.Join(dir, "tsconfig.json"), strings.Replace(tsFile(t, "tsconfig.json"), `"verbatimModuleSyntax": true`, `"verbatimModuleSyntax": false`, 1))
		tsCompiled(t, dir)
		if said, err := tsProgram(t, dir, "node", "out/main.js"); err != nil || said != want {
			t.Errorf("%s: %v\n%s\nwant:\n%s", kind, err, said, want)
		}
	}
}

// Prettier changes nothing, and the strictest compiler has nothing to say.
func TestTypeScriptIsFormatted(t *testing.T) {
	t.Parallel()
	repository, err := os.ReadFile(filepath.Join("..", "prompts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(repository), "prompts:\n")
	persona, _, _ := strings.Cut(after, "  persona-core:")
	start, _, _ := strings.Cut(string(repository), "prompts:\n")
	const small = "version: 1\nartifacts: dist\nbindings: {typescript: src/prompts}\nprompts:\n"
	root, codes := t.TempDir(), map[string]string{}
	tsPlace(t, root, nil)
	for name, manifest := range map[string]string{
		"example": tsManifest(t, "src/prompts"), "odd": oddNames, "persona": start + "bindings: {typescript: src/prompts}\nprompts:\n" + persona,
		"repository": string(repository) + "bindings: {typescript: src/prompts}\n",
		"texts":      small + "  p: {sections: [{id: a, text: A}]}\n", "requests": small + "  p: {dialect: gemini, sections: [{id: a, text: A}]}\n",
		"phases": small + "  p: {layout: phases, budget: {tokens: 9}, sections: [{id: a, text: A, phase: user, priority: 1}]}\n",
		"fitted": small + "  p: {dialect: gemini, layout: phases, budget: {tokens: 9}, sections: [{id: a, text: A, phase: user, priority: 1}]}\n",
	} {
		for _, b := range tsBindings {
			dir := filepath.Join(root, name+"-"+b.name)
			if err := os.CopyFS(filepath.Join(dir, "sources"), os.DirFS(filepath.Join("..", "sources"))); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, "a.txt"), "A.\n")
			writeFile(t, filepath.Join(dir, "prompts.yaml"), strings.Replace(manifest, "typescript: src/prompts", "typescript: "+strings.Replace(b.binding, "src/prompts", "p", 1), 1))
			tsBuild(t, dir)
			at := filepath.Join(dir, "p", "index.ts")
			code, err := os.ReadFile(at)
			if err != nil {
				t.Fatal(err)
			}
			codes[at] = string(code)
			if n := bytes.Count(code, []byte("\n")); name == "persona" && b.name == "files" && n > 260 {
				t.Errorf("%d lines are many", n)
			}
		}
	}
	if said, err := tsProgram(t, root, "tsc"); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if said, err := tsProgram(t, root, "prettier", "--write", "*/p/index.ts"); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	for at, code := range codes {
		after, err := os.ReadFile(at)
		if d := diff.Diff(strings.Split(code, "\n"), strings.Split(string(after), "\n")); err != nil || d != "" {
			t.Errorf("%s: %v\n%s", at, err, d)
		}
	}
}

// typeScriptAnswers compiles the modules of all projects.
func typeScriptAnswers(t *testing.T, root string, cases map[string][]vectorCase) []byte {
	t.Helper()
	tsPlace(t, root, tsPrograms(t, "vectors.ts"))
	tsCompiled(t, root)
	args := []string{"out/vectors.js"}
	for name := range cases {
		args = append(args, name)
		from := filepath.Join(root, name, "p", "data")
		if _, err := os.Stat(from); err != nil {
			continue // it is in the code
		}
		if err := os.CopyFS(filepath.Join(root, "out", name, "p", "data"), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	said, err := tsProgram(t, root, "node", args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return []byte(said)
}

// TestTypeScriptClientsSendWhatWasBuilt sends what bindings give through the
// providers' own clients to a server on this machine.
func TestTypeScriptClientsSendWhatWasBuilt(t *testing.T) {
	t.Parallel()
	fixture := filepath.Join("testdata", "project")
	manifest, err := os.ReadFile(filepath.Join(fixture, "prompts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	tsPlace(t, dir, tsPrograms(t, "send.ts"))
	writeFile(t, filepath.Join(dir, "prompts.yaml"), string(manifest)+"bindings: {typescript: src/prompts}\n")
	tsBuild(t, dir)
	tsCompiled(t, dir)
	for _, s := range sdks {
		for _, name := range []string{"brief/dialect=", "chat/assembly=tiered,state=full,dialect="} {
			t.Run(s.dialect+"/"+slug(name), func(t *testing.T) {
				body, stderr, err := run(dir, "show", name+s.dialect)
				if err != nil {
					t.Fatalf("%v\n%s", err, stderr)
				}
				want := decoded(t, bytes.ReplaceAll(body, []byte("{{clock}}"), []byte("noon")))
				s.send = func(_ context.Context, server string, _ []byte) error {
					prompt, _, _ := strings.Cut(name, "/")
					if said, err := tsProgram(t, dir, "node", "out/send.js", s.dialect, prompt, server); err != nil {
						return fmt.Errorf("%w\n%s", err, said)
					}
					return nil
				}
				got := received(t, s, nil)
				adds := s.adds
				if s.dialect == "gemini" {
					adds = [][]string{{"generationConfig"}}
					if prompt, _, _ := strings.Cut(name, "/"); prompt == "brief" {
						adds = append(adds, []string{"contents"}) // which that client asks for
					}
				}
				for _, path := range adds {
					remove(t, got, path)
				}
				if d := diff.Diff(want, any(got)); d != "" {
					t.Errorf("the server gets something else (-built +sent):\n%s", d)
				}
			})
		}
	}
}

// TestTypeScriptExampleOfDocs runs the example of docs/bindings.md, which the tests of
// the documents only build.
func TestTypeScriptExampleOfDocs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "bindings.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(text), "\n## TypeScript\n")
	between := func(start, end string) string {
		_, after, ok := strings.Cut(page, start)
		out, _, closed := strings.Cut(after, end)
		if !ok || !closed {
			t.Fatalf("no %q", start)
		}
		return out
	}
	manifest := between("-- prompts.yaml --\n", "```")
	dir := tsProject(t, manifest, map[string]string{"greet.ts": between("file=greet.ts\n", "```")})
	tsCompiled(t, dir)
	said, err := tsProgram(t, dir, "node", "out/greet.js", "planning")
	if d := diff.Diff(between("greet.js planning\n", "```"), said); err != nil || d != "" {
		t.Errorf("%v (-docs +got):\n%s", err, d)
	}
}
