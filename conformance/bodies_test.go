package conformance_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEveryArtifactSurvivesItsSDK reads every JSON artifact with the types of
// its provider, writes it again, and finds nothing lost.
func TestEveryArtifactSurvivesItsSDK(t *testing.T) {
	seen := map[string]int{}
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			dialects := map[string]string{} // by file
			for _, v := range p.variants {
				dialects[v.File] = v.Dialect
			}
			for _, file := range jsonFiles(t, p) {
				dialect := dialects[file]
				if lookup(dialect) == nil {
					t.Errorf("%s: the manifest gives the dialect %q, which no SDK here speaks", file, dialect)
					continue
				}
				body, err := os.ReadFile(filepath.Join(p.dir, "dist", filepath.FromSlash(file)))
				if err != nil {
					t.Fatal(err)
				}
				seen[dialect]++
				t.Run(slug(file), func(t *testing.T) { survives(t, dialect, body) })
			}
		})
	}
	for _, s := range sdks {
		if seen[s.dialect] == 0 {
			t.Errorf("no artifact is in the dialect %q", s.dialect)
		}
	}
}

// jsonFiles lists the JSON artifacts below dist: not what describes them, nor
// the schemas beside texts.
func jsonFiles(t *testing.T, p project) []string {
	t.Helper()
	dist := os.DirFS(filepath.Join(p.dir, "dist"))
	var files []string
	err := fs.WalkDir(dist, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		artifact := strings.HasSuffix(path, ".json") && !strings.HasSuffix(path, ".tools.json") && path != "manifest.json"
		if !d.IsDir() && artifact {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// survives holds that a body is the same after its provider's types had it.
func survives(t *testing.T, dialect string, body []byte) {
	t.Helper()
	again, err := lookup(dialect).reread(body)
	if err != nil {
		t.Fatalf("the SDK does not take it: %v", err)
	}
	if diff := cmp.Diff(known(t, dialect, body), decoded(t, again)); diff != "" {
		t.Errorf("the SDK changes it (-built +read and written):\n%s", diff)
	}
}

// decoded gives the value of a body. Numbers are those of float64, as the
// types have them in schemas: 1.0 and 1 are equal.
func decoded(t *testing.T, body []byte) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("no JSON: %v\n%s", err, body)
	}
	return value
}

// known gives the value of a body without the extension of a dialect:
// OpenAI's own types have no markers, gateways that speak its dialect do.
func known(t *testing.T, dialect string, body []byte) any {
	t.Helper()
	value := decoded(t, body)
	if dialect == "openai-chat" {
		unmark(value.(map[string]any)["messages"])
	}
	return value
}

// unmark removes the markers of cache breakpoints from messages.
func unmark(value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			unmark(item)
		}
	case map[string]any:
		delete(v, "cache_control")
		unmark(v["content"])
	}
}

// refusals are the conversions that a provider would refuse: a tool's schema has
// `anyOf` at its root, which only Gemini takes.
var refusals = []struct {
	project, variant string
	dialects         []string
}{
	{"fixture", "odd", []string{"openai-chat", "openai-responses", "anthropic"}},
}

// isRefused looks a conversion up.
func isRefused(project, variant, dialect string) bool {
	for _, r := range refusals {
		if r.project == project && r.variant == variant {
			return slices.Contains(r.dialects, dialect)
		}
	}
	return false
}

// TestEveryVariantConverts asks for every variant in every dialect; those of the
// repository, which are many and alike, take turns. What is refused says why, and
// prints nothing.
func TestEveryVariantConverts(t *testing.T) {
	for _, p := range projects {
		for i, v := range p.variants {
			for j, s := range sdks {
				if p.name == "repository" && (i+i/len(sdks)+j)%len(sdks) != 0 {
					continue
				}
				t.Run(p.name+"/"+slug(v.Name)+"/"+s.dialect, func(t *testing.T) {
					t.Parallel()
					body, stderr, err := run(p.dir, "show", "--dialect", s.dialect, v.Name)
					switch expected := isRefused(p.name, v.Name, s.dialect); {
					case expected && err == nil:
						t.Error("it is not refused any more: take it off the list")
					case expected && (len(body) > 0 || !strings.Contains(stderr, "error[PC")):
						t.Errorf("refused without a reason, or with output:\n%s\n%s", stderr, body)
					case !expected && err != nil:
						t.Errorf("promptc show: %v\n%s", err, stderr)
					case !expected:
						survives(t, s.dialect, body)
					}
				})
			}
		}
	}
}

// TestShowPrintsTheArtifact holds that show and build agree on every byte.
func TestShowPrintsTheArtifact(t *testing.T) {
	for _, p := range projects {
		for _, v := range p.variants {
			t.Run(p.name+"/"+slug(v.Name), func(t *testing.T) {
				t.Parallel()
				built, err := os.ReadFile(filepath.Join(p.dir, "dist", filepath.FromSlash(v.File)))
				if err != nil {
					t.Fatal(err)
				}
				shown, stderr, err := run(p.dir, "show", v.Name)
				if err != nil {
					t.Fatalf("promptc show: %v\n%s", err, stderr)
				}
				if diff := cmp.Diff(string(built), string(shown)); diff != "" {
					t.Errorf("-built +shown:\n%s", diff)
				}
			})
		}
	}
}

// TestUnknownKeysAreFound holds that the comparison bites, wherever a key
// stands.
func TestUnknownKeysAreFound(t *testing.T) {
	bodies := map[string][]string{
		"openai-chat": {
			`{"messages":[{"role":"user","content":"x"}],"foreign":1}`,
			`{"messages":[{"role":"user","content":"x","foreign":1}]}`,
			`{"messages":[{"role":"user","content":[{"type":"text","text":"x","foreign":1}]}]}`,
			`{"messages":[],"tools":[{"type":"function","function":{"name":"x","foreign":1}}]}`,
		},
		"openai-responses": {
			`{"input":[{"role":"user","content":"x"}],"foreign":1}`,
			`{"input":[{"role":"user","content":"x","foreign":1}]}`,
			`{"input":[{"role":"user","content":[{"type":"input_text","text":"x","foreign":1}]}]}`,
			`{"tools":[{"type":"function","name":"x","parameters":{},"strict":false,"foreign":1}]}`,
		},
		"anthropic": {
			`{"messages":[],"foreign":1}`,
			`{"system":[{"type":"text","text":"x","foreign":1}]}`,
			`{"messages":[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral","foreign":1}}]}]}`,
			`{"messages":[],"tools":[{"name":"x","input_schema":{"type":"object"},"foreign":1}]}`,
		},
		"gemini": {
			`{"contents":[],"foreign":1}`,
			`{"contents":[{"role":"user","foreign":1}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"x","foreign":1}]}]}`,
			`{"tools":[{"functionDeclarations":[{"name":"x","foreign":1}]}]}`,
		},
	}
	for _, s := range sdks {
		for _, body := range bodies[s.dialect] {
			again, err := s.reread([]byte(body))
			if err == nil && cmp.Equal(decoded(t, []byte(body)), decoded(t, again)) {
				t.Errorf("%s: the foreign key survives in %s", s.dialect, body)
			}
		}
		if len(bodies[s.dialect]) == 0 {
			t.Errorf("%s is not tried", s.dialect)
		}
	}
}
