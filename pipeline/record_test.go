package pipeline_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline"
)

func TestPathsAreSettledAtTheirBoundaries(t *testing.T) {
	settle := pipeline.Settle(
		pipeline.Place{Path: "/home/ann", Name: "[HOME]"}, pipeline.Place{Path: "/home/ann/app", Name: "[CWD]"},
		pipeline.Place{Path: "/", Name: "[ROOT]"}, pipeline.Place{Path: "", Name: "[NONE]"},
		pipeline.Place{Path: "run-123", Name: "[TMP]", Anywhere: true},
	)
	for text, want := range map[string]string{
		"/home/ann":                                        "[HOME]",
		"in /home/ann/app/src.":                            "in [CWD]/src.",
		"in /home/ann/app.":                                "in [CWD].",
		"in /home/ann/apple, /home/anna":                   "in [HOME]/apple, /home/anna",
		"/home/ann.config and /mnt/home/ann":               "/home/ann.config and /mnt/home/ann",
		"file:///home/ann/x":                               "file://[HOME]/x",
		`"/home/ann":`:                                     `"[HOME]":`,
		"/home/ann/home/ann":                               "[HOME]/home/ann",
		"/home/ann:/home/ann/app":                          "[HOME]:[CWD]",
		"../run-123/x and [HOME]":                          "../[TMP]/x and [HOME]",
		"/home/ann-old /home/ann- /home/ann":               "/home/ann-old [HOME]- [HOME]",
		"@/home/ann ${R}/home/ann */home/ann {b}/home/ann": "@/home/ann ${R}/home/ann */home/ann {b}/home/ann",
		"/home/ann@2 /home/ann%20b /home/annü":             "/home/ann@2 /home/ann%20b /home/annü",
		"(/home/ann) [/home/ann] '/home/ann', =/home/ann;": "([HOME]) [[HOME]] '[HOME]', =[HOME];",
		"/ and nothing else":                               "/ and nothing else",
		"":                                                 "",
	} {
		if got := settle(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}
