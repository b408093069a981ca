package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// piece gives a piece of what the fixture or its workspace says.
func (t *talk) piece(kind prompt.ContentKind, key string, text prompt.Text) prompt.Passage {
	return prompt.Passage{Content: &prompt.Content{Kind: kind, Key: key, Fixture: t.Name}, Text: text}
}

func (t *talk) legendPiece() []prompt.Passage {
	return []prompt.Passage{t.piece(prompt.ContentLegend, "", t.said.Legend)}
}

func (t *talk) symbolPieces(blocks []*prompt.SymbolBlock) []prompt.Passage {
	var out []prompt.Passage
	for _, b := range blocks {
		out = append(out, t.piece(prompt.ContentSymbols, b.Path.Str, b.Text))
	}
	return out
}

// filePieces give files under their paths. Only the content has a place: the
// path would draw findings about the file to the fixture that names it.
func (t *talk) filePieces(files []prompt.WorkFile) []prompt.Passage {
	var out []prompt.Passage
	for _, f := range files {
		file := f.Doc.File
		content := prompt.Verbatim(diag.Span{File: file, End: len(file.Text)})
		out = append(out, t.piece(prompt.ContentFile, f.Path, fenced(f.Path+"\n", "", content)))
	}
	return out
}

// fenced puts a text between fences that nothing in it can close. A final
// line break of its own is the one before the closing fence.
func fenced(before, tag string, content prompt.Text) prompt.Text {
	mark := fence(content.Str)
	var b prompt.Builder
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
func (t *talk) treePiece() []prompt.Passage {
	if len(t.Tree) == 0 {
		return nil
	}
	list := fmt.Sprintf(headingCount, len(t.Tree)) + blockGlue + strings.Join(t.Tree, "\n")
	return []prompt.Passage{t.piece(prompt.ContentTree, "", derived(list, t.said.Workspace.At))}
}

// pagePieces give the pages, each with what it has of title, address, content
// and symbols.
func (t *talk) pagePieces() []prompt.Passage {
	var out []prompt.Passage
	for i := range t.said.URLs {
		p := &t.said.URLs[i]
		var title writer
		if strings.TrimSpace(p.Title.Str) != "" {
			title.literal(titleMark)
			title.write(plain(p.Title))
		}
		page := join([]passage{title.passage(), plain(p.URL), plain(p.Content), plain(p.Symbols)}, blockGlue)
		out = append(out, t.piece(prompt.ContentPage, strconv.Itoa(i+1), page.text))
	}
	return out
}

// reviewPieces give the parts of the review that say something.
func (t *talk) reviewPieces() []prompt.Passage {
	r := t.said.Review
	if r == nil {
		return nil
	}
	out := []prompt.Passage{
		t.piece(prompt.ContentReview, "summary", r.Summary),
		t.piece(prompt.ContentReview, "commits", r.Commits),
		t.piece(prompt.ContentReview, "stats", r.Stats),
		t.piece(prompt.ContentReview, "symbols", r.Symbols),
	}
	for i, d := range r.Diffs {
		out = append(out, t.piece(prompt.ContentReview, "diff-"+strconv.Itoa(i+1), fenced("", diffTag, d.Text)))
	}
	return out
}
