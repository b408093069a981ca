package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	releasesPath = "/promptc-build/promptc/releases/download/"
	releasePath  = releasesPath + "v1.2.3/"
	linuxArchive = "promptc_1.2.3_linux_amd64.tar.gz"
	taggedCommit = "0123456789abcdef0123456789abcdef01234567"
	// Released programs are scripts here, that say their version like promptc.
	releasedProgram = "#!/bin/sh\necho \"promptc v1.2.3\"\n"
)

// releaseServer serves releases as GitHub does, and notes what is asked of it.
type releaseServer struct {
	files map[string]http.HandlerFunc // by path
	mu    sync.Mutex
	asked []string
}

func (s *releaseServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, strings.TrimPrefix(r.URL.Path, releasePath))
	s.mu.Unlock()
	if answer := s.files[r.URL.Path]; answer != nil {
		answer(w, r)
		return
	}
	http.NotFound(w, r)
}

func (s *releaseServer) timesAsked(name string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.asked {
		if a == name {
			n++
		}
	}
	return n
}

func answers(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func forbidden(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }

// lists is a server with these tags, in the order in which git sends them.
func lists(tags ...string) map[string]http.HandlerFunc {
	var text strings.Builder
	for _, tag := range slices.Sorted(slices.Values(tags)) {
		fmt.Fprintf(&text, "%040x\trefs/tags/%s\n%s\trefs/tags/%s^{}\n", len(tag), tag, taggedCommit, tag)
	}
	return map[string]http.HandlerFunc{"/promptc-build/promptc/info/refs": answers(text.String())}
}

func with(files map[string]http.HandlerFunc, name string, answer http.HandlerFunc) map[string]http.HandlerFunc {
	out := maps.Clone(files)
	out[name] = answer
	return out
}

// breaksOff sends half of a text, having announced all of it if it says so.
func breaksOff(t *testing.T, text string, announced bool) http.HandlerFunc {
	t.Helper()
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		head := "HTTP/1.0 200 OK\r\n"
		if announced {
			head += fmt.Sprintf("Content-Length: %d\r\n", len(text))
		}
		_, _ = io.WriteString(conn, head+"\r\n"+text[:len(text)/2])
	}
}

func tarball(t *testing.T, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))})
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	for _, c := range []io.Closer{w, z} {
		if err == nil {
			err = c.Close()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func checksum(name, text string) string {
	return fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text)), name)
}

// installCase is a run of the action's script: what it is told, and what the
// server has that differs from a good release.
type installCase struct {
	name   string
	env    map[string]string
	files  map[string]http.HandlerFunc // by name in the release, or by path
	cached string                      // what the cache has for the archive
	gh     string                      // what a gh on the PATH does

	status    int
	installed string
	says      string
}

