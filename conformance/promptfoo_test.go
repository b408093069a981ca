package conformance_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// promptfoo is the real one, of the version in testdata/promptfoo/package.json. It
// takes minutes and 2 GB to install, so that only make promptfoo does.
func promptfoo(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("promptfoo is started by a shell script")
	}
	program, err := filepath.Abs("testdata/promptfoo/node_modules/.bin/promptfoo")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("promptfoo is not installed: run make promptfoo")
	}
	return program
}

// evaluated has promptfoo evaluate the prompts of a project, and gives what its echo
// provider got, by the names of variants.
func evaluated(t *testing.T, dir string, args ...string) map[string]string {
	t.Helper()
	program := promptfoo(t)
	config, stderr, err := run(dir, "list", "--format", "promptfoo")
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "promptfooconfig.cjs"), config, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{"eval", "-o", "out.json", "--no-cache", "--no-write", "--no-table", "--no-progress-bar", "--no-share"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PROMPTFOO_CONFIG_DIR="+t.TempDir(), "PROMPTFOO_DISABLE_TELEMETRY=1", "PROMPTFOO_DISABLE_UPDATE=1")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Results struct {
			Results []struct {
				Prompt   struct{ Label string }
				Response struct{ Output string }
			}
		}
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range out.Results.Results {
		got[r.Prompt.Label] = r.Response.Output
	}
	return got
}

// written makes a project of files and builds it.
func written(t *testing.T, files map[string]string) *project {
	t.Helper()
	p := &project{from: filesIn(t, files), parts: []string{"."}}
	if err := p.build(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	return p
}

// templates has all that promptfoo takes for templates, separators and files, and JSON
// that it would lay out anew.
var templates = map[string]string{
	"prompts.yaml": `version: 1
artifacts: dist
slots:
  clock: {example: "{{ 1+1 }} o'clock {% raw %} {{other}}", max_tokens: 20}
  notes: {example: "", max_tokens: 20, optional: true}
  os: {example: linux, max_tokens: 20, optional: true}
sources: {facts: {kind: runtime, path: facts.yaml, expand: true}}
prompts:
  text:
    sections: &sections
      - {id: intro, path: intro.txt}
      - {id: notes, text: "Notes: {{notes}}", expand: true}
      - {id: clock, text: "Ümlaut {{clock}}.", expand: true}
      - {id: facts, source: facts}
  body:
    dialect: openai-chat
    sections: *sections
  first:
    sections:
      - {id: notes, text: "Notes: {{notes}}", expand: true}
      - {id: more, text: "More: {{notes}}", expand: true}
      - {id: clock, text: "It is {{clock}}.", expand: true}
      - {id: end, text: "{{notes}}", expand: true}
`,
	"facts.yaml": "host: {host: \"{{notes}}\", os: \"{{os}}\", shell: \"{{notes}}\"}\nsandbox: {mode: \"{{notes}}\"}\n",
	"intro.txt":  "Hello {{ 7*7 }} {% if x %}a{% endif %}\n{# open\n{{ open\n{{{ x {##}\n---\nfile://etc\u2028\n",
}

// The module by itself gives the same, once what it quotes is taken back. Every
// kind of block, in every dialect, is in the fixture.
func TestModuleForPromptfooFillsArtifacts(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	for _, p := range []*project{&projects[1], written(t, templates)} {
		config, stderr, err := run(p.dir, "list", "--format", "promptfoo")
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr)
		}
		if err := os.WriteFile(filepath.Join(p.dir, "module.cjs"), config, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("node", "-e", `
const { prompts, defaultTest } = require('./module.cjs');
const plain = (text) => text.replace(/^\{##\}/, '').replace(/\{\{'(.)'\}\}/g, '$1');
console.log(JSON.stringify(Object.fromEntries(prompts.map((p) => [p.label, plain(p.function(defaultTest))]))));`)
		cmd.Dir = p.dir
		said, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		var got map[string]string
		if err := json.Unmarshal(said, &got); err != nil {
			t.Fatal(err)
		}
		p.comparedWithShow(t, got)
	}
}

// The module refuses what nobody built, and a slot without a value.
func TestModuleForPromptfooRefuses(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	p := written(t, templates)
	config, _, err := run(p.dir, "list", "--format", "promptfoo")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "module.cjs"), config, 0o644); err != nil {
		t.Fatal(err)
	}
	says := func(vars, want string) {
		t.Helper()
		cmd := exec.Command("node", "-e", "require('./module.cjs').prompts[0].function({ vars: "+vars+" })")
		cmd.Dir = p.dir
		if said, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(said), want) {
			t.Errorf("%v, want %q:\n%s", err, want, said)
		}
	}
	says("{notes: ''}", "Error: text needs a value for the slot clock: put it into vars")
	says("{notes: '', clock: '9', os: 'a | b'}", `Error: text: the value of the slot os has a line break or " | "`)
	if err := os.WriteFile(filepath.Join(p.dir, "dist", "text", "text.txt"), []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	says("{}", "was changed since it was built: run promptc build")
}

func (p *project) comparedWithShow(t *testing.T, got map[string]string) {
	t.Helper()
	if len(got) != len(p.variants) {
		t.Errorf("%s: %d of %d variants", p.name, len(got), len(p.variants))
	}
	for _, v := range p.variants {
		want, stderr, err := run(p.dir, "show", "--example", v.Name)
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr)
		}
		if d := cmp.Diff(string(want), got[v.Name]); d != "" {
			t.Errorf("%s (-want +got):\n%s", v.Name, d)
		}
	}
}

func TestPromptfooGetsTheBytes(t *testing.T) {
	promptfoo(t)
	for _, p := range []*project{&projects[0], &projects[1], written(t, templates)} {
		p.comparedWithShow(t, evaluated(t, p.dir))
	}
}

func TestPromptfooEvaluatesWhatAChangeAffects(t *testing.T) {
	promptfoo(t)
	p := written(t, map[string]string{
		"prompts.yaml": "version: 1\nartifacts: dist\nprompts:\n  agent:\n    axes: {mode: [ask, edit], tier: [1, 2]}\n" +
			"    sections:\n      - {id: role, path: \"{mode}.md\"}\n  agent-2:\n    sections: [{id: role, path: ask.md}]\n",
		"ask.md": "Answer.\n", "edit.md": "Edit.\n",
	})
	if err := os.WriteFile(filepath.Join(p.from, "edit.md"), []byte("Edit the file.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	head := &project{from: p.from, parts: p.parts}
	if err := head.build(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	affected, stderr, err := run(head.dir, "diff", "--against", p.dir, "--format", "affected")
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	names := strings.Fields(string(affected))
	slices.Sort(names)
	if want := []string{"agent/mode=edit,tier=1", "agent/mode=edit,tier=2"}; !slices.Equal(names, want) {
		t.Fatalf("affected: %q", names)
	}
	var got []string
	for name := range evaluated(t, head.dir, "--filter-prompts", "^("+strings.Join(names, "|")+")$") {
		got = append(got, name)
	}
	slices.Sort(got)
	if !slices.Equal(got, names) {
		t.Errorf("evaluated: %q", got)
	}
}
