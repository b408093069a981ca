// Package scaffold makes the first files of a project.
package scaffold

import (
	"cmp"
	"embed"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Input says whose first files are made.
type Input struct {
	// Folder is that of the manifest, relative to the repository's root and with
	// slashes; "." for the root.
	Folder string
	// Workspace is the folder of the workspace that the project is in, as Folder;
	// "" for none. The hook and the workflows run there.
	Workspace string
	// Version is that of this program, as it prints it. The hook and the
	// workflows name it.
	Version string
	// Commit is the one that this program was built from, "" where nobody
	// recorded it. The workflow pins a release by it.
	Commit string
	// Rendered are prompts that another program assembles. Without any, the
	// project is an example.
	Rendered []*Legacy
	// Adopted is the manifest over the files that agents read, "" for none.
	Adopted string
	// Store is the folder of the snapshots, "" for the usual one.
	Store string
	// Snapshots are what a build would write for them.
	Snapshots []assembly.Output
	// CI is the system for which there are jobs.
	CI CI
	// NoHooks leaves out the configuration of hooks.
	NoHooks bool
}

// File is one of the first files.
type File struct {
	// Path is relative to the repository's root.
	Path    string
	Content string
	// IsSnapshot says that a build writes it.
	IsSnapshot bool
	// IsPrinted says that it is not written: people add what it holds.
	IsPrinted bool
	// lacks gives what a file of one's own needs; nil where it needs nothing.
	lacks func(text string) []Gap
}

// schemaURL is where editors find the schema of manifests, as the release @version@
// has it: what is behind a branch changes.
const schemaURL = "https://raw.githubusercontent.com/promptc-build/promptc/@version@/schema/prompts.schema.json"

// WriteSchema is the command that writes the schema of manifests to a file, which
// is SchemaFile beside the manifest. It is for editors before there is a release.
const (
	WriteSchema = "promptc schema -o "
	SchemaFile  = "prompts.schema.json"
)

const manualURL = "https://github.com/promptc-build/promptc/blob/main/docs/manifest.md"

// Manifest is the name of the file that a project is known by.
const Manifest = "prompts.yaml"

//go:embed files
var templates embed.FS

// Files gives the files of a project: the manifest, then its sources, then what
// runs promptc. Only what lies at a fixed place for its tool is outside of the
// manifest's folder. Without snapshots there is nothing that the files of other
// tools would be about.
func Files(in Input) []File {
	files := []File{{Path: Manifest, Content: manifest(in)}}
	words := in.words()
	ignored := words.Replace(read("prettierignore"))
	var forSnapshots []File
	if in.Rendered == nil && in.Adopted == "" {
		for _, s := range sources {
			files = append(files, File{Path: s.path, Content: read(s.template)})
		}
	}
	if in.hasSnapshots() {
		attributes := strings.ReplaceAll(read("gitattributes"), DefaultSnapshots+"/", in.store()+"/")
		files = append(files, File{Path: ".gitattributes", Content: attributes, lacks: lacksLines(attributes)})
		forSnapshots = []File{{Path: ".prettierignore", Content: ignored, lacks: lacksLines(ignored)}}
	}
	for i := range files {
		files[i].Path = path.Join(in.Folder, files[i].Path)
	}
	for _, s := range in.Snapshots {
		files = append(files, File{Path: path.Join(in.Folder, s.Path), Content: s.Content(), IsSnapshot: true})
	}
	var hooks []File
	if !in.NoHooks {
		hooks = []File{{Path: Hooks, Content: words.Replace(read("pre-commit-config.yaml")), lacks: in.lacksHook}}
	}
	return slices.Concat(files, forSnapshots, hooks, in.jobs())
}

// Hooks is the file that configures pre-commit.
const Hooks = ".pre-commit-config.yaml"

// bare are the names of what a folder may have before anything is in it, in small
// letters: those with a dot, and what the others begin with (README.md, LICENSE-MIT).
var bare = []string{
	".git", ".hg", ".svn", ".jj",
	"readme", "license", "licence", "copying", "notice",
	".gitignore", ".gitattributes", ".gitkeep", ".hgignore", ".editorconfig", ".ds_store",
}

// IsBare reports whether a folder with this entry may still count as empty.
func IsBare(name string) bool {
	name = strings.ToLower(name)
	if i := strings.IndexAny(name, ".-_"); i > 0 {
		name = name[:i]
	}
	return slices.Contains(bare, name)
}

// SetUp are the paths of the files that run promptc, or that tools read about its
// snapshots, in the root of a repository.
func SetUp() []string {
	return []string{".gitattributes", ".prettierignore", Hooks, checkWorkflow, commentWorkflow}
}

const (
	checkWorkflow   = Workflows + "/prompts.yml"
	commentWorkflow = Workflows + "/prompts-comment.yml"
)

// sources are the files of the example, in the order of its prompt.
var sources = []struct{ path, template string }{
	{"prompts/role.md", "role.md"},
	{"prompts/rules/answer.md", "answer.md"},
	{"prompts/rules/change.md", "change.md"},
	{"prompts/tools/read_file.json", "read_file.json"},
	{"prompts/tools/write_file.json", "write_file.json"},
}

func manifest(in Input) string {
	text := in.Adopted
	if in.Rendered != nil {
		text = Rendered(in.Rendered).Text
	}
	if text == "" {
		text = strings.ReplaceAll(read("prompts.yaml"), "@manual@", manualURL)
	}
	return in.modeline() + "\n" + text
}

// modeline is the first line of a manifest. It tells an editor where the schema is,
// or a person how to have it. A manifest has as many lines either way.
func (in Input) modeline() string {
	if !in.NamesSchema() {
		return "# For completion in an editor: " + WriteSchema + SchemaFile
	}
	return "# yaml-language-server: $schema=" + strings.ReplaceAll(schemaURL, "@version@", in.Version)
}

// NamesSchema reports whether the manifest tells editors where its schema is.
func (in Input) NamesSchema() bool { return isRelease(in.Version) }

// DefaultSnapshots is the folder of the snapshots where the manifest names none.
const DefaultSnapshots = "snapshots"

func (in Input) store() string { return cmp.Or(in.Store, DefaultSnapshots) }

// below is what paths of the manifest's folder begin with.
func (in Input) below() string {
	if in.Folder == "." {
		return ""
	}
	return in.Folder + "/"
}

// runs is the folder in which the hook and the workflows run promptc.
func (in Input) runs() string { return cmp.Or(in.Workspace, in.Folder) }

// hasSnapshots reports whether the project has any: of texts that another program
// assembles, promptc records only what they are made from.
func (in Input) hasSnapshots() bool {
	if in.Adopted != "" {
		return len(in.Snapshots) > 0
	}
	return in.Rendered == nil || slices.ContainsFunc(in.Rendered, func(l *Legacy) bool { return len(l.From) > 0 || l.Toolset != nil })
}

// excluded is the pattern by which pre-commit leaves the snapshots alone, "" for
// a project without any.
func (in Input) excluded() string {
	if !in.hasSnapshots() {
		return ""
	}
	return "^" + regexp.QuoteMeta(in.below()+in.store()) + "/"
}

// words are what the templates leave open.
func (in Input) words() *strings.Replacer {
	args, folder, exclude := "", "", ""
	if runs := in.runs(); runs != "." {
		args = "\n        args: [-C, " + quote(runs) + "]"
		folder = "\n          working-directory: " + quote(runs)
	}
	if pattern := in.excluded(); pattern != "" {
		exclude = strings.ReplaceAll(read("exclude.yaml"), "@pattern@", quote(pattern)) + "\n"
	}
	hook, action := refs(in.Version, in.Commit)
	id := hookIDs[0]
	if isRelease(in.Version) {
		id = hookIDs[1]
	}
	inner := strings.NewReplacer("@rev@", hook, "@id@", id, "@args@", args, "@ref@", action, "@folder@", folder)
	return strings.NewReplacer(
		"@exclude@", exclude,
		"@hook@", inner.Replace(strings.TrimSuffix(read("hook.yaml"), "\n")),
		"@entry@", "promptc check --staged"+in.start(),
		"@start@", in.start(), "@version@", moduleVersion(in.Version, in.Commit),
		"@rev@", hook, "@id@", id, "@args@", args,
		"@job@\n", inner.Replace(read("job.yaml")),
		"@ref@", action, "@folder@", folder,
		"@snapshots@", "/"+in.below()+in.store()+"/",
	)
}

var (
	releaseVersion = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)
	pseudoVersion  = regexp.MustCompile(`[-.][0-9]{14}-([0-9a-f]{12})(\+[0-9A-Za-z.+-]+)?$`)
	commitVersion  = regexp.MustCompile(`^devel ([0-9a-f]{40,64})$`)
)

