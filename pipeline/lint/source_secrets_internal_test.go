package lint

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// aKey is none that anybody has.
func aKey(i int) string { return fmt.Sprintf("token=q7Zt2Lw9XbR4mK8vN%04d", 1357+i*7) }

// TestEveryKeyIsHidden: also those that are only counted.
func TestEveryKeyIsHidden(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		b.WriteString(aKey(i) + " and\n")
	}
	f := &diag.File{Path: "a.md", Text: b.String()}
	found := secrets(nil, whole(f, []string{"p"}))
	hidden := make([]bool, len(f.Text))
	for _, d := range found {
		for i := d.Hides.Start; i < d.Hides.End; i++ {
			hidden[i] = true
		}
	}
	for i := range 30 {
		value := strings.TrimPrefix(aKey(i), "token=")
		if at := strings.Index(f.Text, value); !hidden[at] || !hidden[at+len(value)-1] {
			t.Errorf("%s is shown", value)
		}
	}
	last := found[len(found)-1]
	if diff := cmp.Diff("and 10 more keys in this file", last.Message); diff != "" || len(found) != 21 {
		t.Errorf("%d findings: %s", len(found), diff)
	}
}

// TestKeysOfManyValuesAreCountedTogether: each value with escapes is looked at
// by itself.
func TestKeysOfManyValuesAreCountedTogether(t *testing.T) {
	f := &diag.File{Path: "a.json", Text: strings.Repeat("x", 1000)}
	var all diag.List
	for i := range 25 {
		at := diag.Span{File: f, Start: 10 * i, End: 10*i + 10}
		all = append(all, diag.Diagnostic{Code: diag.SecretInText, Span: at, Hides: at}, diag.Diagnostic{Code: diag.Mojibake, Span: at})
	}
	got := fewKeys(all)
	if len(got) != 25+21 {
		t.Fatalf("%d findings", len(got))
	}
	for _, d := range got {
		if d.Message != "" && (d.Message != "and 5 more keys in this file" || d.Hides != diag.Span{File: f, Start: 200, End: 250}) {
			t.Errorf("%s at %d to %d", d.Message, d.Hides.Start, d.Hides.End)
		}
	}
}

func TestManyKeysOnALineDoNotHang(t *testing.T) {
	f := &diag.File{Path: "a.md", Text: strings.Repeat(aKey(1)+" ", 1<<20/30)}
	start := time.Now()
	secrets(nil, whole(f, nil))
	text := prompt.Derived(f.Text, diag.Span{File: f, Start: 0, End: len(f.Text)})
	secrets(nil, written{text: text, file: f})
	if took := time.Since(start); took > 10*time.Second {
		t.Error(took)
	}
}
