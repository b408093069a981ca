package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/schema"
)

// outputSchemas are the schemas of what commands print, by command.
var outputSchemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	out := map[string]*jsonschema.Schema{}
	for _, name := range []string{"build", "check", "diff", "explain", "list", "tokens"} {
		text, err := schema.Read(name)
		if err != nil {
			return nil, err
		}
		c := jsonschema.NewCompiler()
		c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s is foreign", url) }
		id := "https://example.org/" + name
		if err := c.AddResource(id, bytes.NewReader(text)); err != nil {
			return nil, err
		}
		if out[name], err = c.Compile(id); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// obeysSchema says what in the output of a command its schema does not allow.
func obeysSchema(command, output string) error {
	all, err := outputSchemas()
	if err != nil {
		return err
	}
	s, ok := all[command]
	if !ok {
		return fmt.Errorf("the JSON of %s has no schema", command)
	}
	d := json.NewDecoder(strings.NewReader(output))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return err
	}
	err = s.Validate(value)
	if wrong, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return errors.New(wrong.GoString()) // the short form does not say what is wrong
	}
	return err
}

func TestSchemasRefuseWhatNoCommandPrints(t *testing.T) {
	for command, output := range map[string]string{
		"build":   `{"version": 1, "command": "build"}`,
		"check":   `{"version": 1, "command": "list", "variants": []}`,
		"explain": `{"version": 1, "command": "explain", "code": "PC1", "level": "error", "title": "t", "explanation": "e"}`,
		"list":    `{"version": 1, "command": "list", "variants": [{"name": "a"}]}`,
		"tokens":  `[{"name": "a", "encoding": "o200k_base", "bytes": 1, "tokens": 1, "more": 1}]`,
		"show":    `{}`,
	} {
		if err := obeysSchema(command, output); err == nil {
			t.Errorf("%s: %s is taken", command, output)
		}
	}
	if err := obeysSchema("list", `{"version": 1, "command": "list", "variants": []}`); err != nil {
		t.Error(err)
	}
}

// A script sees with exits, and not with exec, whether JSON obeys its schema.
func TestScriptsHoldJSONAgainstItsSchema(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	exec := regexp.MustCompile(`(?m)^exec promptc .*--format[ =]json`)
	checked := regexp.MustCompile(`(?m)^exits [01] promptc (\w+) (?:.* )?--format json`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if line := exec.Find(text); line != nil {
			t.Errorf("%s: write \"exits 0 promptc\" in: %s", file, line)
		}
		for _, m := range checked.FindAllSubmatch(text, -1) {
			seen[string(m[1])] = true
		}
	}
	for _, command := range []string{"build", "check", "diff", "explain", "list", "tokens"} {
		if !seen[command] {
			t.Errorf("no script prints the JSON of %s", command)
		}
	}
}

// What several schemas define is the same in all.
func TestOutputSchemasAgree(t *testing.T) {
	type place struct {
		schema string
		value  any
	}
	first := map[string]place{}
	for _, name := range []string{"build", "explain", "list"} {
		text, err := schema.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Definitions map[string]any `json:"definitions"`
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		for key, value := range doc.Definitions {
			was, ok := first[key]
			if !ok {
				first[key] = place{name, value}
				continue
			}
			if d := cmp.Diff(was.value, value); d != "" {
				t.Errorf("%s in %s and %s:\n%s", key, was.schema, name, d)
			}
		}
	}
}
