// Package schema holds the JSON Schemas of everything that promptc reads and
// of what it writes for programs: the manifest, the front matter or data of
// each kind of source, dist/manifest.json, and what commands print as JSON.
package schema

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed *.schema.json
var files embed.FS

const suffix = ".schema.json"

// Base is what the ids of the schemas start with. An id is a name that stays the
// same in every version, and no address: nothing is opened at it.
const Base = "https://github.com/promptc-build/promptc/schema/"

// Mark stands near the beginning of every schema.
const Mark = `"$id": "` + Base

// Names gives the names of all schemas, sorted.
func Names() []string {
	entries, _ := files.ReadDir(".") // the folder is embedded and always there
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), suffix))
	}
	names = append(names, twin)
	slices.Sort(names)
	return names
}

// check prints what build prints.
const twin, twinOf = "check", "build"

// Read gives the JSON text of a schema by its name. The error says that no
// schema has it.
func Read(name string) ([]byte, error) {
	file := name
	if name == twin {
		file = twinOf
	}
	text, err := files.ReadFile(file + suffix)
	if err != nil {
		return nil, fmt.Errorf("no schema is named %q", name)
	}
	return text, nil
}
