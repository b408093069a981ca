package diff_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/review"
	"github.com/promptc-build/promptc/pipeline/review/leaf"
	"github.com/promptc-build/promptc/tests/testproject"
)

// stateOf compiles one side of a comparison. A nil tree is one without a
// manifest.
func stateOf(t *testing.T, name string, fsys fstest.MapFS) review.Side {
	t.Helper()
	if fsys == nil {
		return review.Side{Name: name}
	}
	r := testproject.Compile(t, fsys, pipeline.Composed)
	if r.Stopped {
		t.Fatalf("%s does not compile: %v", name, r.Findings)
	}
	return review.Side{Name: name, Result: r}
}

// differ compares two trees and holds what every comparison promises.
func differ(t *testing.T, base, head fstest.MapFS) *review.Difference {
	t.Helper()
	d, _ := pipeline.Compare(stateOf(t, "base", base), stateOf(t, "head", head), review.Side{})
	mustHold(t, d)
	return d
}

// with gives a tree with one file replaced in part; without an old text the
// file becomes the new one.
func with(t *testing.T, fsys fstest.MapFS, name, old, now string) fstest.MapFS {
	t.Helper()
	out := maps.Clone(fsys)
	if old == "" {
		out[name] = &fstest.MapFile{Data: []byte(now)}
		return out
	}
	text := string(fsys[name].Data)
	if strings.Count(text, old) != 1 {
		t.Fatalf("%s has %q %d times", name, old, strings.Count(text, old))
	}
	out[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, now, 1))}
	return out
}

// told writes a difference as people would note it down: an edit a line, its
// hunks and leaves below it.
func told(d *review.Difference) []string {
	var out []string
	for _, e := range d.Edits {
		line := toldEdit(e)
		if e.Follows != nil {
			line = "follows from " + strconv.Itoa(slices.Index(d.Edits, e.Follows)+1) + ": " + line
		}
		out = append(out, line)
		for _, h := range e.Hunks {
			for _, l := range h.Lines {
				line := "  " + string(l.Sign) + l.Text
				if l.Open {
					line += "⏎" // not there
				}
				out = append(out, line)
			}
		}
		for _, l := range e.Leaves {
			out = append(out, "  "+pathOf(e, l)+": "+l.From+" → "+l.To)
		}
	}
	for _, i := range d.Idle {
		out = append(out, "idle "+i.Path)
	}
	return out
}

// pathOf writes the place of a tool's definition that differs.
func pathOf(e *review.Edit, l review.Leaf) string {
	if len(e.Tools) > 0 {
		return leaf.Path("tools.*", l.Steps)
	}
	return leaf.Path("tools."+e.Tool, l.Steps)
}

// sidesOf writes the sides of an edit as tests note them down.
func sidesOf(e *review.Edit) (from, to string) {
	one := func(name string, v review.Value) string {
		switch v := v.(type) {
		case nil:
			return name
		case review.Share:
			return fmt.Sprintf("%g%%", float64(v)*100)
		case review.OnlyWarns:
			return map[review.OnlyWarns]string{true: "warn", false: "error"}[v]
		case review.Places:
			return fmt.Sprintf("%d places", v)
		case review.SectionOut:
			return strings.TrimSpace(v.Reason.String() + " " + v.Why)
		case review.Declared:
			return fmt.Sprintf("max_tokens %d, volatile %t", v.MaxTokens, v.Volatile)
		case review.Files:
			var out []string
			for _, f := range v {
				out = append(out, strings.TrimSuffix(f.Path+" ("+f.Origin.String()+")", " (path)"))
			}
			return strings.Join(out, ", ")
		default:
			return strings.Trim(fmt.Sprint(v), "{ }")
		}
	}
	from, to = one(e.From, e.Was), one(e.To, e.Is)
	if e.Stepped {
		to += " (budget)"
	}
	return from, to
}

// causes gives the edits that follow from no other.
func causes(d *review.Difference) []*review.Edit {
	return slices.DeleteFunc(slices.Clone(d.Edits), func(e *review.Edit) bool { return e.Follows != nil })
}

func toldEdit(e *review.Edit) string {
	words := []string{e.Kind.String()}
	for _, w := range []string{e.Section, e.Item, e.Tool, e.Name} {
		if w != "" {
			words = append(words, w)
		}
	}
	if from, to := sidesOf(e); from+to != "" {
		words = append(words, fmt.Sprintf("%q → %q", from, to))
	}
	if e.Used[1].Known {
		words = append(words, fmt.Sprintf("%q → %q", usedOf(e, 0), usedOf(e, 1)))
	}
	if e.At.Known() {
		line, _ := e.At.File.Position(e.At.Start)
		at := e.At.File.Path + ":" + strconv.Itoa(line)
		if e.InBase {
			at += " (base)"
		}
		words = append(words, at)
		for _, also := range e.Also {
			line, _ := also.File.Position(also.Start)
			words = append(words, "+ "+also.File.Path+":"+strconv.Itoa(line))
		}
	}
	for i := range e.Reach {
		words = append(words, toldReach(&e.Reach[i]))
	}
	return strings.Join(words, " ")
}

