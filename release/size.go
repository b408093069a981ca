package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxProgram is how many bytes the program of a release may have on any platform.
const maxProgram = 30_000_000

// mostPackages is how many packages a program that is too large names.
const mostPackages = 10

// share is what a package adds to the program: its code and constants, and the
// files that it embeds. The tables that Go's runtime keeps about all code are in
// no share.
type share struct {
	pkg   string
	bytes int
}

// tooLarge is the error of a program that has more bytes than maxProgram.
type tooLarge struct {
	platform

	size int
}

func (e *tooLarge) Error() string {
	return fmt.Sprintf("%s for %s/%s has %d bytes, more than %d", e.program(), e.goos, e.goarch, e.size, maxProgram)
}

// withLargest adds to an error about the size of a program which packages make it
// as large as it is.
func withLargest(err error) error {
	large, ok := errors.AsType[*tooLarge](err)
	if !ok {
		return err
	}
	all, err := shares(large.platform)
	if err != nil {
		return errors.Join(large, err)
	}
	var list strings.Builder
	for _, s := range all[:min(len(all), mostPackages)] {
		fmt.Fprintf(&list, "\n%11d  %s", s.bytes, s.pkg)
	}
	return fmt.Errorf("%w; its largest packages:%s", large, list.String())
}

// printShares prints the packages that add at least a thousandth of the limit.
func printShares(w io.Writer, p platform) error {
	all, err := shares(p)
	if err != nil {
		return err
	}
	for _, s := range all {
		if s.bytes >= maxProgram/1000 {
			if _, err := fmt.Fprintf(w, "%11d  %s\n", s.bytes, s.pkg); err != nil {
				return err
			}
		}
	}
	return nil
}

// shares measures the packages of the program for a platform, the largest first. It
// runs in the folder of the module and links the program once more: what a release
// has is stripped of the names of its symbols.
func shares(p platform) ([]share, error) {
	temp, err := os.MkdirTemp("", "promptc-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp) //nolint:errcheck // nothing depends on it
	program := filepath.Join(temp, p.program())
	if _, err := p.command("go", "build", "-trimpath", "-buildvcs=false", "-tags", tags, "-o", program, "./cmd/promptc"); err != nil {
		return nil, err
	}
	symbols, err := command("go", "tool", "nm", "-size", program)
	if err != nil {
		return nil, err
	}
	sizes := symbolSizes(symbols)
	embedded, err := p.command("go", "list", "-deps", "-tags", tags, "-f",
		"{{$p := .}}{{range .EmbedFiles}}{{$p.ImportPath}}\t{{$p.Dir}}/{{.}}\n{{end}}", "./cmd/promptc")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(embedded)) {
		pkg, name, found := strings.Cut(strings.TrimSpace(line), "\t")
		if !found {
			continue
		}
		st, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		sizes[pkg] += int(st.Size())
	}
	out := make([]share, 0, len(sizes))
	for _, pkg := range slices.Sorted(maps.Keys(sizes)) {
		out = append(out, share{pkg, sizes[pkg]})
	}
	slices.SortStableFunc(out, func(a, b share) int { return cmp.Compare(b.bytes, a.bytes) })
	return out, nil
}

// symbolSizes adds up code and constants by package, from what go tool nm prints:
// address, size, kind and name.
func symbolSizes(symbols []byte) map[string]int {
	out := make(map[string]int)
	for line := range bytes.Lines(symbols) {
		fields := strings.Fields(string(line))
		if len(fields) < 4 || !strings.Contains("TtRr", fields[2]) {
			continue
		}
		size, err := strconv.Atoi(fields[1])
		name := fields[3]
		if err != nil || strings.HasPrefix(name, "go:") || strings.HasPrefix(name, "type:") {
			continue // what the linker keeps about all packages
		}
		name, _, _ = strings.Cut(name, "[") // the types that a generic function is for
		folder, last := "", name
		if i := strings.LastIndex(name, "/"); i >= 0 {
			folder, last = name[:i+1], name[i+1:]
		}
		last, _, _ = strings.Cut(last, ".")
		out[folder+last] += size
	}
	return out
}

// command runs a program of the Go toolchain for the platform.
func (p platform) command(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "GOOS="+p.goos, "GOARCH="+p.goarch, "CGO_ENABLED=0")
	return output(cmd)
}
