package snapshot

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/dialect"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// manifestName is the file below the artifact folder that says what is there.
const manifestName = "manifest.json"

// wantArtifacts builds every file below the artifact folder, sorted by path;
// nothing where no artifacts are asked for. It is pure.
func wantArtifacts(in Input, folder string) []prompt.Output {
	if folder == "" {
		return nil
	}
	s := shipper{folder: folder, taken: map[string]bool{}, encoder: dialect.NewEncoder()}
	for _, b := range in.Plan.Builds {
		if b.Prompt.Rendered != nil {
			continue // its bytes are those of its files
		}
		for _, a := range inOrder(in.Artifacts, b) {
			s.ship(a)
		}
	}
	out := append(s.outputs, prompt.Output{
		Path: folder + "/" + manifestName, Parts: encode(s.all), Owner: prompt.Owner{Kind: prompt.OutIndex},
	})
	slices.SortFunc(out, byPath)
	return out
}

// shipper collects the files below the artifact folder.
type shipper struct {
	folder  string
	taken   map[string]bool // paths in lower case
	encoder *dialect.Encoder
	outputs []prompt.Output
	all     []shipped
}

// shipped is an artifact with its files, the paths of which are below the
// folder.
type shipped struct {
	*prompt.Artifact
	body shippedFile
	// places say where each block stands in a request body.
	places [][]dialect.Place
	beside shippedFile // the tools beside a text; without a path where there are none
}

type shippedFile struct {
	path  string
	parts []string
}

func (s *shipper) ship(a *prompt.Artifact) {
	stem := promptFolder(a.Build.Prompt.ID.Str) + "/" + variantFile(a.Variant, a.Build)
	body, one := s.encoder.Encode(a), shipped{Artifact: a}
	one.body = s.add(a, freeName(s.taken, stem, artifactExt(a)), body.Parts)
	if isJSON(a) {
		one.places = body.Places
	} else if len(a.Beside) > 0 {
		one.beside = s.add(a, freeName(s.taken, stem, toolsExt), []string{s.encoder.Tools(a.Variant.Dialect, a.Beside)})
	}
	s.all = append(s.all, one)
}

func (s *shipper) add(a *prompt.Artifact, path string, parts []string) shippedFile {
	s.outputs = append(s.outputs, prompt.Output{
		Path: s.folder + "/" + path, Parts: parts,
		Owner: prompt.Owner{Kind: prompt.OutArtifact, Prompt: a.Build.Prompt.ID.Str, Item: a.Variant.Name},
	})
	return shippedFile{path, parts}
}

// isJSON reports whether an artifact is a fragment of a request body.
func isJSON(a *prompt.Artifact) bool { return a.Variant.Dialect != nil && a.Variant.Dialect.JSON }

// artifactExt gives the extension of an artifact's file.
func artifactExt(a *prompt.Artifact) string {
	if isJSON(a) {
		return ".json"
	}
	return ".txt"
}

// freeName gives a file's name, numbered where another has it already: the
// variant "x=a.tools" in JSON, and the tools of "x=a".
func freeName(taken map[string]bool, stem, ext string) string {
	free := fileName(stem, ext)
	for n := 2; taken[lower(free)]; n++ {
		free = numbered(fileName(stem, ext), ext, n)
	}
	taken[lower(free)] = true
	return free
}

// toolsExt ends the names of the schemas beside a text.
const toolsExt = ".tools.json"

// inOrder gives a prompt's artifacts in the order of its variants.
func inOrder(all []*prompt.Artifact, b *prompt.Build) []*prompt.Artifact {
	var out []*prompt.Artifact
	for _, a := range all {
		if a != nil && a.Build == b {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(x, y *prompt.Artifact) int { return x.Variant.Index - y.Variant.Index })
	return out
}
