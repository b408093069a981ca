package report

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
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
	Policy   string   `json:"policy,omitempty"`
	Status   Verdict  `json:"status"`
	FailedOn []string `json:"failed_on"`
	// Affected are the variants of the head that send other bytes; Removed
	// those of the base that are no more.
	Affected []string      `json:"affected"`
	Removed  []string      `json:"removed"`
	Events   []jsonEvent   `json:"events"`
	Changes  []jsonEdit    `json:"changes"`
	Idle     []jsonIdle    `json:"idle"`
	Findings []jsonFinding `json:"findings"`
	// Budgets has the variant of each prompt that is closest to a limit.
	Budgets []jsonLimit `json:"budgets"`
}

type jsonSide struct {
	Name string `json:"name"`
	// Manifest says that the side has one. Where the base has none, Borrowed names
	// the state whose manifest serves both, and Lacks says what that names and the
	// base does not have.
	Manifest bool          `json:"manifest"`
	Borrowed string        `json:"borrowed,omitempty"`
	Lacks    []jsonFinding `json:"lacks,omitempty"`
}

// jsonEvent is a class of changes to one prompt, with the variants that they
// reach.
type jsonEvent struct {
	Event    prompt.Event `json:"event"`
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
	Kind    string     `json:"kind"`
	Prompt  string     `json:"prompt"`
	Prompts []string   `json:"prompts"`
	Section string     `json:"section,omitempty"`
	Item    string     `json:"item,omitempty"`
	Tool    string     `json:"tool,omitempty"`
	Name    string     `json:"name,omitempty"`
	From    string     `json:"from,omitempty"`
	To      string     `json:"to,omitempty"`
	Source  *jsonPlace `json:"source,omitempty"`
	InBase  bool       `json:"in_base,omitempty"`
	// Also are the other places that are edited alike.
	Also []*jsonPlace `json:"also,omitempty"`
	// Over and Shorter are there for the kinds that have them.
	Over    *bool `json:"over,omitempty"`
	Shorter *bool `json:"shorter,omitempty"`
	// Excess is by how much a limit is exceeded: the least and the most.
	Excess []int        `json:"excess,omitempty"`
	Hunks  []jsonHunk   `json:"hunks,omitempty"`
	Leaves []jsonLeaf   `json:"leaves,omitempty"`
	Reach  []jsonReach  `json:"reach"`
	Event  prompt.Event `json:"event,omitempty"`
}

type jsonHunk struct {
	Heading string     `json:"heading,omitempty"`
	Line    int        `json:"line"`
	Source  *jsonPlace `json:"source,omitempty"`
	InBase  bool       `json:"in_base,omitempty"`
	Lines   []jsonLine `json:"lines"`
}

type jsonLine struct {
	Sign string `json:"sign"`
	Text string `json:"text"`
	// Open says that no line break follows.
	Open bool `json:"open,omitempty"`
}

type jsonLeaf struct {
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
}

type jsonTokens struct {
	Min      int            `json:"min"`
	Max      int            `json:"max"`
	Variants map[string]int `json:"variants"`
}

type jsonMissed struct {
	Cause string `json:"cause"`
	Why   string `json:"why,omitempty"`
	Count int    `json:"count"`
	Set   string `json:"set"`
}

type jsonIdle struct {
	Path   string     `json:"path"`
	Status string     `json:"status"`
	Was    string     `json:"was,omitempty"`
	Files  int        `json:"files,omitempty"`
	Source *jsonPlace `json:"source,omitempty"`
}

type jsonLimit struct {
	Prompt  string `json:"prompt"`
	Variant string `json:"variant"`
	Limit   string `json:"limit"`
	Use     int    `json:"use"`
	Budget  int    `json:"budget"`
}

// DiffJSON writes a difference as one versioned document. Where a side does
// not compile, the findings are that side's and everything else is empty.
func DiffJSON(w io.Writer, d *prompt.Difference, findings diag.List, judged DiffVerdict, opt Options) error {
	findings = weighed(findings, judged)
	p := newDiffPage(d, opt)
	doc := diffDocument{
		Version: jsonVersion, Command: "diff", Base: p.sideOf(d.Base, d.Head.Name), Head: p.sideOf(d.Head, ""),
		Rendered: d.Head.Patterns, Policy: d.Policy.Name, Status: judged.Status,
		FailedOn: []string{}, Affected: []string{}, Removed: []string{}, Events: p.events(),
		Changes: []jsonEdit{}, Idle: []jsonIdle{}, Findings: []jsonFinding{}, Budgets: []jsonLimit{},
	}
	for _, f := range judged.Failures {
		doc.FailedOn = append(doc.FailedOn, f.Word)
	}
	for _, pair := range d.Pairs {
		doc.Affected = append(doc.Affected, names(pair.Head, pair.Affected)...)
		doc.Removed = append(doc.Removed, names(pair.Base, pair.Gone)...)
	}
	for _, e := range d.Edits {
		doc.Changes = append(doc.Changes, p.jsonEdit(e))
	}
	for _, s := range d.Idle {
		at := opt
		if s.Removed {
			at = opt.ofBase()
		}
		made := jsonIdle{Path: at.path(s.Path), Status: idleStatus(s), Files: s.Files, Source: at.place(s.At)}
		if s.Was != "" {
			made.Was = opt.ofBase().path(s.Was)
		}
		doc.Idle = append(doc.Idle, made)
	}
	for _, f := range findings.Sorted() {
		doc.Findings = append(doc.Findings, p.opt.found(f))
	}
	for _, l := range nearestLimits(d) {
		doc.Budgets = append(doc.Budgets, jsonLimit{l.artifact.Build.Prompt.ID.Str, l.artifact.Variant.Name, l.name, l.use, l.of})
	}
	return encode(w, doc, opt.of(d.Base.Result, d.Head.Result))
}

