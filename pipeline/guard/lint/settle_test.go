package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/guard/lint"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/wording"
)

// row writes a setting as "CODE[,CODE] LEVEL [in=GLOB,…] [of=PROMPT,…]".
func row(t *testing.T, text string) *language.Setting {
	t.Helper()
	fields := strings.Fields(text)
	f := &diag.File{Path: "prompts.yaml", Text: text}
	words := func(list string) []ground.Word {
		var out []ground.Word
		for w := range strings.SplitSeq(list, ",") {
			i := strings.Index(text, w)
			out = append(out, ground.Word{Str: w, At: diag.Span{File: f, Start: i, End: i + len(w)}})
		}
		return out
	}
	out := &language.Setting{Codes: words(fields[0]), At: diag.Whole(f)}
	out.Level = map[string]language.Strictness{"error": language.CountsAsError, "warn": language.CountsAsWarning, "off": language.Off}[fields[1]]
	for _, w := range fields[2:] {
		if list, ok := strings.CutPrefix(w, "in="); ok {
			out.Paths = words(list)
		} else {
			out.Prompts = words(strings.TrimPrefix(w, "of="))
		}
	}
	return out
}

// foundAs makes a finding in a file, about prompts.
func foundAs(code diag.Code, level diag.Level, path string, prompts ...string) diag.Diagnostic {
	d := diag.Diagnostic{Code: code, Level: level, What: diag.Verbatim("m"), Prompts: prompts}
	if path != "" {
		d.Span = diag.Span{File: &diag.File{Path: path, Text: "x"}, End: 1}
	}
	return d
}

// foundIn makes a finding about several files.
func foundIn(path string, also ...string) diag.Diagnostic {
	d := foundAs(diag.DeadAxis, diag.Warning, path)
	d.Also = also
	return d
}

func TestSettingsDecideWhatFindingsCountAs(t *testing.T) {
	dead, error3002 := diag.DeadAxis, diag.UnknownSource
	for _, tc := range []struct {
		name string
		rows []string
		in   diag.Diagnostic
		want string // level, or off
	}{
		{"raised", []string{"PC6003 error"}, foundAs(dead, diag.Warning, "a.md"), "error"},
		{"lowered", []string{"PC6001 warn"}, foundAs(diag.LooksLikeSlot, diag.Error, "a.md"), "warning"},
		{"off", []string{"PC6003 off"}, foundAs(dead, diag.Warning, ""), "off"},
		{"another code", []string{"PC6004 off"}, foundAs(dead, diag.Warning, "a.md"), "warning"},
		{"the last row counts", []string{"PC6003 off", "PC6003 error"}, foundAs(dead, diag.Warning, "a.md"), "error"},
		{"the last row that fits", []string{"PC6003 off", "PC6003 error in=b/**"}, foundAs(dead, diag.Warning, "a.md"), "off"},
		{"an exception", []string{"PC6003 off", "PC6003 error in=b/**"}, foundAs(dead, diag.Warning, "b/c/d.md"), "error"},
		{"one of several files", []string{"PC6003 off in=b.md,a.*"}, foundAs(dead, diag.Warning, "a.md"), "off"},
		{"all of its files", []string{"PC6003 off in=a.md,b.md"}, foundIn("a.md", "b.md"), "off"},
		{"one of its files", []string{"PC6003 off in=a.md"}, foundIn("a.md", "b.md"), "warning"},
		{"no place, but a file", []string{"PC6003 off in=**"}, foundAs(dead, diag.Warning, ""), "warning"},
		{"its prompt", []string{"PC6003 off of=p"}, foundAs(dead, diag.Warning, "a.md", "p"), "off"},
		{"all of its prompts", []string{"PC6003 off of=q,p"}, foundAs(dead, diag.Warning, "a.md", "p", "q"), "off"},
		{"one of its prompts", []string{"PC6003 off of=p"}, foundAs(dead, diag.Warning, "a.md", "p", "q"), "warning"},
		{"about no prompt", []string{"PC6003 off of=p"}, foundAs(dead, diag.Warning, "a.md"), "warning"},
		{"prompt and file", []string{"PC6003 off in=a.md of=p"}, foundAs(dead, diag.Warning, "b.md", "p"), "warning"},
		{"an error of meaning", []string{"PC3002 off"}, foundAs(error3002, diag.Error, "a.md"), "error"},
		{"an error where others are notes", []string{"PC4008 off"}, foundAs("PC4008", diag.Error, "a.md"), "error"},
		{"a note of another stage", []string{"PC4008 error"}, foundAs("PC4008", diag.Note, "a.md"), "error"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spec := &language.Spec{}
			for _, text := range tc.rows {
				spec.Checks = append(spec.Checks, row(t, text))
			}
			kept, off := lint.Settle(spec, diag.List{tc.in}, lint.SeenSome)
			got := "off"
			if len(kept) == 1 {
				got = kept[0].Level.String()
			}
			if got != tc.want || len(kept)+len(off) != 1 {
				t.Errorf("%s, want %s (kept %v, off %v)", got, tc.want, kept, off)
			}
		})
	}
}

