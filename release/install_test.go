package main

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// These tests install what `make release-snapshot` made, each into an empty
// folder and without the network, and work with what is installed. They run with
// `make release-test`, which names the folder.

// madeFolder is the folder of the release, and "" for a test that is skipped.
func madeFolder(t *testing.T, needs string) string {
	t.Helper()
	dist := os.Getenv("PROMPTC_RELEASE")
	if dist == "" {
		t.Skip("without PROMPTC_RELEASE, the folder of a release: make release-snapshot release-test")
	}
	if _, err := exec.LookPath(needs); err != nil {
		missing(t, needs+" is missing: its package is not tested", needs)
	}
	dist, err := filepath.Abs(dist)
	must(t, err)
	return dist
}

// missing skips a test. In CI it fails, unless .ci/run has said that the program is
// left out: what is not tried there is tried nowhere.
func missing(t *testing.T, why, program string) {
	t.Helper()
	if os.Getenv("CI") != "" && !slices.Contains(strings.Fields(os.Getenv("PROMPTC_WITHOUT")), program) {
		t.Fatal(why)
	}
	t.Skip(why)
}

// here is the platform of this machine.
func here(t *testing.T) platform {
	t.Helper()
	i := slices.IndexFunc(platforms, func(p platform) bool { return p.goos == runtime.GOOS && p.goarch == runtime.GOARCH })
	if i < 0 {
		t.Skipf("there is no release for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return platforms[i]
}

// shell runs a command in a folder, and gives what it prints.
func shell(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return string(out)
}

// work makes a project with an installed promptc, and changes it. The command
// is a program and its first arguments.
func work(t *testing.T, dist string, env []string, command ...string) {
	t.Helper()
	dir := t.TempDir()
	promptc := func(args ...string) string {
		t.Helper()
		return shell(t, dir, env, command[0], append(command[1:len(command):len(command)], args...)...)
	}
	var built struct {
		Commit string `json:"commit"`
	}
	must(t, json.Unmarshal(read(t, filepath.Join(dist, "metadata.json")), &built))
	if got := promptc("--version"); built.Commit == "" || !strings.Contains(got, "(commit "+built.Commit+", 20") {
		t.Errorf("--version says %q, and the commit is %q", got, built.Commit)
	}
	git := func(args ...string) {
		t.Helper()
		shell(t, dir, nil, "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	}
	git("init", "-q")
	promptc("init")
	promptc("build")
	git("add", "-A")
	git("commit", "-qm", "first")
	promptc("check")
	role := filepath.Join(dir, "prompts", "role.md")
	write(t, role, append(read(t, role), "\nAsk before you delete a file.\n"...))
	if got := promptc("diff"); !strings.Contains(got, "+Ask before you delete a file.") {
		t.Errorf("diff says\n%s", got)
	}
	late := exec.Command(command[0], append(command[1:len(command):len(command)], "check")...)
	late.Dir, late.Env = dir, append(os.Environ(), env...)
	var status *exec.ExitError
	if err := late.Run(); !errors.As(err, &status) || status.ExitCode() != 1 {
		t.Errorf("check of what was not built ends with %v, want 1", err)
	}
}

// registry is what npm asks: one that has the tarballs of the folder, and
// nothing else.
func registry(t *testing.T, folder string) (address string, downloads func() []string) {
	t.Helper()
	tarballs, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	must(t, err)
	documents, files := make(map[string]map[string]any), make(map[string][]byte)
	var lock sync.Mutex
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if document, ok := documents[r.URL.Path]; ok {
			must(t, json.NewEncoder(w).Encode(document))
			return
		}
		data, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		lock.Lock()
		got = append(got, strings.TrimPrefix(r.URL.Path, "/-/"))
		lock.Unlock()
		_, err := w.Write(data)
		must(t, err)
	}))
	t.Cleanup(server.Close)
	for _, path := range tarballs {
		data := read(t, path)
		var manifest map[string]any
		must(t, json.Unmarshal(npmFiles(t, path)["package/package.json"].data, &manifest))
		sum := sha512.Sum512(data)
		manifest["dist"] = map[string]any{
			"tarball":   server.URL + "/-/" + filepath.Base(path),
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
		}
		name, version := manifest["name"].(string), manifest["version"].(string)
		files["/-/"+filepath.Base(path)] = data
		documents["/"+name] = map[string]any{
			"name": name, "dist-tags": map[string]any{"latest": version}, "versions": map[string]any{version: manifest},
		}
	}
	return server.URL, func() []string {
		lock.Lock()
		defer lock.Unlock()
		slices.Sort(got)
		return slices.Compact(got)
	}
}

// npmEnv keeps npm to a registry, and away from what it knows of the machine.
func npmEnv(t *testing.T, address string) []string {
	t.Helper()
	home := t.TempDir()
	return []string{
		"npm_config_registry=" + address, "npm_config_cache=" + filepath.Join(home, "cache"),
		"npm_config_userconfig=" + filepath.Join(home, "npmrc"), "npm_config_globalconfig=" + filepath.Join(home, "globalrc"),
		"npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false", "npm_config_yes=true",
		"npm_config_ignore_scripts=true",
	}
}

func TestInstallWithNpm(t *testing.T) {
	dist, p := madeFolder(t, "npm"), here(t)
	address, downloads := registry(t, filepath.Join(dist, "npm"))
	env, dir := npmEnv(t, address), t.TempDir()
	shell(t, dir, env, "npm", "install", npmName)
	work(t, dist, nil, filepath.Join(dir, "node_modules", ".bin", "promptc"))
	// Of six programs one is downloaded.
	got := downloads()
	if len(got) != 2 || !strings.HasPrefix(got[0], "promptc-0") && !strings.HasPrefix(got[0], "promptc-1") || !strings.HasPrefix(got[1], "promptc-build-"+p.os+"-"+p.cpu+"-") {
		t.Errorf("npm downloads %q", got)
	}
}

func TestInstallWithNpx(t *testing.T) {
	dist := madeFolder(t, "npx")
	here(t)
	address, _ := registry(t, filepath.Join(dist, "npm"))
	work(t, dist, npmEnv(t, address), "npx", "promptc")
}

func TestInstallWithPip(t *testing.T) {
	dist := madeFolder(t, "python3")
	here(t)
	dir := t.TempDir()
	if out, err := exec.Command("python3", "-m", "venv", dir).CombinedOutput(); err != nil {
		missing(t, fmt.Sprintf("python3 cannot make an environment: the wheel is not tested: %v\n%s", err, out), "python3")
	}
	env := []string{"PIP_CONFIG_FILE=" + os.DevNull, "PIP_DISABLE_PIP_VERSION_CHECK=1"}
	wheels := []string{"--no-index", "--find-links", filepath.Join(dist, "python"), "--pre", pythonName}
	pip := filepath.Join(dir, "bin", "pip")
	shell(t, dir, env, pip, append([]string{"install"}, wheels...)...)
	work(t, dist, nil, filepath.Join(dir, "bin", "promptc"))
	// pip finds the wheel of every platform by its tags. CI makes those of some.
	for _, p := range platforms {
		if made, err := filepath.Glob(filepath.Join(dist, "python", "*"+p.tags[0]+"*")); err != nil || len(made) == 0 {
			continue
		}
		for _, tag := range p.tags {
			args := append([]string{"download", "--only-binary=:all:", "--no-deps", "--platform", tag, "--python-version", "3.8", "-d", t.TempDir()}, wheels...)
			if got := shell(t, dir, env, pip, args...); !strings.Contains(got, tag) {
				t.Errorf("for %s, pip takes\n%s", tag, got)
			}
		}
	}
	shell(t, dir, env, pip, "uninstall", "-y", pythonName)
	if _, err := os.Stat(filepath.Join(dir, "bin", "promptc")); !os.IsNotExist(err) {
		t.Errorf("pip leaves the program behind: %v", err)
	}
}

func TestInstallWithDpkg(t *testing.T) {
	dist, p := madeFolder(t, "dpkg"), here(t)
	packages, err := filepath.Glob(filepath.Join(dist, "promptc_*_"+p.goos+"_"+p.goarch+".deb"))
	must(t, err)
	if len(packages) != 1 {
		t.Fatalf("the packages are %q", packages)
	}
	root := t.TempDir()
	for _, name := range []string{"info", "updates"} {
		must(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg", name), 0o755))
	}
	write(t, filepath.Join(root, "var/lib/dpkg/status"), nil)
	options := []string{"--root=" + root, "--force-not-root", "--force-bad-path", "--log=" + filepath.Join(root, "log")}
	shell(t, root, nil, "dpkg", append(options, "--install", packages[0])...)
	for _, name := range []string{
		"share/bash-completion/completions/promptc", "share/zsh/vendor-completions/_promptc", "share/fish/vendor_completions.d/promptc.fish",
		"share/man/man1/promptc.1.gz", "share/doc/promptc/copyright", "share/doc/promptc/" + licencesFile,
	} {
		st, err := os.Stat(filepath.Join(root, "usr", name))
		if err != nil || st.Mode() != 0o644 {
			t.Errorf("%s: %v %v", name, st, err)
		}
	}
	work(t, dist, nil, filepath.Join(root, "usr/bin/promptc"))
	shell(t, root, nil, "dpkg", append(options, "--purge", "promptc")...)
	if left, err := filepath.Glob(filepath.Join(root, "usr/*/*")); err != nil || len(left) > 0 {
		t.Errorf("dpkg leaves behind %q (%v)", left, err)
	}
}

func TestInstallFromAnArchive(t *testing.T) {
	dist, p := madeFolder(t, "git"), here(t)
	version, err := versionOf(dist)
	must(t, err)
	files, err := untar(read(t, filepath.Join(dist, p.archive(version))))
	must(t, err)
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, f.data, f.mode()))
	}
	must(t, os.Chmod(filepath.Join(dir, p.program()), 0o755))
	for _, name := range []string{"LICENSE", licencesFile, "completions/promptc.bash", "completions/_promptc", "completions/promptc.fish", "man/promptc.1"} {
		if len(read(t, filepath.Join(dir, name))) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
	work(t, dist, nil, filepath.Join(dir, p.program()))
}
