// The program prints a variant from dist/ with values in the places of its
// slots: go run main.go VARIANT SLOT=VALUE…
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// variant is what a loader needs of an entry in manifest.json.
type variant struct {
	Name, File string
	Slots      []struct {
		Name       string
		Start, End int // byte offsets in the file, ascending
	}
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
		if err != nil {
			return "", err
		}
		return fill(string(text), v, values)
	}
	return "", fmt.Errorf("no variant is called %q", name)
}

func fill(text string, v variant, values map[string]string) (string, error) {
	out, at := "", 0
	for _, slot := range v.Slots {
		value, ok := values[slot.Name]
		if !ok {
			return "", fmt.Errorf("no value for the slot %q", slot.Name)
		}
		out += text[at:slot.Start] + value
		at = slot.End
	}
	return out + text[at:], nil
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
