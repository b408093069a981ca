package load_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

const lfsPointer = "version https://git-lfs.github.com/spec/v1\n" +
	"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

func TestPointersOfGitLFSAreWarnings(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"a pointer", lfsPointer, true},
		{"as Windows checks it out", strings.ReplaceAll(lfsPointer, "\n", "\r\n"), true},
		{"with an extension", strings.Replace(lfsPointer, "oid", "ext-0-foo sha256:00\noid", 1), true},
		{"without its last line break", strings.TrimSuffix(lfsPointer, "\n"), true},
		{"behind other text", "See:\n" + lfsPointer, false},
		{"without a size", strings.Replace(lfsPointer, "size 12345\n", "", 1), false},
		{"with a size in words", strings.Replace(lfsPointer, "12345", "large", 1), false},
		{"with a short id", strings.Replace(lfsPointer, "4d7a", "", 1), false},
		{"with another hash", strings.Replace(lfsPointer, "sha256:", "md5:", 1), false},
		{"a text about pointers", lfsPointer + strings.Repeat("More about it.\n", 100), false},
		{"the first line alone", "version https://git-lfs.github.com/spec/v1\n", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, found := readAs(t, "text", "a.md", test.text)
			warned := false
			for _, d := range found {
				warned = warned || d.Code == diag.LFSPointer && d.Level == diag.Warning && d.Span.File.Path == "a.md"
			}
			if warned != test.want {
				t.Errorf("warned: %v, want %v\n%s", warned, test.want, lines(found))
			}
			if doc == nil || !strings.Contains(doc.Body.Str, "git-lfs") {
				t.Errorf("the text is not used as it is: %v", doc)
			}
		})
	}
}

func TestPointerInTheManifestsStead(t *testing.T) {
	_, found := runManifest(t, lfsPointer)
	if got := lines(found); !strings.Contains(got, string(diag.LFSPointer)) || !found.HasErrors() {
		t.Errorf("findings:\n%s", got)
	}
}
