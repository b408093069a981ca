package load

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/markdown"
)

// Front matter that nobody reads, since something is wrong with the lines around it.

// nearFence is a line that was probably meant as one of front matter: with another
// number of dashes, another sort, or the name of a language.
var nearFence = regexp.MustCompile(`^(-{2,4}|\+{3}|[–—]{1,3})[ \t]*(yaml|yml|json|toml)?[ \t]*$`)

// frontLine is a line of front matter in YAML, TOML or JSON.
var frontLine = regexp.MustCompile(`^[ \t]*(?:["']?[A-Za-z][A-Za-z0-9_-]*["']?[ \t]*[:=]|\{)`)

// maxFront is how many lines of what may be front matter are looked at.
const maxFront = 100

// invisible are the characters that editors write and nobody sees.
const invisible = "\u200b\u2060\ufeff"

// almostFront finds the line with which the front matter of a file was meant to
// start, and the key of what to do about it. Blank lines and comments may stand
// above it.
func almostFront(file *diag.File) (at diag.Span, hint string, ok bool) {
	start := 0
	for {
		rest := file.Text[start:]
		start += len(rest) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(invisible, r) }))
		rest = file.Text[start:]
		end := strings.Index(rest, "-->")
		if !strings.HasPrefix(rest, "<!--") || end < 0 {
			break
		}
		start += end + len("-->")
	}
	rest := strings.Split(file.Text[start:], "\n")
	rest = rest[:min(len(rest), maxFront)]
	m := nearFence.FindStringSubmatch(rest[0])
	if m == nil || len(rest) < 3 || !frontLine.MatchString(rest[1]) {
		return diag.Span{}, "", false
	}
	closed := false
	for _, line := range rest[2:] {
		closed = closed || strings.TrimSpace(line) == m[1]
	}
	if !closed {
		return diag.Span{}, "", false
	}
	hint = "start-in-first-line"
	if m[1] != "---" || m[2] != "" {
		hint = "three-dashes-alone"
	}
	return diag.Span{File: file, Start: start, End: start + len(rest[0])}, hint, true
}

// nearEnd is a line that was probably meant to end front matter.
var nearEnd = regexp.MustCompile(`^[ \t]*(?:-{2,}|\+{3}|[–—]{1,3})[ \t]*(?:#.*)?$`)

// unterminated explains front matter that starts and does not end.
func unterminated(file *diag.File) diag.Diagnostic {
	lines := markdown.Lines(file.Text)
	for _, l := range lines[1:min(len(lines), maxFront)] {
		if line := file.Text[l.Start:l.End]; nearEnd.MatchString(line) {
			return diag.New(diag.FrontUnterminated, diag.Span{File: file, Start: l.Start, End: l.End}, "front-matter-almost-ends", line).
				WithHint("end-line-front-alone")
		}
	}
	return diag.New(diag.FrontUnterminated, diag.Whole(file), "front-matter-starts-never").WithHint("end-line-front-text")
}
