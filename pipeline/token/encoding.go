package token

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
	data  *string // a vocabulary
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
	o200kReference  = reference{name: "o200k_base", pattern: o200kPattern, cuts: o200kCut}
	cl100kReference = reference{name: "cl100k_base", pattern: cl100kPattern, cuts: cl100kCut}
	p50kReference   = reference{name: "p50k_base", pattern: gpt2Pattern}
	r50kReference   = reference{name: "r50k_base", pattern: gpt2Pattern}
)

// o200k is for two encodings: o200k_harmony differs from o200k_base in special
// tokens only, and those are never produced here.
var (
	o200k  = own{data: &o200kData, words: o200kWords, cuts: o200kCut}
	cl100k = own{data: &cl100kData, words: cl100kWords, cuts: cl100kCut}
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
