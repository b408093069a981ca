package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// pack makes the packages of platforms, in the folders npm and python of the
// folder that goreleaser wrote, and packages.txt with their checksums.
func pack(dist string, packed []platform) error {
	version, err := versionOf(dist)
	if err != nil {
		return err
	}
	about := file{name: "README.md", data: []byte(readme)}
	var out []file
	var common []file
	for _, p := range packed {
		files, err := contents(filepath.Join(dist, p.archive(version)), p)
		if err != nil {
			return err
		}
		program := files[0]
		if len(program.data) > maxProgram {
			return &tooLarge{p, len(program.data)}
		}
		common = append(files[1:], about)
		tarball, err := npmPlatform(p, version, program, common)
		if err != nil {
			return err
		}
		wheel, err := wheel(p, version, program, common)
		if err != nil {
			return err
		}
		out = append(out, tarball, wheel)
	}
	main, err := npmMain(version, common)
	if err != nil {
		return err
	}
	return writePackages(dist, append(out, main))
}

// versionOf reads the version from what goreleaser left behind.
func versionOf(dist string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dist, "metadata.json"))
	if err != nil {
		return "", err
	}
	var metadata struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &metadata); err != nil {
		return "", fmt.Errorf("metadata.json: %w", err)
	}
	if metadata.Version == "" {
		return "", errors.New("metadata.json has no version")
	}
	return metadata.Version, nil
}

// writePackages replaces the packages that are there.
func writePackages(dist string, packages []file) error {
	for _, folder := range []string{"npm", "python"} {
		if err := os.RemoveAll(filepath.Join(dist, folder)); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(dist, folder), 0o755); err != nil {
			return err
		}
	}
	var sums strings.Builder
	for _, f := range sorted(packages) {
		if err := os.WriteFile(filepath.Join(dist, filepath.FromSlash(f.name)), f.data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(f.data), f.name)
	}
	return os.WriteFile(filepath.Join(dist, "packages.txt"), []byte(sums.String()), 0o644)
}
