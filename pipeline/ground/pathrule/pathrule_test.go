package pathrule_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
)

func TestDevices(t *testing.T) {
	for name, want := range map[string]bool{
		"con": true, "CON": true, "Nul.txt": true, "aux.tar.gz": true, "prn.": true, "com1": true, "LPT9.md": true,
		"com¹": true, "lpt².md": true, "CONIN$": true, "conout$.x": true, "nul .txt": true, "com0": true,
		"": false, "co": false, "icon": false, "console": false, "com": false, "com10": false, "com1a": false,
		"lpt": false, "nulls.txt": false, "con_": false, "x.con": false, "com\xc2": false, "con\n": false,
	} {
		if got := pathrule.Device(name); got != want {
			t.Errorf("Device(%q) = %v", name, got)
		}
	}
}

func TestDevicesAreThoseOfAnExpression(t *testing.T) {
	expr := regexp.MustCompile(`(?is)^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?$`)
	pieces := []string{"con", "PRN", "Aux", "nul", "com", "LPT", "1", "9", "²", "¹", "in$", "OUT$", " ", ".", "txt", "\n", "é", "ſ", "\u212a", "\xc2", "\xb2"}
	random, matched := rand.New(rand.NewPCG(1, 2)), 0
	for range 100_000 {
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		got, want := pathrule.Device(b.String()), expr.MatchString(b.String())
		if got != want {
			t.Fatalf("%q: %v, %s says otherwise", b.String(), got, expr)
		}
		if got {
			matched++
		}
	}
	if matched < 100 {
		t.Errorf("%s matched %d texts", expr, matched)
	}
}

func TestNamesOfGit(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, ".GIT": true, ".gIt": true, "git~1": true, "GIT~1": true, ".git.": true, ".git ": true, ".git . .": true,
		"git~1.": true, ".git::$INDEX_ALLOCATION": true, ".git:x": true, ".git . :x": true, `.git\config`: true,
		".g\u200cit": true, "\ufeff.git": true, ".git\u200f": true, ".g\u202ai\u206ft": true,
		"": false, "git": false, ".gitignore": false, ".gitattributes": false, ".github": false, "a.git": false, "git~2": false,
		".git x": false, ".git.x": false, ". git": false, " .git": false, ".g\u00adit": false, ".g\xffit": false, ".gıt": false, "git~10": false,
	} {
		if got := pathrule.Git(name); got != want {
			t.Errorf("Git(%q) = %v", name, got)
		}
		for _, path := range []string{name, "a/" + name, name + "/b", "a/" + name + "/b"} {
			if got := pathrule.InGit(path); got != want {
				t.Errorf("InGit(%q) = %v", path, got)
			}
		}
	}
}

func TestWhatNotEverySystemCanHave(t *testing.T) {
	const character, dropped = "holds-odd-character", "name-ends-in-dot"
	const device, git = "name-of-device", "lies-in-git"
	for name, want := range map[string]string{
		"a": "", "dist": "", ".hidden": "", "ä b": "", "icon": "", "a.b": "",
		"a:b": character, `a\b`: character, "a*": character, "a\nb": character, "a\x00": character, "a\x7f": character,
		"nul": device, "CON.txt": device, ".GIT": git, "git~1": git, ".git ": git, "out.": dropped, "out ": dropped,
	} {
		if got := pathrule.Refused(name); got != want {
			t.Errorf("Refused(%q) = %q, want %q", name, got, want)
		}
	}
}
