package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// scene is one prompt of which the artifacts are written down by hand. A word
// counts as a token.
type scene struct {
	plan  *assembly.Plan
	build *assembly.Build
	file  *diag.File
	all   []*assembly.Artifact
	slots map[string]*language.Slot
}

// newScene has the sections of the given ids; a variant is a value of the axis
// `mode`.
func newScene(ids ...string) *scene {
	s := &scene{file: &diag.File{Path: "prompts.yaml", Text: strings.Repeat("x", 99) + "\n"}, slots: map[string]*language.Slot{}}
	def := &language.Prompt{ID: ground.Word{Str: "p", At: s.span(0)}, Axes: []*language.Axis{{Name: ground.Word{Str: "mode"}}}}
	for i, id := range ids {
		def.Sections = append(def.Sections, &language.Section{ID: ground.Word{Str: id, At: s.span(10 + i)}})
	}
	s.build = &assembly.Build{Prompt: def}
	s.plan = &assembly.Plan{Spec: &language.Spec{}, Builds: []*assembly.Build{s.build}}
	for name, slot := range map[string]language.Slot{"date": {Volatile: true}, "time": {Volatile: true}, "name": {}, "note": {Optional: true}, "hint": {Optional: true}} {
		slot.Name = ground.Word{Str: name}
		s.slots[name] = &slot
	}
	return s
}

func (s *scene) span(at int) diag.Span { return diag.Span{File: s.file, Start: at, End: at + 1} }

// variant adds one with the texts of its sections, in order; "" is out. A text
// that begins with a bar has a cache breakpoint behind it, one that begins with
// a tilde is volatile as a whole.
func (s *scene) variant(dialect string, texts ...string) *assembly.Artifact {
	d, _ := ground.LookupDialect(dialect)
	value := string(rune('a' + len(s.all)))
	s.build.Prompt.Axes[0].Values = append(s.build.Prompt.Axes[0].Values, ground.Word{Str: value})
	v := &assembly.Variant{
		Name: "p/mode=" + value, Index: len(s.all), Values: []int{len(s.all)}, Dialect: d, CacheMinimum: 4,
		Uses: make([]assembly.Use, len(s.build.Prompt.Sections)),
	}
	a := &assembly.Artifact{Build: s.build, Variant: v}
	block := 0
	m := assembly.Message{Role: language.RoleSystem, Block: "system"}
	for i, text := range texts {
		if text == "" {
			continue
		}
		text, marked := strings.CutPrefix(text, "|")
		text, v.Uses[i].Volatile = strings.CutPrefix(text, "~")
		if len(a.Parts) > 0 {
			s.part(a, assembly.Part{Section: -1, Text: "\n\n"})
		}
		s.part(a, assembly.Part{Section: i, Text: text, Rendering: s.rendering(text)})
		if marked {
			n := len(a.Parts)
			m.Blocks = append(m.Blocks, assembly.Block{From: block, To: n, Marked: true, Point: len(a.Cache.Points)})
			a.Cache.Points = append(a.Cache.Points, assembly.Point{Name: s.build.Prompt.Sections[i].ID.Str, Part: n, Tokens: a.Tokens, At: s.span(30 + i)})
			block = n
		}
	}
	if block < len(a.Parts) {
		m.Blocks = append(m.Blocks, assembly.Block{From: block, To: len(a.Parts)})
	}
	a.Messages = append(a.Messages, m)
	s.build.Variants = append(s.build.Variants, v)
	s.all = append(s.all, a)
	return a
}

func (s *scene) part(a *assembly.Artifact, p assembly.Part) {
	a.Tokens += len(strings.Fields(p.Text))
	p.Start, p.Total = a.Bytes(), a.Tokens
	a.Parts = append(a.Parts, p)
}

func (s *scene) rendering(text string) *assembly.Rendering {
	r := &assembly.Rendering{Text: ground.Literal(text), Unit: &assembly.Unit{}}
	for _, p := range ground.Placeholders(text) {
		if slot := s.slots[p.Name]; slot != nil {
			r.Slots = append(r.Slots, assembly.SlotAt{Slot: slot, Start: p.Start, End: p.End})
		}
	}
	other := func(at assembly.SlotAt) bool { return at.Slot != r.Slots[0].Slot }
	if len(r.Slots) > 0 && r.Slots[0].Slot.Optional && !slices.ContainsFunc(r.Slots, other) {
		r.Optional = []assembly.OptionalPart{{Slots: []*language.Slot{r.Slots[0].Slot}, End: len(text)}}
	}
	return r
}

