package render

import (
	"path"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// relative gives a path as seen from a base folder, or the whole path where
// it is not below it.
func relative(file, base string) string {
	base = strings.Trim(base, "/")
	if base == "" || base == "." {
		return file
	}
	if rest, ok := strings.CutPrefix(file, base+"/"); ok {
		return rest
	}
	return file
}

// The extensions that are left out of items' names, the longest first.
var (
	textExtensions = []string{".instructions.md", ".mdc", ".md"}
	dataExtensions = []string{".yaml", ".yml", ".json"}
)

// fileName gives the name of an item that is a file.
func fileName(file *diag.File, base string) string { return nameWithout(textExtensions, file, base) }

func nameWithout(extensions []string, file *diag.File, base string) string {
	name := relative(file.Path, base)
	for _, ext := range extensions {
		if short, ok := strings.CutSuffix(name, ext); ok && path.Base(short) != "." && !strings.HasSuffix(short, "/") && short != "" {
			return short
		}
	}
	return name
}

// uniqueNames keeps the names of a section's items apart: they become files,
// on disks that may not tell cases apart.
// The number is the last one given out.
type uniqueNames map[string]int

// claim gives the name, with ~2, ~3, … where it is taken.
func (u uniqueNames) claim(name string) string {
	folded := strings.ToLower(name)
	out := name
	for u[strings.ToLower(out)] > 0 {
		u[folded]++
		out = name + "~" + strconv.Itoa(u[folded])
	}
	u[strings.ToLower(out)] = 1
	return out
}
