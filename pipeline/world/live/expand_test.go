package live_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/world/live"
)

func word(s string) ground.Word { return ground.Word{Str: s} }

func TestVariablesAreExpanded(t *testing.T) {
	env := map[string]string{"PATH": "/bin", "TOKEN": "t0ken", "AWS_SECRET": "never", "EMPTY": ""}
	getenv := func(name string) string { return env[name] }
	got, err := live.Expand(&language.Server{
		Name: word("x"), Command: word("${DIR:-/opt}/run"), Args: []ground.Word{word("--t=${TOKEN}"), word("$TOKEN ${EMPTY:-}")},
		Env: []language.NamedValue{{Name: word("A"), Value: word("${TOKEN:-none}")}, {Name: word("B"), Value: word("production")}, {Name: word("C"), Value: word("sk-0123456789abcdef")}},
	}, getenv)
	if err != nil {
		t.Fatal(err)
	}
	want := live.Server{
		Name: "x", Command: "/opt/run", Args: []string{"--t=t0ken", "$TOKEN "}, Env: []string{"PATH=/bin", "A=t0ken", "B=production", "C=sk-0123456789abcdef"},
		Passed: []string{"t0ken", "t0ken", "sk-0123456789abcdef"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, err = live.Expand(&language.Server{
		Name: word("x"), URL: word("https://h/${TOKEN}"), Type: word("http"),
		Headers: []language.NamedValue{{Name: word("Authorization"), Value: word("Bearer ${TOKEN}")}},
	}, getenv)
	if err != nil || got.URL != "https://h/t0ken" || got.Headers[0].Value != "Bearer t0ken" {
		t.Error(got, err)
	}
}

func TestEntriesThatCannotBeAsked(t *testing.T) {
	for want, entry := range map[string]*language.Server{
		"server-variable": {Name: word("x"), Command: word("run"), Args: []ground.Word{word("${NOT_SET}")}},
		"server-type":     {Name: word("x"), URL: word("https://h"), Type: word("sse")},
	} {
		_, err := live.Expand(entry, func(string) string { return "" })
		if e, ok := errors.AsType[*diag.Failure](err); !ok || e.Fact.Key != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
