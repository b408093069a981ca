package conformance_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestPlacesLeadToSectionsAndSlots reads the request bodies as a loader does:
// by the pointers and offsets of dist/manifest.json.
func TestPlacesLeadToSectionsAndSlots(t *testing.T) {
	for _, p := range projects {
		for _, v := range p.variants {
			if lookup(v.Dialect) == nil {
				continue
			}
			t.Run(p.name+"/"+slug(v.Name), func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(filepath.Join(p.dir, "dist", filepath.FromSlash(v.File)))
				if err != nil {
					t.Fatal(err)
				}
				body := decoded(t, text)
				if len(v.Sections) == 0 {
					t.Error("the manifest names no section")
				}
				for _, s := range v.Sections {
					want, stderr, err := run(p.dir, "show", "--section", s.ID, v.Name)
					if err != nil {
						t.Fatalf("promptc show --section %s: %v\n%s", s.ID, err, stderr)
					}
					if got := s.cut(t, body); got+"\n" != string(want) {
						t.Errorf("the section %q is not at %s from %d to %d, but %q", s.ID, s.Pointer, s.Start, s.End, got)
					}
				}
				for _, s := range v.Slots {
					if got := s.cut(t, body); got != "{{"+s.Name+"}}" {
						t.Errorf("the slot %q is not at %s from %d to %d, but %q", s.Name, s.Pointer, s.Start, s.End, got)
					}
				}
			})
		}
	}
}

// cut gives what stands at a place of a body.
func (p place) cut(t *testing.T, body any) string {
	t.Helper()
	for step := range strings.SplitSeq(strings.TrimPrefix(p.Pointer, "/"), "/") {
		switch v := body.(type) {
		case map[string]any:
			body = v[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i < len(v) {
				body = v[i]
			} else {
				body = nil
			}
		default:
			body = nil
		}
	}
	text, ok := body.(string)
	if !ok || p.Start < 0 || p.Start > p.End || p.End > len(text) {
		t.Fatalf("%s leads to no text from %d to %d", p.Pointer, p.Start, p.End)
	}
	return text[p.Start:p.End]
}
