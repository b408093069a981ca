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

func TestManyKeysOfATextAreCounted(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		b.WriteString(aKey(i) + " and\n")
	}
	f := &diag.File{Path: "a.md", Text: b.String()}
	found := secrets(nil, whole(f, []string{"p"}))
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
		all = append(all, diag.Diagnostic{Code: diag.SecretInText, Span: at}, diag.Diagnostic{Code: diag.Mojibake, Span: at})
	}
	got := fewKeys(all)
	if len(got) != 25+21 {
		t.Fatalf("%d findings", len(got))
	}
	for _, d := range got {
		if d.Message != "" && d.Message != "and 5 more keys in this file" {
			t.Error(d.Message)
		}
	}
}

// TestFindingsQuoteNoPartOfAKeyNearby: what stands around a place is quoted
// without the beginning by which a key is known.
func TestFindingsQuoteNoPartOfAKeyNearby(t *testing.T) {
	key := "ghp_zQWBuTSOoRi4A9sp" + "HcVY5ncnsDkxkJ0mLq17"
	f := &diag.File{Path: "a.md", Text: "The key " + key[:20] + "\u200b" + key[20:] + ".\n" + strings.Repeat("x\n", 2000) + "x"}
	found := hiddenText(nil, whole(f, nil))
	found.Add(diag.Mojibake, diag.Span{File: f, Start: len(f.Text) - 1, End: len(f.Text)}, "far from %q and its %s", key[10:30], "beginning "+key)
	found = append(found, found[0].WithDetail("it is "+key[8:]))
	Veil(found)
	for i, want := range []string{
		`"ghp_********************************************" holds`,
		`far from "` + key[10:30] + `" and its beginning ghp_***********************************` + `*`,
	} {
		if !strings.HasPrefix(found[i].Message, want) {
			t.Errorf("%s", found[i].Message)
		}
	}
	if d := found[2].Detail[0]; d != "it is "+strings.Repeat("*", 32) {
		t.Error(d)
	}
	if d := found[0].Detail; len(d) > 0 {
		t.Error(d)
	}
}

func TestTheKeysOfAFileAreFoundOnceForAllFindings(t *testing.T) {
	f := &diag.File{Path: "a.md", Text: strings.Repeat(aKey(1)+" ", 1<<20/30)}
	var found diag.List
	for i := range 20_000 {
		found.Add(diag.Mojibake, diag.Span{File: f, Start: 50 * i, End: 50*i + 1}, "a message")
	}
	start := time.Now()
	Veil(found)
	if took := time.Since(start); took > 30*time.Second {
		t.Error(took)
	}
}

func TestManyKeysOnALineDoNotHang(t *testing.T) {
	f := &diag.File{Path: "a.md", Text: strings.Repeat(aKey(1)+" ", 1<<20/30)}
	start := time.Now()
	secrets(nil, whole(f, nil))
	text := prompt.Derived(f.Text, diag.Span{File: f, Start: 0, End: len(f.Text)})
	secrets(nil, written{text: text, file: f})
	if took := time.Since(start); took > 30*time.Second {
		t.Error(took)
	}
}
