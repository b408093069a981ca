// Package owners reads CODEOWNERS, as GitHub and GitLab do: who owns the files of
// a repository.
package owners

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
)

// MaxBytes is how large a file may be: GitHub does not read a larger one.
const MaxBytes = 3 << 20

// Places are the paths, from the repository's top on, at which the file is looked
// for: the first one counts. Both hosts look for their own in this order.
func Places() []string {
	return []string{githubPlace, "CODEOWNERS", "docs/CODEOWNERS", gitlabPlace}
}

const (
	githubPlace = ".github/CODEOWNERS"
	gitlabPlace = ".gitlab/CODEOWNERS"
)

// Rules say who owns which files.
type Rules struct {
	// gitlab says that GitLab's rules count, not GitHub's.
	gitlab bool
	// sections are matched each by itself. GitHub knows one.
	sections []*section
}

// section are rules of which the last that fits counts.
type section struct {
	name   string // in lower case, "" for what stands before the first heading
	owners []string
	rules  []rule
}

// rule is a line: a pattern and who owns what fits it, nobody included.
type rule struct {
	pattern
	owners []string
	// excludes says that the section says nothing of what fits.
	excludes bool
}

// heading is that of a section of GitLab's: `^[Name][2] @owner`.
var heading = regexp.MustCompile(`^\^?\[([^\[\]]+)\](?:\[\d*\])?(?:[ \t]+(.*))?$`)

// Parse reads the text of a file that stands at one of Places. GitLab's rules count
// at its own place, and elsewhere where the file has sections, but at GitHub's own
// place. Lines that cannot be read are skipped, which the findings say.
func Parse(place string, file *diag.File) (*Rules, diag.List) {
	p := parser{file: file, rules: &Rules{gitlab: place == gitlabPlace || place != githubPlace && hasSections(file.Text)}}
	p.enter("", nil)
	at := 0
	for line := range strings.Lines(file.Text) {
		p.line(at, strings.TrimRight(line, "\r\n"))
		at += len(line)
	}
	return p.rules, p.findings()
}

