package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// rowsOf gives the edits as they are printed. An edit whose lines follow from
// another is a part of that: its lines stand there where a text came, went or
// comes from another file, and are counted where they follow from a setting, a
// form or a tool. Edits of lines of one section that reach the same variants
// share a row. numbers has the place of each edit's row, counted from 1. Of the
// lines that variants lack which came, lacks has how many they are: only the row
// of the number whole has these lines.
func rowsOf(all []*prompt.Edit, whole int) (rows []*prompt.Edit, numbers, lacks map[*prompt.Edit]int) {
	numbers, lacks = map[*prompt.Edit]int{}, map[*prompt.Edit]int{}
	for _, e := range all {
		if e.Follows != nil {
			continue
		}
		if i := slices.IndexFunc(rows, func(row *prompt.Edit) bool { return sameButEnd(row, e) }); i >= 0 {
			numbers[e] = i + 1
			widen(rows[i], e)
			continue
		}
		i := slices.IndexFunc(rows, func(row *prompt.Edit) bool { return shareRow(row, e) })
		if i < 0 {
			row := *e
			rows = append(rows, &row)
			numbers[e] = len(rows)
			continue
		}
		numbers[e] = i + 1
		addTo(rows[i], e)
	}
	for _, e := range all {
		if n := numbers[e.Follows]; e.Follows != nil && n > 0 {
			numbers[e] = n
			for _, h := range e.Hunks {
				if came(rows[n-1].Kind) && n != whole {
					of := len(h.Lines)
					h.Lines = ownLines(h.Lines)
					lacks[rows[n-1]] += of - len(h.Lines)
					if len(h.Lines) == 0 {
						continue
					}
				}
				h.Heading = strings.TrimSpace(h.Heading + partly(rows[n-1], e))
				rows[n-1].Hunks = append(rows[n-1].Hunks, h)
			}
		}
	}
	return rows, numbers, lacks
}

// came reports whether variants came, of which a row has their own lines and not
// those of the text that they are compared with.
func came(k prompt.EditKind) bool {
	switch k {
	case prompt.PromptAdded, prompt.AxisAdded, prompt.ValueAdded, prompt.VariantsAdded:
		return true
	default:
		return false
	}
}

func ownLines(all []prompt.HunkLine) []prompt.HunkLine {
	return slices.DeleteFunc(slices.Clone(all), func(l prompt.HunkLine) bool { return l.Sign == '-' })
}

// sameButEnd reports whether an edit of lines differs from a row in nothing but
// that a line ends the text in some variants, without a line break.
func sameButEnd(row, e *prompt.Edit) bool {
	if e.Kind != prompt.TextChanged || row.Kind != e.Kind || len(row.Hunks) != 1 || len(e.Hunks) != 1 || row.From != e.From {
		return false
	}
	return slices.EqualFunc(row.Hunks[0].Lines, e.Hunks[0].Lines, func(a, b prompt.HunkLine) bool { return a.Sign == b.Sign && a.Text == b.Text })
}

// widen lets a row reach what an edit of the same lines does.
func widen(row, e *prompt.Edit) {
	row.Reach = slices.Clone(row.Reach)
	for _, r := range e.Reach {
		i := slices.IndexFunc(row.Reach, func(o prompt.Reach) bool { return o.Pair == r.Pair && o.OfBase == r.OfBase })
		if i < 0 {
			row.Reach = append(row.Reach, r)
			continue
		}
		o := &row.Reach[i]
		o.In, o.Tokens = joined(o.In.Clone(), r.In), maps.Clone(o.Tokens)
		for variant, n := range r.Tokens {
			o.Tokens[variant] = n
		}
		var missed []prompt.Missed
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

// partly says how many of the variants of a row have some lines of it, where not
// all do.
func partly(row, e *prompt.Edit) string {
	n, of := 0, 0
	for _, r := range row.Reach {
		of += r.In.Len()
	}
	for _, r := range e.Reach {
		n += r.In.Len()
	}
	if n >= of {
		return ""
	}
	return " (in " + number(n) + " of " + number(of) + ")"
}

// shareRow reports whether an edit of lines stands in a row.
func shareRow(row, e *prompt.Edit) bool {
	return e.Kind == prompt.TextChanged && row.Kind == e.Kind && e.From == "" && row.From == "" && row.Item == e.Item &&
		(row.Section == e.Section || foreign(row) && foreign(e)) && slices.EqualFunc(row.Reach, e.Reach, sameReach)
}

// foreign reports whether an edit is in texts that another program puts together,
// whose sections say only where it stands.
func foreign(e *prompt.Edit) bool {
	return !slices.ContainsFunc(e.Reach, func(r prompt.Reach) bool {
		b := buildOf(r)
		return b == nil || b.Prompt.Rendered == nil
	})
}

// sameReach reports whether two edits reach the same variants of a prompt, and
// miss the same that could be expected to have them.
func sameReach(a, b prompt.Reach) bool {
	return a.Pair == b.Pair && a.OfBase == b.OfBase && a.In.Equal(b.In) && slices.EqualFunc(expected(a), expected(b), func(m, n prompt.Missed) bool {
		return m.Cause == n.Cause && m.Why == n.Why && m.Set.Equal(n.Set)
	})
}

// expected gives what an edit misses of the variants that could be expected to
// have it: they have the same section, item or tool, or still the lines that it
// replaced.
func expected(r prompt.Reach) []prompt.Missed {
	var out []prompt.Missed
	for _, m := range r.Missed {
		switch m.Cause {
		case prompt.CauseStale, prompt.CauseUnnamed, prompt.CauseFile, prompt.CauseForm, prompt.CauseOther:
			out = append(out, m)
		default:
		}
	}
	return out
}

// addTo adds the lines and the size of an edit to a row.
func addTo(row, e *prompt.Edit) {
	row.Hunks = slices.Concat(row.Hunks, e.Hunks)
	if row.Section != e.Section {
		row.Section = ""
	}
	row.Reach = slices.Clone(row.Reach)
	for i := range row.Reach {
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

// showsLines reports whether the lines of a row are printed: not where they
// follow from what the row says.
func showsLines(row *prompt.Edit) bool {
	switch row.Kind {
	case prompt.TextChanged, prompt.SectionAdded, prompt.SectionRemoved, prompt.SectionKept, prompt.SectionDropped,
		prompt.ItemAdded, prompt.ItemRemoved, prompt.FileChanged, prompt.PromptAdded, prompt.AxisAdded, prompt.ValueAdded, prompt.VariantsAdded:
		return true
	default:
		return false
	}
}

// linesOf counts the lines of a row.
func linesOf(row *prompt.Edit) int {
	n := 0
	for _, h := range row.Hunks {
		n += len(h.Lines)
	}
	return n
}
