package suggest_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/suggest"
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
		got, ok := suggest.Best(tc.name, tc.candidates)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("Best(%q, %q) = %q, %v; want %q", tc.name, tc.candidates, got, ok, tc.want)
		}
	}
}

func TestPath(t *testing.T) {
	for _, tc := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"main", []string{"work", "origin/main"}, "origin/main"},
		{"upstream/main", []string{"main"}, "main"},
		{"file:a.go", []string{"a.go"}, "a.go"},
		{"src/mian.go", []string{"src/util.go", "src/main.go"}, "src/main.go"},
		{"src/deep/D.go", []string{"a.go", "sub/d.go"}, "sub/d.go"},
		{"e.go", []string{"Z.go", "a.go"}, ""}, // their extension says nothing
		{"release/nxt", []string{"main", "release/next"}, "release/next"},
		{"src/gone.go", []string{"src/main.go"}, ""}, // nor does their folder
	} {
		got, ok := suggest.Path(tc.name, tc.candidates)
		if got != tc.want || ok != (tc.want != "") {
			t.Errorf("Path(%q, %q) = %q, %v; want %q", tc.name, tc.candidates, got, ok, tc.want)
		}
	}
}
