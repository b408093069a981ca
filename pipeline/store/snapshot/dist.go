package snapshot

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground/request"
)

// manifestName is the file below the artifact folder that says what is there.
const manifestName = "manifest.json"

// wantArtifacts builds every file below the artifact folder, sorted by path;
// nothing where no artifacts are asked for. It is pure.
func wantArtifacts(in Input, folder string) []assembly.Output {
	if folder == "" {
		return nil
	}
	s := shipper{in: in, folder: folder, taken: map[string]bool{}, encoder: dialect.NewEncoder()}
	byBuild := in.Plan.ByBuild(in.Artifacts)
	for _, b := range in.Plan.Builds {
		if b.Prompt.Rendered != nil {
			continue // its bytes are those of its files
		}
		s.builds = append(s.builds, b)
		for _, a := range byBuild[b] {
			if a != nil {
				s.ship(a)
			}
		}
	}
	out := append(s.files, assembly.Output{Path: folder + "/" + manifestName, Parts: s.manifest(), Owner: assembly.Owner{Kind: assembly.OutIndex}})
	slices.SortFunc(out, byPath)
	return out
}

// shipper collects the files below the artifact folder.
type shipper struct {
	in      Input
	folder  string
	taken   map[string]bool // paths in lower case
	encoder *dialect.Encoder
	files   []assembly.Output
	builds  []*assembly.Build
	all     []shipped // by build
}

// shipped is an artifact with its files, by their indices in shipper.files.
type shipped struct {
	*assembly.Artifact
	body int
	// places say where each block stands in a request body.
	places [][]request.Place
	beside int // the tools beside a text; -1 where there are none
}

func (s *shipper) ship(a *assembly.Artifact) {
	stem := promptFolder(a.Build.Prompt.ID.Str) + "/" + variantFile(a.Variant, a.Build)
	body := s.encoder.Encode(a)
	one := shipped{Artifact: a, body: s.add(a, stem, artifactExt(a), body.Parts), beside: -1}
	if a.Variant.Shape().JSON {
		one.places = body.Places
	} else if len(a.Beside) > 0 {
		one.beside = s.add(a, stem, toolsExt, []string{s.encoder.Tools(a.Variant.Dialect, a.Beside)})
	}
	s.all = append(s.all, one)
}

// add adds a file, under another name where one has its own already: the
// variant "x=a.tools" in JSON, and the tools of "x=a".
func (s *shipper) add(a *assembly.Artifact, stem, ext string, parts []string) int {
	s.files = append(s.files, assembly.Output{
		Path: s.folder + "/" + freeName(s.taken, fileName(stem, ext), ext), Parts: parts,
		Owner: assembly.Owner{Kind: assembly.OutArtifact, Prompt: a.Build.Prompt.ID.Str, Item: a.Variant.Name},
	})
	return len(s.files) - 1
}

// sumOf gives the SHA-256 of parts joined, in hex digits.
func sumOf(parts []string) string {
	sum := sha256.New()
	buffer := bufio.NewWriter(sum)
	for _, p := range parts {
		_, _ = buffer.WriteString(p) // a hash takes everything
	}
	_ = buffer.Flush()
	return hex.EncodeToString(sum.Sum(nil))
}

// artifactExt gives the extension of an artifact's file.
func artifactExt(a *assembly.Artifact) string {
	if a.Variant.Shape().JSON {
		return ".json"
	}
	return ".txt"
}

// toolsExt ends the names of the schemas beside a text.
const toolsExt = ".tools.json"

// located is a part of an artifact and where it stands in its file.
type located struct {
	assembly.Part
	request.Place
	// join is where the join before a section starts; below zero where nothing
	// stands before the section in its message.
	join int
}

// locate finds the parts of an artifact in its file. Text needs no places: it
// is the parts, one after another.
func locate(a *assembly.Artifact, places [][]request.Place) []located {
	var out []located
	add := func(parts []assembly.Part, at request.Place, first bool) {
		join := at.Start
		for i, p := range parts {
			if first && i == 0 {
				join = -1
			}
			out = append(out, located{p, at, join})
			if join = at.Start; p.Section >= 0 || p.Passage != nil {
				join += len(p.Text) // else the part is the join
			}
			at.Start += len(p.Text)
		}
	}
	if places == nil {
		add(a.Parts, request.Place{}, true)
		return out
	}
	for m, message := range a.Messages {
		for b, block := range message.Blocks {
			add(a.Parts[block.From:block.To], places[m][b], b == 0)
		}
	}
	return out
}

func length(parts []string) int {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	return n
}

// interim gives the manifest of a build while it replaces files: it records those
// too, so that the next build knows what a killed one left.
func interim(final assembly.Output, files []replaced) *assembly.Output {
	if len(files) == 0 {
		return nil
	}
	folder := path.Dir(final.Path) + "/"
	entries := make([]fileSum, len(files))
	for i, r := range files {
		entries[i] = fileSum{strings.TrimPrefix(r.File, folder), r.SHA256}
	}
	list, _ := json.MarshalIndent(entries, "  ", "  ") // strings always encode
	end := len(final.Parts) - 1
	closed := strings.TrimSuffix(final.Parts[end], "\n}\n") + ",\n  \"replaces\": " + string(list) + "\n}\n"
	return &assembly.Output{Path: final.Path, Parts: append(slices.Clone(final.Parts[:end]), closed), Owner: final.Owner}
}
