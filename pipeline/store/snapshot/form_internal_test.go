package snapshot

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
)

// An orphan's path is all that there is to tell what it was made from.
func TestOwnersByThePathsOfFiles(t *testing.T) {
	for rel, want := range map[string]assembly.Owner{
		"README.md":                         {},
		"p/outline.txt":                     {Kind: assembly.OutOutline, Prompt: "p"},
		"p/sections/soul.txt":               {Kind: assembly.OutRendering, Prompt: "p", Section: "soul"},
		"p/sections/soul@size=s.txt":        {Kind: assembly.OutRendering, Prompt: "p", Section: "soul@size=s"},
		"p/sections/skills/commit.txt":      {Kind: assembly.OutItem, Prompt: "p", Section: "skills", Item: "commit"},
		"p/sections/tools/mcp/a.b.txt":      {Kind: assembly.OutItem, Prompt: "p", Section: "tools", Item: "mcp/a.b"},
		"p/tools/exec.json":                 {Kind: assembly.OutTool, Prompt: "p", Item: "exec"},
		"p/full/size=s.json":                {Kind: assembly.OutFull, Prompt: "p", Item: "size=s"},
		"p/legend~two.txt":                  {Kind: assembly.OutContent, Prompt: "p", Item: "legend~two"},
		"p/files/src/a.go.txt":              {Kind: assembly.OutContent, Prompt: "p", Item: "files/src/a.go"},
		"p/sections/.soul.txt1234567":       {Prompt: "p"},
		"p/.outline.txt1234567":             {Prompt: "p"},
		".README.md1234567":                 {},
		"p/sections/a/b/c/deeper/still.txt": {Kind: assembly.OutItem, Prompt: "p", Section: "a", Item: "b/c/deeper/still"},
	} {
		if d := cmp.Diff(want, ownerOf("snap/shots", "snap/shots/"+rel), cmp.AllowUnexported(ground.Text{})); d != "" {
			t.Errorf("%s (-want +got):\n%s", rel, d)
		}
	}
}
