package snapshot

import (
	"slices"
	"strings"

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
	m := manifest{Version: manifestVersion, Variants: []variantEntry{}}
	for _, b := range in.Plan.Builds {
		for _, a := range inOrder(in.Artifacts, b) {
			stem := promptFolder(b.Prompt.ID.Str) + "/" + variantFile(a.Variant, b)
			one := prompt.NewSet(len(b.Variants))
			one.Add(a.Variant.Index)
			owner := prompt.Owner{
				Kind: prompt.OutArtifact, Prompt: b.Prompt.ID.Str, Item: a.Variant.Name,
				Text: whole(a), Users: []prompt.Users{{Build: b, Set: one}},
			}
			text := prompt.Output{Path: folder + "/" + fileName(stem, ".txt"), Content: owner.Text.Str, Owner: owner}
			out = append(out, text)
			entry := describe(a, fileName(stem, ".txt"), text.Content)
			if len(a.Beside) > 0 {
				owner.Text = prompt.Literal(toolList(a.Beside))
				tools := prompt.Output{Path: folder + "/" + fileName(stem, toolsExt), Content: owner.Text.Str, Owner: owner}
				out = append(out, tools)
				entry.Tools = &toolsEntry{
					File: fileName(stem, toolsExt), SHA256: sum(tools.Content), Bytes: len(tools.Content), Tokens: a.ToolTokens,
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

// toolList writes definitions as one JSON list, in order, two spaces deep.
func toolList(tools []*prompt.Tool) string {
	list := make([]string, 0, len(tools))
	for _, t := range tools {
		lines := strings.TrimSuffix(t.Canonical, "\n")
		list = append(list, "  "+strings.ReplaceAll(lines, "\n", "\n  "))
	}
	return "[\n" + strings.Join(list, ",\n") + "\n]\n"
}
