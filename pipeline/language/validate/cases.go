package validate

import (
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
	"github.com/promptc-build/promptc/pipeline/language"
)

// decoder makes typed values of the manifest's nodes. A value of the wrong
// shape is passed over without a word, because the schema has reported it;
// what the decoder finds is what a schema cannot say.
type decoder struct {
	found diag.List
	// patterns counts what those of all settings stand for.
	patterns int
	// limits are the programs that read the files of sources which name none, by
	// the kinds of these.
	limits map[string][]ground.Word
	// asides collects values that are no text of a prompt.
	asides asides
}

// cases decodes a value that may be a list of cases. one decodes a single
// value and says whether it was of the right shape.
func cases[T any](d *decoder, n *ground.Node, one func(*ground.Node) (T, bool)) language.Cases[T] {
	if n == nil {
		return nil
	}
	if !isCases(n) {
		v, ok := one(n)
		if !ok {
			return nil
		}
		return language.Cases[T]{{Value: v, At: n.At}}
	}
	var out language.Cases[T]
	always := -1
	for i, item := range n.Items {
		value := item.Field("value")
		if value == nil {
			continue
		}
		if always >= 0 {
			d.found = append(d.found, diag.New(diag.UnreachableCase, item.At.FirstLine(), "case-never-reached-because", i+1, always+1).
				WithHint("move-before-case-remove", always+1))
		}
		when := item.Field("when")
		if when == nil && always < 0 && len(item.Fields) == 1 { // more keys are a misspelt `when`
			always = i
		}
		if v, ok := one(value); ok {
			out = append(out, language.Case[T]{When: d.condition(when), Value: v, At: value.At})
		}
	}
	return out
}

// isCases tells a list of cases from a list of values.
func isCases(n *ground.Node) bool {
	if n == nil || n.Kind != ground.Sequence || len(n.Items) == 0 {
		return false
	}
	first := n.Items[0]
	return first.Field("value") != nil || first.Field("when") != nil
}

func (d *decoder) text(n *ground.Node) (ground.Text, bool) {
	if !n.IsScalar() {
		return ground.Text{}, false
	}
	return n.Text, true
}

func (d *decoder) word(n *ground.Node) (ground.Word, bool) {
	if !n.IsScalar() {
		return ground.Word{}, false
	}
	return ground.Word{Str: n.Text.Str, At: n.At}, true
}

// words decodes one word or a list of distinct ones.
func (d *decoder) words(n *ground.Node) ([]ground.Word, bool) {
	if w, ok := d.word(n); ok {
		return []ground.Word{w}, true
	}
	if n == nil || n.Kind != ground.Sequence {
		return nil, false
	}
	var out []ground.Word
	names := newDistinct()
	for _, item := range n.Items {
		if w, ok := d.word(item); ok {
			d.found = append(d.found, names.once(w)...)
			out = append(out, w)
		}
	}
	return out, true
}

func (d *decoder) flag(n *ground.Node) (bool, bool) {
	if n == nil || n.Kind != ground.Bool {
		return false, false
	}
	return n.IsTrue(), true
}

// amount decodes a whole number. JSON Schema takes 4e3 and 4000.0 for whole
// numbers, so they are.
func (d *decoder) amount(n *ground.Node) (int, bool) {
	f, ok := d.number(n)
	if !ok || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return 0, false
	}
	return int(f), true
}

func (d *decoder) number(n *ground.Node) (float64, bool) {
	if n == nil || n.Kind != ground.Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Text.Str, 64)
	return f, err == nil
}

// share decodes `90%` or 0.9 to 0.9.
func (d *decoder) share(n *ground.Node) (float64, bool) {
	if f, ok := d.number(n); ok {
		return f, true
	}
	percent, ok := strings.CutSuffix(n.Scalar(), "%")
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(percent, 64)
	return f / 100, err == nil
}

// condition decodes `when`. Nil is a condition that always holds.
func (d *decoder) condition(n *ground.Node) language.Condition {
	if n == nil {
		return nil
	}
	if n.Kind == ground.Mapping {
		return language.Condition{d.clause(n)}
	}
	var out language.Condition
	for _, item := range n.Items {
		if item.Kind == ground.Mapping {
			out = append(out, d.clause(item))
		}
	}
	return out
}

func (d *decoder) clause(n *ground.Node) language.Clause {
	var out language.Clause
	for _, f := range n.Fields {
		term := language.Term{Axis: ground.Word{Str: f.Key, At: f.KeyAt}}
		values := f.Value
		if not := f.Value.Field("not"); not != nil {
			term.Not, values = true, not
		}
		term.Values, _ = d.words(values)
		out = append(out, term)
	}
	return out
}

