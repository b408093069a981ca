package surely

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

func TestConditionsHoldAtTheirEdgesAsTheirKeywordsDo(t *testing.T) {
	text := func(n int) *prompt.Node {
		return &prompt.Node{Kind: prompt.String, Text: prompt.Literal(strings.Repeat("é", n))}
	}
	var values []*prompt.Node
	for i := range scalars {
		values = append(values, &scalars[i])
	}
	for n := range 4 {
		list, mapping := &prompt.Node{Kind: prompt.Sequence}, &prompt.Node{Kind: prompt.Mapping}
		for i := range n {
			list.Items = append(list.Items, text(i))
			mapping.Fields = append(mapping.Fields, prompt.Field{Key: strings.Repeat("k", i+1), Value: text(i)})
		}
		twice := &prompt.Node{Kind: prompt.Sequence, Items: append(slices.Clone(list.Items), list.Items...)}
		values = append(values, text(n), list, twice, mapping)
	}
	for _, c := range []struct {
		keyword   string
		condition condition
	}{
		{`"minimum": 1`, condition{is: atLeast, limit: 1}},
		{`"maximum": 1`, condition{is: atMost, limit: 1}},
		{`"exclusiveMinimum": 0`, condition{is: above}},
		{`"minLength": 2`, condition{is: longAtLeast, limit: 2}},
		{`"maxLength": 2`, condition{is: longAtMost, limit: 2}},
		{`"pattern": "\\S"`, condition{is: matching, words: []string{`\S`}}},
		{`"minItems": 2`, condition{is: itemsAtLeast, limit: 2}},
		{`"maxItems": 2`, condition{is: itemsAtMost, limit: 2}},
		{`"uniqueItems": true`, condition{is: distinctItems}},
		{`"minProperties": 2`, condition{is: keysAtLeast, limit: 2}},
		{`"required": ["k", "kk"]`, condition{is: having, words: []string{"k", "kk"}}},
		{`"type": ["integer", "null"]`, condition{is: ofType, limit: integerType | nullType}},
		{`"type": ["number", "boolean", "array"]`, condition{is: ofType, limit: numberType | booleanType | arrayType}},
		{`"type": ["string", "object"]`, condition{is: ofType, limit: stringType | objectType}},
		{`"enum": [null, true, 1, "é", [], {}]`, condition{is: among, values: []value{
			{prompt.Null, ""}, {prompt.Bool, "true"}, {prompt.Number, "1"}, {prompt.String, "é"}, {prompt.Sequence, ""}, {prompt.Mapping, ""},
		}}},
	} {
		lib, err := jsonschema.CompileString("https://example.com/schema", `{"$schema": "http://json-schema.org/draft-07/schema#", `+c.keyword+`}`)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range values {
			if n.Kind == prompt.Number && !plain(n.Text.Str) {
				continue // which a rule does not judge
			}
			v := c.condition.judge(n)
			if err := lib.Validate(instance(n)); v == maybe || (v == yes) != (err == nil) {
				t.Errorf("%s on %v: %d, the library says: %v", c.keyword, instance(n), v, err)
			}
		}
	}
}

func TestPatternsMatchWhatTheirExpressionsDo(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	pieces := []string{
		"", "a", "z", "A", "0", "9", "-", ".", "_", "%", "x-", "At", "con", "COM", "lpt", "1", "100", "\n", " ", "\t", "\v", "\u0085", "é", "ſ", "K", "\xff",
		strings.Repeat("a", 61), "aux.",
	}
	for _, p := range patterns {
		expression := regexp.MustCompile(p.text)
		matched := 0
		for range 50_000 {
			var b strings.Builder
			for range random.IntN(6) {
				b.WriteString(pieces[random.IntN(len(pieces))])
			}
			s := b.String()
			if got, want := p.matches(s), expression.MatchString(s); got != want {
				t.Fatalf("%s on %q: %v", p.text, s, got)
			}
			if p.matches(s) {
				matched++
			}
		}
		if matched == 0 {
			t.Errorf("%s never matched", p.text)
		}
	}
	if got := matches("^never heard of$", "x"); got != maybe {
		t.Errorf("an unknown expression gives %d", got)
	}
}
