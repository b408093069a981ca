package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// remedy is a message with a command: in a project that provokes it the command is run
// as it is printed, and the message has to be gone.
type remedy struct {
	name string
	// says are the codes and the keys of wordings that the row covers, or in words what
	// has neither.
	says []string
	// setup makes the project, in a repository in which `sound` was committed with its
	// snapshots.
	setup string
	// command is run from the folder in, before and after the remedy; promptc check without.
	command, in string
	// message is a part of what it prints, and afterwards does not.
	message string
	// first is what people have to do by hand before they run what is printed.
	first string
	// found takes the command out of what is printed; behind `run: ` without.
	found string
	// shows says that the command only shows more: it has to work, and the message stays.
	shows bool
	// stays says that something else is wrong afterwards.
	stays bool
}

// sound is what every remedy starts with.
const sound = `git init -q && mkdir -p sub rules && cat > prompts.yaml <<'END'
version: 1
tokenizer: chars/4
sources: {rules: {kind: rules, path: "rules/*.md"}}
prompts: {agent: {sections: [{id: rules, source: rules}]}}
END
echo 'Be brief.' > rules/a.md && echo 'Be kind.' > rules/b.md && promptc build && git add . && git commit -qm one
`

// other makes another manifest of the project.
func other(manifest string) string {
	return "cat > prompts.yaml <<'END'\nversion: 1\ntokenizer: chars/4\n" + manifest + "\nEND\n"
}

// artifacts is a manifest that has some, and their first build.
const artifacts = `sed 's/^tokenizer/artifacts: dist\ntokenizer/' prompts.yaml > new && mv new prompts.yaml
`

// recordedFrom is a project whose prompt a program sends.
const recordedFrom = `rm -r snapshots rules
echo '$OPENAI_BASE_URL/chat/completions {"model": "m", "messages": [{"role": "system", "content": "You help."}]}' > sends.txt
cat > prompts.yaml <<'END'
version: 1
tokenizer: chars/4
prompts: {bot: {rendered: {path: bot.json, from: sends.txt}, record: {run: [agent, sends.txt]}}}
END
`

const rendered = `mkdir t && echo 'You help.' > t/a.md && echo '{{ role }}' > t.j2 && rm -r snapshots rules
` + `cat > prompts.yaml <<'END'
version: 1
tokenizer: chars/4
prompts: {agent: {axes: {n: [a]}, rendered: {path: "t/{n}.md", from: [t.j2]}}}
END
promptc build
`

// origin moves the project and a second commit to a repository beside it.
const origin = `git branch -q topic; echo More. >> rules/a.md; promptc build; git commit -qam two; git config uploadpack.allowFilter true
mkdir ../origin; mv .git * ../origin; `

const hook = "promptc check --staged"

