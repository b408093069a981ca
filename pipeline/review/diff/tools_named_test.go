package diff_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/tests/testproject"
)

// naming is a project whose texts name tools in words of their own.
const naming = `version: 1
sources: {tools: {kind: tools, path: "tools/*.json"}}
prompts:
  p:
    axes: {size: [small, large], mode: [ask, act]}
    sections:
      - {id: role, path: "role-{size}.md"}
      - {id: tools, source: tools, form: %s}
`

const readTool = `{"name": "read_file", "description": "Reads a file.", "inputSchema": {"type": "object"}}`

const saveTool = `{"name": "save_file", "description": "Saves a file.", "inputSchema": {"type": "object"}}`

// TestATextThatNamedAToolBeforeIsNotReached holds that a tool that comes to a
// toolset changes nothing for those who send what they sent.
func TestATextThatNamedAToolBeforeIsNotReached(t *testing.T) {
	base := testproject.From(map[string]string{
		manifest:          fmt.Sprintf(naming, "[{when: {size: small}, value: declare}, {value: schemas}]"),
		"role-small.md":   "Use `read_file` and `save_file`.\n",
		"role-large.md":   "Use `read_file` and `save_file`.\n",
		"tools/read.json": readTool,
	})
	head := with(t, base, "tools/save.json", "", saveTool)
	want := []string{"tool-added save_file tools/save.json:1 | p: size=large +20"}
	if diff := cmp.Diff(want, told(differ(t, base, head))); diff != "" {
		t.Error(diff)
	}
	want = []string{"tool-removed save_file tools/save.json:1 (base) | p: size=large -20, not size=small: form declare"}
	if diff := cmp.Diff(want, told(differ(t, head, base))); diff != "" {
		t.Error(diff)
	}
}

// TestANewToolThatOnlySomeTextsName holds that a schema which all send does not
// hide the texts that do not name the tool; those that name none never could.
func TestANewToolThatOnlySomeTextsName(t *testing.T) {
	base := testproject.From(map[string]string{
		manifest:          fmt.Sprintf(naming, "schemas"),
		"role-small.md":   "Use `read_file`.\n",
		"role-large.md":   "Use `read_file`.\n",
		"tools/read.json": readTool,
	})
	head := with(t, with(t, base, "tools/save.json", "", saveTool), "role-large.md", "`read_file`", "`read_file` and `save_file`")
	got := told(differ(t, base, head))
	want := "tool-added save_file tools/save.json:1 | p: all +20, not size=small: unnamed"
	if got[len(got)-1] != want {
		t.Errorf("got %q, want %q at the end", got, want)
	}
	silent := with(t, base, "role-small.md", "Use `read_file`.", "Be brief.")
	head = with(t, with(t, silent, "tools/save.json", "", saveTool), "role-large.md", "`read_file`", "`read_file` and `save_file`")
	got = told(differ(t, silent, head))
	want = "tool-added save_file tools/save.json:1 | p: all +20"
	if got[len(got)-1] != want {
		t.Errorf("got %q, want %q at the end", got, want)
	}
}