// builtInTokenizers are the names that need no declaration.
var builtInTokenizers = []string{"o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base", "chars/4"}

// id checks a name that the manifest declares.
func (d *decoder) id(w ground.Word) {
	d.name(w, isName(w.Str) && w.Str == strings.ToLower(w.Str), "rule-of-ids")
}

// value checks the value of an axis.
func (d *decoder) value(w ground.Word) {
	d.name(w, isName(w.Str), "rule-of-values")
}

// isName reports whether a text follows the rules for names. They are those of
// files on every system, because names become parts of snapshot files.
func isName(s string) bool {
	return s != "" && len(s) <= 64 && isOf(s, "._-") && !strings.ContainsAny(s[:1], "._-")
}

// isOf reports whether a text has only ASCII letters, digits and some other
// characters.
func isOf(s, others string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune(others, c)
	})
}

func (d *decoder) name(w ground.Word, allowed bool, rule string) {
	switch {
	case !allowed:
		found := diag.New(diag.BadName, w.At, "not-name", w.Str)
		if odd, ok := chars.InName(w.Str); ok {
			found = diag.New(diag.BadName, w.At, "not-name-holds", w.Str, odd)
		}
		d.found = append(d.found, found.WithHint(rule))
	case strings.HasSuffix(w.Str, "."):
		d.found = append(d.found, diag.New(diag.BadName, w.At, "name-ends", w.Str).
			WithHint("no-file-windows-called"))
	case pathrule.Device(w.Str):
		d.found = append(d.found, diag.New(diag.BadName, w.At, "name-device-windows", w.Str).
			WithHint("no-file-called-choose"))
	}
}

// distinct reports names that are there twice: it has the first place of each,
// and they are findings at every other.
type distinct map[string]diag.Span

func newDistinct() distinct { return distinct{} }

// once gives a finding for a name that was there before.
func (d distinct) once(w ground.Word) diag.List { return d.onceAs(w.Str, w) }

// onceAs is once for words that count as the same where their keys are equal.
func (d distinct) onceAs(key string, w ground.Word) diag.List {
	first, again := d[key]
	if !again {
		d[key] = w.At
		return nil
	}
	found := diag.New(diag.DuplicateName, w.At, "name-twice", w.Str)
	if first.Known() {
		found = found.WithHint("first-at", first.File.Path, first.File.LineAt(first.Start))
	}
	return diag.List{found}
}

// sameButCase reports values of which another differs only in case: on some
// systems their files would be one.
func (d *decoder) sameButCase(words []ground.Word) {
	seen := map[string]ground.Word{}
	for _, w := range words {
		lower := strings.ToLower(w.Str)
		first, again := seen[lower]
		if again && first.Str != w.Str {
			d.found = append(d.found, diag.New(diag.BadName, w.At, "differ-only-case", first.Str, w.Str).
				WithHint("files-would-windows-macos"))
		}
		if !again {
			seen[lower] = w
		}
	}
}

// strictness is what `level` of a setting may say.
var strictness = []struct {
	word string
	is   language.Strictness
}{
	{"error", language.CountsAsError},
	{"warn", language.CountsAsWarning},
	{"off", language.Off},
}

// setting decodes a row of `checks`.
func (d *decoder) setting(n *ground.Node) *language.Setting {
	out := &language.Setting{At: n.At}
	out.Codes, _ = d.words(n.Field("code"))
	out.Paths, _ = d.words(n.Field("paths"))
	out.Prompts, _ = d.words(n.Field("prompts"))
	out.Reason, _ = d.word(n.Field("reason"))
	d.asides.take(n.Field("reason"), false)
	for _, s := range strictness {
		if s.word == n.Field("level").Scalar() {
			out.Level = s.is
		}
	}
	if out.Level == language.Off && n.Field("reason") == nil {
		d.found = append(d.found, diag.New(diag.MissingKey, n.At.FirstLine(), "suppression-lacks-key-reason").
			WithHint("add-reason-why-nobody"))
	}
	for _, w := range out.Codes {
		d.settable(w, out)
	}
	d.settingPaths(out.Paths)
	return out
}

