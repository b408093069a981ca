package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/store"
)

// unixEnds gives a text with LF line ends, as git keeps texts that it converts.
func unixEnds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// sameText reports whether a text is the parts, one after another, but for line ends.
func sameText(text string, parts []string) bool {
	return unixEnds(text) == unixEnds(strings.Join(parts, ""))
}

// lineEnds warns once where files differ from what is wanted by nothing but line
// ends, with the lines of .gitattributes that keep git from converting them.
func lineEnds(delta *store.Delta) diag.List {
	var paths, lines []string
	note := func(changes []store.Change, pattern func(p string) string) {
		for _, c := range changes {
			if c.LineEnds {
				paths = append(paths, c.Output.Path)
				lines = append(lines, attributesLine(pattern(c.Output.Path)))
			}
		}
	}
	whole := func(folder string) func(string) string {
		return func(string) string { return folder + "/**" }
	}
	note(delta.Snapshots, whole(delta.SnapshotFolder))
	note(delta.Artifacts.Changes, whole(delta.Artifacts.Folder))
	for _, b := range delta.Bindings {
		data := b.Folder + "/" + dataName
		note(b.Changes, func(p string) string {
			if within(p, data) {
				return data + "/**"
			}
			return p // there may be files of others beside it
		})
	}
	if len(paths) == 0 {
		return nil
	}
	slices.Sort(paths)
	slices.Sort(lines)
	return diag.List{diag.New(diag.LineEndsDiffer, pathSpan(paths[0]), "only-line-ends-differ", diag.Counted(len(paths), "file-is", "files-are")).
		WithHint("build-and-keep-line-ends", diag.Names(slices.Compact(lines)))}
}

// attributesLine is a line of .gitattributes by which git never converts what a
// pattern matches.
func attributesLine(pattern string) string {
	if strings.ContainsAny(pattern, " \"\t") || strings.HasPrefix(pattern, "#") || strings.HasPrefix(pattern, "!") {
		pattern = strconv.Quote(pattern)
	}
	return pattern + " -text"
}
