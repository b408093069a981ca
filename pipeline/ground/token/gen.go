//go:build ignore

// Command gen writes the tables of this package: a vocabulary for each encoding
// that is counted here, and the list of tokens for those that are not, from the
// published ranks; and the categories of the runes, from the toolchain's Unicode tables.
//
// The ranks are those that tiktoken-go-loader embeds. Their checksums are the
// published ones, and other ranks are refused.
//
// What a vocabulary file looks like is told in vocab.go, what is in
// categories.bin in split.go, and in p50k_base.gz in ranks.go.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// sources are the ranks that become a vocabulary, which may be compressed.
var sources = []struct {
	name, sum string
	packed    bool
}{
	{"o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", false},
	{"cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", true},
}

func main() {
	dir := flag.String("dir", ".", "the folder to write to")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	for _, s := range sources {
		tokens, err := ranks(s.name, s.sum)
		if err != nil {
			return err
		}
		table, err := vocabulary(tokens)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		name := s.name + ".bin"
		if s.packed {
			name = s.name + ".gz"
			if table, err = compress(table); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), table, 0o644); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "categories.bin"), categories(), 0o644); err != nil {
		return err
	}
	tokens, err := ranks("p50k_base", "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069")
	if err != nil {
		return err
	}
	packed, err := list(tokens)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "p50k_base.gz"), packed, 0o644)
}

// list compresses the lengths of the tokens and then their bytes.
func list(tokens []string) ([]byte, error) {
	var lengths []byte
	for _, t := range tokens {
		if len(t) > maxLength {
			return nil, fmt.Errorf("%q does not fit", t)
		}
		lengths = append(lengths, byte(len(t)))
	}
	return compress(append(lengths, strings.Join(tokens, "")...))
}

func compress(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// ranks reads the published file: a token in base64 and its rank on each line,
// in the order of the ranks.
func ranks(name, sum string) ([]string, error) {
	data, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		return nil, err
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != sum {
		return nil, fmt.Errorf("the ranks of %s have the checksum %s, want %s", name, got, sum)
	}
	var tokens []string
	for line := range strings.Lines(string(data)) {
		text, rank, _ := strings.Cut(strings.TrimSpace(line), " ")
		token, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		n, err := strconv.Atoi(rank)
		if err == nil && n == len(tokens)+1 && name == "p50k_base" {
			tokens = append(tokens, "") // the rank of <|endoftext|>, which is no ordinary token
		}
		if err != nil || n != len(tokens) {
			return nil, fmt.Errorf("%s: rank %q is not %d", name, rank, len(tokens))
		}
		tokens = append(tokens, string(token))
	}
	return tokens, nil
}

// Limits of the fields of a vocabulary.
const (
	shortest  = 8 // bytes of the longest token in the short table
	maxRank   = 1<<18 - 1
	maxLength = 1<<8 - 1
	maxOffset = 1<<22 - 1
)

// entry is a token on its way into a hash table: its hash and its slot.
type entry struct {
	hash uint64
	slot []byte
}

func vocabulary(tokens []string) ([]byte, error) {
	const seed = 0x5851F42D4C957F2D
	var short, long []entry
	var text []byte
	longest := 0
	for rank, t := range tokens {
		if rank > maxRank || len(t) > maxLength || len(text) > maxOffset {
			return nil, fmt.Errorf("token %d does not fit in its slot", rank)
		}
		longest = max(longest, len(t))
		if len(t) <= shortest {
			var padded [shortest]byte
			copy(padded[:], t)
			slot := binary.LittleEndian.AppendUint32(padded[:], uint32(len(t)<<24|rank))
			short = append(short, entry{hashShort(binary.LittleEndian.Uint64(padded[:]), len(t), seed), slot})
			continue
		}
		h := hashLong(t, seed)
		slot := h<<48 | uint64(len(t))<<40 | uint64(len(text))<<18 | uint64(rank)
		long = append(long, entry{h, binary.LittleEndian.AppendUint64(nil, slot)})
		text = append(text, t...)
	}
	shortTable, err := perfect(short)
	if err != nil {
		return nil, err
	}
	longTable, err := perfect(long)
	if err != nil {
		return nil, err
	}
	var head []byte
	for _, n := range []int{
		shortTable.buckets, shortTable.slots, longTable.buckets, longTable.slots,
		len(text), longest, len(tokens), 0,
	} {
		head = binary.LittleEndian.AppendUint32(head, uint32(n))
	}
	head = binary.LittleEndian.AppendUint64(head, seed)
	return slices.Concat(head, shortTable.data, longTable.data, text), nil
}

const (
	mixA = 0x9E3779B97F4A7C15
	mixB = 0xC2B2AE3D27D4EB4F
	mixC = 0xD6E8FEB86659FD93
)

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func hashShort(key uint64, length int, seed uint64) uint64 {
	return fold(key^seed, mixA+uint64(length)<<1)
}

func hashLong(token string, seed uint64) uint64 {
	b := []byte(token)
	h := seed + uint64(len(b))*mixC
	for at := 0; at+8 <= len(b); at += 8 {
		h = fold(h^binary.LittleEndian.Uint64(b[at:]), mixB)
	}
	if len(b)%8 != 0 {
		h = fold(h^binary.LittleEndian.Uint64(b[len(b)-8:]), mixB)
	}
	return h
}

func scale(x uint64, n int) int { return int((x >> 32) * uint64(n) >> 32) }

func place(hash uint64, pilot, slots int) int { return scale((hash^uint64(pilot)*mixC)*mixA, slots) }

// hashed is a hash table without collisions: each bucket has a pilot that sends
// its keys to slots of their own.
type hashed struct {
	buckets, slots int
	data           []byte // the pilots, 2 bytes each, then the slots
}

// perfect looks for the pilots, those of the fullest buckets first.
func perfect(entries []entry) (hashed, error) {
	t := hashed{buckets: len(entries)/4 + 1, slots: len(entries) + len(entries)/32 + 1}
	buckets := make([][]entry, t.buckets)
	for _, e := range entries {
		b := scale(e.hash, t.buckets)
		buckets[b] = append(buckets[b], e)
	}
	order := make([]int, t.buckets)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(buckets[b]) - len(buckets[a]) })
	size := len(entries[0].slot)
	pilots, slots := make([]byte, 2*t.buckets), make([]byte, size*t.slots)
	taken := make([]bool, t.slots)
	for _, b := range order {
		pilot, ok := pilotFor(buckets[b], taken)
		if !ok {
			return t, errors.New("no pilot fits: another seed is needed")
		}
		binary.LittleEndian.PutUint16(pilots[2*b:], uint16(pilot))
		for _, e := range buckets[b] {
			copy(slots[size*place(e.hash, pilot, t.slots):], e.slot)
		}
	}
	t.data = append(pilots, slots...)
	return t, nil
}

