package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/pairing"
)

// prompts finds what concerns prompts as a whole: prompts, axes, values and
// variants that come or go.
func (r *run) prompts() {
	for _, p := range r.pairs {
		switch {
		case p.Base == nil:
			r.wholePrompt(p, review.PromptAdded)
		case p.Head == nil:
			r.wholePrompt(p, review.PromptRemoved)
		default:
			r.axes(p)
			r.variants(p)
			r.withAxes(p)
		}
	}
}

func (r *run) wholePrompt(p *pair, kind review.EditKind) {
	e := &review.Edit{Kind: kind, InBase: p.Head == nil, At: cmp.Or(p.Head, p.Base).Prompt.ID.At}
	e.Row(p.Pair, e.InBase)
	for _, t := range p.twins {
		r.brings(e, t)
		for _, tool := range cmp.Or(t.Head, t.Base).Toolset {
			if !slices.Contains(e.Tools, tool.Name) {
				e.Tools = append(e.Tools, tool.Name)
			}
		}
	}
	r.add(e)
}

// brings says that an edit brings a variant, or takes it away, with all that it
// sends: its lines follow from that.
func (r *run) brings(e *review.Edit, t twin) {
	r.owners[ownerKey{t, nil}] = e
	if t.Head != nil {
		reachBy(e, t, t.Head.Use+t.Head.ToolTokens)
	} else {
		reachBy(e, t, -t.Base.Use-t.Base.ToolTokens)
	}
}

// axes finds the axes and values that only one side declares.
func (r *run) axes(p *pair) {
	for i, axis := range p.Base.Prompt.Axes {
		if pairing.AxisLike(p.Base.Prompt, i, p.Head.Prompt) < 0 {
			e := &review.Edit{Kind: review.AxisRemoved, Name: axis.Name.Str, From: strings.Join(ground.Strings(axis.Values), ", "), At: axis.Name.At, InBase: true}
			r.declared(p, e)
		}
	}
	for i, axis := range p.Head.Prompt.Axes {
		k := pairing.AxisLike(p.Head.Prompt, i, p.Base.Prompt)
		if k < 0 {
			e := &review.Edit{Kind: review.AxisAdded, Name: axis.Name.Str, To: strings.Join(ground.Strings(axis.Values), ", "), At: axis.Name.At}
			r.declared(p, e)
			continue
		}
		r.values(p, p.Base.Prompt.Axes[k], axis)
	}
	r.axisNames(p)
}

// settingAxes is the setting of the axes' names and order, which names
// variants.
const settingAxes = "axes"

// axisNames says that axes that both sides have are called otherwise, or stand
// in another order: then so are the names of variants.
func (r *run) axisNames(p *pair) {
	var was, is []string
	at := p.Head.Prompt.ID.At
	for _, s := range pairing.SharedAxes(p.Base.Prompt, p.Head.Prompt) {
		was = append(was, p.Base.Prompt.Axes[s[0]].Name.Str)
	}
	for _, s := range pairing.SharedAxes(p.Head.Prompt, p.Base.Prompt) {
		axis := p.Head.Prompt.Axes[s[0]]
		if n := len(is); was[n] != axis.Name.Str && slices.Equal(was[:n], is) {
			at = axis.Name.At
		}
		is = append(is, axis.Name.Str)
	}
	if !slices.Equal(was, is) {
		r.declared(p, &review.Edit{Kind: review.SettingChanged, Name: settingAxes, From: strings.Join(was, ", "), To: strings.Join(is, ", "), At: at})
	}
}

// declared adds an edit that concerns every variant of the head.
func (r *run) declared(p *pair, e *review.Edit) {
	e.Row(p.Pair, false)
	for _, t := range p.twins {
		if t.Head != nil {
			reach(e, t)
		}
	}
	r.add(e)
}

func (r *run) values(p *pair, was, is *language.Axis) {
	for _, v := range was.Values {
		if !hasValue(is, v.Str) {
			r.value(p, was, &review.Edit{Kind: review.ValueRemoved, Name: is.Name.Str, From: v.Str, At: v.At, InBase: true})
		}
	}
	for _, v := range is.Values {
		if !hasValue(was, v.Str) {
			r.value(p, is, &review.Edit{Kind: review.ValueAdded, Name: is.Name.Str, To: v.Str, At: v.At})
		}
	}
	if was.Default.Str != is.Default.Str {
		e := &review.Edit{
			Kind: review.SettingChanged, Name: "axes." + is.Name.Str + ".default",
			From: was.Default.Str, To: is.Default.Str, At: is.Name.At,
		}
		if is.Default.At.Known() {
			e.At = is.Default.At
		}
		r.declared(p, e)
	}
}

// value adds an edit of a value with the variants that have it and nothing to
// be compared with. One that comes from the name of a file which is excluded is no edit.
func (r *run) value(p *pair, of *language.Axis, e *review.Edit) {
	e.Row(p.Pair, e.InBase)
	for _, t := range p.twins {
		if t.Both() || (t.Head == nil) != e.InBase {
			continue
		}
		if onAxis(t, e.Name) == e.From+e.To {
			r.brings(e, t)
		}
	}
	if of.Auto && e.Reach[0].In.Len() == 0 {
		return
	}
	r.add(e)
}

// onAxis gives the value of a variant that only one side has.
func onAxis(t twin, name string) string {
	of := cmp.Or(t.Head, t.Base).Build.Prompt
	if i := of.Axis(name); i >= 0 {
		return pairing.ValueOn(of, t.variant(), i)
	}
	return ""
}

// variants finds the variants that come or go while their axes and values were
// there.
func (r *run) variants(p *pair) {
	for _, t := range p.twins {
		if t.Both() || r.explained(p, t) {
			continue
		}
		kind := review.VariantsAdded
		if t.Head == nil {
			kind = review.VariantsRemoved
		}
		e := r.group(variantsKey{p, kind}, func() *review.Edit {
			return &review.Edit{Kind: kind, At: excludePlace(p.Head.Prompt)}
		})
		r.brings(e, t)
	}
}

// withAxes leaves to axes that are no more the variants that went with them:
// those that stay send what they sent.
func (r *run) withAxes(p *pair) {
	for _, e := range r.d.Edits {
		if e.Kind == review.AxisRemoved && e.Reach[0].Pair == p.Pair && len(e.Reach) > 1 {
			e.Reach = slices.DeleteFunc(e.Reach, func(at review.Reach) bool { return !at.OfBase })
		}
	}
}

type variantsKey struct {
	pair *pair
	kind review.EditKind
}

// explained reports whether a value, or an axis that is no more, says why a
// variant has none to be compared with. Those of a removed axis are added to
// its edit.
func (r *run) explained(p *pair, t twin) bool {
	out := false
	for _, e := range r.d.Edits {
		if len(e.Reach) == 0 || e.Reach[0].Pair != p.Pair {
			continue
		}
		switch {
		case e.Kind == review.AxisRemoved && t.Head == nil:
			r.brings(e, t)
			out = true
		case e.Kind == review.ValueAdded && t.Head != nil, e.Kind == review.ValueRemoved && t.Head == nil:
			out = out || e.Reach[0].In.Has(t.variant().Index)
		default:
		}
	}
	return out
}

// excludePlace gives the place that says what is not built, or else that of the
// prompt.
func excludePlace(p *language.Prompt) diag.Span {
	for _, clause := range p.Exclude {
		for _, term := range clause {
			return term.Axis.At
		}
	}
	return p.ID.At
}

func hasValue(a *language.Axis, value string) bool {
	return slices.ContainsFunc(a.Values, func(w ground.Word) bool { return w.Str == value })
}
