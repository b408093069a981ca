package diff

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// sectionKey groups sections that come or go. Prompts that share a section by
// an anchor of the manifest share the edit.
type sectionKey struct {
	kind prompt.EditKind
	at   place
	id   string
	// from and to are the reasons of sections that are declared on both sides.
	from, to string
}

// sections finds sections that are declared on one side only, those that are
// left out now or no longer, and those that stand elsewhere.
func (r *run) sections() {
	for _, p := range r.pairs {
		if p.Base == nil || p.Head == nil {
			continue
		}
		if p.recut() {
			continue // that sections come and go says nothing
		}
		for _, s := range p.sections {
			switch {
			case s.base < 0:
				r.sectionDeclared(s, prompt.SectionAdded)
			case s.head < 0:
				r.sectionDeclared(s, prompt.SectionRemoved)
			default:
				r.sectionTurned(s)
			}
		}
		r.moves(p)
	}
}

// sectionDeclared adds the edit of a section that one side alone declares. What
// only variants have that come or go comes or goes with them.
func (r *run) sectionDeclared(s *section, kind prompt.EditKind) {
	var in, out []twin
	elsewhere := false
	for _, t := range s.pair.twins {
		was, is := t.used(s)
		switch {
		case !t.both():
			elsewhere = elsewhere || was != nil || is != nil
		case was != nil || is != nil:
			in = append(in, t)
		default:
			out = append(out, t)
		}
	}
	if len(in) == 0 && elsewhere {
		return
	}
	e := r.group(sectionKey{kind: kind, at: placeOf(s.spec().ID.At), id: s.id}, func() *prompt.Edit {
		e := &prompt.Edit{Kind: kind, Section: s.id, At: s.spec().ID.At, InBase: s.head < 0}
		if len(in) > 0 {
			e.At, e.InBase = s.placeIn(in[0])
		}
		return e
	})
	row(e, s.pair, false)
	for _, t := range in {
		r.reachShown(e, s, t)
	}
	for _, t := range out {
		if s.head >= 0 {
			cause, why := outCause(t.head, s.head)
			miss(e, t, cause, why)
		}
	}
}

// reachShown says that an edit brings a section to a variant, or takes it away,
// with the text that it has there.
func (r *run) reachShown(e *prompt.Edit, s *section, t twin) {
	if was, is := t.used(s); is != nil {
		reachBy(e, t, cost(t.head, s.head)+r.worth(is.Slots))
		r.shows(e, '+', is.Text)
	} else {
		reachBy(e, t, -cost(t.base, s.base)-r.worth(was.Slots))
		r.shows(e, '-', was.Text)
	}
}

// placeIn gives the place of a section in a variant, and whether it is in the
// base: where it is declared or, where another program writes the texts, where
// the variant's has it.
func (s *section) placeIn(t twin) (at diag.Span, inBase bool) {
	if s.pair.rendered() {
		was, is := t.used(s)
		if is != nil {
			at = headLine(is.Text)
		} else if was != nil {
			at, inBase = headLine(was.Text), true
		}
	}
	if !at.Known() {
		return s.spec().ID.At, s.head < 0
	}
	return at, inBase
}

// headLine gives the place of the first line of a text that says something.
func headLine(t prompt.Text) diag.Span {
	start := len(t.Str) - len(strings.TrimLeft(t.Str, "\n"))
	line, _, _ := strings.Cut(t.Str[start:], "\n")
	return t.Span(start, start+len(line))
}

