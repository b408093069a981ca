package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The test program is a program that sends requests, too, where it is called by this
// name, which scripts find on their path.
const fakeProgram = "agent"

// linkFake puts the test program under its other name into a folder.
func linkFake(folder string) error {
	name := filepath.Join(folder, fakeProgram)
	if err := os.Symlink(os.Args[0], name); err == nil {
		return nil
	}
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		return err
	}
	return os.WriteFile(name+".exe", text, 0o755) // a system without links
}

func isFakeProgram() bool {
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == fakeProgram
}

// sendFake does what the lines of a file say: `ADDRESS BODY` sends a request, `print
// TEXT` prints, `exit N` ends, and `sleep` goes on for an hour. $NAME is a variable, $1
// an argument behind the file, and $NANO the time.
func sendFake() error {
	if len(os.Args) < 2 {
		return errors.New("no file")
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	named := func(name string) string {
		if n, err := strconv.Atoi(name); err == nil && n+1 < len(os.Args) {
			return os.Args[n+1]
		}
		if name == "NANO" {
			return strconv.FormatInt(time.Now().UnixNano(), 10)
		}
		return os.Getenv(name)
	}
	for line := range strings.Lines(string(text)) {
		what, rest, _ := strings.Cut(os.Expand(strings.TrimSpace(line), named), " ")
		switch what {
		case "":
		case "exit":
			code, err := strconv.Atoi(rest)
			if err != nil {
				return err
			}
			os.Exit(code)
		case "print":
			fmt.Println(rest)
		case "sleep":
			time.Sleep(time.Hour)
		default:
			got, err := http.Post(what, "application/json", strings.NewReader(rest)) //nolint:noctx // a test program
			if err != nil {
				return err
			}
			if _, err := io.Copy(io.Discard, got.Body); err != nil {
				return err
			}
			_ = got.Body.Close()
		}
	}
	return nil
}
