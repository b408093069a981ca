package snapshot_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// long is a prompt whose artifact is read in several pieces.
func long() snapshot.Input {
	return withDist(world(draft{id: "p", sections: []section{
		always("first", strings.Repeat("One line after another.\n", 4000)), always("second", strings.Repeat("ü", 50_000)),
	}}))
}

func TestLongArtifactsAreComparedToTheirLastByte(t *testing.T) {
	const file = "dist/p/p.txt"
	files := tree(t, long())
	whole := string(files[file].Data)
	for name, text := range map[string]string{
		"":                    whole,
		"another first byte":  "#" + whole[1:],
		"another middle byte": whole[:65_536] + "#" + whole[65_537:],
		"another last byte":   whole[:len(whole)-1] + "#",
		"a byte less":         whole[:len(whole)-1],
		"a byte more":         whole + "\n",
		"a piece missing":     whole[:65_536],
		"twice":               whole + whole,
		"nothing":             "",
	} {
		files[file].Data = []byte(text)
		delta, found := compare(t, files, long())
		if name == "" && (len(found) > 0 || len(delta.Artifacts.Changes) > 0) || name != "" && delta != nil {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// slow gives files a byte at a time, and one of them an error in its middle.
type slow struct {
	fstest.MapFS
	broken string
}

type slowFile struct {
	fs.File
	io.Reader
}

func (f slowFile) Read(p []byte) (int, error) { return f.Reader.Read(p) }

func (s slow) Open(name string) (fs.File, error) {
	f, err := s.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return f, err
	}
	reader := iotest.OneByteReader(f)
	if name == s.broken {
		reader = io.MultiReader(io.LimitReader(f, 3), iotest.ErrReader(errors.New("input/output error")))
	}
	return slowFile{f, reader}, nil
}

func TestHowFilesAreReadDoesNotMatter(t *testing.T) {
	in := withDist(world(slotted()))
	files := tree(t, in)
	if delta, found := compare(t, slow{files, ""}, in); len(found) > 0 || delta.Drifted() || len(delta.Artifacts.Changes) > 0 {
		t.Errorf("%v %v %v", found, statuses(delta.Snapshots), statuses(delta.Artifacts.Changes))
	}
	_, _, err := run(slow{files, "dist/p/x=1.txt"}, in)
	if err == nil || wording.Error(err) != "read dist/p/x=1.txt: input/output error" {
		t.Errorf("got %v", err)
	}
}

func TestTheManifestOfAnyNumberOfVariantsHasALineForEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 63, 64, 65, 130} {
		d := draft{id: "p", sections: []section{always("s", "<S>")}}
		var values []string
		for i := range n {
			values = append(values, strconv.Itoa(i))
		}
		d.axes = []string{"x=" + strings.Join(values, ",")}
		if n == 0 {
			d.axes, d.exclude = []string{"x=1"}, func(at) bool { return true }
		}
		text := artifacts(t, world(d))["dist/manifest.json"]
		var m struct {
			Prompts []struct{ Variants []json.RawMessage }
		}
		if err := json.Unmarshal([]byte(text), &m); err != nil || len(m.Prompts[0].Variants) != n {
			t.Fatalf("%d variants: %v\n%s", n, err, text)
		}
		lines := strings.Split(text, "\n")
		for i, v := range m.Prompts[0].Variants {
			comma := map[bool]string{true: ",", false: ""}[i < n-1]
			if !slices.Contains(lines, "        "+string(v)+comma) {
				t.Errorf("%d variants: %s is not a line of\n%s", n, v, text)
			}
		}
	}
}
