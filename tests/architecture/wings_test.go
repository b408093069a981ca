package architecture_test

import (
	"os"
	"testing"
)

// This test holds the architecture. What belongs together stands in tables: the
// wings and what each may import, the one home of each library, and where the calls
// may be that reach outside the program. A new package needs a row in its wing.

const (
	module = "github.com/promptc-build/promptc"

	maxFileLines = 800
	maxFuncLines = 60
)

// wing is a folder of packages that belong together.
type wing struct {
	dir string
	// below are the wings that its rooms may import. Nobody imports upwards.
	below []string
	rooms []room
}

// room is a package of the module.
type room struct {
	// dir is below that of its wing; "" is the wing's own package, which all its rooms
	// may import.
	dir string
	// beside are the other rooms of the wing that it may import: no stage imports a
	// stage.
	beside []string
	// own says that only the wing may import it.
	own bool
	// libs are the modules from outside that have their home here.
	libs []string
	// std are the guarded packages of the standard library (see guarded) that
	// it may import.
	std []string
}

const (
	groundDir   = "pipeline/ground"
	languageDir = "pipeline/language"
	assemblyDir = "pipeline/assembly"
	storeDir    = "pipeline/store"
	guardDir    = "pipeline/guard"
	promptDir   = "pipeline/prompt"
	reviewDir   = "pipeline/review"
	adoptDir    = "pipeline/adopt"
	worldDir    = "pipeline/world"
	outputDir   = "pipeline/output"
	cmdDir      = "cmd/promptc"

	parDir      = groundDir + "/par"
	tokenDir    = groundDir + "/token"
	loadDir     = languageDir + "/load"
	validateDir = languageDir + "/validate"
	snapshotDir = storeDir + "/snapshot"
	serveDir    = worldDir + "/serve"
	gitDir      = worldDir + "/git"
	recordDir   = worldDir + "/record"
)

