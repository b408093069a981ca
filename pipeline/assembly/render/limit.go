package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
)

// limited applies a limit to a text. The part that a cut leaves and the line
// that says so are together within the limit. file is whose text it is, nil
// for several files or inline text.
func (b *bench) limited(in *assembly.Input, p passage, file *diag.File) passage {
	limit := in.Limit
	total := p.runes()
	if limit == nil || total <= limit.Chars {
		return p
	}
	at := in.At
	if file != nil {
		at = diag.Whole(file)
	}
	if !limit.Cut {
		b.overLimit(in, file, at, total, diag.Say("shorten-raise-or-cut"))
		return p
	}
	return b.cutTo(in, p, file, limit.Chars, b.style(in))
}

// cutTo cuts a text to a number of characters, the line that says so by the
// block "cut" of a style included.
func (b *bench) cutTo(in *assembly.Input, p passage, file *diag.File, chars int, s *style) passage {
	total := p.runes()
	// The number in the line only shrinks, so the longest line is that of the
	// whole limit.
	room := chars - b.cutLine(s, max(chars, 0), total, in.Limit.Chars).runes() - len("\n")
	if room <= 0 {
		b.limitTooSmall(in)
		return p
	}
	end := cutOffset(p, room)
	if in.Kind.Lines {
		end = wholeLines(p.text.Str, end)
	}
	kept := p.slice(0, end)
	b.recordCuts(in, file, p, kept)
	return join([]passage{kept, b.cutLine(s, kept.runes(), total, in.Limit.Chars)}, "\n")
}

// wholeBodies applies a limit that counts by source to bodies that stand apart
// in the text. What the kind prints around them does not count. The body that
// is cut says so for all; those behind it are left out.
func (b *bench) wholeBodies(in *assembly.Input, bodies []fileBody) []fileBody {
	total := 0
	for _, body := range bodies {
		total += body.runes()
	}
	limit := in.Limit
	if limit == nil || !limit.PerSource || total <= limit.Chars || len(bodies) == 0 {
		return bodies
	}
	if !limit.Cut {
		b.overSource(in, bodies, total)
		return bodies
	}
	s := b.style(in)
	left := limit.Chars - b.cutLine(s, limit.Chars, total, limit.Chars).runes() - len("\n")
	if left <= 0 {
		b.limitTooSmall(in)
		return bodies
	}
	shown, kept := 0, 0
	out := slices.Clone(bodies)
	for i, body := range bodies {
		n := body.runes()
		if n > left {
			out[i].passage = body.slice(0, cutOffset(body.passage, left))
			n, left = out[i].runes(), 0
		}
		left, shown = max(left-n, 0), shown+n
		if n > 0 {
			kept = i
		}
	}
	b.recordShort(in, bodies, out)
	out[kept].passage = join([]passage{out[kept].passage, b.cutLine(s, shown, total, limit.Chars)}, "\n")
	return out[:kept+1]
}

// recordShort tells of each file whose bodies, together, lost something.
func (b *bench) recordShort(in *assembly.Input, before, after []fileBody) {
	var files []*diag.File
	total, shown := map[*diag.File]int{}, map[*diag.File]int{}
	for i, body := range before {
		file := fileOf(body)
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
		total[file] += body.runes()
		shown[file] += after[i].runes()
	}
	for _, file := range files {
		if shown[file] < total[file] {
			b.recordCut(in, file, total[file], shown[file])
		}
	}
}

// overSource reports bodies that are together over the limit.
func (b *bench) overSource(in *assembly.Input, bodies []fileBody, total int) {
	file, at := fileOf(bodies[0]), in.At
	for _, body := range bodies[1:] {
		if fileOf(body) != file {
			file = nil
		}
	}
	if file != nil {
		at = diag.Whole(file)
	}
	b.overLimit(in, file, at, total, diag.Say("shorten-raise-or-cut"))
}

// fileOf gives the file of a body, nil for inline text.
func fileOf(body fileBody) *diag.File {
	if body.doc == nil {
		return nil
	}
	return body.doc.File
}

