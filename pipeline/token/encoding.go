package token

import (
	"fmt"
	"sync"

	"github.com/dlclark/regexp2"
	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// encoding is one published byte-pair encoding.
type encoding struct {
	name string
	// table is shared by all counters of the process.
	table func() *table
	// cuts says where its texts may be cut, and is nil when no rule is known.
	cuts cutRule
}

// table is what counting in an encoding needs.
type table struct {
	*tiktoken.Tiktoken
	split *splitter // for what the library is too slow at
}

// The split patterns of the encodings, as published.
const (
	o200kPattern = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	cl100kPattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}` +
		`| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	gpt2Pattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
)

// o200kTable stands apart because two encodings share it: o200k_harmony differs
// from o200k_base in special tokens only, and those are never produced here.
//
//nolint:gochecknoglobals // a table takes 35 to 100 ms and tens of megabytes: one a process
var o200kTable = lazyTable("o200k_base", o200kPattern)

var encodings = []encoding{
	{name: "o200k_base", table: o200kTable, cuts: o200kCut},
	{name: "o200k_harmony", table: o200kTable, cuts: o200kCut},
	{name: "cl100k_base", table: lazyTable("cl100k_base", cl100kPattern), cuts: cl100kCut},
	{name: "p50k_base", table: lazyTable("p50k_base", gpt2Pattern)},
	{name: "r50k_base", table: lazyTable("r50k_base", gpt2Pattern)},
}

// lazyTable returns a function that builds the table on its first call. It goes
// around the library's own cache, whose loader is a variable of the whole
// process and downloads unless somebody replaced it.
func lazyTable(ranks, pattern string) func() *table {
	return sync.OnceValue(func() *table {
		t, err := buildTable(ranks, pattern)
		if err != nil {
			// Only a program built with damaged data gets here: the ranks are
			// embedded and the patterns are constants. A wrong count would be worse.
			panic(fmt.Sprintf("token: %v", err)) //nolint:forbidigo // unreachable in a sound build
		}
		return t
	})
}

// buildTable leaves the special tokens out: a text that spells one, such as
// <|endoftext|>, is ordinary text to this package.
func buildTable(name, pattern string) (*table, error) {
	// The loader keeps only the base name of what looks like an address.
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
	if err != nil {
		return nil, fmt.Errorf("ranks of %s: %w", name, err)
	}
	bpe, err := tiktoken.NewCoreBPE(ranks, nil, pattern)
	if err != nil {
		return nil, fmt.Errorf("table of %s: %w", name, err)
	}
	e := &tiktoken.Encoding{Name: name, PatStr: pattern, MergeableRanks: ranks}
	split, err := regexp2.Compile(pattern, regexp2.None)
	if err != nil {
		return nil, fmt.Errorf("pattern of %s: %w", name, err)
	}
	return &table{tiktoken.NewTiktoken(bpe, e, nil), &splitter{split, ranks}}, nil
}

// scheme makes the encoding countable, with a memory of its own.
func (e encoding) scheme() scheme {
	// EncodeOrdinary alone is right for any text: Encode corrupts texts that
	// spell special tokens, or panics on them.
	count := func(text string) int {
		if text == "" {
			return 0 // spares the table
		}
		if hasLongRun(text, e.cuts) {
			if n, ok := e.table().split.count(text); ok {
				return n
			}
		}
		return len(e.table().EncodeOrdinary(text))
	}
	if e.cuts == nil {
		return newWhole(count)
	}
	return newSeamed(count, e.cuts)
}
