package snapshot

import (
	"errors"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
)

// wantSnapshots builds every file below the snapshot folder, sorted by path.
// It is pure.
func wantSnapshots(in Input, folder string) ([]assembly.Output, diag.List) {
	s := &shelf{folder: folder, byContent: map[string]int{}, taken: map[string]bool{}}
	all := views(in)
	for _, v := range all {
		w := writer{promptView: v, shelf: s, folder: promptFolder(v.build.Prompt.ID.Str), paths: map[textKey]*varying{}}
		w.write()
	}
	wantInputs(in, s)
	found := wantFull(in.Plan, all, s)
	if !hasSnapshots(in.Plan) {
		return nil, found
	}
	s.add(readmeName, assembly.Owner{Kind: assembly.OutIndex, Text: ground.Literal(readme)}, assembly.Users{})
	slices.SortFunc(s.outputs, byPath)
	return s.outputs, found
}

// writer puts one prompt's files onto the shelf.
type writer struct {
	*promptView
	shelf  *shelf
	folder string
	// paths are where each text went.
	paths map[textKey]*varying
}

// textKey names something of a prompt that has one text or several: the frame
// of a section on a rung, an item in it, a tool, or what a conversation says.
type textKey struct {
	section    int // an index in Prompt.Sections, toolSection or contentSection
	step, item string
}

// What is of no section: tools and contents, by their names.
const (
	toolSection = -1 - iota
	contentSection
)

func (w *writer) write() {
	w.writeTools()
	for section := range w.build.Prompt.Sections {
		w.writeSection(section)
	}
	w.writeContents()
	text := ground.Literal(w.outline())
	owner := assembly.Owner{Kind: assembly.OutOutline, Prompt: w.build.Prompt.ID.Str, Text: text}
	w.shelf.add(w.folder+"/outline.txt", owner, w.users(w.cover.All()))
}

// texts gives the texts of a key, none yet where it is new.
func (w *writer) texts(key textKey) *varying {
	if w.paths[key] == nil {
		w.paths[key] = &varying{}
	}
	return w.paths[key]
}

// writeSection stores a section's texts, then its items', rung by rung.
func (w *writer) writeSection(section int) {
	id := w.build.Prompt.Sections[section].ID.Str
	var steps []string
	names := map[string][]string{} // by rung: the items' names
	for _, h := range w.sections[section] {
		label := h.Rendering.Unit.Step
		if !slices.Contains(steps, label) {
			steps = append(steps, label)
		}
		f := w.frame(h.Rendering)
		if f.text.Str != "\n" {
			w.texts(textKey{section: section, step: label}).add(f.text, "", h.Users)
		}
		for _, item := range f.items {
			key := textKey{section, label, itemKey(item.name)}
			if w.paths[key] == nil {
				names[label] = append(names[label], item.name)
			}
			w.texts(key).add(item.text, item.name, h.Users)
		}
	}
	// The section's own texts are named first: one that a rung has too must
	// not go under the rung's name.
	if own := slices.Index(steps, ""); own > 0 {
		steps = slices.Insert(slices.Delete(steps, own, own+1), 0, "")
	}
	for _, label := range steps {
		stem := "sections/" + id
		if label != "" {
			stem += "~" + label
		}
		v := w.texts(textKey{section: section, step: label})
		w.storeTexts(v, v.suffixes(w.build), "", assembly.Owner{Kind: assembly.OutRendering, Section: id}, stem, ".txt")
		encoded := encodeNames(names[label])
		for _, name := range names[label] {
			v := w.texts(textKey{section, label, itemKey(name)})
			w.storeTexts(v, v.suffixes(w.build), "", assembly.Owner{Kind: assembly.OutItem, Section: id}, folderOf(stem)+"/"+encoded[name], ".txt")
		}
	}
}

// itemKey keeps an item without a name apart from the section itself.
func itemKey(name string) string { return "/" + name }

// folderOf gives the folder beside a section's file.
func folderOf(stem string) string {
	at := strings.LastIndexByte(stem, '/') + 1
	return stem[:at] + cut(folderName(stem[at:]), maxName)
}

// storeTexts stores all texts of one thing, under names that end in suffixes.
// Within a group equal texts share a file.
func (w *writer) storeTexts(v *varying, suffixes []string, group string, owner assembly.Owner, stem, ext string) {
	owner.Prompt = w.build.Prompt.ID.Str
	for i, suffix := range suffixes {
		d := v.texts[i]
		owner.Item, owner.Text = d.item, d.text
		d.path = w.shelf.keep(fileName(w.folder+"/"+stem+suffix, ext), group, owner, w.users(d.users))
	}
}

// writeTools stores every definition of every tool of the prompt, by name.
func (w *writer) writeTools() {
	var names []string
	for _, section := range w.sections {
		for _, h := range section {
			for _, t := range h.Rendering.Tools {
				key := textKey{section: toolSection, item: itemKey(t.Name)}
				if w.paths[key] == nil {
					names = append(names, t.Name)
				}
				w.texts(key).add(ground.Derived(t.Canonical, t.At), t.Name, h.Users)
			}
		}
	}
	encoded := encodeNames(names)
	slices.Sort(names)
	for _, name := range names {
		v := w.texts(textKey{section: toolSection, item: itemKey(name)})
		w.storeTexts(v, v.suffixes(w.build), "", assembly.Owner{Kind: assembly.OutTool}, "tools/"+encoded[name], ".json")
	}
}

