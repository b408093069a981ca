package lint

import (
	"strconv"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// TestAPatternMeetsEachFileOnce: what rows cost does not grow with the findings
// of a file, nor with the prompts that these are about.
func TestAPatternMeetsEachFileOnce(_ *testing.T) {
	glob := ground.Word{Str: strings.Repeat("{a,aa,aaa}*", 6) + "b"} // 729 patterns
	spec := &language.Spec{}
	for range 13 { // as many as all rows may have
		spec.Checks = append(spec.Checks, &language.Setting{Codes: []ground.Word{{Str: "PC6035"}}, Level: language.CountsAsWarning, Paths: []ground.Word{glob}})
	}
	var found diag.List
	for i := range 2_000 {
		f := &diag.File{Path: strings.Repeat("a", 60) + strconv.Itoa(i%20) + ".md", Text: "x"}
		found = append(found, diag.Diagnostic{Code: "PC6035", Span: diag.Whole(f), Prompts: []string{strconv.Itoa(i)}})
	}
	Settle(spec, found, SeenAll)
}
