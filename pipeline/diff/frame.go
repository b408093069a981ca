package diff

import (
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// frame is a rendering taken apart: what stands around its items, and the
// items.
type frame struct {
	// around is the text without the items and what joins them.
	around prompt.Text
	items  []item
	// index has the place of each item by its name.
	index map[string]int
	// gaps are the runs of items, and where in around they stand.
	gaps []gap
}

// gap is a run of items with what joins them: the items [first, end), from the
// byte start of the rendering's text on.
type gap struct {
	at         int
	start      int
	first, end int
}

// item is a part of a rendering with a name of its own. Of a section of tools
// that is also the line that the form native has for each.
type item struct {
	name string // unique in the rendering
	text prompt.Text
	file *diag.File
	// tier is that of the message that a piece of a conversation stands in.
	tier string
	// tool is the tool that the item shows, nil for other items.
	tool *prompt.Tool
	// start and end bound it in the rendering's text.
	start, end int
}

func (f *frame) add(i item) {
	f.index[i.name] = len(f.items)
	f.items = append(f.items, i)
}

// frame takes a rendering apart, once.
func (r *run) frame(x *prompt.Rendering) *frame {
	if f, ok := r.frames[x]; ok {
		return f
	}
	f := frameOf(x)
	r.frames[x] = f
	return f
}

func frameOf(x *prompt.Rendering) *frame {
	items := sound(x)
	if len(items) == 0 {
		items = toolLines(x)
	}
	f := &frame{index: map[string]int{}}
	var b prompt.Builder
	seen := map[string]int{}
	at := 0
	for i, it := range items {
		between := x.Text.Str[at:it.start]
		if i == 0 || !separates(between) {
			b.WriteText(x.Text.Slice(at, it.start))
			f.gaps = append(f.gaps, gap{at: b.Len(), start: it.start, first: i})
		}
		f.gaps[len(f.gaps)-1].end = i + 1
		at = it.end
		if seen[it.name]++; seen[it.name] > 1 {
			it.name += "#" + strconv.Itoa(seen[it.name])
		}
		it.text = x.Text.Slice(it.start, it.end)
		f.add(it)
	}
	b.WriteText(x.Text.Slice(at, len(x.Text.Str)))
	f.around = b.Text()
	return f
}

// sound gives the items of a rendering that lie in its text, in order.
func sound(x *prompt.Rendering) []item {
	var out []item
	at := 0
	tools := map[string]*prompt.Tool{}
	for _, t := range x.Tools {
		tools[t.Name] = t
	}
	for _, i := range x.Items {
		if i.Start >= at && i.End >= i.Start && i.End <= len(x.Text.Str) {
			out = append(out, item{name: i.Name, file: i.File, tool: tools[i.Name], start: i.Start, end: i.End})
			at = i.End
		}
	}
	return out
}

// toolLines gives the line that a text has for each tool of a section. A line
// is a tool's when its name in it comes from where the definition has it.
func toolLines(x *prompt.Rendering) []item {
	if len(x.Tools) == 0 {
		return nil
	}
	named := map[diag.Span]*prompt.Tool{}
	for _, t := range x.Tools {
		if t.NameAt.Known() {
			named[t.NameAt] = t
		}
	}
	var out []item
	at := 0
	for _, s := range x.Text.Segs {
		t := named[s.At]
		if t == nil || s.Start < at {
			continue
		}
		delete(named, s.At) // its first line is its own; an example names it again
		start := strings.LastIndexByte(x.Text.Str[:s.Start], '\n') + 1
		end := len(x.Text.Str)
		if n := strings.IndexByte(x.Text.Str[s.End:], '\n'); n >= 0 {
			end = s.End + n
		}
		if start < at {
			continue
		}
		out = append(out, item{name: t.Name, file: t.File, tool: t, start: start, end: end})
		at = end
	}
	return out
}

// separates reports whether a text between items only joins them.
func separates(s string) bool {
	return len(s) <= 8 && strings.Trim(s, " \t\n,;|-") == ""
}
