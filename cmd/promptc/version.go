package main

import (
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// Set by the linker: in released binaries all three, in a snapshot of a release
// the last two.
//
//nolint:gochecknoglobals // the linker sets variables and nothing else
var (
	release       = "" // the tag
	releaseCommit = ""
	releaseDate   = "" // of the commit, in UTC, as RFC 3339 writes it
)

func versionCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: "promptc version",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return con.write("promptc %s\n", fullVersion())
		},
	}
}

// fullVersion is the version with what is known of the commit: v1.2.3 (commit
// 0123abcd…, 2026-01-31T12:00:00Z).
func fullVersion() string {
	name := version()
	if strings.HasPrefix(name, "devel ") {
		name = "devel" // the commit is said behind it
	}
	var parts []string
	if c := revision(); c != "" {
		parts = append(parts, "commit "+c)
	}
	if d := revisionDate(); d != "" {
		parts = append(parts, d)
	}
	if setting("vcs.modified") == "true" {
		parts = append(parts, "modified")
	}
	if len(parts) == 0 {
		return name
	}
	return name + " (" + strings.Join(parts, ", ") + ")"
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
	if c := revision(); c != "" {
		return "devel " + c
	}
	return "devel"
}

// revision is the commit of the checkout that this program was built from, ""
// where it is not recorded.
func revision() string {
	if releaseCommit != "" {
		return releaseCommit
	}
	return setting("vcs.revision")
}

// revisionDate is when that commit was made.
func revisionDate() string {
	if releaseDate != "" {
		return releaseDate
	}
	return setting("vcs.time")
}

// setting is what the go command recorded under a name when it built this
// program.
func setting(name string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == name {
			return s.Value
		}
	}
	return ""
}
