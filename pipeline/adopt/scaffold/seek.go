package scaffold

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/ground/code"
)

// Sought is what a file may hold of a product's prompts, by its path alone.
type Sought int

// What is looked for, in the order in which it is proposed.
const (
	Nothing    Sought = iota
	SavedText         // a text that a test keeps
	SentBody          // requests that a test recorded
	PromptFile        // a text, or a template of one
	AgentFile         // a text that a program's agents are told, if its front matter says so
	ValueFile         // data with texts among its values
	CodeFile          // code with texts among its literals
)

// What a path says. Folders of documentation, translations and tests have texts that
// speak of prompts, or that no product sends.
var (
	otherFolders = []string{
		"docs", "doc", "documentation", "website", "site", "locales", "locale", "i18n", "l10n", "lang", "langs", "_locales",
		"dist", "build", "out", "target", "coverage", "licenses", "changelog", "changelogs", "changes", "blog",
	}
	testFolders  = []string{"test", "tests", "__tests__", "spec", "specs", "e2e", "testing", "__mocks__", "mocks", "cassettes", "__recordings__"}
	savedFolders = []string{"__snapshots__", "snapshots", "__snapshot__", "__toolsnaps__", "golden", "goldens", "__golden__", "snaps"}
	sentFolders  = []string{"cassettes", "__recordings__"}
	agentFolders = []string{"agents", "subagents"}

	testFolder = regexp.MustCompile(`(?i)[-_]tests?$|^tests?[-_]`)
	testName   = regexp.MustCompile(`(?i)(?:^|[-_.])(?:test|spec|vitest|jest|stories)(?:[-_.]|$)`)
	// madeCode are files of code that a program makes, or that declare types alone.
	madeCode = regexp.MustCompile(`(?i)(?:\.min\.[cm]?js|\.d\.[cm]?ts|\.pyi|_pb2\.py|\.pb\.go|\.generated\.\w+)$`)
	// drawn are snapshots of what is drawn on a screen.
	drawn = regexp.MustCompile(`\.(?:tsx|jsx|vue|svelte)\.snap$`)

	// promptFolders are the names of folders below which texts are prompts, but for those
	// about the folder, and promptFolder of those in which they are; promptWord stands in a
	// name that says so.
	promptFolders = regexp.MustCompile(`(?i)^(?:[a-z0-9]+[-_.])*(?:prompts?|personas?|system[-_]?messages?|prompt[-_]?templates?)$`)
	promptFolder  = regexp.MustCompile(`(?i)(?:^|[^a-z])prompts?(?:v?\d|[^a-z]|$)`)
	promptWord    = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:prompts?|(?:system|developer|agent)[-_. ]?(?:prompts?|messages?|instructions?)|system)(?:[^a-z]|$)|(?-i:[a-z]Prompts?(?:[^a-z]|$))`)

	promptEndings   = []string{".prompt", ".prompty", ".prompt.md", ".prompt.txt", ".prompt.yaml", ".prompt.yml"}
	templateEndings = []string{".j2", ".jinja", ".jinja2", ".hbs", ".handlebars", ".mustache", ".liquid", ".njk"}
	textEndings     = []string{".md", ".txt", ".xml", ".mdx"}
	valueEndings    = []string{".yaml", ".yml", ".json", ".toml"}
	// codeEndings are what stands before the ending of a template of something else.
	codeEndings = []string{".html", ".htm", ".css", ".js", ".ts", ".tsx", ".py", ".go", ".rs", ".java", ".sh", ".yaml", ".yml", ".json", ".toml", ".sql", ".conf", ".ini", ".cfg", ".service", ".dockerfile", ".tf", ".xml", ".mjml"}

	// aboutFiles are names of files that are about others.
	aboutFiles = regexp.MustCompile(`(?i)^(?:readme|changelog|contributing|license|licence|notice|authors|code_of_conduct|security|index|todo|requirements)\b`)
	// modeFiles are data by which people add modes to an agent: Roo Code, Kilo Code.
	modeFiles = []string{".roomodes", ".kilocodemodes"}
	// setUpFiles are files of data by which programs are set up.
	setUpFiles = regexp.MustCompile(`(?i)^(?:package(?:-lock|\.nls.*)?\.json|composer\.json|tsconfig.*\.json|.*[-.]lock\.(?:json|ya?ml)|pyproject\.toml|cargo\.toml|mkdocs\.yml|docker-compose.*\.ya?ml|openapi.*|swagger.*|.*\.schema\.json|turbo\.json|lerna\.json|biome\.json|vercel\.json|netlify\.toml|docs\.json|mint\.json|prompts\.yaml|promptc\.yaml|promptc-work\.yaml|\..*)$`)
)

// Seek says what a file may hold, by its path.
func Seek(name string) Sought {
	base, folders := path.Base(name), strings.Split(path.Dir(name), "/")
	ending := strings.ToLower(path.Ext(base))
	in := func(names []string) bool {
		return slices.ContainsFunc(folders, func(f string) bool { return slices.Contains(names, strings.ToLower(f)) })
	}
	hidden := slices.ContainsFunc(folders, func(f string) bool { return len(f) > 1 && f[0] == '.' })
	switch {
	case slices.Contains(modeFiles, name):
		return ValueFile
	case hidden, in(otherFolders), isIn(name, []string{"node_modules", "vendor", "third_party"}):
		return Nothing
	case drawn.MatchString(base):
		return Nothing
	case ending == ".snap", ending == ".ambr", in(savedFolders) && slices.Contains([]string{".md", ".txt", ".golden", ".json"}, ending), ending == ".golden":
		return SavedText
	case in(sentFolders) && slices.Contains([]string{".yaml", ".yml", ".json", ".har"}, ending):
		return SentBody
	case testName.MatchString(base), in(testFolders), slices.ContainsFunc(folders, testFolder.MatchString), isFixture(name), aboutFiles.MatchString(base) && !code.Reads(name):
		return Nothing
	case hasEnding(base, promptEndings), slices.Contains(templateEndings, ending) && !hasEnding(strings.TrimSuffix(base, path.Ext(base)), codeEndings):
		return PromptFile
	case slices.Contains(textEndings, ending) && SaysPrompt(name):
		return PromptFile
	case ending == ".md" && in(agentFolders):
		return AgentFile
	case slices.Contains(valueEndings, ending) && !setUpFiles.MatchString(base):
		return ValueFile
	case code.Reads(name) && !madeCode.MatchString(base):
		return CodeFile
	default:
		return Nothing
	}
}

// SentPattern gives the pattern of all recordings in the folder that says that a file is
// one.
func SentPattern(name string) string {
	folders := strings.Split(path.Dir(name), "/")
	i := slices.IndexFunc(folders, func(f string) bool { return slices.Contains(sentFolders, strings.ToLower(f)) })
	return path.Join(path.Join(folders[:i+1]...), "**", "*"+path.Ext(name))
}

func hasEnding(name string, endings []string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(strings.ToLower(name), e) })
}

// SaysPrompt reports whether the path of a file says that its text is a prompt: its
// name, or that of a folder.
func SaysPrompt(name string) bool {
	base := path.Base(name)
	if promptWord.MatchString(strings.TrimSuffix(base, path.Ext(base))) || hasEnding(base, promptEndings) {
		return true
	}
	return promptFolder.MatchString(path.Base(path.Dir(name))) || slices.ContainsFunc(strings.Split(path.Dir(name), "/"), promptFolders.MatchString)
}

// addressed is how a text speaks to a model.
var addressed = regexp.MustCompile(`(?i)\b(?:you|your|assistant|the user)\b|^\s*(?:#+ )?(?:act|analy[sz]e|answer|consider|create|describe|do not|don't|explain|extract|find|follow|generate|given|identify|list|output|please|provide|read|respond|return|review|rewrite|summari[sz]e|task|think|translate|use|write)\b`)

// How many words a text needs: one that a path says is a prompt, one of a test, and a
// value of a key that says so or of any other in such a file.
const (
	leastOfFile   = 8
	leastOfOther  = 30
	leastOfSaved  = 40
	leastOfKey    = 5
	leastOfValue  = 8
	mostForADatum = 30 // items in a list, beyond which it is a set of examples
)

// LeastOfFile is how many words the text of a file needs to be a prompt: more where only
// its ending says that it is a template.
func LeastOfFile(name string) int {
	if SaysPrompt(name) {
		return leastOfFile
	}
	return leastOfOther
}

// IsPrompt reports whether a text reads like a prompt: it speaks to somebody, in so many
// words at least.
func IsPrompt(text string, least int) bool {
	return chars.IsProse(text, least) && addressed.MatchString(text)
}

// IsAgent reports whether a text tells an agent what to do: its front matter says what
// the agent is called, and what it is for.
func IsAgent(front *ground.Node, text string) bool {
	return front.Field("name").Scalar() != "" && front.Field("description").Scalar() != "" && IsPrompt(text, leastOfFile)
}

// IsSavedPrompt reports whether a text that a test keeps is a prompt: what a program says
// to people is kept in the same way.
func IsSavedPrompt(name, text string) bool {
	if SaysPrompt(name) {
		return IsPrompt(text, leastOfFile)
	}
	return IsPrompt(text, leastOfSaved) && cast.MatchString(text)
}

// cast is how a model is told what it is.
var cast = regexp.MustCompile(`\bYou are (?:an? |the |now |[A-Z{$<])`)

// LanguageOf tells the template language of a text by the ending of its file, or by
// its placeholders; "" for none.
func LanguageOf(name, text string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".j2", ".jinja", ".jinja2", ".njk", ".prompty":
		return "jinja2"
	case ".hbs", ".handlebars", ".prompt":
		return "handlebars"
	case ".mustache":
		return "mustache"
	case ".liquid":
		return "liquid"
	case ".tmpl", ".gotmpl":
		return "go-template"
	}
	for _, l := range looks {
		if l.sign.MatchString(text) {
			return l.language
		}
	}
	return ""
}

// looks are signs of template languages, in the order in which they are looked for.
var looks = []struct {
	language string
	sign     *regexp.Regexp
}{
	{"jinja2", regexp.MustCompile(`\{%-?\s*(?:if|for|set|include|extends|block|macro|raw)\b`)},
	{"handlebars", regexp.MustCompile(`\{\{~?(?:#(?:if|each|unless|with)\b|>|\{|/(?:if|each|unless|with)\b)`)},
	{"go-template", regexp.MustCompile(`\{\{-?\s*(?:\.[A-Z]|range\b|if \.|end\b)`)},
	{"jinja2", regexp.MustCompile(`\{\{-?\s*[A-Za-z_][\w.]*(?:\s*\|[^{}]*)?\s*-?\}\}`)},
	{"dollar", regexp.MustCompile(`\$\{[A-Za-z_]\w*\}`)},
	{"f-string", regexp.MustCompile(`(?:^|[^{$\\])\{[a-z_][a-z0-9_]*\}(?:[^}]|$)`)},
}