// newest is named where nobody can say which version this is.
const newest = "main # name a release instead, or a commit: what is behind a branch changes"

// hookIDs are those of .pre-commit-hooks.yaml: of the hook that compiles promptc,
// of the one that installs a release, and of the one that looks on the PATH.
var hookIDs = []string{"promptc-check", "promptc-check-python", "promptc-check-system"}

// refs gives what names a version of this program in git: to pre-commit, and to
// GitHub, which takes no abbreviated commits. A tag can be moved, so that GitHub
// is told the commit of a release where it is known.
func refs(version, commit string) (hook, action string) {
	commit = commitOf(version, commit)
	switch {
	case isRelease(version) && commit != "":
		return version, commit + " # " + version
	case isRelease(version):
		return version, version
	case commit != "":
		return quote(commit), commit
	}
	if m := pseudoVersion.FindStringSubmatch(version); m != nil {
		return quote(m[1]), newest
	}
	return newest, newest
}

// commitOf gives the commit of a version, "" for none that is known in full.
func commitOf(version, commit string) string {
	if m := commitVersion.FindStringSubmatch(version); m != nil {
		return m[1]
	}
	return commit
}

// moduleVersion is that which go install gets.
func moduleVersion(version, commit string) string {
	if isRelease(version) {
		return version
	}
	return cmp.Or(commitOf(version, commit), "latest")
}

