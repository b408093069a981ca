package validate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/glob"
	"github.com/promptc-build/promptc/pipeline/internal/near"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// strictness is what `level` of a setting may say.
var strictness = []struct {
	word string
	is   prompt.Strictness
}{
	{"error", prompt.CountsAsError},
	{"warn", prompt.CountsAsWarning},
	{"off", prompt.Off},
}

// setting decodes a row of `checks`.
func (d *decoder) setting(n *prompt.Node) *prompt.Setting {
	out := &prompt.Setting{At: n.At}
	out.Codes, _ = d.words(n.Field("code"))
	out.Paths, _ = d.words(n.Field("paths"))
	out.Prompts, _ = d.words(n.Field("prompts"))
	out.Reason, _ = d.word(n.Field("reason"))
	for _, s := range strictness {
		if s.word == n.Field("level").Scalar() {
			out.Level = s.is
		}
	}
	if out.Level == prompt.Off && n.Field("reason") == nil {
		d.found = append(d.found, diag.New(diag.MissingKey, firstLine(n.At), "suppression-lacks-key-reason").
			WithHint("add-reason-why-nobody"))
	}
	for _, w := range out.Codes {
		d.settable(w, out)
	}
	d.settingPaths(out.Paths)
	return out
}

// settable reports a code that is not there, or that the row cannot set.
func (d *decoder) settable(w prompt.Word, row *prompt.Setting) {
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
func unknownCode(w prompt.Word) diag.Diagnostic {
	found := diag.New(diag.UnknownCode, w.At, "no-finding-code", w.Str)
	const stage = len("PC6")
	var codes []string
	for _, e := range diag.Codes() {
		if len(w.Str) >= stage && strings.EqualFold(w.Str[:stage], string(e.Code[:stage])) {
			codes = append(codes, string(e.Code))
		}
	}
	switch best, ok := near.Best(w.Str, codes); {
	case strings.ContainsAny(w.Str, "*?[") || strings.EqualFold(w.Str, "all"):
		return found.WithHint("row-lists-codes-no")
	case ok:
		return found.WithHint("did-you-mean", best)
	}
	return found.WithHint("promptc-explain-code-docs")
}

// expectation decodes an entry of `expect`.
func (d *decoder) expectation(n *prompt.Node) *prompt.Expectation {
	out := &prompt.Expectation{When: d.condition(n.Field("when")), At: firstLine(n.At)}
	literal := func(key string) *prompt.Text {
		if v := n.Field(key); v != nil && v.IsScalar() {
			return &v.Text
		}
		return nil
	}
	out.Contains, out.Lacks = literal("contains"), literal("lacks")
	out.Section, _ = d.word(n.Field("section"))
	out.Order, _ = d.words(n.Field("order"))
	out.Tool, _ = d.word(n.Field("tool"))
	return out
}

// mappings decodes the mappings of a list.
func mappings[T any](n *prompt.Node, one func(*prompt.Node) T) []T {
	if n == nil {
		return nil
	}
	var out []T
	for _, item := range n.Items {
		if item.Kind == prompt.Mapping {
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
func (d *decoder) settingPaths(paths []prompt.Word) {
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
