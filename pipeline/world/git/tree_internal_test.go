package git

import (
	"io/fs"
	"testing"
)

// FuzzListing makes file systems of anything: what is taken can be reached,
// and what is not is said.
func FuzzListing(f *testing.F) {
	f.Add("100644 blob 1\ta\x00100755 blob 2\ta/b\x00120000 blob 3\tc/d\x00160000 commit 4\te\x00100644 blob 5\te/f\x00")
	f.Add("100644 blob 1\t\xff\x00100644 blob 1\t..\x00100644 blob 1\t/\x00100644 blob 1\t\x00junk\x00\t\x00")
	f.Add("100644 1 0\ta\x00100644 1 2\tb\x00100644 1 3\tb\x00")
	f.Fuzz(func(t *testing.T, listing string) {
		entries, unmerged := indexEntries(listing)
		trees := treeEntries(listing)
		if len(unmerged) > len(trees) {
			t.Errorf("%d conflicts in %d lines", len(unmerged), len(trees))
		}
		for _, all := range [][]entry{entries, trees} {
			tree := newTree(program{}, "")
			for _, e := range all {
				tree.add(e)
			}
			tree.sort()
			reached := 0
			err := fs.WalkDir(tree, ".", func(p string, d fs.DirEntry, err error) error {
				if n, ok := tree.nodes[p]; !ok || p != "." && !d.IsDir() && n.id == "" {
					t.Errorf("%q is listed, and not there", p)
				} else if p != "." && len(n.below) == 0 {
					reached++
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if want := len(all) - len(tree.unreadable); reached != want {
				t.Errorf("%d of %d entries are reached", reached, want)
			}
		}
	})
}
