package token

import (
	"fmt"
	"sync"

	"github.com/dlclark/regexp2"
	"github.com/pkoukk/tiktoken-go"
)

// encoding is one published byte-pair encoding.
type encoding struct {
	name string
	// own is where the encoding is counted here, and nil where the reference
	// does it.
	own *own
	// reference is the library's way.
	reference *reference
}

// own is what counting an encoding here takes.
type own struct {
	data  func() string // a vocabulary
	words words
	// cuts says where its texts may be cut.
	cuts cutRule
}

// words names what splits the texts of an encoding.
type words uint8

const (
	o200kWords words = iota
	cl100kWords
)

// The split patterns of the encodings, as published.
const (
	o200kPattern = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	cl100kPattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}` +
		`| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	gpt2Pattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
)

// A reference takes 35 to 100 ms and tens of megabytes, so there is one a process
// of each, made when it is first asked.
var (
	o200kReference  = reference{name: "o200k_base", pattern: o200kPattern, cuts: o200kCut, list: vocabularyRanks(o200kData)}
	cl100kReference = reference{name: "cl100k_base", pattern: cl100kPattern, cuts: cl100kCut, list: vocabularyRanks(cl100k.data)}
	p50kReference   = reference{name: "p50k_base", pattern: gpt2Pattern, list: p50kRanks(p50kCount)}
	r50kReference   = reference{name: "r50k_base", pattern: gpt2Pattern, list: p50kRanks(r50kCount)}
)

// o200k is for two encodings: o200k_harmony differs from o200k_base in special
// tokens only, and those are never produced here.
var (
	o200k  = own{data: o200kData, words: o200kWords, cuts: o200kCut}
	cl100k = own{data: sync.OnceValue(unpackCL100K), words: cl100kWords, cuts: cl100kCut}
)

var encodings = []encoding{
	{name: "o200k_base", own: &o200k, reference: &o200kReference},
	{name: "o200k_harmony", own: &o200k, reference: &o200kReference},
	{name: "cl100k_base", own: &cl100k, reference: &cl100kReference},
	{name: "p50k_base", reference: &p50kReference},
	{name: "r50k_base", reference: &r50kReference},
}

// scheme makes the encoding countable, with a memory of its own.
func (e *encoding) scheme() scheme {
	if e.own == nil {
		return newSeamed(e.reference, gpt2Cut, 1)
	}
	return newSeamed(newEngine(e), e.own.cuts, longSeam)
}

// reference counts in one encoding with tiktoken-go. That is what counting here
// is held against, and the way of the rarer encodings. It goes around the
// library's own cache, whose loader is a variable of the whole process and
// downloads unless somebody replaced it.
type reference struct {
	name, pattern string
	cuts          cutRule // nil when no rule is known
	// list gives the tokens with their ranks.
	list func() (map[string]int, error)

	once    sync.Once
	library *tiktoken.Tiktoken
	split   *regexp2.Regexp
	ranks   map[string]int
}

// load makes the tables on the first call.
func (r *reference) load() {
	r.once.Do(func() {
		if err := r.build(); err != nil {
			// Only a program built with damaged data gets here: the ranks are
			// embedded and the patterns are constants. A wrong count would be worse.
			panic(fmt.Sprintf("token: %v", err)) //nolint:forbidigo // unreachable in a sound build
		}
	})
}

// build leaves the special tokens out: a text that spells one, such as
// <|endoftext|>, is ordinary text to this package.
func (r *reference) build() error {
	ranks, err := r.list()
	if err != nil {
		return fmt.Errorf("ranks of %s: %w", r.name, err)
	}
	bpe, err := tiktoken.NewCoreBPE(ranks, nil, r.pattern)
	if err != nil {
		return fmt.Errorf("table of %s: %w", r.name, err)
	}
	split, err := regexp2.Compile(r.pattern, regexp2.None)
	if err != nil {
		return fmt.Errorf("pattern of %s: %w", r.name, err)
	}
	r.library = tiktoken.NewTiktoken(bpe, &tiktoken.Encoding{Name: r.name, PatStr: r.pattern, MergeableRanks: ranks}, nil)
	r.split, r.ranks = split, ranks
	return nil
}

// count is the number of tokens in a text.
func (r *reference) count(text string) int {
	if text == "" {
		return 0 // spares the tables
	}
	r.load()
	if hasLongRun(text, r.cuts) {
		if tokens, ok := r.tokens(text); ok {
			return len(tokens)
		}
	}
	// EncodeOrdinary alone is right for any text: Encode corrupts texts that
	// spell special tokens, or panics on them.
	return len(r.library.EncodeOrdinary(text))
}

// countBytes is count of text that is not a string yet.
func (r *reference) countBytes(text []byte) int { return r.count(string(text)) }

// tokens lists the tokens of a text, in time O(n log n), and gives false where
// the pattern cannot be matched. Of a text that is no valid UTF-8 only their
// number is right.
func (r *reference) tokens(text string) ([]Token, bool) {
	r.load()
	var all []Token
	at := 0
	m, err := r.split.FindStringMatch(text)
	for m != nil && err == nil {
		piece := m.String()
		for _, t := range r.piece(piece) {
			all = append(all, Token{ID: t.ID, Start: at + t.Start, End: at + t.End})
		}
		at += len(piece)
		m, err = r.split.FindNextMatch(m)
	}
	return all, err == nil
}

func (r *reference) piece(piece string) []Token {
	r.load()
	if id, whole := r.ranks[piece]; whole {
		return []Token{{ID: id, End: len(piece)}}
	}
	var m longMerge
	m.run(ranks{library: r.ranks}, piece)
	var all []Token
	for at := range m.starts() {
		end := int(m.parts[at].next)
		all = append(all, Token{ID: r.ranks[piece[at:end]], Start: at, End: end})
	}
	return all
}

// longRun is the length in bytes from which a text without a safe cut is
// not given to the library, whose merging is quadratic: 100 KB of one character
// take it seconds, 1 MB minutes.
const longRun = 2048

// hasLongRun reports whether a text has so long a stretch without a safe cut.
// Without a rule for cuts every long text counts as one.
func hasLongRun(text string, safe cutRule) bool {
	if len(text) < longRun {
		return false
	}
	if safe == nil {
		return true
	}
	for len(text) >= longRun {
		cut := safe.firstCut(text)
		if cut < 0 || cut >= longRun {
			return true
		}
		text = text[cut:]
	}
	return false
}
