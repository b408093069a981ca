package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"
)

// shim is the program of the package promptc: it runs that of the platform.
//
//go:embed npm/promptc.js
var shim []byte

// readme is what the pages of the packages show.
//
//go:embed package.md
var readme string

const (
	summary  = "Compile prompts, and review what changes in them"
	homepage = "https://github.com/promptc-build/promptc"
	licence  = "MIT"
)

// The names under which registries have the packages: docs/release.md says what to do
// where one is taken. The program is called promptc in all of them.
const (
	npmName    = "promptc"
	npmScope   = "@promptc-build"
	pythonName = "promptc-build" // promptc is another project there
)

// packageJSON has its fields in the order in which npm writes them.
type packageJSON struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	Keywords     []string          `json:"keywords,omitempty"`
	Homepage     string            `json:"homepage"`
	Bugs         string            `json:"bugs"`
	Repository   npmRepository     `json:"repository"`
	License      string            `json:"license"`
	Bin          map[string]string `json:"bin,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Unplugged    bool              `json:"preferUnplugged,omitempty"`
	Dependencies map[string]string `json:"optionalDependencies,omitempty"`
}

type npmRepository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

func npmPackage(name, version, description string) packageJSON {
	return packageJSON{
		Name: name, Version: version, Description: description,
		Homepage: homepage, Bugs: homepage + "/issues", License: licence,
		Repository: npmRepository{Type: "git", URL: "git+" + homepage + ".git"},
	}
}

// npmMain is the package that people name. Of the packages of the platforms, npm
// installs the one that is for the machine.
func npmMain(version string, common []file) (file, error) {
	m := npmPackage(npmName, version, summary)
	m.Keywords = []string{"prompt", "prompts", "llm", "agents", "snapshot", "lint"}
	m.Bin = map[string]string{"promptc": "bin/promptc.js"}
	m.Engines = map[string]string{"node": ">=18"}
	m.Dependencies = make(map[string]string)
	for _, p := range platforms {
		m.Dependencies[p.scoped()] = version
	}
	return npmTarball(m, append([]file{{name: "bin/promptc.js", data: shim, program: true}}, common...))
}

// npmPlatform is the package that has the program for one platform.
func npmPlatform(p platform, version string, program file, common []file) (file, error) {
	m := npmPackage(p.scoped(), version, "The program of promptc for "+p.os+" on "+p.cpu)
	m.OS, m.CPU = []string{p.os}, []string{p.cpu}
	m.Unplugged = true // a program cannot be run in a zip file
	program.name = "bin/" + program.name
	return npmTarball(m, append([]file{program}, common...))
}

// npmTarball has the name that npm pack gives.
func npmTarball(m packageJSON, files []file) (file, error) {
	var text bytes.Buffer
	w := json.NewEncoder(&text)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	if err := w.Encode(m); err != nil {
		return file{}, err
	}
	all := []file{{name: "package/package.json", data: text.Bytes()}}
	for _, f := range files {
		f.name = "package/" + f.name
		all = append(all, f)
	}
	data, err := tarball(all)
	name := strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-")
	return file{name: "npm/" + name + "-" + m.Version + ".tgz", data: data}, err
}