// settable reports a code that is not there, or that the row cannot set.
func (d *decoder) settable(w ground.Word, row *language.Setting) {
	e, ok := diag.Lookup(diag.Code(w.Str))
	switch {
	case w.Str == "": // reported as empty
	case !ok:
		d.found = append(d.found, unknownCode(w))
	case !e.Settable():
		d.found = append(d.found, notSettable(e, w.At))
	case len(row.Prompts) > 0 && !e.Code.OfPrompts():
		d.found = append(d.found, diag.New(diag.NotSettable, w.At, "findings-about-input-no", w.Str).
			WithHint("name-files-under-paths"))
	}
}

// unsettable are the errors that something else than a row decides about.
var unsettable = []struct {
	codes []diag.Code
	hint  string
}{
	{[]diag.Code{diag.OverTokens, diag.OverChars, diag.OverToolTokens, diag.OverSection, diag.OverSticky}, "set-over-in-budget"},
	{[]diag.Code{diag.GrowthExceeded, diag.OverPolicy}, "set-by-fail-on"},
}

// notSettable says that no row sets a code, and what does.
func notSettable(e diag.Entry, at diag.Span) diag.Diagnostic {
	found := diag.New(diag.NotSettable, at, "cannot-set", e.Code)
	for _, u := range unsettable {
		if slices.Contains(u.codes, e.Code) {
			return found.WithHint(u.hint)
		}
	}
	return found.WithHint("correct-reports", e.Title)
}

// unknownCode reports what is no code. One of the same stage may be meant.
func unknownCode(w ground.Word) diag.Diagnostic {
	const stage = len("PC6")
	var codes []string
	for _, e := range diag.Codes() {
		if len(w.Str) >= stage && strings.EqualFold(w.Str[:stage], string(e.Code[:stage])) {
			codes = append(codes, string(e.Code))
		}
	}
	return withNear(diag.New(diag.UnknownCode, w.At, "no-finding-code", w.Str).WithHint("promptc-explain-code"), w.Str, codes)
}

// expectation decodes an entry of `expect`.
func (d *decoder) expectation(n *ground.Node) *language.Expectation {
	out := &language.Expectation{When: d.condition(n.Field("when")), At: n.At.FirstLine()}
	literal := func(key string) *ground.Text {
		if v := n.Field(key); v != nil && v.IsScalar() {
			return &v.Text
		}
		return nil
	}
	out.Contains, out.Lacks = literal("contains"), literal("lacks")
	out.Section, _ = d.word(n.Field("section"))
	out.Order, _ = d.words(n.Field("order"))
	out.Tool, _ = d.word(n.Field("tool"))
	for _, v := range []*ground.Node{n.Field("contains"), n.Field("lacks")} {
		d.asides.take(v, true)
	}
	for _, v := range append(slices.Clip(n.Field("order").List()), n.Field("section"), n.Field("tool")) {
		d.asides.take(v, false)
	}
	return out
}

// mappings decodes the mappings of a list.
func mappings[T any](n *ground.Node, one func(*ground.Node) T) []T {
	var out []T
	for _, item := range n.List() {
		if item.Kind == ground.Mapping {
			out = append(out, one(item))
		}
	}
	return out
}

// maxPatterns bounds what the patterns of all rows of `checks` stand for: each
// may be compared with each file.
const maxPatterns = 10_000

// settingAxis finds `{axis}`: braces without a comma.
var settingAxis = regexp.MustCompile(`\{[^{},]*\}`)

// settingPaths reports patterns that cannot be read, that fit nothing, or that
// are too many.
func (d *decoder) settingPaths(paths []ground.Word) {
	for _, w := range paths {
		if w.Str == "" {
			continue // reported as empty
		}
		p, fault := glob.Parse(w.Str)
		if fault == "" {
			fault = settingPathFault(w.Str, p)
		}
		before := d.patterns
		d.patterns += len(p.Alternatives())
		if fault == "" && before <= maxPatterns && d.patterns > maxPatterns {
			fault = "patterns-of-all-rows"
		}
		if fault != "" {
			d.found = append(d.found, diag.New(diag.BadSettingPath, w.At, "pattern", w.Str, diag.Say(fault)).WithHint("setting-paths"))
		}
	}
}

// settingPathFault says why a pattern that can be read fits no path, "" where it
// may.
func settingPathFault(pattern string, p glob.Pattern) string {
	if settingAxis.MatchString(pattern) {
		return "pattern-has-axis"
	}
	for _, one := range p.Alternatives() {
		if strings.Contains(one, `\`) || one == "." || one != path.Clean(one) || path.IsAbs(one) || one == ".." || strings.HasPrefix(one, "../") {
			return "pattern-fits-no-path"
		}
	}
	return ""
}
