package code

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// chunkText decodes a part of a string, each of its bytes with its place.
func chunkText(file *diag.File, t token) ground.Text {
	whole := ground.Verbatim(diag.Span{File: file, Start: t.start, End: t.end})
	switch {
	case t.escapes == jsxText:
		return jsxLines(whole)
	case t.escapes == jsxEntities:
		return entities(whole)
	case t.escapes == verbatim && !t.doubled, !strings.ContainsAny(whole.Str, "\\{}"):
		return whole
	}
	var out ground.Builder
	s := whole.Str
	for i, from := 0, 0; ; {
		if i >= len(s) {
			out.WriteText(whole.Slice(from, len(s)))
			return out.Text()
		}
		size, said, ok := 1, "", false
		switch {
		case s[i] == '\\' && t.escapes != verbatim:
			said, size, ok = escape(s[i:], t.escapes)
		case t.doubled && (s[i] == '{' || s[i] == '}') && i+1 < len(s) && s[i+1] == s[i]:
			said, size, ok = s[i:i+1], 2, true
		}
		if ok {
			out.WriteText(whole.Slice(from, i))
			out.WriteText(ground.Derived(said, diag.Span{File: file, Start: t.start + i, End: t.start + i + size}))
			from = i + size
		}
		i += size
	}
}

// single are the escapes of one letter: those that every language has, and others.
var single = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", 'v': "\v", '\\': "\\", '\'': "'", '"': "\"", '\n': ""}

// escape decodes the escape at the beginning of a string, and says how many bytes it has.
// What is no escape stays as it is written.
func escape(s string, how escapes) (said string, size int, ok bool) {
	if len(s) < 2 {
		return "", 1, false
	}
	c := s[1]
	if out, known := single[c]; known {
		return out, 2, true
	}
	switch {
	case c == 'a' && how != jsEscapes:
		return "\a", 2, true
	case how == jsEscapes && c == '0' && (len(s) == 2 || !isDigit(s[2])):
		return "\x00", 2, true
	case c >= '0' && c <= '7':
		n := 2
		for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' && (how != jsEscapes || c <= '3' || n < 3) {
			n++
		}
		v, _ := strconv.ParseUint(s[1:n], 8, 32)
		return codePoint(uint64(v), how), n, true
	case c == 'x':
		return hex(s, 2, 2, how)
	case c == 'u' && how == jsEscapes && strings.HasPrefix(s[2:], "{"):
		end := strings.IndexByte(s[:min(len(s), 16)], '}')
		if end < 0 {
			return "", 2, false
		}
		v, err := strconv.ParseUint(s[3:end], 16, 32)
		return string(rune(v)), end + 1, err == nil && v <= utf8.MaxRune
	case c == 'u' && how == jsEscapes:
		return surrogates(s)
	case c == 'u':
		return hex(s, 2, 4, how)
	case c == 'U' && how != jsEscapes:
		return hex(s, 2, 8, how)
	case how == jsEscapes: // any other character is itself
		_, n := utf8.DecodeRuneInString(s[1:])
		return s[1 : 1+n], 1 + n, true
	}
	return "", 2, false
}

// codePoint gives what a number stands for: in Go a byte, elsewhere a character.
func codePoint(v uint64, how escapes) string {
	if how == goEscapes {
		return string([]byte{byte(v)})
	}
	return string(rune(v))
}

// hex decodes so many digits from an offset on.
func hex(s string, from, digits int, how escapes) (string, int, bool) {
	if len(s) < from+digits {
		return "", 2, false
	}
	v, err := strconv.ParseUint(s[from:from+digits], 16, 32)
	if err != nil || v > utf8.MaxRune {
		return "", 2, false
	}
	if digits == 2 {
		return codePoint(v, how), from + digits, true
	}
	return string(rune(v)), from + digits, true
}

// surrogates decodes an escape of four digits, or two that are the halves of a character.
func surrogates(s string) (string, int, bool) {
	first, n, ok := hex16(s)
	if !ok {
		return "", 2, false
	}
	if utf16.IsSurrogate(rune(first)) {
		if second, m, ok := hex16(s[n:]); ok && utf16.DecodeRune(rune(first), rune(second)) != utf8.RuneError {
			return string(utf16.DecodeRune(rune(first), rune(second))), n + m, true
		}
	}
	return string(rune(first)), n, true
}

func hex16(s string) (uint64, int, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, 0, false
	}
	v, err := strconv.ParseUint(s[2:6], 16, 16)
	return v, 6, err == nil
}

// named gives the next `\N{…}` of a string of Python from an offset on: a character by its
// name, which only the tables of Unicode know.
func named(s string, from int) (start, end int, ok bool) {
	for i := from; i+2 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if strings.HasPrefix(s[i:], `\N{`) {
			if n := strings.IndexByte(s[i:min(len(s), i+maxCharName)], '}'); n > 0 {
				return i, i + n + 1, true
			}
		}
		i++
	}
	return 0, 0, false
}

// entities decodes the character references of HTML.
func entities(t ground.Text) ground.Text {
	const longest = 34 // bytes, of the longest name in HTML
	if !strings.Contains(t.Str, "&") {
		return t
	}
	var out ground.Builder
	for i := 0; i < len(t.Str); {
		if n := strings.IndexByte(t.Str[i:min(len(t.Str), i+longest)], ';'); t.Str[i] == '&' && n > 0 {
			if said := html.UnescapeString(t.Str[i : i+n+1]); said != t.Str[i:i+n+1] {
				out.WriteText(ground.Derived(said, t.Span(i, i+n+1)))
				i += n + 1
				continue
			}
		}
		next := len(t.Str)
		if n := strings.IndexByte(t.Str[i+1:], '&'); n >= 0 {
			next = i + 1 + n
		}
		out.WriteText(t.Slice(i, next))
		i = next
	}
	return out.Text()
}

// jsxLines puts the lines between tags together: without the blanks around each, and
// without those that have nothing else. A blank between two stands for the line break.
func jsxLines(t ground.Text) ground.Text {
	if !strings.Contains(t.Str, "\n") {
		return entities(t)
	}
	var out ground.Builder
	for start := 0; start <= len(t.Str); {
		end := len(t.Str)
		if n := strings.IndexByte(t.Str[start:], '\n'); n >= 0 {
			end = start + n
		}
		from, to := start, end
		if start > 0 {
			from = end - len(strings.TrimLeft(t.Str[start:end], " \t"))
		}
		if end < len(t.Str) {
			to = from + len(strings.TrimRight(t.Str[from:end], " \t"))
		}
		if from < to {
			if out.Len() > 0 {
				out.WriteText(ground.Derived(" ", t.Span(start-1, start)))
			}
			out.WriteText(entities(t.Slice(from, to)))
		}
		start = end + 1
	}
	return out.Text()
}
