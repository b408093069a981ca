package render_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/render"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// scene is a conversation with the files of its workspace, by path.
type scene struct {
	said  *language.Conversation
	files map[string]*diag.File
}

// newScene reads an archive: conversation.json is the fixture, what is below
// workspace/ its files. A line `bare PATH` of the comment takes the final line
// break from a file, which archives cannot do.
func newScene(t testing.TB, a *txtar.Archive) scene {
	t.Helper()
	s := scene{files: map[string]*diag.File{}}
	for _, f := range a.Files {
		if path, ok := strings.CutPrefix(f.Name, "workspace/"); ok {
			text := string(f.Data)
			if strings.Contains(string(a.Comment), "bare "+path+"\n") {
				text = strings.TrimSuffix(text, "\n")
			}
			s.files[path] = &diag.File{Path: f.Name, Text: text}
		}
	}
	file := &diag.File{Path: "conversation.json", Text: wanted(a, "conversation.json")}
	s.said = conversationOf(t, &language.Doc{File: file, Format: language.JSON, Data: parseJSON(t, file)})
	return s
}

// conversationOf reads a fixture that is known to be right.
func conversationOf(t testing.TB, doc *language.Doc) *language.Conversation {
	t.Helper()
	n := doc.Data
	c := &language.Conversation{Doc: doc, Workspace: wordOf(n.Field("workspace")), Legend: textOf(n.Field("legend"))}
	c.Selected = words(n.Field("selected"))
	for i := range c.Tiers {
		for _, w := range words(n.Field("tiers").Field("L" + strconv.Itoa(i))) {
			c.Tiers[i] = append(c.Tiers[i], tierKey(t, w))
		}
	}
	for _, f := range fieldsOf(n.Field("symbols")) {
		c.Symbols = append(c.Symbols, language.SymbolBlock{Path: ground.Word{Str: f.Key, At: f.KeyAt}, Text: f.Value.Text})
	}
	for _, m := range itemsOf(n.Field("history")) {
		c.History = append(c.History, language.Said{Role: wordOf(m.Field("role")), Content: textOf(m.Field("content")), At: m.At})
	}
	for _, p := range itemsOf(n.Field("urls")) {
		c.URLs = append(c.URLs, language.Page{
			Title: textOf(p.Field("title")), URL: textOf(p.Field("url")), Content: textOf(p.Field("content")), Symbols: textOf(p.Field("symbols")), At: p.At,
		})
	}
	c.Review = reviewOf(n.Field("review"))
	for _, i := range itemsOf(n.Field("images")) {
		c.Images = append(c.Images, imageOf(t, i))
	}
	c.Prompt, c.PromptAt = textOf(n.Field("prompt")), n.Field("prompt").At
	return c
}

func reviewOf(n *ground.Node) *language.Review {
	if n == nil {
		return nil
	}
	r := &language.Review{
		Summary: textOf(n.Field("summary")), Commits: textOf(n.Field("commits")), Stats: textOf(n.Field("stats")), Symbols: textOf(n.Field("symbols")), At: n.At,
	}
	for _, f := range fieldsOf(n.Field("diffs")) {
		r.Diffs = append(r.Diffs, language.Diff{Path: ground.Word{Str: f.Key, At: f.KeyAt}, Text: f.Value.Text})
	}
	return r
}

func imageOf(t testing.TB, n *ground.Node) language.Image {
	t.Helper()
	media, data, ok := strings.Cut(strings.TrimPrefix(n.Scalar(), "data:"), ";base64,")
	decoded, err := base64.StdEncoding.DecodeString(data)
	if !ok || err != nil {
		t.Fatalf("%q is no image: %v", n.Scalar(), err)
	}
	return language.Image{URL: n.Scalar(), Media: media, Data: data, Bytes: len(decoded), At: n.At}
}

func tierKey(t testing.TB, w ground.Word) language.TierKey {
	t.Helper()
	kind, name, _ := strings.Cut(w.Str, ":")
	key := language.TierKey{Path: name, Word: w}
	for _, k := range []language.TierKeyKind{language.KeySymbol, language.KeyFile, language.KeyHistory} {
		if k.String() == kind {
			key.Kind = k
		}
	}
	if key.Kind == language.KeyHistory {
		var err error
		if key.N, err = strconv.Atoi(name); err != nil {
			t.Fatal(err)
		}
	}
	return key
}

func wordOf(n *ground.Node) ground.Word {
	if n == nil {
		return ground.Word{}
	}
	return ground.Word{Str: n.Scalar(), At: n.At}
}

func words(n *ground.Node) []ground.Word {
	var out []ground.Word
	for _, item := range itemsOf(n) {
		out = append(out, wordOf(item))
	}
	return out
}

func textOf(n *ground.Node) ground.Text {
	if n == nil {
		return ground.Text{}
	}
	return n.Text
}

func itemsOf(n *ground.Node) []*ground.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func fieldsOf(n *ground.Node) []ground.Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

