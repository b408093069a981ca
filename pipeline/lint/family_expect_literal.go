package lint

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// tape is what the variants of a prompt emit, in pieces: most stand in many
// variants, and each is looked at once.
type tape struct {
	pieces []prompt.Part
	// texts are by variant: each text that a provider gets, as numbers of
	// pieces.
	texts [][][]int32
}

// pieceKey tells pieces apart. Of what a section or a conversation says the
// text is not compared; joins are short.
type pieceKey struct {
	rendering *prompt.Rendering
	passage   *prompt.Passage
	text      string
}

func newTape(artifacts []*prompt.Artifact) *tape {
	t, known := &tape{}, map[pieceKey]int32{}
	for _, a := range artifacts {
		var texts [][]int32
		for _, run := range a.Runs() {
			var text []int32
			for _, p := range a.Parts[run.From:run.To] {
				key := pieceKey{rendering: p.Rendering, passage: p.Passage}
				if p.Rendering == nil && p.Passage == nil {
					key.text = p.Text
				}
				id, ok := known[key]
				if !ok {
					id = int32(len(t.pieces))
					known[key] = id
					t.pieces = append(t.pieces, p)
				}
				text = append(text, id)
			}
			texts = append(texts, text)
		}
		t.texts = append(t.texts, texts)
	}
	return t
}

// reel is a tape on which one literal text is looked for.
type reel struct {
	*tape
	text string
	// back is by byte of the text: how many bytes of it are still a beginning
	// of it where the next does not fit.
	back []int
	// first is by piece: where the text begins in it, -1 for nowhere.
	first []int
	// open is by piece: how many bytes of the text it ends with, where it
	// begins in none of what stands before.
	open []int
	// crossed remembers how pieces go on from texts that began before them.
	crossed map[crossing]int
}

// crossing is a piece behind so many bytes of the text.
type crossing struct {
	piece int32
	open  int
}

// whole stands for as many open bytes as the text has: it is there.
func (r *reel) whole() int { return len(r.text) }

// look prepares a tape for a text, which is not empty.
func (t *tape) look(text string) *reel {
	r := &reel{tape: t, text: text, back: make([]int, len(text)), crossed: map[crossing]int{}}
	for i, n := 1, 0; i < len(text); i++ {
		for n > 0 && text[i] != text[n] {
			n = r.back[n-1]
		}
		if text[i] == text[n] {
			n++
		}
		r.back[i] = n
	}
	for _, p := range t.pieces {
		r.first = append(r.first, strings.Index(p.Text, text))
		r.open = append(r.open, r.read(0, p.Text[max(0, len(p.Text)-len(text)+1):]))
	}
	return r
}

// read gives how many bytes of the text are open behind some more text; whole
// where it was there.
func (r *reel) read(open int, more string) int {
	for i := range len(more) {
		for open > 0 && more[i] != r.text[open] {
			open = r.back[open-1]
		}
		if more[i] == r.text[open] {
			open++
		}
		if open == r.whole() {
			return open
		}
	}
	return open
}

// cross gives the same for a piece. What began before it ends within as many
// bytes as the text has, less one, or not at all.
func (r *reel) cross(piece int32, open int) int {
	key := crossing{piece, open}
	if after, ok := r.crossed[key]; ok {
		return after
	}
	text := r.pieces[piece].Text
	after := r.read(open, text[:min(len(text), len(r.text)-1)])
	if after < r.whole() && len(text) >= len(r.text) {
		after = r.open[piece]
	}
	r.crossed[key] = after
	return after
}

// find gives the piece that the text first ends in and where it begins there,
// which is -1 where that is before; ok is false where the variant does not have
// it.
func (r *reel) find(variant int) (piece prompt.Part, start int, ok bool) {
	for _, text := range r.texts[variant] {
		open := 0
		for _, id := range text {
			if open > 0 {
				if open = r.cross(id, open); open == r.whole() {
					return r.pieces[id], -1, true
				}
			} else {
				open = r.open[id]
			}
			if at := r.first[id]; at >= 0 {
				return r.pieces[id], at, true
			}
		}
	}
	return prompt.Part{}, 0, false
}