// sectionTurned adds the edits of a section that is in on one side only, or out
// on both for different reasons. Texts of another program have it or have it
// not: there it came or went.
func (r *run) sectionTurned(s *section) {
	var made []*prompt.Edit
	rendered := s.pair.rendered()
	for _, t := range s.pair.twins {
		if !t.both() {
			continue
		}
		was, is := t.used(s)
		key := sectionKey{kind: prompt.SectionDropped, at: placeOf(s.spec().ID.At), id: s.id}
		if was == nil {
			key.from = reasonOf(t.base, s.base)
		}
		if is == nil {
			key.to = reasonOf(t.head, s.head)
		}
		switch {
		case key.from == key.to:
			continue // in on both sides, or out for one reason
		case rendered && is != nil:
			key.kind, key.from = prompt.SectionAdded, ""
		case rendered:
			key.kind, key.to = prompt.SectionRemoved, ""
		case is != nil:
			key.kind = prompt.SectionKept
		}
		file, inBase := r.fileTurned(t, s)
		if file.Known() { // one file is one edit, whatever sections read it
			key.at, key.id = placeOf(file), ""
		}
		e := r.group(key, func() *prompt.Edit {
			if !file.Known() {
				file, inBase = s.placeIn(t)
			}
			return &prompt.Edit{Kind: key.kind, Section: s.id, From: key.from, To: key.to, At: file, InBase: inBase}
		})
		if was == nil && is == nil {
			reach(e, t) // sends what it sent
			continue
		}
		r.reachShown(e, s, t)
		if !slices.Contains(made, e) {
			made = append(made, e)
		}
	}
	r.stayed(s, made)
}

// stayed notes the variants that edits which bring a section do not reach, and
// those that keep one which goes from texts of another program.
func (r *run) stayed(s *section, made []*prompt.Edit) {
	for _, e := range made {
		for _, t := range s.pair.twins {
			if !t.both() {
				continue
			}
			was, is := t.used(s)
			switch e.Kind {
			case prompt.SectionKept, prompt.SectionAdded:
				if was == nil && is == nil {
					cause, why := outCause(t.head, s.head)
					miss(e, t, cause, why)
				}
			case prompt.SectionRemoved:
				if was != nil && is != nil {
					miss(e, t, prompt.CauseStale, "")
				}
			default:
			}
		}
	}
}

// cost gives what a section adds to a text with the join before it.
func cost(a *prompt.Artifact, section int) int {
	for i := range a.Parts {
		if a.Parts[i].Section != section || a.Parts[i].Rendering == nil {
			continue
		}
		from := i
		for from > 0 && a.Parts[from-1].Section < 0 && a.Parts[from-1].Passage == nil {
			from--
		}
		if from == 0 {
			return a.Parts[i].Total
		}
		return a.Parts[i].Total - a.Parts[from-1].Total
	}
	return 0
}

// omission gives why a section is out of an artifact.
func omission(a *prompt.Artifact, section int) prompt.Omission {
	for _, o := range a.Out {
		if o.Section == section {
			return o
		}
	}
	return prompt.Omission{Section: section, Reason: prompt.OutEmpty}
}

// reasonOf gives it in the outlines' words.
func reasonOf(a *prompt.Artifact, section int) string {
	o := omission(a, section)
	return strings.TrimSpace(o.Reason.String() + " " + o.Why)
}

// outCause gives it as a cause for not being reached.
func outCause(a *prompt.Artifact, section int) (prompt.Cause, string) {
	o := omission(a, section)
	switch o.Reason {
	case prompt.OutWhen:
		return prompt.CauseWhen, ""
	case prompt.OutNeeds:
		return prompt.CauseNeeds, o.Why
	case prompt.OutForm:
		return prompt.CauseForm, o.Why
	case prompt.OutBudget:
		return prompt.CauseBudget, ""
	default:
		return prompt.CauseAbsent, o.Why
	}
}

// orders are two orders of the same prompt's sections, and the variants that
// have them. Sections are named by their index in pair.sections.
type orders struct {
	base, head []int
	twins      []twin
}

