package git_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/world/git"
)

// A folder with HEAD, objects and refs in it is a folder like any other: a
// commit can hold these.
func TestAFolderThatLooksLikeARepositoryIsNone(t *testing.T) {
	r := newRepo(t)
	r.commit("one", map[string]string{"a/x": "old", "a/deep/y": "y"})
	other := newRepo(t)
	other.commit("other", map[string]string{"x": "other"})
	for _, config := range []string{"", "[core]\n\tbare = false\n\tworktree = .\n", "[core]\n\tbare = true\n"} {
		if err := os.RemoveAll(filepath.Join(r.dir, "a")); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(filepath.Join(r.dir, "a"), os.DirFS(filepath.Join(other.dir, ".git"))); err != nil {
			t.Fatal(err)
		}
		r.write(map[string]string{"a/config": config, "a/x": "new", "a/deep/y": "y"})
		same(t, tree(t, r.open("a"), "HEAD"), map[string]string{"x": "old", "deep/y": "y"})
		same(t, index(t, r.open(filepath.Join("a", "deep"))), map[string]string{"y": "y"})
		same(t, tree(t, r.open(filepath.Join("a", "refs")), "HEAD"), map[string]string{})
	}
	// Where there is no `.git`, there is no repository that is read.
	if err := os.Rename(filepath.Join(r.dir, ".git"), filepath.Join(filepath.Dir(r.dir), "gone")); err != nil {
		t.Fatal(err)
	}
	_, err := git.Open(t.Context(), filepath.Join(r.dir, "a"))
	refused(t, err, git.NotRepository, "is in a bare repository")
}

