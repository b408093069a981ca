package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/store"
)

// The outline of a prompt that is rendered elsewhere has no sections: it records
// the patterns of its inputs, and the SHA-256 of each input and of the texts in
// each file. A path and its sum stand on two lines, so that two branches which
// change neighbouring files merge.
const (
	rowFrom    = "from "
	rowInput   = "input "
	rowText    = "text "
	rowRequest = "request " // a file of requests that a program sent
	rowSum     = "  "
)

// wantInputs adds the outlines of the prompts that name what they are rendered
// from.
func wantInputs(in Input, s *shelf) {
	byBuild := in.Plan.ByBuild(in.Artifacts)
	requests := map[string]bool{}
	for _, a := range in.Artifacts {
		if a != nil && a.Variant.Sent != nil {
			requests[a.Variant.Sent.Entry.At.File.Path] = true
		}
	}
	for _, b := range in.Plan.Builds {
		if b.Prompt.Rendered == nil || !b.Prompt.HasSnapshots() {
			continue
		}
		id := b.Prompt.ID.Str
		var out strings.Builder
		fmt.Fprintf(&out, "# %s: %s, rendered elsewhere\n", id, variants(len(b.Variants)))
		for _, w := range b.Prompt.Rendered.From {
			out.WriteString(rowFrom + onLine(w.Str) + "\n")
		}
		for _, f := range in.Plan.Spec.Tree.InputsOf(b.Prompt.Rendered) {
			out.WriteString(rowInput + onLine(f.Path) + "\n" + rowSum + f.SHA256 + "\n")
		}
		sums := textSums(byBuild[b])
		for _, p := range slices.Sorted(maps.Keys(sums)) {
			row := rowText
			if requests[p] {
				row = rowRequest
			}
			out.WriteString(row + onLine(p) + "\n" + rowSum + hex.EncodeToString(sums[p].Sum(nil)) + "\n")
		}
		owner := assembly.Owner{Kind: assembly.OutOutline, Prompt: id, Text: ground.Literal(out.String())}
		s.add(promptFolder(id)+"/outline.txt", owner, assembly.Users{Build: b, Set: setcover.NewCover(b).All()})
	}
}

// onLine keeps a name with line breaks on its line.
func onLine(name string) string {
	if q := strconv.Quote(name); strings.ContainsAny(name, "\r\n\"") {
		return q
	}
	return name
}

// textSums sums up, by file, what the variants of a prompt send of it.
func textSums(artifacts []*assembly.Artifact) map[string]hash.Hash {
	out := map[string]hash.Hash{}
	add := func(p, text string) {
		if out[p] == nil {
			out[p] = sha256.New()
		}
		_, _ = fmt.Fprintf(out[p], "%d\n%s", len(text), text) // a hash takes everything
	}
	for _, a := range artifacts {
		if a == nil {
			continue
		}
		met, whole := map[string]bool{}, a.Text()
		if a.Variant.Sent != nil {
			whole = dialect.Encode(a).Text()
		}
		for _, r := range a.Used {
			if r == nil || r.Unit == nil {
				continue
			}
			text := whole
			if len(r.Tools) > 0 && !(a.Variant.Sent != nil && slices.Contains(r.Unit.Sources(), a.Variant.Sent.Entry.At.File.Path)) {
				text = ""
				for _, t := range r.Tools {
					text += t.Canonical
				}
			}
			for _, p := range r.Unit.Sources() {
				if !met[p] {
					met[p] = true
					add(p, text)
				}
			}
		}
	}
	return out
}

// staleTexts finds the prompts that have a changed input and no changed text.
func staleTexts(plan *assembly.Plan, changed []store.Change) diag.List {
	var out diag.List
	for _, c := range changed {
		b := plan.Build(c.Output.Owner.Prompt)
		if c.Status != store.Changed || c.Output.Owner.Kind != assembly.OutOutline || b == nil || b.Prompt.Rendered == nil {
			continue
		}
		was, is := rowsOf(c.Old), rowsOf(c.Output.Content())
		out = append(out, requestsNow(b, was, is)...)
		if !maps.Equal(was[rowText], is[rowText]) || !maps.Equal(was[rowRequest], is[rowRequest]) {
			continue
		}
		var differ []string
		for _, p := range slices.Sorted(maps.Keys(both(was[rowInput], is[rowInput]))) {
			old, had := was[rowInput][p]
			now, has := is[rowInput][p]
			if had && has && old != now || had != has && maps.Equal(was[rowFrom], is[rowFrom]) {
				differ = append(differ, p)
			}
		}
		if n := len(differ); n > 0 {
			p := b.Prompt
			d := diag.New(diag.StaleTexts, p.Rendered.From[0].At, "inputs-changed-no-text", p.ID.Str, diag.Some(differ, maxNamed)).WithHint("update-texts-and-build")
			if p.Record != nil {
				d = diag.New(diag.StaleTexts, p.Rendered.From[0].At, "inputs-changed-not-recorded", p.ID.Str, diag.Some(differ, maxNamed)).WithHint("record-and-build", p.ID.Str)
			}
			d.Prompts = []string{p.ID.Str}
			out = append(out, d)
		}
	}
	return out
}

// requestsNow notes the files that were texts when their outline was written and are
// read as requests now.
func requestsNow(b *assembly.Build, was, is map[string]map[string]string) diag.List {
	var names []string
	for _, p := range slices.Sorted(maps.Keys(is[rowRequest])) {
		if _, ok := was[rowText][p]; ok {
			names = append(names, p)
		}
	}
	if names == nil {
		return nil
	}
	d := diag.New(diag.RequestsNow, b.Prompt.Rendered.Path.At, "requests-now", diag.Some(names, maxNamed)).WithHint("build-or-as-text")
	d.Level, d.Prompts = diag.Note, []string{b.Prompt.ID.Str}
	return diag.List{d}
}

// maxNamed is how many inputs a finding names.
const maxNamed = 3

func both(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// rowsOf reads such an outline: the sums by sort of row and name.
func rowsOf(outline string) map[string]map[string]string {
	out := map[string]map[string]string{rowFrom: {}, rowInput: {}, rowText: {}, rowRequest: {}}
	sort, name := "", ""
	for line := range strings.Lines(outline) {
		line = strings.TrimRight(line, "\r\n")
		if sum, ok := strings.CutPrefix(line, rowSum); ok && sort != "" {
			out[sort][name] = sum
			continue
		}
		sort = ""
		for _, s := range []string{rowFrom, rowInput, rowText, rowRequest} {
			if rest, ok := strings.CutPrefix(line, s); ok {
				sort, name = s, rest
				out[s][name] = ""
			}
		}
	}
	return out
}
