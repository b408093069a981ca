package render_test

import (
	"encoding/json"
	"encoding/xml"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/render"
	"github.com/promptc-build/promptc/pipeline/assembly/resolve"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/tests/testproject"
)

// eachCorpus runs a test over the files that were written for it, and over those
// that nobody here wrote, where they stand beside the checkout.
func eachCorpus(t *testing.T, test func(t *testing.T, files fs.FS, published bool)) {
	t.Helper()
	t.Run("written", func(t *testing.T) { test(t, os.DirFS(filepath.Join("..", "..", "testdata", "corpora")), false) })
	t.Run("published", func(t *testing.T) {
		dir := filepath.Join("..", "..", "..", "..", "shared", "corpora")
		if _, err := os.Stat(dir); err != nil {
			t.Skip("no corpora beside the repository")
		}
		test(t, os.DirFS(dir), true)
	})
}

// pick gives what is expected of the published files, or of those written here.
func pick(published bool, there, here int) int {
	if published {
		return there
	}
	return here
}

// over is a file system with some files of ours on top.
type over struct {
	top fstest.MapFS
	fs.FS
}

func (o over) Open(name string) (fs.File, error) {
	if _, ok := o.top[name]; ok {
		return o.top.Open(name)
	}
	return o.FS.Open(name)
}

// planOf runs the stages before render over a manifest.
func planOf(t *testing.T, fsys fs.FS, manifest string) *assembly.Plan {
	t.Helper()
	top := testproject.Of("prompts.yaml", manifest)
	if fsys == nil {
		fsys = top
	}
	tree, found, err := load.Run(over{top: top, FS: fsys}, "prompts.yaml", validate.Language{})
	stopOn(t, found, err)
	spec, found := validate.Run(tree)
	stopOn(t, found, nil)
	plan, found := resolve.Run(spec, resolve.Limits{})
	stopOn(t, found, nil)
	return plan
}

func stopOn(t *testing.T, found diag.List, err error) {
	t.Helper()
	if err != nil || found.HasErrors() {
		_, facts := describe(&assembly.Rendering{}, found)
		t.Fatalf("%v\n%s", err, facts)
	}
}

// rendered renders a plan twice and holds what is true of every rendering.
func rendered(t *testing.T, plan *assembly.Plan) ([]*assembly.Rendering, diag.List) {
	t.Helper()
	out, found := render.Run(plan)
	again, _ := render.Run(plan)
	for i, r := range out {
		checkRendering(t, r)
		if r.Text.Str != again[i].Text.Str {
			t.Errorf("unit %d renders differently the second time", i)
		}
	}
	return out, found
}

func TestCorpusSkills(t *testing.T) { eachCorpus(t, checkSkills) }

func checkSkills(t *testing.T, files fs.FS, published bool) {
	t.Helper()
	plan := planOf(t, files, `version: 1
sources:
  skills: {kind: skills, path: "skills/*/*/SKILL.md"}
prompts:
  p:
    sections: [{id: skills, source: skills}]
`)
	out, found := rendered(t, plan)
	stopOn(t, found, nil)
	docs := plan.Units[0].Inputs[0].Docs
	text := out[0].Text.Str
	start, end := strings.Index(text, "<available_skills>"), strings.Index(text, "</available_skills>")
	var listing struct {
		Skills []struct {
			Name string `xml:"name,attr"`
			Path string `xml:"path,attr"`
			Text string `xml:",chardata"`
		} `xml:"skill"`
	}
	if err := xml.Unmarshal([]byte(text[start:end]+"</available_skills>"), &listing); err != nil {
		t.Fatal(err)
	}
	if len(docs) != pick(published, 81, 3) || len(listing.Skills) != len(docs) || len(out[0].Items) != len(docs) {
		t.Fatalf("%d files, %d skills, %d items", len(docs), len(listing.Skills), len(out[0].Items))
	}
	for i, s := range listing.Skills {
		front := docs[i].Front
		if s.Name != front.Field("name").Scalar() || s.Path != docs[i].File.Path ||
			strings.TrimSpace(s.Text) != strings.TrimSpace(front.Field("description").Scalar()) {
			t.Errorf("%s reads back as %q %q", docs[i].File.Path, s.Name, s.Text)
		}
	}
}

func TestCorpusTools(t *testing.T) { eachCorpus(t, checkTools) }

