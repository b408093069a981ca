package pipeline_test

import (
	"os"
	"slices"
	"testing"
)

// This test holds the architecture. What belongs together stands in tables: who
// may import whom, the one home of each library, and where the calls may be
// that reach outside the program. A new package needs a row in rooms.

const (
	module = "github.com/promptc-build/promptc"

	maxFileLines = 800
	maxFuncLines = 60
)

// room is a package of the module.
type room struct {
	dir string
	// rooms are the other rooms that it may import. Nobody imports upwards, and
	// no stage imports a stage.
	rooms []string
	// libs are the modules from outside that have their home here.
	libs []string
	// std are the guarded packages of the standard library (see guarded) that
	// it may import.
	std []string
}

const (
	charsDir     = "pipeline/internal/chars"
	diagDir      = "pipeline/diag"
	promptDir    = "pipeline/prompt"
	tokenDir     = "pipeline/token"
	parDir       = "pipeline/internal/par"
	canonDir     = "pipeline/internal/canon"
	orderedDir   = "pipeline/internal/ordered"
	suggestDir   = "pipeline/internal/suggest"
	pathruleDir  = "pipeline/internal/pathrule"
	globDir      = "pipeline/internal/glob"
	textdiffDir  = "pipeline/internal/textdiff"
	secretDir    = "pipeline/internal/secret"
	momentDir    = "pipeline/internal/transient"
	pairingDir   = "pipeline/internal/pairing"
	benchpairDir = "pipeline/internal/benchpair"
	markdownDir  = "pipeline/internal/markdown"
	templatesDir = "pipeline/internal/templates"
	leafDir      = "pipeline/internal/leaf"
	subDir       = "pipeline/internal/subschema"
	dialectDir   = "pipeline/dialect"
	loadDir      = "pipeline/load"
	gitDir       = "pipeline/load/git"
	snapshotDir  = "pipeline/snapshot"
	reportDir    = "pipeline/report"
	wordingDir   = "pipeline/report/wording"
	htmlpageDir  = "pipeline/report/htmlpage"
	lockDir      = "pipeline/snapshot/lock"
	liveDir      = "pipeline/live"
	pulledDir    = "pipeline/pulled"
	watchDir     = "pipeline/watch"
	serveDir     = "pipeline/serve"
	cmdDir       = "cmd/promptc"
)

// ground is what every stage may stand on.
var ground = []string{promptDir, diagDir, charsDir, parDir, suggestDir, canonDir, orderedDir}

