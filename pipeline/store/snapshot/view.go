package snapshot

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/assembly/setcover"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// promptView is one prompt with what its variants have.
type promptView struct {
	build *assembly.Build
	cover *setcover.Cover
	// artifacts are by variant; nil where there is none.
	artifacts []*assembly.Artifact
	// sections are by index in Prompt.Sections.
	sections [][]assembly.Holder
	frames   map[*assembly.Rendering]frame
	units    []*assembly.Unit // of the plan
	images   map[*language.Image]ground.Text
}

// views gives the prompts of a plan in declared order, without those that are
// rendered elsewhere: their texts are in the repository already.
func views(in Input) []*promptView {
	var out []*promptView
	byBuild := in.Plan.ByBuild(in.Artifacts)
	for _, b := range in.Plan.Builds {
		if b.Prompt.Rendered != nil {
			continue
		}
		v := &promptView{
			build: b, cover: setcover.NewCover(b), artifacts: byBuild[b],
			frames: map[*assembly.Rendering]frame{}, units: in.Plan.Units, images: map[*language.Image]ground.Text{},
		}
		v.sections = b.Holders(v.artifacts)
		out = append(out, v)
	}
	return out
}

func (v *promptView) frame(r *assembly.Rendering) frame {
	f, ok := v.frames[r]
	if !ok {
		f = frameOf(r)
		v.frames[r] = f
	}
	return f
}

// users gives a set as the users of a file.
func (v *promptView) users(set ground.Set) assembly.Users {
	return assembly.Users{Build: v.build, Set: set}
}

func (v *promptView) only(variant int) ground.Set {
	out := ground.NewSet(len(v.artifacts))
	out.Add(variant)
	return out
}

// whole gives the emitted bytes of an artifact. Text keeps its places; in JSON
// it is written with escapes, so that no byte of it has one.
func whole(a *assembly.Artifact) ground.Text {
	if a.Variant.Shape().JSON {
		return ground.Literal(dialect.Encode(a).Text())
	}
	var b ground.Builder
	for _, p := range a.Parts {
		b.WriteText(said(p))
	}
	return b.Text()
}

// order gives the sections as the first variant has them, those left out
// included.
func (v *promptView) order() []int {
	if len(v.build.Variants) == 0 {
		return nil
	}
	return v.build.Variants[0].Order
}

// variantFile gives a variant's file name without extension: its name's part
// after the prompt, or the prompt's where there is none.
func variantFile(v *assembly.Variant, b *assembly.Build) string {
	id := b.Prompt.ID.Str
	if len(v.Name) > len(id)+1 {
		return v.Name[len(id)+1:]
	}
	return id
}

// frame is a rendering as it is stored: what stands around its items, and
// the items.
type frame struct {
	// text is the file's content: one line break follows the section's text,
	// and each run of items is replaced by its names.
	text  ground.Text
	items []storedItem
}

type storedItem struct {
	name string // unique in the rendering
	text ground.Text
	file *diag.File
}

// opening starts the marker that stands for a run of items.
const (
	bracket = "⟨"
	opening = bracket + "items"
	closing = "⟩"
)

// frameOf takes a rendering apart. Two different renderings never give equal
// frames with equal items: the marker says what joins the items, and where a
// text has items, or characters that read like the marker, every bracket of
// its own is doubled.
func frameOf(r *assembly.Rendering) frame {
	items := r.NamedItems()
	escape := len(items) > 0 || strings.Contains(r.Text.Str, opening)
	var out frame
	var b ground.Builder
	at := 0
	for len(items) > 0 {
		run, sep := leadingRun(r.Text.Str, items)
		writePlain(&b, r.Text.Slice(at, run[0].Start), escape)
		var names []string
		for _, item := range run {
			names = append(names, quoteName(item.Name))
			out.items = append(out.items, storedItem{item.Name, line(r.Text.Slice(item.Start, item.End)), item.File})
		}
		b.WriteString(marker(names, sep))
		at, items = run[len(run)-1].End, items[len(run):]
	}
	writePlain(&b, r.Text.Slice(at, len(r.Text.Str)), escape)
	b.WriteString("\n")
	out.text = b.Text()
	return out
}

// leadingRun gives the items at the front of a list that are joined by one
// and the same separator, and the separator.
func leadingRun(text string, items []assembly.Item) (run []assembly.Item, sep string) {
	n := 1
	for ; n < len(items); n++ {
		between := text[items[n-1].End:items[n].Start]
		if !assembly.Separates(between) || n > 1 && between != sep {
			break
		}
		sep = between
	}
	return items[:n], sep
}

// marker stands for a run of items. A line break is the usual separator and
// is not mentioned.
func marker(names []string, sep string) string {
	list := strings.Join(names, ", ")
	if len(names) > 1 && sep != "\n" {
		list += "; joined by " + strconv.Quote(sep)
	}
	return opening + ": " + list + closing
}

