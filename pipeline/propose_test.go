package pipeline_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/wording"
	"github.com/promptc-build/promptc/tests/testproject"
)

func renderedFiles(texts map[string]string) []pipeline.RenderedFile {
	var out []pipeline.RenderedFile
	for name, text := range texts {
		out = append(out, pipeline.RenderedFile{Path: name, Data: []byte(text)})
	}
	slices.SortFunc(out, func(a, b pipeline.RenderedFile) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// proposed is the manifest's prompts and what was left out.
func proposed(t *testing.T, below fs.FS, files []pipeline.RenderedFile, bad diag.List) (manifest string, left []string) {
	t.Helper()
	p, err := pipeline.Propose(t.Context(), below, []string{"t/*"}, files, bad)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range p.Left {
		left = append(left, wording.Text(d.What))
	}
	_, prompts, _ := strings.Cut(p.Manifest, "\nprompts:\n")
	return strings.ReplaceAll(prompts, "    # budget: {tokens: 8000, growth: 5%} # growth is judged by promptc diff, and so by the action\n", ""), left
}

// What is proposed in memory is what is proposed on a disk that has the files
// alone.
func TestAProposalNeedsNoDisk(t *testing.T) {
	texts := map[string]string{
		"t/a-x.md": "A and x.", "t/a-y.md": "A and y.", "t/b-x.md": "B and x.", "t/b-y.md": "", "t/b-z.md": `{"a": 1}`,
		"t/a.tools.json": `[{"name": "read", "description": "Reads.", "inputSchema": {"type": "object"}}]`,
	}
	below := fstest.MapFS{}
	for name, text := range texts {
		below[name] = &fstest.MapFile{Data: []byte(text)}
	}
	inMemory, left := proposed(t, nil, renderedFiles(texts), nil)
	onDisk, _ := proposed(t, below, renderedFiles(texts), nil)
	want := `  legacy:
    rendered: "t/{group}-{case}.md"
    tools: "t/{group}.tools.json"
    axes:
      group: auto
      case: auto
    exclude: # no prompts
      - {group: b, case: z}
`
	if diff := cmp.Diff([]string{want, want}, []string{inMemory, onDisk}); diff != "" || len(left) > 0 {
		t.Errorf("%s %q", diff, left)
	}
}

// A file that nobody named, and that the pattern takes, is looked at as check
// does it.
func TestAProposalHoldsForWhatLiesBeside(t *testing.T) {
	texts := map[string]string{"t/a.md": "A.", "t/b.md": "B."}
	below := testproject.Of("t/broken.md", "a\x00b", "t/a.md", "A.", "t/b.md", "B.")
	got, left := proposed(t, below, renderedFiles(texts), nil)
	if want := "  a:\n    rendered: \"t/a.md\"\n\n  b:\n    rendered: \"t/b.md\"\n"; got != want || len(left) > 0 {
		t.Errorf("%s %q", got, left)
	}
}

// What is wrong with a text beside them is no reason to leave out tools.
func TestAProposalKeepsItsTools(t *testing.T) {
	texts := map[string]string{"t/a.md": "A.", "t/b.md": "B.", "t/tools/x.json": `{"name": "x", "inputSchema": {"type": "object"}}`}
	below := testproject.Of("t/broken.md", "a\x00b")
	for name, text := range texts {
		below[name] = &fstest.MapFile{Data: []byte(text)}
	}
	p, err := pipeline.Propose(t.Context(), below, []string{"t/**"}, renderedFiles(texts), nil)
	if err != nil || len(p.Refused) > 0 || !strings.Contains(p.Manifest, `{kind: tools, path: "t/tools/*.json"}`) {
		t.Errorf("%v %+v", err, p)
	}
}

func TestAProposalTakesNothingThatIsNoFile(t *testing.T) {
	file := &diag.File{Path: "t/link.md"}
	bad := diag.List{diag.New(diag.NotAFile, diag.Whole(file), "name-and-fact", file.Path, diag.Say("link-to-nothing"))}
	got, left := proposed(t, nil, renderedFiles(map[string]string{"t/a.md": "A.", "t/b.md": "B."}), bad)
	want := "  a:\n    rendered: \"t/a.md\"\n\n  b:\n    rendered: \"t/b.md\"\n"
	if diff := cmp.Diff([]string{want, `"t/link.md" is a symbolic link that leads nowhere`}, append([]string{got}, left...)); diff != "" {
		t.Error(diff)
	}
}

// A prompt whose only entry is not a text is left out, and the others stay.
func TestAProposalLeavesOutWhatIsNoText(t *testing.T) {
	texts := map[string]string{"t/a.snap": "exports[`x 1`] = `\"\"`;\n\nexports[`y 1`] = `3`;\n", "t/b.md": "B."}
	got, left := proposed(t, nil, renderedFiles(texts), nil)
	want := []string{"  t:\n    rendered:\n      path: \"t/*.snap\"\n      entry: \"{case} 1\"\n    axes:\n      case: auto\n    exclude: # no prompts\n      - {case: y}\n\n  b:\n    rendered: \"t/b.md\"\n", `entry "y 1" of "t/a.snap" is not a text`}
	if diff := cmp.Diff(want, append([]string{got}, left...)); diff != "" {
		t.Error(diff)
	}
}

// Where one file has most of what is no text, it is a prompt of its own, so that
// the others need no list.
func TestAProposalStaysShort(t *testing.T) {
	entry := func(name, value string) string { return "exports[`" + name + " 1`] = `" + value + "`;\n\n" }
	texts := map[string]string{"t/a.snap": entry("x", `"A."`) + entry("y", `"B."`), "t/b.snap": entry("x", `"C."`)}
	for i := range 30 {
		texts["t/b.snap"] += entry(fmt.Sprint("z", i), "3")
	}
	got, left := proposed(t, nil, renderedFiles(texts), nil)
	if len(left) != 30 || !strings.Contains(got, "\n    rendered:\n      path: \"t/b.snap\"\n") {
		t.Errorf("%s %q", got, left)
	}
	if a, _, _ := strings.Cut(got, "\n\n"); strings.Contains(a, "exclude") {
		t.Errorf("got %s", a)
	}
}

func TestAProposalNeedsAText(t *testing.T) {
	for _, texts := range []map[string]string{
		{"t/a.md": "\n", "t/b.md": "a\x00b"},
		{"t/{b}.md": "A.", "t/web.md": "a\x00b"}, // no pattern takes the first alone
	} {
		_, err := pipeline.Propose(t.Context(), nil, []string{"t/*"}, renderedFiles(texts), nil)
		none, ok := errors.AsType[*pipeline.NoText](err)
		if !ok || len(none.Left) != 1 || len(none.Said) != 1 {
			t.Errorf("got %v", err)
		}
	}
}

// Whatever files hold, check has no error about what is proposed, and each is a
// prompt's, or named as left out.
func TestCheckIsGreenOverEveryProposal(t *testing.T) {
	skipIfShort(t)
	rnd := rand.New(rand.NewPCG(15, 8))
	words := []string{"a", "b", "gpt-5", "no-web", "web", "größe", "x y", "README", "con", "a*", "{b}", "A", strings.Repeat("long", 20), "1"}
	texts := []string{"You work.", "You plan.\n", "", " \n", "{}", `[{"name": "x", "inputSchema": {}}]`, `{"name": "y", "description": "Y", "inputSchema": {}}`, `{"name": "z", "parameters": null}`, "a\x00b", "\xff\xfe", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"}
	values := []string{`"You work."`, `"You plan."`, `""`, "3", "\n{\n  \"a\": 1,\n}\n", "\"cut"}
	refused, several := 0, 0
	for range 150 {
		all := map[string]string{}
		for range 1 + rnd.IntN(12) {
			name := "t/"
			for range rnd.IntN(3) {
				name += words[rnd.IntN(len(words))] + string("/-_."[rnd.IntN(4)])
			}
			name += words[rnd.IntN(len(words))]
			text := texts[rnd.IntN(len(texts))]
			if rnd.IntN(2) == 0 {
				name, text = name+".snap", ""
				for i := range rnd.IntN(4) {
					text += fmt.Sprintf("exports[`%s > %s %d`] = `%s`;\n\n", words[rnd.IntN(8)], words[rnd.IntN(8)], i, values[rnd.IntN(len(values))])
				}
			} else if rnd.IntN(2) == 0 {
				name += ".md"
			}
			all[name] = text
		}
		if clash(all) {
			continue
		}
		p, err := pipeline.Propose(t.Context(), nil, []string{"t/**"}, renderedFiles(all), nil)
		if _, none := errors.AsType[*pipeline.NoText](err); none {
			refused++
			continue
		} else if err != nil {
			t.Fatalf("%q: %v", all, err)
		}
		files := map[string][]byte{"prompts.yaml": []byte(p.Manifest)}
		for name, text := range all {
			files[name] = []byte(text)
		}
		r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: load.Over(nil, files), Manifest: "prompts.yaml", Until: pipeline.Compared})
		if err != nil || r.Findings.HasErrors() || len(r.Artifacts) == 0 {
			t.Fatalf("%q: %v %v\n%s", all, err, r.Findings, p.Manifest)
		}
		if len(r.Artifacts) > 2 {
			several++
		}
	}
	if refused > 50 || several < 30 {
		t.Errorf("%d were refused, %d have several variants", refused, several)
	}
}

// Whatever two states hold, a proposal for both compiles in either, and what it
// reads of tools is what that state has.
func TestEveryProposalFitsBothSides(t *testing.T) {
	skipIfShort(t)
	rnd := rand.New(rand.NewPCG(15, 9))
	tool := func(name string) string {
		return fmt.Sprintf(`{"name": %q, "description": "Does %s.", "inputSchema": {"type": "object"}}`, name, name)
	}
	odd := []string{"You work.", `{"a": 1}`, `{"name": "x", "inputSchema": null}`, `{"name": "x`, `[{"name": "b", "inputSchema": {}}, {"name": "c", "inputSchema": {}}]`}
	toolsets, mixed := 0, 0
	for range 200 {
		folders := []string{"t/", "t/x/"}[:1+rnd.IntN(2)]
		var sides [2]map[string][]byte
		var states [2]fs.FS
		all := map[string]*pipeline.RenderedFile{}
		for i := range sides {
			sides[i] = map[string][]byte{}
			for range rnd.IntN(12) {
				name := string(rune('a' + rnd.IntN(9)))
				text := tool(name)
				switch rnd.IntN(12) {
				case 0:
					text = odd[rnd.IntN(len(odd))]
				case 1:
					name += "_ff"
				}
				name = folders[rnd.IntN(len(folders))] + name + ".snap"
				sides[i][name] = []byte(text)
			}
			for name, data := range sides[i] {
				if all[name] == nil {
					all[name] = &pipeline.RenderedFile{Path: name, Data: data}
				}
				all[name].Sides |= 1 << i
			}
			states[i] = load.Over(nil, sides[i])
		}
		var files []pipeline.RenderedFile
		for _, name := range slices.Sorted(maps.Keys(all)) {
			files = append(files, *all[name])
		}
		patterns := []string{"t/**"}
		p, err := pipeline.Propose(t.Context(), nil, patterns, files, nil, states[:]...)
		if _, none := errors.AsType[*pipeline.NoText](err); none {
			if len(files) > 0 {
				t.Fatalf("%q: %v", sides, err)
			}
			continue
		} else if err != nil {
			t.Fatalf("%q: %v", sides, err)
		}
		state := pipeline.Request{Manifest: "prompts.yaml", Text: []byte(p.Manifest), Patterns: patterns, Until: pipeline.Composed}
		base, head := state, state
		head.Files, base.Files = states[0], states[1]
		made, err := pipeline.Review(t.Context(), base, head, pipeline.Policy{})
		was, is := made.Base, made.Head
		if err != nil || was.Result == nil || was.Result.Findings.HasErrors() || is.Result.Findings.HasErrors() {
			t.Fatalf("%q: %v %v\n%s", sides, err, is.Result.Findings, p.Manifest)
		}
		if strings.Contains(p.Manifest, "form: schemas") {
			toolsets++
		}
		if strings.Contains(p.Manifest, "form: schemas") && strings.Contains(p.Manifest, "rendered: ") {
			mixed++
		}
	}
	if toolsets < 50 || mixed < 15 {
		t.Errorf("%d have toolsets, %d texts besides", toolsets, mixed)
	}
}

// A proposal reads the texts that its pattern matches, and no other file; where no
// pattern of a prompt says the same, it may read others when they come. So it is for
// the two sides of a comparison.
func TestAProposalReadsWhatItsPatternMatches(t *testing.T) {
	skipIfShort(t)
	rnd := rand.New(rand.NewPCG(36, 1))
	pick := func(all ...string) string { return all[rnd.IntN(len(all))] }
	name := func() string {
		out := pick("", "", "p/", "q/", "p/s/", "q/s/", "prompts_a/", "prompts_b/")
		for range rnd.IntN(3) {
			out += pick("a", "b", "ask", "prompt", "prompts", "v2", "__init__", "one", "x y") + pick("-", "_", ".", "")
		}
		return out + pick("a", "b", "one", "two", "prompt", "prompts", "tools", "v1") + pick(".md", ".md", ".md", ".txt", ".json", "")
	}
	add := func(files fstest.MapFS, n int) {
		all := map[string]string{}
		for name := range files {
			all[name] = ""
		}
		for range n {
			name := name()
			text := "You are " + name + ".\n"
			switch {
			case strings.HasSuffix(name, ".json"):
				text = fmt.Sprintf(`{"name": "t%d", "description": "Works.", "inputSchema": {"type": "object"}}`, len(files))
			case rnd.IntN(8) == 0:
				text = pick("a\x00b", "\xff\xfe", "") // which a pattern that matches it must not read
			}
			if files[name] == nil {
				all[name], files[name] = "", &fstest.MapFile{Data: []byte(text)}
			}
			if clash(all) {
				delete(all, name)
				delete(files, name)
			}
		}
	}
	proposals, exact := 0, 0
	for range 250 {
		files := fstest.MapFS{}
		add(files, 2+rnd.IntN(9))
		pattern := globFor(rnd, slices.Sorted(maps.Keys(files)))
		asked, err := load.Match(files, pattern)
		if err != nil {
			t.Fatalf("%q: %v", pattern, err)
		}
		var rendered []pipeline.RenderedFile
		texts := map[string]bool{}
		for _, name := range asked.Files {
			rendered = append(rendered, pipeline.RenderedFile{Path: name, Data: files[name].Data, Sides: 3})
			texts[name] = strings.HasPrefix(string(files[name].Data), "You")
		}
		told := func(what string, args ...any) {
			t.Fatalf("%q of %q: %s", pattern, slices.Sorted(maps.Keys(files)), fmt.Sprintf(what, args...))
		}
		for _, sides := range [][]fs.FS{nil, {files, files}} {
			below := fs.FS(files)
			if sides != nil {
				below = nil
			}
			p, err := pipeline.Propose(t.Context(), below, []string{pattern}, rendered, asked.Bad, sides...)
			if _, none := errors.AsType[*pipeline.NoText](err); none {
				continue
			} else if err != nil {
				told("%v", err)
			}
			proposals++
			read, found := filesRead(t, files, p.Manifest)
			if found.HasErrors() {
				told("%v\n%s", found, p.Manifest)
			}
			for name := range read {
				if _, ok := texts[name]; !ok && (below != nil || name != "prompts.yaml") { // that of two sides lies in neither
					told("%q is read\n%s", name, p.Manifest)
				}
			}
			for name, isText := range texts {
				if isText && !read[name] {
					told("%q is not read\n%s", name, p.Manifest)
				}
			}
			if slices.ContainsFunc(p.Prompts, func(l *scaffold.Legacy) bool { return len(l.Loose()) > 0 }) {
				continue
			}
			later := maps.Clone(files)
			add(later, 6)
			now, err := load.Match(later, pattern)
			if err != nil {
				told("%v", err)
			}
			if read, found := filesRead(t, later, p.Manifest); !found.HasErrors() {
				exact++
				for name := range read {
					if !slices.Contains(now.Files, name) && (below != nil || name != "prompts.yaml") {
						told("%q is read when it comes\n%s", name, p.Manifest)
					}
				}
			}
		}
	}
	if proposals < 140 || exact < 100 {
		t.Errorf("%d proposals, %d with later files", proposals, exact)
	}
}

// Whatever texts and tools there are, a text has only tools whose file is called like
// it, like its group, or like all of them.
func TestToolsGoToTheTextsThatTheirFilesName(t *testing.T) {
	rnd := rand.New(rand.NewPCG(36, 3))
	groups, cases := []string{"gpt", "gpt-4o", "claude"}, []string{"ask", "code", "tools", "main", "main_v2"}
	given := 0
	for range 300 {
		files := fstest.MapFS{}
		dirs := []string{"p/", "p/", "q/s/"}[rnd.IntN(2):]
		add := func(name, text string) { files[dirs[rnd.IntN(len(dirs))]+name] = &fstest.MapFile{Data: []byte(text)} }
		for range 2 + rnd.IntN(8) {
			add(groups[rnd.IntN(3)]+"-"+cases[rnd.IntN(5)]+".md", "You work.")
		}
		for i := range rnd.IntN(6) {
			tool := fmt.Sprintf(`{"name": "t%d", "description": "Works.", "inputSchema": {"type": "object"}}`, i)
			add([]string{groups[rnd.IntN(3)] + "-" + cases[rnd.IntN(5)] + "_tools.json", groups[rnd.IntN(3)] + ".tools.json", "tools.json", "extra_tools.json"}[rnd.IntN(4)], tool)
		}
		asked, err := load.Match(files, "**/*")
		if err != nil {
			t.Fatal(err)
		}
		var rendered []pipeline.RenderedFile
		for _, name := range asked.Files {
			rendered = append(rendered, pipeline.RenderedFile{Path: name, Data: files[name].Data})
		}
		p, err := pipeline.Propose(t.Context(), files, []string{"**/*"}, rendered, asked.Bad)
		if err != nil {
			t.Fatalf("%q: %v", asked.Files, err)
		}
		r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: load.Over(files, map[string][]byte{"prompts.yaml": []byte(p.Manifest)}), Manifest: "prompts.yaml", Until: pipeline.Compared})
		if err != nil || r.Findings.HasErrors() {
			t.Fatalf("%q: %v %v", asked.Files, err, r.Findings)
		}
		for _, a := range r.Artifacts {
			var sources []string
			for _, use := range a.Variant.Uses {
				if use.Unit >= 0 {
					sources = append(sources, r.Plan.Units[use.Unit].Sources()...)
				}
			}
			i := slices.IndexFunc(sources, func(name string) bool { return path.Ext(name) == ".md" })
			if i < 0 {
				continue // tools without a text
			}
			stem := strings.TrimSuffix(sources[i], ".md")
			group := stem[:strings.LastIndex(stem, "-")]
			for _, name := range slices.Delete(slices.Clone(sources), i, i+1) {
				given++
				if !slices.Contains([]string{stem + "_tools.json", group + ".tools.json", path.Dir(stem) + "/tools.json"}, name) {
					t.Fatalf("%q: %q has the tools of %q\n%s", asked.Files, stem, name, p.Manifest)
				}
			}
		}
	}
	if given < 200 {
		t.Errorf("%d texts have tools", given)
	}
}