// rooms is the module, from the bottom up.
var rooms = []room{
	{dir: charsDir, libs: []string{"golang.org/x/text"}},
	{dir: secretDir, rooms: []string{charsDir}},
	{dir: diagDir, rooms: []string{secretDir}},
	{dir: markdownDir, libs: []string{"github.com/yuin/goldmark"}},
	{dir: pathruleDir},
	{dir: templatesDir, rooms: []string{markdownDir}},
	{dir: promptDir, rooms: []string{diagDir, pathruleDir, templatesDir}},
	{dir: "schema"},

	{dir: parDir, libs: []string{"golang.org/x/sync"}, std: []string{"runtime", "runtime/debug"}},
	{dir: suggestDir, libs: []string{"github.com/xrash/smetrics"}},
	{dir: globDir, libs: []string{"github.com/bmatcuk/doublestar/v4"}},
	{dir: momentDir},
	{dir: orderedDir},
	{dir: canonDir, rooms: []string{promptDir, diagDir}},
	{dir: textdiffDir, rooms: []string{promptDir, diagDir, markdownDir}, libs: []string{"github.com/aymanbagabas/go-udiff"}},
	{dir: benchpairDir, std: []string{"testing", "time"}}, // for benchmarks: no room may import it
	{dir: leafDir, rooms: []string{promptDir, diagDir, canonDir, subDir, textdiffDir}},
	{dir: subDir, rooms: []string{promptDir}, std: []string{"net/url"}}, // a parser, in spite of where it stands
	{dir: dialectDir, rooms: []string{promptDir, canonDir}},
	{dir: tokenDir, rooms: []string{diagDir}, libs: []string{"github.com/pkoukk/tiktoken-go", "github.com/dlclark/regexp2"}},
	{dir: pairingDir, rooms: []string{promptDir, canonDir, tokenDir, templatesDir}},

	{
		dir:   loadDir,
		rooms: append(slices.Clip(ground), globDir, pathruleDir, markdownDir, templatesDir),
		libs:  []string{"go.yaml.in/yaml/v4"},
		std:   []string{"os", "io/fs", "path/filepath", "syscall", "testing/fstest"}, // files in memory
	},
	// Load's second way in: what git keeps, through the git program.
	{dir: gitDir, rooms: []string{loadDir, suggestDir, diagDir}, std: []string{"os/exec", "io/fs", "path/filepath", "time"}},
	{
		dir:   "pipeline/validate",
		rooms: append(slices.Clip(ground), "schema", globDir, subDir, pathruleDir),
		libs:  []string{"github.com/santhosh-tekuri/jsonschema/v5"},
		std:   []string{"net/url"}, // a parser, in spite of where it stands
	},
	// The names of the tokenizers are bound like other names.
	{dir: "pipeline/resolve", rooms: append(slices.Clip(ground), tokenDir, markdownDir, templatesDir)},
	{dir: "pipeline/render", rooms: append(slices.Clip(ground), markdownDir, templatesDir)},
	{dir: "pipeline/compose", rooms: append(slices.Clip(ground), tokenDir)},
	{dir: "pipeline/lint", rooms: append(slices.Clip(ground), globDir, secretDir, momentDir, subDir, markdownDir, templatesDir)},
	{dir: "pipeline/bind", rooms: slices.Clip(ground)},
	{
		dir:   snapshotDir,
		rooms: append(slices.Clip(ground), tokenDir, dialectDir, pathruleDir),
		std:   []string{"os", "io/fs", "path/filepath"},
	},
	// What builds in one folder wait for: system calls, on Windows with a pointer.
	{dir: lockDir, rooms: []string{diagDir}, std: []string{"os", "path/filepath", "syscall", "time", "unsafe"}},
	// The only room that opens a connection, and that starts what the project names.
	{
		dir: liveDir, rooms: []string{diagDir, promptDir}, libs: []string{"github.com/modelcontextprotocol/go-sdk"},
		std: []string{"net/http", "net/url", "os/exec", "syscall", "time"},
	},
	{dir: pulledDir, rooms: []string{promptDir, diagDir, canonDir, secretDir}},
	// What runs again after a change, and waits until files have settled.
	{dir: watchDir, rooms: []string{parDir, diagDir}, libs: []string{"github.com/fsnotify/fsnotify"}, std: []string{"io/fs", "path/filepath", "syscall", "time"}},
	// The only room that listens, for browsers on the same machine.
	{dir: serveDir, rooms: []string{parDir}, std: []string{"net", "net/http", "net/url", "time"}},
	{dir: "pipeline/diff", rooms: append(slices.Clip(ground), templatesDir, pairingDir, textdiffDir, leafDir)},
	{dir: "pipeline/policy", rooms: append(slices.Clip(ground), pairingDir)},
	{dir: "pipeline/volatile", rooms: append(slices.Clip(ground), pairingDir)},
	{dir: "pipeline/idle", rooms: append(slices.Clip(ground), templatesDir, pairingDir)},
	{dir: "pipeline/owners", rooms: []string{diagDir, globDir}},
	{dir: "pipeline/scaffold", rooms: append(slices.Clip(ground), globDir)},
	// The English of findings: only report may get at it, so that nothing is
	// computed from prose.
	{dir: wordingDir, rooms: []string{diagDir, charsDir}, std: []string{"io/fs"}},
	// The page for a browser knows nothing of prompts: it takes what report made.
	{dir: htmlpageDir},
	{dir: reportDir, rooms: append(slices.Clip(ground), textdiffDir, leafDir, secretDir, wordingDir, htmlpageDir, markdownDir), libs: []string{"golang.org/x/text"}},

	{
		dir: "pipeline",
		rooms: []string{
			loadDir, "pipeline/validate", "pipeline/resolve", "pipeline/render",
			"pipeline/compose", "pipeline/lint", "pipeline/policy", "pipeline/volatile", "pipeline/diff", "pipeline/idle", "pipeline/owners", "pipeline/scaffold", "pipeline/bind", snapshotDir, pulledDir,
			promptDir, diagDir, tokenDir, dialectDir, parDir, suggestDir, pairingDir,
		},
		std: []string{"io/fs"},
	},
	{
		dir: cmdDir,
		rooms: []string{
			"pipeline", loadDir, gitDir, snapshotDir, lockDir, watchDir, serveDir, liveDir, pulledDir, reportDir, "pipeline/scaffold",
			promptDir, diagDir, tokenDir, dialectDir, "schema",
		},
		libs: []string{"github.com/urfave/cli/v2"},
		std: []string{
			"flag", "io/fs", "os", "os/exec", "os/signal", "path/filepath", "runtime", "runtime/debug", "syscall", "time",
		},
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
	{dir: "pipeline/validate", pure: true},
	{dir: "pipeline/resolve", pure: true},
	{dir: "pipeline/render", pure: true},
	{dir: "pipeline/compose", pure: true},
	{dir: "pipeline/lint", pure: true},
	{dir: "pipeline/policy", pure: true},
	{dir: "pipeline/bind", pure: true},
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
	{"os", "Hostname", nil, "the machine reaches no output"},
	{"os", "Chdir", nil, "the process stays where it was started"},
	{"os", "Setenv", nil, "the environment is not changed"},
	{"os", "Create*", []string{snapshotDir}, "only snapshot writes"},
	{"os", "Remove", []string{snapshotDir}, "only snapshot writes"},
	{"os", "Truncate", []string{snapshotDir}, "only snapshot writes"},
	{"", "WriteFile", []string{snapshotDir}, "only snapshot writes"},
	{"", "Mkdir*", []string{snapshotDir}, "only snapshot writes"},
	{"", "Rename", []string{snapshotDir}, "only snapshot writes"},
	{"", "RemoveAll", []string{snapshotDir}, "only snapshot writes"},
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
	{"pipeline/validate", "compile", "an embedded schema is wrong"},
	{"pipeline/validate", "load", "the same"},
	{serveDir, "", "it answers a browser"},
}

// panickers are the functions that may panic, and what for.
var panickers = []struct{ dir, fn, why string }{
	{parDir, "run", "hands a panic of a called function on to its caller"},
	{tokenDir, "load", "the embedded ranks are damaged: a wrong count would be worse"},
	{tokenDir, "unpackCL100K", "the same"},
}

func TestArchitecture(t *testing.T) {
	skipIfShort(t)
	for _, v := range violations(t, os.DirFS("..")) {
		t.Errorf("%s: %s", v.at, v.rule)
	}
}
