package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// tags are the build tags of releases: the command line library leaves out what
// makes documents, for which promptc man has no use.
const tags = "urfave_cli_no_docs"

// writeFiles makes what archives and packages have beside the program. It runs
// in the folder of the module.
func writeFiles(dir string) error {
	temp, err := os.MkdirTemp("", "promptc-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp) //nolint:errcheck // nothing depends on it
	program := filepath.Join(temp, "promptc")
	if _, err := command("go", "build", "-buildvcs=false", "-tags", tags, "-o", program, "./cmd/promptc"); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "completions"), 0o755); err != nil {
		return err
	}
	for _, made := range []struct {
		name string
		args []string
	}{
		{"completions/promptc.bash", []string{"completion", "bash"}},
		{"completions/_promptc", []string{"completion", "zsh"}},
		{"completions/promptc.fish", []string{"completion", "fish"}},
		{"promptc.1", []string{"man"}},
	} {
		text, err := command(program, made.args...)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, made.name), text, 0o644); err != nil {
			return err
		}
		if made.name == "promptc.1" {
			if err := writeCompressed(filepath.Join(dir, made.name+".gz"), text); err != nil {
				return err
			}
		}
	}
	texts, err := licences()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, licencesFile), texts, 0o644)
}

// writeCompressed leaves name and time out of the file.
func writeCompressed(path string, text []byte) error {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// command runs a program and gives what it prints.
func command(name string, args ...string) ([]byte, error) {
	return output(exec.Command(name, args...))
}

func output(cmd *exec.Cmd) ([]byte, error) {
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, said.Bytes())
	}
	return out, nil
}
