package snapshot_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// pool are texts that sections share or nearly share.
var pool = []string{"One.", "Two.", "One.\n", "⟨items: a⟩", "One.\n\nTwo.", "⟨"}

// randomWorld gives prompts whose sections say things at random; the point
// (section, variant) says something of its own where odd is not negative.
func randomWorld(seed uint64, odd int) (in snapshot.Input, points int) {
	random := rand.New(rand.NewPCG(seed, 1))
	var drafts []draft
	for p := range 1 + random.IntN(3) {
		d := draft{id: fmt.Sprintf("p%d", p)}
		for a := range random.IntN(4) {
			values := []string{"u", "v", "w"}[:1+random.IntN(3)]
			d.axes = append(d.axes, fmt.Sprintf("a%d=%s", a, strings.Join(values, ",")))
		}
		excluded := random.Uint64()
		d.exclude = func(p at) bool { return len(p) > 1 && hash(p, excluded)%5 == 0 }
		for s := range 1 + random.IntN(4) {
			salt := random.Uint64()
			on := random.IntN(len(d.axes) + 1)
			d.sections = append(d.sections, section{fmt.Sprintf("s%d", s), func(p at) *says {
				said := sayAt(salt, p, on)
				if points == odd {
					said.text, said.items = "Something else.", nil
				}
				points++
				return said
			}})
		}
		drafts = append(drafts, d)
	}
	return world(drafts...), points
}

// sayAt picks what is said by the values of the first axes.
func sayAt(salt uint64, p at, on int) *says {
	some := at{}
	for i, name := range slices.Sorted(maps.Keys(p)) {
		if i < on {
			some[name] = p[name]
		}
	}
	switch h := hash(some, salt); h % 4 {
	case 0:
		return listing("<", []string{"\n", "\n\n"}[h/4%2], ">", "a="+pool[h/8%6], "b="+pool[h/64%6])
	case 1:
		return &says{text: pool[h/4%6], join: []string{"", "\n"}[h/32%2]}
	case 2:
		return &says{text: pool[h/4%6], step: []string{"", "compact"}[h/32%2]}
	default:
		return &says{text: pool[h/4%6]}
	}
}

func hash(p at, salt uint64) uint64 {
	h := salt
	for _, name := range slices.Sorted(maps.Keys(p)) {
		for _, c := range name + p[name] {
			h = (h ^ uint64(c)) * 1099511628211
		}
	}
	return h ^ h>>29
}

func TestAnyChangeOfATextShows(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and not about what runs in parallel")
	}
	for seed := range uint64(60) {
		in, points := randomWorld(seed, -1)
		before := tree(t, in)
		if delta, found := compare(t, before, in); len(found) > 0 || delta.Drifted() {
			t.Fatalf("seed %d: not clean after a build: %v %v", seed, found, statuses(delta.Snapshots))
		}
		for odd := range min(points, 25) {
			changed, _ := randomWorld(seed, odd)
			if delta, _ := compare(t, before, changed); !delta.Drifted() {
				t.Fatalf("seed %d: another text at point %d of %d changes no snapshot", seed, odd, points)
			}
		}
	}
}

func TestOutputsDoNotDependOnTheOrderOfInputs(t *testing.T) {
	for seed := range uint64(20) {
		in, _ := randomWorld(seed, -1)
		want := outputs(t, withDist(in))
		rand.New(rand.NewPCG(seed, 2)).Shuffle(len(in.Artifacts), func(i, j int) {
			in.Artifacts[i], in.Artifacts[j] = in.Artifacts[j], in.Artifacts[i]
		})
		if !maps.Equal(want, outputs(t, in)) {
			t.Fatalf("seed %d: shuffled artifacts give other files", seed)
		}
	}
}

func TestOneTextChangesOneFile(t *testing.T) {
	d := persona()
	before := outputs(t, world(d))
	d.sections[1].says = func(p at) *says {
		if p["entry"] != "full" {
			return nil
		}
		return &says{text: "## Soul\n\nBe kind and brief.", sources: []string{"SOUL.md"}}
	}
	after := outputs(t, world(d))
	var changed []string
	for _, p := range paths(after) {
		if before[p] != after[p] {
			changed = append(changed, p)
		}
	}
	if want := []string{"persona/sections/soul.txt"}; !slices.Equal(changed, want) {
		t.Fatalf("changed %v", changed)
	}
}

func TestManyVariantsAreQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	d := draft{id: "p"}
	for a := range 4 {
		d.axes = append(d.axes, fmt.Sprintf("a%d=0,1,2,3,4,5,6,7,8,9", a))
	}
	for s := range 20 {
		axis := fmt.Sprintf("a%d", s%4)
		d.sections = append(d.sections, section{fmt.Sprintf("s%d", s), func(p at) *says {
			switch {
			case s%5 == 0 && p["a0"] == "3":
				return nil
			case s == 19:
				return &says{text: strconv.FormatUint(hash(p, 1)%7, 10)} // follows no rule
			}
			return &says{text: axis + p[axis]}
		}})
	}
	in := world(d)
	delta, _ := compare(t, fstest.MapFS{}, in)
	t.Logf("%d files for %d variants", len(delta.Wanted), len(in.Artifacts))
}

func TestDeltaNamesWhatAFileStandsFor(t *testing.T) {
	delta, _ := compare(t, fstest.MapFS{}, world(persona()))
	owners := map[string]assembly.Owner{}
	for _, o := range delta.Wanted {
		owners[o.Path] = o.Owner
		if o.Owner.Text.Str != o.Content() {
			t.Errorf("%s: the owner's text is not the content", o.Path)
		}
	}
	for path, want := range map[string]assembly.Owner{
		"snapshots/README.md":                          {Kind: assembly.OutIndex},
		"snapshots/persona/outline.txt":                {Kind: assembly.OutOutline, Prompt: "persona"},
		"snapshots/persona/sections/soul.txt":          {Kind: assembly.OutRendering, Prompt: "persona", Section: "soul"},
		"snapshots/persona/sections/skills/commit.txt": {Kind: assembly.OutItem, Prompt: "persona", Section: "skills", Item: "commit"},
		"snapshots/persona/tools/exec.json":            {Kind: assembly.OutTool, Prompt: "persona", Item: "exec"},
	} {
		got := owners[path]
		got.Text, got.Users = ground.Text{}, nil
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