func toldReach(r *review.Reach) string {
	b := r.Pair.Head
	if r.OfBase {
		b = r.Pair.Base
	}
	out := "| " + r.Pair.ID + ": " + setcover.NewCover(b).Describe(r.In)
	if r.OfBase {
		out += " (of the base)"
	}
	if len(r.Tokens) > 0 {
		sizes := slices.Sorted(maps.Values(r.Tokens))
		out += fmt.Sprintf(" %+d", sizes[0])
		if last := sizes[len(sizes)-1]; last != sizes[0] {
			out += fmt.Sprintf("..%+d", last)
		}
	}
	for _, m := range r.Missed {
		out += fmt.Sprintf(", not %s: %s", setcover.NewCover(b).Describe(m.Set), m.Cause)
		if m.Why != "" {
			out += " " + m.Why
		}
	}
	return out
}

// mustHold holds what is promised of every difference: affected are the
// variants whose request differs, each of them is reached by an edit that
// changes what is sent, text that changed is sent, and what is missed is not
// reached.
func mustHold(t *testing.T, d *review.Difference) {
	t.Helper()
	mustPatch(t, d)
	mustBeOnce(t, d)
	at := map[*review.Pair]int{}
	for i, p := range d.Pairs {
		at[p] = i
		if p.Head != nil {
			mustBeSaid(t, d, p)
		}
	}
	for _, e := range d.Edits {
		if len(e.Reach) == 0 {
			t.Errorf("%s has no reach", toldEdit(e))
		}
		for i, r := range e.Reach {
			if i > 0 && at[e.Reach[i-1].Pair] > at[r.Pair] {
				t.Errorf("%s: the rows are not in the order of the prompts", toldEdit(e))
			}
			if e.Kind == review.TextChanged && !r.OfBase && !r.In.SubsetOf(r.Pair.Affected) {
				t.Errorf("%s: reaches variants that send the same", toldEdit(e))
			}
			if e.Event != "" && !r.OfBase && !r.In.SubsetOf(r.Pair.Affected) {
				t.Errorf("%s: %s of variants that send the same", toldEdit(e), e.Event)
			}
			for v := range r.Tokens {
				if !r.In.Has(v) {
					t.Errorf("%s: a size for a variant that is not reached", toldEdit(e))
				}
			}
			for _, m := range r.Missed {
				if m.Cause != review.CauseUnnamed && m.Set.Minus(r.In).Len() != m.Set.Len() {
					t.Errorf("%s: reached and missed", toldEdit(e))
				}
			}
		}
	}
}

// mustBeSaid holds the affected variants of a prompt against its artifacts.
func mustBeSaid(t *testing.T, d *review.Difference, p *review.Pair) {
	t.Helper()
	said := ground.NewSet(len(p.Head.Variants))
	for _, e := range d.Edits {
		switch e.Kind {
		case review.AxisAdded, review.AxisRemoved, review.SlotChanged, review.BudgetChanged, review.BudgetCrossed, review.CacheChanged:
			continue
		case review.SectionDropped:
			if e.Was != nil {
				continue // out on both sides
			}
		default:
		}
		for _, r := range e.Reach {
			if r.Pair == p && !r.OfBase {
				said.Union(r.In)
			}
		}
	}
	bodies := map[*assembly.Variant]string{}
	for _, side := range []review.Side{d.Base, d.Head} {
		if side.Result == nil {
			continue
		}
		for _, a := range side.Result.Artifacts {
			if a.Build == p.Base || a.Build == p.Head {
				bodies[a.Variant] = sent(a)
			}
		}
	}
	for i, v := range p.Head.Variants {
		differs := p.Was[i] < 0 || bodies[v] != bodies[p.Base.Variants[p.Was[i]]]
		if differs != p.Affected.Has(i) {
			t.Errorf("%s: affected is %v, its request differs: %v", v.Name, p.Affected.Has(i), differs)
		}
		if differs && !said.Has(i) {
			t.Errorf("%s sends something else, and no edit says so: %v", v.Name, told(d))
		}
	}
}

// sent gives what a variant sends, as its files hold it.
func sent(a *assembly.Artifact) string {
	body := dialect.Encode(a).Text()
	if len(a.Beside) > 0 {
		body += dialect.Tools(a.Variant.Dialect, a.Beside)
	}
	return a.Variant.Dialect.Name + "\n" + body
}

// sourceNames gives the paths below sources/, sorted.
func sourceNames(fsys fstest.MapFS) []string {
	var out []string
	for name := range fsys {
		if strings.HasPrefix(name, "sources/") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// reworded gives a text with another word in it.
func reworded(text string) string {
	for _, word := range []string{"the ", "a ", "is ", "to "} {
		if at := strings.LastIndex(text, " "+word); at >= 0 {
			return text[:at+1] + "another " + text[at+1:]
		}
	}
	return text
}
