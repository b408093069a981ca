package validate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/promptc-build/promptc/pipeline/internal/surely"
	loading "github.com/promptc-build/promptc/pipeline/load"
)

// TestTheLibraryIsNotAskedAboutThisRepository holds because a check of valid
// prompts is as quick as that.
func TestTheLibraryIsNotAskedAboutThisRepository(t *testing.T) {
	tree, found, err := loading.Run(os.DirFS(filepath.Join("..", "..")), "prompts.yaml", Language{})
	if err != nil || found.HasErrors() {
		t.Fatal(err, found)
	}
	if !surely.Valid(manifestRef, tree.Manifest) {
		t.Error("the manifest is not surely valid")
	}
	c := newChecker()
	docs := newDocuments(c)
	docs.tree(tree)
	if len(docs.tools) == 0 || len(docs.talks) == 0 || len(docs.goals) == 0 {
		t.Errorf("there are %d files of tools, %d of conversations, %d of goals", len(docs.tools), len(docs.talks), len(docs.goals))
	}
	for ref := range c.compiled {
		t.Errorf("%s was compiled", ref)
	}
	for name := range c.raw {
		t.Errorf("%s was parsed", name)
	}
}
