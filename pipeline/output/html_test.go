package output_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/output/page"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/review"
)

// markupText is what no page may take for markup.
const markupText = "</script><script>alert(1)</script><img src=x onerror=alert(1)>'\"& <!-- \u202e\u2028 ##[command]"

func htmlOf(t *testing.T, r *prompt.Result, with page.With) string {
	t.Helper()
	with.Count = func(_, text string) int { return wordCount(text) }
	return written(t, func(w *strings.Builder) error { return page.Write(w, r, with, words.Options{Color: true}) })
}

// blocks gives the style, the data and the script of a page.
func blocks(t *testing.T, doc string) (style, data, script string) {
	t.Helper()
	m := regexp.MustCompile(`(?s)^<!doctype html>.*<style>(.*?)</style>.*<script id="data" type="application/json">(.*?)</script>\n<script>(.*?)</script>\n</body>\n</html>\n$`).FindStringSubmatch(doc)
	if m == nil {
		t.Fatalf("this is no page:\n%.2000s", doc)
	}
	return m[1], m[2], m[3]
}

func TestThePolicyOfThePageAllowsItsOwnScriptAndStyleAlone(t *testing.T) {
	doc := htmlOf(t, newPersona().result, page.With{})
	m := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatchIndex(doc)
	if m == nil {
		t.Fatal("the page has no policy")
	}
	style, _, script := blocks(t, doc)
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	equal(t, html.UnescapeString(doc[m[2]:m[3]]), "default-src 'none'; script-src "+hash(script)+"; style-src "+hash(style)+
		"; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
	if strings.Index(doc, "<style>") < m[0] || strings.Index(doc, "<script") < m[0] {
		t.Error("something stands before the policy")
	}
	for _, out := range []string{"http://", "https://", "innerHTML", "style=", "onclick="} {
		if strings.Contains(strings.ReplaceAll(doc, "http://www.w3.org/2000/svg", ""), out) {
			t.Errorf("the page has %s", out)
		}
	}
}

// TestAServedPageDiffersByWhatFollowsItsServer holds that nothing else is allowed to it.
func TestAServedPageDiffersByWhatFollowsItsServer(t *testing.T) {
	doc := func(served bool) string {
		return html.UnescapeString(htmlOf(t, newPersona().result, page.With{Served: served}))
	}
	served := doc(true)
	m := regexp.MustCompile(`(?s)\n<script data-version="[0-9a-f]{64}">(.*?)</script>`).FindStringSubmatch(served)
	if m == nil {
		t.Fatal("the page has no script that follows")
	}
	sum := sha256.Sum256([]byte(m[1]))
	for _, part := range []string{m[0], " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'", "; connect-src 'self'"} {
		if strings.Count(served, part) != 1 {
			t.Errorf("the page has not once %q", part)
		}
		served = strings.Replace(served, part, "", 1)
	}
	equal(t, served, doc(false))
}

func TestHostileTextsStayInTheDataOfThePage(t *testing.T) {
	p := newPersona()
	text := ground.Derived(markupText, at(p.manifest, "Hello."))
	p.result.Artifacts[4] = p.artifact(p.build.Variants[4], p.rendering(0, text))
	p.build.Prompt.ID.Str = "p" + markupText
	p.build.Prompt.Axes[0].Values[2].Str = markupText
	p.build.Variants[4].Name = "persona/" + markupText
	f := &diag.File{Path: markupText + ".md", Text: markupText + "\n"}
	p.result.Findings = diag.List{diag.New("PC1001", diag.Whole(f), "name-and-fact", markupText, markupText).WithHint("quoted", markupText)}
	html := htmlOf(t, p.result, page.With{})
	_, data, _ := blocks(t, html)
	if strings.ContainsAny(data, "<>&\u202e\u2028") || strings.Contains(data, "##[") {
		t.Error("the data is not escaped")
	}
	if n := strings.Count(html, "<script"); n != 2 {
		t.Errorf("the page has %d scripts", n)
	}
	if strings.Contains(html, "<img") || strings.ContainsRune(html, '\u202e') {
		t.Error("the page has what a prompt says as markup")
	}
	var doc struct {
		Texts   []struct{ T string }
		Prompts []struct {
			ID       string
			Variants []struct{ N string }
		}
	}
	if err := json.Unmarshal([]byte(data), &doc); err != nil {
		t.Fatal(err)
	}
	equal(t, doc.Prompts[0].Variants[4].N, "persona/"+markupText)
	if !strings.Contains(fmt.Sprint(doc.Texts), markupText) {
		t.Error("the text is not in the data")
	}
}

func TestThePageIsTheSameEachTimeAndHasSharedTextsOnce(t *testing.T) {
	doc := htmlOf(t, newPersona().result, page.With{})
	equal(t, htmlOf(t, newPersona().result, page.With{}), doc)
	_, data, _ := blocks(t, doc)
	for text, n := range map[string]int{"Keep private things private.": 1, "Hello.": 1, "persona/entry=full,tools=native": 1} {
		if got := strings.Count(data, text); got != n {
			t.Errorf("%q is there %d times", text, got)
		}
	}
	if strings.Contains(doc, "\x1b") {
		t.Error("the page has styles of a terminal")
	}
}

// TestThePageHasTheNotesOfTheLedger holds that it says what explain says of a variant.
func TestThePageHasTheNotesOfTheLedger(t *testing.T) {
	p, _ := slotted()
	_, data, _ := blocks(t, htmlOf(t, p.result, page.With{}))
	var doc struct{ Notes [][2]string }
	if err := json.Unmarshal([]byte(data), &doc); err != nil {
		t.Fatal(err)
	}
	equal(t, fmt.Sprintf("%q", doc.Notes), `[["dropped" "skills  memory, score 93.6, 1,406 tokens, +6 for slots, 6 left"] `+
		`["dropped" "memory  memory, score 0.5, 9 tokens, 6 left, 1,200 characters, 40 left"] ["steps" "memory  no step fits"] `+
		`["steps" "soul  stepped down to short"] ["slot" "clock  up to 4 tokens"]]`)
}

func TestThePageHasNoKey(t *testing.T) {
	p := newPersona()
	p.soul.Text = "the " + aKey + " here\n"
	p.result.Tree = &language.Tree{File: p.soul}
	p.result.Artifacts[0] = p.artifact(p.build.Variants[0], p.rendering(1, ground.Derived("the "+aKey+" here, and "+aKey[:25], at(p.soul, "the"))))
	p.build.Prompt.ID.Str = aKey
	if doc := htmlOf(t, p.result, page.With{}); strings.Contains(doc, aKey[:20]) {
		t.Error("the page has a key")
	}
}

// TestThePageHasEachChangeWhole holds that nothing of a change is left out for
// length, and that runs stand for the variants.
func TestThePageHasEachChangeWhole(t *testing.T) {
	r := newReview()
	var lines []review.HunkLine
	for i := range 1000 {
		lines = append(lines, review.HunkLine{Sign: '+', Text: fmt.Sprint("line ", i)})
	}
	lines = append([]review.HunkLine{{Sign: '-', Text: "Keep it private."}, {Sign: '+', Text: "Keep that private."}}, lines...)
	reach := r.reach(0, 1, 3)
	reach.Missed = []review.Missed{{Cause: review.CauseStale, Set: five(2)}}
	r.d.Edits = []*review.Edit{{
		Kind: review.TextChanged, Section: "soul", At: at(r.head.soul, "Ask"), Hunks: []review.Hunk{{Lines: lines}}, Reach: []review.Reach{reach},
	}}
	_, data, _ := blocks(t, htmlOf(t, r.head.result, page.With{Difference: r.d}))
	var doc struct {
		Compared bool
		Changes  []struct {
			Reaches []string
			Hunks   []struct{ Lines [][]string }
			Reach   []struct {
				In     []int
				Missed []struct {
					Why string
					In  []int
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(data), &doc); err != nil {
		t.Fatal(err)
	}
	c := doc.Changes[0]
	equal(t, fmt.Sprintf("%q", c.Hunks[0].Lines[:3]), `[["-" "Keep " "it" " private."] ["+" "Keep " "that" " private."] ["+" "line 0"]]`)
	equal(t, fmt.Sprint(len(c.Hunks[0].Lines), c.Reach), "1002 [{[0 2 3 1] [{still the old text [2 1]}]}]")
}

// TestThePageOfManyVariantsIsSmall holds that variants cost little besides the texts
// that they share.
func TestThePageOfManyVariantsIsSmall(t *testing.T) {
	p := newPersona()
	var renderings [50]*assembly.Rendering
	for i := range renderings {
		text := strings.Repeat(fmt.Sprintf("Text %d says the same everywhere. ", i), 150)
		renderings[i] = p.rendering(1, ground.Derived(text, at(p.soul, "Keep")))
	}
	p.build.Variants, p.result.Artifacts = nil, nil
	for i := range 10_000 {
		v := &assembly.Variant{
			Name: fmt.Sprintf("persona/entry=full,tools=native,customer=number-%d", i), Index: i, Values: []int{0, 0}, Tokenizer: "o200k_base",
			Budget: language.Limits{Tokens: 20_000, Chars: -1, ToolTokens: -1},
		}
		p.build.Variants = append(p.build.Variants, v)
		a := &assembly.Artifact{Build: p.build, Variant: v, Tokens: i, Use: i}
		for k := range 20 {
			r := renderings[(i*7+k*k)%len(renderings)]
			a.Parts = append(a.Parts, assembly.Part{Section: 1, Text: r.Text.Str, Rendering: r, Start: a.Bytes(), Total: i + k*(i%97)})
		}
		p.result.Artifacts = append(p.result.Artifacts, a)
	}
	if n := len(htmlOf(t, p.result, page.With{})); n > 8<<20 {
		t.Errorf("the page has %d bytes", n)
	}
}

func TestThePageNamesThePromptsOfEachFindingAtOnePlace(t *testing.T) {
	p := newPersona()
	place := at(p.manifest, "Hello.")
	p.result.Findings = diag.List{diag.New("PC6004", place, "names", "a"), diag.New("PC6004", place, "names", "b")}
	p.result.Findings[0].Prompts, p.result.Findings[1].Prompts = []string{"one"}, []string{"two"}
	_, data, _ := blocks(t, htmlOf(t, p.result, page.With{}))
	var doc struct {
		Findings []struct{ Lines, Prompts []string }
	}
	if err := json.Unmarshal([]byte(data), &doc); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"a one", "b two"} {
		equal(t, strings.Join(append(doc.Findings[i].Lines, doc.Findings[i].Prompts...), " "), want)
	}
}
