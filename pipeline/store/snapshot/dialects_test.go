package snapshot_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// inBodies says that a world's artifacts are request bodies: one system
// message, split behind sections where the point has a breakpoint. The point's
// axis `dialect` names the dialect.
func inBodies(in snapshot.Input, breakpoint func(p at, section string) bool) snapshot.Input {
	for _, a := range in.Artifacts {
		point := pointOf(a.Build, a.Variant)
		a.Variant.Dialect = inDialect(point["dialect"])
		if a.Variant.Dialect.JSON {
			a.Parts = a.Parts[:len(a.Parts)-1]
		}
		m := assembly.Message{Role: language.RoleSystem, Block: "system"}
		from := 0
		for i, p := range a.Parts {
			marked := p.Section >= 0 && breakpoint(point, a.Build.Prompt.Sections[p.Section].ID.Str)
			if marked || i == len(a.Parts)-1 {
				m.Blocks = append(m.Blocks, assembly.Block{From: from, To: i + 1, Marked: marked})
				from = i + 1
			}
		}
		a.Messages = []assembly.Message{m}
	}
	return in
}

func never(at, string) bool { return false }

func TestSequencesShowTheirBreakpoints(t *testing.T) {
	d := draft{id: "p", axes: []string{"tier=1,2", "dialect=text,anthropic,gemini"}, sections: []section{
		always("a", "A"), always("b", "B"),
		{"c", func(p at) *says {
			if p["tier"] == "1" {
				return nil
			}
			return &says{text: "C"}
		}},
		always("d", "D"),
	}}
	in := inBodies(world(d), func(p at, section string) bool {
		return section == "a" && p["tier"] == "2" || section == "c" || section == "d"
	})
	want := `# p: 6 variants
dialect        anthropic                                dialect=anthropic
dialect        gemini                                   dialect=gemini           (without cache breakpoints)
a              sections/a.txt                           all
── cache breakpoint ── in tier=2
b              sections/b.txt                           all
c              sections/c.txt                           tier=2
── cache breakpoint ──
d              sections/d.txt                           all
── cache breakpoint ──
`
	if diff := cmp.Diff(want, outputs(t, in)["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

func TestRequestBodiesHaveNoFinalLineBreak(t *testing.T) {
	in := inBodies(world(draft{id: "p", axes: []string{"dialect=openai-chat,text"}, sections: []section{always("a", "A")}}), never)
	for _, a := range in.Artifacts { // each ends like the other dialect
		if a.Variant.Dialect.JSON {
			a.Parts = append(a.Parts, assembly.Part{Section: -1, Text: "\n", Start: 1})
			a.Messages[0].Blocks[0].To++
		} else {
			a.Parts = a.Parts[:1]
			a.Messages[0].Blocks = a.Messages[0].Blocks[:0]
		}
	}
	want := `# p: 2 variants
dialect        openai-chat                              dialect=openai-chat
a              sections/a.txt                           all
ending         -                                        dialect=openai-chat      "\n"
ending         -                                        dialect=text             ""
`
	if diff := cmp.Diff(want, outputs(t, in)["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

func TestTheNoticeOfARequestBodyIsItsLastPart(t *testing.T) {
	in := world(draft{id: "p", axes: []string{"dialect=gemini"}, sections: []section{always("a", "A")}})
	phases(in)
	in = inBodies(in, never)
	a := in.Artifacts[0]
	a.Parts = append(a.Parts, assembly.Part{Section: -1, Text: "\n\n", Start: 1}, assembly.Part{Section: -1, Text: "Left out: b.", Start: 3})
	a.Messages[0].Blocks[0].To = 3
	a.Notice = true
	want := `# p: 1 variant
dialect        gemini                                   all
a              sections/a.txt                           all

## all
a              sections/a.txt
notice         "Left out: b."
`
	if diff := cmp.Diff(want, outputs(t, in)["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

func TestStrictToolsAreMarkedWhereTheyAreSentSo(t *testing.T) {
	strict := tool("exec", "Run.")
	strict.Strict = true
	in := inBodies(world(draft{id: "p", axes: []string{"dialect=openai-chat,text"}, sections: []section{{"tools", func(at) *says {
		return &says{text: "exec", tools: []*language.Tool{strict}, beside: true}
	}}}}), never)
	want := `# p: 2 variants
dialect        openai-chat                              dialect=openai-chat
tools          sections/tools.txt                       all
  exec         tools/exec.json                          dialect=openai-chat      tools/exec.json (strict)
  exec         tools/exec.json                          dialect=text             tools/exec.json
`
	if diff := cmp.Diff(want, outputs(t, in)["p/outline.txt"]); diff != "" {
		t.Error(diff)
	}
}

// bodies are slots and tools in every dialect, and messages.
func bodies() snapshot.Input {
	d := slotted()
	d.axes = append(d.axes, "dialect="+strings.Join(ground.DialectNames(), ","))
	in := inBodies(world(d), func(_ at, section string) bool { return section == "first" })
	talks := chats(coder())
	for _, u := range talks.Plan.Units {
		u.Index += len(in.Plan.Units)
	}
	for _, a := range talks.Artifacts {
		a.Variant.Messages.Unit += len(in.Plan.Units)
	}
	in.Plan.Units = append(in.Plan.Units, talks.Plan.Units...)
	in.Plan.Builds = append(in.Plan.Builds, talks.Plan.Builds...)
	in.Artifacts = append(in.Artifacts, talks.Artifacts...)
	return in
}

// pointed gives the string that a JSON Pointer leads to; "" is all of the
// text.
func pointed(t *testing.T, text, pointer string) string {
	t.Helper()
	if pointer == "" {
		return text
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(v) {
				t.Fatalf("%s leads nowhere", pointer)
			}
			value = v[i]
		}
	}
	out, ok := value.(string)
	if !ok {
		t.Fatalf("%s leads to no string", pointer)
	}
	return out
}

func TestPointersAndOffsetsGiveSectionsBack(t *testing.T) {
	files := artifacts(t, bodies())
	m, all := load(t, files)
	if len(all) != 16 {
		t.Errorf("%d variants", len(all))
	}
	for _, v := range all {
		text := files["dist/"+v.File]
		if v.SHA256 != sha(text) || v.Bytes != len(text) {
			t.Errorf("%s: hash or length is wrong", v.Name)
		}
		isText := strings.Contains(v.Name, "dialect=text")
		ext := map[bool]string{true: ".txt", false: ".json"}[isText]
		if !strings.HasSuffix(v.File, ext) || isText != (v.Dialect == "") || !isText && v.Tools != nil {
			t.Errorf("%s: file %s, dialect %q, tools %v", v.Name, v.File, v.Dialect, v.Tools)
		}
		want := []string{"first: Grüße.", "notes: ## Notes\n\n{{notes}} at {{clock}}", "notes: {{notes}}", "clock: {{clock}}"}
		if strings.HasPrefix(v.Name, "coder/") {
			want = []string{"system: You edit code.", "extra: Be brief.", "reminder: Close the blocks."}
		}
		if diff := cmp.Diff(want, m.pieces(t, v, text)); diff != "" {
			t.Errorf("%s: %s", v.Name, diff)
		}
	}
	if _, ok := files["dist/p/x=2,dialect=text.tools.json"]; !ok {
		t.Error("the text has no tools beside it")
	}
}

func TestWholeVariantsOfRequestBodiesAreJSON(t *testing.T) {
	in := bodies()
	in.Plan.Spec.Snapshots.Full = []ground.Word{{Str: "p/x=1"}, {Str: "coder/state=first,dialect=gemini"}}
	files := tree(t, withDist(in))
	var got []string
	for p, file := range files {
		if rest, ok := strings.CutPrefix(p, "snapshots/"); ok && strings.Contains(p, "/full/") {
			got = append(got, rest)
			if string(file.Data) != string(files["dist/"+strings.Replace(rest, "/full/", "/", 1)].Data) {
				t.Errorf("%s is not what is emitted", p)
			}
		}
	}
	slices.Sort(got)
	want := []string{
		"coder/full/state=first,dialect=gemini.json", "p/full/x=1,dialect=anthropic.json", "p/full/x=1,dialect=gemini.json",
		"p/full/x=1,dialect=openai-chat.json", "p/full/x=1,dialect=openai-responses.json", "p/full/x=1,dialect=text.txt",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if delta, found := compare(t, files, in); len(found) > 0 || delta.Drifted() || len(delta.Artifacts.Changes) > 0 {
		t.Errorf("not clean after a build: %v %v", lines(found), statuses(delta.Artifacts.Changes))
	}
}

func TestArtifactsOfAnotherDialectAreOrphans(t *testing.T) {
	d := draft{id: "p", axes: []string{"dialect=text*"}, sections: []section{{"tools", func(at) *says {
		return &says{text: "exec", tools: []*language.Tool{tool("exec", "Run.")}, beside: true}
	}}}}
	files := tree(t, withDist(inBodies(world(d), never)))
	d.axes[0] = "dialect=anthropic*"
	delta, found := compare(t, files, withDist(inBodies(world(d), never)))
	want := []string{"changed dist/manifest.json", "added dist/p/p.json", "orphaned dist/p/p.tools.json", "orphaned dist/p/p.txt"}
	if diff := cmp.Diff(want, statuses(delta.Artifacts.Changes)); diff != "" || len(found) > 0 {
		t.Error(diff, lines(found))
	}
}

func TestArtifactsNeverShareAName(t *testing.T) {
	d := draft{id: "p", axes: []string{"v=a,a.tools"}, sections: []section{{"tools", func(at) *says {
		return &says{text: "exec", tools: []*language.Tool{tool("exec", "Run.")}, beside: true}
	}}}}
	in := world(d)
	in.Artifacts[1].Variant.Dialect = inDialect("gemini")
	files := tree(t, withDist(in))
	for _, p := range []string{"v=a.txt", "v=a.tools.json", "v=a.tools%+2.json"} {
		if files["dist/p/"+p] == nil {
			t.Errorf("there is no %s", p)
		}
	}
	delete(files, "dist/manifest.json")
	if delta, _, err := run(fstest.MapFS{}, in); err != nil || len(delta.Artifacts.Changes) != 4 {
		t.Error(err, statuses(delta.Artifacts.Changes))
	}
}