// isRelease tells the versions of releases from those that Go makes of commits.
func isRelease(version string) bool {
	return releaseVersion.MatchString(version) && !pseudoVersion.MatchString(version)
}

var awkward = regexp.MustCompile(`[^\pL\pN ._/+=~@-]|^ |^-|^~| /|/ | $|/-`)

// Usable reports whether a folder can be named in the files of every tool: a
// name may be a pattern to one, and an expression to another.
func Usable(folder string) bool { return !awkward.MatchString(folder) }

// shellWord quotes a folder for a command line that is split as a shell does.
func shellWord(s string) string {
	if strings.Contains(s, " ") {
		return "'" + s + "'"
	}
	return s
}

// read gives a template. They are part of the program, so that none is missing.
func read(name string) string {
	text, err := templates.ReadFile("files/" + name)
	if err != nil {
		return ""
	}
	return string(text)
}

// Gap is what a file of one's own needs, and has not in the form in which it
// would be written.
type Gap struct {
	// What says what to do with the lines.
	What  diag.Words
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
		return []Gap{{diag.Say("add-lines"), missing.String()}}
	}
}

// lacksHook finds what a configuration of pre-commit has not: the hook for the
// folder, and that other hooks leave its snapshots alone.
func (in Input) lacksHook(text string) []Gap {
	var gaps []Gap
	lines := trimmed(text)
	ours := func(line string) bool {
		id, ok := strings.CutPrefix(line, "- id: ")
		return ok && slices.Contains(hookIDs, id)
	}
	hooked := slices.ContainsFunc(items(lines, ours), func(item []string) bool {
		return plain(valueIn(item, "args:", "[]")) == in.hookArgs()
	})
	if !hooked {
		gaps = append(gaps, Gap{diag.Say("add-to-repos"), in.words().Replace(read("hook.yaml"))})
	}
	pattern := in.excluded()
	if pattern == "" || strings.Contains(text, pattern) || strings.Contains(text, quote(pattern)) {
		return gaps
	}
	what := diag.Say("add-line-at-top")
	if slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return strings.HasPrefix(line, "exclude:") }) {
		what = diag.Say("widen-exclude")
	}
	return append(gaps, Gap{what, "exclude: " + quote(pattern) + "\n"})
}

// hookArgs are those of the hook, without quotes.
func (in Input) hookArgs() string {
	if in.runs() == "." {
		return "[]"
	}
	return "[-C, " + in.runs() + "]"
}

// lacksStep finds what a workflow has not: a step for the folder, or in one that
// has no step of ours all that such a step needs.
func (in Input) lacksStep(text string) []Gap {
	ours := items(trimmed(text), func(line string) bool {
		return strings.HasPrefix(strings.TrimPrefix(line, "- "), "uses: promptc-build/promptc@")
	})
	if slices.ContainsFunc(ours, func(item []string) bool {
		return path.Clean(plain(valueIn(item, "working-directory:", "."))) == in.runs()
	}) {
		return nil
	}
	words := in.words()
	if len(ours) == 0 {
		return []Gap{{diag.Say("add-job"), words.Replace(read("job.yaml"))}}
	}
	// One report is uploaded, for one comment.
	return []Gap{{diag.Say("add-step"), words.Replace(read("step.yaml"))}}
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
