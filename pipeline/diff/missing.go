package diff

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// found is what is needed to say what an edit of text misses: the sections that
// it is about, by prompt, and the forms that it reaches.
type found struct {
	sections map[*pair][]*section
	forms    []string
	// files are those behind the texts that it reaches, items those that it is
	// in, "" for what stands around them, and places where it comes from: the
	// first of each file.
	files  map[string]bool
	items  map[string]bool
	places map[string]diag.Span
	// olds are the texts that it changed; see body.
	olds map[int]bool
	// own says that every text has a file of its own, which says nothing.
	own   bool
	known map[*prompt.Rendering]reason
}

// reason says why a text does not have an edit; has, that it does: by another
// edit, or in other words, where text is expanded.
type reason struct {
	has   bool
	cause prompt.Cause
	why   string
}

// missing says for every edit of texts and added items which variants could
// have it and do not.
func (r *run) missing() {
	about := r.about
	var order []*prompt.Edit
	for _, c := range r.changed {
		for _, e := range c.edits {
			if e.Kind != prompt.TextChanged && e.Kind != prompt.ItemAdded {
				continue
			}
			f := about[e]
			if f == nil {
				f = newFound(e)
				about[e] = f
				order = append(order, e)
			}
			f.add(c)
			f.olds[r.bodyOf(c.base).n] = true
		}
		for _, o := range c.atoms {
			f := about[o.edit]
			f.items[o.name] = true
			f.from(o.at)
		}
	}
	for _, e := range order {
		r.missedBy(e, about[e])
	}
}

func newFound(e *prompt.Edit) *found {
	f := &found{
		sections: map[*pair][]*section{}, files: map[string]bool{}, known: map[*prompt.Rendering]reason{},
		items: map[string]bool{}, places: map[string]diag.Span{}, olds: map[int]bool{},
	}
	f.from(e.At)
	if e.Kind == prompt.ItemAdded {
		f.items[e.Item] = true
	}
	return f
}

// from notes a place that the edit comes from.
func (f *found) from(at diag.Span) {
	if !at.Known() {
		return
	}
	if _, known := f.places[at.File.Path]; !known {
		f.places[at.File.Path] = at
	}
}

func (f *found) add(c *change) {
	f.own = f.own || c.own
	if form := formOf(c.head); !c.loose && !slices.Contains(f.forms, form) {
		f.forms = append(f.forms, form)
	}
	for _, file := range filesOf(c.head) {
		f.files[file.path] = true
	}
	for _, u := range c.uses {
		if u.section != nil && !slices.Contains(f.sections[u.pair], u.section) {
			f.sections[u.pair] = append(f.sections[u.pair], u.section)
		}
	}
}

// missedBy notes the variants that an edit does not reach in the prompts that
// it reaches.
func (r *run) missedBy(e *prompt.Edit, f *found) {
	for _, p := range r.pairs {
		i := slices.IndexFunc(e.Reach, func(at prompt.Reach) bool { return at.Pair == p.Pair && !at.OfBase })
		if i < 0 {
			continue
		}
		in := e.Reach[i].In
		var other, old otherFiles
		for _, t := range p.twins {
			if !t.both() || in.Has(t.head.Variant.Index) {
				continue
			}
			switch why := r.whyMissed(e, f, t); {
			case why.has:
			case why.cause == prompt.CauseFile:
				other.add(t, why.why)
			case why.cause == prompt.CauseStale:
				old.add(t, why.why)
			default:
				miss(e, t, why.cause, why.why)
			}
		}
		if len(other.paths) < manyFiles { // else each has its own, which says nothing
			other.note(e, prompt.CauseFile)
		}
		old.note(e, prompt.CauseStale)
	}
}

// manyFiles is the number of other files from which on they are no longer said.
const manyFiles = 8

// addUp adds to what edits miss the variants that are compared with none, so
// that those of a prompt that are reached and those that are not are all.
func (r *run) addUp() {
	for _, e := range r.d.Edits {
		for _, p := range r.pairs {
			i := slices.IndexFunc(e.Reach, func(at prompt.Reach) bool { return at.Pair == p.Pair && !at.OfBase })
			if i < 0 || len(e.Reach[i].Missed) == 0 {
				continue
			}
			for _, t := range p.twins {
				if t.base == nil && !e.Reach[i].In.Has(t.head.Variant.Index) {
					miss(e, t, prompt.CauseNew, "")
				}
			}
		}
	}
}

