package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stagedProject is small, and reads files in every way: by name, by pattern, by
// axis, through a fallback. Its artifacts are not part of the repository.
var stagedProject = map[string]string{
	"prompts.yaml": `version: 1
tokenizer: chars/4
artifacts: dist
sources:
  rules: {kind: rules, path: "rules/*.md"}
  tools: {kind: tools, path: "tools/*.json"}
  mode: {kind: text, path: "modes/{mode}.md", fallback: [modes/any.md]}
prompts:
  agent:
    axes: {mode: [ask, act]}
    budget: {tokens: 200}
    sections:
      - {id: role, path: role.md}
      - {id: mode, source: mode}
      - {id: rules, source: rules}
      - {id: tools, source: tools}
`,
	"role.md":         "You help.\n\nYou are brief.\n",
	"modes/ask.md":    "Answer only.\n",
	"modes/any.md":    "Do as you are told.\n",
	"rules/a.md":      "Keep private things private.\n",
	"rules/b.md":      "Ask before you act.\n",
	"tools/read.json": `{"name": "read", "description": "Reads a file.", "inputSchema": {"type": "object", "properties": {}}}` + "\n",
	".gitignore":      "dist/\n",
}

// TestWhatIsStagedIsCheckedAsTheCommitWouldBe stages random parts of random
// edits. What `check --staged` says, whatever the working tree holds, is what
// `check` says in a clean checkout of a commit of the index, but for the causes.
// The command that it prints brings the snapshots of the index up to date, if the
// working tree compiles. PROMPTC_STAGINGS=50 tries as many in each folder.
func TestWhatIsStagedIsCheckedAsTheCommitWouldBe(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	program := ourProgram(t)
	for _, folder := range []string{"", "team"} {
		t.Run("in the folder "+folder, func(t *testing.T) {
			t.Parallel()
			stageAndCheck(t, newStaging(t, program, folder), rounds(t, "PROMPTC_STAGINGS", 8))
		})
	}
}

func stageAndCheck(t *testing.T, s *staging, stagings int) {
	t.Helper()
	seen, settled := map[int]int{}, 0
	for i := range stagings {
		if i%4 == 0 {
			s.git("reset", "-q", "--hard", s.first)
			s.git("clean", "-qfd")
		}
		for range 1 + s.random.IntN(4) {
			s.edit()
		}
		if i%3 == 0 {
			s.build() // as one does who means to commit
		}
		s.stage(i%3 == 0)
		for range s.random.IntN(3) {
			s.edit() // after the staging: nobody may see it
		}
		staged := s.findings(s.dir, "check", "--staged")
		commit := strings.TrimSpace(s.git("commit-tree", "-m", "x", strings.TrimSpace(s.git("write-tree"))))
		fresh := filepath.Join(s.top, fmt.Sprintf("fresh-%d", i))
		s.git("worktree", "add", "-q", "--detach", fresh, commit)
		if diff := cmp.Diff(s.findings(filepath.Join(fresh, s.folder), "check"), staged); diff != "" {
			t.Fatalf("staging %d (%s)\n%s\n(-clean checkout +staged):\n%s", i, strings.Join(s.did, ", "), s.git("status", "--short"), diff)
		}
		seen[staged.Status]++
		if i%2 == 1 && s.settle() {
			settled++
		}
		s.did = nil
	}
	t.Logf("exit statuses: %v, settled: %d", seen, settled)
	if settled == 0 {
		t.Error("no remedy was run")
	}
	if seen[exitClean] == 0 || seen[exitFindings] == 0 {
		t.Errorf("the stagings are too much alike: exit statuses %v", seen)
	}
}

// staging is a repository in which edits are staged in parts.
type staging struct {
	t           *testing.T
	random      *rand.Rand
	top         string
	dir, folder string // of the project; in the repository
	program     string
	first       string // the first commit
	serial      int
	did         []string
	environment []string
}

func newStaging(t *testing.T, program, folder string) *staging {
	t.Helper()
	top := t.TempDir()
	s := &staging{
		t: t, random: rand.New(rand.NewPCG(5, uint64(len(folder)))), top: top,
		dir: filepath.Join(top, "work", folder), folder: folder,
		environment: append(append(os.Environ(), gitWorld(top)...), "NO_COLOR=1"),
		program:     program,
	}
	for name, text := range stagedProject {
		s.write(name, text)
	}
	s.build()
	s.git("init", "-q", "-b", "main", filepath.Join(top, "work"))
	s.git("add", ".")
	s.git("commit", "-q", "-m", "first")
	s.first = strings.TrimSpace(s.git("rev-parse", "HEAD"))
	return s
}