func checkTools(t *testing.T, files fs.FS, published bool) {
	t.Helper()
	plan := planOf(t, files, `version: 1
sources:
  tools: {kind: tools, path: "tools/**/*.json"}
prompts:
  p:
    axes: {form: [native, fallback], style: [moltis, hermes, llama, xml, json]}
    exclude: {form: native, style: {not: moltis}}
    sections:
      - id: tools
        source: tools
        form: "{form}"
        style:
          - {when: {style: hermes}, value: hermes}
          - {when: {style: llama}, value: llama}
          - {when: {style: xml}, value: xml}
          - {when: {style: json}, value: json}
          - {value: moltis}
`)
	out, found := rendered(t, plan)
	stopOn(t, found, nil)
	if len(out) != 6 {
		t.Fatalf("%d renderings", len(out))
	}
	for _, r := range out {
		in := r.Unit.Inputs[0]
		if len(r.Tools) != pick(published, 117, 3) {
			t.Fatalf("%d tools", len(r.Tools))
		}
		switch {
		case in.Form == "native":
			lines := strings.Split(r.Text.Str, "\n")[2:]
			if len(lines) != len(r.Tools) || len(r.Items) > 0 || !r.Beside {
				t.Errorf("%d lines, %d items", len(lines), len(r.Items))
			}
		case len(r.Items) != len(r.Tools) || r.Beside:
			t.Errorf("%s: %d items", in.Style, len(r.Items))
		case in.Style == "moltis" || in.Style == "json":
			checkFences(t, r)
		case in.Style == "hermes":
			for _, it := range r.Items {
				if line := r.Text.Str[it.Start:it.End]; !json.Valid([]byte(line)) {
					t.Errorf("%s is no JSON: %s", it.Name, line)
				}
			}
		}
	}
}

// checkFences reads every fenced block but the call's contract as JSON.
func checkFences(t *testing.T, r *assembly.Rendering) {
	t.Helper()
	blocks := 0
	for i, part := range strings.Split(r.Text.Str, "\n```") {
		if i%2 == 0 {
			continue
		}
		_, body, _ := strings.Cut(part, "\n")
		if strings.Contains(body, "<tool_name>") {
			continue
		}
		blocks++
		if !json.Valid([]byte(body)) {
			t.Errorf("no JSON: %s", body)
		}
	}
	if blocks < 2 {
		t.Errorf("%d blocks", blocks)
	}
}

func TestCorpusRules(t *testing.T) { eachCorpus(t, checkRules) }

func checkRules(t *testing.T, files fs.FS, published bool) {
	t.Helper()
	plan := planOf(t, files, `version: 1
sources:
  rules: {kind: rules, path: ["rules/**/*.mdc", "rules/**/*.instructions.md"]}
prompts:
  p:
    axes: {form: [full, index]}
    sections: [{id: rules, source: rules, form: "{form}"}]
`)
	out, found := rendered(t, plan)
	stopOn(t, found, nil)
	docs := plan.Units[0].Inputs[0].Docs
	if len(docs) < pick(published, 50, 3) || len(out[0].Items) != len(docs) {
		t.Fatalf("%d files, %d items", len(docs), len(out[0].Items))
	}
	for i, it := range out[0].Items {
		if got := out[0].Text.Str[it.Start:it.End]; got != strings.TrimSpace(docs[i].Body.Str) {
			t.Errorf("%s is not its body: %q", it.Name, short(got))
		}
	}
	if lines := strings.Split(out[1].Text.Str, "\n"); len(lines) != len(docs) {
		t.Errorf("the index has %d lines", len(lines))
	}
	if found.Count(diag.Note) == 0 {
		t.Error("no condition is noted, and most of these rules have one")
	}
}

// TestCorpusIdentities: templates for people to fill in say nothing, in any
// language, until somebody does.
func TestCorpusIdentities(t *testing.T) { eachCorpus(t, checkIdentities) }

func checkIdentities(t *testing.T, files fs.FS, published bool) {
	t.Helper()
	paths, err := fs.Glob(files, "persona/openclaw/*/IDENTITY.md")
	if err != nil || len(paths) < pick(published, 6, 2) {
		t.Fatal(paths, err)
	}
	const manifest = `version: 1
sources:
  identity: {kind: identity, path: IDENTITY.md}
prompts:
  p: {sections: [{id: identity, source: identity}]}
`
	for _, path := range paths {
		data, err := fs.ReadFile(files, path)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			string(data): "",
			strings.Replace(string(data), "---\n\n", "---\n\n- **Name:** Momo\n- Emoji: 🐾\n\n", 1): "Your name is Momo 🐾.",
			strings.ReplaceAll("- **name:** Momo\n- **Vibe:** warm,\n  curious\n", "\n", "\r\n"):   "Your name is Momo. Your vibe: warm, curious.",
		} {
			plan := planOf(t, testproject.Of("IDENTITY.md", name), manifest)
			out, found := rendered(t, plan)
			if diff := cmp.Diff(want, out[0].Text.Str); diff != "" {
				t.Errorf("%s: %s", path, diff)
			}
			if want == "" && (len(found) != 1 || found[0].Code != diag.SaysNothing) {
				t.Errorf("%s: %v", path, found)
			}
		}
	}
}
