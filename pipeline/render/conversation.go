package render

import (
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// conversation gives the messages of a bound conversation: the system message
// and the tiers, each up to its breakpoint, then what changes from one request
// to the next, and the user's prompt last.
func conversation(d *prompt.Dialogue) []prompt.Turn {
	t := talk{Dialogue: d, said: d.Conversation}
	t.system()
	for n := range d.Tiers {
		t.tier(n)
	}
	if !d.Flat {
		t.pair(prompt.BlockMap, blockTurn{heading: headingMore, pieces: t.symbolPieces(d.Symbols)}, symbolsAt(d.Symbols))
	}
	t.pair(prompt.BlockTree, blockTurn{heading: headingTree, pieces: t.treePiece()}, t.said.Workspace.At)
	t.pair(prompt.BlockURLs, blockTurn{heading: headingURLs, pieces: t.pagePieces(), glue: pageGlue}, t.pagesAt())
	t.pair(prompt.BlockReview, blockTurn{heading: headingReview, pieces: t.reviewPieces()}, t.reviewAt())
	t.pair(prompt.BlockFiles, blockTurn{heading: headingFiles, pieces: t.filePieces(d.Working)}, filesAt(d.Working))
	t.history(d.Active, "")
	t.prompt()
	return t.turns
}

// talk is where one conversation is put together.
type talk struct {
	*prompt.Dialogue
	said  *prompt.Conversation
	turns []prompt.Turn
}

// blockTurn is a heading with what stands below it.
type blockTurn struct {
	heading string
	pieces  []prompt.Passage
	glue    string // between two pieces; "" is a blank line
}

// system says what the sections' text is followed by: the legend and the
// symbols under one heading, and the files of L0. With tiers it ends the first
// cached prefix, unless L0's history does; so it is there even if it says
// nothing, since the sections may.
func (t *talk) system() {
	symbols, tier := t.Tiers[0].Symbols, prompt.TierName(0)
	if t.Flat {
		symbols, tier = t.Symbols, ""
	}
	structure := append(t.legendPiece(), t.symbolPieces(symbols)...)
	t.add(prompt.Turn{
		Role: prompt.RoleSystem, Tier: tier, Block: prompt.BlockSystem,
		Passages: stacked(
			blockTurn{heading: headingStructure, pieces: structure},
			blockTurn{heading: fileHeadings[0], pieces: t.filePieces(t.Tiers[0].Files)},
		),
		Marked: !t.Flat && len(t.Tiers[0].History) == 0,
		At:     firstKnown(t.said.Legend.Span(0, len(t.said.Legend.Str)), t.tierAt(0), symbolsAt(symbols)),
	})
}

// tier says what a cache tier holds. What L0 holds but its history is in the
// system message.
func (t *talk) tier(n int) {
	tier := t.Tiers[n]
	before := len(t.turns)
	if n > 0 {
		t.exchange(prompt.Turn{
			Tier: prompt.TierName(n), Block: prompt.BlockTier, At: t.tierAt(n),
			Passages: stacked(
				blockTurn{heading: headingMore, pieces: t.symbolPieces(tier.Symbols)},
				blockTurn{heading: fileHeadings[n], pieces: t.filePieces(tier.Files)},
			),
		}, ackPlain)
	}
	t.history(tier.History, prompt.TierName(n))
	if last := len(t.turns); last > before {
		t.turns[last-1].Marked = true
	}
}

// history says turns of the history as they are.
func (t *talk) history(indices []int, tier string) {
	for _, n := range indices {
		said := &t.said.History[n]
		t.add(prompt.Turn{
			Role: prompt.Role(said.Role.Str), Tier: tier, Block: prompt.BlockHistory, At: said.At,
			Passages: spoken(t.piece(prompt.ContentHistory, strconv.Itoa(n)+"-"+said.Role.Str, said.Content)),
		})
	}
}

// prompt says what the user asks now.
func (t *talk) prompt() {
	t.add(prompt.Turn{
		Role: prompt.RoleUser, Block: prompt.BlockPrompt, At: t.said.PromptAt, Images: t.said.Images,
		Passages: spoken(t.piece(prompt.ContentPrompt, "", t.said.Prompt)),
	})
}

// pair says a block that is not cached, and its acknowledgement.
func (t *talk) pair(name string, block blockTurn, at diag.Span) {
	t.exchange(prompt.Turn{Block: name, At: at, Passages: stacked(block)}, acknowledgement(name))
}

// exchange adds a message of the user's and the answer to it. An empty block
// has neither.
func (t *talk) exchange(turn prompt.Turn, answer string) {
	if len(turn.Passages) == 0 {
		return
	}
	turn.Role = prompt.RoleUser
	t.add(turn)
	turn.Role, turn.Passages = prompt.RoleAssistant, []prompt.Passage{own(answer)}
	t.add(turn)
}

// add appends a message that says something, or at least ends a prefix.
func (t *talk) add(turn prompt.Turn) {
	if len(turn.Passages) > 0 || turn.Marked || len(turn.Images) > 0 {
		t.turns = append(t.turns, turn)
	}
}

// stacked puts blocks together, each under its heading; a block without
// pieces has no heading either.
func stacked(blocks ...blockTurn) []prompt.Passage {
	var out []prompt.Passage
	for _, b := range blocks {
		glue := b.glue
		if glue == "" {
			glue = blockGlue
		}
		for i, piece := range spoken(b.pieces...) {
			switch {
			case i > 0:
				out = append(out, own(glue))
			case len(out) > 0:
				out = append(out, own(blockGlue), own(b.heading), own(blockGlue))
			default:
				out = append(out, own(b.heading), own(blockGlue))
			}
			out = append(out, piece)
		}
	}
	return out
}

// spoken gives the passages that say something.
func spoken(pieces ...prompt.Passage) []prompt.Passage {
	var out []prompt.Passage
	for _, p := range pieces {
		if strings.TrimSpace(p.Text.Str) != "" {
			out = append(out, p)
		}
	}
	return out
}

// own gives what the layout says by itself.
func own(s string) prompt.Passage { return prompt.Passage{Text: prompt.Literal(s)} }

// tierAt is where the fixture first names something of a tier.
func (t *talk) tierAt(n int) diag.Span {
	if keys := t.said.Tiers[n]; !t.Flat && len(keys) > 0 {
		return keys[0].Word.At
	}
	return diag.Span{}
}

func (t *talk) pagesAt() diag.Span {
	if len(t.said.URLs) == 0 {
		return diag.Span{}
	}
	return t.said.URLs[0].At
}

func (t *talk) reviewAt() diag.Span {
	if t.said.Review == nil {
		return diag.Span{}
	}
	return t.said.Review.At
}

func symbolsAt(blocks []*prompt.SymbolBlock) diag.Span {
	if len(blocks) == 0 {
		return diag.Span{}
	}
	return blocks[0].Path.At
}

func filesAt(files []prompt.WorkFile) diag.Span {
	if len(files) == 0 {
		return diag.Span{}
	}
	return files[0].At
}

func firstKnown(spans ...diag.Span) diag.Span {
	for _, at := range spans {
		if at.Known() {
			return at
		}
	}
	return diag.Span{}
}
