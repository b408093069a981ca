package validate

import (
	"regexp"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/chars"
	"github.com/promptc-build/promptc/pipeline/internal/pathrule"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// The rules for names are those of files on every system, because names
// become parts of snapshot files.
var (
	idPattern    = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	valuePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	notInValue   = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
)

// builtInTokenizers are the names that need no declaration.
var builtInTokenizers = []string{"o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base", "chars/4"}

// id checks a name that the manifest declares.
func (d *decoder) id(w prompt.Word) {
	d.name(w, idPattern, "rule-of-ids")
}

// value checks the value of an axis.
func (d *decoder) value(w prompt.Word) {
	d.name(w, valuePattern, "rule-of-values")
}

func (d *decoder) name(w prompt.Word, allowed *regexp.Regexp, rule string) {
	switch {
	case !allowed.MatchString(w.Str):
		found := diag.New(diag.BadName, w.At, "not-name", w.Str)
		if odd, ok := chars.InName(w.Str); ok {
			found = diag.New(diag.BadName, w.At, "not-name-holds", w.Str, odd.Says())
		}
		found = found.WithHint(rule)
		if s, ok := proposal(chars.Plain(w.Str), allowed); ok {
			found = found.WithHint("rule-with-example", diag.Say(rule), s)
		}
		d.found = append(d.found, found)
	case strings.HasSuffix(w.Str, "."):
		d.found = append(d.found, diag.New(diag.BadName, w.At, "name-ends", w.Str).
			WithHint("no-file-windows-called"))
	case pathrule.Device(w.Str):
		d.found = append(d.found, diag.New(diag.BadName, w.At, "name-device-windows", w.Str).
			WithHint("no-file-called-choose"))
	}
}

// proposal gives the name that is nearest to a forbidden one.
func proposal(name string, allowed *regexp.Regexp) (string, bool) {
	if len(name) > 64 {
		return "", false
	}
	for _, s := range []string{name, strings.ToLower(name)} {
		s = strings.Trim(notInValue.ReplaceAllString(s, "-"), "-_.")
		if allowed.MatchString(s) {
			return s, true
		}
	}
	return "", false
}

// distinct reports names that are there twice: it has the first place of each,
// and they are findings at every other.
type distinct map[string]diag.Span

func newDistinct() distinct { return distinct{} }

// once gives a finding for a name that was there before.
func (d distinct) once(w prompt.Word) diag.List { return d.onceAs(w.Str, w) }

// onceAs is once for words that count as the same where their keys are equal.
func (d distinct) onceAs(key string, w prompt.Word) diag.List {
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
func (d *decoder) sameButCase(words []prompt.Word) {
	seen := map[string]prompt.Word{}
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
