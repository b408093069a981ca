package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/tests/testproject"
)

func billionLaughs() string {
	var b strings.Builder
	b.WriteString("x-a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "x-a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	return b.String()
}

func manyKeys(n int) string {
	var b strings.Builder
	b.WriteString("version: 1\nx-keys:\n")
	for i := range n {
		fmt.Fprintf(&b, "  k%d: v\n", i)
	}
	return b.String()
}

func TestHostileFilesAreRefused(t *testing.T) {
	tests := map[string]struct {
		name, text string
		want       diag.Code // "" for none
	}{
		"billion laughs":     {"prompts.yaml", billionLaughs(), diag.TooComplex},
		"deep flow":          {"prompts.yaml", strings.Repeat("[", 500_000), diag.TooComplex},
		"deep flow mapping":  {"prompts.yaml", strings.Repeat("{a: ", 200_000), diag.TooComplex},
		"deep block":         {"prompts.yaml", strings.Repeat("- ", 500_000) + "x", diag.TooComplex},
		"deep question":      {"prompts.yaml", strings.Repeat("? ", 500_000) + "x", diag.TooComplex},
		"wide flow":          {"prompts.yaml", "a: [" + strings.Repeat("x,", 500_000) + "]", diag.TooComplex},
		"wide empty":         {"prompts.yaml", "a: [" + strings.Repeat("{},", 300_000) + "]", diag.TooComplex},
		"one long line":      {"prompts.yaml", "a: [" + strings.Repeat("日本, ", 24_000) + "]", ""},
		"one long pair line": {"prompts.yaml", "a: {" + strings.Repeat("x, ", 1) + strings.Repeat(" ", 900_000) + "}", ""},
		"forty thousand":     {"prompts.yaml", manyKeys(40_000), ""},
		"more keys":          {"prompts.yaml", manyKeys(60_000), diag.TooComplex},
		"many comments":      {"prompts.yaml", "version: 1\n" + strings.Repeat("# c\n", 250_000), ""},
		"comments in list":   {"prompts.yaml", "a:\n" + strings.Repeat("- x # c\n# d\n", 40_000), ""},
		"comments in flow":   {"prompts.yaml", "a: [\n" + strings.Repeat("x, # c\n", 40_000) + "]", ""},
		"anchors":            {"prompts.yaml", "a:\n" + strings.Repeat("- &a x\n", 40_000), ""},
		"aliases":            {"prompts.yaml", "a: &a x\nb: [" + strings.Repeat("*a, ", 20_000) + "]", diag.TooComplex},
		"long scalar":        {"prompts.yaml", "a: " + strings.Repeat("x ", 500_000), ""},
		"long quoted":        {"prompts.yaml", "a: \"" + strings.Repeat("\\n", 500_000) + "\"", ""},
		"long folded":        {"prompts.yaml", "a: >\n" + strings.Repeat("  x\n\n", 150_000), ""},
		"plain blanks":       {"prompts.yaml", "a: x" + strings.Repeat(" ", 1_000_000) + "x", ""},
		"plain tabs":         {"prompts.yaml", "a: x" + strings.Repeat("\t", 1_000_000) + "x", ""},
		"blanks per word":    {"prompts.yaml", "a: x" + strings.Repeat(strings.Repeat(" ", 1000)+"x", 1000), ""},
		"quoted blanks":      {"prompts.yaml", "a: \"" + strings.Repeat(" ", 1_000_000) + "\"", ""},
		"single blanks":      {"prompts.yaml", "a: '" + strings.Repeat(" \t", 500_000) + "'", ""},
		"escaped blanks":     {"prompts.yaml", "a: \"\\\n" + strings.Repeat(" ", 1_000_000) + "\"", ""},
		"quoted breaks":      {"prompts.yaml", "a: \"x" + strings.Repeat("\n ", 500_000) + "\"", ""},
		"folded blanks":      {"prompts.yaml", "a: >\n  x" + strings.Repeat(" ", 1_000_000) + "\n  x\n", ""},
		"folded empty lines": {"prompts.yaml", "a: >\n  x\n" + strings.Repeat("\n", 1_000_000) + "  x\n", ""},
		"folded deep lines":  {"prompts.yaml", "a: >\n  x\n" + strings.Repeat("\n   x\n", 120_000) + "  x\n", ""},
		"blanks in front":    {"a.md", "---\nname: x" + strings.Repeat(" ", 1_000_000) + "x\n---\nx\n", ""},
		"open quote":         {"prompts.yaml", strings.Repeat("a: \"", 200_000), diag.YAMLSyntax},
		"open braces":        {"prompts.yaml", strings.Repeat("{", 60) + strings.Repeat("a, ", 300_000), diag.YAMLSyntax},
		"colons":             {"prompts.yaml", strings.Repeat(":", 1_000_000), ""},
		"blanks":             {"prompts.yaml", strings.Repeat(" ", 1_000_000), diag.NotMapping},
		"tabs":               {"prompts.yaml", strings.Repeat("\t", 1_000_000) + "a", diag.YAMLSyntax},
		"documents":          {"prompts.yaml", "a: b\n" + strings.Repeat("---\n", 250_000), diag.YAMLFeature},
		"deep json":          {"a.json", strings.Repeat("[", 500_000), diag.TooComplex},
		"deep closed json":   {"a.json", strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000), diag.TooComplex},
		"wide json":          {"a.json", "[" + strings.Repeat("1,", 400_000) + "1]", diag.TooComplex},
		"open json":          {"a.json", "[\"" + strings.Repeat("x", 1_000_000), diag.JSONSyntax},
		"repeated keys":      {"a.json", `{"x": "` + strings.Repeat("x", 600_000) + `", "a": 1` + strings.Repeat(`, "a": 1`, 45_000) + "}", diag.RepeatedKey},
		"quotes":             {"a.md", strings.Repeat(">", 1_000_000), diag.TooComplex},
		"list markers":       {"a.md", strings.Repeat("- ", 500_000) + "x", diag.TooComplex},
		"steps":              {"a.md", steps(400), diag.TooComplex},
		"list items":         {"a.md", strings.Repeat("- a: b\n", 100_000), ""},
		"link openers":       {"a.md", strings.Repeat("[a](", 200_000), ""},
		"blanks in json":     {"a.json", "[" + strings.Repeat(" ", 1_000_000) + "]", ""},
		"half characters":    {"a.json", "[\"" + strings.Repeat(`\ud800`, 150_000) + "\"]", diag.JSONSyntax},
		"halves in YAML":     {"prompts.yaml", "a: \"" + strings.Repeat(`\ud800`, 150_000) + "\"", diag.YAMLSyntax},
		"pairs in YAML":      {"prompts.yaml", "a: [" + strings.Repeat(`"\ud83d\ude00\ud83d\ude00", `, 35_000) + "]", ""},
		"pairs elsewhere":    {"prompts.yaml", "a: [" + strings.Repeat(`'\ud83d\ude00', `, 49_000) + "]", ""},
		"blanks text json":   {"a.json", "[\"" + strings.Repeat(" ", 1_000_000) + "\"]", ""},
		"definitions":        {"a.md", strings.Repeat("[a]: b\n", 100_000), ""},
		"comments":           {"a.md", strings.Repeat("<!-- -->", 120_000), ""},
		"open comments":      {"a.md", strings.Repeat("<!-- --><!--", 80_000), diag.CommentUnterminated},
		"open comment":       {"a.md", strings.Repeat("<!--", 200_000), diag.CommentUnterminated},
		"fences":             {"a.md", strings.Repeat("---\n", 200_000), ""},
		"markers":            {"a.md", strings.Repeat("<<<<<<< a\n=======\n", 50_000), ""},
		"conflicts":          {"a.md", strings.Repeat("<<<<<<< a\n=======\n>>>>>>> b\n", 30_000), diag.ConflictMarkers},
		"bad bytes":          {"a.md", strings.Repeat("\xff", 1_000_000), diag.NotText},
		"mebibyte":           {"a.md", strings.Repeat("x", 1<<20), ""},
		"more":               {"a.md", strings.Repeat("x", 1<<20+1), diag.FileTooLarge},
		"large manifest":     {"prompts.yaml", strings.Repeat("#", 1<<20+1), diag.FileTooLarge},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			texts := map[string]string{"prompts.yaml": "sources: {a: {kind: identity, path: a.md}, b: {kind: tools, path: a.json}}"}
			texts[test.name] = test.text
			_, found := runOn(t, testproject.From(texts))
			if test.want == "" && found.HasErrors() || test.want != "" && (len(found) == 0 || found[0].Code != test.want) {
				t.Errorf("want %q, got:\n%.300s", test.want, lines(found))
			}
		})
	}
}

// steps is a list whose every line goes one level deeper.
func steps(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}
