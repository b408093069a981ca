package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// document is what goreleaser knows of a program.
type document struct {
	name    string // of the document
	version string
	date    string // of the commit
}

// The fields of SPDX 2.3 that are used. Where nobody looked, they say so.
type spdx struct {
	Version       string         `json:"spdxVersion"`
	License       string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      spdxCreation   `json:"creationInfo"`
	Packages      []spdxPackage  `json:"packages"`
	Relationships []spdxRelation `json:"relationships"`
}

type spdxCreation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	Name      string         `json:"name"`
	ID        string         `json:"SPDXID"`
	Version   string         `json:"versionInfo"`
	Location  string         `json:"downloadLocation"`
	Analyzed  bool           `json:"filesAnalyzed"`
	Concluded string         `json:"licenseConcluded"`
	Declared  string         `json:"licenseDeclared"`
	Copyright string         `json:"copyrightText"`
	Purpose   string         `json:"primaryPackagePurpose"`
	Checksums []spdxChecksum `json:"checksums,omitempty"`
	Refs      []spdxRef      `json:"externalRefs"`
}

type spdxChecksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type spdxRef struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type spdxRelation struct {
	From string `json:"spdxElementId"`
	Type string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

const noAssertion = "NOASSERTION"

// writeSBOM lists the modules that a program was linked from, as the linker
// recorded them.
func writeSBOM(program string, d document, path string) error {
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	info, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	text, err := bill(info, fmt.Sprintf("%x", sha256.Sum256(data)), d)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func bill(info *buildinfo.BuildInfo, sum string, d document) ([]byte, error) {
	main := library(info.Main.Path, d.version, "SPDXRef-Package-promptc")
	main.Purpose, main.Declared = "APPLICATION", licence
	main.Checksums = []spdxChecksum{{"SHA256", sum}}
	out := spdx{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: d.name,
		Namespace: homepage + "/spdx/" + d.name + "-" + sum,
		Creation:  spdxCreation{d.date, []string{"Tool: promptc-release"}},
		Packages:  []spdxPackage{main, library("stdlib", strings.TrimPrefix(info.GoVersion, "go"), "SPDXRef-Package-1")},
		Relationships: []spdxRelation{
			{"SPDXRef-DOCUMENT", "DESCRIBES", main.ID},
		},
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			return nil, fmt.Errorf("%s is replaced: a release is built from published modules", m.Path)
		}
		out.Packages = append(out.Packages, library(m.Path, m.Version, fmt.Sprintf("SPDXRef-Package-%d", len(out.Packages))))
	}
	for _, p := range out.Packages[1:] {
		out.Relationships = append(out.Relationships, spdxRelation{main.ID, "DEPENDS_ON", p.ID})
	}
	text, err := json.MarshalIndent(out, "", "  ")
	return append(text, '\n'), err
}

func library(path, version, id string) spdxPackage {
	return spdxPackage{
		Name: path, ID: id, Version: version, Location: noAssertion,
		Concluded: noAssertion, Declared: noAssertion, Copyright: noAssertion, Purpose: "LIBRARY",
		Refs: []spdxRef{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")}},
	}
}
