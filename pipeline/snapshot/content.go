package snapshot

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

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
	text  prompt.Text
	// measured is what the index counts.
	measured string
}

// key tells contents of one prompt apart.
func (c content) key() textKey { return textKey{section: contentSection, item: c.name()} }

// name gives a content's folder and path.
func (c content) name() string { return strings.TrimSuffix(c.folder+"/"+c.path, "/") }

// contentOf gives what a part says of a conversation; false for anything else.
func contentOf(p prompt.Part) (content, bool) {
	if p.Section >= 0 || p.Text == "" || p.Passage == nil || p.Passage.Content == nil {
		return content{}, false
	}
	from := p.Passage.Content
	kind := from.Kind.String()
	out := content{folder: kind, path: from.Key, fixture: from.Fixture, group: kind, text: line(said(p)), measured: p.Text}
	if !from.Kind.OfWorkspace() {
		out.path = strings.TrimSuffix(from.Fixture+"/"+from.Key, "/")
		out.group = out.name()
	}
	return out, true
}

// said gives the text of a part, with its places where the part knows them.
func said(p prompt.Part) prompt.Text {
	switch {
	case p.Rendering != nil && p.Rendering.Text.Str == p.Text:
		return p.Rendering.Text
	case p.Passage != nil && p.Passage.Text.Str == p.Text:
		return p.Passage.Text
	default:
		return prompt.Literal(p.Text)
	}
}

// imageContent describes the nth image of a fixture. It is the decoded image
// that counts; tokens and characters it has none.
func (v *promptView) imageContent(image *prompt.Image, fixture string, n int) content {
	text, ok := v.images[image]
	if !ok {
		text = imageText(image)
		v.images[image] = text
	}
	out := content{folder: prompt.ContentImage.String(), path: fixture + "/" + strconv.Itoa(n), fixture: fixture, text: text}
	out.group = out.name()
	return out
}

func imageText(image *prompt.Image) prompt.Text {
	data, err := base64.StdEncoding.DecodeString(image.Data)
	if err != nil {
		data = []byte(image.Data) // what is emitted, then
	}
	hash := sha256.Sum256(data)
	text := fmt.Sprintf("%s\n%d bytes\nsha256 %s\n", image.Media, len(data), hex.EncodeToString(hash[:]))
	return prompt.Derived(text, image.At)
}

// contentsOf gives the contents of an artifact in the order of its messages.
func (v *promptView) contentsOf(a *prompt.Artifact) []content {
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
func (v *promptView) fixture(a *prompt.Artifact) string {
	if unit := v.conversation(a); unit != nil {
		return unit.Dialogue.Name
	}
	return ""
}

// conversation gives the unit of the conversation that a variant shows, nil
// where it has none.
func (v *promptView) conversation(a *prompt.Artifact) *prompt.Unit {
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
			d := w.texts(c.key()).add(c.text, c.measured, c.name(), w.only(v))
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
		w.storeTexts(v, v.fixtureSuffixes(names), c.group, prompt.Owner{Kind: prompt.OutContent}, stem, ".txt")
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
