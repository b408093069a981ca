package resolve

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxID is how long an id may be.
const maxID = 64

// slug makes an id of words: the letters and digits of English as they are,
// those with marks without, and others by their code points, so that an id
// hangs on nothing but the words.
func slug(words string) string {
	var s slugger
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
	id := strings.TrimRight(s.b.String(), "-")
	switch {
	case id == "":
		return unnamedID
	case !prompt.IsAxisValue(id): // a device of Windows, which is no id either
		return unnamedID + "-" + id
	}
	return id
}

// slugger writes an id piece by piece until it is full.
type slugger struct {
	b    strings.Builder
	gap  bool // what comes next stands apart from what was written
	full bool
}

func (s *slugger) letters(l string) {
	if s.gap && s.b.Len() > 0 {
		l = "-" + l
	}
	s.gap = false
	l = l[:min(len(l), maxID-s.b.Len())]
	s.b.WriteString(l)
	s.full = s.b.Len() >= maxID
}

// code writes the code point of a letter that has no Latin one, or nothing where
// it would be cut.
func (s *slugger) code(c rune) {
	const apart = 1
	hex := "u" + strconv.FormatInt(int64(c), 16)
	if s.b.Len()+apart+len(hex) > maxID {
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

// ids tells the sections of a text apart, and those of its prompt's other texts
// where they are others.
type ids struct {
	// repeated are the slugs that one text has under several headings. They
	// are told apart by these in every text, also in one that has it once: it
	// stays the same section when another comes.
	repeated map[string]bool
}

// read notes the slugs that a text repeats.
func (d *ids) read(cuts []cut) {
	under := make(map[string]int, len(cuts))
	for _, c := range cuts {
		if parent, known := under[c.slug]; known && parent != c.parent {
			d.repeated[c.slug] = true
		}
		under[c.slug] = c.parent
	}
}

// name gives the sections of a text their ids, each once in the text.
func (d *ids) name(cuts []cut) {
	taken := uniqueIDs{}
	for i := range cuts {
		c := &cuts[i]
		id := c.slug
		if c.parent >= 0 && d.repeated[id] {
			id = under(cuts[c.parent].id, id)
		}
		c.id = taken.claim(id)
	}
}

// under puts the id of a heading before that of what it holds, as much of it as
// there is room for.
func under(parent, id string) string {
	room := max(maxID-len(id)-1, 0)
	parent = strings.TrimRight(parent[:min(len(parent), room)], "-._")
	if parent == "" {
		return id
	}
	return parent + "-" + id
}

// uniqueIDs numbers the ids of a text that are there already.
type uniqueIDs map[string]int

func (u uniqueIDs) claim(id string) string {
	out := id
	for u[out] > 0 {
		u[id]++
		suffix := "-" + strconv.Itoa(u[id])
		out = strings.TrimRight(id[:min(len(id), maxID-len(suffix))], "-") + suffix
	}
	u[out]++
	return out
}
