// Command release makes what goreleaser does not: the files that stand beside
// the program in its archives, a list of what is in the program, and the packages
// for npm and PyPI. `make release-snapshot` runs all of it; docs/release.md says how a
// release is made.
package main

import (
	"fmt"
	"os"
)

const usage = `usage:
  release files DIR                            write completions, manual page and licences to DIR
  release sbom PROGRAM NAME VERSION DATE FILE  list the modules in PROGRAM, as SPDX
  release pack DIST [OS/ARCH...]               make npm tarballs and wheels of the archives in DIST (default: of all platforms)
  release size OS/ARCH                         list what the packages of the program add to it, in bytes`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "files":
		return writeFiles(args[1])
	case len(args) == 6 && args[0] == "sbom":
		return writeSBOM(args[1], document{name: args[2], version: args[3], date: args[4]}, args[5])
	case len(args) >= 2 && args[0] == "pack":
		packed, err := platformsNamed(args[2:])
		if err != nil {
			return err
		}
		return withLargest(pack(args[1], packed))
	case len(args) == 2 && args[0] == "size":
		named, err := platformsNamed(args[1:])
		if err != nil {
			return err
		}
		return printShares(os.Stdout, named[0])
	default:
		return fmt.Errorf("wrong arguments\n%s", usage)
	}
}
