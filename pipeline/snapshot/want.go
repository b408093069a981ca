package snapshot

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// wantSnapshots builds every file below the snapshot folder, sorted by path.
// It is pure.
func wantSnapshots(in Input, folder string) ([]prompt.Output, diag.List) {
	s := newStore(folder)
	all := scenes(in)
	for _, p := range all {
		w := writer{scene: p, store: s, folder: promptFolder(p.build.Prompt.ID.Str)}
		w.write()
	}
	found := wantFull(in.Plan, all, s)
	if len(all) == 0 {
		return nil, found
	}
	s.add(readmeName, prompt.Owner{Kind: prompt.OutIndex, Text: prompt.Literal(readme(s, in))}, "", prompt.Users{})
	slices.SortFunc(s.outputs, byPath)
	return s.outputs, found
}

// writer puts one prompt's files into the store.
type writer struct {
	*scene
	store  *store
	folder string
	// paths are where each text went: frames by section and rung, items by
	// section, rung and item, tools and contents by name.
	paths map[place]*varying
	names map[string]string // encoded names of tools
}

// place names a varying thing of a prompt. Tools have section -1, contents -2.
type place struct {
	section    int
	step, item string
}

const toolSection = -1

func (w *writer) write() {
	w.paths = map[place]*varying{}
	w.collectTools()
	for section := range w.build.Prompt.Sections {
		w.writeSection(section)
	}
	w.writeTools()
	w.writeContents()
	text := prompt.Literal(w.outline())
	owner := prompt.Owner{Kind: prompt.OutOutline, Prompt: w.build.Prompt.ID.Str, Text: text}
	w.store.add(w.folder+"/outline.txt", owner, "", w.users(w.cover.All()))
}

// at gives the varying thing of a place, new where there is none yet.
func (w *writer) at(p place) *varying {
	if w.paths[p] == nil {
		w.paths[p] = &varying{}
	}
	return w.paths[p]
}

// writeSection stores a section's texts, then its items', rung by rung.
func (w *writer) writeSection(section int) {
	id := w.build.Prompt.Sections[section].ID.Str
	var steps []string
	keys := map[string][]string{} // by rung: the items' keys
	for _, h := range w.sections[section] {
		label := step(h.rendering)
		if !slices.Contains(steps, label) {
			steps = append(steps, label)
		}
		f := w.frame(h.rendering)
		if f.text.Str != "\n" {
			w.at(place{section: section, step: label}).add(f.text, f.around, "", h.users)
		}
		for _, item := range f.items {
			at := place{section, label, itemKey(item.key)}
			if w.paths[at] == nil {
				keys[label] = append(keys[label], item.key)
			}
			w.at(at).add(item.text, strings.TrimSuffix(item.text.Str, "\n"), item.key, h.users)
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
		w.store1(w.at(place{section: section, step: label}), prompt.OutRendering, id, stem, ".txt")
		names := encodeNames(keys[label])
		for _, key := range keys[label] {
			w.store1(w.at(place{section, label, itemKey(key)}), prompt.OutItem, id, folderOf(stem)+"/"+names[key], ".txt")
		}
	}
}

// itemKey keeps an item without a name apart from the section itself.
func itemKey(key string) string { return "/" + key }

// folderOf gives the folder beside a section's file.
func folderOf(stem string) string {
	at := strings.LastIndexByte(stem, '/') + 1
	return stem[:at] + cut(folderName(stem[at:]), maxName)
}

// store1 stores all texts of one thing.
func (w *writer) store1(v *varying, kind prompt.OutputKind, section, stem, ext string) {
	w.storeTexts(v, v.suffixes(w.build), "", prompt.Owner{Kind: kind, Section: section}, stem, ext)
}

// storeTexts stores the texts of one thing under names that end in suffixes.
// Within a group equal texts share a file.
func (w *writer) storeTexts(v *varying, suffixes []string, group string, owner prompt.Owner, stem, ext string) {
	owner.Prompt = w.build.Prompt.ID.Str
	for i, suffix := range suffixes {
		d := v.texts[i]
		owner.Item, owner.Text = d.item, d.text
		at := fileName(w.folder+"/"+stem+suffix, ext)
		d.path = w.store.keep(at, group, owner, d.measured, w.users(d.users))
	}
}

// collectTools notes every definition of every tool of the prompt.
func (w *writer) collectTools() {
	var names []string
	for _, section := range w.sections {
		for _, h := range section {
			for _, t := range h.rendering.Tools {
				at := place{section: toolSection, item: itemKey(t.Name)}
				if w.paths[at] == nil {
					names = append(names, t.Name)
				}
				w.at(at).add(toolText(t), compact(t.Canonical), t.Name, h.users)
			}
		}
	}
	w.names = encodeNames(names)
}

// writeTools stores the definitions, by name.
func (w *writer) writeTools() {
	names := make([]string, 0, len(w.names))
	for name := range w.names {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		v := w.at(place{section: toolSection, item: itemKey(name)})
		w.store1(v, prompt.OutTool, "", "tools/"+w.names[name], ".json")
	}
}

// toolText gives a definition with the place of its source.
func toolText(t *prompt.Tool) prompt.Text {
	if !t.At.Known() {
		return prompt.Literal(t.Canonical)
	}
	return prompt.Derived(t.Canonical, t.At)
}

// compact gives JSON without white space: native schemas are counted so.
func compact(canonical string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(canonical)) != nil {
		return canonical // no JSON: counted as it is
	}
	return b.String()
}

