package ledger

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// Counted is a text, or the texts of a request, with the number of its tokens.
type Counted struct {
	Name string
	// Encoding is the tokenizer that counted: one of the built-in ones, or an
	// estimator of the manifest.
	Encoding string
	// StandsFor is the dialect whose own tokenizer that one stands for; "" where
	// none does.
	StandsFor     string
	Bytes, Tokens int
	// Pieces are the tokens themselves, for the functions that show them.
	Pieces []Piece
}

// Piece is a token with its number in the encoding. Its text need not be valid
// UTF-8: a character can be split between tokens.
type Piece struct {
	ID   int
	Text string
}

// Tokens writes a line for each text, and one for their sum where there are
// several. The manifest, which may be nil, says what its estimators are.
func Tokens(w io.Writer, spec *language.Spec, all []Counted, opt words.Options) error {
	p := words.NewPrinter(opt)
	t := countTable()
	sum, encodings, estimate := Counted{}, []string{}, false
	for _, c := range all {
		t.Row(c.cells(spec)...)
		sum.Tokens, sum.Bytes = sum.Tokens+c.Tokens, sum.Bytes+c.Bytes
		if !slices.Contains(encodings, c.Encoding) {
			encodings = append(encodings, c.Encoding)
		}
		estimate = estimate || c.estimate(spec)
	}
	if len(all) > 1 {
		sum.Name, sum.Encoding = "total", all[0].Encoding
		cells := sum.cells(spec)
		cells[1] = words.Approx(estimate, words.Count(sum.Tokens, "token"))
		if len(encodings) > 1 {
			cells[len(cells)-1] = words.Count(len(encodings), "encoding")
		}
		t.Row(cells...)
	}
	t.Print(p, 3)
	return p.Print(w)
}

func countTable() words.Table {
	return words.Table{Align: []words.Side{words.ToLeft, words.ToRight, words.ToRight, words.ToLeft}}
}

func (c Counted) cells(spec *language.Spec) []string {
	by := tokenizer(spec, c.Encoding, c.StandsFor)
	return []string{words.Clean(c.Name), words.Approx(c.estimate(spec), words.Count(c.Tokens, "token")), words.Count(c.Bytes, "byte"), words.Clean(by)}
}

func (c Counted) estimate(spec *language.Spec) bool {
	return c.StandsFor != "" || spec.Estimator(c.Encoding) != nil
}

// TokenIDs writes the numbers of each text's tokens on a line of its own, with
// blanks between them and nothing else.
func TokenIDs(w io.Writer, all []Counted, opt words.Options) error {
	p := words.NewPrinter(opt)
	for _, c := range all {
		for i, piece := range c.Pieces {
			if i > 0 {
				p.WriteByte(' ')
			}
			p.WriteString(strconv.Itoa(piece.ID))
		}
		p.WriteByte('\n')
	}
	return p.Print(w)
}

// TokensJSON writes a list with a value for each text, in its order, a line
// each. The numbers of the tokens are in it when they are asked for.
func TokensJSON(w io.Writer, spec *language.Spec, all []Counted, ids bool) error {
	var b strings.Builder
	for i, c := range all {
		b.WriteString([]string{"[\n  ", ",\n  "}[min(i, 1)])
		row := jsonCounted{Name: c.Name, Encoding: c.Encoding, Bytes: c.Bytes, Tokens: c.Tokens, Estimate: c.estimate(spec)}
		if e := spec.Estimator(c.Encoding); e != nil {
			row.Error = &e.Error
		}
		if ids {
			row.IDs = &[]int{}
			for _, piece := range c.Pieces {
				*row.IDs = append(*row.IDs, piece.ID)
			}
		}
		b.WriteString(canon.Value(row))
	}
	b.WriteString("\n]\n")
	_, err := w.Write(words.EscapeHidden(words.MaskStrings([]byte(b.String()), new(secret.Known))))
	return err
}

// jsonCounted is a text of TokensJSON.
type jsonCounted struct {
	Name     string   `json:"name"`
	Encoding string   `json:"encoding"`
	Bytes    int      `json:"bytes"`
	Tokens   int      `json:"tokens"`
	Estimate bool     `json:"estimate,omitempty"`
	Error    *float64 `json:"error,omitempty"`
	IDs      *[]int   `json:"ids,omitempty"`
}

// TokenPieces writes each text's size and under it its tokens: with colour the
// text itself, on backgrounds that alternate from token to token, without a line
// for each token: its number, and its text in quotes.
func TokenPieces(w io.Writer, spec *language.Spec, all []Counted, opt words.Options) error {
	p := words.NewPrinter(opt)
	for _, c := range all {
		t := countTable()
		t.Row(c.cells(spec)...)
		t.Print(p, 3)
		if opt.Color {
			printBackgrounds(p, c.Pieces)
		} else {
			printQuotes(p, c.Pieces)
		}
	}
	return p.Print(w)
}

// quotes writes a token a line.
func printQuotes(p *words.Printer, pieces []Piece) {
	width := 0
	for _, piece := range pieces {
		width = max(width, len(strconv.Itoa(piece.ID)))
	}
	for _, piece := range pieces {
		p.Line(fmt.Sprintf("  %*d  ", width, piece.ID), words.Clean(strconv.Quote(piece.Text)))
	}
}

