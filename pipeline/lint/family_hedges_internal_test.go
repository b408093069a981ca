package lint

import (
	"slices"
	"strings"
	"testing"
)

// What a text names without saying that it may be missing.
func TestWhatASentenceAsksFor(t *testing.T) {
	known := names{}
	for _, name := range []string{"web_fetch", "read_file", "exec"} {
		known.add(subject{aTool, name})
	}
	known.add(subject{aSkill, "release-notes"})
	known.add(subject{aFile, "TOOLS.md"})
	for text, want := range map[string]string{
		// It is asked for.
		"Never answer without calling `web_fetch` first.":                         "web_fetch",
		"Never state a fact without a `web_fetch`.":                               "web_fetch",
		"Do not guess instead of calling web_fetch.":                              "web_fetch",
		"Never ship without the `release-notes` skill.":                           "release-notes",
		"Use `web_fetch` instead of guessing.":                                    "web_fetch",
		"Call web_fetch rather than guess.":                                       "web_fetch",
		"Answer without delay: call web_fetch.":                                   "web_fetch",
		"If you have a URL, use `web_fetch`.":                                     "web_fetch",
		"If you have doubts, call `web_fetch` at once.":                           "web_fetch",
		"Use `web_fetch` only if you have to.":                                    "web_fetch",
		"Use `web_fetch` if the page is available.":                               "web_fetch",
		"Use `web_fetch` when existing notes are old.":                            "web_fetch",
		"If you need to use `web_fetch`, say so.":                                 "web_fetch",
		"If no answer is there, call `web_fetch`.":                                "web_fetch",
		"When web_fetch returns, read it.":                                        "web_fetch",
		"If web_fetch fails, say so.":                                             "web_fetch",
		"If `web_fetch` is slow, wait.":                                           "web_fetch",
		"`web_fetch` is available.":                                               "web_fetch",
		"You have `web_fetch`.":                                                   "web_fetch",
		"Pages that `web_fetch` returns may be missing parts.":                    "web_fetch",
		"Files are missing? Call `web_fetch`.":                                    "web_fetch",
		"Work without a net. Use web_fetch.":                                      "web_fetch",
		"Do not use `web_fetch`.":                                                 "web_fetch",
		"You must not call web_fetch twice.":                                      "web_fetch",
		"Unlike `exec`, which asks, `web_fetch` runs at once.":                    "web_fetch",
		"Use `web_fetch` instead of `exec`.":                                      "web_fetch",
		"If `exec` is available, use it, and look it up with `web_fetch`.":        "web_fetch",
		"Without `exec` there is no shell; use web_fetch.":                        "web_fetch",
		"If you have `exec`, the page is there.\n\nUse `web_fetch`.":              "web_fetch",
		"If you have a page:\n\n- use `web_fetch`":                                "web_fetch",
		"If it matters:\n\n- `web_fetch`":                                         "web_fetch",
		"Available tools:\n- `web_fetch`":                                         "web_fetch",
		"If available:\n\n- `exec`\n\nElse:\n\n- `web_fetch`":                     "web_fetch",
		"- If available:\n  - `exec`\n- `web_fetch`":                              "web_fetch",
		"- if available\n- `web_fetch`":                                           "web_fetch",
		"The page isn't\navailable: call\n`web_fetch`.":                           "web_fetch",
		"What TOOLS.md above says holds.":                                         "TOOLS.md",
		"| `exec` | if available |\n| `web_fetch` | pages |":                      "web_fetch",
		"The user may not have read `web_fetch` results.":                         "web_fetch",
		"If you have time, `read_file` and `web_fetch` help.":                     "read_file web_fetch",
		"If you can, call `web_fetch` and then `read_file`; without `exec` wait.": "web_fetch read_file",

		// It may be missing.
		"If `web_fetch` is available, look it up.":                              "",
		"If the `web_fetch` tool is not available, say so.":                     "",
		"If `web_fetch` or `exec` is available, look it up.":                    "",
		"If `web_fetch(url)` is there, call it.":                                "",
		"If web_fetch exists, use it.":                                          "",
		"If you can use `web_fetch`, do.":                                       "",
		"If you are able to call `web_fetch`, do.":                              "",
		"When `web_fetch` is there, use it.":                                    "",
		"When `web_fetch` is in your tools, use it.":                            "",
		"Where you have `web_fetch`, use it.":                                   "",
		"If you have `exec`, `read_file` or `web_fetch`, use it.":               "",
		"If you have access to the `web_fetch` tool, use it.":                   "",
		"When the session has `web_fetch`, use it.":                             "",
		"If the user gives a URL\nand you have\n`web_fetch`, use it.":           "",
		"If there is a `web_fetch` tool, use it.":                               "",
		"If available, use `web_fetch`.":                                        "",
		"If it is available, prefer the `web_fetch` tool.":                      "",
		"Use `web_fetch` if available.":                                         "",
		"Use `web_fetch` (if available).":                                       "",
		"Use `web_fetch` to load pages, when it is enabled.":                    "",
		"Use `web_fetch` to load pages if you have it.":                         "",
		"Use the optional `web_fetch`, or `read_file` (optional).":              "",
		"Works without `web_fetch`.":                                            "",
		"Answer without calling `web_fetch`.":                                   "",
		"There is no `web_fetch` here; say so.":                                 "",
		"You do not have `web_fetch`. You don't have access to exec.":           "",
		"You can’t use `web_fetch`.":                                            "",
		"You can't browse: `web_fetch` is disabled.":                            "",
		"`web_fetch` is not available, `exec` may be missing.":                  "",
		"`web_fetch` does not exist. `exec` no longer exists.":                  "",
		"If web_fetch fails or is unavailable, say so.":                         "",
		"You lack web_fetch, and no longer use exec.":                           "",
		"Guess rather than calling `web_fetch`, instead of `exec`.":             "",
		"Unlike `exec`, this asks.":                                             "",
		"If available:\n\n- `web_fetch`\n- `exec`\n  and `read_file`":           "",
		"If you have these tools:\n- `web_fetch`":                               "",
		"You do not have:\n\n* web_fetch\n\n* exec":                             "",
		"When the session\nhas them, they are there; if available, use\n`exec`": "",
		"**Not available:**\n1. exec\n2. web_fetch":                             "",
		"- If available:\n  - `exec`":                                           "",
		"What TOOLS.md says, if it exists, holds.":                              "",
	} {
		var got []string
		for _, m := range mentions(text, mdLines(text), known) {
			if !m.hedged() && !slices.Contains(got, m.name) {
				got = append(got, m.name)
			}
		}
		if said := strings.Join(got, " "); said != want {
			t.Errorf("%q: got %q, want %q", text, said, want)
		}
	}
}
