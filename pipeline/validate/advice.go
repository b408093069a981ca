package validate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// advices are how a value of another shape was probably meant, by its key. A
// hint quotes the value as it should be written.
var advices = []struct {
	key  string
	kind []prompt.NodeKind
	form string // what the value becomes
}{
	{"budget", []prompt.NodeKind{prompt.Number}, "{tokens: %s}"},
	{"limit", []prompt.NodeKind{prompt.Number}, "{chars: %s}"},
	{"needs", []prompt.NodeKind{prompt.String}, "{tools: [%s]}"},
	{"needs", []prompt.NodeKind{prompt.Sequence}, "{tools: %s}"},
	{"plus", []prompt.NodeKind{prompt.Mapping}, "[%s]"},
	{"degrade", []prompt.NodeKind{prompt.Mapping}, "[%s]"},
}

// sectionKeys are the keys of a source that take cases on a section only.
var sectionKeys = []string{"expand", "limit", "style", "location", "routing"}

// advice says how a value of the wrong type was probably meant, "" where that
// is not known.
func (v violation) advice() string {
	n := v.place.node
	if n == nil || isJSON(n) {
		return ""
	}
	cases := slices.Contains(v.expected, casesType)
	switch {
	case cases && n.Kind == prompt.Mapping && n.Field("value") != nil:
		return "put the case in a list: `[{when: {…}, value: …}]`"
	case !cases && isCases(n) && slices.Contains(sectionKeys, v.place.key):
		return fmt.Sprintf("cases stand on a section: write `%s` there", v.place.key)
	case v.schema["title"] == "Source" && n.Kind == prompt.String:
		return "write `{path: " + written(n) + "}`, or `{text: …}` for the text itself"
	case v.schema["title"] == "Condition":
		return comparison(n)
	case v.schema["title"] == "Tier key" && len(n.Fields) == 1 && n.Fields[0].Value.IsScalar():
		return "write `" + short(n.Fields[0].Key+":"+n.Fields[0].Value.Text.Str) + "`, without a blank behind the colon"
	case v.asExpectation() != "":
		return v.asExpectation()
	case v.asAxis() != "":
		return v.asAxis()
	case len(n.Fields) == 1 && n.Field("not") != nil && v.place.key == "":
		return "write `{not: " + written(n.Field("not")) + "}` without the list; `{not: [one, two]}` excludes several"
	}
	for _, a := range advices {
		if a.key == v.place.key && slices.Contains(a.kind, n.Kind) {
			return "write `" + fmt.Sprintf(a.form, written(n)) + "`"
		}
	}
	return ""
}

// written gives a value as it stands in the manifest where that is one short
// line, else `…` in its brackets.
func written(n *prompt.Node) string {
	const most = 60 // bytes
	if n.At.Known() {
		if s := n.At.File.Text[n.At.Start:n.At.End]; len(s) <= most && !strings.Contains(s, "\n") {
			return inBraces(n, s)
		}
	}
	switch n.Kind {
	case prompt.Mapping:
		return "{…}"
	case prompt.Sequence:
		return "[…]"
	default:
		return "…"
	}
}

// inBraces gives a mapping of one line with its braces.
func inBraces(n *prompt.Node, s string) string {
	if n.Kind == prompt.Mapping && !strings.HasPrefix(s, "{") {
		return "{" + s + "}"
	}
	return s
}

// asPercentage says how a number that stands for a share is written: one below
// 1 is the share itself.
func asPercentage(n *prompt.Node) string {
	share, err := strconv.ParseFloat(n.Scalar(), 64)
	const most = 1000 // nobody means a larger one
	if n.Kind != prompt.Number || err != nil || !(0 <= share && share <= most) {
		return "write it so"
	}
	if share < 1 {
		share *= 100
	}
	digits := strconv.FormatFloat(share, 'f', 6, 64)
	return "write `" + strings.TrimRight(strings.TrimRight(digits, "0"), ".") + "%`"
}

// comparisons are conditions as other languages write them.
var comparisons = regexp.MustCompile(`^([\w.-]+)\s*(==?|!=|:)\s*["']?([\w.-]+)["']?$`)

// comparison gives a condition in our form, "" for what is no comparison.
func comparison(n *prompt.Node) string {
	m := comparisons.FindStringSubmatch(n.Scalar())
	switch {
	case m == nil:
		return ""
	case m[2] == "!=":
		return fmt.Sprintf("write `{%s: {not: %s}}`", m[1], m[3])
	default:
		return fmt.Sprintf("write `{%s: %s}`", m[1], m[3])
	}
}

// negation tells of `not` around an axis instead of around its value, as one
// finding for the whole.
func (v violation) negation() (diag.Diagnostic, bool) {
	n := v.place.node
	if v.schema["title"] != "Negation" || v.place.key != "not" || n == nil || len(n.Fields) == 0 {
		return diag.Diagnostic{}, false
	}
	f := n.Fields[0]
	return diag.New(diag.UnknownKey, f.KeyAt, "\"not\" stands around the axis %s, not around its value", quote(f.Key)).
		WithHint("write `{%s: {not: %s}}`", f.Key, written(f.Value)), true
}

// synonyms are the keys of other programs, and what they are called here.
var synonyms = []struct{ key, ours string }{
	{"if", "when"}, {"condition", "when"}, {"file", "path"}, {"files", "path"},
}

// meantKey gives the known key that an unknown one probably stands for.
func meantKey(key string, known []string) (string, bool) {
	for _, s := range synonyms {
		if s.key == key && slices.Contains(known, s.ours) {
			return s.ours, true
		}
	}
	const telling = 3 // letters, below which each is close to any other
	best, ok := near.Best(key, known)
	if max(len(best), len(key)) < telling && !strings.EqualFold(best, key) {
		return "", false
	}
	return best, ok
}

// neededChoices are the keys with choices that cannot be left out.
var neededChoices = []string{"phase", "name", "action", "role"}

// meantChoice gives the choice that a value probably stands for: a close one,
// or one that starts like it.
func meantChoice(value string, choices []string) (string, bool) {
	if best, ok := near.Best(value, choices); ok {
		return best, true
	}
	const least = 4 // letters
	for _, c := range choices {
		same := 0
		for same < min(len(c), len(value)) && c[same] == value[same] {
			same++
		}
		if same >= max(least, len(c)-2) {
			return c, true
		}
	}
	return "", false
}

// tooMany tells a list that is longer than anybody writes.
func tooMany(v violation) diag.List {
	most, _ := v.schema["maxItems"].(float64)
	return diag.List{diag.New(diag.WrongValue, v.keyAt(), "%s has %s entries", v.subject(), diag.Number(len(v.place.node.Items))).
		WithHint("at most %s are read", diag.Number(int(most)))}
}

// tooFew tells a list in which something has no counterpart.
func tooFew(v violation) diag.List {
	return diag.List{diag.New(diag.WrongValue, v.at(), "%s has one entry", v.subject()).WithHint("name two or more")}
}

// otherNotation is how numbers are written that the language does not read:
// 0x10, 010, 1_000.
var otherNotation = regexp.MustCompile(`^[-+]?[0-9][0-9a-fA-FxXoObB_.]*$`)

func (v violation) expectsNumber() bool {
	return slices.Contains(v.expected, "number") || slices.Contains(v.expected, "integer")
}

// inQuotes reports whether a text stands in quotes, or in a block of its own.
func inQuotes(n *prompt.Node) bool {
	return !n.At.Known() || n.At.Start >= len(n.At.File.Text) || strings.IndexByte("\"'|>", n.At.File.Text[n.At.Start]) >= 0
}