func (b *bench) limitTooSmall(in *assembly.Input) {
	b.found = append(b.found, diag.New(diag.LimitTooSmall, limitPlace(in),
		"limit-characters-cannot-hold", in.Limit.Chars).WithHint("raise-limit-chars"))
}

// cutLine is the line that says what was cut.
func (b *bench) cutLine(s *style, shown, total, limit int) passage {
	return oneLine(b.block(s, "cut", scope{
		numEntry("Shown", shown), numEntry("Total", total), numEntry("Limit", limit),
	}))
}

// recordCuts tells of a cut, for each file that lost something. Where there
// is not one file, the items say which text is whose.
func (b *bench) recordCuts(in *assembly.Input, file *diag.File, before, after passage) {
	if file != nil || len(before.items) == 0 {
		b.recordCut(in, file, before.runes(), after.runes())
		return
	}
	for i, it := range before.items {
		shown := 0
		if i < len(after.items) {
			shown = utf8.RuneCountInString(after.text.Str[after.items[i].Start:after.items[i].End])
		}
		if total := utf8.RuneCountInString(before.text.Str[it.Start:it.End]); shown < total {
			b.recordCut(in, it.File, total, shown)
		}
	}
}

// recordCut tells of one cut: in the rendering, and in a note. Inline text is
// of the manifest's file.
func (b *bench) recordCut(in *assembly.Input, file *diag.File, total, shown int) {
	b.mark(assembly.CutShort)
	at, of := in.At, in.At.File
	if file != nil {
		at, of = diag.Whole(file), file
	}
	b.out.Cuts = append(b.out.Cuts, assembly.Cut{File: of, Original: total, Included: shown, Limit: in.Limit.Chars})
	if shown == 0 {
		b.found.Add(diag.CutToLimit, at, "left-out-keep-within", whose(in, file), in.Limit.Chars)
		return
	}
	b.found.Add(diag.CutToLimit, at, "cut-characters", whose(in, file), total, shown)
}

func (b *bench) overLimit(in *assembly.Input, file *diag.File, at diag.Span, total int, hint diag.Words) {
	d := diag.New(diag.OverLimit, at, "characters-over-limit", whose(in, file), total, in.Limit.Chars, total-in.Limit.Chars)
	d.Hint = hint
	b.found = append(b.found, d)
}

func whose(in *assembly.Input, file *diag.File) diag.Words {
	switch {
	case file != nil:
		return diag.Say("quoted", file.Path)
	case in.Source != nil:
		return diag.Say("the-source", in.Source.ID.Str)
	default:
		return diag.Say("the-text")
	}
}

// limitPlace is where the limit is declared, or else where the source is.
func limitPlace(in *assembly.Input) diag.Span {
	if in.Limit.At.Known() {
		return in.Limit.At
	}
	return in.At
}

// uncut applies a limit to text that is made of fields, where there is no
// sensible cut: too long is an error whatever `over` says.
func (b *bench) uncut(in *assembly.Input, p passage) passage {
	if in.Limit != nil && p.runes() > in.Limit.Chars {
		b.overLimit(in, nil, limitPlace(in), p.runes(), diag.Say("kind-is-not-cut", in.Kind.Name))
	}
	return p
}

// cutOffset gives the byte at which a text is cut to at most n characters. It
// lies in no slot, after no white space, at the end of a line where that
// keeps at least half, and in no code fence that it would leave open.
func cutOffset(p passage, n int) int {
	s := p.text.Str
	end := runeOffset(s, n)
	if line := strings.LastIndexByte(s[:min(end+1, len(s))], '\n'); line >= end/2 && line > 0 {
		end = min(end, line)
	}
	if open := markdown.OpenFence(s[:end]); open > 0 {
		end = open
	}
	return len(strings.TrimRight(s[:beforeSlot(p, end)], " \t\n"))
}

// wholeLines gives the end of the last line that a cut leaves whole, or the
// cut itself where it lies in the first: half a record says something else.
func wholeLines(s string, end int) int {
	if end == len(s) || s[end] == '\n' {
		return end
	}
	if line := strings.LastIndexByte(s[:end], '\n'); line > 0 {
		return line
	}
	return end
}
