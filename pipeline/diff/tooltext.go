package diff

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/canon"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// toolText knows what texts say of tools, and what that comes to. What it has
// worked out it keeps: many variants share a rendering, and many edits a
// variant.
type toolText struct {
	run      *run
	mentions *mentions
	indexes  map[*prompt.Rendering]*toolIndex
	shown    map[toolShown]string
	schemas  map[schemaKey]int
	sides    map[*prompt.Artifact]*toolSide
	// edited counts the tools that differ in a section of a variant, and
	// besides those that differ beside its text.
	edited  map[editedKey]int
	besides map[*prompt.Artifact]int
	// steps lead to the first place of a definition that an edit is about;
	// places are those that edits have besides.
	steps  map[*prompt.Edit][]string
	places map[alsoKey]bool
}

type alsoKey struct {
	edit *prompt.Edit
	at   place
}

type toolShown struct {
	rendering *prompt.Rendering
	name      string
}

type schemaKey struct {
	tokenizer string
	tool      *prompt.Tool
}

type editedKey struct {
	head    *prompt.Artifact
	was, is *prompt.Rendering
}

// toolIndex finds the tools of a rendering by name, and their items or lines.
type toolIndex struct {
	tools map[string]*prompt.Tool
	items map[string]int
	parts map[*prompt.Tool]*strings.Builder // what is around the items from a definition
	rest  string                            // what it says apart from its tools
}

// toolSide finds the tools of a variant.
type toolSide struct {
	byName map[string]*prompt.Tool
	beside map[*prompt.Tool]bool
}

func newToolText(r *run) *toolText {
	return &toolText{
		run: r, mentions: newMentions(), indexes: map[*prompt.Rendering]*toolIndex{}, shown: map[toolShown]string{}, schemas: map[schemaKey]int{},
		sides: map[*prompt.Artifact]*toolSide{}, edited: map[editedKey]int{}, besides: map[*prompt.Artifact]int{},
		steps: map[*prompt.Edit][]string{}, places: map[alsoKey]bool{},
	}
}

func (x *toolText) side(a *prompt.Artifact) *toolSide {
	if s, ok := x.sides[a]; ok {
		return s
	}
	s := &toolSide{byName: make(map[string]*prompt.Tool, len(a.Toolset)), beside: make(map[*prompt.Tool]bool, len(a.Beside))}
	for _, t := range a.Toolset {
		s.byName[t.Name] = t
	}
	for _, t := range a.Beside {
		s.beside[t] = true
	}
	x.sides[a] = s
	return s
}

func (x *toolText) index(in *prompt.Rendering) *toolIndex {
	if i, ok := x.indexes[in]; ok {
		return i
	}
	i := &toolIndex{tools: make(map[string]*prompt.Tool, len(in.Tools)), parts: map[*prompt.Tool]*strings.Builder{}}
	for _, t := range in.Tools {
		i.tools[t.Name] = t
	}
	f := x.run.frame(in)
	i.items = f.index
	tools := groundOf(in.Tools)
	var b strings.Builder
	at := 0
	for _, s := range f.around.Segs {
		of := tools.at(s.At)
		for _, t := range of {
			if i.parts[t] == nil {
				i.parts[t] = &strings.Builder{}
			}
			i.parts[t].WriteString(f.around.Str[s.Start:s.End])
		}
		if len(of) > 0 {
			b.WriteString(f.around.Str[at:s.Start])
			at = s.End
		}
	}
	b.WriteString(f.around.Str[at:])
	i.rest = b.String()
	x.indexes[in] = i
	return i
}

// of gives what a rendering says of one of its tools: its item or line, and
// what else comes from its definition. "" where it does not have the tool.
func (x *toolText) of(in *prompt.Rendering, name string) string {
	key := toolShown{in, name}
	if text, ok := x.shown[key]; ok {
		return text
	}
	out, index := "", x.index(in)
	if t := index.tools[name]; t != nil {
		if n, ok := index.items[name]; ok {
			out = x.run.frame(in).items[n].text.Str
		}
		if part := index.parts[t]; part != nil {
			out += part.String()
		}
	}
	x.shown[key] = out
	return out
}

