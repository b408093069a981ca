package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
)

func TestNamesAreSafeEverywhere(t *testing.T) {
	tests := []struct{ name, want string }{
		{"commit", "commit"},
		{"Read_File.v2", "Read_File.v2"},
		{"AGENTS~2", "AGENTS~2"},
		{"app/CLAUDE.md", "app/CLAUDE.md"},
		{".claude/rules/x.md", ".claude/rules/x.md"},
		{"a b", "a%20b"},
		{"a%20b", "a%2520b"},
		{"a@b=c", "a%40b%3Dc"},
		{"grüße", "gr%C3%BC%C3%9Fe"},
		{"../../etc", "%2E%2E/%2E%2E/etc"},
		{".", "%2E"},
		{"/abs", "%/abs"},
		{"a//b", "a/%/b"},
		{"", "%"},
		{"dot.", "dot%2E"},
		{"con", "%63on"},
		{"x/NUL.md/y", "x/%4EUL.md/y"},
		{"lpt9.tar.gz", "%6Cpt9.tar.gz"},
		{"com", "com"},
		{"com10", "com10"},
		{"a:b*c?d\"e<f>g|h\\i", "a%3Ab%2Ac%3Fd%22e%3Cf%3Eg%7Ch%5Ci"},
		{"x.txt/y", "x%2Etxt/y"},
		{"x.JSON/y", "x%2EJSON/y"},
		{"a\nb\x00", "a%0Ab%00"},
		{".git", "%2Egit"},
		{".git/HEAD", "%2Egit/HEAD"},
		{"x/.GIT/y", "x/%2EGIT/y"},
		{".Git.", "%2EGit%2E"},
		{".git. ./x", "%2Egit.%20%2E/x"},
		{".git::$INDEX_ALLOCATION/x", "%2Egit%3A%3A%24INDEX_ALLOCATION/x"},
		{".git\\x", "%2Egit%5Cx"},
		{"git~1/x", "%67it~1/x"},
		{"GIT~1 :s", "%47IT~1%20%3As"},
		{".github/x", ".github/x"},
		{".gitignore", ".gitignore"},
		{".git.txt", ".git.txt"},
		{"git~10", "git~10"},
		{"git", "git"},
	}
	for _, tt := range tests {
		if got := encodeNames([]string{tt.name})[tt.name]; got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNamesThatDifferOnlyInCaseAreToldApart(t *testing.T) {
	got := encodeNames([]string{"exec", "Exec", "EXEC", "Other", "Dir/a", "dir/b"})
	want := map[string]string{
		"exec": "exec", "Exec": "%45xec", "EXEC": "%45%58%45%43", "Other": "Other", "Dir/a": "%44ir/a", "dir/b": "dir/b",
	}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%q: got %q, want %q", name, got[name], w)
		}
	}
}

func TestLongNamesAreCutAndStayDistinct(t *testing.T) {
	long := strings.Repeat("n", 300)
	names := []string{
		long + "1", long + "2", strings.Repeat("d/", 240) + "x", strings.Repeat("d/", 240) + "y",
		strings.Repeat("/", 100_000), strings.Repeat("é", 120) + "a", strings.Repeat("é", 120) + "b",
	}
	seen := map[string]bool{}
	for _, encoded := range encodeNames(names) {
		path := fileName("p/sections/s/"+encoded+"@"+strings.Repeat("axis=value,", 40), ".txt")
		if len(path) > maxRest+maxName+20 || seen[path] {
			t.Errorf("%d bytes, or taken: %q", len(path), path)
		}
		seen[path] = true
		for segment := range strings.SplitSeq(path, "/") {
			if len(segment) > maxName || segment == "" {
				t.Errorf("segment of %d bytes: %q", len(segment), segment)
			}
		}
	}
}

func TestFoldersBesideSectionsAreNotRefusedByGit(t *testing.T) {
	for stem, want := range map[string]string{
		"sections/git~1": "sections/%67it~1", "sections/git~compact": "sections/git~compact", "sections/git": "sections/git",
	} {
		if got := folderOf(stem); got != want {
			t.Errorf("%q: got %q, want %q", stem, got, want)
		}
	}
}

