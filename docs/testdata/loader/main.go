// The program prints a variant from dist/ with values in the places of its
// slots: go run main.go VARIANT SLOT=VALUE…
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// manifest is what a loader needs of manifest.json.
type manifest struct {
	Version int
	Prompts []struct {
		Slots []struct {
			Name     string
			Optional bool
		}
		Variants []struct {
			Name, File, Dialect, SHA256 string
			Sections, Slots             int // rows of the tables
		}
	}
	Tables struct{ Sections, Slots [][]place }
}

// place is where a section or a slot stands, in bytes of the file, or of the
// string of a JSON file that the pointer leads to.
type place struct {
	Name, Pointer string
	Join          *int // where the join before a section starts
	Start, End    int
}

// filler fills the places of one variant.
type filler struct {
	sections, slots []place
	optional        map[string]bool
	values          map[string]string
}

func load(dist, name string, values map[string]string) (string, error) {
	var m manifest
	data, err := os.ReadFile(dist + "/manifest.json")
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(data, &m); err != nil || m.Version != 2 {
		return "", fmt.Errorf("manifest.json has version %d, not 2", m.Version)
	}
	for _, p := range m.Prompts {
		for _, v := range p.Variants {
			if v.Name != name {
				continue
			}
			f := filler{m.Tables.Sections[v.Sections], m.Tables.Slots[v.Slots], map[string]bool{}, values}
			for _, slot := range p.Slots {
				f.optional[slot.Name] = slot.Optional
			}
			file, err := os.ReadFile(dist + "/" + v.File)
			switch {
			case err != nil:
				return "", err
			case fmt.Sprintf("%x", sha256.Sum256(file)) != v.SHA256:
				return "", fmt.Errorf("%s was changed", v.File)
			case v.Dialect != "":
				return f.body(file)
			default:
				return f.fill(string(file), "")
			}
		}
	}
	return "", fmt.Errorf("no variant is called %q", name)
}

// fill puts the values into a text, in its order. A section whose only slot is
// optional and empty is left out with the join before it, or where it has none
// with that of the next section that stays.
func (f *filler) fill(text, pointer string) (string, error) {
	var out strings.Builder
	at, first := 0, false
	for _, s := range f.sections {
		if s.Pointer != pointer {
			continue
		}
		inside := f.inside(s)
		if f.empty(inside) {
			start := s.Start
			if s.Join != nil {
				start = *s.Join
			}
			out.WriteString(text[at:start])
			at, first = s.End, first || s.Join == nil
			continue
		}
		if first {
			at, first = s.Start, false
		}
		for _, slot := range inside {
			value, ok := f.values[slot.Name]
			if !ok || value == "" && !f.optional[slot.Name] {
				return "", fmt.Errorf("no value for the slot %q", slot.Name)
			}
			out.WriteString(text[at:slot.Start] + value)
			at = slot.End
		}
	}
	out.WriteString(text[at:])
	return out.String(), nil
}

// inside gives the slots of a section.
func (f *filler) inside(section place) []place {
	var out []place
	for _, s := range f.slots {
		if s.Pointer == section.Pointer && section.Start <= s.Start && s.End <= section.End {
			out = append(out, s)
		}
	}
	return out
}

// empty reports whether the slots of a section are all one optional slot, with
// an empty value.
func (f *filler) empty(slots []place) bool {
	for _, s := range slots {
		value, ok := f.values[s.Name]
		if !ok || value != "" || s.Name != slots[0].Name || !f.optional[s.Name] {
			return false
		}
	}
	return len(slots) > 0
}

// body fills the strings of a request body that have slots.
func (f *filler) body(data []byte) (string, error) {
	var body any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&body); err != nil {
		return "", err
	}
	for i, s := range f.slots {
		if i > 0 && s.Pointer == f.slots[i-1].Pointer {
			continue
		}
		err := change(body, strings.Split(s.Pointer, "/")[1:], func(text string) (string, error) {
			filled, err := f.fill(text, s.Pointer)
			if err == nil && filled == "" {
				err = fmt.Errorf("without a value for %q the text at %s is empty", s.Name, s.Pointer)
			}
			return filled, err
		})
		if err != nil {
			return "", err
		}
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(body)
	return out.String(), err
}

// change replaces the string that a JSON Pointer leads to. No key in a request
// body has a character that pointers escape.
func change(node any, path []string, replace func(string) (string, error)) error {
	var child any
	var put func(string)
	switch n := node.(type) {
	case map[string]any:
		child, put = n[path[0]], func(s string) { n[path[0]] = s }
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(n) {
			return fmt.Errorf("the pointer leads to no entry %q", path[0])
		}
		child, put = n[i], func(s string) { n[i] = s }
	}
	text, ok := child.(string)
	switch {
	case len(path) > 1 && child != nil:
		return change(child, path[1:], replace)
	case len(path) > 1 || !ok:
		return fmt.Errorf("the pointer leads to no string %q", path[0])
	}
	filled, err := replace(text)
	if err == nil {
		put(filled)
	}
	return err
}

func main() {
	values := map[string]string{}
	for _, arg := range os.Args[2:] {
		name, value, _ := strings.Cut(arg, "=")
		values[name] = value
	}
	text, err := load("dist", os.Args[1], values)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(text)
}
