package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// served is a promptc that serves the page of a project.
type served struct {
	cmd     *exec.Cmd
	stderr  *bufio.Scanner
	address string
}

func serves(t *testing.T, w *watched, args ...string) *served {
	t.Helper()
	s := &served{cmd: exec.Command(ourProgram(t), append([]string{"watch", "--report"}, args...)...)}
	s.cmd.Dir, s.cmd.Env = w.dir, w.env
	stderr, err := s.cmd.StderrPipe()
	must(t, err, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.stderr = bufio.NewScanner(stderr)
	s.address = s.says(t, `the page is at (http://127\.0\.0\.1:\d+/)$`)
	return s
}

// says waits for a line of stderr, and gives what is in its first brackets.
func (s *served) says(t *testing.T, pattern string) string {
	t.Helper()
	for s.stderr.Scan() {
		if m := regexp.MustCompile("^promptc: note: " + pattern).FindStringSubmatch(s.stderr.Text()); m != nil {
			return m[len(m)-1]
		}
	}
	t.Fatalf("it never says %s", pattern)
	return ""
}

func (s *served) get(t *testing.T, path, host string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.address+path, nil)
	must(t, err)
	r.Host = host
	got, err := http.DefaultTransport.RoundTrip(r)
	must(t, err)
	t.Cleanup(func() { _ = got.Body.Close() })
	return got
}

// page gives the page, and the events of who has it.
func (s *served) page(t *testing.T) (text string, events *bufio.Scanner) {
	t.Helper()
	page, err := io.ReadAll(s.get(t, "", "").Body)
	must(t, err)
	m := regexp.MustCompile(`<script data-version="([0-9a-f]{64})">`).FindSubmatch(page)
	if m == nil {
		t.Fatalf("the page has no version:\n%.3000s", page)
	}
	return string(page), bufio.NewScanner(s.get(t, "events?version="+string(m[1]), "").Body)
}

// told waits for an event.
func told(t *testing.T, events *bufio.Scanner, want string) {
	t.Helper()
	for events.Scan() {
		if events.Text() == "event: "+want {
			return
		}
	}
	t.Fatalf("the browser is not told %q", want)
}

func TestWatchServesThePage(t *testing.T) {
	t.Parallel()
	w := newWatched(t, watchedProject)
	base := filepath.Join(t.TempDir(), "base")
	must(t, os.CopyFS(base, os.DirFS(w.dir)))
	s := serves(t, w, "--against", base)

	page, events := s.page(t)
	if !strings.Contains(page, "You help.") || !strings.Contains(page, `"compared":true`) {
		t.Errorf("this is no page of the project:\n%s", page)
	}
	w.write(t, "role.md", "You listen.\n")
	told(t, events, "other")
	page, events = s.page(t)
	if !strings.Contains(page, "You listen.") || !strings.Contains(page, `"what":"agent  role  text changed"`) {
		t.Errorf("the page has not what changed:\n%s", page)
	}

	// The last page stays while there is no other one.
	w.write(t, "prompts.yaml", watchedProject["prompts.yaml"]+"{")
	told(t, events, "old")
	s.says(t, "promptc renews the page once this is repaired$")
	if still, _ := s.page(t); still != page {
		t.Error("the page of a project that does not compile is another one")
	}
	w.write(t, "prompts.yaml", watchedProject["prompts.yaml"])
	told(t, events, "current")
	w.write(t, "role.md", "You talk.\n")
	told(t, events, "other")

	if got := s.get(t, "", "evil.example"); got.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("a name that leads here gets %s", got.Status)
	}
	_, port, _ := strings.Cut(strings.TrimSuffix(s.address, "/"), "127.0.0.1:")
	if said := w.promptc(t, "watch", "--report", "--port", port); !strings.Contains(said, "hint: leave out --port") {
		t.Errorf("a port that is taken gives\n%s", said)
	}
	if runtime.GOOS == "windows" {
		return
	}
	must(t, s.cmd.Process.Signal(os.Interrupt))
	_ = s.cmd.Wait()
	if state := s.cmd.ProcessState.String(); state != "signal: interrupt" {
		t.Errorf("ended with %s", state)
	}
	if c, err := net.Dial("tcp4", "127.0.0.1:"+port); err == nil {
		_ = c.Close()
		t.Error("the port is not free")
	}
}

// Where the first page cannot be made, the next one that can is shown.
func TestWatchServesWhatIsRepaired(t *testing.T) {
	t.Parallel()
	w := newWatched(t, watchedProject)
	w.write(t, "prompts.yaml", watchedProject["prompts.yaml"]+"{")
	s := serves(t, w)
	got := s.get(t, "", "")
	if got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Refresh") == "" {
		t.Errorf("without a page it gives %s, %v", got.Status, got.Header)
	}
	events := bufio.NewScanner(s.get(t, "events?version="+strings.Repeat("0", 64), "").Body)
	told(t, events, "old")
	w.write(t, "prompts.yaml", watchedProject["prompts.yaml"])
	told(t, events, "other")
	if page, _ := s.page(t); !strings.Contains(page, "You help.") {
		t.Errorf("this is no page of the project:\n%s", page)
	}
}
