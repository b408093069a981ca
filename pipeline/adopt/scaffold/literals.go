package scaffold

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/code"
)

// What names say in code: that a text is a prompt, or that it describes a tool to a model.
var (
	promptName = regexp.MustCompile(`(?:^|[^A-Za-z])(?i:prompts?)(?:[^A-Za-z]|$)|[a-z]Prompts?(?:[^a-z]|$)|^prompts?[A-Z]|[A-Z]PROMPT|(?i:system_?(?:message|instruction))`)
	toolPath   = regexp.MustCompile(`(?:^|[^A-Za-z])(?i:tools?)(?:[^A-Za-z]|$)|[a-z]Tools?(?:[^a-z]|$)`)
	toolName   = regexp.MustCompile(`(?:^|[^A-Za-z])tools?(?:_(?:schema|input|args|definition|params)s?)?$|(?:^|[a-z0-9])Tools?(?:Schema|Input|Args|Definition|Params)?s?$`)
	// strongName is what alone says it: a text of so many words needs to address nobody.
	strongName = regexp.MustCompile(`(?i)^(?:system|instructions?|backstory|persona)$|(?:^|[^a-z]|(?-i:[a-z](?:P|S|I)))(?:p?rompt|s?ystem_?(?:message|prompt|instruction)|i?nstructions?)s?(?:_?template|_?text)?$`)
	// agentCalls are what has the texts of agentKeys, which make up what an agent is told.
	agentCalls = []string{"Agent", "Task"}
	agentKeys  = []string{"role", "goal", "backstory", "description", "expected_output", "instructions"}
	described  = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:with)?descri(?:ption|be)$|[a-z]Description$`)
	// tasked is what a long text says that sets a model a task.
	tasked = regexp.MustCompile(`(?i)<(?:task|instruction|rule|context|example|role)s?>|\bthe user\b|\bassistants?\b|\bLLMs?\b`)
)

// How many words a literal needs: one that its file says is a prompt, one whose name does,
// one that says nothing of it, and the description of a tool.
const (
	leastOfNamed     = 15
	leastOfCast      = 20
	leastOfTask      = 150
	leastOfTool      = 5
	leastOfRole      = 8
	mostlyPrompts    = 0.6 // of the words of a file's prose, for it to be taken whole
	wholeFile        = "*"
	mostNamedSymbols = 40
)

// codePrompts reports whether the path of a file of code says that its literals are
// prompts.
func codePrompts(name string) bool {
	base := path.Base(name)
	if strings.HasSuffix(base, "x") { // elements, which are drawn
		return false
	}
	return promptName.MatchString(strings.TrimSuffix(base, path.Ext(base))) || promptFolder.MatchString(path.Base(path.Dir(name))) ||
		slices.ContainsFunc(strings.Split(path.Dir(name), "/"), promptFolders.MatchString)
}

// Symbols finds the prompts among the literals of a file: the symbols that lead to them,
// or a star for a file whose prose they mostly are. Texts are what they say.
func Symbols(name string, literals []code.Literal) (symbols, texts []string) {
	says, ofTools := codePrompts(name), toolPath.MatchString(name)
	taken, all := 0, 0
	addresses, drawn := false, false
	for i := range literals {
		l := &literals[i]
		drawn = drawn || l.Drawn && l.IsProse()
		if l.Drawn || !l.IsProse() {
			continue
		}
		text := l.Prose()
		n := chars.Words(text)
		all += n
		if !isCodePrompt(l, text, n, says, ofTools) {
			continue
		}
		addresses = addresses || !says || n >= leastOfCast || addressed.MatchString(text) || described.MatchString(l.Name())
		taken += n
		texts = append(texts, text)
		if symbol := l.Name(); !slices.Contains(symbols, symbol) {
			symbols = append(symbols, symbol)
		}
	}
	switch {
	case !addresses:
		return nil, nil
	case !drawn && float64(taken) >= mostlyPrompts*float64(all), len(symbols) > mostNamedSymbols, slices.Contains(symbols, ""):
		return []string{wholeFile}, texts
	}
	return symbols, texts
}

// isCode reports a text of which more than a third of the lines end as lines of code do.
func isCode(text string) bool {
	lines, ends := 0, 0
	for l := range strings.Lines(text) {
		if l = strings.TrimRight(l, " \t\n"); l != "" {
			lines++
			if strings.ContainsRune(";{}(),>", rune(l[len(l)-1])) {
				ends++
			}
		}
	}
	return ends*3 > lines
}

// isCodePrompt reports whether a literal is a prompt: by its file, by its name, by its
// role, by what it says, or as the description of a tool.
func isCodePrompt(l *code.Literal, text string, words int, says, ofTools bool) bool {
	named, tool := false, ofTools
	for _, s := range l.Path {
		named = named || promptName.MatchString(s.Name) || promptKeys.MatchString(plainKey(s.Name)) && !slices.Contains(talkKeys, plainKey(s.Name))
		tool = tool || (s.Declared || s.Call) && toolName.MatchString(s.Name)
	}
	last, before := "", code.Step{}
	if n := len(l.Path); n > 0 {
		last = l.Path[n-1].Name
		before = l.Path[max(n-2, 0)]
	}
	return says && words >= leastOfFile ||
		tool && described.MatchString(last) && words >= leastOfTool ||
		before.Call && slices.Contains(agentCalls, before.Name) && slices.Contains(agentKeys, last) && words >= leastOfTool ||
		strongName.MatchString(last) && words >= leastOfNamed ||
		named && words >= leastOfNamed && addressed.MatchString(text) ||
		(l.Role == "system" || l.Role == "developer") && words >= leastOfRole ||
		words >= leastOfCast && cast.MatchString(text) || words >= leastOfTask && addressed.MatchString(text) && tasked.MatchString(text) && !isCode(text)
}
