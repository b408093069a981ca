package snapshot_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// entry is what a manifest says of a variant, here with the SHA-256 of a text.
func entry(file, text string) map[string]any {
	return map[string]any{
		"name": "p", "values": map[string]any{}, "file": file, "sha256": sha(text), "bytes": 1, "tokens": 1, "use": 1,
		"tokenizer": "o200k_base", "sections": 0, "slots": 0,
	}
}

// recorded is the manifest of a build of one prompt.
func recorded(entries ...map[string]any) map[string]any {
	return map[string]any{
		"version": 2, "tokenizers": []any{},
		"prompts": []any{map[string]any{"id": "p", "axes": []any{}, "exclude": []any{}, "slots": []any{}, "variants": entries}},
		"tables": map[string]any{
			"texts": []any{}, "sections": []any{[]any{}}, "slots": []any{[]any{}}, "ladders": []any{}, "compositions": []any{}, "outcomes": []any{},
		},
	}
}

// manifestOf gives the manifest of an earlier build.
func manifestOf(t *testing.T, entries ...map[string]any) *fstest.MapFile {
	t.Helper()
	text, err := json.Marshal(recorded(entries...))
	if err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: text, Mode: 0o644}
}

func TestArtifactsOfEarlierBuildsAreOrphans(t *testing.T) {
	in := withDist(world(persona()))
	files := tree(t, in)
	old := entry("persona/entry=old.txt", "x")
	old["tools"] = map[string]any{"file": "persona/entry=old.tools.json", "sha256": sha("x"), "bytes": 1, "tokens": 1}
	files["dist/manifest.json"] = manifestOf(t, old, entry("persona/gone.txt", "x"), entry("persona/link.txt", "x"),
		entry("persona/edited.txt", "x"), entry("folder/is.txt", "x"))
	for p, mode := range map[string]fs.FileMode{
		"dist/persona/entry=old.txt": 0o644, "dist/persona/entry=old.tools.json": 0o644, "dist/persona/mine.txt": 0o644,
		"dist/folder/is.txt/x": 0o644, "x.txt": 0o644, "dist/persona/link.txt": fs.ModeSymlink,
	} {
		files[p] = &fstest.MapFile{Data: []byte("x"), Mode: mode}
	}
	files["dist/persona/edited.txt"] = &fstest.MapFile{Data: []byte("y"), Mode: 0o644}
	delta, found := compare(t, files, in)
	want := []string{"changed dist/manifest.json", "orphaned dist/persona/entry=old.tools.json", "orphaned dist/persona/entry=old.txt"}
	if diff := cmp.Diff(want, statuses(delta.Artifacts.Changes)); diff != "" {
		t.Error(diff)
	}
	said := []string{`dist/persona/edited.txt PC7009 "dist/persona/edited.txt" is kept: it does not hold the bytes that manifest.json records`}
	if diff := cmp.Diff(said, lines(found)); diff != "" {
		t.Error(diff)
	}
}

