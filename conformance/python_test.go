package conformance_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pythonBindings are the ways in which the binding of testdata/python is made.
var pythonBindings = []struct{ name, binding string }{
	{"files", "app/prompts"},
	{"inline", "{path: app/prompts, inline: true}"},
}

// pythonProject builds a manifest with the programs of testdata/python beside it,
// in a folder of its own.
func pythonProject(t *testing.T, manifest string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "python", "programs"))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "prompts.yaml"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, err := run(dir, "build"); err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	return dir
}

// pythonManifest gives the manifest of testdata/python with a binding.
func pythonManifest(t *testing.T, binding string) string {
	t.Helper()
	return strings.Replace(pythonFile(t, "prompts.yaml"), "app/prompts", binding, 1)
}

func pythonFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "python", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// output runs a program in a folder, which may end with a status.
func output(t *testing.T, dir string, command ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1", "MYPY_CACHE_DIR="+filepath.Join(filepath.Dir(promptc), "mypy"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestPythonLoadsWhatWasBuilt(t *testing.T) {
	need(t, "python3")
	for _, b := range pythonBindings {
		t.Run(b.name, func(t *testing.T) {
			dir := pythonProject(t, pythonManifest(t, b.binding))
			for _, name := range []string{"right", "errors"} {
				got, err := output(t, dir, "python3", name+".py")
				if err != nil {
					t.Errorf("%s.py: %v", name, err)
				}
				if diff := cmp.Diff(pythonFile(t, name+".out"), got); diff != "" {
					t.Errorf("%s.py (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

// TestPythonFindsWhatWasChanged changes and removes what is beside the code, and
// then what is in it.
func TestPythonFindsWhatWasChanged(t *testing.T) {
	need(t, "python3")
	dir := pythonProject(t, pythonManifest(t, "app/prompts"))
	data := filepath.Join(dir, "app", "prompts", "data")
	text, manifest := filepath.Join(data, "helper", "mode=plan.txt"), filepath.Join(data, "manifest.json")
	sum := filepath.Join(data, "manifest.sha256")
	flipped := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	for _, c := range []struct {
		name, file, error string
		change            func([]byte) []byte // nil removes the file
	}{
		{"a byte of a text", text, "FileError", flipped},
		{"a missing text", text, "FileError", nil},
		{"a byte of the manifest", manifest, "FileError", flipped},
		{"a missing manifest", manifest, "FileError", nil},
		{"a missing sum", sum, "FileError", nil},
		{"another sum", sum, "FileError", func([]byte) []byte { return []byte("\xff\n") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			was, err := os.ReadFile(c.file)
			if err != nil {
				t.Fatal(err)
			}
			if c.change == nil {
				err = os.Remove(c.file)
			} else {
				err = os.WriteFile(c.file, c.change(slices.Clone(was)), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := os.WriteFile(c.file, was, 0o644); err != nil {
					t.Fatal(err)
				}
			}()
			got, err := output(t, dir, "python3", "one.py")
			if err != nil || got != c.error+"\n" {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
	t.Run("another version", func(t *testing.T) {
		text, err := os.ReadFile(manifest)
		if err != nil {
			t.Fatal(err)
		}
		other := strings.Replace(string(text), `"version": 2`, `"version": 3`, 1)
		hash := fmt.Sprintf("%x  manifest.json\n", sha256.Sum256([]byte(other)))
		if err := errors.Join(os.WriteFile(manifest, []byte(other), 0o644), os.WriteFile(sum, []byte(hash), 0o644)); err != nil {
			t.Fatal(err)
		}
		if got, err := output(t, dir, "python3", "one.py"); err != nil || got != "VersionError\n" {
			t.Errorf("%v\n%s", err, got)
		}
	})
	t.Run("inline", func(t *testing.T) {
		dir := pythonProject(t, pythonManifest(t, "{path: app/prompts, inline: true}"))
		file := filepath.Join(dir, "app", "prompts", "_data.py")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "Change nothing.", "Change anything.")), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := output(t, dir, "python3", "one.py"); err != nil || got != "FileError\n" {
			t.Errorf("%v\n%s", err, got)
		}
	})
}

// TestPythonTypeCheckersRefuseWrongCalls has each program below wrong refused at its
// call, and everything else accepted.
func TestPythonTypeCheckersRefuseWrongCalls(t *testing.T) {
	pyright, err := filepath.Abs(filepath.Join("testdata", "python", "node_modules", ".bin", "pyright"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, installer string
		command         []string
		wrong           *regexp.Regexp // a line that refuses a call
	}{
		{"mypy", "mypy", []string{"mypy", "--strict", "--python-version", "3.9", "right.py", "errors.py", "wrong"}, regexp.MustCompile(`(?m)^(wrong/\w+\.py):3: error: `)},
		{"pyright", "npm", []string{pyright, "--project", "pyrightconfig.json"}, regexp.MustCompile(`(?m)(wrong/\w+\.py):3:\d+ - error: `)},
	} {
		t.Run(c.name, func(t *testing.T) {
			needAt(t, c.installer, c.command[0])
			dir := pythonProject(t, pythonManifest(t, "app/prompts"))
			said, err := output(t, dir, c.command...)
			if err == nil {
				t.Fatal("nothing is refused")
			}
			refused := map[string]bool{}
			for _, m := range c.wrong.FindAllStringSubmatch(said, -1) {
				refused[m[1]] = true
			}
			wrong, err := filepath.Glob(filepath.Join(dir, "wrong", "*.py"))
			if err != nil || len(wrong) < 5 {
				t.Fatal(err, wrong)
			}
			for _, w := range wrong {
				if name := "wrong/" + filepath.Base(w); !refused[name] {
					t.Errorf("%s is accepted:\n%s", name, said)
				}
			}
			if n := strings.Count(said, "error: "); n != len(c.wrong.FindAllString(said, -1)) {
				t.Errorf("something else is refused:\n%s", said)
			}
		})
	}
}

// pythonManifests need more and less of the run-time part.
var pythonManifests = map[string]string{
	"no slots": "prompts: {a: {sections: [{id: s, text: S}]}}",
	"requests": `
slots: {clock: {max_tokens: 9}}
prompts: {a: {dialect: anthropic, sections: [{id: s, text: "It is {{clock}}.", expand: true}]}}`,
	"requests that are composed": `
slots: {clock: {max_tokens: 9, optional: true}}
prompts: {a: {dialect: gemini, layout: phases, sections: [{id: s, phase: task, priority: 1, text: "It is {{clock}}.", expand: true}]}}`,
	"both": `prompts: {a: {axes: {d: [text, openai-chat]}, dialect: "{d}", sections: [{id: s, text: S}]}, b: {sections: [{id: s, text: S}]}}`,
	"long lists": `
prompts:
  a-prompt-with-a-long-name-that-goes-on-and-on-and-on:
    axes:
      an-axis-with-a-long-name-that-goes-on-and-on-and-on: [a-value-with-a-long-name-that-goes-on-and-on, another-value-with-a-long-name]
      one: [a-value-with-a-long-name-that-goes-on-and-on-and-that-ends-in-th]
    exclude:
      - {an-axis-with-a-long-name-that-goes-on-and-on-and-on: another-value-with-a-long-name}
    sections: [{id: s, text: S}]`,
	"quotes": `
bindings: {python: {path: app, inline: true}}
prompts: {a: {sections: [{id: s, text: "It's \"so\" \\ '\"\"\n\"\"\"'''\u2028\u00ad\U0001F426\n\n{}"}]}}`,
}

// pythonWords are keywords, functions of Python's and names in the run-time part.
const pythonWords = `and as assert async await break case class continue def del elif else except finally for from global if import in is lambda
	match nonlocal not or pass raise return try type while with yield
	abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir
	divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len
	license list locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted
	staticmethod str sum super tuple vars zip
	count dataclass files fit hashlib json load lru-cache overload text request prompt dropped`

// TestPythonNamesHideNothing has a prompt, an axis and a slot of each name that
// means something in Python.
func TestPythonNamesHideNothing(t *testing.T) {
	need(t, "black")
	need(t, "mypy")
	var slots, prompts strings.Builder
	words := strings.Fields(pythonWords)
	for i, name := range words {
		slot := words[(i+1)%len(words)]
		fmt.Fprintf(&slots, "  %q: {max_tokens: 9, optional: true}\n", name)
		fmt.Fprintf(&prompts, `  %q:
    axes: {%q: [a, b]}
    layout: phases
    exclude: [{%q: b}]
    sections: [{id: s, phase: task, priority: 1, expand: true, text: "It says {{%s}}."}]
`, name, name, name, slot)
	}
	dir := pythonProject(t, "version: 1\nartifacts: dist\nbindings: {python: app}\nslots:\n"+slots.String()+"prompts:\n"+prompts.String())
	mustBePython(t, dir, "app")
	program := "import app\nprint(app.set_(set_='a', setattr='A').text + app.fit_set(set_='a', setattr='B', count=len).text)"
	if said, err := output(t, dir, "python3", "-c", program); err != nil || said != "It says A.\nIt says B.\n\n" {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestPythonCodeIsFormattedAndTyped holds generated code against black, which
// changes nothing, and mypy.
func TestPythonCodeIsFormattedAndTyped(t *testing.T) {
	t.Parallel()
	need(t, "black")
	need(t, "mypy")
	for name, text := range pythonManifests {
		t.Run(name, func(t *testing.T) {
			text = "version: 1\nartifacts: dist\n" + text + "\n"
			if !strings.Contains(text, "bindings:") {
				text += "bindings: {python: app}\n"
			}
			mustBePython(t, pythonProject(t, text), "app")
		})
	}
	for _, b := range pythonBindings {
		t.Run(b.name, func(t *testing.T) {
			mustBePython(t, pythonProject(t, pythonManifest(t, b.binding)), "app.prompts")
		})
	}
	t.Run("repository", func(t *testing.T) {
		dir := t.TempDir()
		text, err := os.ReadFile(filepath.Join("..", "prompts.yaml"))
		if err == nil {
			text = bytes.Replace(text, []byte("artifacts: dist"), []byte("artifacts: dist\nbindings: {python: app}"), 1)
			err = errors.Join(
				os.WriteFile(filepath.Join(dir, "prompts.yaml"), text, 0o644),
				os.CopyFS(filepath.Join(dir, "sources"), os.DirFS(filepath.Join("..", "sources"))),
			)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, stderr, err := run(dir, "build"); err != nil {
			t.Fatalf("%v\n%s", err, stderr)
		}
		mustBePython(t, dir, "app")

		// Its first prompt alone is little code.
		first, _, _ := bytes.Cut(text, []byte("\n  persona-core:\n"))
		first = append(first, "\nchecks:\n  - {code: PC6045, level: off, reason: other prompts read them}\n"...)
		if err := os.WriteFile(filepath.Join(dir, "prompts.yaml"), first, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, stderr, err := run(dir, "build"); err != nil {
			t.Fatalf("%v\n%s", err, stderr)
		}
		code, err := os.ReadFile(filepath.Join(dir, "app", "__init__.py"))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(code, []byte("\n")); n > 260 || !bytes.Contains(code, []byte("def persona(")) {
			t.Errorf("%d lines", n)
		}
		mustBePython(t, dir, "app")
	})
}

func mustBePython(t *testing.T, dir, module string) {
	t.Helper()
	for _, command := range [][]string{
		{"black", "--check", "--diff", "--quiet", "app"},
		{"mypy", "--strict", "--python-version", "3.9", "app"},
		{"python3", "-c", "import " + module},
	} {
		if said, err := output(t, dir, command...); err != nil {
			t.Errorf("%s: %v\n%s", command[0], err, said)
		}
	}
}

// pythonAnswers has one program import the packages of all projects.
func pythonAnswers(t *testing.T, root string, _ map[string][]vectorCase) []byte {
	t.Helper()
	need(t, "python3")
	program, err := filepath.Abs(filepath.Join("testdata", "python", "answer.py"))
	if err != nil {
		t.Fatal(err)
	}
	said, err := output(t, root, "python3", program, root)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return []byte(said)
}

// TestPythonPostsWhatWasBuilt has the standard library send bodies to a server on
// this machine, which gets what promptc prints.
func TestPythonPostsWhatWasBuilt(t *testing.T) {
	need(t, "python3")
	dir := pythonProject(t, pythonManifest(t, "app/prompts"))
	for _, dialect := range []string{"openai-chat", "openai-responses", "anthropic", "gemini"} {
		t.Run(dialect, func(t *testing.T) {
			want, stderr, err := run(dir, "show", "--example", "agent/dialect="+dialect)
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr)
			}
			got := received(t, sdk{send: func(_ context.Context, url string, _ []byte) error {
				said, err := output(t, dir, "python3", "post.py", url, dialect)
				if err != nil {
					return fmt.Errorf("%w\n%s", err, said)
				}
				return nil
			}, path: "/"}, nil)
			remove(t, got, []string{"model"})
			if diff := cmp.Diff(decoded(t, want), any(got)); diff != "" {
				t.Errorf("the server gets something else (-shown +sent):\n%s", diff)
			}
		})
	}
}
