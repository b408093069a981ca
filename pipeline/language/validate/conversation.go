package validate

import (
	"encoding/base64"
	"errors"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
	"github.com/promptc-build/promptc/pipeline/language"
)

// conversation decodes a fixture, as far as it has the right shape. Whether
// what it names is there is decided where the files are known.
func (d *documents) conversation(doc *language.Doc, kind *language.Kind) {
	n := settled(doc.Data, "")
	d.schema(n, kind)
	if n == nil || n.Kind != ground.Mapping {
		return
	}
	r := fixtureReader{}
	out := &language.Conversation{
		Doc:       doc,
		Workspace: r.folder(n.Field("workspace")),
		Selected:  r.selected(n.Field("selected")),
		Tiers:     r.tiers(n.Field("tiers")),
		Symbols:   r.symbols(n.Field("symbols")),
		Legend:    r.block(n.Field("legend"), quoted("legend")),
		History:   r.history(n.Field("history")),
		URLs:      r.pages(n.Field("urls")),
		Review:    r.review(n.Field("review")),
		Images:    r.images(n.Field("images")),
		Prompt:    r.block(n.Field("prompt"), quoted("prompt")),
	}
	if p := n.Field("prompt"); p != nil {
		out.PromptAt = p.At.FirstLine()
	}
	if n.Field("workspace") == nil && !meantBy(n, "workspace", knownKeys(root(kind.Schema))) {
		r.homeless(out)
	}
	d.found = append(d.found, r.found...)
	d.Conversations[doc] = out
}

// optional are the keys that a fixture, and what is in it, may leave out. What
// is empty under them is as if they were not there, because programs that write
// fixtures write it so.
var optional = []string{
	"workspace", "selected", "tiers", "symbols", "legend", "history", "urls", "review", "images",
	"tiers/L0", "tiers/L1", "tiers/L2", "tiers/L3",
	"urls/title", "urls/content", "urls/symbols",
	"review/summary", "review/commits", "review/stats", "review/symbols", "review/diffs",
	"review/diffs/path",
}

// settled gives a part of a fixture with null for all that is empty and may be.
// at are the keys that lead to it.
func settled(n *ground.Node, at string) *ground.Node {
	if n == nil || len(n.Fields)+len(n.Items) == 0 {
		return n
	}
	out := *n
	out.Fields, out.Items = slices.Clone(n.Fields), slices.Clone(n.Items)
	for i, f := range out.Fields {
		inner := strings.TrimPrefix(at+"/"+f.Key, "/")
		if isNothing(f.Value) && slices.Contains(optional, inner) {
			out.Fields[i].Value = &ground.Node{Kind: ground.Null, At: f.Value.At}
		} else {
			out.Fields[i].Value = settled(f.Value, inner)
		}
	}
	for i, item := range out.Items {
		out.Items[i] = settled(item, at)
	}
	return &out
}

// isNothing tells null, in all its spellings, and what is empty.
func isNothing(n *ground.Node) bool {
	if n.IsScalar() {
		return n.Kind == ground.Null || n.Text.Str == "" || wordForNothing(n)
	}
	return len(n.Items)+len(n.Fields) == 0
}

// fixtureReader decodes the parts of one conversation.
type fixtureReader struct {
	decoder
}

// homeless reports a file that is named where there is no folder to find it
// in. One finding stands for all of them.
func (r *fixtureReader) homeless(c *language.Conversation) {
	named := slices.Clone(c.Selected)
	for _, tier := range c.Tiers {
		for _, key := range tier {
			if key.Kind == language.KeyFile {
				named = append(named, key.Word)
			}
		}
	}
	if len(named) > 0 {
		r.found = append(r.found, diag.New(diag.MissingKey, named[0].At, "names-file-conversation-lacks", named[0].Str).
			WithHint("add-workspace-folder-files"))
	}
}

// entry gives a scalar of a list of texts. In JSON only texts can be one,
// which the schema has said.
func (r *fixtureReader) entry(n *ground.Node) (ground.Word, bool) {
	if n.IsScalar() && n.Kind != ground.String && isJSON(n) {
		return ground.Word{}, false
	}
	return r.word(n)
}

// block gives a text without outer blank lines: the first line that says
// something keeps its indentation.
func (r *fixtureReader) block(n *ground.Node, subject diag.Words) ground.Text {
	r.visible(n, subject)
	t := textOf(n)
	first := strings.IndexFunc(t.Str, func(c rune) bool { return !unicode.IsSpace(c) })
	if first < 0 {
		return ground.Text{}
	}
	start := strings.LastIndexByte(t.Str[:first], '\n') + 1
	kept := len(strings.TrimRightFunc(t.Str, unicode.IsSpace))
	rest, _, _ := strings.Cut(t.Str[kept:], "\n")
	return t.Slice(start, kept+len(rest))
}