// said is what lint says of the artifacts, without what it says of axes and of
// equal variants.
func (s *scene) said(of ...*assembly.Artifact) []string {
	if of == nil {
		of = s.all
	}
	var out []string
	for _, d := range lint.Run(s.plan, of) {
		if d.Code == diag.DeadAxis || d.Code == diag.NeverKept || d.Code == diag.EqualVariants {
			continue
		}
		out = append(out, d.Level.String()+" "+string(d.Code)+" "+wording.Message(d))
		for _, line := range wording.Detail(d) {
			out = append(out, "  "+line)
		}
	}
	return out
}

func TestVolatileTextBeforeStableText(t *testing.T) {
	behind := func(tokens string) string {
		return `note PC6005 up to ` + tokens + ` of "p" could be cached, but for the volatile slot "date" in "one" before them`
	}
	for _, tc := range []struct {
		name  string
		texts []string
		want  []string
	}{
		{"a slot before a section", []string{"on {{date}}", "a b c", "d"}, []string{behind("6 tokens")}},
		{"a slot that stands last", []string{"a b c", "on {{date}}"}, nil},
		{"text on the same line is no reason", []string{"on {{date}} we say"}, nil},
		{"lines of its own section", []string{"on {{date}}\nwe say what we say"}, []string{behind("7 tokens")}},
		{"only volatile text behind it", []string{"on {{date}}", "~a b", "{{date}}"}, nil},
		{"volatile text between", []string{"on {{date}}", "~a b c", "d e"}, []string{
			behind("7 tokens"),
			`note PC6005 up to 5 tokens of "p" could be cached, but for the volatile section "two" before them`,
		}},
		{"several slots of a section", []string{"on {{date}} {{time}} {{date}}", "a b"}, []string{
			`note PC6005 up to 6 tokens of "p" could be cached, but for the volatile slots "date", "time" in "one" before them`,
		}},
		{"a slot of a section that stands last", []string{"on {{date}}\na b\n{{time}}"}, []string{behind("5 tokens")}},
		{"a slot that stays the same", []string{"on {{name}}", "a b"}, nil},
		{"behind the last breakpoint nothing is kept", []string{"|a b c d", "on {{date}}", "e f"}, nil},
		{"only up to the last breakpoint", []string{"on {{date}}", "|a b c", "e f"}, []string{
			`warning PC6005 up to 5 tokens of "p" could be cached by the breakpoint "two", but for the volatile slot "date" in "one" before it`,
		}},
		{"a breakpoint behind it", []string{"on {{date}}", "|a b c"}, []string{
			`warning PC6005 up to 5 tokens of "p" could be cached by the breakpoint "two", but for the volatile slot "date" in "one" before it`,
		}},
	} {
		s := newScene("one", "two", "three")
		s.variant("anthropic", tc.texts...)
		if diff := cmp.Diff(tc.want, s.said()); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestVolatileTextIsOneFindingForItsVariants(t *testing.T) {
	s := newScene("one", "two", "three")
	s.variant("text", "on {{date}}", "a b c")
	s.variant("text", "on {{date}}", "a")
	s.variant("text", "on {{date}}", "", "")
	want := []string{`note PC6005 up to 5 tokens of "p" could be cached, but for the volatile slot "date" in "one" before them`, "  in 2 of 3 variants: mode=a+b"}
	if diff := cmp.Diff(want, s.said()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{`note PC6005 up to 3 tokens of "p" could be cached, but for the volatile slot "date" in "one" before them`}, s.said(s.all[1])); diff != "" {
		t.Error("alone:", diff)
	}
}

// said is a part that a conversation says.
func said(kind assembly.ContentKind, text string) assembly.Part {
	return assembly.Part{Section: -1, Text: text, Passage: &assembly.Passage{Content: &assembly.Content{Kind: kind}, Text: ground.Literal(text)}}
}

func TestWhatTheUserAsksIsNotStable(t *testing.T) {
	s := newScene("one", "reminder")
	a := s.variant("text", "on {{date}}")
	a.Variant.Messages = &assembly.MessageRules{Reminder: 1}
	s.part(a, said(assembly.ContentPrompt, "what now"))
	s.part(a, assembly.Part{Section: 1, Text: "be kind", Rendering: s.rendering("be kind")})
	if got := s.said(); got != nil {
		t.Error(got)
	}
}

func TestBreakpoints(t *testing.T) {
	small := `warning PC6007 the prefix of "p" up to the breakpoint "one" has 2 tokens; fewer than 4 tokens are not cached`
	leftOut := `note PC6009 "text" has no cache breakpoints: those of "p" are left out`
	five := []string{"|a b c d", "|e", "|f", "|g", "|h"}
	for _, tc := range []struct {
		name, dialect string
		texts, want   []string
	}{
		{"four", "anthropic", five[:4], nil},
		{"five", "anthropic", five, []string{`error PC6006 "p" has 5 cache breakpoints; a request may have 4`}},
		{"five that are not written", "gemini", five, []string{
			`note PC6009 "gemini" has no cache breakpoints: those of "p" are left out`,
			`warning PC6006 "p" has 5 cache breakpoints; a request may have 4`,
		}},
		{"five in no request", "text", five, []string{leftOut}},
		{"too little before it", "anthropic", []string{"|a b", "|c d"}, []string{small}},
		{"too little, not written", "text", []string{"|a b"}, []string{leftOut}},
		{"left out", "gemini", []string{"|a b"}, []string{`note PC6009 "gemini" has no cache breakpoints: those of "p" are left out`}},
		{"none to leave out", "gemini", []string{"a b"}, nil},
		{"may be empty", "anthropic", []string{"|a b c d", "|{{note}}"}, []string{
			`warning PC6008 all text that the breakpoint "two" of "p" marks may be empty at run time`,
		}},
		{"may be empty in part", "anthropic", []string{"|a b c d", "e", "|{{note}}"}, nil},
		{"may be empty behind the last", "anthropic", []string{"|a b c d", "{{note}}", "{{note}} and {{note}}"}, []string{
			`warning PC6008 the text that begins with "two" stands alone in "p" and may be empty at run time, which "anthropic" refuses`,
		}},
		{"may be empty as a whole", "anthropic", []string{"{{note}}"}, []string{
			`warning PC6008 the text that begins with "one" stands alone in "p" and may be empty at run time, which "anthropic" refuses`,
		}},
		{"several slots that may be empty", "anthropic", []string{"|a b c d", "|{{note}}\n{{hint}} {{note}}"}, []string{
			`warning PC6008 all text that the breakpoint "two" of "p" marks may be empty at run time`,
		}},
		{"several slots and a word", "anthropic", []string{"|a b c d", "|{{note}} or {{hint}}"}, nil},
		{"two slots", "anthropic", []string{"{{note}} {{name}}"}, nil},
		{"may be empty where that is taken", "openai-chat", []string{"|a b c d", "{{note}}"}, nil},
		{"may be empty in a text", "text", []string{"{{note}}"}, nil},
	} {
		s := newScene("one", "two", "three", "four", "five")
		s.variant(tc.dialect, tc.texts...)
		if diff := cmp.Diff(tc.want, s.said()); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestBreakpointsAreGroupedByVariants(t *testing.T) {
	s := newScene("one")
	s.variant("anthropic", "|a b")
	s.variant("openai-chat", "|a b c")
	s.variant("gemini", "|a b")
	want := []string{
		`note PC6009 "gemini" has no cache breakpoints: those of "p" are left out`, "  in 1 of 3 variants: mode=c",
		`warning PC6007 the prefix of "p" up to the breakpoint "one" has 2 to 3 tokens; fewer than 4 tokens are not cached`, "  in 2 of 3 variants: mode=a+b",
	}
	if diff := cmp.Diff(want, s.said()); diff != "" {
		t.Error(diff)
	}
}
