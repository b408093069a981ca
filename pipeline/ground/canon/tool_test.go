package canon_test

import (
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/canon"
)

func TestSentHasWhatEveryRequestCarries(t *testing.T) {
	for definition, want := range map[string]string{
		`{
  "name": "t",
  "title": "T",
  "description": "a <b>",
  "inputSchema": {
    "properties": {},
    "type": "object"
  },
  "outputSchema": {},
  "strict": true,
  "Name": 1
}
`: `{"name":"t","description":"a <b>","inputSchema":{"properties":{},"type":"object"}}`,
		"{\n  \"inputSchema\": {\"maximum\": 1.0e2}\n}\n": `{"inputSchema":{"maximum":1.0e2}}`,
		"{}\n":      `{}`,
		" {\"na\n ": `{"na`,
		"[1, 2]":    `[1, 2]`,
	} {
		if got := canon.Sent(definition); got != want {
			t.Errorf("Sent gives %s, want %s", got, want)
		}
	}
}
