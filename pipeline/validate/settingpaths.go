package validate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/glob"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// maxPatterns bounds what the patterns of all rows of `checks` stand for: each
// may be compared with each file.
const maxPatterns = 10_000

// settingPathRules say what a pattern of a setting may not be: the paths of
// findings are relative to the manifest's folder, plain, and no patterns.
var settingPathRules = []struct {
	broken     func(p string) bool
	fact, hint string
}{
	{func(p string) bool { return strings.Contains(p, `\`) }, "holds a backslash", "write `/` between folders, and `[*]` for a character that is none of a pattern"},
	{func(p string) bool { return strings.HasPrefix(p, "/") }, "is absolute", "write it relative to the manifest's folder"},
	{func(p string) bool { return strings.HasSuffix(p, "/") }, "ends with a slash", "write `folder/**` for all files below a folder"},
	{hasElement(""), "has an empty element", "write one `/` between folders"},
	{hasElement(".."), `leaves its folder with ".."`, "name files of the manifest's folder; no finding is in another"},
	{hasElement("."), `has the element "."`, "leave it out: paths are relative to the manifest's folder"},
}

// settingAxis finds `{axis}`: braces without a comma.
var settingAxis = regexp.MustCompile(`\{[^{},]*\}`)

func hasElement(name string) func(string) bool {
	return func(p string) bool { return slices.Contains(strings.Split(p, "/"), name) }
}

// settingPaths reports patterns that cannot be read, that fit nothing, or that
// are too many.
func (d *decoder) settingPaths(paths []prompt.Word) {
	for _, w := range paths {
		if w.Str == "" {
			continue // reported as empty
		}
		p, fault := glob.Parse(w.Str)
		hint := "name files of the manifest's folder, such as `sources/*.md` or `sources/**`"
		if fault == "" {
			fault, hint = settingPathFault(w.Str, p)
		}
		before := d.patterns
		d.patterns += len(p.Alternatives())
		if fault == "" && before <= maxPatterns && d.patterns > maxPatterns {
			fault, hint = "brings those of all rows to more than "+diag.Number(maxPatterns)+" alternatives", "use `*` and `**`, or fewer rows"
		}
		if fault != "" {
			d.found = append(d.found, diag.New(diag.BadSettingPath, w.At, "the pattern %s %s", quote(w.Str), fault).WithHint("%s", hint))
		}
	}
}

// settingPathFault says why a pattern that can be read fits no path, and what to
// do; "" where it may.
func settingPathFault(pattern string, p glob.Pattern) (fact, hint string) {
	if axis := settingAxis.FindString(pattern); axis != "" {
		return "has " + quote(axis), "write `*` for the value of an axis: a finding is in one file"
	}
	for _, one := range p.Alternatives() {
		for _, rule := range settingPathRules {
			if rule.broken(one) {
				return rule.fact, rule.hint
			}
		}
	}
	return "", ""
}
