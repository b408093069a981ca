package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bury makes a folder look like a repository of its own, as a pull request can
// commit it: git finds it there, and takes the folder's own state for the
// base. Its configuration names a program for a fetch, which a partial
// repository makes by itself.
func (p *pull) bury(t *testing.T, folder, mark string, partial bool) {
	t.Helper()
	at := filepath.Join(p.dir, folder)
	put(t, at, map[string]string{"helper.sh": "echo ran >>'" + mark + "'\nexit 1\n"})
	made := &pull{dir: filepath.Join(t.TempDir(), "made")}
	if err := os.CopyFS(made.dir, os.DirFS(at)); err != nil {
		t.Fatal(err)
	}
	made.git(t, "init", "-q", "-b", "main")
	for range 3 {
		made.commit(t, "the state that is wanted")
	}
	if partial {
		gone := made.git(t, "rev-parse", "HEAD~2")
		if err := os.Remove(filepath.Join(made.dir, ".git", "objects", gone[:2], gone[2:])); err != nil {
			t.Fatal(err)
		}
	}
	put(t, made.dir, map[string]string{
		".git/packed-refs": made.git(t, "rev-parse", "HEAD~1") + " refs/remotes/origin/main\n",
		".git/config": "[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tworktree = .\n\tsshCommand = sh ./helper.sh\n" +
			"\tfsmonitor = sh ./helper.sh\n[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n\turl = ssh://x/y\n",
	})
	for _, name := range []string{"HEAD", "objects", "refs", "packed-refs", "config"} {
		from, to := filepath.Join(made.dir, ".git", name), filepath.Join(at, name)
		if st, err := os.Stat(from); err == nil && st.IsDir() {
			if err := os.CopyFS(to, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		put(t, at, map[string]string{name: content(from)})
	}
	p.git(t, "checkout", "-q", "topic")
	p.commit(t, "a repository in a folder")
	p.env["HEAD_SHA"] = p.git(t, "rev-parse", "HEAD")
	p.git(t, "checkout", "-q", "-f", "main")
	p.git(t, "reset", "-q", "--hard", "main^1")
	p.git(t, "merge", "-q", "--no-ff", "-m", "merge", "topic")
	p.env["GITHUB_SHA"] = p.git(t, "rev-parse", "HEAD")
}

// checkOut makes the checkout what actions/checkout makes of the merge that the
// server keeps.
func (p *pull) checkOut(t *testing.T) {
	t.Helper()
	server, to := filepath.Join(t.TempDir(), "server.git"), filepath.Join(t.TempDir(), "work")
	p.git(t, "clone", "-q", "--bare", p.dir, server)
	at := &pull{dir: server}
	at.git(t, "update-ref", "refs/pull/7/merge", "main")
	at.git(t, "update-ref", "refs/heads/main", "main^1")
	if err := os.Mkdir(to, 0o755); err != nil {
		t.Fatal(err)
	}
	p.dir = to
	p.git(t, "init", "-q", "-b", "main")
	p.git(t, "fetch", "-q", "--no-tags", "--depth=2", "file://"+server, "+"+p.env["GITHUB_SHA"]+":refs/remotes/pull/7/merge")
	p.git(t, "checkout", "-q", "--force", "refs/remotes/pull/7/merge")
}

// A pull request that commits what git takes for a repository changes nothing
// of what it is compared with, and has no program run.
func TestAPullRequestBringsNoBaseOfItsOwn(t *testing.T) {
	needs(t, "bash", "git", "od")
	program := ourProgram(t)
	long := map[string]string{"role.md": "You help, and you say what you did, and why, and what is left to do after it.\n"}
	for name, prepare := range map[string]func(t *testing.T, p *pull, mark string){
		"without a buried repository":   func(*testing.T, *pull, string) {},
		"with one":                      func(t *testing.T, p *pull, mark string) { t.Helper(); p.bury(t, "agents", mark, false) },
		"with a partial one":            func(t *testing.T, p *pull, mark string) { t.Helper(); p.bury(t, "agents", mark, true) },
		"with one above the manifest's": func(t *testing.T, p *pull, mark string) { t.Helper(); p.bury(t, ".", mark, true) },
	} {
		for _, folder := range []string{"agents", "agents/deep"} {
			if folder == "agents/deep" && name != "with one above the manifest's" {
				continue // the place makes a difference where the repository is above
			}
			t.Run(name+", in "+folder, func(t *testing.T) {
				t.Parallel()
				p := newPullIn(t, program, folder, nil, long)
				mark := filepath.Join(p.temp, "mark")
				prepare(t, p, mark)
				p.checkOut(t)
				p.env["FAIL_ON"] = "growth"
				status, said, got := p.run(t)
				if status != 1 || got["changed"] != "true" || got["affected"] != "agent/mode=ask\nagent/mode=edit" || !strings.Contains(said, "::error::the comparison meets a condition of the input \"fail-on\" (growth)") {
					t.Errorf("exits %d with %q, so that the gate can be passed:\n%s", status, got, said)
				}
				if report := content(got["report"]); !strings.Contains(report, "· `"+p.env["GITHUB_SHA"][:12]+"^1` →") {
					t.Errorf("the report does not name what it is compared with:\n%s", report)
				}
				if ran := content(mark); ran != "" {
					t.Errorf("a program of the pull request ran: %s", ran)
				}
			})
		}
	}
}

// A pull request can turn a folder into a submodule, whose commits are what its
// author likes.
func TestASubmoduleIsNotComparedWithItself(t *testing.T) {
	needs(t, "bash", "git", "od")
	p := newPullIn(t, ourProgram(t), "agents", nil, map[string]string{"role.md": "You help, and you say what you did.\n"})
	p.checkOut(t)
	inner := &pull{dir: filepath.Join(p.dir, "agents")}
	inner.git(t, "init", "-q", "-b", "main")
	inner.commit(t, "one")
	inner.git(t, "update-ref", "refs/remotes/origin/main", "HEAD")
	inner.commit(t, "two")
	p.env["FAIL_ON"] = "growth"
	status, said, got := p.run(t)
	if status != 1 || got["changed"] != "" || !strings.Contains(said, "::error::nothing was compared: neither the merge of the pull request nor its last commit") {
		t.Errorf("exits %d with %q:\n%s", status, got, said)
	}
}
