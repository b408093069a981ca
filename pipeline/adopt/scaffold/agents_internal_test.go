package scaffold

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// front makes front matter of keys and values, which are texts or lists of texts.
func front(pairs ...any) *ground.Node {
	n := &ground.Node{Kind: ground.Mapping}
	for i := 0; i < len(pairs); i += 2 {
		value := &ground.Node{Kind: ground.Null}
		switch v := pairs[i+1].(type) {
		case string:
			value = &ground.Node{Kind: ground.String, Text: ground.Literal(v)}
		case []string:
			value = &ground.Node{Kind: ground.Sequence}
			for _, item := range v {
				value.Items = append(value.Items, &ground.Node{Kind: ground.String, Text: ground.Literal(item)})
			}
		}
		n.Fields = append(n.Fields, ground.Field{Key: pairs[i].(string), Value: value})
	}
	return n
}

func TestAgentsReadRulesWhenTheirFrontMatterSays(t *testing.T) {
	tests := []struct {
		name string
		when func(*ground.Node) reading
		in   *ground.Node
		want reading
	}{
		{"Claude, none", byPaths, nil, reading{always: true}},
		{"Claude, a list", byPaths, front("paths", []string{"src/**/*.ts", "*.md"}), reading{globs: []string{"src/**/*.ts", "*.md"}}},
		{"Claude, a text", byPaths, front("paths", "a/**, b/{c,d}/*"), reading{globs: []string{"a/**", "b/{c,d}/*"}}},
		{"Claude, null", byPaths, front("paths", nil), reading{always: true}},
		{"Cursor, always", byAlwaysApply, front("alwaysApply", "true", "globs", "*.go"), reading{always: true}},
		{"Cursor, globs", byAlwaysApply, front("description", "Go", "globs", "*.go,go.mod"), reading{globs: []string{"*.go", "go.mod"}}},
		{"Cursor, description", byAlwaysApply, front("description", "Go", "globs", nil), reading{listed: true}},
		{"Cursor, nothing", byAlwaysApply, nil, reading{}},
		{"Copilot", byApplyTo, front("applyTo", "**"), reading{globs: []string{"**"}}},
		{"Copilot, nothing", byApplyTo, front("description", "x"), reading{}},
		{"Windsurf, nothing", byTrigger, nil, reading{always: true}},
		{"Windsurf, always", byTrigger, front("trigger", "always_on"), reading{always: true}},
		{"Windsurf, globs", byTrigger, front("trigger", "glob", "globs", `"*.rs"`), reading{globs: []string{"*.rs"}}},
		{"Windsurf, the model", byTrigger, front("trigger", "model_decision"), reading{listed: true}},
		{"Windsurf, by hand", byTrigger, front("trigger", "manual"), reading{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.when(tt.in), cmp.AllowUnexported(reading{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestGlobsThatSurelyFitAllOfAnother(t *testing.T) {
	tests := []struct {
		wide, glob string
		want       bool
	}{
		{"a/**", "a/**", true},
		{"a/**", "a/b/**", true},
		{"a/**", "a/*.ts", true},
		{"a/**", "ab/**", false},
		{"a/b/**", "a/**", false},
		{"*/**", "a/b/**", false}, // true, but nothing that is said of stars
		{"**/*.ts", "src/*.ts", true},
		{"**/*.ts", "src/**/*.ts", true},
		{"**/*.ts", "src/**", false},
		{"**/a/*.ts", "src/a/*.ts", false},
		{"*.ts", "a/*.ts", false},
	}
	for _, tt := range tests {
		if got := fitsAll(tt.wide, tt.glob); got != tt.want {
			t.Errorf("fitsAll(%q, %q) = %v", tt.wide, tt.glob, got)
		}
	}
}
