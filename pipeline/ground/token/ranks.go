package token

import (
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strings"
)

// The library is handed the ranks that are in this package already. Those of the
// encodings that are counted here are read from their vocabularies, so that no
// second copy of them is in the program. A test holds all of them against the
// published ones.

// p50kData has the tokens of p50k_base in the order of their ranks, compressed:
// first the length of each in a byte, then the bytes of all. A rank without an
// ordinary token has the length 0. The tokens of r50k_base are the first of them.
//
//go:embed p50k_base.gz
var p50kData string

const (
	p50kCount = 50281
	r50kCount = 50256
)

// vocabularyRanks gives a function that lists the tokens of a vocabulary.
func vocabularyRanks(tables func() string) func() (map[string]int, error) {
	return func() (map[string]int, error) {
		data := tables()
		v := newVocab(data)
		all := make(map[string]int, int(le32(data[24:])))
		for slots := v.short.slots; slots != ""; slots = slots[shortSlot:] {
			// A free slot has the length 0.
			if meta := le32(slots[8:]); meta>>24 > 0 {
				all[slots[:meta>>24]] = int(meta & (1<<24 - 1))
			}
		}
		for slots := v.long.slots; slots != ""; slots = slots[longSlot:] {
			slot := le64(slots)
			if n := int(slot >> 40 & (1<<8 - 1)); n > 0 {
				at := int(slot >> 18 & (1<<22 - 1))
				all[v.text[at:at+n]] = int(slot & (1<<18 - 1))
			}
		}
		return all, nil
	}
}

// p50kRanks gives a function that lists the first tokens of p50k_base.
func p50kRanks(count int) func() (map[string]int, error) {
	return func() (map[string]int, error) {
		data, err := gunzip(p50kData)
		if err != nil {
			return nil, err
		}
		if len(data) < p50kCount {
			return nil, fmt.Errorf("%d bytes are too few for %d tokens", len(data), p50kCount)
		}
		all, text := make(map[string]int, count), data[p50kCount:]
		for rank := range count {
			if n := int(data[rank]); n > 0 {
				all[text[:n]] = rank
				text = text[n:]
			}
		}
		return all, nil
	}
}

func gunzip(data string) (string, error) {
	r, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}
