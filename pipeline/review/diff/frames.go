package diff

import (
	"sort"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// frame are the items of a rendering.
type frame struct {
	items []item
	// index has the place of each item by its name.
	index map[string]int
	// passage has, of a conversation, the item of each passage, counted from 1.
	passage map[*assembly.Passage]int
}

// itemAt gives the item that has a byte of the rendering's text, -1 for none.
func (f *frame) itemAt(offset int) int {
	i := sort.Search(len(f.items), func(i int) bool { return f.items[i].end > offset })
	if i < len(f.items) && f.items[i].start <= offset {
		return i
	}
	return -1
}

// frame takes a rendering apart, once.
func (r *run) frame(x *assembly.Rendering) *frame {
	if f, ok := r.frames[x]; ok {
		return f
	}
	f := frameOf(x)
	r.frames[x] = f
	return f
}

// item is a part of a rendering with a name of its own. Of a section of tools
// that is also the line that the form native has for each.
type item struct {
	name string // unique in the rendering
	text ground.Text
	file *diag.File
	// tier is that of the message that a piece of a conversation stands in.
	tier string
	// tool is the tool that the item shows, nil for other items.
	tool *language.Tool
	// start and end bound it in the rendering's text.
	start, end int
}

func (f *frame) add(i item) {
	f.index[i.name] = len(f.items)
	f.items = append(f.items, i)
}

func frameOf(x *assembly.Rendering) *frame {
	tools := map[string]*language.Tool{}
	for _, t := range x.Tools {
		tools[t.Name] = t
	}
	var items []item
	for _, i := range x.NamedItems() {
		items = append(items, item{name: i.Name, file: i.File, tool: tools[i.Name], start: i.Start, end: i.End})
	}
	if len(items) == 0 {
		items = toolLines(x)
	}
	f := &frame{index: map[string]int{}}
	for _, it := range items {
		it.text = x.Text.Slice(it.start, it.end)
		f.add(it)
	}
	return f
}

// toolLines gives the line that a text has for each tool of a section. A line
// is a tool's when its name in it comes from where the definition has it.
func toolLines(x *assembly.Rendering) []item {
	if len(x.Tools) == 0 {
		return nil
	}
	named := map[diag.Span]*language.Tool{}
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

func pieceOf(name string, text ground.Text, seen map[string]int) item {
	if seen[name]++; seen[name] > 1 {
		name += "#" + strconv.Itoa(seen[name])
	}
	out := item{name: name, text: text}
	if at := text.Span(0, len(text.Str)); at.Known() {
		out.file = at.File
	}
	return out
}

func (r *run) talk(x *assembly.Rendering) *frame {
	if f, ok := r.frames[x]; ok {
		return f
	}
	f := &frame{index: map[string]int{}, passage: map[*assembly.Passage]int{}}
	seen := map[string]int{}
	for i := range x.Turns {
		turn := &x.Turns[i]
		for j := range turn.Passages {
			if p := &turn.Passages[j]; p.Content != nil {
				piece := pieceOf(p.Content.Name(), p.Text, seen)
				piece.tier = turn.Tier
				f.add(piece)
				f.passage[p] = len(f.items)
			}
		}
	}
	r.frames[x] = f
	return f
}

// definer gives the tool whose definition has a place in it, nil for none.
func definer(tools []*language.Tool, at diag.Span) *language.Tool {
	for _, t := range tools {
		if t.At.Known() && at.Known() && t.At.File.Path == at.File.Path && t.At.Start <= at.Start && at.End <= t.At.End {
			return t
		}
	}
	return nil
}