// otherFiles are the variants that read other files than the one of an edit;
// "" is for those of which the file says nothing.
type otherFiles struct {
	paths []string
	twins []twin
}

func (o *otherFiles) add(t twin, path string) {
	o.twins = append(o.twins, t)
	if path != "" && !slices.Contains(o.paths, path) {
		o.paths = append(o.paths, path)
	}
}

func (o *otherFiles) note(e *prompt.Edit, cause prompt.Cause) {
	why := ""
	if len(o.paths) > 0 {
		why = o.paths[0]
	}
	if len(o.paths) > 1 {
		why += ", …"
	}
	for _, t := range o.twins {
		miss(e, t, cause, why)
	}
}

// whyMissed says why an edit of text does not reach a variant. Of several
// sections the first that is in counts, else the first.
func (r *run) whyMissed(e *prompt.Edit, f *found, t twin) reason {
	sections := f.sections[t.pair]
	if len(sections) == 0 {
		cause, why := r.talkMissed(f, t)
		return reason{cause: cause, why: why}
	}
	for _, s := range sections {
		x := t.head.Used[s.head]
		if x == nil {
			continue
		}
		why, ok := f.known[x]
		if !ok {
			why.has = e.Kind == prompt.TextChanged && f.shows(x.Text) || e.Kind == prompt.ItemAdded && f.in(r.frame(x))
			why.cause, why.why = r.saysOther(e, f, x)
			f.known[x] = why
		}
		return why
	}
	cause, why := outCause(t.head, sections[0].head)
	return reason{cause: cause, why: why}
}

// shows reports whether a text has something from where the edit comes from.
func (f *found) shows(t prompt.Text) bool {
	return slices.ContainsFunc(t.Segs, func(s prompt.Seg) bool {
		if !s.At.Known() {
			return false
		}
		at, known := f.places[s.At.File.Path]
		return known && s.At.Start < at.End && at.Start < s.At.End
	})
}

// saysOther says why a text of the section does not have the edit.
func (r *run) saysOther(e *prompt.Edit, f *found, x *prompt.Rendering) (prompt.Cause, string) {
	form := formOf(x)
	other := !slices.Contains(f.forms, form)
	if !f.items[""] && !f.in(r.frame(x)) {
		switch kind := kindOf(x); {
		case kind == "registry" || kind == "tools":
			return prompt.CauseOnly, ""
		case other && len(r.frame(x).items) == 0:
			return prompt.CauseForm, formWords(x)
		}
	}
	files := filesOf(x)
	path := ""
	if first := slices.IndexFunc(files, func(s sourceFile) bool { return s.path != "" }); first >= 0 && !f.own && !f.sharesFile(files) {
		path = files[first].path
	}
	switch {
	case r.stale(e, f, x):
		return prompt.CauseStale, path
	case path != "":
		return prompt.CauseFile, path
	case other:
		return prompt.CauseForm, formWords(x)
	default:
		return prompt.CauseOther, ""
	}
}

// in reports whether a text has one of the items that the edit is in.
func (f *found) in(of *frame) bool {
	return slices.ContainsFunc(of.items, func(i item) bool { return f.items[i.name] })
}

// sharesFile reports whether a text is made from a file that changed; where
// that is no source, such as the manifest, whether it has a file in common with
// those that are reached.
func (f *found) sharesFile(files []sourceFile) bool {
	sources := false
	for path := range f.places {
		sources = sources || f.files[path]
	}
	return slices.ContainsFunc(files, func(s sourceFile) bool {
		_, changed := f.places[s.path]
		return f.files[s.path] && (changed || !sources)
	})
}

// talkMissed says why a conversation does not have an edit: it is another
// fixture, or does not show the file.
func (r *run) talkMissed(f *found, t twin) (prompt.Cause, string) {
	if t.head.Variant.Messages == nil {
		return prompt.CauseAbsent, ""
	}
	x := r.conversation(r.d.Head.Result, t.head.Variant)
	if x == nil || x.Unit.Dialogue == nil || x.Unit.Dialogue.Conversation == nil {
		return prompt.CauseAbsent, ""
	}
	file := x.Unit.Dialogue.Conversation.Doc.File
	if _, changed := f.places[file.Path]; !changed && len(f.places) > 0 {
		return prompt.CauseFile, file.Path
	}
	return prompt.CauseAbsent, ""
}

