package docs_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// What a picture of a terminal is drawn with. Sizes are in pixels.
const (
	cellWidth, lineHeight = 8.4, 20.0 // of a character at 14 px in a monospaced font
	margin                = 16.0
	titleBar              = 32.0
)

// styles are the colours of the ANSI styles that promptc prints, on a dark ground.
var styles = map[string]string{
	"1": `font-weight="bold"`, "2": `fill="#8b949e"`, "4": `text-decoration="underline"`, "7": `font-weight="bold"`,
	"31": `fill="#ff7b72"`, "32": `fill="#7ee787"`, "33": `fill="#e3b341"`, "36": `fill="#79c0ff"`,
}

// ansi is what changes the style of the text behind it.
var ansi = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// drawn makes an SVG of what a terminal shows.
func drawn(title, text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	width := 0
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(ansi.ReplaceAllString(line, "")))
	}
	w, h := float64(width)*cellWidth+2*margin, float64(len(lines))*lineHeight+titleBar+margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" role="img" aria-label="%s">`+"\n", w, h, w, escaped(title))
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(title))
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" rx="8" fill="#0d1117"/>`+"\n", w, h)
	for i, colour := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="16" r="5" fill="%s"/>`+"\n", 20+18*i, colour)
	}
	b.WriteString(`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#c9d1d9">` + "\n")
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", margin, titleBar+float64(i)*lineHeight+lineHeight*0.7, spans(line))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// spans gives a line with its styles.
func spans(line string) string {
	var b strings.Builder
	at, style := 0, ""
	put := func(text string) {
		if text != "" {
			fmt.Fprintf(&b, "<tspan %s>%s</tspan>", style, strings.ReplaceAll(escaped(text), " ", "\u00a0")) // which no viewer folds
		}
	}
	for _, m := range ansi.FindAllStringSubmatchIndex(line, -1) {
		put(line[at:m[0]])
		at = m[1]
		var all []string
		for one := range strings.SplitSeq(line[m[2]:m[3]], ";") {
			if s := styles[one]; s != "" {
				all = append(all, s)
			}
		}
		style = strings.Join(all, " ")
	}
	put(line[at:])
	return strings.ReplaceAll(b.String(), "<tspan >", "<tspan>")
}

func escaped(text string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.String()
}

// TestPictures draws the pictures of the documents from what promptc prints; make
// pictures writes them.
func TestPictures(t *testing.T) {
	depend(t)
	e := &example{dir: t.TempDir()}
	const edits = `git init -q && promptc init > /dev/null && promptc build > /dev/null && git add -A && git commit -qm 'An agent'
echo '- Where a test would settle it, write the test.' >> prompts/rules/answer.md
perl -pi -e 's/Write a file/Write or replace a file/' prompts/tools/write_file.json
`
	e.shell(t, edits)
	shown := e.shell(t, "FORCE_COLOR=1 promptc diff")
	if !ansi.MatchString(shown) {
		t.Fatalf("no colours in %q", shown)
	}
	current(t, "diff.svg", drawn("promptc diff names each change once, with the variants that it reaches", "\x1b[1m$ promptc diff\x1b[0m\n"+shown))

	e = &example{dir: t.TempDir()}
	e.checkOut(t)
	page := e.shell(t, "echo '- Say which source a figure is from.' >> sources/modes/templates/assistant/tier3.txt && promptc report --base HEAD -o -")
	current(t, "matrix.svg", matrices(t, page, "modes"))
}

// current holds that a picture is what is drawn, or writes it.
func current(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	is, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(is), got); diff != "" {
		t.Errorf("%s is not what promptc prints (make pictures draws it):\n%s", name, diff)
	}
}
