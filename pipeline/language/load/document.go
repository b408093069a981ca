package load

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/language"
)

// fileFormat is the syntax of files with an extension.
type fileFormat struct {
	extension string
	format    language.Format
}

// formats are the syntaxes by extension; what is not here is plain text.
var formats = []fileFormat{
	{".md", language.Markdown},
	{".mdc", language.Markdown},
	{".markdown", language.Markdown},
	{".prompty", language.Markdown},
	{".prompt", language.Markdown},
	{".yaml", language.YAML},
	{".yml", language.YAML},
	{".json", language.JSON},
}

// format gives the syntax in which a kind reads a file; false when it does
// not read files of this extension.
func format(name string, reads language.Reads) (language.Format, bool) {
	out := language.PlainText
	for _, f := range formats {
		if f.extension == extension(name) {
			out = f.format
		}
	}
	data := out == language.YAML || out == language.JSON
	switch reads {
	case language.ReadsData:
		return out, data
	case language.ReadsProse:
		if data {
			out = language.PlainText
		}
		return out, true
	default:
		return out, true
	}
}

// document reads a file for a kind; the path at names it in the manifest. What
// is no kind of sources stands for files that are read as they are. It is nil
// when findings made it useless.
func (r *run) document(name, kindName string, how language.How, at diag.Span) (*language.Doc, error) {
	key := docKey{name, kindName, how}
	if doc, ok := r.docs[key]; ok {
		return doc, nil
	}
	kind, isKind := language.LookupKind(kindName)
	if !isKind {
		kind = &language.Kind{Name: kindName}
	}
	syntax, ok := format(name, kind.Reads)
	if !ok && (kindName != language.ToolsKind || !slices.Contains(snapshotEndings, extension(name))) {
		r.wrongFormat(name, kindName, at)
		return nil, nil
	}
	file, err := r.file(name, kind, at)
	if err != nil || file == nil {
		return nil, err
	}
	start := 0
	if !ok {
		if start, ok = jsonIn(file); !ok {
			r.wrongFormat(name, kindName, at)
			return nil, nil
		}
		syntax = language.JSON
	}
	dest, err := r.disk.real(name)
	if err != nil {
		return nil, err
	}
	doc := &language.Doc{File: file, Format: syntax, Real: r.root + dest}
	switch {
	case how.Symbol != "" && isKind:
		doc.Format = language.PlainText
		ok = r.symbolTo(doc, how.Symbol, at)
	case how.Pointer != "" && isKind:
		doc.Format = language.PlainText
		ok = r.pointedTo(doc, how.Pointer)
	case isKind:
		ok = r.parse(doc, kind, start)
	default:
		doc.Format = language.PlainText
		ok = r.plain(doc, kindName, how, at)
	}
	if !ok {
		doc = nil
	}
	r.docs[key] = doc
	return doc, nil
}

func (r *run) wrongFormat(name, kindName string, at diag.Span) {
	r.found = append(r.found, diag.New(diag.WrongFormat, at, "neither-json-nor-yaml", name, kindName).
		WithHint("name-json-yaml-yml"))
}

// snapshotEndings are those of files in which test programs keep what is JSON, or
// anything else.
var snapshotEndings = []string{".snap", ".golden"}

