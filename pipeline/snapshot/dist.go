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
	var out []prompt.Output
	taken := map[string]bool{}
	m := manifest{Version: manifestVersion, Variants: []variantEntry{}}
	for _, b := range in.Plan.Builds {
		if b.Prompt.Rendered != nil {
			continue // its bytes are those of its files
		}
		for _, a := range inOrder(in.Artifacts, b) {
			stem := promptFolder(b.Prompt.ID.Str) + "/" + variantFile(a.Variant, b)
			emitted, places, ext := emittedBytes(a)
			one := prompt.NewSet(len(b.Variants))
			one.Add(a.Variant.Index)
			owner := prompt.Owner{
				Kind: prompt.OutArtifact, Prompt: b.Prompt.ID.Str, Item: a.Variant.Name,
				Text: emitted, Users: []prompt.Users{{Build: b, Set: one}},
			}
			at := freeName(taken, stem, ext)
			text := prompt.Output{Path: folder + "/" + at, Content: owner.Text.Str, Owner: owner}
			out = append(out, text)
			entry := describe(a, at, text.Content, places)
			if len(a.Beside) > 0 && !isJSON(a) {
				owner.Text = prompt.Literal(dialect.Tools(a.Variant.Dialect, a.Beside))
				at := freeName(taken, stem, toolsExt)
				tools := prompt.Output{Path: folder + "/" + at, Content: owner.Text.Str, Owner: owner}
				out = append(out, tools)
				entry.Tools = &toolsEntry{
					File: at, SHA256: sum(tools.Content), Bytes: len(tools.Content), Tokens: a.ToolTokens,
				}
			}
			m.Variants = append(m.Variants, entry)
		}
	}
	index := prompt.Literal(m.encode())
	out = append(out, prompt.Output{
		Path: folder + "/" + manifestName, Content: index.Str,
		Owner: prompt.Owner{Kind: prompt.OutIndex, Text: index},
	})
	slices.SortFunc(out, byPath)
	return out
}

// isJSON reports whether an artifact is a fragment of a request body.
func isJSON(a *prompt.Artifact) bool { return a.Variant.Dialect != nil && a.Variant.Dialect.JSON }

// emittedBytes gives what the file of an artifact holds, the file's extension,
// and for JSON where each block stands in it. Text keeps its places; in JSON it
// is written with escapes, so that no byte of it has one.
func emittedBytes(a *prompt.Artifact) (prompt.Text, [][]dialect.Place, string) {
	if !isJSON(a) {
		return whole(a), nil, ".txt"
	}
	body := dialect.Encode(a)
	return prompt.Literal(body.Text), body.Places, ".json"
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
