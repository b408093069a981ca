package owners_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/review/owners"
)

const (
	onGitHub = ".github/CODEOWNERS"
	onGitLab = ".gitlab/CODEOWNERS"
	anywhere = "CODEOWNERS"
)

func parse(place, text string) (*owners.Rules, diag.List) {
	return owners.Parse(place, &diag.File{Path: place, Text: text})
}

// github is the example of GitHub's documentation, with its comments cut.
const github = `# This is a comment.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/*  docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
`

func TestFilesBelongToWhomGitHubSays(t *testing.T) {
	for _, tc := range []struct{ rules, path, want string }{
		{github, "README.md", "@global-owner1 @global-owner2"},
		{github, "a/b/c.md", "@global-owner1 @global-owner2"},
		{github, "a/b.js", "@js-owner"},
		{github, "main.go", "docs@example.com"},
		{github, "a/b.txt", "@octo-org/octocats"},
		{github, "build/logs/a/b.txt", "@octocat"}, // **/logs comes later
		{github, "deeply/nested/logs/a", "@octocat"},
		{github, "a/apps/b/c", "@octocat"},
		{github, "apps/b/c", "@octocat"},
		{github, "apps/github/c", ""},
		{github, "apps/github", ""},
		{github, "a/apps/github/c", "@octocat"},
		{github, "docs/a/b.md", "@doctocat"},
		{github, "scripts/a", "@doctocat @octocat"},

		{"/build/logs/ @a", "build/logs/x/y", "@a"},
		{"/build/logs/ @a", "a/build/logs/x", ""},
		{"docs/* @a", "docs/getting-started.md", "@a"},
		{"docs/* @a", "docs/build-app/troubleshooting.md", ""},
		{"docs/* @a", "a/docs/b", ""},
		{"/* @a", "x", "@a"},
		{"/* @a", "x/y", ""},
		{"apps/ @a", "apps", ""}, // a file of that name is no folder
		{"/apps @a", "apps", "@a"},
		{"/apps @a", "apps/b/c", "@a"},
		{"/apps @a", "apples", ""},
		{"apps/b @a", "x/apps/b", ""},
		{"docs/** @a", "docs/a/b", "@a"},
		{"docs/** @a", "docs", ""},
		{"** @a", "docs/a/b", "@a"},
		{"a/**/z @a", "a/z", "@a"},
		{"a/**/z @a", "a/b/c/z", "@a"},
		{"a/**/z @a", "a/b/c/z/d", "@a"},
		{"/a/*.md @a", "a/b.md", "@a"},
		{"/a/*.md @a", "a/b/c.md", ""},
		{"file?.md @a", "x/file1.md", "@a"},
		{"file?.md @a", "x/file12.md", ""},
		{`with\ blanks/ @a`, "with blanks/x", "@a"},
		{`{a,b}.md @a`, "{a,b}.md", "@a"},
		{`{a,b}.md @a`, "a.md", ""},
		{`a\*b @a`, "a*b", "@a"},
		{`a\*b @a`, "axb", ""},
		{"A.md @a", "a.md", ""},
		{"* @a\n*.md", "x.md", ""},
		{"a#b @a", "a#b", "@a"},
		{"ä/ @a", "ä/x", "@a"},
		{"* @a @a @b", "x", "@a @b"},
		{"* @user_corp @o/t_e.am x.y+z@mail.example.com", "x", "@o/t_e.am @user_corp x.y+z@mail.example.com"},
	} {
		rules, found := parse(onGitHub, tc.rules)
		if len(found) > 0 {
			t.Errorf("%q: %v", tc.rules, found[0].What)
		}
		if got := strings.Join(rules.Of(tc.path), " "); got != tc.want {
			t.Errorf("%.40q: %s belongs to %q, want %q", tc.rules, tc.path, got, tc.want)
		}
	}
}

// What follows is from the examples of GitLab's documentation.
const (
	sections = `* @admin

[README Owners]
README.md @user1 @user2
internal/README.md @user4

[README other owners]
README.md @user3
`
	defaults = `[Documentation] @docs-team
docs/
README.md

^[Database][2] @database-team @agarcia
model/db/
config/db/database-setup.md @docs-team
[DOCUMENTATION]
*.txt
`
	exclusions = `* @default-owner
!*.rb
/special/*.rb @ruby-owner
[Ruby]
*.rb @ruby-team
!/config/**/*.rb
/config/routes.rb @ops
[Config]
/config/ @ops-team
`
)

