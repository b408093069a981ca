package markdown_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/markdown"
)

// marks says of each line what it is: f of a fence, i indented code, a digit
// for a heading, u and a digit for one that the next line underlines, n for
// what is nested.
func marks(text string) string {
	var out []string
	for _, line := range markdown.Lines(text) {
		s := ""
		if line.Fenced {
			s += "f"
		}
		if line.Indented {
			s += "i"
		}
		if line.Heading > 0 {
			s += strconv.Itoa(line.Heading)
		}
		if line.Underlined > 0 {
			s += fmt.Sprint("u", line.Underlined)
		}
		if line.Heading > 0 && line.Nested {
			s += "n"
		}
		out = append(out, s+".")
	}
	return strings.Join(out, "")
}

func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  ".",
		"a\n":                               "..",
		"# a\n## b ##\n#c\n#\n####### d":    "1.2..1..",
		"   # a\n\n    # b":                 "1..i.",
		"```md\n# a\n```\n# b":              "f.f.f.1.",
		"```` \n```\n# a\n````\n# b":        "f.f.f.f.1.",
		"~~~\n```\n~~~\n# a":                "f.f.f.1.",
		"# a\n```\n# b\n":                   "1.f.f..",
		"``` a`b\n# b":                      ".1.",
		"- x\n  ```\n  # a\n  ```\n# b":     ".f.f.f.1.",
		"- x\n  ```\nout\n# b":              ".f..1.",
		"> ```\n> # a\n# b":                 "f.f.1.",
		"- # a\n  # b":                      "1n.1n.",
		"a\n===\n\nb\n---":                  "u1...u2..",
		"a\n\n    b\n\n    c\n\nd\n    e":   "..i.i.i.i...",
		"- x\n\n      a\n\n    b":           "..i.i..",
		"<rules>\n# a\n```\n</rules>\n```":  ".1.f.f.f.",
		"<!--\n# a\n-->":                    ".1..",
		strings.Repeat(">", 101) + " # a":   ".",
		strings.Repeat("> ", 99) + "# a":    "1n.",
		strings.Repeat("- ", 200) + "\n# a": ".1.",
	} {
		if diff := cmp.Diff(want, marks(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestOpenFence(t *testing.T) {
	for text, want := range map[string]int{
		"": -1, "a": -1, "```": 0, "a\n```\nb": 2, "a\n```\n\n": 2, "```\n```": -1, "```\na\n```\n\nb": -1, "~~~\n```": 0, "> ```\n> a\n\nb": -1, "```\n```\n```": 8,
	} {
		if got := markdown.OpenFence(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestBullets(t *testing.T) {
	text := "1. no\n\n- a\n  b\n\n  c\n- d\n  - no\n- ```\n  no\n  ```\n\n> - no\n"
	var got []string
	bullets, deep := markdown.Bullets(text)
	for _, lines := range bullets {
		var words []string
		for _, l := range lines {
			words = append(words, strings.TrimSpace(text[l.Start:l.End]))
		}
		got = append(got, strings.Join(words, "|"))
	}
	if diff := cmp.Diff([]string{"a|b", "d"}, got); diff != "" || deep != nil {
		t.Error(diff)
	}
}

func TestCodeSpans(t *testing.T) {
	for line, want := range map[string][]string{
		"a `b` `` c`d `` e": {"`b`", "`` c`d ``"},
		"a `b ``c":          nil,
		"`a``b`":            {"`a``b`"},
	} {
		var got []string
		for _, s := range markdown.CodeSpans(line) {
			got = append(got, line[s.Start:s.End])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	}
}

// TestHostileTexts does not end within the time that a test has, should a form
// of text be read more often than once.
func TestHostileTexts(t *testing.T) {
	for _, unit := range []string{"> ", ">\n", "- ", "- a\n\n", "1. ", "\t- ", "> - ", "```\n", "a\n-\n", "    x\n", "<a>\n", "[a](", "`", "* * "} {
		text := strings.Repeat(unit, 1<<16/len(unit))
		lines := markdown.Lines(text)
		if last := lines[len(lines)-1].End; last != len(text) {
			t.Errorf("%q: %d of %d bytes", unit, last, len(text))
		}
		markdown.Bullets(text)
		markdown.CodeSpans(text)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("# a\n- ```\n  b\n\n> c\n---\n\td\n~~~\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines := markdown.Lines(text)
		at := 0
		for _, line := range lines {
			if line.Start != at || line.End < at || line.End < len(text) && text[line.End] != '\n' {
				t.Fatalf("%q: %+v at %d", text, line, at)
			}
			at = line.End + 1
		}
		markdown.Bullets(text)
		if at := markdown.OpenFence(text); at >= len(text) && at > 0 {
			t.Fatal(at)
		}
	})
}