// sections gives the sections of a variant that have a tool, on either side,
// and that are in on both in the same form: of others another edit speaks.
func (x *toolText) sections(t twin, name string) [][2]*prompt.Rendering {
	var out [][2]*prompt.Rendering
	for _, s := range t.pair.sections {
		was, is := t.used(s)
		if was == nil || is == nil || len(was.Tools)+len(is.Tools) == 0 {
			continue
		}
		if (x.index(was).tools[name] != nil || x.index(is).tools[name] != nil) && formOf(was) == formOf(is) {
			out = append(out, [2]*prompt.Rendering{was, is})
		}
	}
	return out
}

// sends reports whether what a variant sends differs on account of a tool: its
// schema goes beside the text, or the text says something else of it.
func (x *toolText) sends(d *toolDiff) bool {
	if x.side(d.t.head).beside[d.after] || x.side(d.t.base).beside[d.before] {
		return true
	}
	return slices.ContainsFunc(x.sections(d.t, d.name), func(s [2]*prompt.Rendering) bool {
		return x.of(s[0], d.name) != x.of(s[1], d.name)
	})
}

// tokens gives the size of a difference: that of the text of its section, or
// of the tool's share where several tools of the section differ, and that of
// its schema beside the text.
func (x *toolText) tokens(d *toolDiff) int {
	count := x.run.count(d.t.head.Variant.Tokenizer)
	n := 0
	for _, s := range x.sections(d.t, d.name) {
		was, is := s[0], s[1]
		if x.editedIn(d.t, was, is) == 1 && x.index(was).rest == x.index(is).rest {
			n += count(is.Text.Str) - count(was.Text.Str)
		} else {
			n += count(x.of(is, d.name)) - count(x.of(was, d.name))
		}
	}
	return n + x.beside(d)
}

// editedIn counts the tools of a section that differ in a variant.
func (x *toolText) editedIn(t twin, was, is *prompt.Rendering) int {
	key := editedKey{t.head, was, is}
	n, ok := x.edited[key]
	if ok {
		return n
	}
	edits := x.run.toolEdits[t.head]
	for _, tool := range is.Tools {
		if edits[tool.Name] != nil {
			n++
		}
	}
	now := x.index(is).tools
	for _, tool := range was.Tools {
		if edits[tool.Name] != nil && now[tool.Name] == nil {
			n++
		}
	}
	x.edited[key] = n
	return n
}

// beside gives the size of a difference beside the text. Where nothing else
// differs there, it is that of the list as a whole.
func (x *toolText) beside(d *toolDiff) int {
	was, is := x.side(d.t.base).beside[d.before], x.side(d.t.head).beside[d.after]
	if !was && !is || was != is && d.before != nil && d.after != nil {
		return 0 // of another form, another edit speaks
	}
	if x.differBeside(d.t) == 1 && x.run.sameTokenizer(d.t) {
		return d.t.head.ToolTokens - d.t.base.ToolTokens
	}
	n := 0
	if is {
		n += x.schema(d.t, d.after)
	}
	if was {
		n -= x.schema(d.t, d.before)
	}
	return n
}

// differBeside counts the tools whose schemas differ beside the text.
func (x *toolText) differBeside(t twin) int {
	n, ok := x.besides[t.head]
	if ok {
		return n
	}
	left := make(map[string]string, len(t.base.Beside))
	for _, tool := range t.base.Beside {
		left[tool.Name] = tool.Canonical
	}
	for _, tool := range t.head.Beside {
		if before, known := left[tool.Name]; !known || before != tool.Canonical {
			n++
		}
		delete(left, tool.Name)
	}
	n += len(left)
	x.besides[t.head] = n
	return n
}

// schema counts a definition as the head of a variant does.
func (x *toolText) schema(t twin, tool *prompt.Tool) int {
	key := schemaKey{t.head.Variant.Tokenizer, tool}
	n, ok := x.schemas[key]
	if !ok {
		n = x.run.count(key.tokenizer)(canon.Sent(tool.Canonical))
		x.schemas[key] = n
	}
	return n
}