func TestFilesBelongToWhomGitLabSays(t *testing.T) {
	for _, tc := range []struct{ rules, path, want string }{
		{sections, "README.md", "@admin @user1 @user2 @user3"},
		{sections, "internal/README.md", "@admin @user3 @user4"},
		{sections, "x", "@admin"},
		{defaults, "docs/a/b.md", "@docs-team"},
		{defaults, "model/db/x", "@agarcia @database-team"},
		{defaults, "config/db/database-setup.md", "@docs-team"},
		{defaults, "model/db/CHANGELOG.txt", "@agarcia @database-team @docs-team"},
		{defaults, "other", ""},
		{exclusions, "a.rb", "@ruby-team"},
		{exclusions, "special/a.rb", "@ruby-team"},
		{exclusions, "config/routes.rb", "@ops-team"},
		{exclusions, "config/a/b.rb", "@ops-team"},
		{exclusions, "x.md", "@default-owner"},

		{"/README.md @a", "docs/README.md", ""},
		{"internal/README.md @a", "docs/api/internal/README.md", "@a"},
		{"/docs/ @a", "docs/a/b", "@a"},
		{"lib/ @a", "a/lib/b/c", "@a"},
		{"/docs @a", "docs/a", ""}, // only a slash behind it makes it a folder
		{"docs @a", "docs/a", ""},
		{"/docs/* @a", "docs/projects/index.md", ""},
		{"/docs/*spec* @a", "docs/runtime.spec", "@a"},
		{"/docs/*/README.md @a", "docs/api/README.md", "@a"},
		{"/docs/**/index.md @a", "docs/index.md", "@a"},
		{"/docs/**/index.md @a", "docs/api/graphql/index.md", "@a"},
		{`\#file_with_pound.rb @a`, "x/#file_with_pound.rb", "@a"},
		{`path\ with\ spaces/ @a`, "path with spaces/x", "@a"},
		{"[ab].md\t@a", "b.md", "@a"},
		{"* @group @group/with-nested/subgroup @@developer", "x", "@@developer @group @group/with-nested/subgroup"},
	} {
		rules, found := parse(onGitLab, tc.rules)
		if len(found) > 0 {
			t.Errorf("%q: %v", tc.rules, found[0].What)
		}
		if got := strings.Join(rules.Of(tc.path), " "); got != tc.want {
			t.Errorf("%.40q: %s belongs to %q, want %q", tc.rules, tc.path, got, tc.want)
		}
	}
}

func TestSectionsTellGitLabFromGitHub(t *testing.T) {
	for _, tc := range []struct{ place, rules, want string }{
		{anywhere, "* @a\n[B]\n* @b/c/d", "@a @b/c/d"},
		{anywhere, "* @a\n[B] @c\n", "@a"},
		{"docs/CODEOWNERS", "* @a\n^[B]\n* @b", "@a @b"},
		{onGitHub, "* @a\n[B]\n* @b", "@b"},
		{anywhere, "* @a\n* @b", "@b"},
	} {
		rules, _ := parse(tc.place, tc.rules)
		if got := strings.Join(rules.Of("x"), " "); got != tc.want {
			t.Errorf("%s %q: %q, want %q", tc.place, tc.rules, got, tc.want)
		}
	}
}

func TestLinesThatCannotBeReadAreSkipped(t *testing.T) {
	for _, tc := range []struct{ place, line, key, want string }{
		{onGitHub, "!x @b", "owners-pattern-negated", "@a"},
		{onGitHub, "[xy] @b", "owners-pattern-class", "@a"},
		{onGitHub, "[Section]", "owners-pattern-class", "@a"},
		{onGitHub, `\#x @b`, "owners-pattern-hash", "@a"},
		{onGitHub, "/ @b", "owners-pattern-nothing", "@a"},
		{onGitHub, "*** @b", "owners-pattern-broken", "@a"},
		{onGitHub, `x\`, "owners-pattern-broken", "@a"},
		{onGitHub, "x b", "no-owner-github", "@a"},
		{onGitHub, "x @b @c/d/e f", "no-owner-github", "@a"},
		{onGitHub, "x @@developer", "no-owner-github", "@a"},
		{onGitHub, "x @" + strings.Repeat("b", 300), "no-owner-github", "@a"},
		{onGitHub, strings.Repeat("x", 5000) + " @b", "owners-pattern-broken", "@a"},
		{onGitHub, "x\x00 @b", "owners-line-no-text", "@a"},
		{onGitHub, "x @b\x1b[31m", "owners-line-no-text", "@a"},
		{onGitHub, "x \uFFFD@b", "owners-line-no-text", "@a"},
		{onGitLab, "x @b # by c", "no-owner-gitlab", "@b"},
		{onGitLab, "[Open @b", "owners-pattern-broken", "@a"},
		{onGitLab, "[a]{b} @b", "owners-pattern-broken", "@a"},
		{onGitLab, "! @b", "owners-pattern-nothing", "@a"},
	} {
		rules, found := parse(tc.place, "* @a\r\n"+tc.line+"\n")
		if len(found) != 1 || found[0].What.Key != tc.key {
			t.Errorf("%.20q: %v, want %s", tc.line, found, tc.key)
			continue
		}
		if line, _ := found[0].Span.File.Position(found[0].Span.Start); line != 2 {
			t.Errorf("%.20q is said of line %d", tc.line, line)
		}
		if got := strings.Join(rules.Of("x"), " "); got != tc.want {
			t.Errorf("%.20q: %q, want %q", tc.line, got, tc.want)
		}
	}
}

func TestManyBadLinesAreCounted(t *testing.T) {
	_, found := parse(onGitHub, strings.Repeat("!x\n", 100))
	if len(found) != 11 || found[10].What.Key != "more-owners-lines" || fmt.Sprint(found[10].What.Args) != "[90]" {
		t.Errorf("%d findings, the last %v", len(found), found[len(found)-1].What)
	}
}

// As many rules as the largest file can have, and a path that fits none of them.
func TestTheLargestFileIsRead(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < owners.MaxBytes-40; i++ {
		fmt.Fprintf(&b, "**/x%d/**/*a*b @o\n", i)
	}
	rules, found := parse(onGitHub, b.String())
	if got := rules.Of("a/" + strings.Repeat("x1/", 500) + "z"); len(found) > 0 || len(got) > 0 {
		t.Error(found, got)
	}
}

func FuzzRulesNeverPanic(f *testing.F) {
	for _, s := range []string{github, sections, defaults, exclusions, "[", "^[x][", "\\", "!\\ ", "{,} @a", "[a-]\\[{]} @b"} {
		f.Add(s, "a/b.md")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		for _, place := range owners.Places() {
			rules, _ := parse(place, text)
			if got := rules.Of(path); !slices.IsSorted(got) {
				t.Errorf("%q is not sorted", got)
			}
		}
	})
}