func hasSections(text string) bool {
	for line := range strings.Lines(text) {
		if heading.MatchString(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

type parser struct {
	file    *diag.File
	rules   *Rules
	section *section
	found   diag.List
}

// maxFindings is how many lines are named that cannot be read; the rest is counted.
const maxFindings = 10

func (p *parser) findings() diag.List {
	if left := len(p.found) - maxFindings; left > 0 {
		rest := diag.New(diag.OwnersLine, p.found[maxFindings].Span, "more-owners-lines", left)
		return append(p.found[:maxFindings], rest)
	}
	return p.found
}

// skip says that a line is not read, or a part of it.
func (p *parser) skip(at diag.Span, key string, args ...any) {
	p.found = append(p.found, diag.New(diag.OwnersLine, at, key, args...))
}

// enter goes on with the section of a name, which may stand in several parts.
func (p *parser) enter(name string, owners []string) {
	name = strings.ToLower(name)
	i := slices.IndexFunc(p.rules.sections, func(s *section) bool { return s.name == name })
	if i < 0 {
		p.rules.sections = append(p.rules.sections, &section{name: name})
		i = len(p.rules.sections) - 1
	}
	p.section = p.rules.sections[i]
	if len(owners) > 0 {
		p.section.owners = owners
	}
}

// line reads a line without its line break, which starts at a byte of the file.
func (p *parser) line(at int, line string) {
	text := strings.TrimSpace(line)
	if text == "" || text[0] == '#' {
		return
	}
	at += strings.Index(line, text)
	span := diag.Span{File: p.file, Start: at, End: at + len(text)}
	if strings.ContainsFunc(text, unusable) {
		p.skip(span, "owners-line-no-text")
		return
	}
	if m := heading.FindStringSubmatch(text); m != nil && p.rules.gitlab {
		names, _ := p.ownersIn(span, len(text)-len(m[2]))
		p.enter(m[1], names)
		return
	}
	end := patternEnd(text)
	of, key := p.rules.pattern(text[:end])
	if key != "" {
		p.skip(diag.Span{File: p.file, Start: at, End: at + end}, key, text[:end])
		return
	}
	names, ok := p.ownersIn(span, end)
	if !ok && !p.rules.gitlab {
		return
	}
	made := rule{pattern: of, owners: names, excludes: p.rules.gitlab && text[0] == '!'}
	p.section.rules = append(p.section.rules, made)
}

// unusable reports whether a character has no place in a line.
func unusable(r rune) bool {
	return r == utf8.RuneError || r != '\t' && unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// patternEnd gives the end of the pattern at the beginning of a line: the first
// blank without a backslash in front.
func patternEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ' ', '\t':
			return i
		}
	}
	return len(text)
}

// maxOwner is how long a name may be, in bytes.
const maxOwner = 255

// The names of owners. An address is one with a dot in its host.
var (
	githubOwner = regexp.MustCompile(`^@[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9_.-]+)?$`)
	gitlabOwner = regexp.MustCompile(`^@@?[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$`)
	address     = regexp.MustCompile(`^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`)
)

// ownersIn reads the names in a line, from a byte of its span on. On GitHub a name
// that cannot be one makes it a line to be skipped, and # behind a blank starts a
// comment; GitLab skips the name.
func (p *parser) ownersIn(span diag.Span, from int) (names []string, ok bool) {
	ok = true
	form := githubOwner
	if p.rules.gitlab {
		form = gitlabOwner
	}
	text, at := p.file.Text[:span.End], span.Start+from
	for at < span.End {
		if text[at] == ' ' || text[at] == '\t' {
			at++
			continue
		}
		end := at
		for end < span.End && text[end] != ' ' && text[end] != '\t' {
			end++
		}
		name := text[at:end]
		here := diag.Span{File: p.file, Start: at, End: end}
		at = end
		switch {
		case name[0] == '#' && !p.rules.gitlab:
			return names, ok
		case len(name) <= maxOwner && (form.MatchString(name) || address.MatchString(name)):
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		case ok && p.rules.gitlab: // once a line: it may be a comment, of which GitLab reads the names
			p.skip(here, "no-owner-gitlab", name)
			ok = false
		case ok:
			p.found = append(p.found, diag.New(diag.OwnersLine, here, "no-owner-github", name).WithHint("gitlab-owners-place"))
			ok = false
		}
	}
	return names, ok
}

// Of gives the owners of a file, by its path from the repository's top on, sorted:
// of each section those of the last rule that fits.
func (r *Rules) Of(path string) []string {
	var out []string
	for _, s := range r.sections {
		for _, name := range s.of(path) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (s *section) of(path string) []string {
	for _, r := range s.rules {
		if r.excludes && r.fits(path) {
			return nil
		}
	}
	for _, r := range slices.Backward(s.rules) {
		switch {
		case !r.fits(path):
		case len(r.owners) == 0:
			return s.owners
		default:
			return r.owners
		}
	}
	return nil
}

// pattern stands for paths.
type pattern struct {
	// literal is a part of every path that fits, which is looked for first.
	literal string
	any     []glob.Pattern
}

func (p pattern) fits(path string) bool {
	return strings.Contains(path, p.literal) &&
		slices.ContainsFunc(p.any, func(one glob.Pattern) bool { return one.Match(path) })
}

// pattern reads a pattern as the host does. key says what is wrong with it, "" for
// nothing.
func (r *Rules) pattern(text string) (out pattern, key string) {
	var all []string
	if r.gitlab {
		all, key = gitlabPattern(strings.TrimPrefix(text, "!"))
	} else {
		all, key = githubPattern(text)
	}
	if key != "" {
		return out, key
	}
	for _, one := range all {
		read, fault := glob.Parse(one)
		if fault != "" {
			return out, "owners-pattern-broken"
		}
		out.any = append(out.any, read)
	}
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(`*?[]\/!`, c) }) {
		if len(part) > len(out.literal) && !strings.ContainsAny(text, `[\`) {
			out.literal = part
		}
	}
	return out, ""
}

// githubPattern reads a pattern of gitignore, without what does not work in
// CODEOWNERS. What is in a folder that fits is owned as the folder is, but behind
// `/*`.
func githubPattern(text string) (all []string, key string) {
	switch {
	case text[0] == '!':
		return nil, "owners-pattern-negated"
	case strings.HasPrefix(text, `\#`):
		return nil, "owners-pattern-hash"
	case strings.ContainsAny(text, "[]"):
		return nil, "owners-pattern-class"
	case strings.Contains(text, "***"):
		return nil, "owners-pattern-broken"
	case strings.Trim(text, "/") == "":
		return nil, "owners-pattern-nothing"
	}
	path, folder := strings.CutSuffix(text, "/")
	if !strings.Contains(path, "/") {
		path = "**/" + path
	}
	path = braced(strings.TrimPrefix(path, "/"))
	switch {
	case folder, path == "**", strings.HasSuffix(path, "/**"):
		return []string{strings.TrimSuffix(path, "/**") + "/**/*"}, ""
	case strings.HasSuffix(path, "/*"), path == "*":
		return []string{path}, ""
	default:
		return []string{path, path + "/**/*"}, ""
	}
}

// gitlabPattern reads a pattern as File.fnmatch of Ruby does. Without a slash in
// front it fits in every folder; what is in a folder is owned with a slash behind
// it alone.
func gitlabPattern(text string) (all []string, key string) {
	switch {
	case strings.Trim(text, "/") == "":
		return nil, "owners-pattern-nothing"
	case strings.Contains(text, "[") && strings.ContainsAny(text, "{}"):
		return nil, "owners-pattern-broken" // braces would have to be told from those in a class
	}
	if strings.HasSuffix(text, "/") {
		text += "**/*"
	}
	path, top := strings.CutPrefix(text, "/")
	if !top {
		path = "**/" + path
	}
	return []string{braced(path)}, ""
}

// braced makes braces stand for themselves.
func braced(text string) string {
	return strings.NewReplacer(`\\`, `\\`, `\{`, "[{]", `\}`, "[}]", "{", "[{]", "}", "[}]").Replace(text)
}
