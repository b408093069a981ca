package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// failed makes an error, unless the cause is one already.
func failed(fact diag.Words, cause error) error {
	if e, ok := errors.AsType[*diag.Failure](cause); ok {
		return e
	}
	return &diag.Failure{Fact: fact, Cause: cause}
}

// lost says that a server cannot be reached, unless the cause says more already. A
// URL may hold a token: it is in the entry for who wants to see it.
func lost(s Server, cause error) *diag.Failure {
	if e, ok := errors.AsType[*diag.Failure](cause); ok {
		return e
	}
	why := cause
	if of, ok := errors.AsType[*url.Error](cause); ok {
		why = of.Err
	}
	return &diag.Failure{Fact: diag.Say("server-lost", s.Name, masked(s, why.Error())), Cause: cause}
}

// shortest is how many bytes a passed value has at least that must not be
// repeated: shorter ones, such as `true` or `3000`, stand in any text.
const shortest = 8

// repeated refuses an answer that holds a value which was passed to the server:
// it would be written into the repository.
func repeated(s Server, a *Answer) error {
	var values []string
	for _, v := range s.Passed {
		if len(v) >= shortest {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return nil
	}
	all := append([]json.RawMessage{a.Hello}, a.Tools...)
	all = append(append(all, a.Prompts...), a.Resources...)
	for _, raw := range all {
		holds, err := holds(raw, values)
		if err != nil {
			return failed(diag.Say("server-list-unreadable", s.Name, "JSON"), err)
		}
		if holds {
			return &diag.Failure{
				Fact: diag.Say("server-repeats-value", s.Name),
				Hint: diag.Say("server-keep-value", shortest),
			}
		}
	}
	return nil
}

// holds reports whether a text of a JSON value, or a key, holds one of values. A
// number may be larger than any type holds.
func holds(raw json.RawMessage, values []string) (bool, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		text, _ := token.(string)
		if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(text, v) }) {
			return true, nil
		}
	}
}

// masked gives a text of the server's without the values that it was passed.
func masked(s Server, text string) string {
	for _, v := range s.Passed {
		if len(v) >= shortest {
			text = strings.ReplaceAll(text, v, "***")
		}
	}
	return text
}
