package conformance_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	runof "github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
)

// renderer is GitHub's own implementation of its Markdown. What GitHub does
// behind it (mentions, references, links of commits) is looked for in outside.
const renderer = "cmark-gfm"

// reports is how many Markdown reports of each kind are rendered: 200, or what
// PROMPTC_REPORTS says. Where text is not made inert, one of the first leads out.
func reports() int {
	if n, err := strconv.Atoi(os.Getenv("PROMPTC_REPORTS")); err == nil {
		return n
	}
	return 200
}

// ours are the elements that reports are made of, with the attributes that they
// may have.
var ours = map[string][]string{
	"p": nil, "strong": nil, "h3": nil, "ul": nil, "li": nil, "details": nil, "summary": nil,
	"code": {"class"}, "pre": nil,
	"table": nil, "thead": nil, "tbody": nil, "tr": nil, "th": {"align"}, "td": {"align"},
}

// active is what GitHub turns into a link in text that is not code.
var active = regexp.MustCompile(`@\w|#\d|(?i:GH-)\d|://|(?i:www)\.|(?i:mailto):|\b[0-9a-f]{7,64}\b|\$`)

func TestNothingInAReportIsActive(t *testing.T) {
	t.Parallel()
	need(t, renderer)
	for i := range reports() {
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		r, did := hostileRun(rng)
		var b strings.Builder
		opt := words.Options{Count: func(s string) int { return len(strings.Fields(s)) }, Strict: i%2 == 0, Base: pick(rng, "", hostile(rng))}
		if err := runof.Markdown(&b, r, did, opt); err != nil {
			t.Fatal(err)
		}
		if !inspected(t, i, b.String()) {
			return
		}
	}
}

// inspected renders a report and reports whether nothing is wrong with it.
func inspected(t *testing.T, i int, markdown string) bool {
	t.Helper()
	wrong := ""
	if n := utf8.RuneCountInString(markdown); n > 60_000 {
		wrong = fmt.Sprintf("it has %d characters", n)
	} else {
		page, err := rendered(markdown)
		if err != nil {
			t.Fatal(err)
		}
		wrong = outside(page)
	}
	if wrong == "" {
		return true
	}
	t.Errorf("report %d: %s\n%s", i, wrong, markdown[:min(len(markdown), 20_000)])
	return false
}

// rendered gives the HTML of a report as GitHub would make it, before it takes
// out what it forbids.
func rendered(markdown string) (string, error) {
	args := []string{"--unsafe"}
	for _, e := range []string{"table", "autolink", "strikethrough", "tagfilter", "tasklist", "footnotes"} {
		args = append(args, "--extension", e)
	}
	cmd := exec.Command(renderer, args...)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = strings.NewReader(markdown), &out
	err := cmd.Run()
	return out.String(), err
}

// outside looks for anything in a page that is not ours, and for text of other
// people's that is no code. It gives what is wrong first, "" for nothing.
func outside(page string) string {
	z := html.NewTokenizer(strings.NewReader(page))
	var open []string
	comments := 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return err.Error()
			}
			if len(open) > 0 {
				return fmt.Sprintf("%v is not closed", open)
			}
			return ""
		case html.StartTagToken:
			token := z.Token()
			if wrong := foreign(token); wrong != "" {
				return wrong
			}
			open = append(open, token.Data)
		case html.EndTagToken:
			name := z.Token().Data
			if len(open) == 0 || open[len(open)-1] != name {
				return fmt.Sprintf("</%s> closes %v", name, open)
			}
			open = open[:len(open)-1]
		case html.TextToken:
			text := z.Token().Data
			if wrong := spoken(text); wrong != "" && !slices.Contains(open, "code") {
				return wrong
			}
		case html.CommentToken:
			if comments++; comments > 1 || !strings.HasPrefix(z.Token().Data, " promptc:") {
				return "a comment that is not ours"
			}
		default:
			return "what is no element: " + z.Token().String()
		}
	}
}

// foreign says what is wrong with an element.
func foreign(token html.Token) string {
	allowed, ok := ours[token.Data]
	if !ok {
		return "the element " + token.String()
	}
	for _, a := range token.Attr {
		if !slices.Contains(allowed, a.Key) || a.Key == "class" && a.Val != "language-diff" {
			return "an attribute in " + token.String()
		}
	}
	return ""
}

// spoken says what is wrong with a text that is no code.
func spoken(text string) string {
	if strings.Contains(text, marker) {
		return fmt.Sprintf("text of a prompt's that is no code: %q", text)
	}
	if found := active.FindString(text); found != "" {
		return fmt.Sprintf("%q becomes active in %q", found, text)
	}
	return ""
}

// The page has to be looked at as closely as this, or the other tests find
// nothing.
func TestWhatIsActiveIsFound(t *testing.T) {
	need(t, renderer)
	for _, markdown := range []string{
		"a [link](https://example.org)", "https://example.org", "www.example.org", "a@example.org", "![i](a.png)", "<img src=x>", "<b onclick=x>b</b>",
		"- [ ] task", "@me", "see #1", "GH-1", "deadbeefcafe", "$`x`$", "<!-- a comment -->", "~~s~~", "<details>", "</details>", "> quote", "[^1]\n\n[^1]: x",
		"text " + marker, "```\nopen\n```\n\n# title", "<code class=x>a</code>",
	} {
		page, err := rendered(markdown)
		if err != nil {
			t.Fatal(err)
		}
		if outside(page) == "" {
			t.Errorf("nothing is found in %q:\n%s", markdown, page)
		}
	}
}
