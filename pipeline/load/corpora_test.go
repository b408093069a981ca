package load_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/load"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"io/fs"
	"testing/fstest"
	"os"
	"fmt"
)

// overlay is a folder with a manifest that is not in it.
type overlay struct {
	fs.FS
	manifest string
}

func (o overlay) Open(name string) (fs.File, error) {
	if name == "prompts.yaml" {
		return fstest.MapFS{name: {Data: []byte(o.manifest)}}.Open(name)
	}
	return o.FS.Open(name)
}

// readCorpus reads the files of a corpus that a pattern matches.
func readCorpus(t *testing.T, folder, kind, pattern string) ([]*prompt.Doc, diag.List) {
	t.Helper()
	fsys := overlay{os.DirFS(corpus(t, folder)), fmt.Sprintf("sources: {s: {kind: %s, path: %q}}", kind, pattern)}
	tree, found, err := load.Run(fsys, "prompts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	checkSpans(t, tree, found)
	return tree.Matches[prompt.MatchKey{Path: pattern, Kind: kind}], found
}

func TestTry(t *testing.T) {
	docs, found := readCorpus(t, "skills-broken", "skills", "*/SKILL.md")
	fmt.Println(len(docs), len(found))
	for _, d := range found { fmt.Println(line(d), "|", d.Hint) }
	docs, found = readCorpus(t, "skills", "skills", "*/*/SKILL.md")
	fmt.Println(len(docs), len(found))
	for _, d := range found { fmt.Println(line(d), "|", d.Hint) }
	docs, found = readCorpus(t, "rules", "rules", "**/*.{mdc,md}")
	fmt.Println(len(docs), len(found))
	for _, d := range found { fmt.Println(line(d), "|", d.Hint) }
	docs, found = readCorpus(t, "irregular", "text", "*")
	fmt.Println(len(docs), len(found))
	for _, d := range found { fmt.Println(line(d), "|", d.Hint, d.Detail) }
	docs, found = readCorpus(t, "tools", "tools", "**")
	fmt.Println(len(docs), len(found))
	for _, d := range found { fmt.Println(line(d), "|", d.Hint, d.Detail) }
	docs, found = readCorpus(t, "persona", "identity", "**/IDENTITY.md")
	fmt.Println(len(docs), len(found))
	for _, d := range found { fmt.Println(line(d), "|", d.Hint, d.Detail) }
	for _, d := range docs { for _, l := range d.Labels { fmt.Printf("%q %q\n", l.Name.Str, l.Value.Str)}}
}
