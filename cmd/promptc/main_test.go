package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
)

// buildFolder holds the program that the tests run as a process.
var buildFolder string

// quick are settings of the runtime for the thousands of short processes that the
// tests start: a fifth of their time would go into collecting what ends with them.
var quick = [][2]string{{"GOGC", "off"}, {"GOMEMLIMIT", "512MiB"}}

func TestMain(m *testing.M) {
	if file := os.Getenv(fakeServerFile); file != "" {
		if err := serveFake(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if isFakeProgram() {
		if err := sendFake(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	dir, err := os.MkdirTemp("", "promptc-test")
	if err == nil {
		err = linkFake(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	buildFolder = dir
	for _, setting := range quick {
		if err := os.Setenv(setting[0], setting[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// builtProgram makes the program once for all tests, as users get it: without the race
// detector, which is for the packages that it is made of.
var builtProgram = sync.OnceValues(func() (string, error) { return buildProgram("promptc") })

// buildProgram makes the program under a name, with flags of go build.
func buildProgram(name string, flags ...string) (string, error) {
	program := filepath.Join(buildFolder, name)
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	args := append([]string{"build", "-buildvcs=false", "-o", program}, flags...)
	said, err := exec.Command("go", append(args, ".")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, said)
	}
	return program, nil
}

// ourProgram is the path of the program.
func ourProgram(t *testing.T) string {
	t.Helper()
	program, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// rounds is how often a test that depends on chance is tried: as often as the
// variable of the environment says, which for an acceptance test is much more.
func rounds(t *testing.T, variable string, usual int) int {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return usual
}
