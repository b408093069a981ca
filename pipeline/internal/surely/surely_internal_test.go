package surely

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/schema"
)

func TestCommittedRulesAreWhatTheProgramWrites(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "run", "gen.go", "-dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want, err := os.ReadFile(filepath.Join(dir, "rules.go"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("rules.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("rules.go is not what gen.go writes from the schemas: run go generate ./pipeline/internal/surely")
	}
}

// compiler gives the library, with our schemas and no others.
func compiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.LoadURL = func(url string) (io.ReadCloser, error) {
		text, err := schema.Read(strings.TrimSuffix(filepath.Base(url), ".schema.json"))
		return io.NopCloser(bytes.NewReader(text)), err
	}
	return c
}

// library compiles every schema that there is a rule for.
func library(t testing.TB) map[string]*jsonschema.Schema {
	t.Helper()
	c := compiler()
	out := map[string]*jsonschema.Schema{}
	for _, s := range schemas {
		name, fragment, _ := strings.Cut(s.ref, "#")
		compiled, err := c.Compile("https://raw.githubusercontent.com/promptc-build/promptc/main/schema/" + name + ".schema.json#" + fragment)
		if err != nil {
			t.Fatal(err)
		}
		out[s.ref] = compiled
	}
	return out
}

// instance gives a node as validate hands it to the library.
func instance(n *prompt.Node) any {
	switch n.Kind {
	case prompt.Null:
		return nil
	case prompt.Bool:
		return n.Text.Str == "true"
	case prompt.Number:
		if len(n.Text.Str) > 300 {
			return n.Text.Str
		}
		return json.Number(n.Text.Str)
	case prompt.Sequence:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = instance(item)
		}
		return items
	case prompt.Mapping:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = instance(f.Value)
		}
		return m
	default:
		return n.Text.Str
	}
}

// agree holds a verdict on a node against the library's and reports whether
// there was one. Both are held: a wrong no would make a "not" hold.
func agree(t testing.TB, lib map[string]*jsonschema.Schema, ref string, n *prompt.Node) bool {
	t.Helper()
	r, ok := find(ref)
	if !ok {
		t.Fatalf("no rule for %q", ref)
	}
	v := r.judge(n)
	if v == maybe {
		return false
	}
	value := instance(n)
	if err := lib[ref].Validate(value); (err == nil) != (v == yes) {
		text, _ := json.Marshal(value)
		t.Fatalf("%s: the verdict on %s is %d, the library says: %v", ref, text, v, err)
	}
	return true
}

// nothingNamed is a language in which no text names a file.
type nothingNamed struct{}

func (nothingNamed) Readings(*prompt.Tree) prompt.Readings { return prompt.Readings{} }

func (nothingNamed) Shown(*prompt.Node) prompt.Shown { return prompt.Shown{} }

// documents gives the values that the scripts and goldens of this repository
// hold: manifests, data files, front matter, valid or not.
func documents(t testing.TB) []*prompt.Node {
	t.Helper()
	var out []*prompt.Node
	add := func(text string) {
		for _, wrapped := range []string{text, "x-list:\n" + text} {
			tree, _, err := load.Run(fstest.MapFS{"prompts.yaml": {Data: []byte(wrapped)}}, "prompts.yaml", nothingNamed{})
			if err == nil && tree.Manifest != nil {
				out = append(out, tree.Manifest)
				return
			}
		}
	}
	top := filepath.Join("..", "..", "..")
	err := fs.WalkDir(os.DirFS(top), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		ext := filepath.Ext(name)
		if !slices.Contains([]string{".txtar", ".yaml", ".yml", ".json", ".md"}, ext) || strings.HasPrefix(name, "dist/") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			return err
		}
		for part := range strings.SplitSeq("\n"+string(text), "\n-- ") {
			if ext == ".txtar" {
				if _, part, _ = strings.Cut(part, " --\n"); part == "" {
					continue
				}
			}
			if front, ok := strings.CutPrefix(strings.TrimSpace(part), "---\n"); ok {
				part, _, _ = strings.Cut(front, "\n---")
			}
			add(part)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// inner gives a node and all that is in it.
func inner(n *prompt.Node) []*prompt.Node {
	out := []*prompt.Node{n}
	for _, item := range n.Items {
		out = append(out, inner(item)...)
	}
	for _, f := range n.Fields {
		out = append(out, inner(f.Value)...)
	}
	return out
}

func TestVerdictsAreTheLibrarysOnWhatTheRepositoryHolds(t *testing.T) {
	lib := library(t)
	docs := documents(t)
	random := rand.New(rand.NewPCG(1, 2))
	sure, unsure := 0, 0
	for _, doc := range docs {
		for i, n := range inner(doc) {
			for _, s := range schemas {
				if i > 0 && random.IntN(100) > 0 {
					continue
				}
				if agree(t, lib, s.ref, n) {
					sure++
				} else {
					unsure++
				}
			}
		}
	}
	if len(docs) < 500 || sure < 20*unsure {
		t.Errorf("%d documents, %d verdicts, %d without one", len(docs), sure, unsure)
	}
}

func TestChangedDocumentsAreJudgedAsTheLibraryDoes(t *testing.T) {
	lib := library(t)
	docs := documents(t)
	random := rand.New(rand.NewPCG(3, 4))
	valid := 0
	for range 20_000 {
		ref := schemas[random.IntN(len(schemas))].ref
		doc := docs[random.IntN(len(docs))]
		nodes := inner(doc)
		n := changed(random, nodes[random.IntN(len(nodes))], nodes)
		agree(t, lib, ref, n)
		whole := changed(random, doc, nodes)
		agree(t, lib, "prompts", whole)
		if Valid("prompts", whole) {
			valid++
		}
	}
	if valid < 100 {
		t.Errorf("%d changed manifests were valid: too few to say anything", valid)
	}
}

// FuzzVerdicts grows the changes of the test above.
func FuzzVerdicts(f *testing.F) {
	lib := library(f)
	docs := documents(f)
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		random := rand.New(rand.NewPCG(a, b))
		nodes := inner(docs[random.IntN(len(docs))])
		agree(t, lib, schemas[random.IntN(len(schemas))].ref, changed(random, nodes[random.IntN(len(nodes))], nodes))
		agree(t, lib, "prompts", changed(random, nodes[0], nodes))
	})
}

func TestKeysAreThoseOfTheSchema(t *testing.T) {
	if got := fmt.Sprint(Keys("runtime")); !strings.HasPrefix(got, "[host ") {
		t.Errorf("the keys of runtime are %s", got)
	}
	if Keys("registry") != nil || Keys("nope") != nil {
		t.Error("there are keys where there is no mapping")
	}
	if !Named("user", "timezone") || !Named("user", "x-mine") || Named("user", "age") {
		t.Error("the keys of user are others")
	}
}
