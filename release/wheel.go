package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// wheel packs the program where pip installs scripts from: the package has no
// Python, and runs with any version of it.
func wheel(p platform, version string, program file, common []file) (file, error) {
	version, err := pythonVersion(version)
	if err != nil {
		return file{}, err
	}
	stem := strings.ReplaceAll(pythonName, "-", "_") + "-" + version
	info := stem + ".dist-info/"
	program.name = stem + ".data/scripts/" + program.name
	files := []file{program}
	var licences []string
	for _, f := range common {
		if f.name == "README.md" {
			continue // the page has it from the metadata
		}
		licences = append(licences, f.name)
		f.name = info + "licenses/" + f.name
		files = append(files, f)
	}
	files = append(files,
		file{name: info + "METADATA", data: []byte(metadata(version, licences))},
		file{name: info + "WHEEL", data: []byte(wheelTags(p.tags))})
	files = sorted(files)
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	files = append(files, file{name: info + "RECORD", data: []byte(record.String())})
	data, err := zipped(files)
	name := stem + "-py3-none-" + strings.Join(p.tags, ".") + ".whl"
	return file{name: path.Join("python", name), data: data}, err
}

func wheelTags(tags []string) string {
	var b strings.Builder
	b.WriteString("Wheel-Version: 1.0\nGenerator: promptc-release\nRoot-Is-Purelib: false\n")
	for _, tag := range tags {
		b.WriteString("Tag: py3-none-" + tag + "\n")
	}
	return b.String()
}

func metadata(version string, licences []string) string {
	var b strings.Builder
	b.WriteString("Metadata-Version: 2.1\nName: " + pythonName + "\nVersion: " + version + "\nSummary: " + summary + "\n")
	b.WriteString("Home-page: " + homepage + "\nLicense: " + licence + "\n")
	for _, name := range licences {
		b.WriteString("License-File: " + name + "\n")
	}
	b.WriteString("Keywords: prompt,prompts,llm,agents,snapshot,lint\n")
	for _, c := range []string{
		"Environment :: Console", "Intended Audience :: Developers", "License :: OSI Approved :: MIT License",
		"Topic :: Software Development :: Quality Assurance",
	} {
		b.WriteString("Classifier: " + c + "\n")
	}
	b.WriteString("Project-URL: Source, " + homepage + "\nProject-URL: Issues, " + homepage + "/issues\n")
	b.WriteString("Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n" + readme)
	return b.String()
}

// A version of a release; of what comes before one, 1.2.3-rc1, which all kinds of
// packages have a form for (rc.1 has none in .apk files); and of a snapshot.
var (
	released    = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)
	prerelease  = regexp.MustCompile(`^([0-9]+\.[0-9]+\.[0-9]+)-(alpha|beta|rc)([0-9]+)$`)
	development = regexp.MustCompile(`^([0-9]+\.[0-9]+\.[0-9]+)-dev\.([0-9a-z.]+)$`)
)

// pythonVersion writes a version as Python's rules have it (PEP 440), in its
// normal form.
func pythonVersion(version string) (string, error) {
	if released.MatchString(version) {
		return version, nil
	}
	if m := prerelease.FindStringSubmatch(version); m != nil {
		short := map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}
		return m[1] + short[m[2]] + m[3], nil
	}
	if m := development.FindStringSubmatch(version); m != nil {
		return m[1] + ".dev0+" + m[2], nil
	}
	return "", fmt.Errorf("the version %q has no form in Python: releases are 1.2.3, 1.2.3-alpha1, 1.2.3-beta1 or 1.2.3-rc1", version)
}
