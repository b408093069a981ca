package lint

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// overPresets compares the files of the sources that name the programs which
// read them, as they are on disk, with what these take.
func overPresets(l *sourceSet) diag.List {
	var out diag.List
	met := map[string]bool{}
	for _, u := range l.plan.Units {
		for _, in := range u.Inputs {
			if in.Source == nil || len(in.Source.Limits) == 0 || len(in.Docs) == 0 {
				continue
			}
			parts := []string{in.Source.ID.Str}
			for _, d := range in.Docs {
				parts = append(parts, d.File.Path)
			}
			key := strings.Join(parts, "\x00")
			if met[key] {
				continue
			}
			met[key] = true
			for _, limit := range in.Source.Limits {
				preset, ok := prompt.LookupPreset(limit.Str)
				if !ok {
					continue // refused before
				}
				for _, d := range judgeFiles(in, preset) {
					d.Prompts = l.users[d.Span.File.Path]
					out = append(out, d)
				}
			}
		}
	}
	return out
}

// judgeFiles compares the files of an input with what one program takes.
func judgeFiles(in *prompt.Input, p *prompt.Preset) diag.List {
	var out diag.List
	if in.Kind != nil && in.Kind.Name == prompt.SkillsKind {
		for _, d := range in.Docs {
			out = append(out, longEntry(d, p)...)
		}
		return out
	}
	files, others := readBy(in, p)
	for _, f := range files {
		if found, ok := overFile(f, p); ok {
			out = append(out, found)
		}
	}
	chain := overChain(in.Source.ID.Str, files, p)
	if len(others) > 0 {
		for i := range chain {
			chain[i] = chain[i].WithDetail(diag.Say("does-not-read", p.Says, nameSome(others)))
		}
	}
	return append(out, chain...)
}

// readBy gives the files of an input that a program reads, and the paths of the
// others.
func readBy(in *prompt.Input, p *prompt.Preset) (files []*diag.File, others []string) {
	for _, d := range in.Docs {
		if in.Kind != nil && in.Kind.Name == prompt.ContextKind && !p.Reads(d.File.Path) {
			others = append(others, d.File.Path)
		} else {
			files = append(files, d.File)
		}
	}
	return files, others
}

// overFile compares one file.
func overFile(f *diag.File, p *prompt.Preset) (diag.Diagnostic, bool) {
	limit := p.Runes(path.Base(f.Path))
	if n := size(f.Text, "character"); limit > 0 && n > limit {
		stop := upTo(f.Text, "character", limit)
		return diag.New(diag.OverPreset, restOfLine(f, stop), "takes",
			f.Path, amount(n, "character"), p.Says, diag.Count(limit), stops(f, stop)).
			WithHint("shorten-file-say-matters"), true
	}
	lines := strings.Count(strings.TrimRight(f.Text, "\n"), "\n") + 1
	if p.FileLines == 0 || lines < p.FileLines || f.Text == "" {
		return diag.Diagnostic{}, false
	}
	at := 0
	for range p.FileLines - 1 {
		at += strings.IndexByte(f.Text[at:], '\n') + 1
	}
	d := diag.New(diag.OverPreset, restOfLine(f, at), "advises-fewer", f.Path, amount(lines, "line"), p.Says, diag.Count(p.FileLines)).
		WithHint("longer-files-read-but")
	d.Level = diag.Note
	return d, true
}

// overChain compares the files of a source together, with a blank line between
// them. Empty files count as nothing.
func overChain(source string, files []*diag.File, p *prompt.Preset) diag.List {
	limit, unit := p.ChainBytes, "byte"
	if limit == 0 {
		limit, unit = p.ChainRunes, "character"
	}
	if limit == 0 {
		return nil
	}
	total, blank := 0, 0
	var stop *diag.File
	var rest []string
	offset := 0
	for _, f := range files {
		if strings.TrimSpace(f.Text) == "" {
			continue
		}
		total += blank
		blank = len("\n\n")
		n := size(f.Text, unit)
		switch {
		case stop != nil:
			rest = append(rest, f.Path)
		case total+n > limit:
			stop, offset = f, upTo(f.Text, unit, max(0, limit-total))
		}
		total += n
	}
	if stop == nil {
		return nil
	}
	d := diag.New(diag.OverPreset, restOfLine(stop, offset), "files-together-takes",
		source, amount(total, unit), p.Says, diag.Count(limit), stops(stop, offset), stop.Path).
		WithHint("shorten-files-say-matters")
	if len(rest) > 0 {
		d = d.WithDetail(diag.Say("not-read-at-all", nameSome(rest)))
	}
	return diag.List{d}
}

// stops says where a program stops reading a file.
func stops(f *diag.File, offset int) diag.Words {
	line, column := f.Position(offset)
	switch {
	case offset == 0:
		return diag.Say("reads-nothing")
	case column == 1:
		return diag.Say("reads-to-end-of-line", line-1)
	default:
		return diag.Say("reads-to-line", line)
	}
}

// size counts a text in bytes or in characters.
func size(text, unit string) int {
	if unit == "byte" {
		return len(text)
	}
	return utf8.RuneCountInString(text)
}

// upTo gives the byte offset behind so many bytes or characters, at the
// beginning of a character.
func upTo(text, unit string, n int) int {
	if unit == "byte" {
		for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
			n--
		}
		return min(n, len(text))
	}
	for i := range text {
		if n--; n < 0 {
			return i
		}
	}
	return len(text)
}

// restOfLine is the place from an offset to the end of its line.
func restOfLine(f *diag.File, offset int) diag.Span {
	end := len(f.Text)
	if i := strings.IndexByte(f.Text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	return diag.Span{File: f, Start: offset, End: end}
}

// listed are the fields of a skill that a listing shows.
var listed = []string{"description", "when_to_use"}

// longEntry compares what a listing shows of a skill.
func longEntry(doc *prompt.Doc, p *prompt.Preset) diag.List {
	if p.EntryRunes == 0 {
		return nil
	}
	n, stop := 0, diag.Span{}
	for _, key := range listed {
		f := doc.Front.Field(key)
		if !f.IsScalar() || f.Text.Str == "" {
			continue
		}
		if left := p.EntryRunes - n; !stop.Known() && size(f.Text.Str, "character") > left {
			stop = at(f.Text.Span(upTo(f.Text.Str, "character", left), len(f.Text.Str)), f.At)
		}
		n += size(f.Text.Str, "character")
	}
	if n <= p.EntryRunes {
		return nil
	}
	return diag.List{diag.New(diag.LongListing, stop, "skill-lists",
		doc.Front.Field("name").Scalar(), amount(n, "character"), p.Says, diag.Count(p.EntryRunes)).
		WithHint("say-first-skill-when")}
}
