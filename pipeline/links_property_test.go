package pipeline_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/tests/testproject"
)

// linkPieces are sources of manifests of the test: P is the folder that is read, or
// the link to it.
var linkPieces = []string{
	"{kind: text, path: P/one.md}",
	"{kind: text, path: P/sub/two.md}",
	"{kind: text, path: P/sub/deep/three.md}",
	"{kind: text, path: 'P/*.md'}",
	"{kind: text, path: 'P/**/*.md'}",
	"{kind: text, path: 'P/{one,four}.md'}",
	"{kind: text, path: 'P/{sub,gone}/**/three.md'}",
	"{kind: text, path: 'P/*/two.md'}",
	"{kind: text, path: 'P/entry/*.md'}",
	"{kind: text, path: 'P/[a-z]*/SKILL.md'}",
	"{kind: text, path: 'P/broken.md'}",
	"{kind: text, path: 'P/broken/two.md'}",
	"{kind: text, path: 'P/one.md/two.md'}",
	"{kind: text, path: 'P/{mode}.md', fallback: P/one.md}",
	"{kind: text, path: 'P/{mode}.md', fallback: [P/sub/two.md, P/four.md], absent: omit}",
	"{kind: text, path: 'P/{mode}/two.md', else: P/one.md}",
	"{kind: text, path: P/sub/deep/three.md, absent: omit}",
	"{kind: skills, path: 'P/*/SKILL.md', absent: omit}",
	"{kind: rules, path: 'P/sub/*.md', absent: omit}",
	"{kind: context, path: P/sub/deep, root: P, absent: omit}",
	"{kind: context, path: P/sub, absent: omit}",
	"{kind: soul, path: P/SOUL.md, absent: default}",
}

// linkFiles are the files that may be there.
var linkFiles = map[string]string{
	"one.md": "One.", "four.md": "Four, and @sub/two.md.", "ask.md": "Ask.", "SOUL.md": "Be kind.",
	"sub/two.md": "Two.\n@gone.md", "sub/deep/three.md": "Three.", "ask/two.md": "Ask two.",
	"sub/SKILL.md": "---\nname: sub\ndescription: Does it.\n---\nDo it.", "sub/CLAUDE.md": "Of sub.\n\n@deep/three.md\n@no/such.md\n@broken.md",
	"sub/deep/CLAUDE.md": "Of deep.", "sub/deep/AGENTS.md": "Agents.", "sub/.claude/rules/r.md": "A rule.",
	"other/SKILL.md": "---\nname: other\n---\n", "entry/x.md": "X.",
}

// linkTargets are the links that may be there, by what they lead to.
var linkTargets = map[string]string{
	"broken.md": "nothing.md", "broken": "none", "to.md": "one.md", "down": "sub/deep", "round": "..", "far": "../../out", "sub/broken.md": "../four.md/x",
}

// randomBelow gives a random tree of files below a folder, and a manifest over it.
func randomBelow(rng *rand.Rand) (tree fstest.MapFS, manifest string) {
	tree = fstest.MapFS{"elsewhere/y.md": {Data: []byte("Y.")}, "t/real/keep": {}}
	for _, name := range slices.Sorted(maps.Keys(linkFiles)) {
		if rng.IntN(3) > 0 {
			tree["t/real/"+name] = &fstest.MapFile{Data: []byte(linkFiles[name])}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(linkTargets)) {
		if rng.IntN(4) == 0 {
			tree["t/real/"+name] = &fstest.MapFile{Data: []byte(linkTargets[name]), Mode: fs.ModeSymlink | 0o777}
		}
	}
	var b strings.Builder
	b.WriteString("version: 1\ntokenizer: chars/4\nsources:\n")
	n := 1 + rng.IntN(4)
	for i := range n {
		fmt.Fprintf(&b, "  s%d: %s\n", i, linkPieces[rng.IntN(len(linkPieces))])
	}
	b.WriteString("prompts:\n  agent:\n    axes: {mode: [ask, code]}\n    sections:\n")
	for i := range n {
		fmt.Fprintf(&b, "      - {id: s%d, source: s%d}\n", i, i)
	}
	return tree, b.String()
}

// linked is what a check says of the tree with the manifest over one of the two
// folders, and what is sent.
func linked(t *testing.T, tree fstest.MapFS, manifest, folder string) string {
	t.Helper()
	text := regexp.MustCompile(`\bP\b`).ReplaceAllString(manifest, folder)
	tree["prompts.yaml"] = &fstest.MapFile{Data: []byte(text)}
	r := testproject.Compile(t, tree, pipeline.Built)
	var out bytes.Buffer
	if err := finding.Text(&out, r.Findings, words.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, a := range r.Artifacts {
		fmt.Fprintf(&out, "%s\n", strings.Join(a.Texts()[0], ""))
	}
	return out.String()
}

// What a manifest reads below a link to a folder is what it reads below the folder:
// the same findings and the same texts but for the name of the folder.
func TestBelowALinkIsAsBelowItsFolder(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	errors := 0
	for range 300 {
		tree, manifest := randomBelow(rng)
		want := linked(t, tree, manifest, "t/real")
		tree["t/link"] = &fstest.MapFile{Data: []byte("real"), Mode: fs.ModeSymlink | 0o777}
		got := linked(t, tree, manifest, "t/link")
		if diff := cmp.Diff(want, strings.ReplaceAll(got, "t/link", "t/real")); diff != "" {
			t.Fatalf("%s\n%v\n%s", manifest, slices.Sorted(maps.Keys(tree)), diff)
		}
		if strings.Contains(got, "error[") {
			errors++
		}
	}
	if errors < 30 {
		t.Errorf("%d of 300 projects have errors", errors)
	}
}
