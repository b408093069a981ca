// Package wording turns what findings say into English: one table of sentences
// for each stage, by keys, and the functions that fill them in. Only this wing may use
// it, and tests: everything else is computed from the typed parts of a finding.
package wording

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// row is a sentence with gaps, as package fmt writes them, by its key.
type row struct{ key, text string }

// tables are the sentences of all stages. A key stands in one of them.
func tables() [][]row {
	return [][]row{
		common, loadWords, validateWords, resolveWords, renderWords,
		composeWords, lintWords, snapshotWords, bindWords, diffWords, ownersWords, scaffoldWords, gitWords, liveWords,
	}
}

// byKey finds a sentence.
//
//nolint:gochecknoglobals // a table in another order; nothing changes it
var byKey = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, t := range tables() {
		for _, r := range t {
			out[r.key] = r.text
		}
	}
	return out
})

// onlyKeys makes every sentence its key, if it says anything. Only the linker
// sets it, for the test that nothing is computed from messages.
//
//nolint:gochecknoglobals // see above
var onlyKeys string

// longest is how many characters of an argument are told: enough for a name or a
// list of names, and few enough that no finding is a megabyte. A text that is
// said as it is may have ten times as many.
const longest = 200

// Message says what is wrong, in one line.
func Message(d diag.Diagnostic) string { return Text(d.What) }

// Hint says what to do, "" where there is nothing to say.
func Hint(d diag.Diagnostic) string { return Text(d.Hint) }

// Detail gives the further facts, a line each.
func Detail(d diag.Diagnostic) []string {
	var out []string
	for _, w := range d.Detail {
		out = append(out, Text(w))
	}
	return out
}

// Text words something. Hidden characters of the arguments read `<U+200B>` in
// it, quoted or not, and of a long one it has the start.
func Text(w diag.Words) string {
	if onlyKeys != "" && !w.None() {
		return "<" + w.Key + ">"
	}
	if w.Key == "" {
		if w.None() {
			return ""
		}
		return chars.Visible(diag.Start(fmt.Sprint(w.Args...), 10*longest))
	}
	args := slices.Clone(w.Args)
	for i, arg := range args {
		switch a := arg.(type) {
		case string:
			args[i] = chars.Visible(diag.Start(a, longest))
		case error:
			args[i] = chars.Visible(diag.Start(Error(a), longest))
		case diag.Words:
			args[i] = Text(a)
		case diag.Names:
			args[i] = names(a)
		case diag.Variants:
			args[i] = variants(a)
		case diag.Explain:
			args[i] = explain(a)
		case chars.Odd:
			args[i] = odd(a)
		}
	}
	return fmt.Sprintf(byKey()[w.Key], args...)
}

// Error words an error, whose text is only told where it is not promptc's own: that of
// the system, or of a library.
func Error(err error) string {
	switch e := err.(type) { //nolint:errorlint // what is around a failure is told, too
	case *fs.PathError:
		return e.Op + " " + e.Path + ": " + Error(e.Err)
	case interface{ Unwrap() []error }:
		var lines []string
		for _, one := range e.Unwrap() {
			lines = append(lines, Error(one))
		}
		return strings.Join(lines, "\n")
	}
	if f := diag.FailureIn(err); f != nil {
		return Text(f.Fact)
	}
	return err.Error()
}

// names gives a list of names, quoted, with commas between them.
func names(list []string) string {
	var b strings.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(chars.Visible(diag.Start(n, longest))))
	}
	return diag.Start(b.String(), 10*longest)
}

func variants(v diag.Variants) string {
	switch more := v.Count - diag.MaxVariants; {
	case v.Names == nil:
		return chars.Visible(v.Described)
	case more <= 0:
		return names(v.Names)
	default:
		return Text(diag.Say("variants-and-more", diag.Names(v.Names[:diag.MaxVariants]), diag.Count(more)))
	}
}

func explain(e diag.Explain) string {
	folder := ""
	if e.Folder != "" {
		folder = "-C " + chars.Visible(e.Folder) + " "
	}
	return "promptc " + folder + "explain " + chars.Visible(e.Variant)
}

// odd describes a character of a name that is not what it looks like.
func odd(o chars.Odd) string {
	switch name := chars.Name(o.Char); {
	case o.Like != 0:
		return Text(diag.Say("char-like", name, string(rune(o.Like))))
	case o.Mixed:
		return Text(diag.Say("char-foreign", name))
	default:
		return name
	}
}
