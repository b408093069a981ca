package load

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
	"github.com/promptc-build/promptc/pipeline/language"
)

// savedFormat is a way in which test programs write texts to files.
type savedFormat struct {
	// is tells the format by the name of a file and by what it begins with.
	is func(name, text string) bool
	// read takes what the program wrote around the texts away.
	read func(doc *language.Doc) *diag.Diagnostic
}

// savedFormats are the formats of files that hold more than a text. Any other
// file is a text as it stands, unless it is of a program in foreignFormats.
var savedFormats = []savedFormat{
	{isJS, readJS},
	{isAmber, readAmber},
	{isInsta, readInsta},
	{isOldInsta, readOldInsta},
}

// foreignFormats are the programs whose files are known and not read.
var foreignFormats = []struct {
	program string
	begins  *regexp.Regexp
	in      string // the extension of its files, "" for any
}{
	{"go-snaps", regexp.MustCompile(`^\n*\[[^\]\n]+ - \d+\]\n`), ".snap"},
	{"Deno", regexp.MustCompile(`^export const snapshot = \{`), ""},
	{"node-tap", regexp.MustCompile(`^/\* IMPORTANT\n`), ""},
	{"snapshottest", regexp.MustCompile(`^# -\*- coding: utf-8 -\*-\n# snapshottest: v\d`), ""},
	{"Selfie", regexp.MustCompile(`^╔═ `), ""},
	{"another program", regexp.MustCompile(`^\s*// [^\n]*\bSnapshot v\d`), ""},
}

// readSaved reads a file that another program wrote: its text as it stands, what
// a serializer put around it taken away, or its entries. The finding says why
// nothing of it is read.
func readSaved(doc *language.Doc) *diag.Diagnostic {
	text := doc.File.Text
	for _, f := range savedFormats {
		if f.is(doc.File.Path, text) {
			return f.read(doc)
		}
	}
	for _, f := range foreignFormats {
		if (f.in == "" || f.in == extension(doc.File.Path)) && f.begins.MatchString(text) {
			d := diag.New(diag.SavedSyntax, firstLine(doc.File, 0), "foreign-snapshot", doc.File.Path, f.program).WithHint("known-snapshots")
			return &d
		}
	}
	doc.Body = ground.Verbatim(diag.Span{File: doc.File, End: len(text)})
	return nil
}

// receivedName tells what a program that compares texts writes beside them when
// they differ, until somebody approves it.
var receivedName = regexp.MustCompile(`\.received(\.[^.]+)?$|\.snap\.new$|\.pending-snap$`)

// IsReceived reports whether a file is by its name what a test got and nobody
// approved yet. No rendered prompt reads such files.
func IsReceived(name string) bool { return receivedName.MatchString(path.Base(name)) }

// withoutReceived takes such files away and says so.
func (r *run) withoutReceived(names []string, at diag.Span) []string {
	kept := slices.DeleteFunc(slices.Clone(names), IsReceived)
	if len(kept) < len(names) {
		received := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !IsReceived(name) })
		r.found = append(r.found, diag.New(diag.ReceivedFile, at, "received-not-read", diag.Some(received, maxSkipped)).WithHint("approve-or-remove"))
	}
	return kept
}

// firstLine is the place of the line that begins at an offset.
func firstLine(file *diag.File, at int) diag.Span {
	line, _, _ := strings.Cut(file.Text[at:], "\n")
	return diag.Span{File: file, Start: at, End: at + len(line)}
}

// savedBad says that a file breaks the rules of its format at a line.
func savedBad(file *diag.File, at int, key string) *diag.Diagnostic {
	d := diag.New(diag.SavedSyntax, firstLine(file, at), key).WithHint("write-snapshot-again")
	return &d
}

// unescaped puts what each escape of a text stands for in its place.
func unescaped(t ground.Text, escape *regexp.Regexp, means func(string) string) ground.Text {
	var b ground.Builder
	from := 0
	for _, m := range escape.FindAllStringIndex(t.Str, -1) {
		b.WriteText(t.Slice(from, m[0]))
		b.WriteText(ground.Derived(means(t.Str[m[0]:m[1]]), t.Span(m[0], m[1])))
		from = m[1]
	}
	b.WriteText(t.Slice(from, len(t.Str)))
	return b.Text()
}

// What tells the header of a snapshot of insta from front matter that a text has
// of its own: keys that nothing else writes, or a source in Rust.
var (
	instaSign = regexp.MustCompile(`^(?:(?:expression|snapshot_kind|assertion_line):(?: |$)|creator: insta@|source: .*\.rs"?$)`)
	headerKey = regexp.MustCompile(`^[A-Za-z_]+:(?: |$)`)
)

const instaFence = "---\n"

// isInsta tells a snapshot of insta by its header. One that never ends is a file
// that was cut, not a text.
func isInsta(name, text string) bool {
	if extension(name) != ".snap" || !strings.HasPrefix(text, instaFence) {
		return false
	}
	f, _ := markdown.FrontMatter(text)
	sign, closes := false, f != nil
	for line := range strings.Lines(text[len(instaFence):]) {
		line = strings.TrimRight(line, " \t\n")
		if line == "---" {
			break
		}
		sign = sign || instaSign.MatchString(line)
		goesOn := line == "" || line[0] == ' '
		if !goesOn && !headerKey.MatchString(line) {
			return sign && !closes // else the text's own front matter
		}
	}
	return sign
}

func readInsta(doc *language.Doc) *diag.Diagnostic {
	file := doc.File
	f, _ := markdown.FrontMatter(file.Text)
	if f == nil {
		return savedBad(file, 0, "insta-header-never-closed")
	}
	if strings.Contains(file.Text[:f.End], "\nsnapshot_kind: binary") {
		d := diag.New(diag.NotText, firstLine(file, 0), "insta-binary").WithHint("narrow-or-text")
		return &d
	}
	instaBody(doc, f.Body)
	return nil
}

// oldInsta is the header of insta before it wrote YAML: lines with keys, then a
// blank line.
var oldInsta = regexp.MustCompile(`^(?:(?:Created|Source|Expression): [^\n]*\n)*Creator: insta@[^\n]*\n(?:(?:Created|Source|Expression): [^\n]*\n)*(\n|\z)`)

func isOldInsta(name, text string) bool {
	return extension(name) == ".snap" && oldInsta.MatchString(text)
}

func readOldInsta(doc *language.Doc) *diag.Diagnostic {
	instaBody(doc, len(oldInsta.FindString(doc.File.Text)))
	return nil
}

// instaBody takes the text behind a header, without the line break that insta
// ends every file with.
func instaBody(doc *language.Doc, start int) {
	end := max(start, len(strings.TrimSuffix(doc.File.Text, "\n")))
	doc.Body = ground.Verbatim(diag.Span{File: doc.File, Start: start, End: end})
}