// jsonIn finds JSON in a file whose name says nothing of it: where it starts,
// behind the header of insta.
func jsonIn(file *diag.File) (start int, ok bool) {
	if isInsta(file.Path, file.Text) {
		if f, _ := markdown.FrontMatter(file.Text); f != nil {
			start = f.Body
		}
	}
	text := strings.TrimLeft(file.Text[start:], jsonSpace)
	return start, strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// parse reads what a file says from an offset on into its document, and reports
// whether findings left it useful.
func (r *run) parse(doc *language.Doc, kind *language.Kind, start int) (ok bool) {
	file := doc.File
	switch doc.Format {
	case language.JSON:
		doc.Data, ok = parseJSON(file, start, &r.found)
	case language.YAML:
		doc.Data, ok = parseYAML(file, 0, len(file.Text), &r.found)
	default:
		ok = r.prose(doc, kind)
	}
	return ok
}

// plain takes the text of a file as it is: of styles and transcripts without
// the line breaks at the end; of what was rendered elsewhere without what the
// program wrote around it.
func (r *run) plain(doc *language.Doc, kindName string, how language.How, at diag.Span) bool {
	if how.Symbol != "" {
		return r.symbols(doc, how, at)
	}
	if kindName == language.RenderedKind {
		if bad := readSaved(doc); bad != nil {
			r.found = append(r.found, *bad)
			return false
		}
		return how.AsText || r.requests(doc, how)
	}
	text := doc.File.Text
	if kindName == language.StyleKind || kindName == language.TranscriptKind {
		text = strings.TrimRight(text, "\n")
	}
	doc.Body = ground.Verbatim(diag.Span{File: doc.File, End: len(text)})
	return true
}

// prose reads a file's front matter, body and labels.
func (r *run) prose(doc *language.Doc, kind *language.Kind) bool {
	start, ok := 0, true
	if doc.Format == language.Markdown {
		start, ok = r.front(doc, kind)
	} else if len(kind.FrontKeys) > 0 {
		r.found = append(r.found, frontMissing(doc.File, kind))
		ok = false
	}
	// The body is read also when the front matter is wrong: all findings of
	// a file belong in one report.
	body, bodyOK := r.body(doc.File, start, doc.Format == language.Markdown)
	doc.Body = body
	if kind.Labels && doc.Format == language.Markdown {
		doc.Labels = r.labels(body)
	}
	return ok && bodyOK
}

// file reads a file once; nil when findings made it useless. The kind decides
// what is to be done about one that is too large.
func (r *run) file(name string, kind *language.Kind, at diag.Span) (*diag.File, error) {
	if file, ok := r.files[name]; ok {
		return file, nil
	}
	limit, larger := maxBytes, "larger-1-mib"
	if kind.Name == language.RenderedKind {
		limit, larger = maxRendered, "larger-16-mib"
	}
	data, err := r.disk.read(name, int64(limit))
	if err != nil {
		return nil, err
	}
	r.files[name] = nil
	if len(data) > limit {
		d := tooLarge(at, name, larger)
		if kind.Messages {
			d = d.WithHint("make-pictures-smaller-fewer")
		}
		r.found = append(r.found, d)
		return nil, nil
	}
	if r.disk.flattens(name, data) {
		r.notFile(name, flattened, at)
		return nil, nil
	}
	if file, ok := r.normalise(name, data, kind.Name == language.RenderedKind); ok {
		r.files[name] = file
	}
	return r.files[name], nil
}

// maxBytes limits one file. Prompts are far smaller; what is larger was named
// by mistake. Snapshot files of other programs hold many.
const (
	maxBytes    = 1 << 20
	maxRendered = 16 << 20
)

// normalised is how the bytes of a file on disk are not its text.
type normalised struct{ bom, crlf, cr bool }

// what is the key of the words for it.
func (n normalised) what() string {
	switch {
	case n.bom && n.crlf:
		return "has-mark-and-crlf"
	case n.bom && n.cr:
		return "has-mark-and-cr"
	case n.cr:
		return "has-cr"
	case n.bom:
		return "has-mark"
	default:
		return "has-crlf"
	}
}

// normalise makes a File of what is on disk: without byte order mark, lines
// ended by LF. A CR is a line break in a file that has no other; in one that another
// program rendered it is a character. It reports what no text may hold; then the
// second result is false, and the file serves only as a place.
func (r *run) normalise(name string, data []byte, rendered bool) (*diag.File, bool) {
	if enc := otherEncoding(data); enc != "" {
		file := &diag.File{Path: r.root + name}
		r.found = append(r.found, diag.New(diag.NotText, diag.Whole(file), "file-encoded-not-utf", enc).
			WithHint("save-file-utf-8"))
		return file, false
	}
	text, bom := strings.CutPrefix(string(data), "\uFEFF")
	crlf := strings.Contains(text, "\r\n")
	if crlf {
		text = lineBreak.ReplaceAllString(text, "\n")
	}
	cr := !rendered && strings.Contains(text, "\r") && !strings.Contains(text, "\n")
	if cr {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	file := &diag.File{Path: r.root + name, Text: text, CRLF: crlf || cr}
	if !utf8.ValidString(text) {
		// Every invalid byte becomes one replacement character, so that
		// lines and columns hold and the text can be printed.
		file.Text = string([]rune(text))
		r.found = append(r.found, invalidUTF8(file, data))
		return file, false
	}
	if bom || crlf || cr {
		r.changed[file] = normalised{bom: bom, crlf: crlf, cr: cr}
	}
	before := len(r.found)
	if d, ok := nulCharacter(file, data); ok {
		r.found = append(r.found, d)
	}
	if open, line, ok := diag.Conflict(file); ok {
		r.found = append(r.found, diag.New(diag.ConflictMarkers, open, "unresolved-merge-conflict-up", line).
			WithHint("decide-between-two-sides"))
	}
	if len(r.found) > before {
		return file, false
	}
	if d, ok := pointer(file); ok {
		r.found = append(r.found, d)
	}
	return file, true
}

// lineBreak is a line break of Windows. Of several CRs before an LF Git takes one
// away at each commit: all of them are the line break, so that a text stays what
// it is.
var lineBreak = regexp.MustCompile("\r+\n")

func otherEncoding(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return "UTF-16 (little endian)"
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return "UTF-16 (big endian)"
	default:
		return ""
	}
}

func invalidUTF8(file *diag.File, data []byte) diag.Diagnostic {
	first := invalid(string(data))
	before := strings.TrimPrefix(string(data[:first]), "\uFEFF")
	at := len(lineBreak.ReplaceAllString(before, "\n"))
	d := diag.New(diag.NotText, diag.Span{File: file, Start: at, End: at + len("\uFFFD")},
		"byte-offset-not-utf", data[first], first)
	return d.WithHint("save-file-utf-8")
}

// invalid gives the offset of the first byte that is not UTF-8, -1 for none.
func invalid(text string) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

func nulCharacter(file *diag.File, data []byte) (diag.Diagnostic, bool) {
	at := strings.IndexByte(file.Text, 0)
	if at < 0 {
		return diag.Diagnostic{}, false
	}
	d := diag.New(diag.NotText, diag.Span{File: file, Start: at, End: at + 1},
		"nul-character-offset", bytes.IndexByte(data, 0))
	return d.WithHint("text-file-remove-character"), true
}

func tooLarge(at diag.Span, name, larger string) diag.Diagnostic {
	return diag.New(diag.FileTooLarge, at, larger, name).
		WithHint("right-file-split-narrow")
}

// pointerFile is what Git LFS keeps in a file's stead, by its specification.
var pointerFile = regexp.MustCompile(
	`\Aversion https://git-lfs\.github\.com/spec/v1\n(?:ext-[^\n]*\n)*oid sha256:[0-9a-f]{64}\nsize [0-9]+\n?\z`)

// pointer finds a file that only says which file belongs there. It stays what
// it is: in what Git keeps, that is all there is.
func pointer(file *diag.File) (diag.Diagnostic, bool) {
	const most = 1024 // bytes, by the specification
	if len(file.Text) >= most || !pointerFile.MatchString(file.Text) {
		return diag.Diagnostic{}, false
	}
	return diag.New(diag.LFSPointer, diag.Whole(file), "git-lfs-pointer-not", file.Path).
		WithHint("run-git-lfs-pull"), true
}

// maxPlain limits what Plain and PlainFrom read. A text of this size has more
// tokens than any model reads, and a stream without an end has to end somewhere.
const maxPlain = 64 << 20

// What Plain and PlainFrom refuse, besides ErrNotRegular and NotUTF8Error. All
// are found with errors.Is.
var (
	// ErrFolder is the error of a name that is a folder's.
	ErrFolder error = diag.Fail("is-folder")
	// ErrTooLarge is the error of a text that does not end in time.
	ErrTooLarge error = diag.Fail("larger-64-mib")
)

// NotUTF8Error is the error of a text that is no valid UTF-8. It names the first byte that
// is wrong.
type NotUTF8Error struct{ diag.Failure }

// Plain reads a file of any place on disk as its bytes are: byte order mark,
// CRLF and NUL included, which sources may not have or lose when they are read.
// Only valid UTF-8 is a text.
//
// It follows links and never waits: what is no regular file is ErrFolder or
// ErrNotRegular. A name that cannot be one (a part of it is a file, it is too
// long) is fs.ErrNotExist like one that nobody has.
func Plain(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
		return "", diag.Fail("read-file", name, cause(err))
	case err != nil:
		return "", &diag.Failure{Fact: diag.Say("read-file", name, cause(err)), Cause: fs.ErrNotExist}
	}
	if err := ordinary(info); err != nil {
		return "", diag.Fail("read-file", name, err)
	}
	file, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return "", diag.Fail("read-file", name, cause(err))
	}
	var text string
	if info, err = file.Stat(); err == nil {
		err = ordinary(info) // the answer may have changed
	}
	if err == nil {
		text, err = plainText(file, info.Size())
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", diag.Fail("read-file", name, cause(err))
	}
	return text, nil
}

// PlainFrom is Plain for what arrives in a stream. It reads to the end, and not
// past the limit.
func PlainFrom(r io.Reader) (string, error) { return plainText(r, 0) }

// ordinary says why a file cannot be read to its end.
func ordinary(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return ErrFolder
	case !info.Mode().IsRegular():
		return ErrNotRegular
	default:
		return nil
	}
}

// plainText reads what is expected to have so many bytes.
func plainText(r io.Reader, size int64) (string, error) {
	var b strings.Builder
	b.Grow(int(min(max(size, 0), maxPlain)))
	n, err := io.Copy(&b, io.LimitReader(r, maxPlain+1))
	switch {
	case err != nil:
		return "", err
	case n > maxPlain:
		return "", ErrTooLarge
	}
	text := b.String()
	if first := invalid(text); first >= 0 {
		return "", &NotUTF8Error{*diag.Fail("byte-offset-not-utf", text[first], first)}
	}
	return text, nil
}
