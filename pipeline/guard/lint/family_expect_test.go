package lint_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// expect adds an expectation of all variants.
func (s *scene) expect(e language.Expectation, sections ...int) {
	all := ground.NewSet(len(s.build.Variants))
	for i := range s.build.Variants {
		all.Add(i)
	}
	e.At = s.span(60 + len(s.build.Expect))
	s.build.Expect = append(s.build.Expect, assembly.Expected{Expectation: &e, On: all, Sections: sections})
}

func literal(s string) *ground.Text {
	t := ground.Literal(s)
	return &t
}

func TestTextsOfARequestAreJudgedByThemselves(t *testing.T) {
	s := newScene("intro", "rules")
	s.variant("anthropic", "|Hello there friend, again.", "Bye to all of you, again.")
	s.variant("text", "Hello there friend, again.", "Bye to all of you, again.")
	s.expect(language.Expectation{Contains: literal("again.\n\nBye")})
	s.expect(language.Expectation{Contains: literal("Hello")})
	s.expect(language.Expectation{Lacks: literal("again.\n\nBye")})
	want := []string{
		`error PC6039 "p" does not contain "again.\n\nBye"`, "  in 1 of 2 variants: mode=a",
		`error PC6039 "p" contains "again.\n\nBye"`, "  in 1 of 2 variants: mode=b", `  it begins before the section "rules" and ends in it`,
	}
	if diff := cmp.Diff(want, s.said()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSomeVariantsAreNotHeldToExpectations(t *testing.T) {
	s := newScene("intro")
	a := s.variant("text", "Hello.")
	s.variant("text", "Hello you.")
	s.expect(language.Expectation{Contains: literal("you")})
	if got := s.said(a); len(got) > 0 {
		t.Errorf("of one variant alone: %q", got)
	}
	if got := s.said(); len(got) != 2 {
		t.Errorf("of both: %q", got)
	}
}

func TestSectionsAreThereWhereTheySayOrBringSomething(t *testing.T) {
	s := newScene("intro", "tools")
	for _, r := range []*assembly.Rendering{
		{Unit: &assembly.Unit{}, Text: ground.Literal(" \n")},
		{Unit: &assembly.Unit{}, Tools: []*language.Tool{{Name: "read"}}},
		nil,
	} {
		a := s.variant("text", "Hello.")
		a.Used = []*assembly.Rendering{nil, r}
		if r != nil {
			a.Toolset = r.Tools
		}
	}
	s.expect(language.Expectation{Section: ground.Word{Str: "tools", At: s.span(80)}}, 1)
	s.expect(language.Expectation{Tool: ground.Word{Str: "read", At: s.span(81)}})
	want := []string{
		`error PC6039 the section "tools" of "p" is empty`, "  in 2 of 3 variants: mode=a+c",
		`error PC6039 "p" does not have the tool "read"`, "  in 2 of 3 variants: mode=a+c",
	}
	if diff := cmp.Diff(want, s.said()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
