package token

import (
	_ "embed"
	"fmt"
	"math/bits"
)

//go:generate go run gen.go

// The vocabularies as gen.go writes them, and as they are used: nothing of them
// is parsed. That of fewer users is compressed, which makes the program smaller.
var (
	//go:embed o200k_base.bin
	o200kTables string
	//go:embed cl100k_base.gz
	cl100kPacked string
)

func o200kData() string { return o200kTables }

// unpackCL100K takes some 10 ms.
func unpackCL100K() string {
	tables, err := gunzip(cl100kPacked)
	if err != nil {
		panic(fmt.Sprintf("token: %v", err)) //nolint:forbidigo // unreachable in a sound build, as in load
	}
	return tables
}

// vocab finds the rank of a token by its bytes, in static hash tables without
// collisions. The key chooses a bucket, the pilot of the bucket and the key
// choose the slot, and the slot says whether it is this very token's. Tokens of
// up to 8 bytes stand in their slots; those of longer ones point into text.
//
// The file, little-endian: the header, of 32-bit numbers but for the seed
//
//	buckets and slots of the short tokens, the same of the long ones,
//	bytes of text, bytes of the longest token, tokens, 0, seed (64 bits)
//
// then for short and for long tokens the pilots (16 bits a bucket) and the slots
//
//	short: the token, padded with zeros (64 bits), its length (8), its rank (24)
//	long:  of its hash (16), its length (8), where it is in text (22), its rank (18)
//
// and at last the text.
type vocab struct {
	short, long hashed
	text        string
	longest     int
	seed        uint64
}

// hashed is one of the two tables.
type hashed struct {
	pilots, slots     string
	buckets, capacity uint64
}

const (
	shortest = 8 // bytes that fit into a slot

	headSize  = 40
	pilotSize = 2
	shortSlot = 12
	longSlot  = 8

	// none is the rank of what is no token.
	none = ^uint32(0)
)

// newVocab finds the tables in the data. It costs nothing worth sharing.
func newVocab(data string) *vocab {
	v := &vocab{longest: int(le32(data[20:])), seed: le64(data[32:])}
	rest := data[headSize:]
	v.short, rest = cutTable(rest, data[0:], shortSlot)
	v.long, rest = cutTable(rest, data[8:], longSlot)
	v.text = rest
	return v
}

// cutTable takes a table from the start of data.
func cutTable(data, head string, slot int) (hashed, string) {
	buckets, capacity := int(le32(head)), int(le32(head[4:]))
	pilots, rest := data[:pilotSize*buckets], data[pilotSize*buckets:]
	return hashed{pilots, rest[:slot*capacity], uint64(buckets), uint64(capacity)}, rest[slot*capacity:]
}

// place gives the number of the slot in which a key of this hash may be.
func (t *hashed) place(hash uint64) int {
	bucket := (hash >> 32) * t.buckets >> 32
	pilot := uint64(le16(t.pilots[pilotSize*bucket:]))
	return int(((hash ^ pilot*mixC) * mixA >> 32) * t.capacity >> 32)
}

// rank is the rank of text[start:end] if that is a token, otherwise none.
func (v *vocab) rank(text string, start, end int) uint32 {
	n := end - start
	if n > shortest {
		return v.rankLong(text[start:end])
	}
	var key uint64
	if start+8 <= len(text) {
		key = le64(text[start:]) & (^uint64(0) >> ((64 - 8*uint(n)) & 63))
	} else {
		key = loadLast(text[start:end])
	}
	hash := fold(key^v.seed, mixA+uint64(n)<<1)
	slot := v.short.slots[shortSlot*v.short.place(hash):]
	if meta := le32(slot[8:]); le64(slot) == key && int(meta>>24) == n {
		return meta & (1<<24 - 1)
	}
	return none
}

func (v *vocab) rankLong(key string) uint32 {
	if len(key) > v.longest {
		return none
	}
	hash := v.seed + uint64(len(key))*mixC
	rest := key
	for len(rest) >= 8 {
		hash = fold(hash^le64(rest), mixB)
		rest = rest[8:]
	}
	if len(rest) > 0 {
		hash = fold(hash^le64(key[len(key)-8:]), mixB)
	}
	slot := le64(v.long.slots[longSlot*v.long.place(hash):])
	if slot>>40 != hash&(1<<16-1)<<8|uint64(len(key)) {
		return none
	}
	at := int(slot >> 18 & (1<<22 - 1))
	if v.text[at:at+len(key)] != key {
		return none
	}
	return uint32(slot & (1<<18 - 1))
}

// Multipliers with bits that look random.
const (
	mixA = 0x9E3779B97F4A7C15
	mixB = 0xC2B2AE3D27D4EB4F
	mixC = 0xD6E8FEB86659FD93
)

// fold multiplies two numbers and mixes the halves of what comes out.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// load gives text[start:start+n], for n from 1 to 8, padded with zeros.
func load(text string, start, n int) uint64 {
	if start+8 <= len(text) {
		return le64(text[start:]) & (^uint64(0) >> ((64 - 8*uint(n)) & 63))
	}
	return loadLast(text[start : start+n])
}

// loadLast is load where the text ends within 8 bytes.
func loadLast(part string) uint64 {
	var key uint64
	for i := len(part) - 1; i >= 0; i-- {
		key = key<<8 | uint64(part[i])
	}
	return key
}

// le16, le32 and le64 read little-endian numbers from any place. The compiler
// makes one load of each where the machine can.

func le16(s string) uint16 {
	_ = s[1]
	return uint16(s[0]) | uint16(s[1])<<8
}

func le32(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func le64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