func kindOf(x *prompt.Rendering) string {
	for _, in := range x.Unit.Inputs {
		if in.Kind != nil {
			return in.Kind.Name
		}
	}
	return ""
}

// fileTurned gives the file that a section is in or out by: the one it is made
// from, where the other side has no such file and leaves the section out for
// that. Unknown for what has another cause.
func (r *run) fileTurned(t twin, s *section) (at diag.Span, inBase bool) {
	was, is := t.used(s)
	x, without, other := was, t.head, r.d.Head.Result
	n := s.head
	if x == nil {
		x, without, other, n = is, t.base, r.d.Base.Result, s.base
	}
	if x == nil || was != nil && is != nil || omission(without, n).Reason != prompt.OutAbsent || other.Tree == nil {
		return diag.Span{}, false
	}
	there := r.filesOf(other.Tree)
	var file *diag.File
	for _, f := range filesOf(x) {
		switch {
		case f.file == nil || f.file == file:
		case file != nil || there[f.path] != nil:
			return diag.Span{}, false
		default:
			file = f.file
		}
	}
	if file == nil {
		return diag.Span{}, false
	}
	return diag.Whole(file), was != nil
}

// filesOf gives all sources of a tree by path, found once.
func (r *run) filesOf(t *prompt.Tree) map[string]*diag.File {
	files, known := r.sources[t]
	if !known {
		files = filesIn(t)
		r.sources[t] = files
	}
	return files
}

// expectations finds what the policy expects of a prompt's variants and the
// head does not.
func (w weakening) expectations(p *pair) {
	entries := expectations(p.Base.Prompt)
	asked := map[demand]prompt.Set{} // of which variants of the head
	for _, e := range p.Head.Expect {
		key := demandOf(e.Expectation)
		if asked[key].Size() == 0 {
			asked[key] = prompt.NewSet(len(p.head))
		}
		asked[key].Union(e.On)
	}
	for i, e := range p.Base.Expect {
		on, still := prompt.NewSet(len(p.head)), asked[demandOf(e.Expectation)]
		var lost []twin
		for _, t := range p.twins {
			if !t.both() || !e.On.Has(t.base.Variant.Index) {
				continue
			}
			if v := t.head.Variant.Index; still.Size() == 0 || !still.Has(v) {
				on.Add(v)
				lost = append(lost, t)
			}
		}
		if len(lost) == 0 {
			continue
		}
		found := weak{name: settingExpect, from: entries[i].words, at: e.At, inBase: true}
		if w.by != w.run {
			found.at, found.inBase = diag.Span{}, false
		}
		w.add(found, lost...)
		bound := prompt.Expected{Expectation: e.Expectation, On: on}
		for _, s := range e.Sections {
			id := p.Base.Prompt.Sections[s].ID.Str
			bound.Sections = append(bound.Sections, slices.IndexFunc(p.Head.Prompt.Sections, func(x *prompt.Section) bool { return x.ID.Str == id }))
		}
		w.d.Lost = append(w.d.Lost, prompt.LostExpectation{Build: p.Head, Expected: bound})
	}
}

// demand is what an expectation asks for, of whatever variants.
type demand struct{ key, text string }

func demandOf(e *prompt.Expectation) demand {
	switch {
	case e.Contains != nil:
		return demand{"contains", e.Contains.Str}
	case e.Lacks != nil:
		return demand{"lacks", e.Lacks.Str}
	case e.Section.Str != "":
		return demand{"section", e.Section.Str}
	case e.Tool.Str != "":
		return demand{"tool", e.Tool.Str}
	default:
		return demand{"order", list(e.Order)}
	}
}

// restKey groups differences of whole texts.
type restKey struct {
	pair  *pair
	lines string
}

// tailKey groups texts of which only the line breaks at the end differ.
type tailKey struct {
	pair     *pair
	from, to string
}

// lineEnd is the name of what differs then.
const lineEnd = "line breaks at the end"

