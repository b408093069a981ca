package conformance_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestPageIsAccessible has axe-core look at each view, in light and dark, on wide and narrow
// screens: names, roles, contrast. axe is of the version in testdata/axe/package.json; make axe installs it.
func TestPageIsAccessible(t *testing.T) {
	axe, err := os.ReadFile("testdata/axe/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed: run make axe")
	}
	small, base := reviewed(t)
	for _, tc := range []struct {
		name  string
		page  *browser
		views []string
	}{
		{"changes", openPage(t, pageOf(t, small, "--against", base)), []string{
			"#overview", "#matrix/agent?by=growth", "#matrix/agent?by=change&k=2", "#budgets/agent", "#changes", "#changes?as=side", "#change/2", "#text/agent/mode=edit,tier=large",
		}},
		{"large", openPage(t, pageOf(t, largeProject(t))), []string{"#overview", "#matrix", "#budgets", "#sections", "#findings"}},
		{"repository", openPage(t, pageOf(t, projects[0].dir)), []string{
			"#overview", "#matrix/modes", "#matrix/modes?by=tokens", "#budgets/modes", "#sections/persona", "#sections/coder", "#text/persona", "#text/coder", "#findings", "#search/memory",
		}},
	} {
		js[any](tc.page, string(axe)+"; 0")
		for _, scheme := range []string{"light", "dark"} {
			call(tc.page, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			for _, width := range []int64{1280, 390} {
				tc.page.do(chromedp.EmulateViewport(width, 900))
				for _, view := range tc.views {
					tc.page.show(view)
					for _, found := range js[[]string](tc.page, `axe.run().then(r => r.violations.flatMap(v => v.nodes.slice(0, 3).map(n => v.impact + ' ' + v.id + ': ' + n.html.slice(0, 200) + ' ' + n.failureSummary)))`) {
						t.Error(fmt.Sprintf("%s %s %d %s: ", tc.name, scheme, width, view), found)
					}
				}
			}
		}
	}
}
