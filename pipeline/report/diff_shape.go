package report

import "github.com/promptc-build/promptc/pipeline/prompt"

// foldedLines is how many lines a terminal shows of what came or went.
const foldedLines = 3

// cameOrWent reports whether the lines of an edit are a text that came or went
// as a whole.
func cameOrWent(k prompt.EditKind) bool {
	switch k {
	case prompt.SectionAdded, prompt.SectionRemoved, prompt.SectionKept, prompt.SectionDropped, prompt.ItemAdded, prompt.ItemRemoved:
		return true
	default:
		return false
	}
}

// folded writes the first lines of a text that came or went, and counts the
// others. A line is not worth folding: its count would be one, too.
func (p *diffPage) folded(e *prompt.Edit) {
	var all []prompt.HunkLine
	for _, h := range e.Hunks {
		all = append(all, h.Lines...)
	}
	keep := len(all)
	if keep > foldedLines+1 {
		keep = foldedLines
	}
	for _, l := range p.hunk(prompt.Hunk{Lines: all[:keep]}) {
		p.WriteString("  " + l + "\n")
	}
	if left := len(all) - keep; left > 0 {
		p.line("  … ", count(left, "more line"))
	}
}

// settingWords words a key that has another value. Where a prompt is assembled
// says more than the key that says so.
func settingWords(e *prompt.Edit) (what, verb phrase) {
	if e.Name == "rendered" && e.Section == "" {
		switch {
		case e.To == "":
			return nil, phrase{ours("assembled here now, was rendered elsewhere: "), theirs(e.From)}
		case e.From == "":
			return nil, phrase{ours("rendered elsewhere now: "), theirs(e.To)}
		}
	}
	if e.Name == "axes" && e.Section == "" {
		return phrase{ours("variants ")}, append(phrase{ours("renamed, by their axes: ")}, arrow(e.From, e.To)...)
	}
	if e.Section == "" && (e.Name == "checks" || e.Name == "expect") { // an entry of a list
		switch {
		case e.From == "":
			return phrase{ours(e.Name + " ")}, phrase{ours("added: "), theirs(e.To)}
		case e.To == "":
			return phrase{ours(e.Name + " ")}, phrase{ours("removed: "), theirs(e.From)}
		}
	}
	return append(inSection(e), theirs(e.Name), ours(" ")), append(phrase{ours(e.Kind.Words() + ": ")}, arrow(e.From, e.To)...)
}

// slotWords words a slot that is declared otherwise or, with a section, that
// stands in it now or no longer.
func slotWords(e *prompt.Edit) (what, verb phrase) {
	what = phrase{ours("slot "), theirs(e.Name), ours(" ")}
	switch {
	case e.Section == "":
		return what, declaredAs(e.From, e.To)
	case e.To == "":
		return what, phrase{ours("no longer in "), theirs(e.Section)}
	case e.From == "":
		return what, phrase{ours("now in "), theirs(e.Section)}
	default:
		return what, append(phrase{ours("in "), theirs(e.Section), ours(": ")}, arrow(e.From, e.To)...)
	}
}

// bytesWords words a difference that no other edit shows.
func bytesWords(e *prompt.Edit) phrase {
	if e.Name == "" {
		return phrase{ours(e.Kind.Words())}
	}
	return append(phrase{theirs(e.Name), ours(": ")}, arrow(e.From, e.To)...)
}

// textWords words lines that differ; with the heading of a section its name
// may.
func textWords(e *prompt.Edit) phrase {
	if e.From == "" || e.Kind != prompt.TextChanged {
		return phrase{ours(e.Kind.Words())}
	}
	return phrase{ours("renamed, was "), theirs(e.From)}
}
