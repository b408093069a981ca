package token

import (
	"cmp"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// rounds is how often something is tried: less often under the race detector,
// which is slow and not about the results.
func rounds(n int) int {
	if Raced {
		return (n + 7) / 8
	}
	return n
}

// checkAgrees holds counter and list of tokens against the library's. It reports
// whether they agree.
func checkAgrees(t *testing.T, e *encoding, engine *engine, text string) bool {
	t.Helper()
	e.reference.load()
	want := e.reference.library.EncodeOrdinary(text)
	if got := engine.count(text); got != len(want) {
		t.Errorf("%s: %d tokens, the library says %d: %+.200q (%d bytes)", e.name, got, len(want), text, len(text))
		return false
	}
	if !utf8.ValidString(text) {
		return true
	}
	got := make([]int, 0, len(want))
	at := 0
	for _, token := range engine.tokens(text) {
		if token.Start != at || token.End <= at {
			t.Errorf("%s: a token has the bytes %d to %d, after %d: %+.200q", e.name, token.Start, token.End, at, text)
			return false
		}
		at = token.End
		got = append(got, token.ID)
	}
	if at != len(text) || !slices.Equal(got, want) {
		t.Errorf("%s: tokens %v, the library says %v: %+.200q", e.name, got, want, text)
		return false
	}
	return true
}

func TestCountAgreesOnReferenceTexts(t *testing.T) {
	for _, e := range ours() {
		engine := newEngine(e)
		texts := append(longTexts(), referenceTexts(t)...)
		for i := 0; i < len(texts); i += len(texts) / rounds(len(texts)/3) {
			checkAgrees(t, e, engine, texts[i])
		}
	}
}

func TestCountAgreesOnTreacherousTexts(t *testing.T) {
	atoms := append(treacherous(), "\xff", "\xe6\x97", "\xed\xa0\x80", "\xed\xb0\x80", "\xf0\x9f", "\x80", "\xf4\x90\x80\x80", "\xc0\x80")
	random := rand.New(rand.NewPCG(4, 5))
	for _, e := range ours() {
		engine := newEngine(e)
		for _, a := range atoms {
			for _, n := range []int{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 40, 41, 130} {
				checkAgrees(t, e, engine, strings.Repeat(a, n))
				checkAgrees(t, e, engine, "x"+strings.Repeat(a, n)+"y")
			}
		}
		for range rounds(8_000) {
			checkAgrees(t, e, engine, jumble(random, atoms, 12))
		}
		for range rounds(80) {
			checkAgrees(t, e, engine, jumble(random, atoms, 400))
		}
	}
}

// TestCountAgreesOnAnyLongPiece is about merging: pieces that the patterns do not
// split, around the lengths at which the way of merging changes.
func TestCountAgreesOnAnyLongPiece(t *testing.T) {
	alphabets := []string{"ab", "etaoinshrdlu", "abcdefghijklmnopqrstuvwxyz", "ABCabc", "漢字仮名交文東京大学", "กขคงจฉชซ", "éèêàùç", "ЖЗИКЛМН", "-=_*#", "=", " \t", "🙂🔥✨"}
	random := rand.New(rand.NewPCG(6, 7))
	for _, e := range ours() {
		engine := newEngine(e)
		for i := range rounds(1500) {
			runes := []rune(alphabets[i%len(alphabets)])
			var b strings.Builder
			for range 1 + random.IntN(60) {
				b.WriteRune(runes[random.IntN(len(runes))])
			}
			checkAgrees(t, e, engine, b.String())
		}
	}
}

// TestCountAgreesOnTheSourceOfGo takes pieces, of at most 16 KB, of the files of the
// standard library: as many bytes as PROMPTC_TOKEN_BYTES says, a quarter of a megabyte
// by default.
func TestCountAgreesOnTheSourceOfGo(t *testing.T) {
	limit, err := strconv.Atoi(cmp.Or(os.Getenv("PROMPTC_TOKEN_BYTES"), "250000"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no source of Go: ", err)
	}
	var files []string
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(out)), "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read is no text to count
		}
		if d.Type().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(8, uint64(limit)))
	random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for _, e := range ours() {
		seen, size := checkFiles(t, e, files, random, limit)
		t.Logf("%s: %d files of %d, %d bytes", e.name, seen, len(files), size)
	}
}

// checkFiles counts the files in pieces, of limit bytes altogether.
func checkFiles(t *testing.T, e *encoding, files []string, random *rand.Rand, limit int) (seen, size int) {
	t.Helper()
	engine := newEngine(e)
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		text := string(data)
		for text != "" {
			if size >= limit {
				return seen, size
			}
			n := min(len(text), 1+random.IntN(16<<10))
			for n < len(text) && n > 1 && !utf8.RuneStart(text[n]) {
				n--
			}
			if !checkAgrees(t, e, engine, text[:n]) {
				t.Fatal(path)
			}
			size += n
			text = text[n:]
		}
		seen++
	}
	return seen, size
}

// fuzzCount counts what the fuzzer makes up, and a text whose bytes each stand
// for something treacherous.
func fuzzCount(f *testing.F, e *encoding) {
	f.Helper()
	atoms := treacherous()
	for _, a := range atoms {
		f.Add([]byte("x" + a + "'s " + a + a + "1/\n" + a))
	}
	engine := newEngine(e)
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), 2000)] // the library is quadratic in unbroken runs
		checkAgrees(t, e, engine, string(data))
		var b strings.Builder
		for _, c := range data[:min(len(data), 400)] {
			b.WriteString(atoms[int(c)%len(atoms)])
		}
		checkAgrees(t, e, engine, b.String())
	})
}

func FuzzCountAgreesO200k(f *testing.F) { fuzzCount(f, ours()[0]) }

func FuzzCountAgreesCl100k(f *testing.F) { fuzzCount(f, ours()[1]) }
