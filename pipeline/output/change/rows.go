package change

import (
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/review"
)

// Changes counts the changes of a difference as they are printed: the numbers that
// Options.Only takes.
func Changes(d *review.Difference) int {
	rows, _ := rowsOf(d.Edits)
	return len(rows)
}

// rowsOf gives the edits as they are printed. An edit whose lines follow from
// another is a part of that: its lines stand there where a text came, went or
// comes from another file, and are counted where they follow from a setting, a
// form or a tool. Edits of lines of one section that reach the same variants
// share a row. numbers has the place of each edit's row, and of the row, counted
// from 1.
func rowsOf(all []*review.Edit) (rows []*review.Edit, numbers map[*review.Edit]int) {
	numbers = map[*review.Edit]int{}
	byLines, byReach := map[string]int{}, map[string]int{}
	for _, e := range all {
		if e.Follows != nil {
			continue
		}
		lines, reach := linesKey(e), reachKey(e)
		if i, met := byLines[lines]; met && sameButEnd(rows[i], e) {
			numbers[e] = i + 1
			widen(rows[i], e)
			continue
		}
		if i, met := byReach[reach]; met && shareRow(rows[i], e) {
			numbers[e] = i + 1
			addTo(rows[i], e)
			continue
		}
		row := *e
		byLines[lines], byReach[reach] = len(rows), len(rows)
		rows = append(rows, &row)
		numbers[e], numbers[&row] = len(rows), len(rows)
	}
	for _, e := range all {
		if n := numbers[e.Follows]; e.Follows != nil && n > 0 {
			numbers[e] = n
			for _, h := range e.Hunks {
				h.In, h.Of = partly(rows[n-1], e)
				rows[n-1].Hunks = append(rows[n-1].Hunks, h)
			}
		}
	}
	for _, row := range rows {
		if row.Kind == review.TextChanged && came(row) {
			asNew(row)
		}
	}
	return rows, numbers
}

// asNew places a row of variants that came where their own lines are. What these
// come to is a part of what the variants have.
func asNew(row *review.Edit) {
	if own, _ := ownHunks(row); len(own) > 0 && own[0].At.Known() {
		if row.InBase && !own[0].InBase {
			row.Also = nil
		}
		row.At, row.InBase = own[0].At, own[0].InBase
	}
	row.Reach = slices.Clone(row.Reach)
	for i := range row.Reach {
		row.Reach[i].Tokens = nil
	}
}

// linesKey and reachKey find the rows that an edit may stand in: those of its lines,
// and those of the variants that it reaches.
func linesKey(e *review.Edit) string {
	var b strings.Builder
	b.WriteString(e.Kind.String())
	for _, h := range e.Hunks {
		for _, l := range h.Lines {
			b.WriteString("\n" + string(l.Sign) + l.Text)
		}
	}
	return b.String()
}

func reachKey(e *review.Edit) string {
	var key strings.Builder
	key.WriteString(e.Kind.String() + "\x00" + e.Item)
	if !foreign(e) {
		key.WriteString("\x00" + e.Section)
	}
	for _, r := range e.Reach {
		key.WriteString("\x00" + r.Pair.ID + "\x00" + r.In.Key())
	}
	return key.String()
}

// came reports whether a row is about variants alone that came: it has their own
// lines and not those of the text that they are compared with.
func came(row *review.Edit) bool {
	switch row.Kind {
	case review.PromptAdded, review.AxisAdded, review.ValueAdded, review.VariantsAdded:
		return true
	case review.TextChanged:
		if slices.ContainsFunc(row.Reach, func(r review.Reach) bool { return r.OfBase || len(r.Pair.Was) == 0 || !r.In.SubsetOf(r.Pair.Came()) }) {
			return false
		}
		return slices.ContainsFunc(row.Reach, func(r review.Reach) bool { return r.In.Len() > 0 || r.All().Len() == 0 })
	default:
		return false
	}
}

// ownHunks gives the hunks of a row; of variants that came those with their own
// lines, and how many lines of the text that they are compared with they lack.
func ownHunks(row *review.Edit) (own []review.Hunk, lacks int) {
	if !came(row) {
		return row.Hunks, 0
	}
	for _, h := range row.Hunks {
		n := len(h.Lines)
		h.Lines = slices.DeleteFunc(slices.Clone(h.Lines), func(l review.HunkLine) bool { return l.Sign == '-' })
		if lacks += n - len(h.Lines); len(h.Lines) > 0 {
			own = append(own, h)
		}
	}
	return own, lacks
}

// sameButEnd reports whether an edit of lines differs from a row in nothing but
// that a line ends the text in some variants, without a line break.
func sameButEnd(row, e *review.Edit) bool {
	if e.Kind != review.TextChanged || row.Kind != e.Kind || len(row.Hunks) != 1 || len(e.Hunks) != 1 || row.From != e.From {
		return false
	}
	return slices.EqualFunc(row.Hunks[0].Lines, e.Hunks[0].Lines, func(a, b review.HunkLine) bool { return a.Sign == b.Sign && a.Text == b.Text })
}

// widen lets a row reach what an edit of the same lines does.
func widen(row, e *review.Edit) {
	row.Reach = slices.Clone(row.Reach)
	for _, r := range e.Reach {
		i := slices.IndexFunc(row.Reach, func(o review.Reach) bool { return o.Pair == r.Pair && o.OfBase == r.OfBase })
		if i < 0 {
			row.Reach = append(row.Reach, r)
			continue
		}
		o := &row.Reach[i]
		o.In, o.Tokens = unionOf(o.In.Clone(), r.In), maps.Clone(o.Tokens)
		maps.Copy(o.Tokens, r.Tokens)
		var missed []review.Missed
		for _, m := range o.Missed {
			if m.Set = m.Set.Minus(o.In); m.Set.Len() > 0 {
				missed = append(missed, m)
			}
		}
		o.Missed = missed
	}
	if e.At.Known() && e.At != row.At {
		row.Also = append(slices.Clone(row.Also), e.At)
	}
	row.Also = append(row.Also, e.Also...)
}