// What is called `.git` and is none is no repository, and no reason to take the
// folder that holds it for one, or the one above.
func TestWhatIsOnlyCalledGit(t *testing.T) {
	r := newRepo(t)
	r.commit("one", map[string]string{"a/x": "x"})
	if err := os.Mkdir(filepath.Join(r.dir, "a", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := git.Open(t.Context(), filepath.Join(r.dir, "a"))
	refused(t, err, git.NotRepository, "is not in a git repository", "git init")
	other := newRepo(t)
	if err := os.CopyFS(filepath.Join(r.dir, "a"), os.DirFS(filepath.Join(other.dir, ".git"))); err != nil {
		t.Fatal(err)
	}
	r.write(map[string]string{"a/.git/HEAD": "nothing\n"})
	_, err = git.Open(t.Context(), filepath.Join(r.dir, "a"))
	refused(t, err, git.NotRepository, "is not in a git repository")
	if err := os.RemoveAll(filepath.Join(r.dir, "a", ".git")); err != nil {
		t.Fatal(err)
	}
	r.write(map[string]string{"a/.git": "gitdir: nowhere\n"})
	_, err = git.Open(t.Context(), filepath.Join(r.dir, "a"))
	refused(t, err, git.NotRepository, "is not in a git repository")
}

// hostile are settings that name a program to be run, a file to be written, or
// another place to look at. @mark@ stands for a program that leaves a mark,
// @out@ for a file, @else@ for another repository.
var hostile = map[string]string{
	"a file system monitor": "[core]\n\tfsmonitor = @mark@\n\tfsmonitorHookVersion = 2\n",
	"programs of transports": "[core]\n\tsshCommand = @mark@\n\tgitProxy = @mark@\n\taskPass = @mark@\n[credential]\n\thelper = !@mark@\n" +
		"[remote \"origin\"]\n\turl = ssh://x/y\n\tuploadpack = @mark@\n\tpromisor = true\n[extensions]\n\tpartialClone = origin\n[protocol \"ext\"]\n\tallow = always\n[protocol]\n\tallow = always\n",
	"a remote that is a program": "[remote \"origin\"]\n\turl = ext::@mark@\n\tpromisor = true\n[protocol \"ext\"]\n\tallow = always\n[url \"ext::@mark@ \"]\n\tinsteadOf = ssh\n",
	"hooks":                      "[core]\n\thooksPath = @hooks@\n[gc]\n\tauto = 1\n[maintenance]\n\tauto = true\n",
	"filters":                    "[filter \"x\"]\n\tclean = @mark@\n\tsmudge = @mark@\n\tprocess = @mark@\n\trequired = true\n",
	"differences":                "[diff]\n\texternal = @mark@\n\tsubmodule = log\n[diff \"x\"]\n\ttextconv = @mark@\n\tcommand = @mark@\n[merge \"x\"]\n\tdriver = @mark@\n",
	"pagers and editors": "[core]\n\tpager = @mark@\n\teditor = @mark@\n[pager]\n\tls-tree = true\n\trev-parse = @mark@\n\tfor-each-ref = @mark@\n\tconfig = @mark@\n\tls-files = @mark@\n" +
		"[sequence]\n\teditor = @mark@\n[interactive]\n\tdiffFilter = @mark@\n",
	"signatures":                  "[gpg]\n\tprogram = @mark@\n[log]\n\tshowSignature = true\n[tag]\n\tgpgSign = true\n",
	"aliases":                     "[alias]\n\trev-parse = !@mark@\n\tls-tree = !@mark@\n\tcat-file = !@mark@\n\tls-files = !@mark@\n[help]\n\tautocorrect = immediate\n",
	"traces":                      "[trace2]\n\teventTarget = @out@\n\tnormalTarget = @out@\n\tperfTarget = @out@\n",
	"traces that are included":    "[include]\n\tpath = @else@/.git/trace\n",
	"another work tree":           "[core]\n\tworktree = @else@\n",
	"no work tree":                "[core]\n\tbare = true\n",
	"refs of others":              "[core]\n\talternateRefsCommand = @mark@\n\talternateRefsPrefixes = refs/\n",
	"submodules":                  "[submodule]\n\trecurse = true\n\tactive = .\n[fetch]\n\trecurseSubmodules = true\n[status]\n\tsubmoduleSummary = true\n",
	"words in another order":      "[diff]\n\tnoprefix = true\n\trelative = false\n\tmnemonicPrefix = true\n\trenames = copies\n[core]\n\tquotePath = true\n\twarnAmbiguousRefs = false\n[color]\n\tui = always\n[column]\n\tui = always\n",
	"files that are not to be so": "[core]\n\tattributesFile = @out@\n\texcludesFile = @out@\n\tsparseCheckout = true\n\tuntrackedCache = true\n\tsplitIndex = true\n\tlogAllRefUpdates = always\n",
}

func TestSettingsOfARepositoryRunNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that leaves a mark is a script")
	}
	for name, settings := range hostile {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.commit("one", map[string]string{"s/a.md": "one", ".gitattributes": "* filter=x diff=x merge=x\n"})
			r.commit("two", map[string]string{"s/a.md": "two"})
			missing := strings.Repeat("1", 40)
			r.git("update-ref", "refs/tags/base", "HEAD~1")
			r.write(map[string]string{"s/a.md": "three", "s/void": ""})
			r.git("add", "s")
			other := newRepo(t)
			at := t.TempDir()
			mark, ran, out := filepath.Join(at, "mark.sh"), filepath.Join(at, "ran"), filepath.Join(at, "out")
			script := "#!/bin/sh\necho \"$0 $*\" >>'" + ran + "'\nexit 1\n"
			repo{t, at}.write(map[string]string{"mark.sh": script, "hooks/post-index-change": script, "hooks/reference-transaction": script, "hooks/pre-auto-gc": script})
			for _, program := range []string{"mark.sh", "hooks/post-index-change", "hooks/reference-transaction", "hooks/pre-auto-gc"} {
				if err := os.Chmod(filepath.Join(at, program), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			words := strings.NewReplacer("@mark@", mark, "@out@", out, "@else@", other.dir, "@hooks@", filepath.Join(at, "hooks"))
			other.write(map[string]string{".git/trace": words.Replace(hostile["traces"])})
			config := filepath.Join(r.dir, ".git", "config")
			before, err := os.ReadFile(config)
			if err != nil {
				t.Fatal(err)
			}
			// Programs of partial clones are named only where there is one.
			version := strings.Replace(string(before), "repositoryformatversion = 0", "repositoryformatversion = 1", 1)
			r.write(map[string]string{".git/config": version + words.Replace(settings)})
			files := snapshot(t, filepath.Dir(r.dir))

			repository := r.open("s")
			same(t, tree(t, repository, "HEAD"), map[string]string{"a.md": "two"})
			same(t, tree(t, repository, "base"), map[string]string{"a.md": "one"})
			same(t, index(t, repository), map[string]string{"a.md": "three", "void": ""})
			if base, err := repository.MergeBase("HEAD", "base"); err != nil || len(base) != 40 {
				t.Errorf("MergeBase: %q, %v", base, err)
			}
			if last, err := repository.LastChange("a.md"); err != nil || len(last) != 40 {
				t.Errorf("LastChange: %q, %v", last, err)
			}
			_, err = repository.Tree("HEDA~1")
			refused(t, err, git.UnknownRef, `did you mean "HEAD"?`)
			_, err = repository.Tree(missing)
			if _, ok := errors.AsType[*git.Error](err); !ok {
				t.Errorf("an object that is nowhere: %v", err)
			}
			if text, err := os.ReadFile(ran); err == nil {
				t.Errorf("programs ran: %s", text)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("a file was written")
			}
			if diff := cmp.Diff(files, snapshot(t, filepath.Dir(r.dir))); diff != "" {
				t.Errorf("the repository was changed: %s", diff)
			}
		})
	}
}

// snapshot gives the content of all files below a folder.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
