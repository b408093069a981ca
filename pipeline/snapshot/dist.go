package snapshot

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/dialect"
	"github.com/promptc-build/promptc/pipeline/internal/par"
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
	out := append(s.files, prompt.Output{Path: folder + "/" + manifestName, Parts: s.manifest(), Owner: prompt.Owner{Kind: prompt.OutIndex}})
	slices.SortFunc(out, byPath)
	return out
}

// shipper collects the files below the artifact folder.
type shipper struct {
	folder  string
	taken   map[string]bool // paths in lower case
	encoder *dialect.Encoder
	files   []prompt.Output
	all     []shipped
}

// shipped is an artifact with its files, by their indices in shipper.files.
type shipped struct {
	*prompt.Artifact
	body int
	// places say where each block stands in a request body.
	places [][]dialect.Place
	beside int // the tools beside a text; -1 where there are none
}

func (s *shipper) ship(a *prompt.Artifact) {
	stem := promptFolder(a.Build.Prompt.ID.Str) + "/" + variantFile(a.Variant, a.Build)
	body := s.encoder.Encode(a)
	one := shipped{Artifact: a, body: s.add(a, stem, artifactExt(a), body.Parts), beside: -1}
	if isJSON(a) {
		one.places = body.Places
	} else if len(a.Beside) > 0 {
		one.beside = s.add(a, stem, toolsExt, []string{s.encoder.Tools(a.Variant.Dialect, a.Beside)})
	}
	s.all = append(s.all, one)
}

