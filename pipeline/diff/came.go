package diff

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// shownText is a text that an edit has.
type shownText struct {
	edit *prompt.Edit
	text string
}

// shows adds a text that comes ('+') or goes ('-') to an edit: the first as it
// is, of others the lines that the edit does not have yet. Blank lines at the
// end are left out.
func (r *run) shows(e *prompt.Edit, sign byte, text string) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return
	}
	shown := r.shown[e]
	first := shown == nil
	if first {
		shown = map[string]bool{}
		r.shown[e] = shown
	}
	key := shownText{e, text}
	if r.whole[key] {
		return
	}
	r.whole[key] = true
	var run *prompt.Hunk
	for n, line := range strings.Split(text, "\n") {
		if !first && (shown[line] || strings.TrimSpace(line) == "") {
			run = nil
			continue
		}
		shown[line] = true
		if run == nil {
			e.Hunks = append(e.Hunks, prompt.Hunk{Line: n + 1})
			run = &e.Hunks[len(e.Hunks)-1]
		}
		run.Lines = append(run.Lines, prompt.HunkLine{Sign: sign, Text: line})
	}
}

// sign is that of the lines of an item.
func (t itemTurn) sign() byte {
	if t.kind == prompt.ItemAdded {
		return '+'
	}
	return '-'
}