var remedies = []remedy{
	{name: "not built", says: []string{"drift"}, setup: "rm -r snapshots", message: "do not exist yet"},
	{name: "out of date", setup: "echo More. >> rules/a.md", message: "out of date"},
	{name: "from a folder below", setup: "echo More. >> rules/a.md", in: "sub", message: "out of date"},
	{
		name: "from a folder above", setup: "echo More. >> rules/a.md; mkdir ../above; mv .git prompts.yaml rules snapshots ../above; mkdir 'the project'; mv ../above/* 'the project'; mv ../above/.git .git",
		command: "promptc check -C 'the project'", message: "out of date",
	},
	{name: "another manifest", setup: "mv prompts.yaml other.yaml; echo More. >> rules/a.md", command: "promptc check --config other.yaml", message: "out of date"},
	{name: "edited by hand", says: []string{"edit-the-source", "right-in-head"}, setup: "echo More. >> snapshots/agent/sections/rules/a.txt", message: "right in HEAD"},
	{name: "another version", says: []string{"build-or-other-version"}, setup: "echo More. >> snapshots/agent/sections/rules/a.txt; git commit -qam two", message: "same in HEAD"},
	{name: "artifacts", setup: artifacts + "promptc build; echo x >> rules/a.md; promptc build; rm dist/agent/agent.txt dist/agent.txt; ls -R dist", message: "dist is out of date"},

	{name: "not built and staged", setup: "echo More. >> rules/a.md; git add .", command: hook, message: "out of date"},
	{name: "built and not staged", setup: "echo More. >> rules/a.md; git add .; promptc build", command: hook, message: "not staged"},
	{name: "built, not staged, from below", setup: "echo More. >> rules/a.md; git add .; promptc build", command: hook, in: "sub", message: "not staged"},
	{name: "edited and staged", setup: "echo More. >> snapshots/agent/sections/rules/a.txt; git add .", command: hook, message: "right in HEAD"},
	{name: "source not staged", says: []string{"source-not-staged"}, setup: "echo New. > rules/n.md; promptc build; git add snapshots", command: hook, message: "rules/n.md"},
	{name: "source with an odd name", setup: "echo New. > \"rules/it's (n).md\"; promptc build; git add snapshots", command: hook, in: "sub", message: "not staged"},
	{name: "source removed and not staged", setup: "rm rules/b.md; promptc build; git add snapshots", command: hook, message: "rules/b.md"},
	{name: "behind a link", setup: "mkdir notes; echo New. > notes/n.md; ln -s ../notes/n.md rules/n.md; promptc build; git add rules snapshots", message: "notes/n.md"},
	{name: "behind a link, staged", setup: "mkdir notes; echo New. > notes/n.md; ln -s ../notes/n.md rules/n.md; promptc build; git add rules snapshots", command: hook, message: "notes/n.md"},
	{name: "a link", setup: "mkdir notes; echo New. > notes/n.md; ln -s ../notes/n.md rules/n.md; promptc build; git add notes snapshots", command: hook, message: "rules/n.md"},
	{name: "many sources", setup: "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i > rules/$i.md; done; promptc build; git add snapshots", command: hook, message: "12 sources are not staged"},
	{name: "one source of two staged", setup: "echo More. >> rules/a.md; git add .; echo More. >> rules/b.md; promptc build", command: hook, message: "rules/b.md"},
	{name: "one source of two staged, not built", setup: "echo More. >> rules/a.md; git add .; echo More. >> rules/b.md", command: hook, message: "out of date"},
	{name: "the manifest is not staged", setup: "sed 's/source: rules/source: rules, heading: Rules/' prompts.yaml > new && mv new prompts.yaml; promptc build; git add snapshots", command: hook, message: "prompts.yaml"},
	{name: "no snapshot staged", setup: "git rm -rq --cached snapshots", command: hook, message: "snapshots are not staged"},
	{name: "a named file is not staged", setup: "sed 's/source: rules/path: role.md/; /^sources/d' prompts.yaml > new && mv new prompts.yaml; git add prompts.yaml; echo Role. > role.md; promptc build", command: hook, message: "role.md"},

	{name: "untracked", says: []string{"PC7011", "run-command"}, setup: "echo New. > rules/n.md; promptc build", message: "PC7011"},
	{name: "untracked, from below", setup: "echo New. > rules/n.md; promptc build", in: "sub", message: "PC7011"},
	{name: "ignored snapshots", says: []string{"PC7012", "take-out-and-run"}, setup: "git rm -rq --cached snapshots; printf '#\\nsnapshots/\\n' > .gitignore", message: "PC7012", first: "rm .gitignore"},
	{name: "ignored snapshots in the index", says: []string{"take-out-then"}, setup: "git rm -rq --cached snapshots; printf '#\\nsnapshots/\\n' > .gitignore", command: hook, message: "PC7012", first: "rm .gitignore"},
	{name: "ignored snapshots in a clone", setup: "git rm -rq --cached snapshots; printf '#\\nsnapshots/\\n' > .gitignore; git add .; git commit -qm two; rm -r snapshots", message: "do not exist yet", first: "rm .gitignore"},
	{name: "an ignored source", says: []string{"take-out"}, setup: "echo /n.md > rules/.gitignore; echo New. > rules/n.md; promptc build; git add .", command: hook, in: "sub", message: "../rules/.gitignore:1", first: "rm ../rules/.gitignore"},

	{name: "a folder in the way", says: []string{"move-away-and-build"}, setup: "rm -r snapshots/agent/outline.txt; mkdir snapshots/agent/outline.txt", message: "PC7004", first: "rmdir snapshots/agent/outline.txt"},
	{name: "another case", says: []string{"rename-and-build"}, setup: "mv snapshots/agent/outline.txt snapshots/agent/Outline.txt", message: "differs only in case", first: "rm snapshots/agent/Outline.txt"},
	{name: "a range of commits", says: []string{"name-range"}, setup: "git tag v1; echo More. >> rules/a.md; promptc build; git commit -qam two", command: "promptc diff --base v1..HEAD", message: "names no commit", found: `for a range: (.+)`, shows: true},
	{name: "an artifact of somebody else", says: []string{"delete-and-build"}, setup: artifacts + "promptc build; for f in $(find dist -name '*.txt'); do echo other > $f; done", message: "PC7008", first: "find dist -name '*.txt' -delete"},
	{name: "converted line ends", says: []string{"PC7006", "build-and-keep-line-ends"}, setup: artifacts + "promptc build; for f in $(find dist snapshots -type f); do awk '{printf \"%s\\r\\n\", $0}' $f > new; mv new $f; done", message: "PC7006"},
	{name: "converted line ends, staged", setup: "for f in $(find snapshots -type f); do awk '{printf \"%s\\r\\n\", $0}' $f > new; mv new $f; done; git add .", command: hook, message: "PC7006", found: `^run: (.+)`},
	{name: "a conflict in the record", says: []string{"PC1002"}, setup: artifacts + "promptc build; (echo '<<<<<<< HEAD'; cat dist/manifest.json; echo =======; cat dist/manifest.json; echo '>>>>>>> topic') > new; mv new dist/manifest.json", message: "PC1002", first: "rm -r dist"},
	{name: "snapshots that are not checked out", setup: "git sparse-checkout set rules", message: "not checked out"},
	{name: "snapshots that are not checked out, from below", setup: "git sparse-checkout set rules", in: "rules", message: "not checked out"},
	{name: "sources that are not checked out", setup: "git sparse-checkout set snapshots", message: "not checked out: "},
	{name: "a link that was checked out as a file", says: []string{"check-out-link"}, setup: "ln -s ../rules/a.md rules/c.md; promptc build; git add .; git commit -qm two; git config core.symlinks false; rm rules/c.md; git checkout -q .", message: "holds only a path"},
	{name: "a .git that leads nowhere", says: []string{"repair-work-tree"}, setup: "mv .git ../gone; echo 'gitdir: /nowhere' > .git", command: "promptc diff", message: "leads to none", first: "rm .git", stays: true},
	{name: "a build without its sources", setup: "git sparse-checkout set snapshots; sed 's/kind: rules/absent: omit, kind: rules/' prompts.yaml > new; mv new prompts.yaml", command: "promptc build", message: "nothing was written"},
	{name: "an edited record", says: []string{"delete-folder-and-build"}, setup: artifacts + "promptc build; echo x >> dist/manifest.json", message: "PC7008", first: "rm -r dist"},
	{name: "many of them", says: []string{"delete-all-and-build"}, setup: other("artifacts: dist\nprompts: {a: {sections: [{id: x, text: x}]}, b: {sections: [{id: x, text: y}]}}") + "promptc build; for f in $(find dist -name '*.txt'); do echo other > $f; done", message: "PC7008", first: "find dist -name '*.txt' -delete"},
	{
		name: "a request that was a text", says: []string{"build-or-as-text", "PC7015"}, setup: other("prompts: {agent: {rendered: {path: t.json, from: p.py, as: text}}}") +
			`echo '{"messages": [{"role": "system", "content": "A."}]}' > t.json; touch p.py; promptc build; sed 's/, as: text//' prompts.yaml > new; mv new prompts.yaml`,
		message: "PC7015", found: `else run: (.+)`,
	},
	{name: "nothing recorded", says: []string{"record-it"}, setup: recordedFrom, message: "PC1021", stays: true},
	{name: "inputs that changed", says: []string{"record-and-build"}, setup: recordedFrom + "promptc record; promptc build; echo >> sends.txt", message: "PC7010"},
	{name: "a recording of long ago", setup: recordedFrom + "promptc record; promptc build; sed -i.bak s/help/assist/ sends.txt", command: "promptc record --check", message: "something else is sent", found: "record again: (.+)"},
	{name: "texts to render again", says: []string{"update-texts-and-build", "PC7010"}, setup: rendered + "echo more >> t.j2", message: "PC7010", found: `then: (.+)`},
	{
		name: "nothing pulled", says: []string{"pull-server"}, setup: other("servers: {files: {command: \"${FAKE_SERVER}\", env: {PROMPTC_FAKE_SERVER: offer.json}}}\n"+
			"sources: {files: {kind: tools, pull: files}}\nprompts: {agent: {sections: [{id: a, source: files}]}}") +
			`echo '{"tools": [{"name": "read", "inputSchema": {"type": "object"}}]}' > offer.json`, message: "matches no file", stays: true,
	},
	{name: "a pointer", says: []string{"run-git-lfs-pull", "PC1022"}, setup: "printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\\nsize 12345\\n' > rules/a.md", message: "PC1022", found: `run: ([^;]+);.*`},
	{name: "too many uses", says: []string{"PC3059"}, setup: other("prompts: {agent: {sections: [{id: a, text: x}, {id: b, text: y}]}}") + "promptc build; git add .", command: "promptc check --max-uses 1", message: "PC3059", found: "promptc check --max-uses 5000000"},

	{name: "over budget", says: []string{"largest-parts", "PC5001"}, setup: other("prompts: {agent: {budget: {tokens: 1}, sections: [{id: a, text: Long enough.}]}}"), message: "PC5001", found: `\((promptc explain .+)\)`, shows: true},
	{name: "cut", says: []string{"PC4008"}, setup: other(`prompts: {agent: {sections: [{id: a, text: "` + strings.Repeat("Long enough, and longer. ", 9) + `", limit: {chars: 99, over: cut}}]}}`), message: "PC4008", found: "promptc explain agent", shows: true},
	{
		name: "a template", says: []string{"see-explain"}, setup: other("sources: {tools: {kind: tools, path: tool.json}}\nprompts: {agent: {sections: [{id: a, source: tools, form: fallback, style: {path: s.tmpl}}]}}") +
			`echo '{"name": "read", "inputSchema": {"type": "object"}}' > tool.json; echo '{{define "x"}}{{end}}{{template "x"}}{{.Items}}' > s.tmpl`, message: "see promptc explain", found: `see (promptc explain \S+)`, shows: true,
	},
	{name: "no such prompt in full", says: []string{"run-list", "PC7005"}, setup: other("snapshots: {full: [nobody]}\nprompts: {agent: {sections: [{id: a, text: x}]}}"), message: "PC7005", shows: true},
	{name: "no such variant in full", says: []string{"run-list-of"}, setup: other("snapshots: {full: [agent/mode=c]}\nprompts: {agent: {axes: {mode: [a, b]}, sections: [{id: a, text: x}]}}"), message: "PC7005", shows: true},
	{name: "no such code", says: []string{"promptc-explain-code", "PC2032"}, setup: other("checks: [{code: PC9999, level: off, reason: x}]\nprompts: {agent: {sections: [{id: a, text: x}]}}"), message: "promptc explain CODE", found: "promptc explain PC2032", shows: true},
	{name: "a code of diff", says: []string{"set-by-fail-on", "PC2033", "PC8001", "PC8002"}, setup: other("checks: [{code: PC8001, level: off, reason: x}]\nprompts: {agent: {sections: [{id: a, text: x}]}}"), message: "--fail-on", found: "promptc diff --help", shows: true},
	{name: "no repository", says: []string{"start-in-repository"}, setup: "rm -rf .git", command: "promptc diff", message: "not in a git repository", found: "make one: (git init)", stays: true},
	{name: "a shallow clone", says: []string{"shallow"}, setup: origin + "git clone -q --depth 1 \"file://$PWD/../origin\" .", command: "promptc diff --base HEAD~1", message: "the clone is shallow", found: "shallow: ([^,]+),.*"},
	{name: "a branch that a shallow clone lacks", says: []string{"shallow"}, setup: origin + "git clone -q --depth 1 \"file://$PWD/../origin\" .", command: "promptc diff --base origin/topic", message: "the clone is shallow", found: "shallow: ([^,]+),.*"},
	{name: "a commit of others", says: []string{"fetch-commits"}, setup: origin + "git clone -q \"file://$PWD/../origin\" . && cd ../origin && git commit -q --allow-empty -m three", command: "promptc diff --base $(git -C ../origin rev-parse HEAD)", message: "names no commit", found: "(git fetch) gets.*"},
	{name: "a partial clone", says: []string{"fetch-unfiltered"}, setup: origin + "git clone -q --filter=blob:none \"file://$PWD/../origin\" .", command: "promptc diff --base HEAD~1", message: "the clone is partial", found: "fetch it: (.+)"},
	{name: "no such ref", says: []string{"list-or-fetch-refs"}, setup: "true", command: "promptc diff --base xyzzy", message: "git branch --all", found: "git branch --all", shows: true},
	{name: "a locked setting", says: []string{"PC2035"}, setup: other("extends: policy.yaml\nprompts: {agent: {budget: {tokens: 200}, sections: [{id: a, text: x}]}}") + "printf 'version: 1\\ndefaults: {budget: {tokens: 100}}\\nlocked: [budget]\\n' > policy.yaml", message: "PC2035", found: "promptc explain --policy agent", shows: true},
	{name: "who takes a tool", says: []string{"PC6009", "PC6016"}, setup: "true", command: "promptc explain agent", message: "agent", found: "promptc explain agent", shows: true},
}

