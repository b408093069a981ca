package change

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// bit is a piece of a sentence: our words, or what sources and manifests call
// something. Only the second may hold anything.
type bit struct {
	text  string
	named bool
}

// Phrase is a sentence, or the part of one.
type Phrase []bit

func ours(text string) bit   { return bit{text: text} }
func theirs(text string) bit { return bit{text: text, named: true} }

// Text gives a phrase as a terminal may get it.
func (ph Phrase) Text() string {
	var b strings.Builder
	for _, p := range ph {
		if p.named {
			b.WriteString(words.Clean(p.text))
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// markdown gives a phrase with everything that is not ours as code. Blanks that
// set things apart on a terminal are no sentence here.
func (ph Phrase) markdown(span func(string) string) string {
	var b strings.Builder
	for _, p := range ph {
		if p.named {
			b.WriteString(span(p.text))
		} else {
			b.WriteString(strings.ReplaceAll(p.text, "  ", ": "))
		}
	}
	return strings.TrimSpace(b.String())
}

// Saying is what happened, in words.
type Saying struct {
	What Phrase // with the blanks before the verb
	Verb Phrase
	Tone words.Style
	More Phrase // a second line, nil for none
}

// Describe puts an edit into words. Each reads as a sentence behind the id of
// its prompt.
func Describe(e *review.Edit) Saying {
	s := Saying{Tone: words.Yellow}
	switch e.Kind {
	case review.PromptAdded, review.AxisAdded, review.ValueAdded, review.VariantsAdded,
		review.SectionAdded, review.SectionKept, review.ItemAdded, review.ToolAdded:
		s.Tone = words.Green
	case review.PromptRemoved, review.AxisRemoved, review.ValueRemoved, review.VariantsRemoved,
		review.SectionRemoved, review.ItemRemoved, review.ToolRemoved, review.PolicyWeakened:
		s.Tone = words.Red
	case review.BudgetCrossed:
		s.Tone = words.Green
		if e.Over {
			s.Tone = words.Red
		}
	case review.SectionDropped:
		if e.Was == nil {
			s.Tone = words.Red
		}
	case review.CacheChanged:
		s.Tone = words.Green
		if e.Shorter {
			s.Tone = words.Red
		}
	default:
	}
	switch e.Kind {
	case review.SectionAdded, review.SectionRemoved, review.SectionKept, review.SectionDropped, review.FormChanged,
		review.FileChanged, review.TextChanged, review.ItemAdded, review.ItemRemoved, review.Moved,
		review.ToolAdded, review.ToolRemoved, review.ToolChanged:
		s.What, s.Verb = ofContent(e)
	default:
		s.What, s.Verb = ofDeclaration(e)
	}
	if e.Kind == review.CacheChanged {
		s.More = cacheWords(e)
	}
	return s
}

// kindWords say what happened, for kinds of which nothing more is said, or begin to.
var kindWords = map[review.EditKind]string{
	review.PromptAdded: "prompt added", review.PromptRemoved: "prompt removed",
	review.AxisAdded: "added", review.AxisRemoved: "removed", review.ValueAdded: "added", review.ValueRemoved: "removed",
	review.VariantsAdded: "built now", review.VariantsRemoved: "no longer built",
	review.SettingChanged: "changed", review.BudgetChanged: "budget changed", review.PolicyWeakened: "policy weakened",
	review.SectionAdded: "added", review.SectionRemoved: "removed", review.SectionKept: "included again", review.SectionDropped: "left out now",
	review.FormChanged: "form", review.FileChanged: "file", review.TextChanged: "text changed",
	review.ItemAdded: "added", review.ItemRemoved: "removed", review.Moved: "moved",
	review.ToolAdded: "added", review.ToolRemoved: "removed", review.ToolChanged: "changed",
	review.BytesChanged: "emitted bytes changed",
}

// ofDeclaration words an edit of what a prompt is declared to be, and what
// concerns it as a whole.
func ofDeclaration(e *review.Edit) (what, verb Phrase) {
	does := kindWords[e.Kind]
	switch e.Kind {
	case review.AxisAdded, review.AxisRemoved:
		verb = Phrase{ours(does)}
		if values := e.From + e.To; values != "" {
			verb = append(verb, ours(": "), theirs(values))
		}
		return Phrase{ours("axis "), theirs(e.Name), ours(" ")}, verb
	case review.ValueAdded, review.ValueRemoved:
		return Phrase{ours("value "), theirs(e.Name + "=" + e.From + e.To), ours(" ")}, Phrase{ours(does)}
	case review.VariantsAdded, review.VariantsRemoved:
		return Phrase{ours("variants ")}, Phrase{ours(does)}
	case review.SettingChanged:
		return settingWords(e)
	case review.PolicyWeakened:
		return inSection(e), weakenedWords(e)
	case review.BudgetChanged:
		return inSection(e), append(Phrase{ours(does + ": "), limitNoun(e.Name), ours(" ")}, amounts(e)...)
	case review.BudgetCrossed:
		verb = Phrase{ours("within its budget in "), limitNoun(e.Name), ours(" again")}
		if e.Over {
			verb = Phrase{ours("over its budget in "), limitNoun(e.Name), ours(" now")}
		}
		if e.Used[1].Known {
			verb = append(append(verb, ours(": ")), crossed(e)...)
		}
		return inSection(e), verb
	case review.SlotChanged:
		return slotWords(e)
	case review.CacheChanged:
		verb = Phrase{ours("the stable prefix grows")}
		if e.Shorter {
			verb = Phrase{ours("the stable prefix shrinks")}
		}
		return Phrase{ours("cache  ")}, verb
	case review.BytesChanged:
		return inSection(e), bytesWords(e)
	default: // words that say it all
		return inSection(e), Phrase{ours(does)}
	}
}

// ofContent words an edit of what is sent.
func ofContent(e *review.Edit) (what, verb Phrase) {
	does := kindWords[e.Kind]
	switch e.Kind {
	case review.SectionAdded, review.SectionRemoved:
		return Phrase{ours("section "), theirs(e.Section), ours(" ")}, Phrase{ours(does)}
	case review.SectionKept:
		verb = Phrase{ours(does)}
		if e.Was != nil {
			verb = append(verb, ours(", was left out: "), theirs(written("", e.Was)))
		}
		return inSection(e), verb
	case review.SectionDropped:
		if e.Was != nil {
			return inSection(e), append(Phrase{ours("left out for another reason: ")}, arrow(sides(e))...)
		}
		verb = Phrase{ours(does)}
		if e.Is != nil {
			verb = append(verb, ours(": "), theirs(written("", e.Is)))
		}
		return inSection(e), verb
	case review.FormChanged, review.FileChanged:
		return inSection(e), append(Phrase{ours(does + " ")}, arrow(sides(e))...)
	case review.ItemAdded, review.ItemRemoved:
		return append(inSection(e), theirs(e.Item), ours(" ")), Phrase{ours(does)}
	case review.Moved:
		return moved(e)
	case review.ToolAdded, review.ToolRemoved, review.ToolChanged:
		switch {
		case len(e.Tools) == 0:
			return Phrase{ours("tool "), theirs(e.Tool), ours(" ")}, Phrase{ours(does)}
		case manyTools(e):
			return Phrase{ours(words.Count(len(e.Tools), "tool") + " ")}, Phrase{ours(does)}
		default:
			return Phrase{ours("tools "), theirs(strings.Join(e.Tools, ", ")), ours(" ")}, Phrase{ours(does)}
		}
	default:
		return subjectOf(e), textWords(e)
	}
}

// inSection begins what is said of a section, or of the prompt itself.
func inSection(e *review.Edit) Phrase {
	if e.Section == "" {
		return nil
	}
	return Phrase{theirs(e.Section), ours("  ")}
}

// maxTools is how many characters the names of tools may take beside the words of
// a change; more stand on a line of their own.
const maxTools = 60

// manyTools reports whether the names of an edit's tools stand on a line of their
// own: those of a whole prompt always do.
func manyTools(e *review.Edit) bool {
	return len(e.Tools) > 0 && (e.Kind == review.PromptAdded || e.Kind == review.PromptRemoved || words.Columns(strings.Join(e.Tools, ", ")) > maxTools)
}

// subjectOf names the text that an edit is about.
func subjectOf(e *review.Edit) Phrase {
	switch {
	case e.Item == "":
		return inSection(e)
	case e.Section == "":
		return Phrase{theirs(e.Item), ours("  ")}
	default:
		return Phrase{theirs(e.Section), ours(" "), theirs(e.Item), ours("  ")}
	}
}

// moved says what went where: a section, an item of one, or a tool.
func moved(e *review.Edit) (what, verb Phrase) {
	if e.From == e.To {
		return subjectOf(e), Phrase{ours(kindWords[e.Kind] + ": " + words.Count(linesOf(e), "line"))}
	}
	name := e.Section
	switch {
	case e.Tool != "":
		what, name = Phrase{ours("tools ")}, e.Tool
	case e.Item != "" && e.Section != "":
		what, name = Phrase{theirs(e.Section), ours(" ")}, e.Item
	case e.Item != "":
		name = e.Item
	}
	verb = Phrase{ours(kindWords[e.Kind] + ": "), theirs(name), ours(", ")}
	return what, append(verb, arrow(sides(e))...)
}

// arrow says from what to what something went.
func arrow(from, to string) Phrase {
	return Phrase{value(from), ours(" → "), value(to)}
}

func value(s string) bit {
	if s == "" {
		return ours("none")
	}
	return theirs(words.Shorten(s))
}

// amounts is arrow for limits: figures as people write them.
func amounts(e *review.Edit) Phrase {
	return Phrase{amountOf(e.Was), ours(" → "), amountOf(e.Is)}
}

func amountOf(v review.Value) bit {
	switch v := v.(type) {
	case nil:
		return ours("no limit")
	case review.Amount:
		return ours(words.Number(int(v)))
	default:
		return theirs(written("", v))
	}
}

// weakenedWords says what of a policy is weaker: a limit, or something else that
// a manifest declares.
func weakenedWords(e *review.Edit) Phrase {
	out := Phrase{ours(kindWords[e.Kind] + ": "), limitNoun(e.Name), ours(" ")}
	switch e.Was.(type) {
	case review.Amount, review.Share, review.OnlyWarns:
		return append(out, amounts(e)...)
	default:
		return append(out, arrow(sides(e))...)
	}
}

// limitNoun names what a budget limits.
func limitNoun(name string) bit {
	switch name {
	case "chars":
		return ours("characters")
	case "tool_tokens":
		return ours("tool tokens")
	case "growth_tokens":
		return ours("growth in tokens")
	case "tokens", "growth":
		return ours(name)
	default:
		return theirs(name)
	}
}

// declaredAs says how the declaration of a slot changed: `max_tokens 24 → 40`.
func declaredAs(e *review.Edit) Phrase {
	from, to := sides(e)
	switch {
	case e.Was == nil:
		return Phrase{ours("declared: "), theirs(to)}
	case e.Is == nil:
		return Phrase{ours("no longer declared, was "), theirs(from)}
	}
	verb := Phrase{ours("changed: ")}
	if was, is := slotFacts(e); len(was) == 1 && was[0].value != "" {
		verb = append(verb, theirs(was[0].name), ours(" "))
		from, to = was[0].value, is[0].value
	}
	return append(verb, arrow(from, to)...)
}

// cacheWords says what a change of the stable prefix comes to.
func cacheWords(e *review.Edit) Phrase {
	var out Phrase
	switch {
	case e.To != "" && e.From != "" && e.From != e.To:
		out = Phrase{ours("up to "), theirs(e.To), ours(" (was "), theirs(e.From), ours(")")}
	case e.To != "":
		out = Phrase{ours("up to "), theirs(e.To)}
	case e.From != "":
		out = Phrase{ours("nothing changes from request to request now (was up to "), theirs(e.From), ours(")")}
	}
	low, high, ok := tokensOf(e)
	if !ok || low == 0 && high == 0 {
		return out
	}
	if len(out) > 0 {
		out = append(out, ours(", "))
	}
	return append(out, ours(sentAgain(low, high)))
}

// sentAgain says how many tokens more a provider reads anew with each request.
func sentAgain(low, high int) string {
	switch {
	case low < 0 && high > 0:
		return spread(low, high) + " tokens are sent again with each request"
	case high <= 0:
		return tokenRange(-high, -low) + " fewer are sent again with each request"
	default:
		return tokenRange(low, high) + " more are sent again with each request"
	}
}

func tokenRange(low, high int) string {
	return figureRange(low, high) + " " + words.Plural(high, "token")
}

// crossed says how much of a limit is used, by how much that is over it, and
// what it was: `378 of 375, over by 3 (budget was 500)`. What stayed is said
// once.
func crossed(e *review.Edit) Phrase {
	was, is := e.Used[0], e.Used[1]
	before, now := e.Limit[0], e.Limit[1]
	text := amountRange(is)
	if now.Known {
		text += " of " + amountRange(now)
	}
	if e.Over && e.Excess.Low > 0 {
		text += ", over by " + amountRange(e.Excess)
	}
	switch {
	case !was.Known || was == is && before == now:
	case before == now:
		text += " (was " + amountRange(was) + ")"
	case !before.Known:
		text += " (was " + amountRange(was) + ", no budget before)"
	default:
		text += " (was " + amountRange(was) + " of " + amountRange(before) + ")"
	}
	return Phrase{ours(text)}
}

// amountRange writes the least and the most of some amounts, as people do.
func amountRange(a review.Amounts) string { return figureRange(a.Low, a.High) }

func figureRange(low, high int) string {
	if low == high {
		return words.Number(low)
	}
	return words.Number(low) + ".." + words.Number(high)
}

// usedOf writes what is used of a limit for programs: `86..90 of 80`.
func usedOf(used, limit review.Amounts) string {
	if !used.Known {
		return ""
	}
	text := used.String()
	if limit.Known {
		text += " of " + limit.String()
	}
	return text
}

// folded writes the first line that says something of lines that stand elsewhere
// now, and counts the others that do.
func (p *Page) folded(nth int, e *review.Edit) {
	var said []string
	for _, h := range e.Hunks {
		for _, l := range h.Lines {
			if strings.TrimSpace(l.Text) != "" {
				said = append(said, l.Text)
			}
		}
	}
	if len(said) == 0 {
		p.Line("  > ", words.Count(linesOf(e), "blank line"))
		return
	}
	first := p.Mask(said[0])
	p.Line("  > ", words.Clean(words.Shorten(first)))
	left := Omission{Lines: len(said) - 1}
	if p.cuts(first) {
		left.long = 1
	}
	p.leftOut(nth, left)
}

// settingWords words a key that has another value. Where a prompt is assembled
// says more than the key that says so.
func settingWords(e *review.Edit) (what, verb Phrase) {
	from, to := sides(e)
	if e.Name == "rendered" && e.Section == "" {
		switch {
		case e.Is == nil:
			return nil, Phrase{ours("assembled here now, was rendered elsewhere: "), theirs(from)}
		case e.Was == nil:
			return nil, Phrase{ours("rendered elsewhere now: "), theirs(to)}
		}
	}
	if e.Name == "axes" && e.Section == "" {
		return Phrase{ours("variants ")}, append(Phrase{ours("renamed, by their axes: ")}, arrow(from, to)...)
	}
	if e.Section == "" && (e.Name == "checks" || e.Name == "expect") { // an entry of a list
		switch {
		case from == "":
			return Phrase{ours(e.Name + " ")}, Phrase{ours("added: "), theirs(to)}
		case to == "":
			return Phrase{ours(e.Name + " ")}, Phrase{ours("removed: "), theirs(from)}
		}
	}
	return append(inSection(e), theirs(nameOf(e)), ours(" ")), append(Phrase{ours(kindWords[e.Kind] + ": ")}, arrow(from, to)...)
}

// nameOf names the key that changed, or all of them.
func nameOf(e *review.Edit) string { return cmp.Or(strings.Join(e.Names, ", "), e.Name) }

// slotWords words a slot that is declared otherwise or, with a section, that
// stands in it now or no longer.
func slotWords(e *review.Edit) (what, verb Phrase) {
	what = Phrase{ours("slot "), theirs(e.Name), ours(" ")}
	switch {
	case e.Section == "":
		return what, declaredAs(e)
	case e.Is == nil:
		return what, Phrase{ours("no longer in "), theirs(e.Section)}
	case e.Was == nil:
		return what, Phrase{ours("now in "), theirs(e.Section)}
	default:
		return what, append(Phrase{ours("in "), theirs(e.Section), ours(": ")}, arrow(sides(e))...)
	}
}

// bytesWords words a difference that no other edit shows.
func bytesWords(e *review.Edit) Phrase {
	switch {
	case len(e.Leaves) > 0:
		return Phrase{ours("request changed")}
	case e.Name == "":
		return Phrase{ours(kindWords[e.Kind])}
	}
	return append(Phrase{theirs(e.Name), ours(": ")}, arrow(e.From, e.To)...)
}

// textWords words lines that differ; with the heading of a section its name
// may.
func textWords(e *review.Edit) Phrase {
	switch {
	case e.Kind == review.TextChanged && came(e):
		return Phrase{ours("text of new variants")}
	case e.From == "" || e.Kind != review.TextChanged:
		return Phrase{ours(kindWords[e.Kind])}
	}
	return Phrase{ours("renamed, was "), theirs(e.From)}
}

// shownLine is one line of a hunk as it is printed, on its side.
type shownLine struct {
	sign byte
	text string
	long bool // too long to be printed whole
}

// Omission counts the lines that are not printed, and those that are in part.
type Omission struct{ Lines, long int }

// words says what is left out, "" for nothing.
func (o Omission) words() string {
	var out []string
	if o.Lines > 0 {
		out = append(out, "and "+words.Count(o.Lines, "more line"))
	}
	if o.long > 0 {
		out = append(out, words.Count(o.long, "long line")+" cut")
	}
	return strings.Join(out, ", ")
}

// perSide are amounts of what is gone ('-') and of everything else.
type perSide [2]int

func sideOfLine(sign byte) int {
	if sign == '-' {
		return 0
	}
	return 1
}

// rooms shares what room there is between two sides: each has half, and what
// the other leaves of its own.
func rooms(all int, want perSide) perSide {
	half := all / 2
	return perSide{
		min(want[0], max(half, all-want[1])),
		min(want[1], max(half, all-want[0])),
	}
}

// hunkLines gives the hunks of an edit, each with its title. Each side is cut by
// itself, so that of a text that is replaced by another the beginning of both
// is there. cost says what a line takes of the room. What is left out is counted.
func (p *Page) hunkLines(e *review.Edit, room int, cost func(string) int) (out []string, left Omission) {
	hunks := make([][]shownLine, len(e.Hunks))
	var want perSide
	for i, h := range e.Hunks {
		hunks[i] = p.shownLines(h)
		for _, l := range hunks[i] {
			want[sideOfLine(l.sign)] += cost(l.text)
		}
	}
	c := cutter{room: rooms(room, want), cost: cost}
	for i, lines := range hunks {
		shown, cut := c.cut(lines)
		left.Lines, left.long = left.Lines+cut.Lines, left.long+cut.long
		if len(shown) == 0 {
			continue
		}
		if title, line := p.HunkTitle(e, e.Hunks[i]); len(hunks) > 1 || e.Section == "" && e.Item == "" && !line {
			out = append(out, p.Paint(words.Cyan, "@@ "+title+" @@")) // else the row says already where it stands
		}
		out = append(out, shown...)
	}
	return out, left
}

// cutter keeps the lines for which there is room.
type cutter struct {
	room   perSide
	closed [2]bool
	cost   func(string) int
}

// cut gives the lines of a hunk for which there is room, and in the place of
// others how many they are. Where it keeps none, left counts them.
func (c *cutter) cut(lines []shownLine) (shown []string, left Omission) {
	kept, skipped := 0, 0
	for i, l := range lines {
		side := sideOfLine(l.sign)
		if n := c.cost(l.text); c.closed[side] || n > c.room[side] {
			c.closed[side] = true
			skipped++
		} else {
			c.room[side] -= n
			shown, kept = append(shown, l.text), kept+1
			if l.long {
				left.long++
			}
		}
		if skipped > 0 && (i+1 == len(lines) || sideOfLine(lines[i+1].sign) != side) {
			shown = append(shown, "… "+words.Count(skipped, "more line"))
			left.Lines, skipped = left.Lines+skipped, 0
		}
	}
	if kept == 0 {
		return nil, left
	}
	return shown, left
}

// HunkTitle says where a hunk stands: the heading above it, and the line of its
// source where the place of the edit is not that. line says that it is a line of
// the same file, and nothing else.
func (p *Page) HunkTitle(e *review.Edit, h review.Hunk) (title string, line bool) {
	heading := words.Clean(words.Shorten(h.Heading))
	if h.Of > 0 {
		heading = strings.TrimSpace(heading + " (in " + words.Number(h.In) + " of " + words.Number(h.Of) + ")")
	}
	if !h.At.Known() {
		if e.At.Known() {
			return cmp.Or(heading, "line "+strconv.Itoa(h.Line)+" of the text"), heading == ""
		}
		return cmp.Or(heading, "line "+strconv.Itoa(h.Line)), heading == ""
	}
	at := h.At.File.LineAt(h.At.Start)
	where := "line " + strconv.Itoa(at)
	sameFile := e.At.Known() && e.At.File.Path == h.At.File.Path
	if sameFile && e.InBase == h.InBase {
		if first := e.At.File.LineAt(e.At.Start); first == at {
			return cmp.Or(heading, where), heading == ""
		}
	}
	if !sameFile {
		on := words.NewPrinter(p.side(h.InBase))
		where = on.LineOf(h.At)
	}
	if h.InBase && (!e.InBase || !sameFile) && (sameFile || p.Opt.Against == "") {
		where += " in " + words.Clean(p.d.Base.Name)
	}
	if heading == "" {
		return where, sameFile
	}
	return where + ": " + heading, false
}

// shownLines gives the lines of a hunk, with the words marked that differ where
// a line came of another.
func (p *Page) shownLines(h review.Hunk) []shownLine {
	h.Lines = slices.Clone(h.Lines)
	for i := range h.Lines { // before marks stand in a key
		h.Lines[i].Text = p.Mask(h.Lines[i].Text)
	}
	marks, starts := WordMarks(h.Lines), differences(h.Lines)
	if p.Unmarked {
		clear(marks)
	}
	var out []shownLine
	for i, l := range h.Lines {
		if between(h.Lines, i) {
			out = append(out, shownLine{sign: l.Sign})
			continue
		}
		out = append(out, shownLine{l.Sign, p.markedLine(l, marks[i], starts[i]), p.cuts(l.Text)})
		if l.Open && endsOtherwise(h.Lines, i) {
			out = append(out, shownLine{sign: l.Sign, text: `\ no line break at the end`})
		}
	}
	return out
}

// between reports whether a line is blank and stayed, or stands between others of its
// side: then it is printed as a blank line, without a sign.
func between(all []review.HunkLine, i int) bool {
	same := func(k int) bool { return k >= 0 && k < len(all) && all[k].Sign == all[i].Sign }
	return all[i].Text == "" && !all[i].Open && (all[i].Sign == ' ' || same(i-1) && same(i+1))
}

// Hunk gives the lines of a hunk, painted, with the words marked that differ.
func (p *Page) Hunk(h review.Hunk) []string {
	var out []string
	for _, l := range p.shownLines(h) {
		out = append(out, l.text)
	}
	return out
}