func installCases(t *testing.T) []installCase {
	t.Helper()
	archive := tarball(t, "promptc", releasedProgram)
	const built, loud = "false", "::warning::"
	tags := lists("v1.2.3", "v1", "v1.2.10", "v1.10.0", "v1.10.1-rc1", "v2.0.0", "v10.0.0", "v1.9.0", "v1.2.2")
	const skipped = "v1.10.0 is not published\nv1.9.0 is not published\nv1.2.10 is not published\n"
	return []installCase{
		{name: "the release at which the action was named", installed: "true", says: "installed promptc v1.2.3"},
		{name: "the release that is asked for", env: map[string]string{"VERSION": "v1.2.3", "ACTION_REF": "v9.9.9"}, installed: "true"},
		{name: "one without v", env: map[string]string{"VERSION": "1.2.3", "ACTION_REPOSITORY": ""}, installed: "true"},
		{name: "the release of a commit", env: map[string]string{"ACTION_REF": taggedCommit}, installed: "true"},
		{name: "a commit without a release", env: map[string]string{"ACTION_REF": strings.Repeat("a", 40)}, installed: built, says: "the action is not named at a release: promptc is built with Go\n"},
		{name: "releases that cannot be listed", env: map[string]string{"ACTION_REF": taggedCommit}, files: map[string]http.HandlerFunc{"/promptc-build/promptc/info/refs": http.NotFound}, installed: built, says: "::warning::the releases of promptc-build/promptc cannot be listed: promptc is built with Go\n"},
		{name: "a commit whose release is not published", env: map[string]string{"ACTION_REF": taggedCommit}, files: map[string]http.HandlerFunc{"checksums.txt": http.NotFound}, installed: built, says: "::warning::no release of " + taggedCommit + " is published: promptc is built with Go\n"},
		{name: "a major version", env: map[string]string{"ACTION_REF": "v1"}, installed: "true", says: "installed promptc v1.2.3"},
		{name: "a minor version", env: map[string]string{"ACTION_REF": "v1.2"}, files: tags, installed: "true", says: "v1.2.10 is not published\n"},
		{name: "the newest release is the one that is published", env: map[string]string{"ACTION_REF": "v1"}, files: tags, installed: "true", says: skipped},
		{name: "a major version that is asked for", env: map[string]string{"VERSION": "v1", "ACTION_REF": "main"}, files: tags, installed: "true", says: skipped},
		{name: "one without v that is asked for", env: map[string]string{"VERSION": "1", "ACTION_REPOSITORY": ""}, files: tags, installed: "true", says: skipped},
		{name: "a minor version that is asked for", env: map[string]string{"VERSION": "1.2"}, files: tags, installed: "true", says: "v1.2.10 is not published\n"},
		{name: "a major version without a release", env: map[string]string{"ACTION_REF": "v3"}, files: tags, installed: built, says: "::warning::no release of v3 is published: promptc is built with Go\n"},
		{name: "a major version before its release", env: map[string]string{"ACTION_REF": "v2"}, files: tags, installed: built, says: "v2.0.0 is not published\n::warning::no release of v2 is published"},
		{name: "a major version where tags cannot be listed", env: map[string]string{"ACTION_REF": "v1"}, files: map[string]http.HandlerFunc{"/promptc-build/promptc/info/refs": http.NotFound}, installed: built, says: "::warning::the releases of promptc-build/promptc cannot be listed: promptc is built with Go\n"},
		{name: "a major version whose newest release cannot be asked", env: map[string]string{"ACTION_REF": "v1"}, files: with(tags, releasesPath+"v1.10.0/checksums.txt", forbidden), installed: built, says: "::warning::checksums.txt of v1.10.0 cannot be downloaded: promptc is built with Go\n"},
		{name: "a major version of a fork", env: map[string]string{"ACTION_REPOSITORY": "fork/promptc", "ACTION_REF": "v1"}, installed: built, says: "is not taken from"},
		{name: "a wrong checksum of a major version", env: map[string]string{"ACTION_REF": "v1"}, files: with(tags, "checksums.txt", answers(checksum(linuxArchive, "other"))), status: 3, says: "::error::promptc was not installed: the SHA-256"},
		{name: "a commit that is asked for", env: map[string]string{"VERSION": "1234567"}, installed: built, says: "names no release"},
		{name: "a branch", env: map[string]string{"ACTION_REF": "main"}, installed: built, says: "not named at a release"},
		{name: "a local action", env: map[string]string{"ACTION_REPOSITORY": "", "ACTION_REF": ""}, installed: built, says: "is not taken from"},
		{name: "the action of a fork", env: map[string]string{"ACTION_REPOSITORY": "fork/promptc"}, installed: built, says: "is not taken from"},
		{name: "what Go calls a version", env: map[string]string{"VERSION": "latest"}, installed: built, says: "names no release"},
		{name: "a version that is a command", env: map[string]string{"VERSION": "v1.2.3$(touch pwned)"}, installed: built, says: "names no release"},
		{name: "a version that is a path", env: map[string]string{"VERSION": "1.2.3-../../../x"}, installed: built, says: "names no release"},
		{name: "a version of two lines", env: map[string]string{"VERSION": "v1.2.3\n::error::x"}, installed: built, says: "names no release"},
		{name: "a system without releases", env: map[string]string{"RUNNER_ARCH": "ARM"}, installed: built, says: "no release is made for Linux on ARM"},
		{name: "Windows", env: map[string]string{"RUNNER_OS": "Windows"}, installed: "true"},
		{name: "no release", files: map[string]http.HandlerFunc{"checksums.txt": http.NotFound, linuxArchive: http.NotFound}, installed: built, says: loud},
		{name: "no checksums", files: map[string]http.HandlerFunc{"checksums.txt": http.NotFound}, installed: built, says: loud},
		{name: "no archive", files: map[string]http.HandlerFunc{linuxArchive: http.NotFound}, installed: built, says: loud},
		{name: "nobody answers", env: map[string]string{"SERVER": "http://127.0.0.1:1"}, installed: built, says: loud},
		{name: "a download that breaks off", files: map[string]http.HandlerFunc{linuxArchive: breaksOff(t, archive, true)}, installed: built, says: loud},
		{name: "one that breaks off unnoticed", files: map[string]http.HandlerFunc{linuxArchive: breaksOff(t, archive, false)}, status: 3, says: "::error::promptc was not installed: the SHA-256 of " + linuxArchive + " is not the one"},
		{name: "a wrong checksum", files: map[string]http.HandlerFunc{"checksums.txt": answers(checksum(linuxArchive, "other"))}, status: 3, says: "::error::promptc was not installed: the SHA-256"},
		{name: "another archive", files: map[string]http.HandlerFunc{linuxArchive: answers(tarball(t, "promptc", "#!/bin/sh\ntouch pwned\n"))}, status: 3, says: "::error::promptc was not installed: the SHA-256"},
		{name: "a missing checksum", files: map[string]http.HandlerFunc{"checksums.txt": answers(checksum("promptc_1.2.3_linux_arm64.tar.gz", archive))}, status: 3, says: "has no single SHA-256"},
		{name: "a checksum of a name that only ends like it", files: map[string]http.HandlerFunc{"checksums.txt": answers(checksum("x/"+linuxArchive, archive))}, status: 3, says: "has no single SHA-256"},
		{name: "two checksums", files: map[string]http.HandlerFunc{"checksums.txt": answers(checksum(linuxArchive, archive) + checksum(linuxArchive, "other"))}, status: 3, says: "has no single SHA-256"},
		{name: "an empty checksum", files: map[string]http.HandlerFunc{"checksums.txt": answers("  " + linuxArchive + "\n")}, status: 3, says: "has no single SHA-256"},
		{name: "a redirection", files: map[string]http.HandlerFunc{linuxArchive: http.RedirectHandler("/elsewhere", http.StatusFound).ServeHTTP, "/elsewhere": answers(archive)}, installed: "true"},
		{name: "a redirection to a file", files: map[string]http.HandlerFunc{"checksums.txt": http.RedirectHandler("file:///etc/hostname", http.StatusFound).ServeHTTP}, installed: built, says: loud},
		{name: "a cache of something else", cached: "not an archive", installed: "true"},
		{name: "an archive that is attested", gh: ghAttests, env: map[string]string{"GH_TOKEN": "t"}, installed: "true", says: "the attestation is right"},
		{name: "one that is not", gh: strings.ReplaceAll(ghAttests, "verificationResult", ""), env: map[string]string{"GH_TOKEN": "t"}, status: 3, says: "does not attest"},
		{name: "a gh that fails", gh: strings.ReplaceAll(ghAttests, "echo '[{", "exit 1; '[{"), env: map[string]string{"GH_TOKEN": "t"}, status: 3, says: "does not attest"},
		{name: "an old gh", gh: "exit 0", env: map[string]string{"GH_TOKEN": "t"}, installed: "true", says: "the attestation was not verified"},
		{name: "a gh without a token", gh: "exit 1", installed: "true", says: "the attestation was not verified"},
		{name: "a gh of another server", gh: "exit 1", env: map[string]string{"GH_TOKEN": "t", "GITHUB_SERVER_URL": "https://git.example"}, installed: "true", says: "the attestation was not verified"},
	}
}

