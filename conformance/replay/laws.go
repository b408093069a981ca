package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// The laws, in the order of the table.
const (
	lawInit    = "init"     // check is content with what init wrote
	lawPatch   = "patch"    // the hunks and moves make the head's text of the base's
	lawSound   = "sound"    // nothing is claimed that did not change
	lawOnce    = "once"     // no two edits are the same
	lawUnread  = "unread"   // files that nothing reads are named
	lawLeftOut = "left-out" // what a format leaves out is counted
)

func laws() []string { return []string{lawInit, lawPatch, lawSound, lawOnce, lawUnread, lawLeftOut} }

// document is what the laws need of diff --format json.
type document struct {
	Changes []edit  `json:"changes"`
	Texts   *[]pair `json:"texts"`
}

// edit is a change: of lines, which it removes, adds or moves, or of a tool.
type edit struct {
	Kind           string
	Removed, Added []string
	Moved          []string
	Leaves         []struct{ From, To string } // of a tool, as JSON
	Masked         bool
}

// same reports whether an edit of lines should have been one with another.
func (e edit) same(other edit) bool {
	return len(e.Removed)+len(e.Added)+len(e.Moved) > 0 && e.Kind == other.Kind &&
		slices.Equal(e.Removed, other.Removed) && slices.Equal(e.Added, other.Added) && slices.Equal(e.Moved, other.Moved)
}

// judge holds the laws against what was printed. The files beside are those that
// changed and that the manifest does not read.
func (b *bench) judge(out *row, said formats, manifest []byte, beside []string, dir string) error {
	breaks := func(law, format string, args ...any) {
		out.Violations = append(out.Violations, violation{law, fmt.Sprintf(format, args...)})
	}
	if b.opt.manifest == "" && !b.opt.rendered && !b.opt.found {
		ran, err := b.promptc(map[string]string{"base": b.base, "head": b.head, "union": filepath.Join(dir, "union")}[b.opt.where], "check")
		if err != nil {
			return err
		}
		if ran.status != 0 {
			breaks(lawInit, "check exits %d: %s", ran.status, firstLine(ran.stdout+ran.stderr))
		}
	}
	var doc document
	if err := json.Unmarshal([]byte(said.json), &doc); err != nil {
		return fmt.Errorf("diff --format json: %w", err)
	}
	if doc.Texts == nil {
		out.Unchecked = append(out.Unchecked, "the JSON has no texts")
		return nil
	}
	for i, e := range doc.Changes {
		for j, other := range doc.Changes[:i] {
			if e.same(other) {
				breaks(lawOnce, "changes %d and %d are the same: %.80q", j, i, slices.Concat(e.Removed, e.Added, e.Moved)[0])
			}
		}
	}
	for _, path := range beside {
		if !mentions(said.json, path) {
			breaks(lawUnread, "%s", path)
		}
	}
	for _, what := range invented(said.text, doc.Changes) {
		breaks(lawSound, "the text has a line that no edit has: %s", what)
	}
	for _, format := range []struct{ name, text string }{{"text", said.text}, {"markdown", said.markdown}} {
		if what := uncounted(format.text, doc.Changes); what != "" {
			breaks(lawLeftOut, "%s leaves out %s without a count", format.name, what)
		}
	}
	if manifest != nil {
		for _, side := range []string{b.base, b.head} { // show needs it on both
			if err := os.WriteFile(filepath.Join(side, "prompts.yaml"), manifest, 0o644); err != nil {
				return err
			}
		}
	}
	return b.judgeTexts(out, doc, dir, breaks)
}