// visible reports a text of nothing but white space that the pattern of the
// schemas does not know for such: no-break spaces and their like. Providers
// refuse messages of them. It also reports YAML's words for nothing, which
// elsewhere are texts like others.
func (r *fixtureReader) visible(n *ground.Node, subject diag.Words) {
	if !n.IsScalar() {
		return
	}
	if wordForNothing(n) {
		r.found = append(r.found, diag.New(diag.WrongType, n.At.FirstLine(), "word-nothing-expected-text", subject, n.Text.Str).
			WithHint("put-quotes-text"))
		return
	}
	if strings.TrimSpace(n.Text.Str) != "" || strings.Trim(n.Text.Str, "\t\n\f\r ") == "" {
		return
	}
	r.found = append(r.found, diag.New(diag.WrongValue, n.At.FirstLine(), "blank", subject).
		WithHint("write-text"))
}

// wordForNothing tells `null` and `~` in YAML, of which the second is a text
// like others elsewhere.
func wordForNothing(n *ground.Node) bool {
	if isJSON(n) || n.Text.Str == "" {
		return false
	}
	return n.Kind == ground.Null || n.At.Known() && n.At.File.Text[n.At.Start:n.At.End] == "~"
}

// line gives a text that stands in a line with other words, trimmed.
func (r *fixtureReader) line(n *ground.Node, subject diag.Words) ground.Text {
	t := textOf(n)
	r.visible(n, subject)
	start := len(t.Str) - len(strings.TrimLeftFunc(t.Str, unicode.IsSpace))
	end := max(start, len(strings.TrimRightFunc(t.Str, unicode.IsSpace)))
	if t = t.Slice(start, end); strings.ContainsAny(t.Str, "\r\n") {
		r.found = append(r.found, diag.New(diag.WrongValue, n.At.FirstLine(), "several-lines", subject).
			WithHint("write-line"))
	}
	return t
}

func (r *fixtureReader) symbols(n *ground.Node) []language.SymbolBlock {
	var out []language.SymbolBlock
	for _, f := range n.Entries() {
		w := ground.Word{Str: f.Key, At: f.KeyAt}
		r.path(w, w.Str)
		out = append(out, language.SymbolBlock{Path: w, Text: r.block(f.Value, quoted(f.Key))})
	}
	return out
}

// history decodes the messages. Their texts are sent exactly as they are.
func (r *fixtureReader) history(n *ground.Node) []language.Said {
	var out []language.Said
	for _, item := range n.List() {
		content := item.Field("content")
		r.visible(content, quoted("content"))
		out = append(out, language.Said{
			Role:    wordOr(item.Field("role"), ""),
			Content: textOf(content),
			At:      item.At.FirstLine(),
		})
	}
	return out
}

func (r *fixtureReader) pages(n *ground.Node) []language.Page {
	var out []language.Page
	for _, item := range n.List() {
		out = append(out, language.Page{
			Title:   r.line(item.Field("title"), quoted("title")),
			URL:     r.line(item.Field("url"), quoted("url")),
			Content: r.block(item.Field("content"), quoted("content")),
			Symbols: r.blocks(item.Field("symbols"), quoted("symbols")),
			At:      item.At.FirstLine(),
		})
	}
	return out
}

// review decodes a review; one that says nothing is none.
func (r *fixtureReader) review(n *ground.Node) *language.Review {
	if !slices.ContainsFunc(n.Entries(), func(f ground.Field) bool { return f.Value.Kind != ground.Null }) {
		return nil
	}
	return &language.Review{
		Summary: r.block(n.Field("summary"), quoted("summary")),
		Commits: r.lines(n.Field("commits"), "commits"),
		Stats:   r.lines(n.Field("stats"), "stats"),
		Symbols: r.blocks(n.Field("symbols"), quoted("symbols")),
		Diffs:   r.diffs(n.Field("diffs")),
		At:      n.At.FirstLine(),
	}
}

// lines gives a text, or the entries of a list a line each.
func (r *fixtureReader) lines(n *ground.Node, key string) ground.Text {
	if n == nil || n.Kind != ground.Sequence {
		return r.block(n, quoted(key))
	}
	var list []ground.Text
	for i, item := range n.Items {
		list = append(list, r.block(item, itemOf(key, i)))
	}
	return joined(list, "\n")
}

// blocks gives a text, or those of a mapping in the order of their paths.
func (r *fixtureReader) blocks(n *ground.Node, subject diag.Words) ground.Text {
	if n == nil || n.Kind != ground.Mapping {
		return r.block(n, subject)
	}
	var list []ground.Text
	for _, f := range byKey(n) {
		list = append(list, r.block(f.Value, quoted(f.Key)))
	}
	return joined(list, "\n\n")
}