// rest is the safety net: variants that send other bytes without an edit that
// says so get one for the emitted text as a whole. Texts that are cut otherwise
// than before are compared in no other way.
func (r *run) rest() {
	for _, p := range r.pairs {
		said, recut := r.said(p), p.recut()
		texts := map[[2]string][]hunk{}
		for _, t := range p.twins {
			if !t.both() || !p.Affected.Has(t.head.Variant.Index) {
				continue
			}
			if said.Has(t.head.Variant.Index) && (!recut || sameText(t.base, t.head)) {
				continue
			}
			key := [2]string{t.base.Text(), t.head.Text()}
			hunks, known := texts[key]
			if !known {
				hunks = hunksOf(emittedText(t.base), emittedText(t.head))
				texts[key] = hunks
			}
			e := r.wholeText(t, key, hunks)
			reachBy(e, t, t.head.Use+t.head.ToolTokens-t.base.Use-t.base.ToolTokens)
		}
	}
}

// wholeText gives the edit of a text of which some hunks differ.
func (r *run) wholeText(t twin, texts [2]string, hunks []hunk) *prompt.Edit {
	p := t.pair
	was, is := strings.TrimRight(texts[0], "\n"), strings.TrimRight(texts[1], "\n")
	if was == is && texts[0] != texts[1] {
		key := tailKey{p, strconv.Itoa(len(texts[0]) - len(was)), strconv.Itoa(len(texts[1]) - len(is))}
		end := emittedText(t.head).Span(strings.LastIndexByte(is, '\n')+1, len(is))
		e := r.group(key, func() *prompt.Edit {
			return placed(&prompt.Edit{Kind: prompt.BytesChanged, Name: lineEnd, From: key.from, To: key.to, At: end}, p)
		})
		if end.Known() && placeOf(end) != placeOf(e.At) && !slices.Contains(e.Also, end) {
			e.Also = append(e.Also, end)
		}
		return e
	}
	var lines strings.Builder
	for _, h := range hunks {
		for _, l := range h.Lines {
			lines.WriteString(string(l.Sign) + l.Text + "\n")
		}
	}
	return r.group(restKey{p, lines.String()}, func() *prompt.Edit {
		e := &prompt.Edit{Kind: prompt.BytesChanged}
		for _, h := range hunks {
			if !e.At.Known() {
				e.At, e.InBase = h.at, h.inBase
			}
			e.Hunks = append(e.Hunks, h.Hunk)
		}
		return placed(e, p)
	})
}

// placed gives an edit the place of its prompt where it has none.
func placed(e *prompt.Edit, p *pair) *prompt.Edit {
	if !e.At.Known() {
		e.At, e.InBase = p.Head.Prompt.ID.At, false
	}
	return e
}

// said gives the variants of a prompt's head that an edit reaches which changes
// what is sent.
func (r *run) said(p *pair) prompt.Set {
	out := prompt.NewSet(len(p.head))
	for _, e := range r.d.Edits {
		if sendsNothing(e) {
			continue
		}
		for i := range e.Reach {
			if e.Reach[i].Pair == p.Pair && !e.Reach[i].OfBase {
				out.Union(e.Reach[i].In)
			}
		}
	}
	return out
}

// emittedText gives the whole text of an artifact with its places.
func emittedText(a *prompt.Artifact) prompt.Text {
	var b prompt.Builder
	for i := range a.Parts {
		switch p := &a.Parts[i]; {
		case p.Rendering != nil:
			b.WriteText(p.Rendering.Text)
		case p.Passage != nil:
			b.WriteText(p.Passage.Text)
		default:
			b.WriteString(p.Text)
		}
	}
	return b.Text()
}

// idle finds the sources whose text changed while nothing that is made from
// them did; the manifest among them where there is no edit at all.
func (r *run) idle() {
	base, head := r.d.Base.Result, r.d.Head.Result
	if base == nil || head == nil || base.Tree == nil || head.Tree == nil || base.Stopped || head.Stopped {
		return
	}
	busy := r.busy()
	was, is := filesIn(base.Tree), filesIn(head.Tree)
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		old, now := was[path], is[path]
		if busy[path] || old != nil && now != nil && old.Text == now.Text {
			continue
		}
		made := prompt.Idle{Path: path, Added: old == nil, Removed: now == nil}
		switch {
		case now == nil:
			made.At = diag.Whole(old)
		case old == nil:
			made.At = diag.Whole(now)
		default:
			made.At = firstLine(old, now)
		}
		r.d.Idle = append(r.d.Idle, made)
	}
	r.d.Idle = relocated(r.d.Idle, was, is)
	if m, n := base.Tree.File, head.Tree.File; m != nil && n != nil && m.Text != n.Text && len(r.d.Edits) == 0 {
		r.d.Idle = append(r.d.Idle, prompt.Idle{Path: n.Path, At: firstLine(m, n)})
		slices.SortStableFunc(r.d.Idle, func(a, b prompt.Idle) int { return strings.Compare(a.Path, b.Path) })
	}
}

