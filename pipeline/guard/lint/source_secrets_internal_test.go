package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// aKey is none that anybody has.
func aKey(i int) string { return fmt.Sprintf("token=q7Zt2Lw9XbR4mK8vN%04d", 1357+i*7) }

func TestManyKeysOfATextAreCounted(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		b.WriteString(aKey(i) + " and\n")
	}
	f := &diag.File{Path: "a.md", Text: b.String()}
	found := secrets(nil, whole(f, []string{"p"}))
	last := found[len(found)-1]
	if diff := cmp.Diff("and 10 more like it in this file", wording.Message(last)); diff != "" || len(found) != 21 {
		t.Errorf("%d findings: %s", len(found), diff)
	}
}

func TestManyKeysOnALineDoNotHang(_ *testing.T) {
	f := &diag.File{Path: "a.md", Text: strings.Repeat(aKey(1)+" ", 1<<20/30)}
	secrets(nil, whole(f, nil))
}
