package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are the commands of scripts that make what a txtar archive
// cannot hold, and ask what cmp cannot.
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"generate": generate,
	"stamp":    stamp,
	"stamped":  stamped,
	"json":     validJSON,
	"listed":   listed,
}

// generators write hostile files of a size: a number of bytes, levels, keys.
var generators = map[string]func(n int) string{
	// A plain text of n bytes.
	"bytes": func(n int) string { return strings.Repeat("x", n-1) + "\n" },
	// A mapping of n anchors, each of which repeats the one before ten times.
	"aliases": func(n int) string {
		var b strings.Builder
		b.WriteString("a0: &a0 {host: x}\n")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
		}
		return b.String()
	},
	// n lists in each other, which is YAML and JSON.
	"depth": func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) + "\n" },
	// n block mappings in each other.
	"steps": func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	},
	// A block mapping of n keys.
	"keys": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: v\n", i)
		}
		return b.String()
	},
	// The same as JSON.
	"jsonkeys": func(n int) string {
		var b strings.Builder
		b.WriteString("{")
		for i := range n {
			fmt.Fprintf(&b, "%q: 1,\n", "k"+strconv.Itoa(i))
		}
		return b.String() + "\"name\": \"x\"}\n"
	},
	// A tool whose schema has n definitions, each of which refers to the next
	// one twice: 2^n ways through it.
	"ladder": func(n int) string {
		var b strings.Builder
		b.WriteString(`{"name": "ladder", "inputSchema": {"type": "object", "allOf": [{"$ref": "#/$defs/d0"}], "$defs": {` + "\n")
		for i := range n {
			fmt.Fprintf(&b, `"d%d": {"allOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]},`+"\n", i, i+1, i+1)
		}
		fmt.Fprintf(&b, `"d%d": {"type": "object"}}}}`+"\n", n)
		return b.String()
	},
	// A tool with n arguments.
	"properties": func(n int) string {
		var b strings.Builder
		b.WriteString(`{"name": "wide", "inputSchema": {"type": "object", "properties": {` + "\n")
		for i := range n {
			fmt.Fprintf(&b, `"p%d": {},`+"\n", i)
		}
		return b.String() + "\"last\": {}}}}\n"
	},
	// A manifest whose only path has n alternatives.
	"alternatives": func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = strconv.Itoa(i)
		}
		return "version: 1\nprompts:\n  agent:\n    sections:\n      - {id: a, path: \"{" + strings.Join(all, ",") + "}\"}\n"
	},
	// A manifest with a path of n groups of ten alternatives.
	"groups": func(n int) string {
		return "version: 1\nprompts:\n  agent:\n    sections:\n      - {id: a, path: \"" + strings.Repeat("{0,1,2,3,4,5,6,7,8,9}", n) + "\"}\n"
	},
	// n lines of 40 bytes.
	"rules": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "- rule %06d that somebody wrote down.\n", i+1)
		}
		return b.String()
	},
	// A skill with a description of n characters.
	"skill": func(n int) string {
		return "---\nname: big\ndescription: " + strings.Repeat("reads ", n/6+1)[:n-1] + ".\n---\nRead it.\n"
	},
	// A Markdown list with items nested n deep.
	"bullets": func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat("  ", i) + "- x\n")
		}
		return b.String()
	},
}

// generate writes a file that is too large for an archive: generate FILE KIND N.
func generate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || generators[args[1]] == nil {
		ts.Fatalf("usage: generate FILE KIND N")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(generators[args[1]](n)), 0o644))
}

// longAgo is a time at which no test writes a file.
var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// stamp makes files look old: stamp FILE...
func stamp(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: stamp FILE...")
	}
	for _, file := range args {
		ts.Check(os.Chtimes(ts.MkAbs(file), longAgo, longAgo))
	}
}

// stamped holds that files still look old, or that none does: [!] stamped FILE...
func stamped(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: [!] stamped FILE...")
	}
	for _, file := range args {
		info, err := os.Stat(ts.MkAbs(file))
		ts.Check(err)
		if info.ModTime().Equal(longAgo) == neg {
			ts.Fatalf("%s was last written at %s", file, info.ModTime())
		}
	}
}

// listed prints the files below a folder to stdout, by bytes: listed FOLDER.
func listed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: listed FOLDER")
	}
	var all []string
	ts.Check(fs.WalkDir(os.DirFS(ts.MkAbs(".")), args[0], func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			all = append(all, name)
		}
		return err
	}))
	slices.Sort(all)
	_, err := fmt.Fprintln(ts.Stdout(), strings.Join(all, "\n"))
	ts.Check(err)
}

// validJSON holds that a file is one JSON value: json stdout.
func validJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: json FILE")
	}
	var value any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &value); err != nil {
		ts.Fatalf("%s is not JSON: %v", args[0], err)
	}
}
