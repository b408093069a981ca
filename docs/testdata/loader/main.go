// The program prints a variant from dist/ with values in the places of its
// slots: go run main.go VARIANT SLOT=VALUE…
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// variant is what a loader needs of an entry in manifest.json.
type variant struct {
	Name, File string
	Slots      []slot
}

// slot is a place for a value. Slots with the same pointer follow one another,
// and their offsets ascend.
type slot struct {
	Name       string
	Pointer    string // to a string of a JSON file; "" in text
	Start, End int    // byte offsets in the file, or in that string
}

func load(dist, name string, values map[string]string) (string, error) {
	var manifest struct{ Variants []variant }
	data, err := os.ReadFile(dist + "/manifest.json")
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return "", err
	}
	for _, v := range manifest.Variants {
		if v.Name != name {
			continue
		}
		text, err := os.ReadFile(dist + "/" + v.File)
		switch {
		case err != nil:
			return "", err
		case strings.HasSuffix(v.File, ".json"):
			return fillJSON(text, v.Slots, values)
		default:
			return fill(string(text), v.Slots, values)
		}
	}
	return "", fmt.Errorf("no variant is called %q", name)
}

func fill(text string, slots []slot, values map[string]string) (string, error) {
	out, at := "", 0
	for _, slot := range slots {
		value, ok := values[slot.Name]
		if !ok {
			return "", fmt.Errorf("no value for the slot %q", slot.Name)
		}
		out += text[at:slot.Start] + value
		at = slot.End
	}
	return out + text[at:], nil
}

// fillJSON fills the strings of a request body that have slots, one after
// another.
func fillJSON(data []byte, slots []slot, values map[string]string) (string, error) {
	var body any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&body); err != nil {
		return "", err
	}
	for len(slots) > 0 {
		n := 1
		for n < len(slots) && slots[n].Pointer == slots[0].Pointer {
			n++
		}
		here := slots[:n]
		err := change(body, strings.Split(slots[0].Pointer, "/")[1:], func(text string) (string, error) {
			return fill(text, here, values)
		})
		if err != nil {
			return "", err
		}
		slots = slots[n:]
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