// wings is the module, from the bottom up.
var wings = []wing{
	{dir: "schema", rooms: []room{{}}},
	{dir: groundDir, rooms: []room{
		{beside: []string{"diag"}},
		{dir: "benchpair", own: true, std: []string{"testing", "time"}}, // for benchmarks
		{dir: "canon", beside: []string{"diag"}},
		{dir: "chars", libs: []string{"golang.org/x/text"}},
		{dir: "code", beside: []string{"chars", "diag"}},
		{dir: "diag", beside: []string{"secret"}},
		{dir: "glob", libs: []string{"github.com/bmatcuk/doublestar/v4"}},
		{dir: "markdown", libs: []string{"github.com/yuin/goldmark"}},
		{dir: "ordered"},
		{dir: "par", libs: []string{"golang.org/x/sync"}, std: []string{"runtime", "runtime/debug"}},
		{dir: "pathrule"},
		{dir: "request", beside: []string{"canon", "diag"}},
		{dir: "secret", beside: []string{"chars"}},
		{dir: "subschema", std: []string{"net/url"}}, // a parser, in spite of where it stands
		{dir: "suggest", libs: []string{"github.com/xrash/smetrics"}},
		{dir: "templates", beside: []string{"markdown"}},
		{dir: "token", beside: []string{"diag"}, libs: []string{"github.com/pkoukk/tiktoken-go", "github.com/dlclark/regexp2"}},
	}},
	{dir: languageDir, below: []string{groundDir, "schema"}, rooms: []room{
		{},
		{dir: "axispattern"},
		{
			dir: "load", beside: []string{"axispattern", "recorded"}, libs: []string{"github.com/pelletier/go-toml/v2", "github.com/pelletier/go-toml/v2/unstable", "go.yaml.in/yaml/v4"},
			std: []string{"os", "io/fs", "path/filepath", "syscall", "testing/fstest"}, // files in memory
		},
		{dir: "recorded", std: []string{"net/url"}}, // a parser, in spite of where it stands
		{dir: "slugs", beside: []string{"axispattern"}},
		{dir: "validate", beside: []string{"axispattern"}, libs: []string{"github.com/santhosh-tekuri/jsonschema/v5"}, std: []string{"net/url"}},
	}},
	{dir: assemblyDir, below: []string{groundDir, languageDir}, rooms: []room{
		{},
		{dir: "bind"},
		{dir: "compose"},
		{dir: "dialect"},
		{dir: "render"},
		{dir: "resolve", beside: []string{"setcover"}},
		{dir: "setcover"},
	}},
	{dir: storeDir, below: []string{groundDir, languageDir, assemblyDir}, rooms: []room{
		{},
		// What builds in one folder wait for: system calls, on Windows with a pointer.
		{dir: "lock", std: []string{"os", "path/filepath", "syscall", "time", "unsafe"}},
		{dir: "snapshot", std: []string{"os", "io/fs", "path/filepath"}},
	}},
	{dir: promptDir, below: []string{groundDir, languageDir, assemblyDir, storeDir}, rooms: []room{{}}},
	{dir: guardDir, below: []string{groundDir, languageDir, assemblyDir, promptDir}, rooms: []room{
		{},
		{dir: "internal/transient"},
		{dir: "lint", beside: []string{"internal/transient"}},
	}},
	{dir: reviewDir, below: []string{groundDir, languageDir, assemblyDir, storeDir, promptDir, guardDir}, rooms: []room{
		{},
		{dir: "diff", beside: []string{"joining", "leaf", "pairing", "textdiff"}},
		{dir: "idle", beside: []string{"pairing"}},
		{dir: "joining"},
		{dir: "leaf", beside: []string{"textdiff"}},
		{dir: "owners"},
		{dir: "pairing"},
		{dir: "policy", beside: []string{"pairing"}},
		{dir: "textdiff", libs: []string{"github.com/aymanbagabas/go-udiff"}},
		{dir: "volatile", beside: []string{"pairing"}},
	}},
	{dir: adoptDir, below: []string{groundDir, languageDir, assemblyDir}, rooms: []room{{}, {dir: "scaffold"}}},
	{dir: worldDir, below: []string{groundDir, languageDir}, rooms: []room{
		{},
		// What ends a program together with what it started.
		{dir: "child", std: []string{"os", "os/exec", "path/filepath", "syscall", "time"}},
		// The only room that runs git.
		{dir: "git", std: []string{"os/exec", "io/fs", "path/filepath", "time"}},
		// The only room that opens a connection, and that starts servers which the project names.
		{
			dir: "live", beside: []string{"child"}, libs: []string{"github.com/modelcontextprotocol/go-sdk"},
			std: []string{"net/http", "net/url", "os/exec", "time"},
		},
		{dir: "pulled"},
		// What runs a program and answers it on this machine: one of two rooms that listen.
		{
			dir: "record", beside: []string{"child"}, libs: []string{"golang.org/x/sys"},
			std: []string{"crypto/rand", "io/fs", "net", "net/http", "net/url", "os", "os/exec", "os/signal", "path/filepath", "syscall", "time"},
		},
		// The other one, for browsers on the same machine.
		{dir: "serve", std: []string{"net", "net/http", "net/url", "time"}},
		// What runs again after a change, and waits until files have settled.
		{dir: "watch", libs: []string{"github.com/fsnotify/fsnotify"}, std: []string{"io/fs", "path/filepath", "syscall", "time"}},
	}},
	{dir: outputDir, below: []string{groundDir, languageDir, assemblyDir, storeDir, promptDir, guardDir, reviewDir}, rooms: []room{
		{},
		{dir: "change", beside: []string{"finding", "wording", "words"}},
		{dir: "finding", beside: []string{"wording", "words"}},
		// What draws the page for a browser knows nothing of prompts.
		{dir: "htmlpage", own: true},
		{dir: "ledger", beside: []string{"wording", "words"}},
		{dir: "page", beside: []string{"change", "finding", "htmlpage", "ledger", "run", "words"}},
		{dir: "run", beside: []string{"change", "finding", "ledger", "wording", "words"}},
		// The English of findings: nothing is computed from prose.
		{dir: "wording", own: true, std: []string{"io/fs"}},
		{dir: "words", beside: []string{"wording"}, libs: []string{"golang.org/x/text"}},
	}},
	{
		dir: "pipeline", below: []string{groundDir, languageDir, assemblyDir, storeDir, promptDir, guardDir, reviewDir, adoptDir, worldDir},
		rooms: []room{{std: []string{"io/fs"}}},
	},
	{
		dir:   cmdDir,
		below: []string{"schema", groundDir, languageDir, assemblyDir, storeDir, promptDir, guardDir, reviewDir, adoptDir, worldDir, outputDir, "pipeline"},
		rooms: []room{{
			libs: []string{"github.com/urfave/cli/v2"},
			std: []string{
				"flag", "io/fs", "os", "os/exec", "os/signal", "path/filepath", "runtime", "runtime/debug", "syscall", "time",
			},
		}},
	},
}

// stages lists the rooms whose work is a function Run. What a pure one does
// cannot fail, since it touches nothing but what it is given: it has findings,
// and no error.
var stages = []struct {
	dir  string
	pure bool
}{
	{dir: loadDir},
	{dir: validateDir, pure: true},
	{dir: assemblyDir + "/resolve", pure: true},
	{dir: assemblyDir + "/render", pure: true},
	{dir: assemblyDir + "/compose", pure: true},
	{dir: guardDir + "/lint", pure: true},
	{dir: reviewDir + "/policy", pure: true},
	{dir: assemblyDir + "/bind", pure: true},
	{dir: snapshotDir},
}

