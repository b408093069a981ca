package load_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestFindings runs load over each archive in testdata and compares the
// findings with the archive's file "findings". An archive may hold several
// manifests NAME.yaml, each read alone with all other files.
func TestFindings(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts := map[string]string{}
			want := ""
			for i, f := range archive.Files {
				if f.Name == "findings" {
					want = string(f.Data)
					archive.Files = archive.Files[:i]
					break
				}
				texts[f.Name] = string(f.Data)
			}
			_, found := runOn(t, testproject.From(texts))
			got := explained(found)
			if *update {
				archive.Files = append(archive.Files, txtar.File{Name: "findings", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

// explained gives findings with their details and hints.
func explained(found diag.List) string {
	var b strings.Builder
	for _, d := range found {
		b.WriteString(line(d) + "\n")
		for _, detail := range wording.Detail(d) {
			b.WriteString("  " + detail + "\n")
		}
		b.WriteString("  hint: " + wording.Hint(d) + "\n")
	}
	return b.String()
}