// What stands for a line break and for a tab between colours. Where the text
// itself has one of these, it is named like what is hidden.
const (
	lineSign = '↵'
	tabSign  = '⇥'
)

// backgrounds writes a text with its tokens in colours. A colour ends before
// the line does: a terminal would paint the rest of the line with it.
func printBackgrounds(p *words.Printer, pieces []Piece) {
	broken := true
	for i, piece := range pieces {
		s := []words.Style{words.EvenToken, words.OddToken}[i%2]
		for line := range strings.Lines(piece.Text) {
			var text string
			text, broken = strings.CutSuffix(line, "\n")
			var b strings.Builder
			for _, c := range words.Cells(text) {
				switch r, _ := utf8.DecodeRuneInString(c.Text); r {
				case '\t':
					b.WriteRune(tabSign)
				case lineSign, tabSign:
					fmt.Fprintf(&b, "<%U>%s", r, c.Text[utf8.RuneLen(r):])
				default:
					b.WriteString(c.Text)
				}
			}
			if broken {
				b.WriteRune(lineSign)
			}
			p.WriteString(p.Paint(s, b.String()))
			if broken {
				p.WriteByte('\n')
			}
		}
	}
	if !broken {
		p.WriteByte('\n')
	}
}

// breakpoint adds the row of a cache breakpoint: the tokens up to there, counted
// as in the rows around it, and whose it is.
func breakpoint(t *words.Table, a *assembly.Artifact, point assembly.Point) {
	whose, tools := words.Clean(point.Name), a.CachedTools()
	if tools > 0 {
		whose += ", " + words.Number(point.Tokens) + " with tools"
	}
	if point.Tokens > a.Cache.Stable {
		whose += ", behind volatile text"
	}
	if name := Dialect(a); name != "" && !a.Variant.Dialect.Markers {
		whose += ", left out: " + name + " has no markers"
	}
	t.Loose = append(t.Loose, len(t.Rows))
	t.Row(assembly.BreakpointLine, "", "", "", "", "", "", words.Number(point.Tokens-tools), whose)
}

// Caches reports whether there is anything to say of a variant's cache: it
// has breakpoints, something volatile, or a conversation.
func Caches(a *assembly.Artifact) bool {
	return len(a.Cache.Points) > 0 || a.Cache.Volatile != nil || a.Variant.Messages != nil
}

// stable says how much of a variant is the same from one request to the next,
// "" where nobody asked.
func stable(a *assembly.Artifact) string {
	if !Caches(a) {
		return ""
	}
	tools := a.CachedTools()
	whole := words.Count(tools+a.Tokens, "token")
	if tools > 0 {
		whole += " with tools"
	}
	v := a.Cache.Volatile
	if v == nil {
		return "stable prefix " + whole + ", all: nothing is declared volatile"
	}
	return "stable prefix " + words.Number(a.Cache.Stable) + " of " + whole + " (" + words.Percent(a.Cache.Stable, tools+a.Tokens) + "), up to " + words.Clean(v.Name(a))
}

// jsonCache says how much of a variant a provider can keep; left out where
// there is no breakpoint, nothing volatile and no conversation. Tokens include
// the schemas beside the text where the dialect's cached prefix begins with
// them.
type jsonCache struct {
	Points []jsonPoint `json:"points"`
	// Stable is the count up to the first volatile byte, or of everything.
	Stable   int           `json:"stable"`
	Volatile *jsonVolatile `json:"volatile,omitempty"`
}

// jsonPoint is a cache breakpoint, named after its tier or section.
type jsonPoint struct {
	Name   string `json:"name"`
	Tokens int    `json:"tokens"`
	// End is the byte of the emitted text, or of all texts one after another,
	// behind which it stands.
	End int `json:"end"`
	// Written says that the dialect has a marker for it.
	Written bool `json:"written"`
}

// jsonVolatile is the first place that may change from one request to the
// next: a slot, or the section as a whole; or what the user asks, which is the
// content `prompt`.
type jsonVolatile struct {
	Content string `json:"content,omitempty"`
	Section string `json:"section,omitempty"`
	Slot    string `json:"slot,omitempty"`
	Source  string `json:"source,omitempty"`
	Start   int    `json:"start"` // byte, as End of a point
}

// cached gives what a provider can keep of a variant.
func cached(a *assembly.Artifact) *jsonCache {
	if !Caches(a) {
		return nil
	}
	out := &jsonCache{Points: []jsonPoint{}, Stable: a.Cache.Stable}
	for _, point := range a.Cache.Points {
		made := jsonPoint{Name: point.Name, Tokens: point.Tokens, Written: a.Variant.Shape().Markers}
		if point.Part > 0 {
			last := a.Parts[point.Part-1]
			made.End = last.Start + len(last.Text)
		}
		out.Points = append(out.Points, made)
	}
	if v := a.Cache.Volatile; v != nil {
		out.Volatile = &jsonVolatile{Content: assembly.ContentPrompt.String(), Start: a.Parts[v.Part].Start + v.Offset}
		if v.Section >= 0 {
			out.Volatile.Content, out.Volatile.Section = "", sectionID(a, v.Section)
		}
		if v.Slot != nil {
			out.Volatile.Slot = v.Slot.Name.Str
		}
		if v.Source != nil {
			out.Volatile.Source = v.Source.ID.Str
		}
	}
	return out
}