// ghAttests is a gh that finds an attestation if it is asked for the right one.
const ghAttests = `case "$*" in
  'attestation verify --help') echo '--source-ref string' ;;
  "attestation verify ` + linuxArchive + ` --repo promptc-build/promptc --source-ref refs/tags/v1.2.3 --signer-workflow promptc-build/promptc/.github/workflows/release.yml --format json") echo '[{"verificationResult": {}}]' ;;
  *) echo "gh $*" >&2; exit 2 ;;
esac`

// The action runs no program but one that its release vouches for, and builds
// promptc only where there is no release to be had.
func TestTheActionInstallsWhatItsReleaseVouchesFor(t *testing.T) {
	needs(t, "bash", "curl", "tar", "unzip", "awk", "git")
	for _, tc := range installCases(t) {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			in := newInstall(t, tc)
			status, said := in.run(t)
			if status != tc.status || !strings.Contains(said, tc.says) {
				t.Errorf("exits %d, want %d and %q:\n%s", status, tc.status, tc.says, said)
			}
			if got := outputsOf(t, content(in.env["GITHUB_OUTPUT"]))["installed"]; got != tc.installed {
				t.Errorf("installed=%s, want %s", got, tc.installed)
			}
			if got := names(t, in.workspace); len(got) > 0 {
				t.Errorf("the workspace has %q", got)
			}
			in.holds(t, tc, said)
		})
	}
}