func TestRowsThatLeaveNothingOutAreReported(t *testing.T) {
	found := diag.List{foundAs(diag.DeadAxis, diag.Warning, "a.md"), foundAs(diag.NeverKept, diag.Warning, "b.md")}
	for _, tc := range []struct {
		name string
		rows []string
		seen lint.Seen
		want []string
	}{
		{"all are used", []string{"PC6003 off", "PC6004 off in=b.md"}, lint.SeenAll, nil},
		{"one is not", []string{"PC6002 off"}, lint.SeenAll, []string{"warning PC6040 0 this row leaves no finding out"}},
		{"a later row decides", []string{"PC6003 off", "PC6003 warn"}, lint.SeenAll, []string{"warning PC6040 0 this row leaves no finding out"}},
		{"a later row fits other files", []string{"PC6002 error in=a.md", "PC6002 warn in=b.md"}, lint.SeenAll, nil},
		{"a later row fits other prompts", []string{"PC6002 error", "PC6002 warn of=p"}, lint.SeenAll, nil},
		{"an exception behind the rule", []string{"PC6003 off", "PC6003 error in=b.md"}, lint.SeenAll, nil},
		{"an exception that fits all there is", []string{"PC6003 error", "PC6003 warn in=*.md"}, lint.SeenAll, nil},
		{"an exception to what is off", []string{"PC6003 off", "PC6003 warn in=*.md"}, lint.SeenAll, []string{"warning PC6040 0 this row leaves no finding out"}},
		{"paths that fit no file", []string{"PC6003 error in=c.md,a.md", "PC6004 off in=sub/b.md"}, lint.SeenAll, []string{
			`warning PC6040 14 no file that was read fits "sub/b.md"`, `warning PC6040 16 no file that was read fits "c.md"`,
		}},
		{"paths on the disk", []string{"PC7006 error in=snapshots/**"}, lint.SeenAll, nil},
		{"one of its codes is not", []string{"PC6003,PC6002 off"}, lint.SeenAll, []string{"warning PC6040 7 this row leaves no finding of PC6002 out"}},
		{"none of its codes is", []string{"PC6001,PC6002 off"}, lint.SeenAll, []string{"warning PC6040 0 this row leaves no finding out"}},
		{"some variants were looked at", []string{"PC6002 off"}, lint.SeenSome, nil},
		{"nothing is off", []string{"PC6002 error"}, lint.SeenAll, nil},
		{"not all of the disk was looked at", []string{"PC7004 off"}, lint.SeenVariants, nil},
		{"all of it was", []string{"PC7004 off"}, lint.SeenAll, []string{"warning PC6040 0 this row leaves no finding out"}},
		{"as an error", []string{"PC6002 off", "PC6040 error"}, lint.SeenAll, []string{"error PC6040 0 this row leaves no finding out"}},
		{"off itself", []string{"PC6002 off", "PC6040 off"}, lint.SeenAll, nil},
		{"off itself for nothing", []string{"PC6040 off"}, lint.SeenAll, []string{"warning PC6040 0 this row leaves no finding out"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spec := &language.Spec{}
			for _, text := range tc.rows {
				spec.Checks = append(spec.Checks, row(t, text))
			}
			kept, _ := lint.Settle(spec, found, tc.seen)
			var got []string
			for _, d := range kept {
				if d.Code == diag.IdleSetting {
					got = append(got, fmt.Sprint(d.Level, " ", d.Code, " ", d.Span.Start, " ", wording.Message(d)))
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestManyRowsAndFindingsAreSettledAtOnce is about time: both come from files
// that anybody may have written.
func TestManyRowsAndFindingsAreSettledAtOnce(t *testing.T) {
	spec := &language.Spec{}
	for i := range 1000 {
		spec.Checks = append(spec.Checks, row(t, fmt.Sprintf("PC6003 off in=*/%d*%d.md", i, i)))
	}
	var found diag.List
	for i := range 100_000 {
		found = append(found, foundAs(diag.DeadAxis, diag.Warning, fmt.Sprintf("a/%d.md", i%500)))
	}
	kept, off := lint.Settle(spec, found, lint.SeenAll)
	if len(off)+len(kept) == 0 {
		t.Error("nothing came out")
	}
}