// testLibs are for tests and nowhere else. What go-cmp prints differs between
// two processes on purpose, and tiktoken-go-loader has 7 MB of files, for which
// the room of tokens has its own.
var testLibs = []string{"github.com/google/go-cmp", "github.com/pkoukk/tiktoken-go-loader", "github.com/rogpeppe/go-internal"}

// guarded are the packages of the standard library, each with what is below it,
// that reach the disk, the clock, the environment, the network, the machine, or
// chance. Only rooms that name them may import them.
var guarded = []string{
	"crypto/rand", "flag", "io/fs", "io/ioutil", "log", "math/rand", "net", "os",
	"path/filepath", "plugin", "runtime", "syscall", "testing", "time", "unsafe",
}

// call is a function of a package, or several that start alike (`Print*`), and
// the rooms in which production code may name it. Without a package it is a
// method of anything: an os.Root writes, and only its type would tell.
type call struct {
	pkg, name string
	rooms     []string
	why       string
}

var calls = []call{
	{"fmt", "Print*", nil, "results go to a writer that was handed in"},
	{"os", "Exit", []string{cmdDir}, "the exit status is picked in one place"},
	{"os", "Args", []string{cmdDir}, "arguments are read in one place"},
	{"os", "Std*", []string{cmdDir}, "streams are handed in"},
	{"os", "Getenv", []string{cmdDir}, "the environment reaches no output"},
	{"os", "LookupEnv", []string{cmdDir}, "the environment reaches no output"},
	{"os", "Environ", []string{cmdDir}, "the environment reaches no output"},
	{"os", "ExpandEnv", []string{cmdDir}, "the environment reaches no output"},
	{"os", "Getwd", []string{cmdDir}, "the working directory reaches no output"},
	{"filepath", "Abs", []string{cmdDir, loadDir, gitDir}, "the working directory reaches no output"},
	{"os", "Hostname", []string{cmdDir}, "record says where a recording has it; else it reaches no output"},
	{"os", "Chdir", nil, "the process stays where it was started"},
	{"os", "Setenv", nil, "the environment is not changed"},
	{"os", "Create*", []string{snapshotDir}, "only snapshot writes"},
	{"os", "Remove", []string{snapshotDir}, "only snapshot writes"},
	{"os", "Truncate", []string{snapshotDir}, "only snapshot writes"},
	{"", "WriteFile", []string{snapshotDir}, "only snapshot writes"},
	{"", "Mkdir*", []string{snapshotDir, recordDir}, "only snapshot writes, and record makes a temporary folder"},
	{"", "Rename", []string{snapshotDir}, "only snapshot writes"},
	{"", "RemoveAll", []string{snapshotDir, recordDir}, "only snapshot writes, and record removes its temporary folder"},
	{"", "Symlink", []string{snapshotDir}, "only snapshot writes"},
	// sync.WaitGroup and errgroup.Group start goroutines without a go statement.
	{"", "Go", []string{parDir}, "goroutines are started in one place"},
}

// manifestKeys are keys that only a manifest has: only validate may look them up.
var manifestKeys = []string{
	"artifacts", "bindings", "checks", "families", "slots", "fragments", "sources", "prompts", "axes", "sections", "layout", "expect", "contains", "lacks",
}

// speaker is a function, or all of a room, that words errors by itself.
type speaker struct{ dir, fn, why string }

// speakers are those that may: nobody but a programmer reads them, or they are printed
// where they are written.
var speakers = []speaker{
	{tokenDir, "New", "names and estimators are checked by validate before"},
	{tokenDir, "Estimate", "the same"},
	{tokenDir, "build", "the embedded tables are damaged"},
	{tokenDir, "p50kRanks", "the same"},
	{validateDir, "compile", "an embedded schema is wrong"},
	{validateDir, "load", "the same"},
	{serveDir, "", "it answers a browser"},
	{recordDir, "", "it answers a program"},
}

// panickers are the functions that may panic, and what for.
var panickers = []struct{ dir, fn, why string }{
	{parDir, "run", "hands a panic of a called function on to its caller"},
	{tokenDir, "load", "the embedded ranks are damaged: a wrong count would be worse"},
	{tokenDir, "unpackCL100K", "the same"},
}

func TestArchitecture(t *testing.T) {
	for _, v := range violations(t, os.DirFS("../..")) {
		t.Errorf("%s: %s", v.at, v.rule)
	}
}
