package pipeline

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/ground/code"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
)

// valueSigns are parts of keys that a file of data has if it holds prompts and its path
// does not say so: what has none of them is not parsed.
var valueSigns = [][]byte{[]byte("prompt"), []byte("Prompt"), []byte("system"), []byte("nstruction"), []byte("backstory"), []byte("persona"), []byte("preamble"), []byte("expected_output"), []byte("roleDefinition"), []byte("messages"), []byte("conversation")}

// mayDefineTools reports whether JSON has keys that every definition of a tool has.
func mayDefineTools(text []byte) bool {
	return bytes.Contains(text, []byte(`"name"`)) &&
		slices.ContainsFunc([]string{`"parameters`, `"input_schema"`, `"inputSchema"`, `"function`}, func(key string) bool { return bytes.Contains(text, []byte(key)) })
}

// product finds what a file holds of a product's prompts; nil for nothing.
func (a *adopting) product(state fs.FS, name string) *scaffold.Product {
	sort := scaffold.Seek(name)
	if sort == scaffold.Nothing || sort == scaffold.SentBody && a.noBodies {
		return nil
	}
	most := maxText
	if sort == scaffold.ValueFile || sort == scaffold.CodeFile {
		most = maxLookedAt
	}
	text := textIn(state, name, most)
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	said := string(text)
	switch {
	case sort == scaffold.CodeFile:
		return literals(name, said)
	case sort == scaffold.SavedText, sort == scaffold.SentBody:
		return saved(name, sort, text)
	case sort == scaffold.PromptFile && scaffold.IsPrompt(said, scaffold.LeastOfFile(name)):
		return &scaffold.Product{Sort: sort, Template: scaffold.LanguageOf(name, said)}
	case sort == scaffold.AgentFile && scaffold.IsAgent(load.Front(name, text), said):
		return &scaffold.Product{Sort: scaffold.PromptFile, Template: scaffold.LanguageOf(name, said)}
	case sort == scaffold.PromptFile, sort == scaffold.AgentFile:
		return nil
	}
	if !scaffold.SaysPrompt(name) && !slices.ContainsFunc(valueSigns, func(sign []byte) bool { return bytes.Contains(text, sign) }) {
		return nil
	}
	root := load.Data(name, text)
	if root == nil {
		return nil
	}
	isBody := root.Field("model") != nil && scaffold.IsTalk(root.Field("messages"))
	if (isBody || scaffold.IsTalk(root)) && scaffold.IsPrompt(said, scaffold.LeastOfFile(name)) { // no pointer leads to a whole file
		return &scaffold.Product{Sort: scaffold.PromptFile, Template: scaffold.LanguageOf(name, said)}
	}
	out := &scaffold.Product{Sort: sort}
	if out.Values = scaffold.Values(name, root); out.Values == nil {
		return nil
	}
	out.Again = func(like []scaffold.ValuePattern) []scaffold.ValuePattern { return scaffold.Besides(name, root, like) }
	return out
}

// codeSigns are parts of what a file of code has if it holds prompts and its path does not
// say so.
var codeSigns = []string{"rompt", "ROMPT", "nstruction", "NSTRUCTION", "You are ", "escri", "ackstory", "oleDefinition", "system", "SYSTEM", "persona"}

// literals looks for prompts in a file of code; nil for none.
func literals(name, text string) *scaffold.Product {
	if !scaffold.SaysPrompt(name) && !slices.ContainsFunc(codeSigns, func(sign string) bool { return strings.Contains(text, sign) }) {
		return nil
	}
	symbols, texts := scaffold.Symbols(name, code.Read(&diag.File{Path: name, Text: text}))
	if symbols == nil {
		return nil
	}
	template := scaffold.LanguageOf("", strings.Join(texts, "\n"))
	if template == "f-string" && path.Ext(name) != ".py" {
		template = "" // braces of something else
	}
	return &scaffold.Product{Sort: scaffold.CodeFile, Symbols: symbols, Template: template}
}

// saved looks for prompts in a file that a test wrote.
func saved(name string, sort scaffold.Sought, text []byte) *scaffold.Product {
	doc, _ := load.Look(name, text)
	seen := scaffold.Snapshot{Path: name, Sort: scaffold.Broken}
	if doc != nil {
		seen = look(doc)
		isPrompt := sort == scaffold.SentBody
		for _, e := range doc.Saved {
			isPrompt = isPrompt || e.Sent != nil || scaffold.IsSavedPrompt(name, e.Value.Str)
		}
		isPrompt = isPrompt || doc.Saved == nil && scaffold.IsSavedPrompt(name, doc.Body.Str)
		if !isPrompt && seen.Sort == scaffold.Prompt {
			seen.Sort = scaffold.Unasked
		}
	}
	return &scaffold.Product{Sort: sort, Saved: &seen}
}
