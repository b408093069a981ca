package main

import (
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// release is set by the linker in released binaries.
//
//nolint:gochecknoglobals // the linker sets variables and nothing else
var release = ""

func versionCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: "promptc version",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return con.write("promptc %s\n", version())
		},
	}
}

// version is the linker's, else the module's as `go install` recorded it,
// else the revision that the checkout was built from.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	if commit := revision(); commit != "" {
		return "devel " + commit
	}
	return "devel"
}

// revision is the commit of the checkout that this program was built from, ""
// where it is not recorded.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
