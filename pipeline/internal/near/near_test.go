package near_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/internal/near"
)

func TestBest(t *testing.T) {
	for _, tc := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"tool", []string{"skills", "tools"}, "tools"},
		{"Soul", []string{"soul"}, "soul"},
		{"persnoa", []string{"persona", "person"}, "persona"},
		{"a", []string{"b"}, ""},
		{"zebra", []string{"tools", "soul"}, ""},
		{"sektions", []string{"description", "sections"}, "sections"},
		{"", []string{"x"}, ""},
		{"bulid", []string{"check", "build"}, "build"},
		{"paln", []string{"chat", "plan"}, "plan"},
		{"chta", []string{"code", "chat"}, "chat"},
		{"alpha", []string{"gamma", "beta"}, ""},
		{"rule", []string{"role", "rules"}, "rules"},
		{"rules", []string{"roles", "rule"}, "rule"},
		{"sources", []string{"source2", "source"}, "source"},
		{"aks", []string{"edit", "ask"}, "ask"},
		{"ab", []string{"ba"}, "ba"},
		{"a", []string{"ab"}, "ab"},
		{"skill", []string{"a", "skills-and-more"}, ""},
		{"teams/pay", []string{"teams/chat", "teams/payments", "tools"}, "teams/payments"},
		{"teams/pay", []string{"teams/play", "teams/payments"}, "teams/play"},
		{"teams/pay", []string{"teams/chat", "teams/payments", "teams/payroll"}, "teams/chat"},
		{"tiers", []string{"mode", "goal"}, ""},
	} {
		got, ok := near.Best(tc.name, tc.candidates)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("Best(%q, %q) = %q, %v; want %q", tc.name, tc.candidates, got, ok, tc.want)
		}
	}
}
