// Package slugs makes ids of names and texts: letters, digits and hyphens.
package slugs

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// maxEntryID is how long the id of an entry may be, and unnamedEntry is that of
// words without letters.
const (
	maxEntryID   = 48
	unnamedEntry = "entry"
)

// EntryIDs gives the value of an axis for each text that stands for it in the
// names of entries; the texts are distinct. A text that can be a value is its
// own; of any other the words are written as an id. It hangs on no position: two
// that would have the same id both have a hash of their text behind it.
func EntryIDs(texts []string) map[string]string {
	out := make(map[string]string, len(texts))
	taken := map[string]bool{}
	var open []string
	for _, t := range texts {
		if axispattern.IsAxisValue(t) {
			out[t] = t
			taken[strings.ToLower(t)] = true
		} else {
			open = append(open, t)
		}
	}
	for _, digits := range []int{0, entryDigits, 2 * sha256.Size} {
		count := map[string]int{}
		for _, t := range open {
			out[t] = entryID(t, digits)
			count[out[t]]++
		}
		var again []string
		for _, t := range open {
			if count[out[t]] > 1 || taken[out[t]] {
				again = append(again, t)
			}
		}
		for id := range count {
			taken[id] = true
		}
		open = again
	}
	return out
}

// EntryID gives the ids that a text in the names of entries may have: the one
// with its hash, which no other text has, and the short one, which may be that of
// several texts.
func EntryID(text string) (short, hashed string) {
	return entryID(text, 0), entryID(text, entryDigits)
}

// entryDigits is how long the hash in an id is.
const entryDigits = 6

// entryID writes words as an id, with so many digits of a hash of all of them
// behind it. One that is too long has a hash in any case, and of the words the
// first and the last: names that begin alike are told apart by their ends.
func entryID(words string, digits int) string {
	id, isCut := Slug(words, maxEntryID, unnamedEntry)
	if digits == 0 && !isCut {
		return id
	}
	sum := sha256.Sum256([]byte(words))
	hash := hex.EncodeToString(sum[:])[:max(digits, entryDigits)]
	room := maxEntryID - 1 - entryDigits
	if len(id) > room || isCut {
		whole, _ := Slug(words, axispattern.MaxName, unnamedEntry)
		id = ends(whole, room)
	}
	return id + "-" + hash[:min(len(hash), axispattern.MaxAxisValue-1-len(id))]
}

// ends shortens an id to its first words and its last.
func ends(id string, most int) string {
	head := max(strings.LastIndexByte(id[:most/2], '-'), 0)
	last := id[len(id)-most+head:]
	tail := strings.IndexByte(last, '-')
	if head == 0 || tail < 0 { // a word that is too long
		return strings.TrimRight(id[:most], "-")
	}
	return id[:head] + last[tail:]
}

// Slug makes an id of words, of at most so many bytes: the letters and digits of
// English as they are, those with marks without, and others by their code
// points, so that an id hangs on nothing but the words. unnamed is that of words
// without any. isCut says that not all of the words are in it.
func Slug(words string, most int, unnamed string) (id string, isCut bool) {
	s := slugger{most: most}
	for _, c := range words {
		c = unicode.ToLower(c)
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			s.letters(string(c))
		case unicode.Is(unicode.Mn, c):
			// A mark on the letter before it.
		case unicode.IsLetter(c) || unicode.IsNumber(c):
			if latin := folded(c); latin != "" {
				s.letters(latin)
			} else {
				s.code(c)
			}
		default:
			s.gap = true
		}
		if s.full {
			break
		}
	}
	if s.b.Len() == 0 {
		s.signs(words)
	}
	id = strings.TrimRight(s.b.String(), "-")
	switch {
	case id == "":
		id = unnamed
	case pathrule.Device(id): // of Windows, which is no id either
		id = unnamed + "-" + id
	}
	return id, s.full
}

// slugger writes an id piece by piece until there is no room for the next.
type slugger struct {
	b    strings.Builder
	most int
	gap  bool // what comes next stands apart from what was written
	full bool
}

func (s *slugger) letters(l string) {
	if s.gap && s.b.Len() > 0 {
		l = "-" + l
	}
	s.gap = false
	room := s.most - s.b.Len()
	s.full = len(l) > room
	s.b.WriteString(l[:min(len(l), room)])
}

// code writes the code point of a letter that has no Latin one, or nothing where
// it would be cut.
func (s *slugger) code(c rune) {
	const apart = 1
	hex := "u" + strconv.FormatInt(int64(c), 16)
	if s.b.Len()+apart+len(hex) > s.most {
		s.full = true
		return
	}
	s.gap = true
	s.letters(hex)
	s.gap = true
}

// signs writes words that have no letters, but pictures, say.
func (s *slugger) signs(words string) {
	for _, c := range words {
		if c > unicode.MaxASCII && !unicode.IsSpace(c) {
			s.code(c)
		}
		if s.full {
			return
		}
	}
}

// foldings are the Latin letters with marks, and those that stand for two.
var foldings = []struct{ to, from string }{
	{"a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"},
	{"b", "ḃḅḇ"},
	{"c", "çćĉċčḉ"},
	{"d", "ðďđḋḍḏḑḓ"},
	{"e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"},
	{"f", "ḟ"},
	{"g", "ĝğġģǧǵḡ"},
	{"h", "ĥħȟḣḥḧḩḫẖ"},
	{"i", "ìíîïĩīĭįıǐȉȋḭḯỉị"},
	{"j", "ĵǰ"},
	{"k", "ķǩḱḳḵ"},
	{"l", "ĺļľŀłḷḹḻḽ"},
	{"m", "ḿṁṃ"},
	{"n", "ñńņňŉǹṅṇṉṋ"},
	{"o", "òóôõöøōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"},
	{"p", "ṕṗ"},
	{"r", "ŕŗřȑȓṙṛṝṟ"},
	{"s", "śŝşšſșṡṣṥṧṩ"},
	{"t", "ţťŧțṫṭṯṱẗ"},
	{"u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"},
	{"v", "ṽṿ"},
	{"w", "ŵẁẃẅẇẉẘ"},
	{"x", "ẋẍ"},
	{"y", "ýÿŷȳẏẙỳỵỷỹ"},
	{"z", "źżžẑẓẕ"},
	{"ae", "æǣǽ"},
	{"oe", "œ"},
	{"ss", "ß"},
	{"th", "þ"},
	{"ng", "ŋ"},
	{"ij", "ĳ"},
}

// folded gives what a Latin letter is without its marks, "" for any other.
func folded(c rune) string {
	if c > '\u1eff' {
		return ""
	}
	for _, f := range foldings {
		if strings.ContainsRune(f.from, c) {
			return f.to
		}
	}
	return ""
}