func TestEveryRemedyWorks(t *testing.T) {
	needs(t, "sh", "git")
	folder := filepath.Dir(ourProgram(t))
	for _, row := range remedies {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			run := func(in, script string) (string, error) {
				cmd := exec.Command("sh", "-c", script)
				cmd.Dir = filepath.Join(top, in)
				cmd.Env = append(slices.Concat(os.Environ(), gitWorld(top)), "NO_COLOR=1", "FAKE_SERVER="+os.Args[0],
					"PATH="+folder+string(os.PathListSeparator)+fakes(t, top)+string(os.PathListSeparator)+os.Getenv("PATH"))
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			if out, err := run("", sound); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			_, _ = run("", row.setup) // a build may fail that leaves the message behind
			command := row.command
			if command == "" {
				command = "promptc check"
			}
			before, _ := run(row.in, command)
			if !strings.Contains(before, row.message) {
				t.Fatalf("the message %q is not there:\n%s", row.message, before)
			}
			remedy := row.remedyIn(t, before)
			if row.first != "" {
				if out, err := run(row.in, row.first); err != nil {
					t.Fatalf("%s: %v\n%s", row.first, err, out)
				}
			}
			out, err := run(row.in, remedy)
			if err != nil {
				t.Fatalf("%s: %v\n%s\nafter:\n%s", remedy, err, out, before)
			}
			if row.shows {
				return
			}
			if strings.HasPrefix(remedy, "promptc check") {
				command = remedy
			}
			if after, err := run(row.in, command); err != nil && !row.stays || strings.Contains(after, row.message) {
				t.Fatalf("after %s the message is there still:\n%s\nbefore it was\n%s", remedy, after, before)
			}
		})
	}
}

