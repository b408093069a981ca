package live

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
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
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			return failed(diag.Say("server-list-unreadable", s.Name, "JSON"), err)
		}
		if holds(v, values) {
			return &diag.Failure{
				Fact: diag.Say("server-repeats-value", s.Name),
				Hint: diag.Say("server-keep-value", shortest),
			}
		}
	}
	return nil
}

// holds reports whether a text of a JSON value, or a key, holds one of values.
func holds(v any, values []string) bool {
	switch v := v.(type) {
	case string:
		for _, value := range values {
			if strings.Contains(v, value) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if holds(item, values) {
				return true
			}
		}
	case map[string]any:
		for key, item := range v {
			if holds(key, values) || holds(item, values) {
				return true
			}
		}
	}
	return false
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
