package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licencesFile has the licences of all that is linked into the program, which
// ask to be passed on with it.
const licencesFile = "THIRD-PARTY-LICENSES.txt"

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents)([-.].*)?$`)

// licences puts the texts together: of Go, of each module, and of the packages
// that have one of their own. A module without any is an error.
func licences() ([]byte, error) {
	root, err := command("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders, err := linked()
	if err != nil {
		return nil, err
	}
	folders["Go"] = []string{strings.TrimSpace(string(root))}
	var out bytes.Buffer
	out.WriteString("promptc is built with the following works. Their licences and notices:\n")
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		texts, err := licenceTexts(folders[name])
		if err != nil {
			return nil, err
		}
		if len(texts) == 0 {
			return nil, fmt.Errorf("%s has no licence in its folder", name)
		}
		for _, text := range texts {
			fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 78), name, text)
		}
	}
	return out.Bytes(), nil
}

// linked gives for each module the folders that its licences may be in: its own
// and those of its packages. Systems differ in what is linked.
func linked() (map[string][]string, error) {
	folders := make(map[string][]string)
	for _, p := range platforms {
		text, err := p.command("go", "list", "-deps", "-tags", tags,
			"-f", "{{with .Module}}{{.Path}}\t{{.Main}}\t{{.Dir}}\t{{$.Dir}}{{end}}", "./cmd/promptc")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			if len(fields) != 4 {
				continue // a package of the standard library
			}
			add := fields[2:]
			if fields[1] == "true" {
				add = fields[3:] // the licence of promptc itself is a file of its own
			}
			for _, folder := range add {
				if !slices.Contains(folders[fields[0]], folder) {
					folders[fields[0]] = append(folders[fields[0]], folder)
				}
			}
		}
	}
	return folders, nil
}

// licenceTexts reads the licences in folders, each text once.
func licenceTexts(folders []string) ([]string, error) {
	var texts []string
	slices.Sort(folders)
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() || !licenceName.MatchString(entry.Name()) || strings.HasSuffix(entry.Name(), ".go") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				return nil, err
			}
			if plain := strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")); !slices.Contains(texts, plain) {
				texts = append(texts, plain)
			}
		}
	}
	return texts, nil
}