// remedyIn finds the command in what is printed, or takes that of the row.
func (r remedy) remedyIn(t *testing.T, printed string) string {
	t.Helper()
	found := r.found
	if found == "" {
		found = `run: (.+)`
	}
	if !strings.Contains(found, "(") {
		return found
	}
	all := regexp.MustCompile("(?m)"+found+"$").FindAllStringSubmatch(printed, -1)
	if len(all) == 0 {
		t.Fatalf("there is no command in\n%s", printed)
	}
	return all[len(all)-1][1]
}

// fakes gives a folder with a git-lfs that brings every file.
func fakes(t *testing.T, top string) string {
	t.Helper()
	folder := filepath.Join(filepath.Dir(top), "fakes")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\n[ \"$1\" = pull ] && echo 'Be brief.' > rules/a.md\n"
	if err := os.WriteFile(filepath.Join(folder, "git-lfs"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// inWords finds commands in sentences: those of promptc, of git, or a gap behind "run:".
var inWords = regexp.MustCompile(`promptc (build|check|diff|show|list|explain|tokens|pull|init|schema|help)\b|\bgit (add|rm|mv|restore|checkout|commit|lfs|fetch|config|init)\b|\brun: %s`)

// TestEveryRemedyIsTried holds that a hint or a page with a command has a row.
func TestEveryRemedyIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, row := range remedies {
		for _, what := range row.says {
			tried[what] = true
		}
	}
	for _, row := range wordings(t) {
		if inWords.MatchString(row[1]) && !tried[row[0]] && !slices.Contains(beyond, row[0]) {
			t.Errorf("no remedy is tried for the words %q: %s", row[0], row[1])
		}
	}
	for _, e := range diag.Codes() {
		if command := inPages.FindString(e.Explanation); command != "" && !tried[string(e.Code)] && !slices.Contains(described, e.Code) {
			t.Errorf("no remedy is tried for the page of %s: %s", e.Code, command)
		}
	}
}

// inPages finds commands in pages, where they stand as code.
var inPages = regexp.MustCompile("(?m)(`|^)(promptc (build|check|diff|show|list|explain|tokens|pull|init)|git [a-z]+)\\b")

// described are the codes whose pages name a command for what it does, not as a remedy.
var described = []diag.Code{"PC2041", "PC4009", "PC6036", "PC8011"}

// beyond are the words with a command that no project here can provoke, or that need more
// than the command: another user's repository, a damaged one, files that somebody has to
// decide about, folders of other projects.
var beyond = []string{"trust-repository", "fetch-again", "resolve-conflicts", "left-out-below"}

// wordings reads the tables of sentences: key and text.
func wordings(t *testing.T) [][2]string {
	t.Helper()
	files, err := filepath.Glob("../../pipeline/output/wording/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var out [][2]string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if row, ok := n.(*ast.CompositeLit); ok && len(row.Elts) == 2 {
				key, isKey := text(row.Elts[0])
				words, isText := text(row.Elts[1])
				if isKey && isText {
					out = append(out, [2]string{key, words})
				}
			}
			return true
		})
	}
	if len(out) < 100 {
		t.Fatalf("only %d sentences were found", len(out))
	}
	return out
}

func text(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}