// wantFull stores the whole text of the variants that the manifest lists.
func wantFull(plan *prompt.Plan, all []*scene, s *store) diag.List {
	var found diag.List
	wanted := make([]prompt.Set, len(all))
	for i, p := range all {
		wanted[i] = prompt.NewSet(len(p.build.Variants))
	}
	for _, word := range plan.Spec.Snapshots.Full {
		i, set, bad := selected(plan, all, word)
		if bad != nil {
			found = append(found, *bad)
			continue
		}
		wanted[i].Union(set)
	}
	for i, p := range all {
		for v, a := range p.artifacts {
			if a == nil || !wanted[i].Has(v) {
				continue
			}
			id := p.build.Prompt.ID.Str
			one := prompt.NewSet(len(p.build.Variants))
			one.Add(v)
			owner := prompt.Owner{Kind: prompt.OutFull, Prompt: id, Item: a.Variant.Name, Text: whole(a)}
			stem := promptFolder(id) + "/full/" + variantFile(a.Variant, p.build)
			s.add(fileName(stem, artifactExt(a)), owner, owner.Text.Str, p.users(one))
		}
	}
	return found
}

// elsewhere reports whether the prompt of an id is one that another program
// renders.
func elsewhere(plan *prompt.Plan, id string) bool {
	return slices.ContainsFunc(plan.Builds, func(b *prompt.Build) bool { return b.Prompt.ID.Str == id && b.Prompt.Rendered != nil })
}

// selected gives the prompt and the variants that a word names: one by its
// name, or all that a part of a name holds.
func selected(plan *prompt.Plan, all []*scene, word prompt.Word) (int, prompt.Set, *diag.Diagnostic) {
	id, part, _ := strings.Cut(word.Str, "/")
	if elsewhere(plan, id) {
		d := diag.New(diag.FullRendered, word.At, "rendered-elsewhere", word.Str).
			WithHint("remove-rendered")
		return 0, prompt.Set{}, &d
	}
	i := slices.IndexFunc(all, func(p *scene) bool { return p.build.Prompt.ID.Str == id })
	if i < 0 {
		var ids []string
		for _, p := range all {
			ids = append(ids, p.build.Prompt.ID.Str)
		}
		return 0, prompt.Set{}, unknownFull(word, id, ids, diag.Say("there-is-no-prompt", id))
	}
	p := all[i]
	if v, ok := p.build.Named(part); ok {
		set := prompt.NewSet(len(p.build.Variants))
		set.Add(v.Index)
		return i, set, nil
	}
	set, err := p.cover.Select(part)
	if err != nil {
		d := selectFinding(word, p.build.Prompt, err)
		return 0, prompt.Set{}, &d
	}
	if set.First() < 0 {
		d := diag.New(diag.FullUnknown, word.At, "not-built", word.Str).
			WithHint("run-list-of", id)
		return 0, prompt.Set{}, &d
	}
	return i, set, nil
}
