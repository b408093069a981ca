package pipeline_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/world/pulled"
)

func raw(items ...string) []json.RawMessage {
	var out []json.RawMessage
	for _, item := range items {
		out = append(out, json.RawMessage(item))
	}
	return out
}

// offer is what a server offers that says little.
func offer() pipeline.Offer {
	return pipeline.Offer{
		Entry:    &language.Server{Name: ground.Word{Str: "x"}, Command: ground.Word{Str: "run"}},
		Protocol: "2025-11-25", Hello: json.RawMessage(`{"serverInfo": {"name": "x"}, "instructions": " \n"}`),
	}
}

func TestFilesOfWhatAServerOffers(t *testing.T) {
	for _, tc := range []struct {
		name  string
		offer func(*pipeline.Offer)
		files []string
	}{
		{"nothing", func(*pipeline.Offer) {}, nil},
		{"names of all sorts", func(o *pipeline.Offer) {
			o.Tools = raw(`{"name": "a"}`, `{"name": "A"}`, `{"name": "con"}`, `{"name": "../b"}`, `{"name": ".git"}`, `{"name": "a/b"}`, `{"name": "\u00e9"}`)
		}, []string{
			"tools/%2E%2E/b.json", "tools/%2Egit.json", "tools/%41.json", "tools/%63on.json", "tools/%C3%A9.json", "tools/a.json", "tools/a/b.json",
		}},
		{"templates of one name", func(o *pipeline.Offer) {
			o.Resources = raw(`{"name": "a", "uriTemplate": "f:{x}"}`, `{"name": "a", "uriTemplate": "g:{x}"}`)
		}, []string{"resources/f%3A%7Bx%7D.json", "resources/g%3A%7Bx%7D.json"}},
		{"the same name in two lists", func(o *pipeline.Offer) {
			o.Tools, o.Prompts = raw(`{"name": "a"}`), raw(`{"name": "a"}`)
		}, []string{"prompts/a.json", "tools/a.json"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := offer()
			tc.offer(&o)
			files, found, err := pipeline.PulledFiles(o)
			if err != nil || found != nil {
				t.Fatal(err, found)
			}
			var names []string
			for _, name := range slices.Sorted(maps.Keys(files)) {
				if name = strings.TrimPrefix(name, "mcp/x/"); name != pulled.LockName {
					names = append(names, name)
				}
			}
			if diff := cmp.Diff(tc.files, names); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOffersThatAreRefused(t *testing.T) {
	for name, tools := range map[string][]json.RawMessage{
		"twice": raw(`{"name": "a"}`, `{"name": "a"}`), "no name": raw(`{}`), "a name that is none": raw(`{"name": 1}`), "no object": raw(`"a"`), "null": raw(`null`),
	} {
		o := offer()
		o.Tools = tools
		if _, _, err := pipeline.PulledFiles(o); !errors.As(err, new(*diag.Failure)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := offer()
	o.Tools = raw(`{"name": "a", "name": "b"}`)
	if files, found, err := pipeline.PulledFiles(o); files != nil || !found.HasErrors() || err != nil {
		t.Error(files, found, err)
	}
}

// A key that is written into an entry does not get into the lock.
func TestTheLockHasNoSecret(t *testing.T) {
	o := offer()
	const key = "glp" + "at-x7Kq2mZ9vR4tLp8wYb3s" // in two parts, so that it is found nowhere
	o.Entry.Args = []ground.Word{{Str: "--token=" + key}}
	o.Entry.Env = []language.NamedValue{{Name: ground.Word{Str: "TOKEN"}, Value: ground.Word{Str: key}}}
	files, _, err := pipeline.PulledFiles(o)
	if lock := files["mcp/x/"+pulled.LockName]; err != nil || strings.Contains(lock, key) || !strings.Contains(lock, `"TOKEN"`) {
		t.Error(err, lock)
	}
}

// The lock has the integrity of the one package that an entry can mean.
func TestTheLockHasThePackageOfAnEntry(t *testing.T) {
	const npm = `{"lockfileVersion": 3, "packages": {"": {"name": "top", "version": "1.0.0"}, "packages/own": {"name": "own", "version": "1.0.0"},
		"node_modules/own": {"resolved": "packages/own", "link": true}, "node_modules/@a/one": {"version": "1.2.3", "integrity": "sha512-one"},
		"node_modules/b/node_modules/@a/one": {"version": "1.2.3", "integrity": "sha512-one"}, "node_modules/alias": {"name": "real", "version": "3.0.0", "integrity": "sha512-real"},
		"node_modules/two": {"version": "2.0.0", "integrity": "sha512-two"}, "node_modules/b/node_modules/two": {"version": "2.1.0", "integrity": "sha512-more"}}}`
	const pnpm = "lockfileVersion: '9.0'\npackages:\n  '@a/one@1.2.3':\n    resolution: {integrity: sha512-one}\n  /two@2.0.0(x@1.0.0):\n    resolution: {integrity: sha512-two}\n" +
		"  /old/1.0.0:\n    resolution: {integrity: sha512-old}\n  'git@https://x/y':\n    resolution: {commit: abc}\n"
	for _, tc := range []struct{ file, text, entry, want string }{
		{"package-lock.json", npm, "npx -y @a/one@1.2.3 .", "@a/one 1.2.3 sha512-one"},
		{"package-lock.json", npm, "/usr/bin/npx @a/one", "@a/one 1.2.3 sha512-one"},
		{"npm-shrinkwrap.json", npm, "bunx @a/one", "@a/one 1.2.3 sha512-one"},
		{"package-lock.json", npm, "npx real", "real 3.0.0 sha512-real"},
		{"package-lock.json", npm, "npx -y two@2.1.0", "two 2.1.0 sha512-more"},
		{"package-lock.json", npm, "npx -y two", ""},               // which of them?
		{"package-lock.json", npm, "npx -y two@latest", ""},        // may be another by now
		{"package-lock.json", npm, "npx -y @a/one@1.2.4", ""},      // not the one of the lock file
		{"package-lock.json", npm, "npx --package=two @a/one", ""}, // another package
		{"package-lock.json", npm, "npx own", ""},                  // comes from no registry
		{"package-lock.json", npm, "npx -y", ""},
		{"package-lock.json", npm, "node @a/one", ""},
		{"package-lock.json", `{"lockfileVersion": 1, "dependencies": {}}`, "npx two", ""},
		{"pnpm-lock.yaml", pnpm, "pnpm dlx @a/one@1.2.3", "@a/one 1.2.3 sha512-one"},
		{"pnpm-lock.yaml", pnpm, "pnpm dlx @a/one", ""}, // fetches what is newest
		{"pnpm-lock.yaml", pnpm, "pnpm run @a/one", ""},
		{"pnpm-lock.yaml", pnpm, "npx two", "two 2.0.0 sha512-two"},
		{"pnpm-lock.yaml", pnpm, "npx old", ""},
		{"pnpm-lock.yaml", "", "npx two", ""},
		{"yarn.lock", npm, "npx @a/one", ""},
	} {
		o := offer()
		o.Dir = t.TempDir()
		if err := os.WriteFile(filepath.Join(o.Dir, tc.file), []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(tc.entry)
		o.Entry.Command.Str = words[0]
		for _, w := range words[1:] {
			o.Entry.Args = append(o.Entry.Args, ground.Word{Str: w})
		}
		files, _, err := pipeline.PulledFiles(o)
		var lock struct {
			Package struct{ Name, Version, Integrity string }
		}
		if err := errors.Join(err, json.Unmarshal([]byte(files["mcp/x/"+pulled.LockName]), &lock)); err != nil {
			t.Fatal(tc.file, tc.entry, err)
		}
		if got := strings.TrimSpace(lock.Package.Name + " " + lock.Package.Version + " " + lock.Package.Integrity); got != tc.want {
			t.Errorf("%s, %s: %q, want %q", tc.file, tc.entry, got, tc.want)
		}
	}
	for file, text := range map[string]string{
		"package-lock.json": "<<<<<<< HEAD", "npm-shrinkwrap.json": `{"packages": {"a": {"integrity": 1}}}`,
		"pnpm-lock.yaml": "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\npackages: [*c, *c, *c, *c, *c]\n",
	} {
		o := offer()
		o.Dir, o.Entry.Command.Str, o.Entry.Args = t.TempDir(), "npx", []ground.Word{{Str: "a"}}
		if err := os.WriteFile(filepath.Join(o.Dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := pipeline.PulledFiles(o); err == nil || !strings.HasPrefix(err.Error(), "lock-file-unreadable "+file+" ") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestPulledLeavesWhatIsNotItsOwn(t *testing.T) {
	disk := fstest.MapFS{
		"mcp/x/README.md": {}, "mcp/x/notes/a.json": {}, "mcp/y/lock.json": {}, "mcp/x/tools/gone.json": {}, "mcp/x/tools/.a.json10": {},
		"mcp/x/instructions.md": {}, "mcp/x/tools/same.json": {Data: []byte("{}\r\n")},
	}
	delta, after, err := pipeline.Pulled(disk, map[string]map[string]string{"x": {"mcp/x/lock.json": "{}\n", "mcp/x/tools/same.json": "{}\n"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range delta.Snapshots {
		got = append(got, []string{"same", "added", "changed", "removed"}[c.Status]+" "+c.Output.Path)
	}
	want := []string{"removed mcp/x/instructions.md", "added mcp/x/lock.json", "removed mcp/x/tools/.a.json10", "removed mcp/x/tools/gone.json"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var names []string
	err = fs.WalkDir(after, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, p)
		}
		return err
	})
	want = []string{"mcp/x/README.md", "mcp/x/lock.json", "mcp/x/notes/a.json", "mcp/x/tools/same.json", "mcp/y/lock.json"}
	if diff := cmp.Diff(want, names); diff != "" || err != nil {
		t.Errorf("afterwards: %v (-want +got):\n%s", err, diff)
	}
}
