package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestBillListsWhatTheLinkerRecorded(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.5", Main: debug.Module{Path: "example.com/a", Version: "(devel)"},
		Deps: []*debug.Module{{Path: "example.com/b", Version: "v1.0.0+incompatible"}},
	}
	d := document{name: "a_1.2.3_linux_amd64", version: "1.2.3", date: "2026-01-31T12:00:00Z"}
	text, err := bill(info, "5a5a", d)
	must(t, err)
	var got spdx
	must(t, json.Unmarshal(text, &got))
	var locators []string
	ids := map[string]bool{got.ID: true}
	for _, p := range got.Packages {
		locators = append(locators, p.Refs[0].Locator)
		ids[p.ID] = true
	}
	if want := "pkg:golang/example.com/a@1.2.3 pkg:golang/stdlib@1.26.5 pkg:golang/example.com/b@v1.0.0%2Bincompatible"; strings.Join(locators, " ") != want {
		t.Errorf("the packages are %q, want %q", locators, want)
	}
	if len(ids) != 4 || len(got.Relationships) != 3 {
		t.Errorf("%d ids and %d relationships, want 4 and 3", len(ids), len(got.Relationships))
	}
	for _, r := range got.Relationships {
		if !ids[r.From] || !ids[r.To] {
			t.Errorf("%v names what is not there", r)
		}
	}
	info.Deps[0].Replace = &debug.Module{Path: "../b"}
	if _, err := bill(info, "5a5a", d); err == nil {
		t.Error("a module that is replaced goes unnoticed")
	}
}

func TestSBOMIsReadFromAProgram(t *testing.T) {
	program, err := os.Executable() // this test is one
	must(t, err)
	path := filepath.Join(t.TempDir(), "a.spdx.json")
	must(t, run([]string{"sbom", program, "a", "1.2.3", "2026-01-31T12:00:00Z", path}))
	if text := read(t, path); !strings.Contains(string(text), `"versionInfo": "1.2.3"`) {
		t.Errorf("the document is\n%s", text)
	}
	write(t, path, []byte("no program"))
	if err := run([]string{"sbom", path, "a", "1.2.3", "", path}); err == nil {
		t.Error("what is no program has a list of modules")
	}
}

func TestLicencesOfAFolderAreReadOnce(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	write(t, filepath.Join(one, "LICENSE-MIT"), []byte("MIT\r\n"))
	write(t, filepath.Join(one, "license.go"), []byte("package license\n"))
	write(t, filepath.Join(one, "LICENSES_test"), []byte("no\n"))
	write(t, filepath.Join(two, "LICENCE.md"), []byte("MIT\n"))
	write(t, filepath.Join(two, "NOTICE"), []byte("by somebody\n"))
	texts, err := licenceTexts([]string{one, two})
	must(t, err)
	if got := strings.Join(texts, "|"); got != "MIT|by somebody" {
		t.Errorf("the texts are %q", got)
	}
}