func quoteName(name string) string {
	for i := range len(name) {
		if c := name[i]; !plainByte(c) && c != '/' && c != '#' {
			return strconv.Quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// writePlain writes literal text; with escape, every bracket twice.
func writePlain(b *ground.Builder, t ground.Text, escape bool) {
	at := 0
	for escape {
		i := strings.Index(t.Str[at:], bracket)
		if i < 0 {
			break
		}
		end := at + i + len(bracket)
		b.WriteText(t.Slice(at, end))
		b.WriteString(bracket)
		at = end
	}
	b.WriteText(t.Slice(at, len(t.Str)))
}

// line gives a text with one line break at its end.
func line(t ground.Text) ground.Text {
	var b ground.Builder
	b.Grow(len(t.Str)+len("\n"), len(t.Segs))
	b.WriteText(t)
	b.WriteString("\n")
	return b.Text()
}

// content is a piece of a conversation that has a file of its own.
type content struct {
	folder  string // of all contents of the kind
	path    string // below it, not yet encoded; "" for the only one of its kind
	fixture string
	// group names the contents that may share a file: all contents of the kind
	// where they belong to the workspace. Contents of a fixture share a file only
	// with another prompt's under the same name, so that the path of a file always
	// tells whose it is.
	group string
	text  ground.Text
}

// key tells contents of one prompt apart.
func (c content) key() textKey { return textKey{section: contentSection, item: c.name()} }

// name gives a content's folder and path.
func (c content) name() string { return strings.TrimSuffix(c.folder+"/"+c.path, "/") }

// contentOf gives what a part says of a conversation; false for anything else.
func contentOf(p assembly.Part) (content, bool) {
	if p.Section >= 0 || p.Text == "" || p.Passage == nil || p.Passage.Content == nil {
		return content{}, false
	}
	from := p.Passage.Content
	kind := from.Kind.String()
	out := content{folder: kind, path: from.Key, fixture: from.Fixture, group: kind, text: line(said(p))}
	if !from.Kind.OfWorkspace() {
		out.path = strings.TrimSuffix(from.Fixture+"/"+from.Key, "/")
		out.group = out.name()
	}
	return out, true
}

// said gives the text of a part, with its places where the part knows them.
func said(p assembly.Part) ground.Text {
	switch {
	case p.Rendering != nil && p.Rendering.Text.Str == p.Text:
		return p.Rendering.Text
	case p.Passage != nil && p.Passage.Text.Str == p.Text:
		return p.Passage.Text
	default:
		return ground.Literal(p.Text)
	}
}

// imageContent describes the nth image of a fixture. It is the decoded image
// that counts.
func (v *promptView) imageContent(image *language.Image, fixture string, n int) content {
	text, ok := v.images[image]
	if !ok {
		text = imageText(image)
		v.images[image] = text
	}
	out := content{folder: assembly.ContentImage.String(), path: fixture + "/" + strconv.Itoa(n), fixture: fixture, text: text}
	out.group = out.name()
	return out
}

func imageText(image *language.Image) ground.Text {
	data, err := base64.StdEncoding.DecodeString(image.Data)
	if err != nil {
		data = []byte(image.Data) // what is emitted, then
	}
	hash := sha256.Sum256(data)
	text := fmt.Sprintf("%s\n%d bytes\nsha256 %s\n", image.Media, len(data), hex.EncodeToString(hash[:]))
	return ground.Derived(text, image.At)
}

// contentsOf gives the contents of an artifact in the order of its messages.
func (v *promptView) contentsOf(a *assembly.Artifact) []content {
	var out []content
	images := 0
	for _, m := range a.Messages {
		for _, block := range m.Blocks {
			for _, p := range a.Parts[block.From:block.To] {
				if c, ok := contentOf(p); ok {
					out = append(out, c)
				}
			}
			if block.Image != nil {
				images++
				out = append(out, v.imageContent(block.Image, v.fixture(a), images))
			}
		}
	}
	return out
}

// fixture gives the name of the conversation that a variant shows.
func (v *promptView) fixture(a *assembly.Artifact) string {
	if unit := v.conversation(a); unit != nil {
		return unit.Dialogue.Name
	}
	return ""
}

// conversation gives the unit of the conversation that a variant shows, nil
// where it has none.
func (v *promptView) conversation(a *assembly.Artifact) *assembly.Unit {
	if a.Variant.Messages == nil {
		return nil
	}
	return v.units[a.Variant.Messages.Unit]
}

// writeContents stores what conversations say, in the order in which variants
// say it.
func (w *writer) writeContents() {
	var all []content
	var fixtures []string
	for v, a := range w.artifacts {
		if a == nil {
			continue
		}
		for _, c := range w.contentsOf(a) {
			if w.paths[c.key()] == nil {
				all = append(all, c)
			}
			d := w.texts(c.key()).add(c.text, c.name(), w.only(v))
			if d.fixture == "" {
				d.fixture = c.fixture
				fixtures = append(fixtures, c.fixture)
			}
		}
	}
	paths, stems := map[string][]string{}, map[string]map[string]string{} // by folder
	for _, c := range all {
		paths[c.folder] = append(paths[c.folder], c.path)
	}
	for folder, list := range paths {
		stems[folder] = encodeNames(list)
	}
	names := encodeNames(fixtures)
	for _, c := range all {
		stem := c.folder
		if c.path != "" {
			stem += "/" + stems[c.folder][c.path]
		}
		v := w.texts(c.key())
		w.storeTexts(v, v.fixtureSuffixes(names), c.group, assembly.Owner{Kind: assembly.OutContent, Image: c.folder == assembly.ContentImage.String()}, stem, ".txt")
	}
}

// fixtureSuffixes gives what each text's file name has after the thing's own
// name: nothing for the text that most variants have (the first such text), and
// for each other the first fixture that has it. There is no folder in it.
func (v *varying) fixtureSuffixes(names map[string]string) []string {
	out := make([]string, len(v.texts))
	usual := v.usual()
	for i, d := range v.texts {
		if i != usual {
			out[i] = "~" + strings.ReplaceAll(names[d.fixture], "/", "%2F")
		}
	}
	return out
}
