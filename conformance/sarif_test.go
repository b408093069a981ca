package conformance_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// sarifSchema is the official schema: testdata/sarif/README.md says where it is
// from.
const sarifSchema = "testdata/sarif/sarif-schema-2.1.0.json"

// sarifLog is what of a log the tests look at beyond its form.
type sarifLog struct {
	Runs []struct {
		Results []struct {
			RuleID    string
			Locations []struct {
				PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
			}
			PartialFingerprints map[string]string
			Suppressions        []struct{ Kind, Justification string }
		}
	}
}

// scanned are the projects that are checked: files by name, the findings that a
// log has to have, by rule, and the files that they are in.
var scanned = []struct {
	name  string
	files map[string]string
	built bool // before edit
	edit  map[string]string
	rules []string
	paths []string
}{
	{
		name: "clean", built: true,
		files: map[string]string{"prompts.yaml": small, "a.md": "One sentence.\n"},
	},
	{
		name:  "never built",
		files: map[string]string{"prompts.yaml": small, "a.md": "One sentence.\n"},
		rules: []string{"drift"}, paths: []string{"prompts.yaml"},
	},
	{
		name: "drift", built: true,
		files: map[string]string{"prompts.yaml": small, "a.md": "One sentence.\n"},
		edit:  map[string]string{"a.md": "Another sentence: 世 🦊.\n"},
		rules: []string{"drift"}, paths: []string{"a.md"},
	},
	{
		name:  "errors in the manifest",
		files: map[string]string{"prompts.yaml": "version: 1\nsnapshots: {\"ful\\n[x](1) {0}\": 1}\nprompts: {p: {sections: [{id: a, sourc: b}]}}\n"},
		rules: []string{"PC2001", "PC2001"}, paths: []string{"prompts.yaml", "prompts.yaml"},
	},
	{
		name: "over budget and stale artifacts", built: true,
		files: map[string]string{"prompts.yaml": small + "artifacts: dist\n", "a.md": "One sentence.\n"},
		edit: map[string]string{
			"prompts.yaml": strings.Replace(small, "sections", "budget: {tokens: 1}, sections", 1) + "artifacts: dist\n",
			"dist/p/p.txt": "old\n",
		},
		rules: []string{"PC5001", "PC7008"}, paths: []string{"prompts.yaml", "prompts.yaml"},
	},
	{
		name:  "findings that settings leave out",
		files: map[string]string{"prompts.yaml": silencing, "a.md": "One sentence.\n"},
		rules: []string{"PC5004", "PC5004", "drift", "PC6003"}, paths: slices.Repeat([]string{"prompts.yaml"}, 4),
	},
	{
		name:  "hostile file names",
		files: hostileFiles(),
		rules: slices.Repeat([]string{"PC1002"}, len(hostileNames)), paths: hostileNames,
	},
}

const small = "version: 1\nprompts: {p: {sections: [{id: a, path: a.md}]}}\n"

// silencing is a manifest with a finding that is off, and two that are errors.
const silencing = `version: 1
checks: [{code: PC6003, level: off, reason: "the second [x](1) comes later"}, {code: PC5004, level: error}]
prompts: {p: {axes: {m: [a, b]}, budget: {tokens: 10, warn_at: 10%}, sections: [{id: a, path: a.md}]}}
`

// hostileNames are files that cannot stand in a URI as they are. Windows has no
// such names.
var hostileNames = []string{"a b.md", "a#b.md", "a%20b.md", "a?b.md", "a:b.md", "a\"b.md", "a\nb.md", "$(id).md", "::error::x.md", "[l](1).md", "世🦊.md", "<b>.md"}

// hostileFiles is a project whose sources all have a conflict to be told of.
func hostileFiles() map[string]string {
	out := map[string]string{"prompts.yaml": "version: 1\nsources: {r: {kind: rules, path: \"*.md\"}}\nprompts: {p: {sections: [{id: a, source: r}]}}\n"}
	for _, name := range hostileNames {
		out[name] = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
	}
	return out
}

func TestSARIFHasTheFormOfTheStandard(t *testing.T) {
	schema := standard(t)
	for _, c := range scanned {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && c.name == "hostile file names" {
				t.Skip("no such names on Windows")
			}
			dir := t.TempDir()
			write(t, dir, c.files)
			if c.built {
				if _, stderr, err := run(dir, "build"); err != nil {
					t.Fatalf("%v\n%s", err, stderr)
				}
			}
			write(t, dir, c.edit)
			for _, command := range []string{"check", "build"} {
				text, stderr, _ := run(dir, command, "--format", "sarif") // findings are exit status 1
				log := valid(t, schema, text, stderr)
				if command == "check" {
					has(t, log, c.rules, c.paths)
				}
			}
		})
	}
	for _, p := range projects {
		text, stderr, _ := run(p.dir, "check", "--format", "sarif")
		valid(t, schema, text, stderr)
	}
}

// A log that is wrong has to be found wrong, or the other test shows nothing.
func TestTheSchemaOfSARIFIsChecked(t *testing.T) {
	schema := standard(t)
	for _, text := range []string{
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"a"}},"results":[{"message":{"text":"a"},"level":"bad"}]}]}`,
		`{}`, `{"version":"2.1.0","runs":[{}]}`, `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"a"}},"results":[{}]}]}`,
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"a"}},"results":[{"message":{"text":"a"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a%%"}}}]}]}]}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if schema.Validate(v) == nil {
			t.Errorf("%s is valid", text)
		}
	}
}

func standard(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(sarifSchema)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	const id = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	if err := c.AddResource(id, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// valid holds a log against the schema and what code scanning asks for beyond.
func valid(t *testing.T, schema *jsonschema.Schema, text []byte, stderr string) sarifLog {
	t.Helper()
	var v any
	var log sarifLog
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v in %s%s", err, text, stderr)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%#v\n%s", err, text)
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte(`: ""`)) {
		t.Errorf("an empty string in %s", text)
	}
	seen := map[string]bool{}
	for _, r := range log.Runs[0].Results {
		print := r.PartialFingerprints["primaryLocationLineHash"]
		if seen[print] || print == "" {
			t.Errorf("the fingerprint %q twice, or none", print)
		}
		seen[print] = true
		if len(r.Locations) != 1 {
			t.Errorf("a result of %s with %d locations", r.RuleID, len(r.Locations))
		}
	}
	return log
}

// has compares the rules and files of a log's results with those that it has to
// have, in any order.
func has(t *testing.T, log sarifLog, rules, paths []string) {
	t.Helper()
	var want, got []string
	for i := range rules {
		want = append(want, rules[i]+" "+paths[i])
	}
	for _, r := range log.Runs[0].Results {
		uri := r.Locations[0].PhysicalLocation.ArtifactLocation.URI
		path, err := url.PathUnescape(uri)
		if err != nil || strings.ContainsAny(uri, " #?:\"<>[]\n") {
			t.Errorf("%q is no relative reference: %v", uri, err)
		}
		got = append(got, r.RuleID+" "+path)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("results\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