// add adds a file, under another name where one has its own already: the
// variant "x=a.tools" in JSON, and the tools of "x=a".
func (s *shipper) add(a *prompt.Artifact, stem, ext string, parts []string) int {
	s.files = append(s.files, prompt.Output{
		Path: s.folder + "/" + freeName(s.taken, fileName(stem, ext), ext), Parts: parts,
		Owner: prompt.Owner{Kind: prompt.OutArtifact, Prompt: a.Build.Prompt.ID.Str, Item: a.Variant.Name},
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

// isJSON reports whether an artifact is a fragment of a request body.
func isJSON(a *prompt.Artifact) bool { return a.Variant.Dialect != nil && a.Variant.Dialect.JSON }

// artifactExt gives the extension of an artifact's file.
func artifactExt(a *prompt.Artifact) string {
	if isJSON(a) {
		return ".json"
	}
	return ".txt"
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

// manifestVersion is the version of the form of manifest.json; its schema is
// schema/dist-manifest.schema.json.
const manifestVersion = 1

// manifest is what production reads beside the artifacts.
type manifest struct {
	Version  int            `json:"version"`
	Variants []variantEntry `json:"variants"`
	// Replaces are files of the build before that may still stand, while a build
	// replaces them; none in the manifest of a build that ended.
	Replaces []fileSum `json:"replaces,omitempty"`
}

// fileSum is a file with the SHA-256 of its bytes.
type fileSum struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// variantEntry describes one variant. Offsets count bytes of its file, or
// where there is a pointer bytes of the decoded string there; an end is the
// offset behind the last byte.
type variantEntry struct {
	Name    string `json:"name"`
	File    string `json:"file"`              // relative to the manifest, with slashes
	Dialect string `json:"dialect,omitempty"` // of a request body; "" for text
	SHA256  string `json:"sha256"`
	Bytes   int    `json:"bytes"`
	Tokens  int    `json:"tokens"`
	Use     int    `json:"use"` // tokens with every slot at its max_tokens
	// ToolTokens count the definitions in a request body in compact JSON; nil
	// where there are none, and for text, whose Tools say it.
	ToolTokens *int           `json:"tool_tokens,omitempty"`
	Tokenizer  string         `json:"tokenizer"`
	Sections   []sectionEntry `json:"sections"`
	Slots      []slotEntry    `json:"slots"`
	Tools      *toolsEntry    `json:"tools,omitempty"`
}

type sectionEntry struct {
	ID      string `json:"id"`
	Pointer string `json:"pointer,omitempty"` // RFC 6901, to a JSON string
	Start   int    `json:"start"`
	End     int    `json:"end"`
}

type slotEntry struct {
	Name      string `json:"name"`
	Pointer   string `json:"pointer,omitempty"` // as of a section
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Optional  bool   `json:"optional,omitempty"`
	MaxTokens int    `json:"max_tokens,omitempty"`
}

type toolsEntry struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"` // of the definitions in compact JSON
}

// located is a part of an artifact and where it stands in its file.
type located struct {
	prompt.Part
	dialect.Place
}

// locate finds the parts of an artifact in its file. Text needs no places: it
// is the parts, one after another.
func locate(a *prompt.Artifact, places [][]dialect.Place) []located {
	var out []located
	add := func(parts []prompt.Part, at dialect.Place) {
		for _, p := range parts {
			out = append(out, located{p, at})
			at.Start += len(p.Text)
		}
	}
	if places == nil {
		add(a.Parts, dialect.Place{})
		return out
	}
	for m, message := range a.Messages {
		for b, block := range message.Blocks {
			add(a.Parts[block.From:block.To], places[m][b])
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

// describe gives the entry of an artifact.
func (s *shipper) describe(one shipped) variantEntry {
	a, body := one.Artifact, s.files[one.body]
	out := variantEntry{
		Name: a.Variant.Name, File: body.Path[len(s.folder)+1:], SHA256: sumOf(body.Parts), Bytes: length(body.Parts),
		Tokens: a.Tokens, Use: a.Use, Tokenizer: a.Variant.Tokenizer,
		Sections: []sectionEntry{}, Slots: []slotEntry{},
	}
	if one.beside >= 0 {
		beside := s.files[one.beside]
		out.Tools = &toolsEntry{File: beside.Path[len(s.folder)+1:], SHA256: sumOf(beside.Parts), Bytes: length(beside.Parts), Tokens: a.ToolTokens}
	}
	if isJSON(a) {
		out.Dialect = a.Variant.Dialect.Name
		if len(a.Beside) > 0 {
			out.ToolTokens = &a.ToolTokens
		}
	}
	for _, p := range locate(a, one.places) {
		if p.Section >= 0 && p.Text != "" {
			id := a.Build.Prompt.Sections[p.Section].ID.Str
			out.Sections = append(out.Sections, sectionEntry{
				ID: id, Pointer: p.Pointer, Start: p.Place.Start, End: p.Place.Start + len(p.Text),
			})
		}
		if p.Rendering != nil && p.Rendering.Text.Str == p.Text {
			for _, at := range p.Rendering.Slots {
				out.Slots = append(out.Slots, slotEntry{
					Name: at.Slot.Name.Str, Pointer: p.Pointer, Start: p.Place.Start + at.Start, End: p.Place.Start + at.End,
					Optional: at.Slot.Optional, MaxTokens: at.Slot.MaxTokens,
				})
			}
		}
	}
	return out
}

// manifest writes the manifest as JSON, two spaces deep, with a final line
// break, in parts: with many variants it is long.
func (s *shipper) manifest() []string {
	out := []string{fmt.Sprintf("{\n  \"version\": %d,\n  \"variants\": [", manifestVersion)}
	for i, entry := range par.Map(s.all, s.entry) {
		if i > 0 {
			out = append(out, ",")
		}
		out = append(out, entry)
	}
	if len(s.all) == 0 {
		return append(out, "]\n}\n")
	}
	return append(out, "\n  ]\n}\n")
}

// entry writes the entry of an artifact as it stands in the list, behind a line
// break.
func (s *shipper) entry(one shipped) string {
	const margin = "    "
	var b bytes.Buffer
	b.WriteString("\n" + margin)
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(margin, "  ")
	_ = e.Encode(s.describe(one)) // strings, numbers and lists always encode
	return strings.TrimSuffix(b.String(), "\n")
}

// interim gives the manifest of a build while it replaces files: it records those
// too, so that the next build knows what a killed one left.
func interim(final prompt.Output, replaced []fileSum) *prompt.Output {
	if len(replaced) == 0 {
		return nil
	}
	folder := path.Dir(final.Path) + "/"
	entries := make([]fileSum, len(replaced))
	for i, r := range replaced {
		entries[i] = fileSum{strings.TrimPrefix(r.File, folder), r.SHA256}
	}
	list, _ := json.MarshalIndent(entries, "  ", "  ") // strings always encode
	end := len(final.Parts) - 1
	closed := strings.TrimSuffix(final.Parts[end], "\n}\n") + ",\n  \"replaces\": " + string(list) + "\n}\n"
	return &prompt.Output{Path: final.Path, Parts: append(slices.Clone(final.Parts[:end]), closed), Owner: final.Owner}
}