// holds checks the program and the cache.
func (in *install) holds(t *testing.T, tc installCase, said string) {
	t.Helper()
	programs, err := filepath.Glob(filepath.Join(in.env["RUNNER_TEMP"], "promptc-action", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if tc.installed != "true" {
		if kept := names(t, in.env["RUNNER_TOOL_CACHE"]); len(programs)+len(kept) > 0 {
			t.Errorf("there is %q, and in the cache %q", programs, kept)
		}
		return
	}
	want, archive := "promptc", linuxArchive
	if tc.env["RUNNER_OS"] == "Windows" {
		want, archive = "promptc.exe", "promptc_1.2.3_windows_amd64.zip"
	}
	if len(programs) != 1 || filepath.Base(programs[0]) != want || content(programs[0]) != releasedProgram {
		t.Errorf("the programs are %q:\n%s", programs, said)
	}
	if got := names(t, filepath.Join(in.env["RUNNER_TOOL_CACHE"], "promptc")); !slices.Equal(got, []string{archive}) {
		t.Errorf("the cache has %q", got)
	}
	// Again, from the cache.
	before := in.server.timesAsked(archive)
	if status, said := in.run(t); status != 0 || !strings.Contains(said, "is in the cache") || in.server.timesAsked(archive) != before {
		t.Errorf("the second time: %d\n%s", status, said)
	}
}

// install is a runner on which the action is about to install promptc.
type install struct {
	server    *releaseServer
	env       map[string]string
	workspace string
}

func newInstall(t *testing.T, tc installCase) *install {
	t.Helper()
	archive, zip := tarball(t, "promptc", releasedProgram), zipped(t, "promptc.exe", releasedProgram)
	const zipName = "promptc_1.2.3_windows_amd64.zip"
	server := &releaseServer{files: map[string]http.HandlerFunc{
		releasePath + "checksums.txt": answers(checksum(zipName, zip) + checksum(linuxArchive, archive)),
		releasePath + linuxArchive:    answers(archive),
		releasePath + zipName:         answers(zip),
		"/promptc-build/promptc/info/refs": answers(strings.Repeat("f", 40) + "\trefs/tags/v1.2.3\n" + taggedCommit + "\trefs/tags/v1.2.3^{}\n" +
			taggedCommit + "\trefs/tags/v1\n" + strings.Repeat("a", 40) + "\trefs/tags/very-new\n"),
	}}
	for name, answer := range tc.files {
		if !strings.HasPrefix(name, "/") {
			name = releasePath + name
		}
		server.files[name] = answer
	}
	listens := httptest.NewServer(server)
	t.Cleanup(listens.Close)
	temp, tools, programs := t.TempDir(), t.TempDir(), t.TempDir()
	if tc.gh == "" {
		tc.gh = "exit 1"
	}
	put(t, programs, map[string]string{"gh": "#!/bin/bash\n" + tc.gh + "\n"})
	if err := os.Chmod(filepath.Join(programs, "gh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if tc.cached != "" {
		put(t, tools, map[string]string{"promptc/" + linuxArchive: tc.cached})
	}
	put(t, temp, map[string]string{"output": ""})
	env := map[string]string{
		"SERVER": listens.URL, "REPOSITORY": "promptc-build/promptc", "VERSION": "", "ACTION_REPOSITORY": "promptc-build/promptc", "ACTION_REF": "v1.2.3",
		"GH_TOKEN": "", "GITHUB_SERVER_URL": "https://github.com", "GITHUB_OUTPUT": filepath.Join(temp, "output"),
		"RUNNER_TEMP": temp, "RUNNER_TOOL_CACHE": tools, "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
		"PATH": programs + string(os.PathListSeparator) + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM": "1",
	}
	maps.Copy(env, tc.env)
	return &install{server: server, env: env, workspace: t.TempDir()}
}

func (in *install) run(t *testing.T) (int, string) {
	t.Helper()
	script, err := filepath.Abs("../../action/install.sh")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"SCRIPT=" + script}
	for name, value := range in.env {
		env = append(env, name+"="+value)
	}
	status, said := bash(t, in.workspace, `bash "$SCRIPT"`, env...)
	return status, regexp.MustCompile(`(?m)^curl: .*\n`).ReplaceAllString(said, "") // its words are its own
}

// What the script is told is what the action's step gives it, and nothing that a
// pull request chooses says where a program comes from.
func TestTheActionSaysWhereReleasesAre(t *testing.T) {
	for _, s := range stepsOf(t, content("../../action.yml")) {
		if s.ID != "release" {
			continue
		}
		want := map[string]string{
			"SERVER": "https://github.com", "REPOSITORY": "promptc-build/promptc", "VERSION": "${{ inputs.version }}", "GH_TOKEN": "${{ github.token }}",
			"ACTION_REPOSITORY": "${{ github.action_repository }}", "ACTION_REF": "${{ github.action_ref }}",
		}
		if diff := cmp.Diff(want, s.Env); diff != "" {
			t.Error(diff)
		}
		if s.Run != `bash "$GITHUB_ACTION_PATH/action/install.sh"` {
			t.Errorf("runs %q", s.Run)
		}
		return
	}
	t.Error("the action has no step called release")
}

// Where no release is installed, Go builds the action itself, or what is asked for.
func TestTheActionBuildsTheVersionThatIsAskedFor(t *testing.T) {
	needs(t, "bash")
	script := ""
	for _, s := range stepsOf(t, content("../../action.yml")) {
		if s.Name == "Build promptc" {
			script = s.Run
		}
	}
	programs := t.TempDir()
	put(t, programs, map[string]string{"go": "#!/bin/bash\nprintf '%s\\n' \"$*\"\n"})
	if err := os.Chmod(filepath.Join(programs, "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	const module = "install -trimpath github.com/promptc-build/promptc/cmd/promptc@"
	for _, tc := range []struct {
		version, says string
		status        int
	}{
		{version: "", says: "install -trimpath -buildvcs=false ./cmd/promptc\n"},
		{version: "v1", says: module + "v1\n"},
		{version: "1", says: module + "v1\n"},
		{version: "1.2", says: module + "v1.2\n"},
		{version: "1.2.3-rc1", says: module + "v1.2.3-rc1\n"},
		{version: "latest", says: module + "latest\n"},
		{version: "1234567", says: module + "1234567\n"},
		{version: "12ab34cd", says: module + "12ab34cd\n"},
		{version: "1;touch pwned", status: 2, says: "::error::the input \"version\" is no version\n"},
	} {
		status, said := bash(t, t.TempDir(), script, "VERSION="+tc.version, "GITHUB_ACTION_PATH="+t.TempDir(), "RUNNER_TEMP="+t.TempDir(),
			"PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"))
		if status != tc.status || said != tc.says {
			t.Errorf("%q: exits %d, and says %q, want %q", tc.version, status, said, tc.says)
		}
	}
}