// bound does what resolve does with a fixture that is right: each file and
// each turn of the history gets the one place where it is shown.
func (s scene) bound(flat bool) *assembly.Dialogue {
	d := &assembly.Dialogue{
		Conversation: s.said, Name: "conversation", Flat: flat,
		Tree: slices.Sorted(maps.Keys(s.files)),
	}
	full, placed, tiered := map[string]bool{}, map[string]bool{}, map[int]bool{}
	for _, w := range s.said.Selected {
		full[w.Str] = true
	}
	eachKey(s.said, func(_ int, k language.TierKey) {
		if k.Kind == language.KeyFile {
			full[k.Path] = true
		}
	})
	eachKey(s.said, func(n int, k language.TierKey) {
		tier := &d.Tiers[n]
		switch {
		case flat:
		case k.Kind == language.KeyFile:
			tier.Files = append(tier.Files, s.workFile(k.Path, k.Word.At))
			placed[k.Path] = true
		case k.Kind == language.KeyHistory:
			tier.History = append(tier.History, k.N)
			tiered[k.N] = true
		case !full[k.Path]:
			tier.Symbols = append(tier.Symbols, s.block(k.Path))
			placed[k.Path] = true
		}
	})
	for i := range s.said.Symbols {
		if b := &s.said.Symbols[i]; !full[b.Path.Str] && !placed[b.Path.Str] {
			d.Symbols = append(d.Symbols, b)
		}
	}
	for path := range full {
		if !placed[path] {
			d.Working = append(d.Working, s.workFile(path, diag.Whole(s.said.Doc.File)))
		}
	}
	for i := range s.said.History {
		if !tiered[i] {
			d.Active = append(d.Active, i)
		}
	}
	sortDialogue(d)
	return d
}

func sortDialogue(d *assembly.Dialogue) {
	byPath := func(a, b assembly.WorkFile) int { return strings.Compare(a.Path, b.Path) }
	byBlock := func(a, b *language.SymbolBlock) int { return strings.Compare(a.Path.Str, b.Path.Str) }
	for i := range d.Tiers {
		slices.SortFunc(d.Tiers[i].Files, byPath)
		slices.SortFunc(d.Tiers[i].Symbols, byBlock)
		slices.Sort(d.Tiers[i].History)
	}
	slices.SortFunc(d.Working, byPath)
	slices.SortFunc(d.Symbols, byBlock)
}

func eachKey(c *language.Conversation, f func(tier int, k language.TierKey)) {
	for n, keys := range c.Tiers {
		for _, k := range keys {
			f(n, k)
		}
	}
}

func (s scene) workFile(path string, at diag.Span) assembly.WorkFile {
	return assembly.WorkFile{Path: path, At: at, Doc: &language.Doc{File: s.files[path]}}
}

func (s scene) block(path string) *language.SymbolBlock {
	i := slices.IndexFunc(s.said.Symbols, func(b language.SymbolBlock) bool { return b.Path.Str == path })
	return &s.said.Symbols[i]
}

// turns renders the conversation.
func (s scene) turns(t testing.TB, flat bool) []assembly.Turn {
	t.Helper()
	kind, _ := language.LookupKind("conversation")
	u := &assembly.Unit{Dialogue: s.bound(flat), Inputs: []*assembly.Input{{Kind: kind, Docs: []*language.Doc{s.said.Doc}}}}
	out, found := render.Run(&assembly.Plan{Units: []*assembly.Unit{u}})
	if len(found) > 0 || out[0].Unit != u || out[0].Text.Str != "" {
		t.Errorf("a conversation renders as %q, %v", out[0].Text.Str, found)
	}
	return out[0].Turns
}

// turnText gives the text of a message.
func turnText(turn assembly.Turn) string {
	var b strings.Builder
	for _, p := range turn.Passages {
		b.WriteString(p.Text.Str)
	}
	return b.String()
}

// describeTurns writes messages down as the goldens do: who speaks and why,
// what is in it and where it came from, then the text.
func describeTurns(turns []assembly.Turn) string {
	var b bytes.Buffer
	for i, turn := range turns {
		fmt.Fprintf(&b, "== %d %s %s", i, turn.Role, turn.Block)
		if turn.Tier != "" {
			fmt.Fprintf(&b, " %s", turn.Tier)
		}
		if turn.Marked {
			b.WriteString(", marked")
		}
		fmt.Fprintf(&b, " (%s)\n", whereIs(turn.At))
		for _, p := range turn.Passages {
			if c := p.Content; c != nil {
				fmt.Fprintf(&b, "=  %s (%s)\n", strings.TrimSpace(c.Kind.String()+" "+c.Key), whereIs(p.Text.Span(0, len(p.Text.Str))))
			}
		}
		for _, image := range turn.Images {
			fmt.Fprintf(&b, "=  image %s, %d bytes\n", image.Media, image.Bytes)
		}
		if text := turnText(turn); text != "" {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

func whereIs(at diag.Span) string {
	if !at.Known() {
		return "nowhere"
	}
	line, col := at.File.Position(at.Start)
	return fmt.Sprintf("%s:%d:%d", at.File.Path, line, col)
}
