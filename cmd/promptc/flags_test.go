package main

import (
	"flag"
	"io"
	"testing"
)

// The flag library has its mistakes as text alone: it still says them so.
func TestTheFlagLibraryStillSaysSo(t *testing.T) {
	for _, c := range []struct {
		arg, name           string
		unknown, lacksValue bool
	}{
		{"--strickt", "strickt", true, false},
		{"-strickt=1", "strickt", true, false},
		{"--base", "base", false, true},
		{"-base", "base", false, true},
	} {
		set := flag.NewFlagSet("promptc", flag.ContinueOnError)
		set.SetOutput(io.Discard)
		set.String("base", "", "")
		name, unknown, lacksValue := flagMistake(set.Parse([]string{c.arg}))
		if name != c.name || unknown != c.unknown || lacksValue != c.lacksValue {
			t.Errorf("%s: %q, unknown %v, without its value %v", c.arg, name, unknown, lacksValue)
		}
	}
	set := flag.NewFlagSet("promptc", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Int("only", 0, "")
	if _, unknown, lacksValue := flagMistake(set.Parse([]string{"--only=x"})); unknown || lacksValue {
		t.Error("a wrong value is neither")
	}
}
