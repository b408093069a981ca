package token

import (
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"unicode"

	"github.com/dlclark/regexp2"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// ours are the encodings that are counted here, each once.
func ours() []*encoding { return []*encoding{&encodings[0], &encodings[2]} }

func TestCommittedTablesAreWhatTheProgramWrites(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "run", "gen.go", "-dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	written, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var committed []string
	for _, pattern := range []string{"*.bin", "*.gz"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		committed = append(committed, names...)
	}
	if len(written) != len(committed) || len(written) != 4 {
		t.Errorf("%d tables are written, %d are here, want 4", len(written), len(committed))
	}
	for _, name := range committed {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".gz" { // another toolchain may compress in another way
			got, want = unpacked(t, got), unpacked(t, want)
		}
		if string(got) != string(want) {
			t.Errorf("%s is not what gen.go writes: run go generate ./pipeline/ground/token", name)
		}
	}
}

func unpacked(t *testing.T, data []byte) []byte {
	t.Helper()
	text, err := gunzip(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(text)
}

// TestRanksAreThePublishedOnes compares what the library is handed with the
// files that OpenAI publishes, of which the loader's module has copies.
func TestRanksAreThePublishedOnes(t *testing.T) {
	for _, e := range encodings {
		want, err := loader.NewOfflineLoader().LoadTiktokenBpe(e.reference.name + ".tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.reference.list()
		if err != nil {
			t.Fatal(err)
		}
		if len(want) < 50_000 || !maps.Equal(got, want) {
			t.Errorf("%s: the ranks (%d) are not the published ones (%d)", e.name, len(got), len(want))
		}
	}
}

func TestVocabularyHasTheRanksOfTheReference(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 7))
	for _, e := range ours() {
		e.reference.load()
		v := newVocab(e.own.data())
		check := func(text string) {
			want := none
			if rank, ok := e.reference.ranks[text]; ok {
				want = uint32(rank)
			}
			// At the end of a text and inside one, which is read another way.
			if got := v.rank(text, 0, len(text)); got != want {
				t.Fatalf("%s: %q has rank %d, want %d", e.name, text, got, want)
			}
			if got := v.rank("\xff"+text+"\xffwhat follows", 1, 1+len(text)); got != want {
				t.Fatalf("%s: %q has rank %d inside a text, want %d", e.name, text, got, want)
			}
		}
		if len(e.reference.ranks) < 100_000 {
			t.Fatalf("%s: %d ranks", e.name, len(e.reference.ranks))
		}
		for text := range e.reference.ranks {
			check(text)
			check(text + "\x00")
			check(text[1:])
			check(text[:len(text)-1])
			changed := []byte(text)
			changed[random.IntN(len(changed))] ^= 1 << random.IntN(8)
			check(string(changed))
		}
		for range 200_000 {
			bytes := make([]byte, 1+random.IntN(12))
			for i := range bytes {
				bytes[i] = byte(random.Uint32())
			}
			check(string(bytes))
		}
		check(string(make([]byte, v.longest+1)))
	}
}

func TestCategoriesAreThoseOfTheToolchain(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		got := set(1) << categoryOf(r)
		for _, tt := range []struct {
			name string
			in   set
			want bool
		}{
			{"letter", letters, unicode.Is(unicode.L, r)},
			{"number", numbers, unicode.Is(unicode.N, r)},
			{"mark", mk, unicode.Is(unicode.M, r)},
			{"capital", up, unicode.In(r, unicode.Lu, unicode.Lt)},
			{"small letter", lo, unicode.Is(unicode.Ll, r)},
			{"letter without case", cl, unicode.In(r, unicode.Lm, unicode.Lo)},
			{"white space", spaces, unicode.Is(unicode.White_Space, r)},
			{"line end", newlines, r == '\r' || r == '\n'},
			{"next line", ne, r == '\u0085'},
			{"apostrophe", ap, r == '\''},
			{"slash", sl, r == '/'},
			{"punctuation or symbol", ot | ap | sl, unicode.In(r, unicode.P, unicode.S)},
		} {
			if got&tt.in != 0 != tt.want {
				t.Fatalf("%U: that it is a %s is %v", r, tt.name, !tt.want)
			}
		}
		if r < 0x80 && byteSets[r] != got {
			t.Errorf("%U has another set as a byte", r)
		}
	}
	for b := 0x80; b < 0x100; b++ {
		if byteSets[b] != wi {
			t.Errorf("byte %#x is ASCII", b)
		}
	}
}

// TestSetsAreThoseOfThePatterns holds the sets against what the regular
// expressions of the library make of each rune.
func TestSetsAreThoseOfThePatterns(t *testing.T) {
	for _, tt := range []struct {
		class string
		set   set
	}{
		{`\p{L}`, letters},
		{`\p{N}`, numbers},
		{`[\r\n]`, newlines},
		{`\s`, spaces},
		{`[^\s\p{L}\p{N}]`, symbols},
		{`[^\r\n\p{L}\p{N}]`, prefixes},
		{`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, heads},
		{`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`, tails},
	} {
		pattern := regexp2.MustCompile(`\A`+tt.class+`\z`, regexp2.None)
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if r >= 0x3400 && r%16 != 0 && categoryOf(r) == categoryOf(r-1) {
				continue // the wide middle of ideographs and of private use
			}
			want, err := pattern.MatchRunes([]rune{r})
			if err != nil {
				t.Fatal(err)
			}
			if got := set(1)<<categoryOf(r)&tt.set != 0; got != want {
				t.Fatalf("%U in %s is %v, want %v", r, tt.class, got, want)
			}
		}
	}
}
