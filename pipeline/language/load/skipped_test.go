package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// detailed gives findings with their details.
func detailed(t *testing.T, dir string) string {
	t.Helper()
	_, found, err := load.Run(open(t, dir), "prompts.yaml", validate.Language{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, d := range found {
		b.WriteString(line(d) + "\n")
		for _, detail := range wording.Detail(d) {
			b.WriteString("  " + detail + "\n")
		}
		if wording.Hint(d) == "" {
			t.Errorf("no hint: %s", line(d))
		}
	}
	return b.String()
}

func TestLinksThatCannotMatchAreNotNoted(t *testing.T) {
	dir, _ := folder(t, map[string]string{
		"prompts.yaml": "sources:\n  a: {kind: text, path: \"**/a.md\"}\n  b: {kind: text, path: \"d/**/*.py\"}\n",
		"a.md":         "a", "d/b.py": "b",
	})
	link(t, dir, map[string]string{
		"other.md": "../x.md", "data.json": "/x.json", "notes.TXT": "/x", "tool": "/usr/bin/tool", "v1.2": "../v1.2",
		"d/far": "../../far", "d/more": "../../more", "d/c.py": "../../x.py", "e/a.md": "../../a.md",
	})
	want := `prompts.yaml:2:25: error[PC1017]: "e/a.md" leaves the manifest's folder through a symbolic link
prompts.yaml:2:25: note[PC1017]: not looked into: "d/c.py", "d/far", "d/more" and 2 more, which leaves the manifest's folder through a symbolic link
prompts.yaml:3:25: error[PC1017]: "d/c.py" leaves the manifest's folder through a symbolic link
prompts.yaml:3:25: note[PC1017]: not looked into: "d/far", "d/more", which leaves the manifest's folder through a symbolic link
`
	if d := cmp.Diff(want, detailed(t, dir)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestNamesThatAreNotUTF8(t *testing.T) {
	dir, _ := folder(t, map[string]string{
		"prompts.yaml": `sources:
  a: {kind: text, path: "n/*"}
  b: {kind: text, path: "n/*.md"}
  c: {kind: text, path: "**/a.md"}
  d: {kind: text, path: "*/a.md"}
  e: {kind: text, path: "l/*"}
  f: {kind: context, path: w}
`,
		"a.md": "a", "n/ok.md": "ok", "w/AGENTS.md": "w", "w/.claude/rules/ok.md": "ok",
	})
	for _, name := range []string{"n/\xff.txt", "q\xff/a.md", "w/.claude/rules/\xfe.md"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Skipf("no such names here: %v", err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Skipf("no such names here: %v", err)
		}
	}
	link(t, dir, map[string]string{"l/link.md": "../n/\xff.txt"})
	want := `prompts.yaml:2:25: error[PC1018]: "n/\xff.txt" has a name that is not UTF-8
prompts.yaml:4:25: note[PC1018]: not looked into: "q\xff", which has a name that is not UTF-8
prompts.yaml:5:25: error[PC1018]: "q\xff" has a name that is not UTF-8
prompts.yaml:6:25: error[PC1018]: "l/link.md" is a symbolic link to a name that is not UTF-8
prompts.yaml:7:28: error[PC1018]: "w/.claude/rules/\xfe.md" has a name that is not UTF-8
`
	if d := cmp.Diff(want, detailed(t, dir)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