// moves finds sections that stand at another place among those that both sides
// emit.
func (r *run) moves(p *pair) {
	var all []*orders
	known := map[string]*orders{}
	was, is := map[int]int{}, map[int]int{}
	for k, s := range p.sections {
		was[s.base], is[s.head] = k, k
	}
	for _, t := range p.twins {
		if !t.both() {
			continue
		}
		base, head := emitted(t.base, was), emitted(t.head, is)
		if slices.Equal(base, head) {
			continue
		}
		key := string(appendInts(appendInts(nil, base), head))
		if known[key] == nil {
			known[key] = &orders{base: base, head: head}
			all = append(all, known[key])
		}
		known[key].twins = append(known[key].twins, t)
	}
	// The longest say most: what moves there is looked for first in the others,
	// so that one move of the manifest is one everywhere.
	byLength := slices.Clone(all)
	slices.SortStableFunc(byLength, func(a, b *orders) int { return len(b.head) - len(a.head) })
	moved := map[*orders][]int{}
	var hints []int
	for _, o := range byLength {
		moved[o] = movedOf(o.base, o.head, hints)
		for _, k := range moved[o] {
			if !slices.Contains(hints, k) {
				hints = append(hints, k)
			}
		}
	}
	for k, s := range p.sections {
		var here []*orders
		for _, o := range all {
			if slices.Contains(moved[o], k) {
				here = append(here, o)
			}
		}
		if len(here) > 0 {
			r.moved(s, k, here)
		}
	}
}

// moved adds the edit of a section that moved.
func (r *run) moved(s *section, k int, all []*orders) {
	e := &prompt.Edit{Kind: prompt.Moved, Section: s.id}
	first := all[0].twins[0] // of the variants that it reaches
	for _, o := range all {
		for _, t := range o.twins {
			reach(e, t)
			if t.head.Variant.Index < first.head.Variant.Index {
				first = t
			}
		}
	}
	e.At, e.InBase = s.placeIn(first)
	e.From, e.To = s.pair.movedWords(all, k)
	r.add(e)
}

// movedWords gives the places of a section that moved: numbers where all
// variants have the same, else the section that it stands behind or before where
// that is the same, else the range of the numbers.
func (p *pair) movedWords(all []*orders, k int) (from, to string) {
	var sides [2]struct{ places, behind, before []string }
	var low, high [2]int
	for i, o := range all {
		for side, order := range [2][]int{o.base, o.head} {
			n := slices.Index(order, k)
			if i == 0 {
				low[side], high[side] = n+1, n+1
			}
			low[side], high[side] = min(low[side], n+1), max(high[side], n+1)
			behind, before := "1", "last"
			if n > 0 {
				behind = "behind " + p.sections[order[n-1]].id
			}
			if n < len(order)-1 {
				before = "before " + p.sections[order[n+1]].id
			}
			sides[side].places = append(sides[side].places, placeIn(order, k))
			sides[side].behind = append(sides[side].behind, behind)
			sides[side].before = append(sides[side].before, before)
		}
	}
	same := func(words []string) bool { return len(slices.Compact(slices.Clone(words))) == 1 }
	if same(sides[0].places) && same(sides[1].places) {
		return sides[0].places[0], sides[1].places[0]
	}
	words := func(side int) string {
		s := &sides[side]
		switch {
		case same(s.behind):
			return s.behind[0]
		case same(s.before):
			return s.before[0]
		case same(s.places):
			return s.places[0]
		default:
			return prompt.Amounts{Low: low[side], High: high[side]}.String()
		}
	}
	return words(0), words(1)
}

// placeIn gives the place of a name in an order.
func placeIn[T comparable](order []T, name T) string {
	return placeWords(slices.Index(order, name), len(order))
}

// placeWords gives a place among some, counted from 1, or "last".
func placeWords(i, of int) string {
	if i == of-1 {
		return "last"
	}
	return strconv.Itoa(i + 1)
}

// emitted gives the sections that an artifact emits, in order.
func emitted(a *prompt.Artifact, names map[int]int) []int {
	var out []int
	for i := range a.Parts {
		if p := &a.Parts[i]; p.Section >= 0 && p.Rendering != nil {
			out = append(out, names[p.Section])
		}
	}
	return out
}

