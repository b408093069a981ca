package main

import (
	"fmt"
	"slices"
)

// platform is a system that there are archives for, under the names that each
// registry has for it.
type platform struct {
	goos, goarch string
	// os and cpu are npm's, which are Node's process.platform and process.arch.
	os, cpu string
	// tags are those of a wheel. The program for Linux is static, so that it
	// runs with either C library. Go 1.26 needs macOS 12.
	tags []string
}

var platforms = []platform{
	{"linux", "amd64", "linux", "x64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	{"linux", "arm64", "linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	{"darwin", "amd64", "darwin", "x64", []string{"macosx_12_0_x86_64"}},
	{"darwin", "arm64", "darwin", "arm64", []string{"macosx_12_0_arm64"}},
	{"windows", "amd64", "win32", "x64", []string{"win_amd64"}},
	{"windows", "arm64", "win32", "arm64", []string{"win_arm64"}},
}

// program is the name of the file.
func (p platform) program() string {
	if p.goos == "windows" {
		return "promptc.exe"
	}
	return "promptc"
}

// archive is the name that .goreleaser.yaml gives.
func (p platform) archive(version string) string {
	name := "promptc_" + version + "_" + p.goos + "_" + p.goarch
	if p.goos == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

// scoped is the name of the platform's package on npm.
func (p platform) scoped() string { return npmScope + "/" + p.os + "-" + p.cpu }

// platformsNamed gives the platforms of names such as linux/amd64, and all of them
// where nothing is named.
func platformsNamed(names []string) ([]platform, error) {
	if len(names) == 0 {
		return platforms, nil
	}
	var out []platform
	for _, name := range names {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.goos+"/"+p.goarch == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no release for %q", name)
		}
		out = append(out, platforms[i])
	}
	return out, nil
}
