package canon_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
)

func scalar(kind ground.NodeKind, text string) *ground.Node {
	return &ground.Node{Kind: kind, Text: ground.Literal(text)}
}

func mapping(fields ...ground.Field) *ground.Node {
	return &ground.Node{Kind: ground.Mapping, Fields: fields}
}

func TestOutput(t *testing.T) {
	n := mapping(
		ground.Field{Key: "b", Value: scalar(ground.Number, "1.0e2")},
		ground.Field{Key: "a", Value: &ground.Node{Kind: ground.Sequence, Items: []*ground.Node{
			scalar(ground.String, "é<&>"), scalar(ground.Null, ""), scalar(ground.Bool, "true"), mapping(),
			{Kind: ground.Sequence},
		}}},
		ground.Field{Key: "Z", Value: scalar(ground.String, "x")},
	)
	tests := []struct {
		name, got, want string
	}{
		{"compact", canon.Compact(n), `{"Z":"x","a":["é<&>",null,true,{},[]],"b":1.0e2}`},
		{"indent", canon.Indent(n), "{\n  \"Z\": \"x\",\n  \"a\": [\n    \"é<&>\",\n    null,\n    true,\n    {},\n    []\n  ],\n  \"b\": 1.0e2\n}"},
		{"object", canon.Object(n, []string{"b", "missing"}), "{\n  \"b\": 1.0e2,\n  \"Z\": \"x\",\n  \"a\": [\n    \"é<&>\",\n    null,\n    true,\n    {},\n    []\n  ]\n}"},
		{"nothing", canon.Compact(nil), "null"},
		{"empty", canon.Indent(mapping()), "{}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.got); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
	if n.Fields[0].Key != "b" {
		t.Error("the input was reordered")
	}
}

func TestStringsEscapeTheLeastPossible(t *testing.T) {
	tests := map[string]string{
		"a\"b\\c/":            `"a\"b\\c/"`,
		"\n\r\t\b\f\x00\x1f":  `"\n\r\t\b\f\u0000\u001f"`,
		"\x7f\u2028\u0085🐦":   "\"\x7f\u2028\u0085🐦\"",
		"bad\xffbyte\xc3":     "\"bad\uFFFDbyte\uFFFD\"",
		"\uFFFD is no damage": "\"\uFFFD is no damage\"",
	}
	for in, want := range tests {
		if got := canon.Compact(scalar(ground.String, in)); got != want {
			t.Errorf("Compact(%q) = %s, want %s", in, got, want)
		}
	}
}

func FuzzStrings(f *testing.F) {
	f.Add("plain")
	f.Add("\x00\"\\\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		var back, want string
		if err := json.Unmarshal([]byte(canon.Compact(scalar(ground.String, s))), &back); err != nil {
			t.Fatalf("no JSON: %v", err)
		}
		quoted, _ := json.Marshal(s)
		if err := json.Unmarshal(quoted, &want); err != nil {
			t.Fatal(err)
		}
		if back != want {
			t.Errorf("read back %q, want %q", back, want)
		}
	})
}
