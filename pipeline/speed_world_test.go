package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/tests/testproject"
)

// monorepo is the project that speed is measured on: 200 source files of 5 KB
// in 12 sections, and 2,000 variants of 46 KB for each value of its last axis,
// which has one short text of its own. Equal arguments give equal bytes.
func monorepo(hosts int) map[string]string {
	files := map[string]string{}
	say := rand.New(rand.NewPCG(1, 2))
	source := func(path string) { files[path] = notes(say, 5300) }
	sections := func(axis string, from, to, values int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "      - {id: %s-%d, path: 'sources/%s/%d-{%s}.md'", axis, i, axis, i, axis)
			if axis == "task" && i >= 5 {
				b.WriteString(", when: {tier: v0}") // three files of each task are rarely used
			}
			b.WriteString("}\n")
			for v := range values {
				source(fmt.Sprintf("sources/%s/%d-v%d.md", axis, i, v))
			}
		}
		return b.String()
	}
	var b strings.Builder
	b.WriteString("version: 1\ntokenizer: o200k_base\nartifacts: dist\nprompts:\n  agent:\n    axes:\n")
	for _, axis := range []struct {
		name   string
		values int
	}{{"lang", 10}, {"task", 20}, {"tier", 10}, {"host", hosts}} {
		fmt.Fprintf(&b, "      %s: [%s]\n", axis.name, valueList(axis.values))
	}
	b.WriteString("    budget: {tokens: 20000}\n    sections:\n")
	b.WriteString(sections("lang", 0, 2, 10))
	b.WriteString(sections("task", 0, 8, 20))
	b.WriteString(sections("tier", 0, 2, 10))
	b.WriteString("      - id: host\n        text:\n")
	for v := range hosts {
		fmt.Fprintf(&b, "          - {when: {host: v%d}, value: You run on host %d of the fleet.}\n", v, v)
	}
	files["prompts.yaml"] = b.String()
	return files
}

// valueList gives the values of an axis: v0, v1, and so on.
func valueList(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("v%d", i)
	}
	return strings.Join(out, ", ")
}

// notes makes Markdown of at least so many bytes: sentences of common words,
// lists and code, no two files alike.
func notes(say *rand.Rand, bytes int) string {
	words := strings.Fields(`agent answer ask before branch build call change check code comment commit
		config context copy default delete describe directory edit error example explain explicitly fail file
		find first follow format function handle ignore include instruction language line list long message
		model module name never note number only option output package path plan prefer project prompt question
		read reason refuse report request result return review rule run schema section short source state step
		summary task test text their then token tool unless update user value variant verify warning when write`)
	var b strings.Builder
	fmt.Fprintf(&b, "# Notes %d\n\n", say.IntN(1_000_000))
	for b.Len() < bytes {
		if say.IntN(5) == 0 {
			b.WriteString("- ")
		}
		for i := range 6 + say.IntN(14) {
			word := words[say.IntN(len(words))]
			switch {
			case i == 0:
				b.WriteString(strings.ToUpper(word[:1]) + word[1:])
			case say.IntN(12) == 0:
				fmt.Fprintf(&b, " `%s_%s(%d)`", word, words[say.IntN(len(words))], say.IntN(1000))
			default:
				b.WriteString(" " + word)
			}
		}
		b.WriteString(".\n")
		if say.IntN(6) == 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// filesIn puts files into a new folder and gives its path.
func filesIn(tb testing.TB, files map[string]string) string {
	tb.Helper()
	dir := tb.TempDir()
	testproject.Write(tb, dir, testproject.From(files))
	return dir
}
