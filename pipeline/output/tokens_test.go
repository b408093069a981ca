package output_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// pieces makes tokens of texts; their numbers count up.
func pieces(texts ...string) []ledger.Piece {
	out := make([]ledger.Piece, len(texts))
	for i, text := range texts {
		out[i] = ledger.Piece{ID: i, Text: text}
	}
	return out
}

func TestTokenPiecesQuoteWhatCannotBeSeen(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{" word", `" word"`},
		{`say "\n"`, `"say \"\\n\""`},
		{"a\tb\r\n\x00\x1b[1m", `"a\tb\r\n\x00\x1b[1m"`},
		{"\u00a0\u200b\u202e\ufeff", `"\u00a0\u200b\u202e\ufeff"`},
		{"e\u0301", "\"e\u0301\""},
		{"\xf0\x9f", `"\xf0\x9f"`},
		{"\u3164\ufe0f", `"<U+3164><U+FE0F>"`},
		{"日本", `"日本"`},
		{"\U000e0041", `"\U000e0041"`},
		{"", `""`},
	} {
		var b strings.Builder
		if err := ledger.TokenPieces(&b, nil, []ledger.Counted{{Name: "a", Encoding: "e", Pieces: pieces(tt.text)}}, words.Options{}); err != nil {
			t.Fatal(err)
		}
		if got, want := b.String(), "a   0 tokens   0 bytes   e\n  0  "+tt.want+"\n"; got != want {
			t.Errorf("of %q:\n%s; want\n%s", tt.text, got, want)
		}
	}
}

func TestTokenPiecesAlternateTheirBackgrounds(t *testing.T) {
	paint := strings.NewReplacer("\x1b[30;46m", "[", "\x1b[30;43m", "{", "\x1b[0m", "|")
	for _, tt := range []struct {
		name string
		text []string
		want string
	}{
		{"words", []string{"one", " two", " three"}, "[one|{ two|[ three|\n"},
		{"a colour ends with its line", []string{"a.\n\n", "b", "\n"}, "[a.↵|\n[↵|\n{b|[↵|\n"},
		{"a tab is seen, and so is what looks like its sign", []string{"\ta", "↵⇥"}, "[⇥a|{<U+21B5><U+21E5>|\n"},
		{"the rest is named", []string{"\r\x1b[2J", "\xe2\x87", "\u200d"}, "[<U+000D><U+001B>[2J|{<E2><87>|[<U+200D>|\n"},
		{"nothing", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			if err := ledger.TokenPieces(&b, nil, []ledger.Counted{{Name: "a", Encoding: "e", Pieces: pieces(tt.text...)}}, words.Options{Color: true}); err != nil {
				t.Fatal(err)
			}
			_, got, _ := strings.Cut(b.String(), "\n")
			if d := cmp.Diff(tt.want, paint.Replace(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestTokensNameFilesSafely(t *testing.T) {
	all := []ledger.Counted{{Name: "a\x1b[1m\u202e", Encoding: "e", Bytes: 1, Tokens: 1}}
	var text, json strings.Builder
	if err := ledger.Tokens(&text, nil, all, words.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := ledger.TokensJSON(&json, nil, all, false); err != nil {
		t.Fatal(err)
	}
	got := text.String() + json.String()
	want := "a<U+001B>[1m<U+202E>   1 token   1 byte   e\n" +
		"[\n" + `  {"name":"a\u001b[1m\u202e","encoding":"e","bytes":1,"tokens":1}` + "\n]\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
