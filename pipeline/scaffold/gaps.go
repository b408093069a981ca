package scaffold

import (
	"path"
	"slices"
	"strings"
)

// Gap is what a file of one's own needs, and has not in the form in which it
// would be written.
type Gap struct {
	// What says what to do with the lines.
	What  string
	Lines string
}

// Lacks gives what a file that is there needs, by its text. ok is false for one
// of which nothing is asked.
func (f File) Lacks(text string) (gaps []Gap, ok bool) {
	if f.lacks == nil {
		return nil, false
	}
	return f.lacks(text), true
}

const addLines = "add these lines"

// lacksLines finds which lines of a template, but for comments, a text has not.
func lacksLines(template string) func(text string) []Gap {
	return func(text string) []Gap {
		there := trimmed(text)
		var missing strings.Builder
		for line := range strings.Lines(template) {
			if !strings.HasPrefix(line, "#") && !slices.Contains(there, strings.TrimSpace(line)) {
				missing.WriteString(line)
			}
		}
		if missing.Len() == 0 {
			return nil
		}
		return []Gap{{addLines, missing.String()}}
	}
}

// lacksHook finds what a configuration of pre-commit has not: the hook for the
// folder, and that other hooks leave its snapshots alone.
func (in Input) lacksHook(text string) []Gap {
	var gaps []Gap
	lines := trimmed(text)
	ids := []string{"- id: promptc-check", "- id: promptc-check-system"}
	hooked := slices.ContainsFunc(items(lines, func(line string) bool { return slices.Contains(ids, line) }), func(item []string) bool {
		return plain(valueIn(item, "args:", "[]")) == in.hookArgs()
	})
	if !hooked {
		gaps = append(gaps, Gap{"add to its repos", in.words().Replace(read("hook.yaml"))})
	}
	pattern := in.excluded()
	if pattern == "" || strings.Contains(text, pattern) || strings.Contains(text, quote(pattern)) {
		return gaps
	}
	what := "add this line, at the top"
	if slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return strings.HasPrefix(line, "exclude:") }) {
		what = "let its exclude match this, too (one pattern, with | between)"
	}
	return append(gaps, Gap{what, "exclude: " + quote(pattern) + "\n"})
}

// hookArgs are those of the hook, without quotes.
func (in Input) hookArgs() string {
	if in.Folder == "." {
		return "[]"
	}
	return "[-C, " + in.Folder + "]"
}

// lacksStep finds what a workflow has not: a step for the folder, or in one that
// has no step of ours all that such a step needs.
func (in Input) lacksStep(text string) []Gap {
	ours := items(trimmed(text), func(line string) bool {
		return strings.HasPrefix(strings.TrimPrefix(line, "- "), "uses: promptc-build/promptc@")
	})
	if slices.ContainsFunc(ours, func(item []string) bool {
		return path.Clean(plain(valueIn(item, "working-directory:", "."))) == in.Folder
	}) {
		return nil
	}
	words := in.words()
	if len(ours) == 0 {
		return []Gap{{
			"add this job; for comments, the workflow has to run on pull_request and to be called prompts",
			words.Replace(read("job.yaml")),
		}}
	}
	// One report is uploaded, for one comment.
	return []Gap{{"add this step, whose report is in the job summary (the comment is about the first project)", words.Replace(read("step.yaml"))}}
}

// trimmed gives the lines of a text without what is around them. Blank ones are
// left out, and so are comments.
func trimmed(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// items gives the items of lists that have a line, from that line up to the next
// item.
func items(lines []string, has func(line string) bool) [][]string {
	var out [][]string
	for i, line := range lines {
		if !has(line) {
			continue
		}
		end := i + 1
		for end < len(lines) && !strings.HasPrefix(lines[end], "- ") {
			end++
		}
		out = append(out, lines[i:end])
	}
	return out
}

// valueIn gives what stands behind a key in lines, other where it does not stand.
func valueIn(lines []string, key, other string) string {
	for _, line := range lines {
		if value, ok := strings.CutPrefix(line, key); ok {
			return strings.TrimSpace(value)
		}
	}
	return other
}

// plain takes off quotes, which no folder that is named has in its name.
func plain(value string) string {
	return strings.Map(func(r rune) rune {
		if r == '"' || r == '\'' {
			return -1
		}
		return r
	}, value)
}