func appendInts(b []byte, all []int) []byte {
	for _, n := range all {
		b = append(strconv.AppendInt(b, int64(n), 10), ' ')
	}
	return append(b, '|')
}

// movedOf gives the fewest names that have to move to turn one order into the
// other; names that only one of them has do not count. Those of hints are
// preferred; otherwise the earlier of the new order stays.
func movedOf[T comparable](base, head, hints []T) []T {
	rank := make(map[T]int, len(base))
	for i, name := range base {
		rank[name] = i
	}
	var common []T
	for _, name := range head {
		if _, ok := rank[name]; ok {
			common = append(common, name)
		}
	}
	stays := longestRun(common, rank)
	if len(stays) == len(common) {
		return nil
	}
	staying := make(map[T]bool, len(stays))
	for _, name := range stays {
		staying[name] = true
	}
	out := slices.DeleteFunc(slices.Clone(common), func(name T) bool { return staying[name] })
	if hinted := fromHints(common, rank, hints); len(hinted) == len(out) {
		return hinted
	}
	return out
}

// fromHints gives the hinted names that have to move so that the others stand
// in order; nil where that is not enough.
func fromHints[T comparable](common []T, rank map[T]int, hints []T) []T {
	var rest, out []T
	for _, name := range common {
		if slices.Contains(hints, name) {
			out = append(out, name)
		} else {
			rest = append(rest, name)
		}
	}
	byRank := func(a, b T) int { return rank[a] - rank[b] }
	if !slices.IsSortedFunc(rest, byRank) {
		return nil
	}
	for i := len(out) - 1; i >= 0; i-- { // a hint that is in its place stays
		with := slices.DeleteFunc(slices.Clone(common), func(name T) bool {
			at := slices.Index(out, name)
			return at >= 0 && at != i
		})
		if slices.IsSortedFunc(with, byRank) {
			out = slices.Delete(out, i, i+1)
		}
	}
	return out
}

// longestRun gives the most names whose ranks ascend; of equals the one whose
// names stand earliest.
func longestRun[T comparable](names []T, rank map[T]int) []T {
	// length is that of the longest run that begins with each name; heads has
	// the highest rank with which a run of each length begins.
	length := make([]int, len(names))
	var heads []int // descending
	for i := len(names) - 1; i >= 0; i-- {
		r := rank[names[i]]
		n, _ := slices.BinarySearchFunc(heads, r, func(h, r int) int { return r - h })
		if n == len(heads) {
			heads = append(heads, r)
		} else {
			heads[n] = r
		}
		length[i] = n + 1
	}
	out := make([]T, 0, len(heads))
	last := -1
	for i, name := range names {
		if length[i] == len(heads)-len(out) && rank[name] > last {
			out = append(out, name)
			last = rank[name]
		}
	}
	return out
}

// rank is what an edit is sorted by.
type rank struct {
	edit    *prompt.Edit
	prompt  int
	class   int
	section int
	kind    prompt.EditKind
	place   place
}

// The classes of edits, in the order in which they are said.
const (
	ofPrompt = iota
	ofSection
	ofConversation
	ofTool
	ofWhole
)

// finish puts everything into its order and classes the edits.
func (r *run) finish() {
	at := map[*prompt.Pair]int{}
	sections := map[*prompt.Pair]map[string]int{}
	for i, p := range r.pairs {
		at[p.Pair] = i
		sections[p.Pair] = map[string]int{}
		for k, s := range p.sections {
			sections[p.Pair][s.id] = k
		}
	}
	ranks := make([]rank, 0, len(r.d.Edits))
	for _, e := range r.d.Edits {
		tidy(e, at)
		e.Event = r.event(e)
		k := rank{edit: e, class: classOf(e), kind: e.Kind, place: placeOf(e.At)}
		if len(e.Reach) > 0 {
			k.prompt = at[e.Reach[0].Pair]
			k.section = sections[e.Reach[0].Pair][e.Section]
		}
		ranks = append(ranks, k)
	}
	slices.SortStableFunc(ranks, compareRanks)
	for i := range ranks {
		r.d.Edits[i] = ranks[i].edit
	}
}

