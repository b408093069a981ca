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
func (r *run) shows(e *prompt.Edit, sign byte, text prompt.Text) {
	str := strings.TrimRight(text.Str, "\n")
	key := shownText{e, str}
	if str == "" || r.whole[key] {
		return
	}
	r.whole[key] = true
	shown := r.shown[e]
	first := shown == nil
	if first {
		shown = map[string]bool{}
		r.shown[e] = shown
	}
	var lines []prompt.HunkLine
	at, start, n := 0, 0, 0
	end := func() {
		if len(lines) > 0 {
			from := text.Span(start, at-1)
			e.Hunks = append(e.Hunks, prompt.Hunk{Line: n - len(lines) + 1, At: from, InBase: sign == '-' && from.Known(), Lines: lines})
		}
		lines = nil
	}
	for line := range strings.SplitSeq(str, "\n") {
		switch {
		case !first && (shown[line] || strings.TrimSpace(line) == ""):
			end()
		case len(lines) == 0:
			start = at
			fallthrough
		default:
			shown[line] = true
			lines = append(lines, prompt.HunkLine{Sign: sign, Text: line})
		}
		at, n = at+len(line)+1, n+1
	}
	end()
}

// sign is that of the lines of an item.
func (t itemTurn) sign() byte {
	if t.kind == prompt.ItemAdded {
		return '+'
	}
	return '-'
}