func joined(list []ground.Text, between string) ground.Text {
	var b ground.Builder
	for i, t := range list {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteText(t)
	}
	return b.Text()
}

// diffs gives the one that there is, those of a mapping by path, those of a
// list as they stand.
func (r *fixtureReader) diffs(n *ground.Node) []language.Diff {
	if n.IsScalar() && n.Kind != ground.Null {
		return []language.Diff{{Text: r.diff(n, quoted("diffs"))}}
	}
	var out []language.Diff
	for i, item := range n.List() {
		if item.Kind == ground.Mapping {
			out = append(out, language.Diff{Path: wordOr(item.Field("path"), ""), Text: r.diff(item.Field("diff"), quoted("diff"))})
			continue
		}
		out = append(out, language.Diff{Text: r.diff(item, itemOf("diffs", i))})
	}
	for _, f := range byKey(n) {
		out = append(out, language.Diff{Path: ground.Word{Str: f.Key, At: f.KeyAt}, Text: r.diff(f.Value, quoted(f.Key))})
	}
	return out
}

// byKey gives the entries of a mapping by the bytes of their keys.
func byKey(n *ground.Node) []ground.Field {
	out := slices.Clone(n.Entries())
	slices.SortFunc(out, func(a, b ground.Field) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// diff gives the text of a diff without outer line breaks. Its first and last
// lines may be blank and still count: an empty line of context is a space.
func (r *fixtureReader) diff(n *ground.Node, subject diag.Words) ground.Text {
	r.visible(n, subject)
	return textOf(n).Trim("\r\n")
}

// imageType is the type of a picture, without parameters.
var imageType = regexp.MustCompile(`^image/[a-z0-9][a-z0-9.+-]*$`)

// images decodes data URLs of pictures. What is none is reported.
func (r *fixtureReader) images(n *ground.Node) []language.Image {
	var out []language.Image
	for _, item := range n.List() {
		if w, ok := r.entry(item); !ok || w.Str == "" { // which the schema has reported
			continue
		}
		p := pictureReader{node: item, url: item.Text.Trim(" \t\r\n")}
		image, ok := p.read()
		if ok {
			out = append(out, image)
		}
		r.found = append(r.found, p.found...)
	}
	return out
}

// pictureReader reads one data URL.
type pictureReader struct {
	node  *ground.Node
	url   ground.Text
	found diag.List
}

// read gives the picture of a URL `data:image/TYPE;base64,DATA`.
func (p *pictureReader) read() (language.Image, bool) {
	url := p.url.Str
	rest, isData := strings.CutPrefix(url, "data:")
	head, data, hasData := strings.Cut(rest, ",")
	media, isBase64 := strings.CutSuffix(head, ";base64")
	start := len(url) - len(data)
	switch {
	case !isData || !hasData:
		p.refuse(0, len(url), "data-url-write", "data-url-none", url)
	case !isBase64:
		p.refuse(0, start, "data-url-write", "data-url-not-base64", url[:start])
	case !imageType.MatchString(media):
		p.refuse(0, start, "data-url-write-type", "data-url-no-image", media)
	case data == "":
		p.refuse(0, start, "data-url-write", "data-url-empty", url[:start])
	default:
		return p.decoded(media, start)
	}
	return language.Image{}, false
}

// decoded gives the picture whose data starts at a byte of the URL.
func (p *pictureReader) decoded(media string, start int) (language.Image, bool) {
	data := p.url.Str[start:]
	// The decoder passes line breaks over; providers do not.
	if i := strings.IndexAny(data, " \t\r\n"); i >= 0 {
		p.refuse(start+i, start+i+1, "data-url-write", "data-url-blanks")
		return language.Image{}, false
	}
	plain, err := base64.StdEncoding.Strict().DecodeString(data)
	if err == nil {
		if is := typeOf(plain); is != "" && is != media && (media != "image/apng" || is != "image/png") {
			p.refuse(0, start, "data-url-correct-type", "data-url-other-image", media, is)
			return language.Image{}, false
		}
		return language.Image{URL: p.url.Str, Media: media, Data: data, Bytes: len(plain), At: p.span(0, start)}, true
	}
	at := len(data)
	if corrupt := base64.CorruptInputError(0); errors.As(err, &corrupt) {
		at = min(int(corrupt), len(data))
	}
	p.refuse(start+at, start+at+1, "data-url-write", "data-url-not-canonical")
	return language.Image{}, false
}

// typeOf tells the type of a picture by its first bytes, "" where they are not
// known.
func typeOf(data []byte) string {
	switch start := string(data[:min(len(data), len("RIFFsizeWEBP"))]); {
	case strings.HasPrefix(start, "\x89PNG\r\n\x1a\n"):
		return "image/png"
	case strings.HasPrefix(start, "\xff\xd8\xff"):
		return "image/jpeg"
	case strings.HasPrefix(start, "GIF87a"), strings.HasPrefix(start, "GIF89a"):
		return "image/gif"
	case strings.HasPrefix(start, "RIFF") && strings.HasSuffix(start, "WEBP") && len(start) == len("RIFFsizeWEBP"):
		return "image/webp"
	}
	return ""
}

// span gives the place of a part of the URL, which may be a very long line.
func (p *pictureReader) span(start, end int) diag.Span {
	at := p.url.Span(min(start, max(0, len(p.url.Str)-1)), min(end, len(p.url.Str)))
	if !at.Known() {
		at = p.node.At
	}
	return at.FirstLine()
}

func (p *pictureReader) refuse(start, end int, hint, key string, args ...any) {
	p.found = append(p.found, diag.New(diag.BadDataURL, p.span(start, end), key, args...).WithHint(hint))
}

// selected decodes the files that are shown in full.
func (r *fixtureReader) selected(n *ground.Node) []ground.Word {
	var out []ground.Word
	paths := newDistinct()
	for _, item := range n.List() {
		w, ok := r.entry(item)
		if !ok || w.Str == "" { // which the schema has reported
			continue
		}
		r.path(w, w.Str)
		r.found = append(r.found, paths.once(w)...)
		out = append(out, w)
	}
	return out
}

// folder decodes the path of a workspace. It stays as it is written, because
// that is what the folders that were read are known by.
func (r *fixtureReader) folder(n *ground.Node) ground.Word {
	w := wordOr(n, "")
	if p := pathrule.PlainFolder(w.Str); strings.Trim(p, "\t\n\f\r ") != "" && p != "." { // else the schema has reported it
		r.path(w, p)
	}
	return w
}

func (r *fixtureReader) tiers(n *ground.Node) [language.Tiers][]language.TierKey {
	var out [language.Tiers][]language.TierKey
	for i := range out {
		keys := newDistinct()
		for _, item := range n.Field("L" + strconv.Itoa(i)).List() {
			w, ok := r.entry(item)
			if !ok {
				continue
			}
			if key, ok := r.tierKey(w); ok {
				r.found = append(r.found, keys.once(w)...)
				out[i] = append(out[i], key)
			}
		}
	}
	return out
}

// tierKinds are the kinds of keys in the order of the documentation.
var tierKinds = []language.TierKeyKind{language.KeyFile, language.KeySymbol, language.KeyHistory}

// tierKey reads `file:PATH`, `symbol:PATH` and `history:N`. What is none is
// reported.
func (r *fixtureReader) tierKey(w ground.Word) (language.TierKey, bool) {
	name, rest, colon := strings.Cut(w.Str, ":")
	for _, kind := range tierKinds {
		if !colon || kind.String() != name {
			continue
		}
		key := language.TierKey{Kind: kind, Word: w}
		if kind == language.KeyHistory {
			var ok bool
			key.N, ok = r.turn(w, rest)
			return key, ok
		}
		key.Path = rest
		return key, r.path(w, rest)
	}
	r.found = append(r.found, diag.New(diag.BadTierKey, w.At, "no-key-tier", w.Str).WithHint("keys-file-path-symbol"))
	return language.TierKey{}, false
}

// number reports whether a text is a message's number as it has to be written.
func number(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 0 && len(text) <= maxDigits && strconv.Itoa(n) == text
}

// maxDigits is the most digits of an index, so that it is a number everywhere.
const maxDigits = 9

// turn reads an index of the history. Only one spelling of a number is taken,
// so that an index that appears twice looks so.
func (r *fixtureReader) turn(w ground.Word, digits string) (int, bool) {
	if number(digits) {
		n, err := strconv.Atoi(digits)
		return n, err == nil
	}
	r.found = append(r.found, diag.New(diag.BadTierKey, w.At, "names-no-message-history", w.Str).
		WithHint("write-history-n-n"))
	return 0, false
}

// path reports the path of a file, p, that is not written in the one way in which
// paths are compared. A word holds it.
func (r *fixtureReader) path(w ground.Word, p string) bool {
	plain := p == path.Clean(p) && p != "." && p != ".." && !strings.HasPrefix(p, "../") && !path.IsAbs(p) && strings.TrimSpace(p) == p &&
		!strings.Contains(p, `\`) && !strings.ContainsFunc(p, pathrule.BreaksLines) && !pathrule.InGit(p)
	if !plain {
		r.found = append(r.found, diag.New(diag.UnplainPath, w.At.FirstLine(), "path-not-plain", p).WithHint("write-plain-path"))
	}
	return plain
}