// pilotFor finds a pilot that sends a bucket to free slots, and takes them.
func pilotFor(bucket []entry, taken []bool) (int, bool) {
	var got []int
	for pilot := range 1 << 16 {
		got = got[:0]
		for _, e := range bucket {
			at := place(e.hash, pilot, len(taken))
			if taken[at] || slices.Contains(got, at) {
				break
			}
			got = append(got, at)
		}
		if len(got) < len(bucket) {
			continue
		}
		for _, at := range got {
			taken[at] = true
		}
		return pilot, true
	}
	return 0, false
}

// The categories, in the order of split.go.
const (
	unsure = iota
	other
	apostrophe
	slash
	mark
	upper
	lower
	caseless
	number
	space
	newline
	nextLine
)

func categoryOf(r rune) byte {
	switch {
	case r == '\r', r == '\n':
		return newline
	case r == '\'':
		return apostrophe
	case r == '/':
		return slash
	case r == '\u0085':
		return nextLine
	case unicode.IsSpace(r):
		return space
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upper
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.IsLetter(r): // Lm, Lo
		return caseless
	case unicode.IsNumber(r):
		return number
	case unicode.IsMark(r):
		return mark
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		return other
	default:
		return unsure
	}
}

// categories is a table in two steps: for each block of 256 runes the number of
// its row, then the distinct rows. The row of ASCII is the first.
func categories() []byte {
	var index, rows []byte
	seen := make(map[string]byte)
	for first := rune(0); first <= unicode.MaxRune; first += 256 {
		row := make([]byte, 256)
		for i := range row {
			row[i] = categoryOf(first + rune(i))
		}
		at, ok := seen[string(row)]
		if !ok {
			at = byte(len(seen))
			seen[string(row)] = at
			rows = append(rows, row...)
		}
		index = append(index, at)
	}
	return append(index, rows...)
}