// filesIn gives all sources of a tree by path.
func filesIn(t *prompt.Tree) map[string]*diag.File {
	out := map[string]*diag.File{}
	add := func(docs []*prompt.Doc) {
		for _, d := range docs {
			out[d.File.Path] = d.File
		}
	}
	for _, docs := range t.Matches {
		add(docs)
	}
	for _, docs := range t.Walks {
		add(docs)
	}
	for _, w := range t.Workspaces {
		for _, d := range w.Docs {
			out[d.File.Path] = d.File
		}
	}
	return out
}

// firstLine gives the first line of the new text that differs.
func firstLine(was, is *diag.File) diag.Span {
	n := min(len(was.Text), len(is.Text))
	at := 0
	for at < n && was.Text[at] == is.Text[at] {
		at++
	}
	line := is.LineAt(at)
	start := strings.LastIndexByte(is.Text[:at], '\n') + 1
	return diag.Span{File: is, Start: start, End: start + len(is.Line(line))}
}

// busy gives the paths of the files behind every rendering that differs. Where
// another program put the texts together, their order is in the files, too.
func (r *run) busy() map[string]bool {
	out := map[string]bool{}
	same := map[renderings]bool{}
	note := func(of renderings) {
		if _, known := same[of]; known || of.base == of.head {
			return
		}
		same[of] = sameRendering(of)
		if !same[of] {
			filesBehind(of.base, out)
			filesBehind(of.head, out)
		}
	}
	for _, p := range r.pairs {
		for _, t := range p.twins {
			for _, s := range p.sections {
				was, is := t.used(s)
				note(renderings{was, is})
			}
			note(r.spoken(t))
			if p.rendered() && t.both() && !sameText(t.base, t.head) {
				filesOfTexts(t.base, out)
				filesOfTexts(t.head, out)
			}
		}
	}
	return out
}

// spoken gives the conversations of a variant, where they differ.
func (r *run) spoken(t twin) renderings {
	var out renderings
	if t.base != nil && t.base.Variant.Messages != nil {
		out.base = r.conversation(r.d.Base.Result, t.base.Variant)
	}
	if t.head != nil && t.head.Variant.Messages != nil {
		out.head = r.conversation(r.d.Head.Result, t.head.Variant)
	}
	if out.base != nil && out.head != nil && r.changes[out] == nil {
		return renderings{}
	}
	return out
}

func sameRendering(of renderings) bool {
	a, b := of.base, of.head
	if a == nil || b == nil || a.Turns != nil || b.Turns != nil {
		return false
	}
	return a.Text.Str == b.Text.Str && a.Beside == b.Beside && slices.EqualFunc(a.Tools, b.Tools, func(t, u *prompt.Tool) bool {
		return t.Canonical == u.Canonical && t.Strict == u.Strict
	})
}

// filesOfTexts adds the paths of the files that a text is in that another
// program assembled.
func filesOfTexts(a *prompt.Artifact, out map[string]bool) {
	for i := range a.Parts {
		if x := a.Parts[i].Rendering; x != nil && x.Text.Str != "" {
			filesBehind(x, out)
		}
	}
}

// filesBehind adds the paths of the files that a rendering is made from.
func filesBehind(x *prompt.Rendering, out map[string]bool) {
	if x == nil || x.Unit == nil {
		return
	}
	for _, in := range x.Unit.Inputs {
		for _, d := range in.Docs {
			out[d.File.Path] = true
		}
		if in.StyleDoc != nil {
			out[in.StyleDoc.File.Path] = true
		}
	}
	d := x.Unit.Dialogue
	if d == nil {
		return
	}
	if d.Conversation != nil && d.Conversation.Doc != nil {
		out[d.Conversation.Doc.File.Path] = true
	}
	files := slices.Clone(d.Working)
	for _, t := range d.Tiers {
		files = append(files, t.Files...)
	}
	for _, f := range files {
		out[f.Doc.File.Path] = true
	}
}