// partly says how many of the variants of a row have some lines of it, 0 where all
// do.
func partly(row, e *review.Edit) (n, of int) {
	for _, r := range row.Reach {
		of += r.In.Len()
	}
	for _, r := range e.Reach {
		n += r.In.Len()
	}
	if n >= of {
		return 0, 0
	}
	return n, of
}

// shareRow reports whether an edit of lines stands in a row.
func shareRow(row, e *review.Edit) bool {
	return e.Kind == review.TextChanged && row.Kind == e.Kind && e.From == "" && row.From == "" && row.Item == e.Item &&
		(row.Section == e.Section || foreign(row) && foreign(e)) && slices.EqualFunc(row.Reach, e.Reach, sameReach)
}

// foreign reports whether an edit is in texts that another program puts together,
// whose sections say only where it stands.
func foreign(e *review.Edit) bool {
	return !slices.ContainsFunc(e.Reach, func(r review.Reach) bool {
		b := buildOf(r)
		return b == nil || b.Prompt.Rendered == nil
	})
}

// sameReach reports whether two edits reach the same variants of a prompt, and
// miss the same that could be expected to have them. Where few texts of another
// program changed, most others still have some of their lines: which ones is not
// told apart.
func sameReach(a, b review.Reach) bool {
	if a.Pair != b.Pair || a.OfBase != b.OfBase || !a.In.Equal(b.In) {
		return false
	}
	for _, cause := range []review.Cause{review.CauseIncludes, review.CauseMayInclude} {
		if !equalRows(by(a, cause), by(b, cause)) {
			return false
		}
	}
	if of := buildOf(a); of != nil && of.Prompt.Rendered != nil && fewReached(a) && fewReached(b) {
		return true
	}
	return sameMissed(a, b)
}

func sameMissed(a, b review.Reach) bool { return equalRows(Expected(a), Expected(b)) }

func equalRows(a, b []review.Missed) bool {
	return slices.EqualFunc(a, b, func(m, n review.Missed) bool {
		return m.SameCause(n) && m.Set.Equal(n.Set)
	})
}

// fewReached reports whether of the variants that could be expected to have an
// edit, if there are any, fewer do than do not.
func fewReached(r review.Reach) bool {
	n := 0
	for _, m := range Expected(r) {
		if m.Cause != review.CauseStale {
			return false
		}
		n += m.Set.Len()
	}
	return n == 0 || n > r.In.Len()
}

// missedByEither gives what one of two such edits misses.
func missedByEither(a, b review.Reach) []review.Missed {
	partly := review.Missed{Cause: review.CauseStale, Partly: true, Set: ground.NewSet(a.In.Size())}
	for _, m := range slices.Concat(Expected(a), Expected(b)) {
		partly.Set.Union(m.Set)
	}
	out := []review.Missed{partly}
	for _, m := range a.Missed {
		if m.Set = m.Set.Minus(partly.Set); m.Set.Len() > 0 {
			out = append(out, m)
		}
	}
	return out
}

// Expected gives what an edit misses of the variants that could be expected to
// have it: they have the same section, item or tool, or still the lines that it
// replaced.
func Expected(r review.Reach) []review.Missed {
	var out []review.Missed
	for _, m := range r.Missed {
		switch m.Cause {
		case review.CauseStale, review.CauseUnnamed, review.CauseFile, review.CauseForm:
			out = append(out, m)
		case review.CauseOther: // of texts that another program puts together it is the rule
			if b := buildOf(r); b != nil && b.Prompt.Rendered == nil {
				out = append(out, m)
			}
		default:
		}
	}
	return out
}

// addTo adds the lines and the size of an edit to a row.
func addTo(row, e *review.Edit) {
	row.Hunks = slices.Clone(row.Hunks) // not those of the edit
	for _, h := range e.Hunks {
		last := &row.Hunks[len(row.Hunks)-1]
		if h.At.File == last.At.File && h.InBase == last.InBase && h.Line == last.Line+addedIn(last.Lines) && !last.Lines[len(last.Lines)-1].Open {
			last.Lines = append(slices.Clip(last.Lines), h.Lines...) // nothing that stayed is between them
			continue
		}
		row.Hunks = append(row.Hunks, h)
	}
	row.Also = slices.Clone(row.Also)
	for _, at := range e.Also {
		if !slices.Contains(row.Also, at) {
			row.Also = append(row.Also, at)
		}
	}
	if row.Section != e.Section {
		row.Section = ""
	}
	row.Reach = slices.Clone(row.Reach)
	for i := range row.Reach {
		if !sameMissed(row.Reach[i], e.Reach[i]) {
			row.Reach[i].Missed = missedByEither(row.Reach[i], e.Reach[i])
		}
		sum := map[int]int{}
		for _, tokens := range []map[int]int{row.Reach[i].Tokens, e.Reach[i].Tokens} {
			for variant, n := range tokens {
				sum[variant] += n
			}
		}
		if len(sum) > 0 {
			row.Reach[i].Tokens = sum
		}
	}
}

// addedIn counts the lines of a hunk that the new text has.
func addedIn(lines []review.HunkLine) int {
	n := 0
	for _, l := range lines {
		if l.Sign != '-' {
			n++
		}
	}
	return n
}

func linesOf(row *review.Edit) int {
	n := 0
	for _, h := range row.Hunks {
		n += len(h.Lines)
	}
	return n
}