// side gives the options for the paths of one side.
func (p *diffPage) side(inBase bool) Options {
	if inBase {
		return p.opt.ofBase()
	}
	return p.opt
}

// sideOf describes a side that may have the manifest of another.
func (p *diffPage) sideOf(s prompt.Side, lender string) jsonSide {
	if !borrows(s) {
		return jsonSide{Name: s.Name, Manifest: s.Result != nil}
	}
	if s.Patterns != nil {
		return jsonSide{Name: s.Name}
	}
	out := jsonSide{Name: s.Name, Borrowed: lender}
	for _, d := range s.Result.Lacks {
		out.Lacks = append(out.Lacks, p.opt.found(d))
	}
	return out
}

func idleStatus(s prompt.Idle) string {
	switch {
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
func (p *diffPage) jsonEdit(e *prompt.Edit) jsonEdit {
	opt := p.side(e.InBase)
	out := jsonEdit{
		Kind: e.Kind.String(), Prompt: promptOf(e), Prompts: []string{}, Section: e.Section, Item: e.Item, Tool: e.Tool,
		Name: e.Name, From: e.From, To: e.To, Source: opt.place(e.At), InBase: e.InBase, Reach: []jsonReach{}, Event: e.Event,
	}
	switch e.Kind {
	case prompt.BudgetCrossed:
		out.Over = &e.Over
		if e.Over && e.Excess.Low > 0 {
			out.Excess = []int{e.Excess.Low, e.Excess.High}
		}
		out.From, out.To = usedOf(e.Used[0], e.Limit[0]), usedOf(e.Used[1], e.Limit[1])
	case prompt.CacheChanged:
		out.Shorter = &e.Shorter
	default:
	}
	for _, at := range e.Also {
		out.Also = append(out.Also, opt.place(at))
	}
	for _, h := range e.Hunks {
		made := jsonHunk{Heading: h.Heading, Line: h.Line, Source: p.side(h.InBase).place(h.At), InBase: h.InBase, Lines: []jsonLine{}}
		for _, l := range h.Lines {
			made.Lines = append(made.Lines, jsonLine{string(l.Sign), l.Text, l.Open})
		}
		out.Hunks = append(out.Hunks, made)
	}
	for _, l := range e.Leaves {
		out.Leaves = append(out.Leaves, jsonLeaf{l.Path, l.From, l.To})
	}
	for i, r := range e.Reach {
		if i == 0 || e.Reach[i-1].Pair != r.Pair {
			out.Prompts = append(out.Prompts, r.Pair.ID)
		}
		out.Reach = append(out.Reach, p.jsonReach(r))
	}
	return out
}

func (p *diffPage) jsonReach(r prompt.Reach) jsonReach {
	out := jsonReach{
		Prompt: r.Pair.ID, OfBase: r.OfBase, In: r.In.Len(), Of: p.extentOf(r), Set: p.exactly(r, r.In),
		Variants: names(buildOf(r), r.In), Missed: []jsonMissed{},
	}
	if low, high, ok := tokensOf(&prompt.Edit{Reach: []prompt.Reach{r}}); ok {
		out.Tokens = &jsonTokens{low, high, tokenIDs(r)}
	}
	for _, m := range r.Missed {
		out.Missed = append(out.Missed, jsonMissed{m.Cause.String(), m.Why, m.Set.Len(), p.exactly(r, m.Set)})
	}
	return out
}

// events gives the classes that happened, in their order, a row for each
// prompt, in the order of the prompts.
func (p *diffPage) events() []jsonEvent {
	type key struct {
		event prompt.Event
		pair  *prompt.Pair
	}
	type union struct {
		in, gone prompt.Set
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
				u.gone = joined(u.gone, r.In)
			} else {
				u.in = joined(u.in, r.In)
			}
		}
	}
	out := []jsonEvent{}
	for _, event := range prompt.Events() {
		for _, pair := range p.d.Pairs {
			u := found[key{event, pair}]
			if u == nil {
				continue
			}
			head := prompt.Reach{Pair: pair}
			out = append(out, jsonEvent{
				Event: event, Prompt: pair.ID, In: u.in.Len(), Of: variantsOf(pair.Head), Set: p.exactly(head, u.in),
				Variants: names(pair.Head, u.in), Removed: names(pair.Base, u.gone), Changes: u.changes,
			})
		}
	}
	return out
}

// joined gives the union of two sets of one build; the first may be the zero
// Set.
func joined(a, b prompt.Set) prompt.Set {
	if a.Size() != b.Size() {
		a = prompt.NewSet(b.Size())
	}
	a.Union(b)
	return a
}

func variantsOf(b *prompt.Build) int {
	if b == nil {
		return 0
	}
	return len(b.Variants)
}