// TestAManifestIsTheMarkIfTheSchemaSaysSo holds what is taken for a manifest of ours
// against the schema: nothing is that the schema does not have. What it has is
// taken, but for values that say nothing about who wrote the folder.
func TestAManifestIsTheMarkIfTheSchemaSaysSo(t *testing.T) {
	schema := manifestSchema(t)
	in := withDist(world(persona()))
	good := func() map[string]any {
		m := recorded(entry("persona/x.txt", "x"))
		m["replaces"] = []any{map[string]any{"file": "persona/y.json", "sha256": sha("y")}}
		return m
	}
	first := func(m map[string]any) map[string]any { return m["prompts"].([]any)[0].(map[string]any) }
	edits := map[string]func(m, v map[string]any){
		"":                        func(map[string]any, map[string]any) {},
		"no prompt":               func(m, _ map[string]any) { m["prompts"] = []any{} },
		"no list of prompts":      func(m, _ map[string]any) { delete(m, "prompts") },
		"no variant":              func(m, _ map[string]any) { first(m)["variants"] = []any{} },
		"no list of variants":     func(m, _ map[string]any) { delete(first(m), "variants") },
		"no id":                   func(m, _ map[string]any) { delete(first(m), "id") },
		"a key of a prompt":       func(m, _ map[string]any) { first(m)["src"] = "x" },
		"a key of the tables":     func(m, _ map[string]any) { m["tables"].(map[string]any)["icons"] = []any{} },
		"the version before":      func(m, _ map[string]any) { m["version"] = 1 },
		"no version":              func(m, _ map[string]any) { delete(m, "version") },
		"a version in words":      func(m, _ map[string]any) { m["version"] = "1" },
		"a key of another format": func(m, _ map[string]any) { m["icons"] = []any{} },
		"a key of an entry":       func(_, v map[string]any) { v["src"] = "x" },
		"short replaces":          func(m, _ map[string]any) { m["replaces"] = []any{map[string]any{"file": "a/b.txt"}} },
		"replaces elsewhere": func(m, _ map[string]any) {
			m["replaces"] = []any{map[string]any{"file": "../b.txt", "sha256": sha("")}}
		},
		"no prompt, but null":  func(m, _ map[string]any) { m["prompts"] = []any{nil} },
		"no variant, but null": func(m, _ map[string]any) { first(m)["variants"] = []any{nil} },
	}
	for _, key := range slices.Sorted(maps.Keys(entry("", ""))) {
		edits["without "+key] = func(_, v map[string]any) { delete(v, key) }
		edits["null "+key] = func(_, v map[string]any) { v[key] = nil }
		edits["a list "+key] = func(_, v map[string]any) { v[key] = []any{1} }
	}
	for _, file := range []string{
		"../prompts.txt", "/etc/passwd.txt", "persona/../../x.txt", "./a.txt", "a/./b.txt", "x.txt", "a/b/c.txt", "a/b.md", `a\b.txt`,
		"C:/x.txt", "", "a/", "a/b.txt\n", "A/b.txt", "a/.git/config.txt", "a/b .txt",
	} {
		edits["file "+file] = func(_, v map[string]any) { v["file"] = file }
		edits["tools "+file] = func(_, v map[string]any) {
			v["tools"] = map[string]any{"file": file, "sha256": sha(""), "bytes": 0, "tokens": 0}
		}
	}
	for _, sum := range []string{"", "x", strings.Repeat("0", 63), strings.Repeat("0", 65), strings.Repeat("A", 64), strings.Repeat("0", 64) + "\n"} {
		edits["sum "+sum] = func(_, v map[string]any) { v["sha256"] = sum }
	}
	var lax []string
	for _, key := range []string{"bytes", "tokens", "use", "sections", "slots"} {
		lax = append(lax, "without "+key, "null "+key)
	}
	for name, edit := range edits {
		m := good()
		edit(m, first(m)["variants"].([]map[string]any)[0])
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
		want := schema.Validate(value) == nil
		delta, found, err := run(fstest.MapFS{"dist/manifest.json": &fstest.MapFile{Data: text, Mode: 0o644}}, in)
		if err != nil {
			t.Fatal(err)
		}
		if got := delta != nil; got != want && !slices.Contains(lax, name) {
			t.Errorf("%s: the schema says %v, the build %v: %v", name, want, got, found)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "a list": "[]", "null": "null", "more behind it": `{"version":2,"prompts":[]}{}`, "cut": `{"version":2,"prompts":[`,
	} {
		delta, found, err := run(fstest.MapFS{"dist/manifest.json": &fstest.MapFile{Data: []byte(text), Mode: 0o644}}, in)
		if err != nil || delta != nil {
			t.Errorf("%s: %v, %v", name, err, found)
		}
	}
}

// TestAKilledBuildIsRecorded stops a build after every file that it puts in its
// place: the next build of another state has nothing to refuse, and ends in what
// it would be without the first.
func TestAKilledBuildIsRecorded(t *testing.T) {
	one := withDist(world(slotted(), draft{id: "gone", sections: []section{always("s", "S")}}))
	two := withDist(world(slotted(), draft{id: "new", sections: []section{always("s", "Other.")}}, draft{id: "gone", sections: []section{always("s", "T")}}))
	for from, first := range []snapshot.Input{{}, one} {
		for stop := range 8 {
			dir := t.TempDir()
			if from > 0 {
				commit(t, dir, first)
			}
			killed(t, dir, two, stop)
			commit(t, dir, one)
			want := t.TempDir()
			commit(t, want, one)
			if diff := cmp.Diff(contentsOf(t, want), contentsOf(t, dir)); diff != "" {
				t.Errorf("from %d, stopped after %d: %s", from, stop, diff)
			}
		}
	}
}

// killed does what a build does up to the replacement of some artifacts.
func killed(t *testing.T, dir string, in snapshot.Input, stop int) {
	t.Helper()
	delta, found := compare(t, os.DirFS(dir), in)
	if delta == nil {
		t.Fatal(found)
	}
	done := 0
	put := func(path, text string) {
		if done < stop {
			write(t, filepath.Join(dir, filepath.FromSlash(path)), text)
		}
		done++
	}
	for _, c := range delta.Artifacts.Changes {
		if c.Output.Path == "dist/manifest.json" {
			if delta.Artifacts.Interim != nil {
				put(c.Output.Path, delta.Artifacts.Interim.Content())
			} else {
				put(c.Output.Path, c.Output.Content())
			}
		}
	}
	for _, c := range delta.Artifacts.Changes {
		if c.Output.Path != "dist/manifest.json" && len(c.Output.Parts) > 0 {
			put(c.Output.Path, c.Output.Content())
		}
	}
}

// contentsOf gives the files of a folder.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, p := range onDisk(t, dir) {
		if !strings.HasSuffix(p, "/") {
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
			if err != nil {
				t.Fatal(err)
			}
			out[p] = string(text)
		}
	}
	return out
}
