package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// TestScripts runs the program end to end, as it is built for users: what the
// race detector may find is in the packages that it is made of. A script is
// named after the behaviour that it shows.
func TestScripts(t *testing.T) {
	folder := filepath.Dir(ourProgram(t))
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			for _, setting := range quick {
				env.Setenv(setting[0], setting[1])
			}
			env.Setenv("FAKE_SERVER", os.Args[0])
			env.Setenv("PATH", folder+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Vars = append(env.Vars, gitWorld(env.WorkDir)...)
			return nil
		},
		Cmds: commands(),
	})
}

// commands are those of this file and of script_commands_test.go.
func commands() map[string]func(*testscript.TestScript, bool, []string) {
	all := map[string]func(*testscript.TestScript, bool, []string){
		"exits":   exits,
		"replace": replace,
	}
	maps.Copy(all, scriptCommands)
	return all
}

// exits runs a command and compares its exit status: exits 1 promptc check. What a
// command of promptc prints as JSON has to obey its schema.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		m := regexp.MustCompile(`exit status (\d+)$`).FindStringSubmatch(err.Error())
		if m == nil {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got, _ = strconv.Atoi(m[1])
	}
	if got != want {
		ts.Fatalf("%s exits %d, want %d", strings.Join(args[1:], " "), got, want)
	}
	if args[1] == "promptc" && slices.Contains(args, "json") && got < exitUsage {
		ts.Check(obeysSchema(args[2], ts.ReadFile("stdout")))
	}
}

// replace changes the only occurrence of a text in a file: replace FILE OLD
// NEW, with \n for a line break and \u{200b} for a character that a script
// should not hide.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	unquote := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\0`, "\x00",
		`\xff`, "\xff", `\xfe`, "\xfe", `\xef\xbb\xbf`, "\ufeff")
	file := ts.MkAbs(args[0])
	text, err := os.ReadFile(file)
	ts.Check(err)
	plain := func(s string) string { return codePoint.ReplaceAllStringFunc(unquote.Replace(s), character) }
	old, with := plain(args[1]), plain(args[2])
	if n := strings.Count(string(text), old); n != 1 {
		ts.Fatalf("%s holds %q %d times", args[0], old, n)
	}
	ts.Check(os.WriteFile(file, []byte(strings.Replace(string(text), old, with, 1)), 0o644))
}

// codePoint is a character by its number, which character gives.
var codePoint = regexp.MustCompile(`\\u\{[0-9a-f]+\}`)

func character(s string) string {
	n, err := strconv.ParseUint(s[3:len(s)-1], 16, 32)
	if err != nil {
		return s
	}
	return string(rune(n))
}

// TestEveryCodeIsProvoked holds that a finding that nobody can provoke is
// not in the table, and that each is explained.
func TestEveryCodeIsProvoked(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	seen := map[diag.Code]bool{}
	for _, e := range diag.Codes() {
		if seen[e.Code] {
			t.Errorf("%s is in the table twice", e.Code)
		}
		seen[e.Code] = true
		if !strings.Contains(all.String(), "["+string(e.Code)+"]") {
			t.Errorf("no script provokes %s (%s)", e.Code, e.Title)
		}
		if e.Title == "" || len(e.Explanation) < 40 {
			t.Errorf("%s is not explained", e.Code)
		}
	}
}
