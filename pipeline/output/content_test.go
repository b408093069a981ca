package output_test

import (
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/store"
)

// content is a file of what a conversation says; its text is that of a file
// of the workspace between fences.
func (p *persona) content(item, before, after string, status store.Status) store.Change {
	source := &diag.File{Path: "workspace/" + strings.TrimPrefix(item, "files/"), Text: after}
	var b ground.Builder
	b.WriteString("```\n")
	b.WriteText(ground.Verbatim(diag.Span{File: source, End: len(after)}))
	b.WriteString("```\n")
	out := store.Change{Status: status, Output: assembly.Output{
		Path: "snapshots/persona/" + item + ".txt", Parts: []string{b.Text().Str},
		Owner: assembly.Owner{Kind: assembly.OutContent, Prompt: "persona", Item: item, Text: b.Text(), Users: p.users(0, 1)},
	}}
	if status == store.Changed {
		out.Old = "```\n" + before + "```\n"
	}
	return out
}

func orphan(path string, owner assembly.Owner) store.Change {
	return store.Change{Status: store.Orphaned, Old: "gone\n", Output: assembly.Output{Path: path, Owner: owner}}
}

func contentOf(item string) assembly.Owner {
	return assembly.Owner{Kind: assembly.OutContent, Prompt: "persona", Item: item}
}

func sectionOf(section string) assembly.Owner {
	return assembly.Owner{Kind: assembly.OutRendering, Prompt: "persona", Section: section}
}

func TestCheckShowsWhatConversationsSayAsItems(t *testing.T) {
	p := newPersona()
	image := p.content("images/long/1", "image/png\n68 bytes\n", "image/png\n70 bytes\n", store.Changed)
	image.Output.Owner.Image = true
	p.result.Delta.Snapshots = []store.Change{
		p.content("files/src/a.go", "package a\n\nvar x = 1\n", "package a\n\nvar x = 2\n", store.Changed),
		p.content("files/b.go", "", "package b\n", store.Added),
		orphan("snapshots/persona/legend.txt", contentOf("legend")),
		orphan("snapshots/persona/history/long/0-user.txt", contentOf("history/long/0-user")),
		image,
	}
	equal(t, p.check(t, words.Options{Count: wordCount}), `persona  files/b.go  snapshot missing            workspace/b.go:1   +4 tokens
  in 2 of 5: entry=full
persona  files/src/a.go  text changed            workspace/src/a.go:3   ±0 tokens
  in 2 of 5: entry=full
  @@ line 4 @@

  -var x = 1
  +var x = 2
   `+"```"+`
persona  history/long/0-user  no longer built    snapshots/persona/history/long/0-user.txt   -1 token
persona  images/long/1  changed                  workspace/images/long/1:2
  in 2 of 5: entry=full
  @@ line 3 @@
   image/png
  -68 bytes
  +70 bytes
   `+"```"+`
persona  legend  no longer built                 snapshots/persona/legend.txt   -1 token
snapshots are out of date: 2 items changed, 1 item missing, 2 items no longer built
run: promptc build
`)
}

func TestJSONCallsWhatConversationsSayContent(t *testing.T) {
	p := newPersona()
	p.result.Delta.Snapshots = []store.Change{
		p.content("files/a.go", "x\n", "y\n", store.Changed), orphan("snapshots/persona/tree.txt", contentOf("tree")),
		orphan("snapshots/persona/.trees.txt123", assembly.Owner{Prompt: "persona"}), orphan("snapshots/persona/legend~two.txt", contentOf("legend~two")),
	}
	got := p.json(t, run.Outcome{Command: "check"}, words.Options{})
	for _, want := range []string{
		"\"kind\": \"content\",\n      \"prompt\": \"persona\",\n      \"item\": \"files/a.go\",\n      \"source\": {\n        \"file\": \"workspace/a.go\"",
		"\"kind\": \"content\",\n      \"prompt\": \"persona\",\n      \"item\": \"tree\"\n",
		"\"kind\": \"content\",\n      \"prompt\": \"persona\",\n      \"item\": \"legend~two\"\n",
		"\"path\": \"snapshots/persona/.trees.txt123\",\n      \"status\": \"orphaned\",\n      \"kind\": \"index\",",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis not in\n%s", want, got)
		}
	}
}

// A whole request body has its texts on one line each; it is not shown again
// where the items show all that differs in it.
func TestAWholeRequestBodyFollowsItsItems(t *testing.T) {
	full := func(before, after string) store.Change {
		return store.Change{Status: store.Changed, Old: before, Output: assembly.Output{
			Path: "snapshots/persona/full/entry=full,tools=native.json", Parts: []string{after},
			Owner: assembly.Owner{Kind: assembly.OutFull, Prompt: "persona", Item: "persona/entry=full,tools=native"},
		}}
	}
	const old, made = `{"messages": [{"role": "user", "content": "# Files\n\nx\n\nend"}], "n": 1}`, `{"messages": [{"role": "user", "content": "# Files\n\ny\n\nend"}], "n": 1}`
	for _, c := range []struct {
		name, before, after string
		follows             bool
	}{
		{"the item's line alone", old, made, true},
		{"another line, too", old, strings.Replace(made, "end", "END", 1), false},
		{"another role", old, strings.Replace(made, "user", "assistant", 1), false},
		{"another number", old, strings.Replace(made, "1", "2", 1), false},
		{"no JSON", "{", made, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPersona()
			p.result.Delta.Snapshots = []store.Change{p.content("files/a.go", "x\n", "y\n", store.Changed), full(c.before, c.after)}
			got := p.check(t, words.Options{Count: wordCount})
			if follows := strings.Contains(got, "1 item changed (persona full entry=full,tools=native follows)"); follows != c.follows {
				t.Error(got)
			}
			if !c.follows && strings.Contains(got, "json   ") {
				t.Errorf("a request body has no tokens:\n%s", got)
			}
		})
	}
}

func TestAWholeRequestBodyFollowsItsTools(t *testing.T) {
	p := newPersona()
	tool := store.Change{Status: store.Changed, Old: `{"name": "exec", "description": "Runs.", "inputSchema": {}}`, Output: assembly.Output{
		Path: "snapshots/persona/tools/exec.json", Parts: []string{`{"name": "exec", "description": "Runs it.", "inputSchema": {}}`},
		Owner: assembly.Owner{Kind: assembly.OutTool, Prompt: "persona", Item: "exec"},
	}}
	full := store.Change{Status: store.Changed, Old: `{"tools": [{"name": "exec", "description": "Runs.", "parameters": {}}]}`, Output: assembly.Output{
		Path: "snapshots/persona/full/a.json", Parts: []string{`{"tools": [{"name": "exec", "description": "Runs it.", "parameters": {}}]}`},
		Owner: assembly.Owner{Kind: assembly.OutFull, Prompt: "persona", Item: "persona/a"},
	}}
	p.result.Delta.Snapshots = []store.Change{full, tool}
	if got := p.check(t, words.Options{}); !strings.Contains(got, "1 tool changed (persona full a follows)") {
		t.Error(got)
	}
}
