// The program prints a variant from dist/ with values in the places of its
// slots: go run main.go VARIANT SLOT=VALUE…
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// manifest is what a loader needs of manifest.json.
type manifest struct {
	Version int
	Prompts []struct {
		Slots    []slot
		Variants []struct {
			Name, File, Dialect, SHA256 string
			Sections, Slots             int // rows of the tables
		}
	}
	Tables struct{ Sections, Slots [][]place }
}

type slot struct {
	Name     string
	Optional bool
	InLine   bool `json:"in_line"`
}

// place is where a section or a slot stands, in bytes of the file, or of the
// string of a JSON file that the pointer leads to.
type place struct {
	Name, Pointer string
	Join          *int // where the join before a section starts
	Start, End    int
	Optional      []part // of a section
}

// part is left out if its slots are empty.
type part struct {
	Slots      []string
	Start, End int
}

// filler fills the places of one variant.
type filler struct {
	sections, slots []place
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
			f := filler{m.Tables.Sections[v.Sections], m.Tables.Slots[v.Slots], values}
			wrong := f.check(p.Slots)
			file, err := os.ReadFile(dist + "/" + v.File)
			switch {
			case wrong != nil:
				return "", wrong
			case err != nil:
				return "", err
			case fmt.Sprintf("%x", sha256.Sum256(file)) != v.SHA256:
				return "", fmt.Errorf("%s was changed", v.File)
			case v.Dialect != "":
				return f.body(file)
			default:
				return f.fill(string(file), ""), nil
			}
		}
	}
	return "", fmt.Errorf("no variant is called %q", name)
}

// check refuses values that are missing, or would break the line that they stand in.
func (f *filler) check(declared []slot) error {
	for _, place := range f.slots {
		s := declared[slices.IndexFunc(declared, func(s slot) bool { return s.Name == place.Name })]
		value, ok := f.values[s.Name]
		if !ok || value == "" && !s.Optional {
			return fmt.Errorf("no value for the slot %q", s.Name)
		}
		if s.InLine && (strings.Contains(value, " | ") || strings.ContainsAny(value, "\n\r\v\f\u0085\u2028\u2029")) {
			return fmt.Errorf("the value of the slot %q has a line break or \" | \"", s.Name)
		}
	}
	return nil
}

// fill puts the values into a text, in its order. Optional parts whose slots are
// empty are left out: a section that is one with the join before it, or where it
// has none with that of the next section that stays.
func (f *filler) fill(text, pointer string) string {
	var out strings.Builder
	at, first := 0, false
	for _, s := range f.sections {
		if s.Pointer != pointer {
			continue
		}
		gone := slices.DeleteFunc(slices.Clone(s.Optional), f.stays)
		if slices.ContainsFunc(gone, func(p part) bool { return p.Start == s.Start && p.End == s.End }) {
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
		for _, p := range f.inside(s, gone) {
			if p.Start >= at { // else it is in a part that is left out
				out.WriteString(text[at:p.Start] + f.values[p.Name])
			}
			at = max(at, p.End)
		}
	}
	out.WriteString(text[at:])
	return out.String()
}

// inside gives the slots of a section and the parts that are left out, in the order
// of the text. A part stands before what is in it.
func (f *filler) inside(section place, gone []part) []place {
	var out []place
	for _, p := range gone {
		out = append(out, place{Start: p.Start, End: p.End})
	}
	for _, s := range f.slots {
		if s.Pointer == section.Pointer && section.Start <= s.Start && s.End <= section.End {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b place) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	return out
}

// stays reports whether one of a part's slots has a value.
func (f *filler) stays(p part) bool {
	return slices.ContainsFunc(p.Slots, func(name string) bool { return f.values[name] != "" })
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
			var err error
			filled := f.fill(text, s.Pointer)
			if filled == "" {
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
