package bind

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ id, pascal, camel, snake string }{
		{"helper", "Helper", "helper", "helper"},
		{"house-rules_v2.1", "HouseRulesV21", "houseRulesV21", "house_rules_v2_1"},
		{"4k", "4k", "4k", "4k"},
		{"GPT-4o", "GPT4o", "gpt4o", "gpt_4o"},
		{"a--b_", "AB", "aB", "a_b"},
		{"a__init__", "AInit", "aInit", "a_init"}, // no id makes a name that starts or ends with _
	} {
		w := wordsOf(c.id)
		if w.Pascal() != c.pascal || w.Camel() != c.camel || w.Snake() != c.snake {
			t.Errorf("%s: %s %s %s", c.id, w.Pascal(), w.Camel(), w.Snake())
		}
	}
	for _, c := range []struct{ name, v, want string }{
		{"4k", "v", "v4k"}, {"4k", "V", "V4k"}, {"class", "v", "class_"}, {"helper", "v", "helper"}, {"", "v", ""},
	} {
		if got := identifier(c.name, c.v, []string{"class"}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestClashesNameBoth(t *testing.T) {
	got := clashes([]declared{{"", "AB", "a-b"}, {"", "AB", "a-b"}, {"s.", "AB", "x"}, {"", "AB", "a_b"}, {"", "C", "c"}})
	if want := []clash{{"AB", "a-b", "a_b"}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
