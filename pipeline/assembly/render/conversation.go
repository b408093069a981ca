package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/language"
)

// conversation gives the messages of a bound conversation: the system message
// and the tiers, each up to its breakpoint, then what changes from one request
// to the next, and the user's prompt last.
func conversation(d *assembly.Dialogue) []assembly.Turn {
	t := talk{Dialogue: d, said: d.Conversation}
	t.system()
	for n := range d.Tiers {
		t.tier(n)
	}
	if !d.Flat {
		t.pair(assembly.BlockMap, blockTurn{heading: headingMore, pieces: t.symbolPieces(d.Symbols)}, symbolsAt(d.Symbols))
	}
	t.pair(assembly.BlockTree, blockTurn{heading: headingTree, pieces: t.treePiece()}, t.said.Workspace.At)
	t.pair(assembly.BlockURLs, blockTurn{heading: headingURLs, pieces: t.pagePieces(), glue: pageGlue}, t.pagesAt())
	t.pair(assembly.BlockReview, blockTurn{heading: headingReview, pieces: t.reviewPieces()}, t.reviewAt())
	t.pair(assembly.BlockFiles, blockTurn{heading: headingFiles, pieces: t.filePieces(d.Working)}, filesAt(d.Working))
	t.history(d.Active, "")
	t.prompt()
	return t.turns
}

// talk is where one conversation is put together.
type talk struct {
	*assembly.Dialogue
	said  *language.Conversation
	turns []assembly.Turn
}

// blockTurn is a heading with what stands below it.
type blockTurn struct {
	heading string
	pieces  []assembly.Passage
	glue    string // between two pieces; "" is a blank line
}

