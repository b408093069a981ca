package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/language"
)

// TestNamesOfChecksAreListed holds the table of the families and the programs
// that a manifest may name.
func TestNamesOfChecksAreListed(t *testing.T) {
	page, err := os.ReadFile("manifest.md")
	if err != nil {
		t.Fatal(err)
	}
	var families, presets []string
	for _, f := range language.Families {
		families = append(families, f.Name)
	}
	for _, p := range language.Presets {
		presets = append(presets, p.Name)
	}
	for key, want := range map[string][]string{"families": families, "limits": presets} {
		_, row, _ := strings.Cut(string(page), "\n| `"+key+"` | `")
		row, _, _ = strings.Cut("`"+row, ";")
		var got []string
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row, -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s are %q, want %q", key, got, want)
		}
	}
}