func TestPromptFoldersDoNotHideIndexes(t *testing.T) {
	for id, want := range map[string]string{
		"persona": "persona", "readme.md": "readme%2Emd", "manifest.json": "manifest%2Ejson", "a.txt": "a%2Etxt", "a.b": "a.b",
	} {
		if got := promptFolder(id); got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
}

// FuzzNames holds that names become distinct paths of our own form that no
// file system reads otherwise.
func FuzzNames(f *testing.F) {
	f.Add("exec", "Exec")
	f.Add("../x", "a/b.txt/c")
	f.Add("con.txt", "a%2Fb")
	f.Add("a/", "a")
	f.Add(".git/HEAD", "git~1/x")
	f.Fuzz(func(t *testing.T, one, two string) {
		if one == two {
			return
		}
		got := encodeNames([]string{one, two})
		if lower(got[one]) == lower(got[two]) {
			t.Fatalf("%q and %q both become %q", one, two, got[one])
		}
		rels := []string{fileName("p/legend~"+strings.ReplaceAll(encodeNames([]string{one})[one], "/", "%2F"), ".txt")}
		for _, p := range got {
			rels = append(rels, fileName("p/sections/s/"+p+"@a=b", ".txt"), fileName("p/files/"+p+"~x", ".txt"))
		}
		for _, rel := range rels {
			segments := strings.Split(rel, "/")
			for i := range segments[:len(segments)-1] {
				if formOf(strings.Join(segments[:i+1], "/"), true) != ourFolder {
					t.Fatalf("%q: folder %q has not our form", rel, segments[i])
				}
			}
			if formOf(rel, false) != ourFile {
				t.Fatalf("%q has not our form", rel)
			}
			for _, s := range segments {
				if pathrule.Device(s) || pathrule.Git(s) || strings.HasSuffix(s, ".") || len(s) > maxName {
					t.Fatalf("%q is not safe in %q", s, rel)
				}
			}
		}
	})
}

// rendered makes a rendering from text in which <…> are items; the items'
// names are n0, n1 and so on, or all "n".
func rendered(s string, sameName bool) *assembly.Rendering {
	r := &assembly.Rendering{}
	var b strings.Builder
	start := -1
	for _, c := range s {
		switch {
		case c == '<' && start < 0:
			start = b.Len()
		case c == '>' && start >= 0:
			name := "n"
			if !sameName {
				name = fmt.Sprintf("n%d", len(r.Items))
			}
			r.Items = append(r.Items, assembly.Item{Name: name, Start: start, End: b.Len()})
			start = -1
		default:
			b.WriteRune(c)
		}
	}
	r.Text = ground.Literal(b.String())
	return r
}

func TestFramesNameTheirItems(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain", "plain\n"},
		{"plain ⟨x⟩", "plain ⟨x⟩\n"},
		{"says ⟨items: n0⟩", "says ⟨⟨items: n0⟩\n"},
		{"head\n<a>\n<b>\ntail", "head\n⟨items: n0, n1⟩\ntail\n"},
		{"<a>\n\n<b>", "⟨items: n0, n1; joined by \"\\n\\n\"⟩\n"},
		{"<a>", "⟨items: n0⟩\n"},
		{"<a>\n<b>\n\n<c>", "⟨items: n0, n1⟩\n\n⟨items: n2⟩\n"},
		{"<a>\nand\n<b>", "⟨items: n0⟩\nand\n⟨items: n1⟩\n"},
		{"⟨ <a>", "⟨⟨ ⟨items: n0⟩\n"},
		{"<>\n<a>", "⟨items: n0, n1⟩\n"},
	}
	for _, tt := range tests {
		if got := frameOf(rendered(tt.in, false)).text.Str; got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
	twice := frameOf(rendered("<a>\n<b>", true))
	if twice.text.Str != "⟨items: n, n#2⟩\n" || twice.items[0].name == twice.items[1].name {
		t.Errorf("items of one name: %q", twice.text.Str)
	}
}

func TestOddItemNamesAreQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.md": "a/b.md", "a, b": `"a, b"`, "⟩": `"⟩"`, "": `""`, "a\nb": `"a\nb"`, `"`: `"\""`, "a;": `"a;"`,
	} {
		if got := quoteName(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

// FuzzFrames holds that different renderings are never stored as the same
// files.
func FuzzFrames(f *testing.F) {
	f.Add("⟨items: n0⟩", "<a>")
	f.Add("⟨<a>", "⟨⟨items: n0⟩")
	f.Add("<a>\n<b>", "<a>\n\n<b>")
	f.Add("<a>, <b>", "<a>,  <b>")
	f.Fuzz(func(t *testing.T, one, two string) {
		a, b := rendered(one, false), rendered(two, false)
		if a.Text.Str == b.Text.Str && slices.Equal(a.Items, b.Items) {
			return
		}
		if stored(frameOf(a)) == stored(frameOf(b)) && a.Text.Str != b.Text.Str {
			t.Fatalf("%q and %q are stored alike: %q", a.Text.Str, b.Text.Str, frameOf(a).text.Str)
		}
	})
}

// stored writes all that a frame puts on disk.
func stored(f frame) string {
	out := fmt.Sprintf("%q", f.text.Str)
	for _, item := range f.items {
		out += fmt.Sprintf(" %s %q", item.name, item.text.Str)
	}
	return out
}
