package change

import (
	"io"
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// diffDocument is what diff prints as JSON: schema/diff.schema.json.
type diffDocument struct {
	Version int      `json:"version"`
	Command string   `json:"command"`
	Base    jsonSide `json:"base"`
	Head    jsonSide `json:"head"`
	// Rendered are the patterns of the files that were compared without a manifest.
	Rendered []string `json:"rendered,omitempty"`
	// Policy names the state by whose limits it is judged beside the head's.
	Policy   string          `json:"policy,omitempty"`
	Status   finding.Verdict `json:"status"`
	FailedOn []string        `json:"failed_on"`
	// Affected are the variants of the head that send other bytes; Removed
	// those of the base that are no more.
	Affected []string    `json:"affected"`
	Removed  []string    `json:"removed"`
	Events   []jsonEvent `json:"events"`
	Changes  []jsonEdit  `json:"changes"`
	// Texts are the pairs of texts that differ, with what turns the one into the
	// other.
	Texts []jsonText `json:"texts"`
	Idle  []jsonIdle `json:"idle"`
	// Stale are the rendered prompts to render again.
	Stale    []jsonStale    `json:"stale"`
	Findings []finding.JSON `json:"findings"`
	// Budgets has the variant of each prompt that is closest to a limit.
	Budgets []jsonLimit `json:"budgets"`
	// OverAtBase are variants over a budget that they were over before.
	OverAtBase []string `json:"over_at_base,omitempty"`
	// Owners are those of the prompts that are reached, and Unowned the prompts
	// without one; nil where nobody says who owns anything.
	Owners  []jsonOwner `json:"owners,omitzero"`
	Unowned []string    `json:"unowned,omitzero"`
}

type jsonSide struct {
	Name string `json:"name"`
	// Manifest says that the side has one. Where it has none, Borrowed names the
	// state whose manifest serves both, and Lacks says what that names and the side
	// does not have.
	Manifest bool           `json:"manifest"`
	Borrowed string         `json:"borrowed,omitempty"`
	Lacks    []finding.JSON `json:"lacks,omitempty"`
}

// jsonEvent is a class of changes to one prompt, with the variants that they
// reach.
type jsonEvent struct {
	Event    review.Event `json:"event"`
	Prompt   string       `json:"prompt"`
	In       int          `json:"in"`
	Of       int          `json:"of"`
	Set      string       `json:"set"`
	Variants []string     `json:"variants"`
	// Removed are the variants of the base that it is about.
	Removed []string `json:"removed"`
	// Changes are indices in the list of changes.
	Changes []int `json:"changes"`
}

type jsonEdit struct {
	Kind    string       `json:"kind"`
	Prompt  string       `json:"prompt"`
	Prompts []string     `json:"prompts"`
	Section string       `json:"section,omitempty"`
	Item    string       `json:"item,omitempty"`
	Tool    string       `json:"tool,omitempty"`
	Tools   []string     `json:"tools,omitempty"`
	Name    string       `json:"name,omitempty"`
	From    string       `json:"from,omitempty"`
	To      string       `json:"to,omitempty"`
	Source  *words.Place `json:"source,omitempty"`
	InBase  bool         `json:"in_base,omitempty"`
	// Also are the other places that are edited alike.
	Also []*words.Place `json:"also,omitempty"`
	// Over and Shorter are there for the kinds that have them.
	Over    *bool `json:"over,omitempty"`
	Shorter *bool `json:"shorter,omitempty"`
	// Excess is by how much a limit is exceeded: the least and the most.
	Excess []int `json:"excess,omitempty"`
	// Number is that of the row in which the other formats print the change.
	Number int `json:"number,omitempty"`
	// Follows is the index of the change that it follows from.
	Follows *int `json:"follows,omitempty"`
	// Removed and Added are lines with their line breaks; Moved those that stand
	// elsewhere now.
	Removed []string `json:"removed,omitempty"`
	Added   []string `json:"added,omitempty"`
	Moved   []string `json:"moved,omitempty"`
	// Masked says that a key is masked in the lines.
	Masked  bool         `json:"masked,omitempty"`
	Heading string       `json:"heading,omitempty"`
	Leaves  []LeafJSON   `json:"leaves,omitempty"`
	Reach   []jsonReach  `json:"reach"`
	Event   review.Event `json:"event,omitempty"`
}

// jsonText are two texts that differ. A side is absent where there is no text to
// compare with.
type jsonText struct {
	Prompt      string         `json:"prompt"`
	Base        *jsonVariantOf `json:"base,omitempty"`
	Head        *jsonVariantOf `json:"head,omitempty"`
	Variants    []string       `json:"variants"`
	OfBase      bool           `json:"of_base,omitempty"`
	Hunks       []jsonTextHunk `json:"hunks"`
	Moves       []jsonMove     `json:"moves"`
	Approximate bool           `json:"approximate,omitempty"`
}

type jsonVariantOf struct {
	Prompt  string `json:"prompt"`
	Variant string `json:"variant"`
}

type jsonTextHunk struct {
	Edit     int `json:"edit"`
	BaseLine int `json:"base_line"`
	HeadLine int `json:"head_line"`
}

type jsonMove struct {
	Edit     int `json:"edit"`
	BaseLine int `json:"base_line"`
	HeadLine int `json:"head_line"`
	Count    int `json:"count"`
}

// LeafJSON is a place in a definition, with the value before and after.
type LeafJSON struct {
	Path string `json:"path"`
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

type jsonReach struct {
	Prompt string `json:"prompt"`
	// OfBase says that the variants are those of the base.
	OfBase   bool         `json:"of_base,omitempty"`
	In       int          `json:"in"`
	Of       int          `json:"of"`
	Set      string       `json:"set"`
	Variants []string     `json:"variants"`
	Tokens   *jsonTokens  `json:"tokens,omitempty"`
	Missed   []jsonMissed `json:"missed"`
	// Includes are the variants whose templates include the file that changed.
	Includes []jsonIncludes `json:"includes,omitempty"`
}

type jsonIncludes struct {
	File     string   `json:"file"`
	May      bool     `json:"may,omitempty"`
	Count    int      `json:"count"`
	Set      string   `json:"set"`
	Variants []string `json:"variants"`
}

type jsonTokens struct {
	Min      int            `json:"min"`
	Max      int            `json:"max"`
	Estimate bool           `json:"estimate,omitempty"`
	Variants map[string]int `json:"variants"`
}

type jsonMissed struct {
	Cause string `json:"cause"`
	Why   string `json:"why,omitempty"`
	Count int    `json:"count"`
	Set   string `json:"set"`
	// Variants are the same, each by its name.
	Variants []string `json:"variants"`
}

type jsonIdle struct {
	Path   string `json:"path"`
	Status string `json:"status"`
	Was    string `json:"was,omitempty"`
	Files  int    `json:"files,omitempty"`
	// Unread says that no variant reads the file, Entries how many entries of a
	// snapshot file changed that none reads.
	Unread  bool         `json:"unread,omitempty"`
	Entries int          `json:"entries,omitempty"`
	Source  *words.Place `json:"source,omitempty"`
	// Includer is a template that includes the file, or with MayInclude perhaps,
	// and is sent by the variants Reaches.
	Includer   string   `json:"includer,omitempty"`
	MayInclude bool     `json:"may_include,omitempty"`
	Reaches    []string `json:"reaches,omitempty"`
}

type jsonStale struct {
	Prompt string       `json:"prompt"`
	Inputs []jsonIdle   `json:"inputs"`
	Source *words.Place `json:"source,omitempty"`
}

type jsonLimit struct {
	Prompt  string `json:"prompt"`
	Variant string `json:"variant"`
	Limit   string `json:"limit"`
	Use     int    `json:"use"`
	Budget  int    `json:"budget"`
}

// JSON writes a difference as one versioned document. Where a side does
// not compile, the findings are that side's and everything else is empty.
func JSON(w io.Writer, d *review.Difference, findings diag.List, judged Verdict, opt words.Options) error {
	findings = weighed(findings, judged)
	p := NewPage(d, opt)
	doc := diffDocument{
		Version: diffVersion, Command: "diff", Base: p.sideOf(d.Base, d.Head.Name), Head: p.sideOf(d.Head, d.Base.Name),
		Rendered: d.Head.Patterns, Policy: d.Policy.Name, Status: judged.Status,
		FailedOn: []string{}, Affected: []string{}, Removed: []string{}, Events: p.events(),
		Changes: []jsonEdit{}, Texts: []jsonText{}, Idle: []jsonIdle{}, Stale: []jsonStale{}, Findings: []finding.JSON{}, Budgets: []jsonLimit{},
	}
	for _, f := range judged.Failures {
		doc.FailedOn = append(doc.FailedOn, f.Word)
	}
	for _, pair := range d.Pairs {
		doc.Affected = append(doc.Affected, Names(pair.Head, pair.Reached())...)
		doc.Removed = append(doc.Removed, Names(pair.Base, pair.Gone)...)
	}
	index := map[*review.Edit]int{}
	for i, e := range d.Edits {
		index[e] = i
	}
	for _, e := range d.Edits {
		made := p.jsonEdit(e)
		if i, ok := index[e.Follows]; ok && e.Follows != nil {
			made.Follows = &i
		}
		doc.Changes = append(doc.Changes, made)
	}
	for _, t := range d.Texts {
		doc.Texts = append(doc.Texts, textOf(t, index))
	}
	for _, i := range d.Idle {
		doc.Idle = append(doc.Idle, jsonIdleOf(opt, i))
	}
	for _, s := range d.Stale {
		made := jsonStale{Prompt: s.Pair.ID, Inputs: []jsonIdle{}, Source: opt.Place(s.At)}
		for _, i := range s.Inputs {
			made.Inputs = append(made.Inputs, jsonIdleOf(opt, i))
		}
		doc.Stale = append(doc.Stale, made)
	}
	for _, f := range findings.Sorted() {
		doc.Findings = append(doc.Findings, finding.JSONOf(p.Opt, f))
	}
	for _, l := range nearestLimits(d) {
		doc.Budgets = append(doc.Budgets, jsonLimit{l.artifact.Build.Prompt.ID.Str, l.artifact.Variant.Name, l.name, l.use, l.of})
	}
	for _, o := range d.Over {
		if o.Before && !o.Warn && !slices.Contains(doc.OverAtBase, o.Variant.Name) {
			doc.OverAtBase = append(doc.OverAtBase, o.Variant.Name)
		}
	}
	if o := ownersOf(d); o != nil {
		doc.Owners, doc.Unowned = o.json()
	}
	return words.Encode(w, doc, opt.Masking(d.Base.Result, d.Head.Result))
}

// idle gives a file that changed without a variant.
func jsonIdleOf(o words.Options, s review.Idle) jsonIdle {
	at := o
	if s.Removed {
		at = o.OfBase()
	}
	out := jsonIdle{Path: at.Path(s.Path), Status: idleStatus(s), Files: s.Files, Unread: s.Unread, Entries: s.Entries, Source: at.Place(s.At)}
	if s.Includer != "" {
		out.Includer, out.MayInclude = o.Path(s.Includer), s.Unsure
		for _, v := range s.Reaches {
			out.Reaches = append(out.Reaches, v.Name)
		}
	}
	if s.Was != "" {
		out.Was = o.OfBase().Path(s.Was)
	}
	return out
}

// side gives the options for the paths of one side.
func (p *Page) side(inBase bool) words.Options {
	if inBase {
		return p.Opt.OfBase()
	}
	return p.Opt
}

// sideOf describes a side that may have the manifest of another.
func (p *Page) sideOf(s review.Side, lender string) jsonSide {
	if !borrows(s) {
		return jsonSide{Name: s.Name, Manifest: s.Result != nil}
	}
	if s.Patterns != nil || borrows(p.d.Base) && borrows(p.d.Head) {
		return jsonSide{Name: s.Name}
	}
	out := jsonSide{Name: s.Name, Borrowed: lender}
	for _, d := range s.Result.Lacks {
		out.Lacks = append(out.Lacks, finding.JSONOf(p.Opt, d))
	}
	return out
}

func idleStatus(s review.Idle) string {
	switch {
	case s.LineEnds:
		return "line-ends"
	case s.Partial:
		return "partial"
	case s.Was != "":
		return "moved"
	case s.Added:
		return "added"
	case s.Removed:
		return "removed"
	default:
		return "changed"
	}
}

// jsonEdit gives one change with all that it reaches, by name.
func (p *Page) jsonEdit(e *review.Edit) jsonEdit {
	opt := p.side(e.InBase)
	out := jsonEdit{
		Kind: e.Kind.String(), Prompt: PromptOf(e), Prompts: []string{}, Section: e.Section, Item: e.Item, Tool: e.Tool, Tools: e.Tools,
		Name: nameOf(e), Source: opt.Place(e.At), InBase: e.InBase, Reach: []jsonReach{}, Event: e.Event,
	}
	switch e.Kind {
	case review.BudgetCrossed:
		out.Over = &e.Over
		if e.Over && e.Excess.Low > 0 {
			out.Excess = []int{e.Excess.Low, e.Excess.High}
		}
	case review.CacheChanged:
		out.Shorter = &e.Shorter
	default:
	}
	out.From, out.To = sides(e)
	for _, at := range e.Also {
		out.Also = append(out.Also, opt.Place(at))
	}
	out.Number = p.numbers[e]
	for _, h := range e.Hunks {
		out.Heading = h.Heading
		for _, l := range h.Lines {
			text := l.Text
			out.Masked = out.Masked || p.Mask(text) != text
			if !l.Open {
				text += "\n"
			}
			switch l.Sign {
			case '-':
				out.Removed = append(out.Removed, text)
			case '+':
				out.Added = append(out.Added, text)
			default:
				out.Moved = append(out.Moved, text)
			}
		}
	}
	for _, l := range LeavesOf(e) {
		out.Leaves = append(out.Leaves, LeafJSON(l))
	}
	for i, r := range e.Reach {
		if i == 0 || e.Reach[i-1].Pair != r.Pair {
			out.Prompts = append(out.Prompts, r.Pair.ID)
		}
		out.Reach = append(out.Reach, p.jsonReach(r))
	}
	return out
}

// diffVersion is the version of the document. The second has lines once for
// each change, and where they stand in the texts.
const diffVersion = 2

// textOf gives two texts that differ, with the places of changes by their index.
func textOf(t *review.TextPair, index map[*review.Edit]int) jsonText {
	side := func(a *assembly.Artifact) *jsonVariantOf {
		if a == nil {
			return nil
		}
		return &jsonVariantOf{a.Build.Prompt.ID.Str, a.Variant.Name}
	}
	out := jsonText{
		Prompt: t.Pair.ID, Base: side(t.Base), Head: side(t.Head), Variants: []string{}, OfBase: t.OfBase,
		Hunks: []jsonTextHunk{}, Moves: []jsonMove{}, Approximate: t.Approximate,
	}
	for _, v := range t.Of {
		out.Variants = append(out.Variants, v.Name)
	}
	for _, h := range t.Hunks {
		out.Hunks = append(out.Hunks, jsonTextHunk{index[h.Edit], h.BaseLine, h.HeadLine})
	}
	for _, m := range t.Moves {
		out.Moves = append(out.Moves, jsonMove{index[m.Edit], m.BaseLine, m.HeadLine, m.Count})
	}
	return out
}

func (p *Page) jsonReach(r review.Reach) jsonReach {
	out := jsonReach{
		Prompt: r.Pair.ID, OfBase: r.OfBase, In: r.In.Len(), Of: p.extentOf(r), Set: p.exactly(r, r.In),
		Variants: Names(buildOf(r), r.In), Missed: []jsonMissed{},
	}
	if low, high, ok := tokensOf(&review.Edit{Reach: []review.Reach{r}}); ok {
		out.Tokens = &jsonTokens{low, high, p.estimates(r), tokenIDs(r)}
	}
	for _, m := range r.Missed {
		if m.Cause.OfTemplates() {
			out.Includes = append(out.Includes, jsonIncludes{
				File: p.Opt.Path(m.Why), May: m.Cause == review.CauseMayInclude, Count: m.Set.Len(), Set: p.exactly(r, m.Set), Variants: Names(buildOf(r), m.Set),
			})
			continue
		}
		why := m.Why
		if len(m.More) > 0 {
			why += ", …"
		}
		out.Missed = append(out.Missed, jsonMissed{m.Cause.String(), why, m.Set.Len(), p.exactly(r, m.Set), Names(buildOf(r), m.Set)})
	}
	return out
}

// events gives the classes that happened, in their order, a row for each
// prompt, in the order of the prompts.
func (p *Page) events() []jsonEvent {
	type key struct {
		event review.Event
		pair  *review.Pair
	}
	type union struct {
		in, gone ground.Set
		changes  []int
	}
	found := map[key]*union{}
	for i, e := range p.d.Edits {
		for _, r := range e.Reach {
			k := key{e.Event, r.Pair}
			if found[k] == nil {
				found[k] = &union{}
			}
			u := found[k]
			if n := len(u.changes); n == 0 || u.changes[n-1] != i {
				u.changes = append(u.changes, i)
			}
			if r.OfBase {
				u.gone = unionOf(u.gone, r.In)
			} else {
				u.in = unionOf(u.in, r.All())
			}
		}
	}
	out := []jsonEvent{}
	for _, event := range review.Events() {
		for _, pair := range p.d.Pairs {
			u := found[key{event, pair}]
			if u == nil {
				continue
			}
			head := review.Reach{Pair: pair}
			out = append(out, jsonEvent{
				Event: event, Prompt: pair.ID, In: u.in.Len(), Of: variantsOf(pair.Head), Set: p.exactly(head, u.in),
				Variants: Names(pair.Head, u.in), Removed: Names(pair.Base, u.gone), Changes: u.changes,
			})
		}
	}
	return out
}

// unionOf gives the union of two sets of one build; the first may be the zero
// Set.
func unionOf(a, b ground.Set) ground.Set {
	if a.Size() != b.Size() {
		a = ground.NewSet(b.Size())
	}
	a.Union(b)
	return a
}

func variantsOf(b *assembly.Build) int {
	if b == nil {
		return 0
	}
	return len(b.Variants)
}
