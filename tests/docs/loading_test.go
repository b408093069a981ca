package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// loadCase is a call of a loader.
type loadCase struct {
	ID           string
	Axes, Values map[string]string
	want         *string // nil for an error
}

// The programs call a loader for every case and print the texts as JSON, null for
// an error.
var loadDrivers = []struct{ program, file, text string }{
	{"node", "drive.mjs", `import { readFileSync } from "node:fs";
import { load } from "./prompts.mjs";
const out = JSON.parse(readFileSync("cases.json")).map((c) => {
  try { return load("dist", c.ID, c.Axes, c.Values); } catch (e) { if (!(e instanceof TypeError)) return null; throw e; }
});
console.log(JSON.stringify(out));
`},
	{"python3", "drive.py", `import json
from prompts import load
out = []
for c in json.load(open("cases.json", encoding="utf-8")):
    try:
        out.append(load("dist", c["ID"], c["Axes"], c["Values"]))
    except ValueError:
        out.append(None)
print(json.dumps(out))
`},
	{"go", "drive.go", `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var cases []struct {
		ID           string
		Axes, Values map[string]string
	}
	data, _ := os.ReadFile("cases.json")
	_ = json.Unmarshal(data, &cases)
	out := make([]*string, len(cases))
	for i, c := range cases {
		if text, err := load(os.DirFS("dist"), c.ID, c.Axes, c.Values); err == nil {
			out[i] = &text
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(out)
}
`},
}

// TestLoadersAgree runs the loaders of loading.md over this repository's own
// prompts: they give the same texts, and an error for what is wrong.
func TestLoadersAgree(t *testing.T) {
	depend(t)
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the examples are written for sh, which is not here")
	}
	e := &example{dir: t.TempDir()}
	for _, name := range []string{"sources", "snapshots"} {
		e.copy(t, filepath.Join("..", name), name)
	}
	manifest, err := os.ReadFile(filepath.Join("..", "prompts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	e.write(t, "prompts.yaml", string(manifest))
	if out := e.shell(t, "promptc build >/dev/null 2>&1"); out != "" {
		t.Fatal(out)
	}
	page, err := os.ReadFile("loading.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(page), "\n")
	for _, b := range blocks(t, "loading.md", lines) {
		if name := b.info["file"]; strings.HasPrefix(name, "prompts.") && name != "prompts.yaml" {
			e.write(t, name, b.content(lines))
		}
	}
	cases := e.loadCases(t)
	e.mustLoad(t, "as built", cases)

	dist := filepath.Join(e.dir, "dist")
	built := files(t, dist)
	for i := range cases {
		cases[i].want = nil
	}
	for name, text := range built {
		if strings.HasSuffix(name, ".txt") {
			middle := len(text) / 2
			e.write(t, "dist/"+name, text[:middle]+string(text[middle]^1)+text[middle+1:])
		}
	}
	e.mustLoad(t, "a changed byte", cases)
	for name, text := range built {
		e.write(t, "dist/"+name, text)
	}
	e.write(t, "dist/manifest.json", strings.Replace(built["manifest.json"], `"version": 2`, `"version": 3`, 1))
	e.mustLoad(t, "another version", cases)
}

// loadCases gives a case for every text of the example, and some that are wrong.
func (e *example) loadCases(t *testing.T) []loadCase {
	t.Helper()
	var m struct {
		Prompts []struct {
			ID       string
			Slots    []struct{ Name string }
			Variants []struct {
				Values        map[string]string
				File, Dialect string
			}
		}
	}
	built := files(t, filepath.Join(e.dir, "dist"))
	if err := json.Unmarshal([]byte(built["manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	var out []loadCase
	slots := 0
	for _, p := range m.Prompts {
		values, filled := map[string]string{}, []string{}
		for _, s := range p.Slots {
			values[s.Name] = "é {{" + p.Slots[0].Name + "}} 🐦"
			filled = append(filled, "{{"+s.Name+"}}", values[s.Name])
		}
		for _, v := range p.Variants {
			if v.Dialect != "" {
				continue
			}
			text := built[v.File]
			want := strings.NewReplacer(filled...).Replace(text)
			out = append(out, loadCase{p.ID, v.Values, values, &want})
			if want != text {
				slots++
				name := p.Slots[0].Name
				lacking := map[string]string{}
				for _, s := range p.Slots[1:] {
					lacking[s.Name] = values[s.Name]
				}
				if strings.Contains(text, "{{"+name+"}}") {
					out = append(out, loadCase{p.ID, v.Values, lacking, nil})
				}
			}
		}
		out = append(out, loadCase{p.ID, map[string]string{"no-such-axis": "x"}, values, nil})
	}
	if slots == 0 {
		t.Error("no text has a slot")
	}
	return append(out, loadCase{"no-such-prompt", map[string]string{}, map[string]string{}, nil})
}

// mustLoad holds what the loaders give.
func (e *example) mustLoad(t *testing.T, what string, cases []loadCase) {
	t.Helper()
	text, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	e.write(t, "cases.json", string(text))
	want := make([]*string, len(cases))
	for i, c := range cases {
		want[i] = c.want
	}
	for _, d := range loadDrivers {
		if _, err := exec.LookPath(d.program); err != nil {
			t.Logf("%s: not run without %s", d.file, d.program)
			continue
		}
		e.write(t, d.file, d.text)
		command := map[string]string{"node": "node drive.mjs", "python3": "python3 -B drive.py", "go": "go run drive.go prompts.go"}[d.program]
		printed := e.shell(t, command)
		var got []*string
		if err := json.Unmarshal([]byte(printed), &got); err != nil {
			t.Fatalf("%s, %s: %v\n%s", what, command, err, printed)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", what, command, diff)
		}
	}
}
