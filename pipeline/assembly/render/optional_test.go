package render_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/tests/testproject"
)

// TestAnEmptySlotIsAKeyThatIsNotThere fills the slots of random runtimes. The text has
// to be that of a build which has these values, and no value for the keys of empty
// slots.
func TestAnEmptySlotIsAKeyThatIsNotThere(t *testing.T) {
	const manifest = `
version: 1
slots:
  a: {max_tokens: 9, optional: true}
  b: {max_tokens: 9, optional: true}
  c: {max_tokens: 9, optional: true}
  always: {max_tokens: 9}
sources:
  runtime: {kind: runtime, path: runtime.json, routing: true, expand: true, absent: omit%s}
  exec: {kind: tools, path: exec.json}
prompts:
  p: {sections: [{id: runtime, source: runtime, before: "<env>", after: "</env>"}, {id: exec, source: exec, form: %s}]}
`
	styles := []string{"", ", style: {path: own.tmpl}"}
	seen := map[string]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		values := map[string]string{"always": "it"}
		for _, name := range []string{"a", "b", "c"} {
			values[name] = []string{"", "", "Grüße", "x y"}[r.IntN(4)]
		}
		form := []string{"schemas", "native"}[r.IntN(2)]
		text := fmt.Sprintf(manifest, styles[r.IntN(2)], form)
		with, without := facts(r, values)
		of := func(runtime map[string]any) *assembly.Rendering {
			data, err := json.Marshal(runtime)
			if err != nil {
				t.Fatal(err)
			}
			plan := planOf(t, testproject.Of(
				"runtime.json", string(data), "exec.json", `{"name": "exec", "inputSchema": {"type": "object"}}`,
				"own.tmpl", "{{define \"heading\"}}# Env{{end}}{{if .Host}}- on {{.Host}}{{end}}{{if .Sandbox}}\n- in {{.Sandbox}}!{{end}}",
			), text)
			out, found := rendered(t, plan)
			stopOn(t, found, nil)
			return out[0]
		}
		filled, stays := of(with).Filled(func(s *language.Slot) string { return values[s.Name.Str] })
		want := of(without).Text.Str
		if filled != want || stays != (want != "") {
			t.Errorf("seed %d: %v with %v: %t\n%q\nwant\n%q", seed, with, values, stays, filled, want)
		}
		seen[fmt.Sprint(stays, strings.Contains(filled, "ost: ") || strings.Contains(filled, "on "))]++
	}
	if len(seen) < 3 {
		t.Errorf("the projects try too little: %v", seen)
	}
}

// facts makes a runtime with slots, and the one that it is with some values.
func facts(r *rand.Rand, values map[string]string) (with, without map[string]any) {
	with, without = map[string]any{}, map[string]any{}
	for line, keys := range map[string][]string{"host": {"os", "arch", "shell"}, "sandbox": {"enabled", "mode"}} {
		slots, plain := map[string]any{}, map[string]any{}
		for _, key := range keys {
			value := []string{"", "linux", "{{a}}", "{{b}}", "{{c}}", "v{{a}}", "{{b}}/{{c}}", "{{a}}{{always}}"}[r.IntN(8)]
			if value == "" {
				continue
			}
			slots[key] = value
			empty, certain := true, !strings.Contains(value, "{{") || strings.Contains(value, "always")
			for name, v := range values {
				empty = empty && (v == "" || !strings.Contains(value, "{{"+name+"}}"))
			}
			if certain || !empty {
				plain[key] = strings.NewReplacer("{{a}}", values["a"], "{{b}}", values["b"], "{{c}}", values["c"], "{{always}}", "it").Replace(value)
			}
		}
		with[line], without[line] = slots, plain
	}
	if len(without["sandbox"].(map[string]any)) == 0 { // what the block of routing says is decided at the build
		with["sandbox"] = without["sandbox"]
	}
	return with, without
}