// globFor gives a pattern for some of the names.
func globFor(rnd *rand.Rand, names []string) string {
	one := func() string {
		parts := strings.Split(names[rnd.IntN(len(names))], "/")
		for i, part := range parts {
			at, to := rnd.IntN(len(part)+1), rnd.IntN(len(part)+1)
			switch rnd.IntN(5) {
			case 0:
				parts[i] = "*"
			case 1, 2:
				parts[i] = part[:min(at, to)] + "*" + part[max(at, to):]
			case 3:
				if at < len(part) {
					parts[i] = part[:at] + "?" + part[at+1:]
				}
			}
		}
		return strings.Join(parts, "/")
	}
	switch rnd.IntN(6) {
	case 0:
		return "**/*" + path.Ext(names[0])
	case 1:
		return "{" + one() + "," + one() + "}"
	default:
		return one()
	}
}

// filesRead gives the files that the prompts of a manifest read.
func filesRead(t *testing.T, files fstest.MapFS, manifest string) (map[string]bool, diag.List) {
	t.Helper()
	r, err := pipeline.Compile(t.Context(), pipeline.Request{Files: load.Over(files, map[string][]byte{"prompts.yaml": []byte(manifest)}), Manifest: "prompts.yaml", Until: pipeline.Compared})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, a := range r.Artifacts {
		for _, use := range a.Variant.Uses {
			if use.Unit >= 0 {
				for _, name := range r.Plan.Units[use.Unit].Sources() {
					out[name] = true
				}
			}
		}
	}
	return out, slices.DeleteFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Level != diag.Error })
}

// clash reports whether a name is both that of a file and of a folder.
func clash(files map[string]string) bool {
	for a := range files {
		for b := range files {
			if strings.HasPrefix(b, a+"/") {
				return true
			}
		}
	}
	return false
}
