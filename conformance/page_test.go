package conformance_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a tab of Debian's Chromium that shows a page of promptc report, and
// notes whatever goes wrong in it.
type browser struct {
	context.Context
	t       *testing.T
	address string

	mu       sync.Mutex
	wrong    []string
	requests []string
}

// watchdog collects what a page must not do: errors, breaches of its policy, and
// what hostile texts call.
const watchdog = `
	window.wrong = [];
	for (const kind of ['error', 'unhandledrejection', 'securitypolicyviolation']) {
		addEventListener(kind, e => wrong.push(kind + ': ' + (e.message || e.reason || e.violatedDirective + ' ' + e.sample)), true);
	}
	for (const name of ['alert', 'confirm', 'prompt', 'hostile']) window[name] = () => { wrong.push(name + ' was called'); };`

// openPage opens a page in a browser without a network.
func openPage(t *testing.T, file string) *browser {
	t.Helper()
	return openAddress(t, (&url.URL{Scheme: "file", Path: file}).String())
}

func openAddress(t *testing.T, address string) *browser {
	t.Helper()
	need(t, "chromium")
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal(err)
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 900))
	alloc, cancelAlloc := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancelAlloc)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	ctx, cancelTime := context.WithTimeout(ctx, 5*time.Minute) // against hanging alone
	t.Cleanup(cancelTime)
	b := &browser{Context: ctx, t: t, address: address}
	b.do() // opens the tab
	if err := chromedp.Listen(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.wrong = append(b.wrong, fmt.Sprintf("%s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *runtime.EventConsoleAPICalled:
			b.wrong = append(b.wrong, fmt.Sprint("console: ", e.Type))
		case *page.EventJavascriptDialogOpening:
			b.wrong = append(b.wrong, "dialog: "+e.Message)
		case *network.EventRequestWillBeSent:
			b.requests = append(b.requests, e.Request.URL)
		}
	}); err != nil {
		t.Fatal(err)
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watchdog})
	b.do(chromedp.Navigate(b.address))
	return b
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// get runs an action that has a result.
func get[T any](b *browser, action chromedp.Action[T]) T {
	b.t.Helper()
	out, err := chromedp.Run(b, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// call runs a command of the browser's protocol.
func call[P, R any](b *browser, command cdp.Command[P, R], with P) R {
	b.t.Helper()
	out, err := chromedp.Call(b, command, with)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// wait waits until an expression is true.
func (b *browser) wait(expression string) {
	b.t.Helper()
	if !js[bool](b, `(async () => {
		for (let i = 0; i < 400; i++) { if (`+expression+`) return true; await new Promise(done => setTimeout(done, 25)); }
		return false;
	})()`) {
		b.t.Fatalf("never true: %s, at %s", expression, js[string](b, `location.hash + " " + document.activeElement.id + " " + document.getElementById("q").value + " " + document.querySelector("h2").textContent`))
	}
}

// js evaluates an expression, which may be a promise.
func js[T any](b *browser, expression string) T {
	b.t.Helper()
	return get(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// show goes to a view and gives its title and text.
func (b *browser) show(hash string) (title, text string) {
	b.t.Helper()
	out := js[[]string](b, fmt.Sprintf(`(async () => {
		if (location.hash !== %[1]q) {
			const shown = new Promise(done => addEventListener('hashchange', done, {once: true}));
			location.hash = %[1]q;
			await shown;
		}
		await new Promise(done => setTimeout(done));
		return [document.querySelector('h2').textContent, document.getElementById('main').innerText];
	})()`, hash))
	return out[0], out[1]
}

// fine reports what went wrong in the page.
func (b *browser) fine() {
	b.t.Helper()
	found := js[[]string](b, "window.wrong")
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range append(found, b.wrong...) {
		b.t.Error(w)
	}
	for _, r := range b.requests {
		if !strings.HasPrefix(r, b.address) {
			b.t.Errorf("the page asked for %s", r)
		}
	}
}

// pageOf makes the page of a project.
func pageOf(t *testing.T, dir string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if _, stderr, err := run(dir, append([]string{"report", "-o", file}, args...)...); err != nil {
		t.Fatalf("promptc report: %v\n%s", err, stderr)
	}
	return file
}

// reviewed is a small project with a state before, for a page with changes.
func reviewed(t *testing.T) (dir, base string) {
	t.Helper()
	const manifest = `version: 1
tokenizer: o200k_base
slots: {user: {max_tokens: 20, example: Ada, volatile: true}}
prompts:
  agent:
    axes: {mode: [ask, edit, plan], tier: [small, large]}
    budget: {tokens: 90, warn_at: 0.5}
    sections:
      - {id: role, path: role.md}
      - {id: rules, path: 'rules-{mode}.md', when: {tier: large}}
      - {id: who, text: 'You talk to {{user}}.', expand: true}
  helper: {sections: [{id: only, text: Help.}]}
`
	files := map[string]string{
		"prompts.yaml": manifest, "role.md": "You are careful.\nNever guess a path.\n",
		"rules-ask.md": "# Rules\n\nAnswer in one line.\n", "rules-edit.md": "# Rules\n\nShow a diff.\n", "rules-plan.md": "# Rules\n\nPlan first.\n",
	}
	base = filesIn(t, files)
	files["role.md"] = "You are careful.\nNever guess a file's path.\n"
	files["rules-edit.md"] = "# Rules\n\nShow a diff.\nAnd run the tests.\n"
	return filesIn(t, files), base
}

func TestPageViewsOpen(t *testing.T) {
	dir, base := reviewed(t)
	b := openPage(t, pageOf(t, dir, "--against", base))
	for _, view := range []struct{ hash, title, text string }{
		{"#overview", "Overview", "agent"},
		{"#matrix/agent", "Matrix of agent", "%"},
		{"#matrix/agent?by=tokens&x=mode&y=tier", "Matrix of agent", "large"},
		{"#matrix/agent?by=growth", "Matrix of agent", "+2"},
		{"#matrix/agent?by=change&k=2", "Matrix of agent", "✓ reached"},
		{"#budgets/agent", "Budgets of agent", "slots at most 20"},
		{"#budgets/agent?f.mode=ask", "Budgets of agent", "2 variants of agent"},
		{"#sections/agent/mode=edit,tier=large", "Sections of agent/mode=edit,tier=large", "rules-edit.md"},
		{"#text/agent/mode=edit,tier=large", "Text of agent/mode=edit,tier=large", "And run the tests."},
		{"#changes", "Changes", "Never guess a file's path."},
		{"#changes?as=side", "Changes", "Never guess a path."},
		{"#change/2", "Change 2 of 2", "And run the tests."},
		{"#findings", "Findings", "snapshot"},
		{"#search/diff", "Search: diff", "rules"},
		{"#search/%3Cnothing", "Search: <nothing", "Nothing found."},
		{"#text/none", "Not found", "no variant none"},
		{"#constructor", "Not found", "no view"},
		{"#text/%E0%A4%A", "Not found", "no variant"},
	} {
		if title, text := b.show(view.hash); title != view.title || !strings.Contains(text, view.text) {
			t.Errorf("%s: the title is %q, and in the text %q is missing:\n%s", view.hash, title, view.text, text)
		}
	}
	b.show("#changes")
	if got := js[[]string](b, `[...document.querySelectorAll('td.came b')].map(b => b.textContent)`); !slices.Contains(got, " file's") {
		t.Errorf("the words that differ are not marked: %q", got)
	}
	b.fine()
}

func TestPageLinksLead(t *testing.T) {
	dir, base := reviewed(t)
	b := openPage(t, pageOf(t, dir, "--against", base))
	seen, left := map[string]bool{}, []string{"#overview"}
	for len(left) > 0 {
		hash := left[0]
		left = left[1:]
		title, _ := b.show(hash)
		if title == "Not found" {
			t.Errorf("%s leads nowhere", hash)
		}
		for _, next := range js[[]string](b, `[...document.querySelectorAll('a[href]:not(.skip)')].map(a => a.getAttribute('href'))`) {
			if !strings.HasPrefix(next, "#") {
				t.Errorf("%s: %s leads out of the page", hash, next)
			} else if !seen[next] {
				seen[next] = true
				left = append(left, next)
			}
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d links", len(seen))
	}
	b.fine()
}

func TestPageByKeyboard(t *testing.T) {
	dir, base := reviewed(t)
	b := openPage(t, pageOf(t, dir, "--against", base))
	b.show("#matrix/agent")
	// The protocol would type the character all the same.
	if !js[bool](b, `!document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', cancelable: true, bubbles: true})) && document.activeElement.id === 'q'`) {
		t.Error("/ does not lead to the search")
	}
	b.do(chromedp.KeyEvent("tests"))
	b.wait(`document.querySelector('h2').textContent === 'Search: tests'`)
	b.do(chromedp.KeyEvent("\r"), chromedp.Focus("#main li a"), chromedp.KeyEvent("\r"))
	b.wait(`document.querySelector('h2').textContent !== 'Search: tests'`)

	// What is chosen stays chosen, and has the focus.
	b.show("#matrix/agent")
	js[bool](b, `(() => {
		const s = [...document.querySelectorAll('#main .choice')].find(c => c.textContent.startsWith('Show')).querySelector('select');
		s.focus(); s.value = 'tokens'; return s.dispatchEvent(new Event('change'));
	})()`)
	b.wait(`location.hash.includes('by=tokens') && document.activeElement.value === 'tokens'`)
	for _, hash := range []string{"#overview", "#matrix/agent", "#budgets/agent", "#sections/agent", "#text/agent", "#changes", "#findings"} {
		b.show(hash)
		if bad := js[[]string](b, `[...document.querySelectorAll('a, button, select, input, summary')].filter(e => !(e.textContent.trim() || e.labels && e.labels.length)).map(e => e.outerHTML)`); len(bad) > 0 {
			t.Errorf("%s: no name: %q", hash, bad)
		}
		if at := js[string](b, "document.activeElement.id"); at != "main" {
			t.Errorf("%s: the focus is at %q", hash, at)
		}
	}
	b.fine()
}

// TestPageByTabulator holds that the tabulator reaches each view and what it has, and
// that what has the focus is seen.
func TestPageByTabulator(t *testing.T) {
	dir, base := reviewed(t)
	b := openPage(t, pageOf(t, dir, "--against", base))
	views := []string{"overview", "matrix", "budgets", "sections", "text", "changes", "findings"}
	for _, view := range views {
		b.show("#" + view)
		var met []string
		for len(met) < 100 {
			b.do(chromedp.KeyEvent("\t"))
			at := js[[]string](b, `(e => [e.dataset.view || e.localName, getComputedStyle(e).outlineStyle, getComputedStyle(e).outlineWidth])(document.activeElement)`)
			if at[0] == "body" {
				break
			}
			if at[1] != "solid" || at[2] != "2px" {
				t.Errorf("%s: no ring around %s", view, at)
			}
			met = append(met, at[0])
		}
		if want := js[int](b, `[...document.querySelectorAll('#main :is(a, button, select, summary, [tabindex="0"])')].filter(e => e.offsetParent).length`); len(met) < want {
			t.Errorf("%s: the tabulator reaches %d of %d: %q", view, len(met), want, met)
		}
		b.show("#none")
		js[bool](b, "(document.querySelector('.skip').focus(), true)")
		for range 2 + slices.Index(views, view) {
			b.do(chromedp.KeyEvent("\t"))
		}
		b.do(chromedp.KeyEvent("\r"))
		b.wait("location.hash === '#" + view + "'")
	}
	b.fine()
}

func TestPageCopiesTheText(t *testing.T) {
	dir, base := reviewed(t)
	b := openPage(t, pageOf(t, dir, "--against", base))
	want, _, err := run(dir, "show", "agent/mode=edit,tier=large")
	if err != nil {
		t.Fatal(err)
	}
	b.show("#text/agent/mode=edit,tier=large")
	got := js[string](b, `(async () => {
		let copied; navigator.clipboard.writeText = async text => { copied = text; };
		[...document.querySelectorAll('button')].find(b => b.textContent === 'Copy the text').click();
		await new Promise(done => setTimeout(done, 50));
		return copied;
	})()`)
	if got != string(want) {
		t.Errorf("copied %q, show prints %q", got, want)
	}
	if slots := js[[]string](b, `[...document.querySelectorAll('pre mark.slot')].map(m => m.textContent)`); !slices.Equal(slots, []string{"{{user}}"}) {
		t.Errorf("the slots are %q", slots)
	}
	b.fine()
}

// plainProject is the least that somebody has: a prompt without axes, slots and budget.
func plainProject(t *testing.T) string {
	t.Helper()
	return filesIn(t, map[string]string{
		"prompts.yaml": "version: 1\nprompts: {helper: {sections: [{id: role, path: role.md}]}}\n", "role.md": "You help.\n",
	})
}

// largeProject has 504 variants, 42 values of an axis, and names that no column is wide enough for.
func largeProject(t *testing.T) string {
	t.Helper()
	var customers []string
	for i := range 42 {
		customers = append(customers, fmt.Sprintf("customer-%d", i+1))
	}
	const long = "what-the-assistant-says-where-nobody-else-can-answer-any-more"
	return filesIn(t, map[string]string{
		"prompts.yaml": `version: 1
tokenizer: o200k_base
slots: {notes: {max_tokens: 60}}
prompts:
  support-of-all-customers-in-all-regions:
    axes: {customer: [` + strings.Join(customers, ", ") + `], mode: [ask, edit, plan, review], tier: [small, medium, large]}
    budget: {tokens: 150, warn_at: 0.9}
    sections:
      - {id: role, text: You help.}
      - {id: plan, text: Plan first., when: {mode: plan}}
      - {id: ` + long + `, path: rules/` + long + `.md, when: {tier: [medium, large]}}
      - {id: notes, text: "Notes: {{notes}}", expand: true, when: {tier: large}}
`,
		"rules/" + long + ".md": "# Rules\n\n" + strings.Repeat("- Answer what was asked, and say what you do not know.\n", 5),
	})
}

// filesIn gives a folder with files.
func filesIn(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPagePrintsAndFits holds pages of several projects in light and dark, on wide and
// narrow screens, and on paper. With PROMPTC_SHOTS it keeps pictures there.
func TestPagePrintsAndFits(t *testing.T) {
	small, base := reviewed(t)
	for _, tc := range []struct {
		name, file string
		views      []string
	}{
		{"repository", pageOf(t, projects[0].dir), []string{"#overview", "#matrix/modes", "#matrix/modes?by=tokens", "#budgets/modes", "#sections/persona", "#text/persona", "#findings", "#search/memory"}},
		{"changes", pageOf(t, small, "--against", base), []string{"#overview", "#matrix/agent?by=growth", "#matrix/agent?by=change&k=2", "#budgets/agent", "#sections/agent/mode=ask,tier=large", "#changes", "#changes?as=side", "#change/2", "#findings"}},
		{"plain", pageOf(t, plainProject(t)), []string{"#overview", "#matrix", "#budgets", "#sections", "#text", "#findings", "#search/"}},
		{"large", pageOf(t, largeProject(t)), []string{"#overview", "#matrix", "#matrix?x=tier&y=mode&by=tokens", "#budgets", "#sections", "#text/support-of-all-customers-in-all-regions/customer=customer-9,mode=edit,tier=large", "#search/customer"}},
	} {
		b := openPage(t, tc.file)
		for _, media := range []struct {
			scheme, on string
			width      int64
		}{{"light", "screen", 1280}, {"dark", "screen", 1280}, {"light", "screen", 390}, {"dark", "screen", 390}, {"light", "print", 720}} {
			call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media.on, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: media.scheme}}})
			b.do(chromedp.EmulateViewport(media.width, 1000))
			for _, hash := range tc.views {
				b.show(hash)
				if wide := js[int64](b, "document.documentElement.scrollWidth"); wide > media.width {
					t.Errorf("%s: %s is %d pixels wide on a %s of %d", tc.name, hash, wide, media.on, media.width)
				}
				b.keep(fmt.Sprintf("%s-%s-%s-%d-%s.png", tc.name, media.on, media.scheme, media.width, hash))
			}
		}
		b.show("#text")
		if paper := call(b, page.PrintToPDF, page.PrintToPDFParams{}).Data; len(paper) < 5_000 {
			t.Errorf("%s: %d bytes are no printed page", tc.name, len(paper))
		}
		b.fine()
	}
}

// keep keeps a picture of what the browser shows, where PROMPTC_SHOTS names a folder.
func (b *browser) keep(name string) {
	b.t.Helper()
	folder := os.Getenv("PROMPTC_SHOTS")
	if folder == "" {
		return
	}
	name = strings.NewReplacer("#", "", "/", "-", "?", "-", "&", "-").Replace(name)
	if err := os.WriteFile(filepath.Join(folder, name), get(b, chromedp.CaptureScreenshot()), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// eventually waits until an expression is true, through reloads.
func (b *browser) eventually(expression string) {
	b.t.Helper()
	for range 400 {
		if is, err := chromedp.Run(b, chromedp.Evaluate[bool](expression)); err == nil && is {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.t.Fatalf("never true: %s", expression)
}

// TestPageServedIsLoadedAgain holds that a browser follows promptc watch --report: it
// loads each page, in the same view at the same place, and says when a page cannot be made.
func TestPageServedIsLoadedAgain(t *testing.T) {
	dir, base := reviewed(t)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	watch := exec.Command(promptc, "watch", "--report", "--against", base)
	watch.Dir = dir
	stderr, err := watch.StderrPipe()
	if err == nil {
		err = watch.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = watch.Process.Kill() })
	var address string
	for lines := bufio.NewScanner(stderr); address == "" && lines.Scan(); {
		_, address, _ = strings.Cut(lines.Text(), "the page is at ")
	}
	b := openAddress(t, address)
	b.do(chromedp.EmulateViewport(800, 300))
	const view = "#text/agent/mode=edit,tier=large"
	for i, text := range []string{"Ask first.", "Ask at once."} {
		b.show(view)
		js[any](b, `scrollTo(0, 90); window.before = true`)
		write("role.md", text+"\n")
		b.eventually(`!window.before && document.getElementById('main').innerText.includes('` + text + `')`)
		b.eventually(`scrollY === 90`)
		if at := js[string](b, "location.hash"); at != view {
			t.Errorf("reload %d leads to %s", i, at)
		}
		b.fine()
	}
	said := `document.querySelector('#sum [role=status]').textContent`
	write("prompts.yaml", "version: 2\n")
	b.eventually(said + ` === ' · This page is out of date: the terminal says why.'`)
	if err := watch.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	b.eventually(said + ` === ' · This page may be out of date: promptc watch does not answer.'`)
	b.fine()
}

// payloads are texts that do something in a page that takes one of them for anything
// but text.
var payloads = []string{
	`<script>hostile()</script>`, `</script><script>hostile()</script>`, `<!--<script>`, `--><script>hostile()</script>`,
	`<img src=x onerror=hostile()>`, `"><svg onload=hostile()>`, `' onmouseover='hostile()' x='`, `<iframe srcdoc="<script>parent.hostile()</script>">`,
	`</style><style>*{display:none}`, `<style>@import 'https://evil.example/x.css';</style>`, `<link rel=stylesheet href=https://evil.example/x.css>`,
	`<base href=https://evil.example/>`, `<meta http-equiv=refresh content="0;url=https://evil.example/">`, `<form action=https://evil.example/><button autofocus onfocus=hostile()>`,
	`javascript:hostile()`, `[x](javascript:hostile())`, `{{user}}`, `${hostile()}`, "`${hostile()}`", `\u003cscript\u003ehostile()\u003c/script\u003e`,
	`&lt;script&gt;hostile()&lt;/script&gt;`, `</textarea></title></noscript><script>hostile()</script>`, `]]><script>hostile()</script>`, `__proto__`, `constructor`,
	"\u202ethgir ot tfel\u202c \u2066isolate\u2069", "a\u200bb\u00adc\ufeffd \U000e0041\U000e0042", "\u2028hostile()\u2029", "שלום <b>hello</b> مرحبا", `<math><mtext><table><mglyph><style><img src onerror=hostile()>`,
}

func TestPageRunsNoHostileText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("version: 1\ntokenizer: o200k_base\nprompts:\n")
	for i := range 2 * len(payloads) { // each once, and each twice in a row
		text := "Text " + strings.Repeat(payloads[i%len(payloads)]+" ", 1+i/len(payloads)) + payloads[(i*7+3)%len(payloads)]
		name := fmt.Sprintf("%d <img src=x onerror=hostile()> '\"&.md", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "  p%d: {sections: [{id: s, path: %q}]}\n", i, name)
	}
	for name, text := range map[string]string{"long.md": strings.Repeat("x<b>", 250_000), "lines.md": strings.Repeat("<i>line\n", 20_000)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "  %s: {sections: [{id: s, path: %s}]}\n", strings.TrimSuffix(name, ".md"), name)
	}
	manifest := strings.ReplaceAll(b.String(), "prompts:\n", "slots: {user: {max_tokens: 5}}\nprompts:\n")
	if err := os.WriteFile(filepath.Join(dir, "prompts.yaml"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	plain := "version: 1\ntokenizer: o200k_base\nprompts:\n  p0: {sections: [{id: s, text: before <script>hostile()</script>}]}\n"
	if err := os.WriteFile(filepath.Join(base, "prompts.yaml"), []byte(plain), 0o644); err != nil {
		t.Fatal(err)
	}
	page := openPage(t, pageOf(t, dir, "--against", base))
	elements := js[[]string](page, `(async () => {
		const seen = new Set();
		const look = () => document.querySelectorAll('*').forEach(e => seen.add(e.localName));
		const go = async hash => { location.hash = hash; await new Promise(done => setTimeout(done)); look(); };
		for (const p of data.prompts) for (const view of ['text', 'sections']) await go(address(view, p.id));
		for (const view of ['overview', 'matrix', 'budgets', 'changes', 'findings', 'search/hostile', 'search/' + encodeURIComponent('<script>')]) await go('#' + view);
		for (let i = 0; i < data.changes.length; i++) await go('#change/' + (i + 1));
		return [...seen];
	})()`)
	for _, name := range []string{"img", "iframe", "link", "base", "math", "table-x"} {
		if slices.Contains(elements, name) {
			t.Errorf("a text became an element: %s", name)
		}
	}
	if n := js[int](page, `document.scripts.length`); n != 2 {
		t.Errorf("the page has %d scripts, not its data and its own", n)
	}
	if _, text := page.show("#text/p25"); !strings.Contains(text, "U+202E") {
		t.Errorf("a hidden character is not named:\n%s", text)
	}
	if _, text := page.show("#text/long"); !strings.Contains(text, "more characters") {
		t.Error("a line of a megabyte is shown whole")
	}
	page.fine()
}
