package main

import (
	"errors"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/token"
)

func TestVerifySaysByHowMuchCountsDiffer(t *testing.T) {
	count, err := token.New("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	text := counted{name: "a.txt", texts: [][]string{{"Hello", ", world!"}, {"Hi."}}, count: count}
	if err := text.verify((*token.Counter).Recount); err != nil {
		t.Errorf("verify: %v", err)
	}
	err = text.verify(func(c *token.Counter, text string) (int, error) {
		n := c.Count(text)
		if text == "Hi." {
			n--
		}
		return n, nil
	})
	st, ok := errors.AsType[*status](err)
	if want := `"a.txt": 2 tokens in o200k_base, but 1 by tiktoken-go (-1)`; !ok || st.code != exitFindings || st.message != want {
		t.Errorf("verify: %v; want %s", err, want)
	}
}
