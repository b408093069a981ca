package words

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
)

// JSONVersion is the version of the documents. Fields may be added to a
// version; none is renamed, removed or given another meaning.
const JSONVersion = 1

// Place counts lines and columns from 1, columns in code points; the end
// is behind the last character.
type Place struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

// Place gives a span by lines and columns, nil where it is no place.
func (o Options) Place(at diag.Span) *Place {
	if !at.Known() {
		return nil
	}
	out := Place{File: o.Path(at.File.Path)}
	out.Line, out.Column = at.File.Position(at.Start)
	out.EndLine, out.EndColumn = at.File.Position(max(at.Start, at.End))
	return &out
}

// Position is the place as editors take it.
func (p *Place) Position() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Encode writes a value as indented JSON in which everything that a terminal
// would act upon, or not show, is escaped.
func Encode(w io.Writer, v any, opt Options) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("encode as JSON: %w", err)
	}
	_, err := w.Write(EscapeHidden(MaskStrings(b.Bytes(), opt.Keys())))
	return err
}

// MaskStrings masks the keys in the strings of a document.
func MaskStrings(text []byte, keys *secret.Known) []byte {
	out, from := make([]byte, 0, len(text)), 0
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		start := i
		for i++; text[i] != '"'; i++ {
			if text[i] == '\\' {
				i++
			}
		}
		var s string
		if err := json.Unmarshal(text[start:i+1], &s); err != nil {
			continue // cannot be: it was encoded just now
		}
		if masked := keys.Mask(s); masked != s {
			out = append(append(out, text[from:start]...), canon.Value(masked)...)
			from = i + 1
		}
	}
	return append(out, text[from:]...)
}

// EscapeHidden writes hidden code points as \u escapes, and the bracket of what the
// runner of a workflow takes for a command. In JSON they can only stand inside
// strings, so this changes no value.
func EscapeHidden(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("##["), []byte(`##\u005b`))
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r < 0x80 && r != 0x7F || !chars.Hidden(r):
			out = append(out, text[i:i+size]...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += size
	}
	return out
}