// tidy sorts the reach of an edit, and what it misses.
func tidy(e *prompt.Edit, at map[*prompt.Pair]int) {
	slices.SortStableFunc(e.Reach, func(a, b prompt.Reach) int {
		return cmp.Or(cmp.Compare(at[a.Pair], at[b.Pair]), compareBools(a.OfBase, b.OfBase))
	})
	for i := range e.Reach {
		slices.SortStableFunc(e.Reach[i].Missed, func(a, b prompt.Missed) int {
			return cmp.Or(cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.Set.First(), b.Set.First()))
		})
	}
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

func classOf(e *prompt.Edit) int {
	switch {
	case e.Kind == prompt.CacheChanged, e.Kind == prompt.BytesChanged:
		return ofWhole
	case e.Kind == prompt.SettingChanged && slices.Contains(competing, e.Name):
		return ofPrompt // other sections come or go on account of it
	case e.Tool != "":
		return ofTool
	case e.Section != "":
		return ofSection
	case e.Item != "":
		return ofConversation
	default:
		return ofPrompt
	}
}

// compareRanks leaves edits of tools and of whole texts in the order in which
// they were found.
func compareRanks(a, b rank) int {
	if n := cmp.Or(cmp.Compare(a.prompt, b.prompt), cmp.Compare(a.class, b.class)); n != 0 {
		return n
	}
	switch a.class {
	case ofPrompt:
		return cmp.Compare(a.kind, b.kind)
	case ofSection, ofConversation:
		return cmp.Or(
			cmp.Compare(a.section, b.section), cmp.Compare(a.kind, b.kind),
			cmp.Compare(a.place.path, b.place.path), cmp.Compare(a.place.start, b.place.start),
		)
	default:
		return 0
	}
}

// relocation are the files that went from one folder to another, or one file
// that is called otherwise.
type relocation struct{ from, to string }

// relocated makes one row of each source that stands elsewhere now with the
// same text, and one of all those that moved with their folder.
func relocated(idle []prompt.Idle, was, is map[string]*diag.File) []prompt.Idle {
	gone := map[string][]string{} // the paths by text, in order
	for _, i := range idle {
		if i.Removed {
			gone[was[i.Path].Text] = append(gone[was[i.Path].Text], i.Path)
		}
	}
	left := map[string]bool{}
	rows := map[relocation][]prompt.Idle{}
	var order []relocation
	for _, i := range idle {
		if !i.Added {
			continue
		}
		text := is[i.Path].Text
		old := gone[text]
		if len(old) == 0 || text == "" {
			continue
		}
		n := max(slices.IndexFunc(old, func(p string) bool { return path.Base(p) == path.Base(i.Path) }), 0)
		key := folders(old[n], i.Path)
		left[old[n]], left[i.Path] = true, true
		if rows[key] == nil {
			order = append(order, key)
		}
		rows[key] = append(rows[key], prompt.Idle{Path: i.Path, Was: old[n], Files: 1, At: i.At})
		gone[text] = slices.Delete(old, n, n+1)
	}
	if len(order) == 0 {
		return idle
	}
	out := slices.DeleteFunc(slices.Clone(idle), func(i prompt.Idle) bool { return (i.Added || i.Removed) && left[i.Path] })
	for _, key := range order {
		row := rows[key][0]
		if n := len(rows[key]); n > 1 {
			row.Path, row.Was, row.Files = key.to, key.from, n
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b prompt.Idle) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// folders gives what differs between two paths: they end alike from there on.
func folders(from, to string) relocation {
	for path.Base(from) == path.Base(to) && path.Dir(from) != path.Dir(to) {
		from, to = path.Dir(from), path.Dir(to)
		if from == "." || to == "." {
			break
		}
	}
	return relocation{from, to}
}