// system says what the sections' text is followed by: the legend and the
// symbols under one heading, and the files of L0. With tiers it ends the first
// cached prefix, unless L0's history does; so it is there even if it says
// nothing, since the sections may.
func (t *talk) system() {
	symbols, tier := t.Tiers[0].Symbols, language.TierName(0)
	if t.Flat {
		symbols, tier = t.Symbols, ""
	}
	structure := append(t.legendPiece(), t.symbolPieces(symbols)...)
	t.add(assembly.Turn{
		Role: language.RoleSystem, Tier: tier, Block: assembly.BlockSystem,
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
		t.exchange(assembly.Turn{
			Tier: language.TierName(n), Block: assembly.BlockTier, At: t.tierAt(n),
			Passages: stacked(
				blockTurn{heading: headingMore, pieces: t.symbolPieces(tier.Symbols)},
				blockTurn{heading: fileHeadings[n], pieces: t.filePieces(tier.Files)},
			),
		}, ackPlain)
	}
	t.history(tier.History, language.TierName(n))
	if last := len(t.turns); last > before {
		t.turns[last-1].Marked = true
	}
}

// history says turns of the history as they are.
func (t *talk) history(indices []int, tier string) {
	for _, n := range indices {
		said := &t.said.History[n]
		t.add(assembly.Turn{
			Role: language.Role(said.Role.Str), Tier: tier, Block: assembly.BlockHistory, At: said.At,
			Passages: spoken(t.piece(assembly.ContentHistory, strconv.Itoa(n)+"-"+said.Role.Str, said.Content)),
		})
	}
}

// prompt says what the user asks now.
func (t *talk) prompt() {
	t.add(assembly.Turn{
		Role: language.RoleUser, Block: assembly.BlockPrompt, At: t.said.PromptAt, Images: t.said.Images,
		Passages: spoken(t.piece(assembly.ContentPrompt, "", t.said.Prompt)),
	})
}

// pair says a block that is not cached, and its acknowledgement.
func (t *talk) pair(name string, block blockTurn, at diag.Span) {
	t.exchange(assembly.Turn{Block: name, At: at, Passages: stacked(block)}, acknowledgement(name))
}

// exchange adds a message of the user's and the answer to it. An empty block
// has neither.
func (t *talk) exchange(turn assembly.Turn, answer string) {
	if len(turn.Passages) == 0 {
		return
	}
	turn.Role = language.RoleUser
	t.add(turn)
	turn.Role, turn.Passages = language.RoleAssistant, []assembly.Passage{own(answer)}
	t.add(turn)
}

// add appends a message that says something, or at least ends a prefix.
func (t *talk) add(turn assembly.Turn) {
	if len(turn.Passages) > 0 || turn.Marked || len(turn.Images) > 0 {
		t.turns = append(t.turns, turn)
	}
}

// stacked puts blocks together, each under its heading; a block without
// pieces has no heading either.
func stacked(blocks ...blockTurn) []assembly.Passage {
	var out []assembly.Passage
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
func spoken(pieces ...assembly.Passage) []assembly.Passage {
	var out []assembly.Passage
	for _, p := range pieces {
		if strings.TrimSpace(p.Text.Str) != "" {
			out = append(out, p)
		}
	}
	return out
}

// own gives what the layout says by itself.
func own(s string) assembly.Passage { return assembly.Passage{Text: ground.Literal(s)} }

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

func symbolsAt(blocks []*language.SymbolBlock) diag.Span {
	if len(blocks) == 0 {
		return diag.Span{}
	}
	return blocks[0].Path.At
}

func filesAt(files []assembly.WorkFile) diag.Span {
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

// piece gives a piece of what the fixture or its workspace says.
func (t *talk) piece(kind assembly.ContentKind, key string, text ground.Text) assembly.Passage {
	return assembly.Passage{Content: &assembly.Content{Kind: kind, Key: key, Fixture: t.Name}, Text: text}
}

func (t *talk) legendPiece() []assembly.Passage {
	return []assembly.Passage{t.piece(assembly.ContentLegend, "", t.said.Legend)}
}

func (t *talk) symbolPieces(blocks []*language.SymbolBlock) []assembly.Passage {
	var out []assembly.Passage
	for _, b := range blocks {
		out = append(out, t.piece(assembly.ContentSymbols, b.Path.Str, b.Text))
	}
	return out
}

// filePieces give files under their paths. Only the content has a place: the
// path would draw findings about the file to the fixture that names it.
func (t *talk) filePieces(files []assembly.WorkFile) []assembly.Passage {
	var out []assembly.Passage
	for _, f := range files {
		file := f.Doc.File
		content := ground.Verbatim(diag.Span{File: file, End: len(file.Text)})
		out = append(out, t.piece(assembly.ContentFile, f.Path, fenced(f.Path+"\n", "", content)))
	}
	return out
}

// fenced puts a text between fences that nothing in it can close. A final
// line break of its own is the one before the closing fence.
func fenced(before, tag string, content ground.Text) ground.Text {
	mark := markdown.Fence(content.Str)
	var b ground.Builder
	b.WriteString(before + mark + tag + "\n")
	b.WriteText(content)
	if content.Str != "" && !strings.HasSuffix(content.Str, "\n") {
		b.WriteString("\n")
	}
	b.WriteString(mark)
	return b.Text()
}

// treePiece gives the list of all files, with the number above it, so that a
// new file changes this piece and nothing around it. It stands where the
// fixture names the folder.
func (t *talk) treePiece() []assembly.Passage {
	if len(t.Tree) == 0 {
		return nil
	}
	list := fmt.Sprintf(headingCount, len(t.Tree)) + blockGlue + strings.Join(t.Tree, "\n")
	return []assembly.Passage{t.piece(assembly.ContentTree, "", derived(list, t.said.Workspace.At))}
}

// pagePieces give the pages, each with what it has of title, address, content
// and symbols.
func (t *talk) pagePieces() []assembly.Passage {
	var out []assembly.Passage
	for i := range t.said.URLs {
		p := &t.said.URLs[i]
		var title writer
		if strings.TrimSpace(p.Title.Str) != "" {
			title.literal(titleMark)
			title.write(plain(p.Title))
		}
		page := join([]passage{title.passage(), plain(p.URL), plain(p.Content), plain(p.Symbols)}, blockGlue)
		out = append(out, t.piece(assembly.ContentPage, strconv.Itoa(i+1), page.text))
	}
	return out
}

// reviewPieces give the parts of the review that say something.
func (t *talk) reviewPieces() []assembly.Passage {
	r := t.said.Review
	if r == nil {
		return nil
	}
	out := []assembly.Passage{
		t.piece(assembly.ContentReview, "summary", r.Summary),
		t.piece(assembly.ContentReview, "commits", r.Commits),
		t.piece(assembly.ContentReview, "stats", r.Stats),
		t.piece(assembly.ContentReview, "symbols", r.Symbols),
	}
	for i, d := range r.Diffs {
		out = append(out, t.piece(assembly.ContentReview, "diff-"+strconv.Itoa(i+1), fenced("", diffTag, d.Text)))
	}
	return out
}

// What the layout says by itself. These bytes are part of the language: every
// artifact with messages has them.
const (
	headingStructure = "# Repository Structure\n\n" +
		"Below is a map of the repository showing classes, functions, and their relationships.\n" +
		"Use this to understand the codebase structure and find relevant code."
	headingMore   = "# Repository Structure (continued)"
	headingTree   = "# Repository Files\n\nComplete list of files in the repository:"
	headingCount  = "# File Tree (%d files)" // begins the list itself
	headingURLs   = "# URL Context\n\nThe following content was fetched from URLs mentioned in the conversation:"
	headingReview = "# Code Review Context"
	headingFiles  = "# Working Files\n\nHere are the files:"

	headingFilesL0 = "# Reference Files (Stable)\n\n" + filesIncluded
	headingFilesL1 = "# Reference Files\n\n" + filesIncluded
	headingFilesL2 = "# Reference Files (L2)\n\n" + filesIncluded
	headingFilesL3 = "# Reference Files (L3)\n\n" + filesIncluded
	filesIncluded  = "These files are included for reference:"

	ackPlain  = "Ok."
	ackURLs   = "Ok, I've reviewed the URL content."
	ackReview = "Ok, I've reviewed the code changes."

	blockGlue = "\n\n"    // below a heading, between pieces and between blocks
	pageGlue  = "\n---\n" // between pages
	titleMark = "## "     // before a page's title
	diffTag   = "diff"    // behind the fence of a diff
)

// fileHeadings stand above the files of the tiers.
var fileHeadings = [language.Tiers]string{headingFilesL0, headingFilesL1, headingFilesL2, headingFilesL3}

// acknowledgement is what the assistant says to a block that is not cached.
func acknowledgement(block string) string {
	switch block {
	case assembly.BlockURLs:
		return ackURLs
	case assembly.BlockReview:
		return ackReview
	default:
		return ackPlain
	}
}
