package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// vectorCase is a call of a binding, and its answer; vectors/README.md says what
// the keys mean.
type vectorCase struct {
	Prompt, Error string
	Axes, Slots   map[string]string
	Fit, Count    bool
	Want          *vectorAnswer
}

type vectorAnswer struct {
	Name    string `json:"name"`
	Tokens  int    `json:"tokens"`
	Text    string `json:"text"`
	Tools   any    `json:"tools"`
	Body    any    `json:"body"`
	Dropped []struct {
		ID     string `json:"id"`
		Phase  string `json:"phase"`
		Tokens int    `json:"tokens"`
	} `json:"dropped"`
}

// vectorResult is what a program in another language prints of a case: an error
// or an answer.
type vectorResult struct {
	Error string        `json:"error"`
	Want  *vectorAnswer `json:"want"`
}

// TestBindingsAnswerTheVectors has a program in each language load the bindings of
// all projects.
func TestBindingsAnswerTheVectors(t *testing.T) {
	root, cases := vectorProjects(t)
	for language, answer := range map[string]func(t *testing.T, root string, cases map[string][]vectorCase) []byte{
		"go": goAnswers, "python": pythonAnswers, "typescript": typeScriptAnswers,
	} {
		t.Run(language, func(t *testing.T) { mustAnswer(t, cases, answer(t, root, cases)) })
	}
}

// vectorProjects builds the projects of all vectors with bindings, each in a folder
// below one, and gives that and the cases by the names of these folders. The cases
// of a project are also in its folder, as cases.json. Every second project has the
// data in the code.
func vectorProjects(t *testing.T) (string, map[string][]vectorCase) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("vectors", "*.json"))
	if err != nil || len(all) == 0 {
		t.Fatal("no vectors", err)
	}
	root, cases, n := t.TempDir(), map[string][]vectorCase{}, 0
	for i, at := range all {
		var v struct {
			Files map[string]string
			Cases json.RawMessage
		}
		data, err := os.ReadFile(at)
		if err == nil {
			err = json.Unmarshal(data, &v)
		}
		var manifest map[string]any
		if err == nil {
			err = json.Unmarshal([]byte(v.Files["prompts.yaml"]), &manifest)
		}
		if err != nil {
			t.Fatal(at, err)
		}
		bindings := map[string]any{}
		for language, folder := range map[string]string{"go": "g", "python": "prompts", "typescript": "p"} {
			bindings[language] = map[string]any{"path": folder, "inline": i%2 == 1}
		}
		manifest["bindings"] = bindings
		text, _ := json.Marshal(manifest)
		v.Files["prompts.yaml"], v.Files["cases.json"] = string(text), string(v.Cases)
		name := "p" + strings.TrimSuffix(filepath.Base(at), ".json")
		for file, text := range v.Files {
			writeFile(t, filepath.Join(root, name, file), text)
		}
		// Some prompts are over their budgets, which is no reason not to write.
		out, err := exec.Command(promptc, "build", "-C", filepath.Join(root, name)).CombinedOutput()
		if _, lost := os.Stat(filepath.Join(root, name, "dist", "manifest.json")); lost != nil {
			t.Fatalf("%s: %v\n%s", at, err, out)
		}
		var list []vectorCase
		if err := json.Unmarshal(v.Cases, &list); err != nil {
			t.Fatal(at, err)
		}
		cases[name], n = list, n+len(list)
	}
	if n < 2000 {
		t.Fatalf("%d vectors are too few", n)
	}
	return root, cases
}

func writeFile(t *testing.T, at, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(at), 0o755)
	if err == nil {
		err = os.WriteFile(at, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// mustAnswer compares the answers of a program, by the names of the projects'
// folders, with those that are wanted.
func mustAnswer(t *testing.T, cases map[string][]vectorCase, printed []byte) {
	t.Helper()
	var got map[string][]vectorResult
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatalf("%v\n%.2000s", err, printed)
	}
	wrong := 0
	for name, list := range cases {
		if len(got[name]) != len(list) {
			t.Fatalf("%s: %d answers for %d calls", name, len(got[name]), len(list))
		}
		for i, c := range list {
			want := vectorResult{c.Error, c.Want}
			if reflect.DeepEqual(want, got[name][i]) {
				continue
			}
			if wrong++; wrong <= 5 {
				t.Errorf("%s, case %d: %s\nwant %s\ngot  %s", name, i, shown(c), shown(want), shown(got[name][i]))
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d answers are wrong", wrong)
	}
}

func shown(v any) string {
	out, _ := json.Marshal(v)
	return string(out)
}

// answers is the function of a package in Go that answers calls.
const answers = `package g

import (
	"encoding/json"
	"errors"
	"os"
	"unicode/utf8"
)

func Answers(path string) []any {
	var cases []struct {
		Prompt      string
		Axes, Slots map[string]string
		Fit, Count  bool
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil {
		panic(err)
	}
	var out []any
	for _, c := range cases {
		var count Count
		if c.Count {
			count = func(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }
		}
		call := load
		if c.Fit {
			call = fit
		}
		p, err := call(c.Prompt, c.Axes, c.Slots, count)
		if err != nil {
			out = append(out, map[string]string{"error": named(err)})
			continue
		}
		out = append(out, map[string]any{"want": p})
	}
	return out
}

func named(err error) string {
	switch {
	case errors.As(err, new(UnknownValueError)):
		return "unknown-value"
	case errors.As(err, new(ExcludedError)):
		return "excluded"
	case errors.As(err, new(InvalidTextError)):
		return "invalid-text"
	case errors.As(err, new(MissingSlotError)):
		return "missing-slot"
	case errors.As(err, new(TooLongError)):
		return "too-long"
	case errors.As(err, new(CountError)):
		return "no-count"
	default:
		return err.Error()
	}
}
`

// goAnswers compiles the packages of all projects into one program.
func goAnswers(t *testing.T, root string, cases map[string][]vectorCase) []byte {
	t.Helper()
	var imports, calls bytes.Buffer
	for name := range cases {
		writeFile(t, filepath.Join(root, name, "g", "answers.go"), answers)
		fmt.Fprintf(&imports, "\t%s \"vectors/%s/g\"\n", name, name)
		fmt.Fprintf(&calls, "\tout[%q] = %s.Answers(%q)\n", name, name, filepath.Join(root, name, "cases.json"))
	}
	writeFile(t, filepath.Join(root, "go.mod"), "module vectors\n\ngo 1.22\n")
	writeFile(t, filepath.Join(root, "main.go"), "package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n\n"+imports.String()+
		")\n\nfunc main() {\n\tout := map[string][]any{}\n"+calls.String()+"\t_ = json.NewEncoder(os.Stdout).Encode(out)\n}\n")
	out, err := goTool(t, root, "run", "-trimpath", ".") // so that Go finds in its cache what it compiled in another folder
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return []byte(out)
}
