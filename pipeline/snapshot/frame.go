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
	items  []piece
}

// piece is one item of a frame.
type piece struct {
	key  string // the item's name, made unique in the rendering
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
	items := sound(r)
	escape := len(items) > 0 || strings.Contains(r.Text.Str, opening)
	var out frame
	var b prompt.Builder
	var around strings.Builder
	seen := map[string]int{}
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
			key := item.Name
			if seen[item.Name]++; seen[item.Name] > 1 {
				key += "#" + strconv.Itoa(seen[item.Name])
			}
			names = append(names, quoteName(key))
			out.items = append(out.items, piece{key: key, text: line(r.Text.Slice(item.Start, item.End)), file: item.File})
		}
		b.WriteString(marker(names, sep))
		at, items = run[len(run)-1].End, items[len(run):]
	}
	plain(len(r.Text.Str))
	b.WriteString("\n")
	out.text, out.around = b.Text(), around.String()
	return out
}

// sound gives the items of a rendering that lie in its text, in order.
func sound(r *prompt.Rendering) []prompt.Item {
	var out []prompt.Item
	at := 0
	for _, item := range r.Items {
		if item.Start >= at && item.End >= item.Start && item.End <= len(r.Text.Str) {
			out = append(out, item)
			at = item.End
		}
	}
	return out
}

// leadingRun gives the items at the front of a list that are joined by one
// and the same separator, and the separator.
func leadingRun(text string, items []prompt.Item) (run []prompt.Item, sep string) {
	n := 1
	for ; n < len(items); n++ {
		between := text[items[n-1].End:items[n].Start]
		if !separates(between) || n > 1 && between != sep {
			break
		}
		sep = between
	}
	return items[:n], sep
}

// separates reports whether a text between items only joins them; words would
// be text that a reviewer wants to see.
func separates(s string) bool {
	return len(s) <= 8 && strings.Trim(s, " \t\n,;|-") == ""
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
	if !escape || !strings.Contains(t.Str, bracket) {
		b.WriteText(t)
		return
	}
	at := 0
	for {
		i := strings.Index(t.Str[at:], bracket)
		if i < 0 {
			b.WriteText(t.Slice(at, len(t.Str)))
			return
		}
		end := at + i + len(bracket)
		b.WriteText(t.Slice(at, end))
		b.WriteString(bracket)
		at = end
	}
}

// line gives a text with one line break at its end.
func line(t prompt.Text) prompt.Text {
	var b prompt.Builder
	b.Grow(len(t.Str)+len("\n"), len(t.Segs))
	b.WriteText(t)
	b.WriteString("\n")
	return b.Text()
}