func (s *staging) git(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.dir, s.environment
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// said is what a run of the program says.
type said struct {
	Stdout, Stderr string
	Status         int
}

func (s *staging) run(dir string, args ...string) said {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(s.program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, s.environment, &stdout, &stderr
	if _, exited := errors.AsType[*exec.ExitError](cmd.Run()); !exited && !cmd.ProcessState.Success() {
		s.t.Fatalf("%s did not run", s.program)
	}
	return said{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// notStaged is what is said of an index that does not compile, beside a working tree that does.
var notStaged = regexp.MustCompile(`(?m)^promptc: note: the working tree compiles.*\n`)

// findings runs a command and gives all that it finds, without the causes, on which the
// places depend.
func (s *staging) findings(dir string, args ...string) said {
	s.t.Helper()
	out := s.run(dir, append(args, "--format", "json")...)
	var doc map[string]any
	if err := json.Unmarshal([]byte(out.Stdout), &doc); err != nil {
		s.t.Fatalf("%v\n%s%s", err, out.Stdout, out.Stderr)
	}
	changes, _ := doc["changes"].([]any)
	for _, c := range changes {
		if change, ok := c.(map[string]any); ok {
			delete(change, "cause")
			delete(change, "source")
		}
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		s.t.Fatal(err)
	}
	out.Stdout, out.Stderr = string(text), notStaged.ReplaceAllString(out.Stderr, "")
	return out
}

// settle runs the command that check prints, if it does and the working tree compiles,
// and holds that it settles the index.
func (s *staging) settle() bool {
	s.t.Helper()
	before := s.run(s.dir, "check", "--staged")
	remedy := printedRemedy.FindStringSubmatch(before.Stderr + before.Stdout)
	if remedy == nil || runtime.GOOS == "windows" || !strings.Contains(s.run(s.dir, "check", "--format", "json").Stdout, `"errors": 0,`) {
		return false
	}
	cmd := exec.Command("sh", "-c", remedy[1])
	cmd.Dir, cmd.Env = s.dir, append(slices.Clip(s.environment), "PATH="+filepath.Dir(s.program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	after := s.run(s.dir, "check", "--staged")
	if err != nil || printedRemedy.MatchString(after.Stderr+after.Stdout) {
		s.t.Errorf("after %s: %v\n%s\nit was\n%s\nand is\n%s", remedy[1], err, out, before.Stdout, after.Stdout)
	}
	return true
}

var printedRemedy = regexp.MustCompile(`(?m)(?:^|; )run: (.+)$`)

// edit changes something in the working tree.
func (s *staging) edit() {
	s.t.Helper()
	s.serial++
	line := fmt.Sprintf("Sentence %d.\n", s.serial)
	sources := s.list("ls-files", "role.md", "modes", "rules", "tools")
	snapshots := s.list("ls-files", "snapshots")
	switch n := s.random.IntN(12); {
	case n < 2 && len(sources) > 0:
		s.append(pick(s.random, sources), line)
	case n == 2:
		s.write(fmt.Sprintf("rules/%d.md", s.serial), line)
	case n == 3 && len(sources) > 0:
		s.remove(pick(s.random, sources))
	case n == 4:
		s.write("modes/act.md", line)
	case n == 5 && len(snapshots) > 0:
		s.append(pick(s.random, snapshots), line)
	case n == 6 && len(snapshots) > 0:
		s.remove(pick(s.random, snapshots))
	case n == 7:
		budget := []string{"5", "300", "400", "few"}[s.random.IntN(4)]
		s.write("prompts.yaml", strings.Replace(stagedProject["prompts.yaml"], "tokens: 200", "tokens: "+budget, 1))
	case n == 8:
		s.link(fmt.Sprintf("rules/%d.md", s.serial), []string{"a.md", "../role.md", "nowhere.md"}[s.random.IntN(3)])
	default:
		s.build()
	}
}

func (s *staging) build() {
	s.t.Helper()
	s.did = append(s.did, "build")
	s.run(s.dir, "build")
}

// stage adds all or some of what changed: whole files, or a text that is neither the
// committed nor the one in the working tree.
func (s *staging) stage(all bool) {
	s.t.Helper()
	changed := s.list("ls-files", "-m", "-o", "-d", "--exclude-standard")
	for _, name := range slices.Compact(changed) {
		switch n := s.random.IntN(6); {
		case all || n < 3:
			s.did = append(s.did, "add "+name)
			s.git("add", "-A", "--", name)
		case n == 3 && strings.HasSuffix(name, ".md"):
			s.did = append(s.did, "other text for "+name)
			s.serial++
			part := filepath.Join(s.top, "part")
			if err := os.WriteFile(part, fmt.Appendf(nil, "Part %d.\n", s.serial), 0o644); err != nil {
				s.t.Fatal(err)
			}
			blob := strings.TrimSpace(s.git("hash-object", "-w", part))
			s.git("update-index", "--add", "--cacheinfo", "100644,"+blob+","+path.Join(s.folder, name))
		}
	}
}

// list gives the names that a git command prints, sorted, without those of a
// pattern that matches nothing.
func (s *staging) list(args ...string) []string {
	s.t.Helper()
	names := strings.FieldsFunc(s.git(append([]string{args[0], "-z"}, args[1:]...)...), func(r rune) bool { return r == 0 })
	slices.Sort(names)
	return names
}

func (s *staging) append(name, text string) {
	s.t.Helper()
	s.did = append(s.did, "edit "+name)
	was, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.t.Fatal(err)
	}
	s.remove(name) // a link is replaced, not followed
	s.write(name, string(was)+text)
}

func (s *staging) remove(name string) {
	s.t.Helper()
	s.did = append(s.did, "remove "+name)
	if err := os.Remove(filepath.Join(s.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.t.Fatal(err)
	}
}

func (s *staging) link(name, to string) {
	s.t.Helper()
	s.did = append(s.did, "link "+name)
	if err := os.MkdirAll(filepath.Dir(filepath.Join(s.dir, name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Symlink(to, filepath.Join(s.dir, name)); err != nil {
		s.t.Fatal(err)
	}
}

func pick(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }

func (s *staging) write(name, text string) {
	s.t.Helper()
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}
