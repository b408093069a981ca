package snapshot

import (
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// frame is a rendering as it is stored: what stands around its items, and
// the items.
type frame struct {
	// text is the file's content: one line break follows the section's text,
	// and each run of items is replaced by its names.
	text prompt.Text
	// around is the emitted text without the items and what joins them.
	around string
	items  []storedItem
}

// storedItem is one item of a frame.
type storedItem struct {
	name string // unique in the rendering
	text prompt.Text
	file *diag.File
}

// opening starts the marker that stands for a run of items.
const (
	bracket = "⟨"
	opening = bracket + "items"
	closing = "⟩"
)

// frameOf takes a rendering apart. Two different renderings never give equal
// frames with equal items: the marker says what joins the items, and where a
// text has items, or characters that read like the marker, every bracket of
// its own is doubled.
func frameOf(r *prompt.Rendering) frame {
	items := r.NamedItems()
	escape := len(items) > 0 || strings.Contains(r.Text.Str, opening)
	var out frame
	var b prompt.Builder
	var around strings.Builder
	at := 0
	plain := func(end int) {
		writePlain(&b, r.Text.Slice(at, end), escape)
		around.WriteString(r.Text.Str[at:end])
	}
	for len(items) > 0 {
		run, sep := leadingRun(r.Text.Str, items)
		plain(run[0].Start)
		var names []string
		for _, item := range run {
			names = append(names, quoteName(item.Name))
			out.items = append(out.items, storedItem{item.Name, line(r.Text.Slice(item.Start, item.End)), item.File})
		}
		b.WriteString(marker(names, sep))
		at, items = run[len(run)-1].End, items[len(run):]
	}
	plain(len(r.Text.Str))
	b.WriteString("\n")
	out.text, out.around = b.Text(), around.String()
	return out
}

// leadingRun gives the items at the front of a list that are joined by one
// and the same separator, and the separator.
func leadingRun(text string, items []prompt.Item) (run []prompt.Item, sep string) {
	n := 1
	for ; n < len(items); n++ {
		between := text[items[n-1].End:items[n].Start]
		if !prompt.Separates(between) || n > 1 && between != sep {
			break
		}
		sep = between
	}
	return items[:n], sep
}

// marker stands for a run of items. A line break is the usual separator and
// is not mentioned.
func marker(names []string, sep string) string {
	list := strings.Join(names, ", ")
	if len(names) > 1 && sep != "\n" {
		list += "; joined by " + strconv.Quote(sep)
	}
	return opening + ": " + list + closing
}

func quoteName(name string) string {
	for i := range len(name) {
		if c := name[i]; !plainByte(c) && c != '/' && c != '#' {
			return strconv.Quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// writePlain writes literal text; with escape, every bracket twice.
func writePlain(b *prompt.Builder, t prompt.Text, escape bool) {
	at := 0
	for escape {
		i := strings.Index(t.Str[at:], bracket)
		if i < 0 {
			break
		}
		end := at + i + len(bracket)
		b.WriteText(t.Slice(at, end))
		b.WriteString(bracket)
		at = end
	}
	b.WriteText(t.Slice(at, len(t.Str)))
}

// line gives a text with one line break at its end.
func line(t prompt.Text) prompt.Text {
	var b prompt.Builder
	b.Grow(len(t.Str)+len("\n"), len(t.Segs))
	b.WriteText(t)
	b.WriteString("\n")
	return b.Text()
}
