package snapshot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
)

// deltaOf makes the delta of a state: wanted and found are the files, as "PATH:TEXT".
func deltaOf(wanted, found string) *store.Delta {
	read := func(list string) map[string]string {
		out := map[string]string{}
		for f := range strings.FieldsSeq(list) {
			name, text, _ := strings.Cut(f, ":")
			out[name] = strings.NewReplacer(`\r`, "\r", `\n`, "\n").Replace(text)
		}
		return out
	}
	want, have, d := read(wanted), read(found), &store.Delta{}
	for name, text := range want {
		o := assembly.Output{Path: name, Parts: []string{text}}
		d.Wanted = append(d.Wanted, o)
		if old, ok := have[name]; !ok {
			d.Snapshots = append(d.Snapshots, store.Change{Output: o, Status: store.Added})
		} else if old != text {
			d.Snapshots = append(d.Snapshots, store.Change{Output: o, Status: store.Changed, Old: old})
		}
	}
	for name, old := range have {
		if _, ok := want[name]; !ok {
			d.Snapshots = append(d.Snapshots, store.Change{Output: assembly.Output{Path: name}, Status: store.Orphaned, Old: old})
		}
	}
	slices.SortFunc(d.Wanted, func(a, b assembly.Output) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(d.Snapshots, func(a, b store.Change) int { return strings.Compare(a.Output.Path, b.Output.Path) })
	return d
}

func causes(d *store.Delta) map[string]store.DriftCause {
	out := map[string]store.DriftCause{}
	for _, c := range d.Snapshots {
		out[c.Output.Path] = c.Cause
	}
	return out
}

func TestADifferenceHasItsCause(t *testing.T) {
	const source, edited, version = store.OutOfDate, store.Edited, store.OtherVersion
	type row = map[string]store.DriftCause
	for name, test := range map[string]struct {
		now, head, last [2]string // wanted, and found
		want, doubted   row
	}{
		"a source changed":                         {[2]string{"a:2", "a:1"}, [2]string{"a:1", "a:1"}, [2]string{}, row{"a": source}, row{"a": source}},
		"a source and its snapshot changed":        {[2]string{"a:2", "a:3"}, [2]string{"a:1", "a:1"}, [2]string{}, row{"a": source}, row{"a": source}},
		"a snapshot was edited":                    {[2]string{"a:1", "a:2"}, [2]string{"a:1", "a:1"}, [2]string{}, row{"a": edited}, row{"a": edited}},
		"a snapshot was deleted":                   {[2]string{"a:1 b:1", "b:1"}, [2]string{"a:1 b:1", "a:1 b:1"}, [2]string{}, row{"a": edited}, row{"a": edited}},
		"a snapshot that nothing wants came":       {[2]string{"a:1", "a:1 b:1"}, [2]string{"a:1", "a:1"}, [2]string{}, row{"b": source}, row{"b": source}},
		"edited, where HEAD drifts itself":         {[2]string{"a:1", "a:3"}, [2]string{"a:1", "a:2"}, [2]string{}, row{"a": source}, row{"a": source}},
		"HEAD drifts, written with these sources":  {[2]string{"a:1", "a:2"}, [2]string{"a:1", "a:2"}, [2]string{"a:1", "a:2"}, row{"a": version}, row{"a": version}},
		"HEAD drifts, written before the source":   {[2]string{"a:1", "a:2"}, [2]string{"a:1", "a:2"}, [2]string{"a:2", "a:2"}, row{"a": version}, row{"a": source}},
		"HEAD lacks a file that this version has":  {[2]string{"a:1 b:1", "b:1"}, [2]string{"a:1 b:1", "b:1"}, [2]string{"a:1 b:1", "b:1"}, row{"a": version}, row{"a": version}},
		"HEAD lacks a file of a section that came": {[2]string{"a:1 b:1", "b:1"}, [2]string{"a:1 b:1", "b:1"}, [2]string{"b:1", "b:1"}, row{"a": version}, row{"a": source}},
		"HEAD has a file that this version drops":  {[2]string{"b:1", "a:1 b:1"}, [2]string{"b:1", "a:1 b:1"}, [2]string{"b:1", "a:1 b:1"}, row{"a": version}, row{"a": version}},
		"a section that went, not built":           {[2]string{"b:1", "a:1 b:1"}, [2]string{"a:1 b:1", "a:1 b:1"}, [2]string{}, row{"a": source}, row{"a": source}},
		"each file has its own": {
			[2]string{"a:1 b:1 c:2", "a:x b:9 c:1"},
			[2]string{"a:1 b:1 c:1", "a:1 b:9 c:1"},
			[2]string{"a:1 b:1 c:1", "a:1 b:9 c:1"},
			row{"a": edited, "b": version, "c": source},
			row{"a": edited, "b": version, "c": source},
		},
		"line ends alone":             {[2]string{`a:1\n`, `a:1\r\n`}, [2]string{`a:1\n`, `a:1\n`}, [2]string{}, row{"a": source}, row{"a": source}},
		"HEAD drifts, under autocrlf": {[2]string{`a:1\n`, `a:2\r\n`}, [2]string{`a:1\n`, `a:2\n`}, [2]string{`a:1\n`, ""}, row{"a": version}, row{"a": version}},
	} {
		t.Run(name, func(t *testing.T) {
			now := deltaOf(test.now[0], test.now[1])
			snapshot.Explain(now, deltaOf(test.head[0], test.head[1]))
			if diff := cmp.Diff(test.want, causes(now)); diff != "" {
				t.Errorf("by HEAD (-want +got):\n%s", diff)
			}
			snapshot.Doubt(now, deltaOf(test.last[0], test.last[1]))
			if diff := cmp.Diff(test.doubted, causes(now)); diff != "" {
				t.Errorf("by the commit that wrote snapshots (-want +got):\n%s", diff)
			}
			snapshot.Explain(now, nil)
			for name := range test.want {
				test.want[name] = source
			}
			if diff := cmp.Diff(test.want, causes(now)); diff != "" {
				t.Errorf("without a commit (-want +got):\n%s", diff)
			}
		})
	}
}
