package change

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/leaf"
)

// sides writes the two sides of an edit, "" for none.
func sides(e *review.Edit) (from, to string) {
	from, to = e.From, e.To
	switch {
	case e.Kind == review.BudgetCrossed:
		return usedOf(e.Used[0], e.Limit[0]), usedOf(e.Used[1], e.Limit[1])
	case e.Kind == review.SlotChanged && e.Section == "":
		was, is := slotFacts(e)
		return joinFacts(was), joinFacts(is)
	case e.Kind == review.FormChanged:
		const own = "its own text"
		from, to = cmp.Or(from, own), cmp.Or(to, own)
		if e.Stepped {
			to += " (budget)"
		}
	case e.Kind == review.Moved && e.Section == "" && e.Tool == "" && from != to: // a piece of a conversation
		const none = "no tier"
		from, to = cmp.Or(from, none), cmp.Or(to, none)
	case e.Kind == review.PolicyWeakened && e.Name == "families":
		from = cmp.Or(from, "all")
	}
	return written(from, e.Was), written(to, e.Is)
}

// written writes one side, which has a name or a value, or both.
func written(name string, v review.Value) string {
	switch v := v.(type) {
	case review.Amount:
		return strconv.Itoa(int(v))
	case review.Share:
		return strconv.FormatFloat(math.Round(float64(v)*100*1e6)/1e6, 'f', -1, 64) + "%"
	case review.OnlyWarns:
		return map[review.OnlyWarns]string{true: "warn", false: "error"}[v]
	case review.Places:
		return words.Count(int(v), "place")
	case review.SectionOut:
		return assembly.Omission{Reason: v.Reason, Why: v.Why}.String()
	case review.Files:
		var out []string
		for _, f := range v {
			out = append(out, fileWords(f))
		}
		return strings.Join(out, ", ")
	case review.CountedBy:
		return fmt.Sprintf("%s (%s × %g)", name, v.Base, v.Factor)
	case review.CheckLevel:
		return string(v.Code) + " " + v.Level
	case review.RenderedAt:
		if v.Entry != "" {
			return v.Path + ", entry " + v.Entry
		}
		return v.Path
	case review.CharLimit:
		out := strconv.Itoa(v.Chars) + " characters"
		if v.PerSource {
			out += ", per source"
		}
		if v.Cut {
			out += ", cut"
		}
		return out
	default:
		return name
	}
}

func fileWords(f review.FoundFile) string {
	switch f.Origin {
	case assembly.FromFallback, assembly.FromElse:
		return f.Path + " (" + f.Origin.String() + ")"
	case assembly.FromBuiltIn:
		return "the built-in text"
	case assembly.FromInline:
		return "the manifest"
	default:
		return f.Path
	}
}

// slotFact is one thing that is declared of a slot; value is "" where the name says
// it all.
type slotFact struct{ name, value string }

// slotFacts gives what two declarations of a slot say where they differ; what is
// worth a word where one is alone.
func slotFacts(e *review.Edit) (was, is []slotFact) {
	from, before := e.Was.(review.Declared)
	to, after := e.Is.(review.Declared)
	if before {
		was = factsOfSlot(from, !after)
	}
	if after {
		is = factsOfSlot(to, !before)
	}
	if !before || !after {
		return was, is
	}
	for i := len(was) - 1; i >= 0; i-- {
		if was[i] == is[i] {
			was, is = slices.Delete(was, i, i+1), slices.Delete(is, i, i+1)
		}
	}
	return was, is
}

func factsOfSlot(s review.Declared, alone bool) []slotFact {
	out := []slotFact{{"max_tokens", strconv.Itoa(s.MaxTokens)}}
	for _, k := range []struct {
		word string
		is   bool
	}{{"optional", s.Optional}, {"volatile", s.Volatile}} {
		switch {
		case k.is:
			out = append(out, slotFact{name: k.word})
		case !alone:
			out = append(out, slotFact{name: "not " + k.word})
		}
	}
	if !alone {
		out = append(out, slotFact{"example", strconv.Quote(s.Example)})
	}
	return out
}

func joinFacts(facts []slotFact) string {
	var out []string
	for _, f := range facts {
		out = append(out, strings.TrimSpace(f.name+" "+f.value))
	}
	return strings.Join(out, ", ")
}

// ShownLeaf is a place of a tool's definition, a request or a file that differs, as
// people and programs get it.
type ShownLeaf struct {
	Path     string // tools.exec.parameters.properties.cmd.type
	From, To string
}

// LeavesOf gives the places that differ of an edit: by schema path, `*` for the
// names of several tools, or by JSON pointer into requests.
func LeavesOf(e *review.Edit) []ShownLeaf {
	switch {
	case e.Kind == review.BytesChanged:
		var out []ShownLeaf
		for _, l := range e.Leaves {
			var path strings.Builder
			for _, s := range l.Steps {
				path.WriteString("/" + s.Key)
			}
			out = append(out, ShownLeaf{path.String(), l.From, l.To})
		}
		return out
	case len(e.Tools) > 0:
		return ShownLeaves("tools.*", e.Leaves)
	default:
		return ShownLeaves(leaf.Path("tools", []ground.PathStep{{Key: e.Tool}}), e.Leaves)
	}
}

// ShownLeaves gives places behind the path that they start from.
func ShownLeaves(from string, leaves []review.Leaf) []ShownLeaf {
	var out []ShownLeaf
	for _, l := range leaves {
		path := leaf.Path(from, l.Steps)
		if from == "" {
			path = strings.TrimPrefix(path, ".")
		}
		out = append(out, ShownLeaf{path, l.From, l.To})
	}
	return out
}