// judgeTexts holds those laws that are about each pair of texts.
func (b *bench) judgeTexts(out *row, doc document, dir string, breaks func(law, format string, args ...any)) error {
	base, head := filepath.Join(dir, "texts", "base"), filepath.Join(dir, "texts", "head")
	if err := errors.Join(os.RemoveAll(filepath.Dir(base)), os.MkdirAll(base, 0o755), os.MkdirAll(head, 0o755)); err != nil {
		return err
	}
	claimed := map[string]int{}
	for i, p := range *doc.Texts {
		was, gap, err := b.show(b.base, p.Base)
		now, gap2, err2 := b.show(b.head, p.Head)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if gap+gap2 == "" && p.masked(doc.Changes) {
			gap = "a pair has masked lines"
		}
		if gap+gap2 != "" {
			out.Unchecked = append(out.Unchecked, gap+gap2)
			continue
		}
		if err := p.holds(was, now, doc.Changes); err != nil {
			breaks(lawPatch, "%s: %v", p, err)
		}
		if line := p.both(doc.Changes); line != "" {
			breaks(lawSound, "%s: a line is removed and added: %q", p, line)
		}
		name := strconv.Itoa(i)
		if !p.Approximate {
			claimed[name] = p.claims(doc.Changes)
		}
		if err := errors.Join(os.WriteFile(filepath.Join(base, name), []byte(onLines(was)), 0o644), os.WriteFile(filepath.Join(head, name), []byte(onLines(now)), 0o644)); err != nil {
			return err
		}
	}
	most, err := linesChanged(b.ctx, base, head)
	if err != nil {
		return err
	}
	for i, p := range *doc.Texts {
		if name := strconv.Itoa(i); claimed[name] > most[name] {
			breaks(lawSound, "%s: %d lines are claimed, of %d that git has", p, claimed[name], most[name])
		}
	}
	return b.judgeMissing(out, *doc.Texts, breaks)
}

// judgeMissing holds that each variant whose text has another size than before is
// among those of a pair.
func (b *bench) judgeMissing(out *row, texts []pair, breaks func(law, format string, args ...any)) error {
	was, gap, err := b.sizes(b.base)
	now, gap2, err2 := b.sizes(b.head)
	if gap+gap2 != "" {
		out.Unchecked = append(out.Unchecked, gap+gap2)
	}
	for _, p := range texts {
		for _, v := range p.Variants {
			delete(now, named{p.Prompt, v}.name())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if size, ok := was[name]; ok && size != now[name] {
			breaks(lawPatch, "%s has %d bytes now, and had %d, and no pair has it", name, now[name], size)
		}
	}
	return errors.Join(err, err2)
}

// sizes gives the bytes of each variant's text; or why they cannot be had.
func (b *bench) sizes(side string) (out map[string]int, gap string, err error) {
	if b.opt.found {
		texts, err := b.compiled(side)
		out := map[string]int{}
		for name, text := range texts {
			out[name] = len(text)
		}
		return out, "", err
	}
	ran, err := b.promptc(side, "list", "--format", "json")
	if err != nil || ran.status != 0 {
		return nil, "promptc list: " + firstLine(ran.stderr), err
	}
	var doc struct {
		Variants []struct {
			Name  string
			Bytes int
		}
	}
	err = json.Unmarshal([]byte(ran.stdout), &doc)
	out = map[string]int{}
	for _, v := range doc.Variants {
		out[v.Name] = v.Bytes
	}
	return out, "", err
}

// show gives the text of a variant, "" for none; or why it cannot be had.
func (b *bench) show(side string, v *named) (text, gap string, err error) {
	if v == nil {
		return "", "", nil
	}
	if b.opt.found {
		texts, err := b.compiled(side)
		if text, ok := texts[v.name()]; ok || err != nil {
			return text, "", err
		}
	}
	ran, err := b.promptc(side, "show", v.name())
	if err == nil && ran.status != 0 {
		gap = fmt.Sprintf("promptc show %s exits %d: %s", v.name(), ran.status, firstLine(ran.stderr))
	}
	if text, ok, bad := textsOf(ran.stdout); ok || bad != nil {
		return text, gap, errors.Join(err, bad)
	}
	return ran.stdout, gap, err
}