// wantFull stores the whole text of the variants that the manifest lists.
func wantFull(plan *assembly.Plan, all []*promptView, s *shelf) diag.List {
	var found diag.List
	wanted := make([]ground.Set, len(all))
	for i, v := range all {
		wanted[i] = ground.NewSet(len(v.build.Variants))
	}
	for _, word := range plan.Spec.Snapshots.Full {
		i, set, wrong := selected(plan, all, word)
		if wrong != nil {
			found = append(found, *wrong)
			continue
		}
		wanted[i].Union(set)
	}
	for i, v := range all {
		id := v.build.Prompt.ID.Str
		for n, a := range v.artifacts {
			if a == nil || !wanted[i].Has(n) {
				continue
			}
			owner := assembly.Owner{Kind: assembly.OutFull, Prompt: id, Item: a.Variant.Name, Text: whole(a)}
			at := fileName(promptFolder(id)+"/full/"+variantFile(a.Variant, v.build), artifactExt(a))
			s.add(at, owner, v.users(v.only(n)))
		}
	}
	return found
}

// selected gives the prompt and the variants that a word of snapshots.full
// names: one by its name, or all that a part of a name holds.
func selected(plan *assembly.Plan, all []*promptView, word ground.Word) (int, ground.Set, *diag.Diagnostic) {
	wrong := func(d diag.Diagnostic) (int, ground.Set, *diag.Diagnostic) { return 0, ground.Set{}, &d }
	id, part, _ := strings.Cut(word.Str, "/")
	if b := plan.Build(id); b != nil && b.Prompt.Rendered != nil {
		return wrong(diag.New(diag.FullRendered, word.At, "rendered-elsewhere", word.Str).WithHint("remove-rendered"))
	}
	var ids []string
	for _, v := range all {
		ids = append(ids, v.build.Prompt.ID.Str)
	}
	i := slices.Index(ids, id)
	if i < 0 {
		return wrong(unknownFull(word, &setcover.SelectError{What: "prompt", Word: id, Candidates: ids}, diag.Say("run-list")))
	}
	v := all[i]
	if named, ok := setcover.Named(v.build, part); ok {
		return i, v.only(named.Index), nil
	}
	set, err := v.cover.Select(part)
	if err != nil {
		return wrong(unknownFull(word, err, diag.Say("run-list-of", id)))
	}
	if set.First() < 0 {
		return wrong(diag.New(diag.FullUnknown, word.At, "not-built", word.Str).WithHint("run-list-of", id))
	}
	return i, set, nil
}

// unknownFull is the finding for a word of snapshots.full in which a name is
// not known, with the name that was probably meant, or another hint.
func unknownFull(word ground.Word, err error, hint diag.Words) diag.Diagnostic {
	d := diag.New(diag.FullUnknown, word.At, "not-built", word.Str)
	d.Hint = hint
	if wrong, ok := errors.AsType[*setcover.SelectError](err); ok {
		d.What = diag.Say("names-no-variant", word.Str, wrong.Fact())
		if best, ok := suggest.Best(wrong.Word, wrong.Candidates); ok {
			d.Hint = diag.Say("did-you-mean", best)
		}
	}
	return d
}

// readmeName is the file that marks the snapshot folder as ours.
const readmeName = "README.md"

// markPrefix starts its first line; the rest of the line may change from version
// to version.
const markPrefix = "<!-- promptc snapshots"

// readme is the same in every project: a row that sums something up would change
// with every edit, and two branches would conflict in it.
const readme = markPrefix + `: generated by promptc build; do not edit -->

# Prompt snapshots

What the prompts of this repository say, as ` + "`promptc build`" + ` compiles them. ` + "`promptc check`" + ` compares; a change of a source
shows here as the change of one file.

- ` + "`<prompt>/outline.txt`" + `: sections, items and tools in order, each with its file and the variants that have it
- ` + "`<prompt>/sections/`" + `: every text of a section once; ` + "`⟨items: …⟩`" + ` stands for the items in the folder beside it
- ` + "`<prompt>/tools/`" + `: tool definitions
- ` + "`<prompt>/full/`" + `: the whole text of the variants that the manifest lists
- ` + "`<prompt>/files/`, `symbols/`, `history/`" + ` and their like: what conversations say, piece by piece

For tokens run ` + "`promptc list --tokens`" + `; for what a change reaches, ` + "`promptc diff`" + `.
`

// marked reports whether a README.md has the mark: on its first line, or right
// below the line with which a merge conflict begins.
func marked(content string) bool { return strings.HasPrefix(firstLine(content), markPrefix) }

// firstLine gives the first line of a text, below the one with which a merge conflict
// begins.
func firstLine(text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(first, "<<<<<<< ") {
		first, _, _ = strings.Cut(rest, "\n")
	}
	return first
}
