package live_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/world/live"
)

// small are limits for servers that are to be refused. Only those that never answer
// are waited for in vain: a machine may be slow.
func small(hangs bool) live.Limits {
	out := live.Limits{
		Connect: 30 * time.Second, Whole: 60 * time.Second, Grace: 200 * time.Millisecond,
		Pages: 5, Items: 50, Messages: 20, Bytes: 1 << 20,
	}
	if hangs {
		out.Connect, out.Whole = 2*time.Second, 3*time.Second
	}
	return out
}

// patient are limits for servers that are taken.
func patient() live.Limits { return live.Default() }

// program gives a fake server that is a program, with a mark by which its
// processes are known.
func program(t *testing.T, name string) live.Server {
	t.Helper()
	return live.Server{
		Name: "fake", Command: os.Args[0], Dir: t.TempDir(), Version: "test",
		Env:    []string{fakeName + "=" + name, "MARK=" + t.TempDir(), "TOKEN=secret-token-1"},
		Passed: []string{"secret-token-1", "1"},
	}
}

// left gives the processes that still have the mark of a server, once the system had
// time to end them.
func left(t *testing.T, s live.Server) []string {
	t.Helper()
	var out []string
	for range 50 {
		if out = marked(t, s); out == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return out
}

func marked(t *testing.T, s live.Server) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		if env, err := os.ReadFile(f); err == nil && bytes.Contains(env, []byte(s.Env[1])) {
			out = append(out, f)
		}
	}
	return out
}

func TestHostileProgramsAreRefused(t *testing.T) {
	for name, want := range map[string]string{
		"silent":          "server-too-slow",
		"deaf":            "server-too-slow",
		"stalls":          "server-too-slow",
		"forks-and-exits": "server-too-slow", // what it left behind keeps its output open
		"exits":           "server-ended",
		"half":            "server-ended",
		"banner":          "server-no-message",
		"garbage":         "server-no-message",
		"broken":          "server-no-message",
		"talks":           "server-talks",
		"asks":            "server-talks",
		"repeats":         "server-cursor-repeats",
		"endless":         "server-list-pages",
		"many":            "server-too-much",
		"huge":            "server-too-much",
		"not-utf8":        "server-not-utf8",
		"not-a-list":      "server-list-unreadable",
		"secret":          "server-repeats-value",
		"errs":            "server-answers-error",
		"other-id":        "server-answers-other",
		"future":          "server-protocol-unknown",
		"no-object":       "server-no-protocol",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := program(t, name)
			_, err := live.Ask(t.Context(), s, small(want == "server-too-slow"))
			e, ok := errors.AsType[*diag.Failure](err)
			if !ok || e.Fact.Key != want {
				t.Errorf("%v, want %s", err, want)
			}
			if shown := fmt.Sprint(e.Fact.Args...); name == "banner" && !strings.Contains(shown, "Server running on stdio") || name == "broken" && !strings.Contains(shown, `{"tools":[***`) {
				t.Errorf("the line is not told: %s", shown)
			}
			if p := left(t, s); p != nil {
				t.Errorf("still running: %s", p)
			}
			if said := fmt.Sprint(e.Fact, e.Hint); strings.Contains(said, "secret-token") {
				t.Errorf("a passed value is told: %s", said)
			}
		})
	}
}

// An answer of 1 GiB is not held: what is allocated follows from the limit, and was
// 128 MiB in all.
func TestAHugeAnswerTakesLittleMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := live.Ask(t.Context(), program(t, "huge"), patient())
	runtime.ReadMemStats(&after)
	if e, ok := errors.AsType[*diag.Failure](err); !ok || e.Fact.Key != "server-too-much" {
		t.Error(err)
	}
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 400 {
		t.Errorf("%d MiB", mib)
	}
}

func TestAListMayBeTooLong(t *testing.T) {
	limits := patient()
	_, err := live.Ask(t.Context(), program(t, "many"), limits)
	if e, ok := errors.AsType[*diag.Failure](err); !ok || e.Fact.Key != "server-list-long" {
		t.Error(err)
	}
}

// A program's last words say why it ended.
func TestTheLastWordsOfAProgramAreTold(t *testing.T) {
	_, err := live.Ask(t.Context(), program(t, "exits"), small(false))
	e, _ := errors.AsType[*diag.Failure](err)
	if diff := cmp.Diff([]any{"no database, token ***"}, e.Hint.Args); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAProgramThatIsNotThere(t *testing.T) {
	_, err := live.Ask(t.Context(), live.Server{Name: "x", Command: "no-such-program-anywhere"}, small(false))
	if e, ok := errors.AsType[*diag.Failure](err); !ok || e.Fact.Key != "server-no-program" {
		t.Error(err)
	}
}

func TestProgramsAreListedAsTheyWrite(t *testing.T) {
	s := program(t, "pages")
	got, err := live.Ask(t.Context(), s, patient())
	if err != nil {
		t.Fatal(err)
	}
	want := &live.Answer{
		Hello: json.RawMessage(welcome), Protocol: "2025-06-18",
		Tools: []json.RawMessage{json.RawMessage(`{"name":"a"}`), json.RawMessage(`{"name":"b","big":[12345678901234567890,1e999999999]}`)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p := left(t, s); p != nil {
		t.Errorf("still running: %s", p)
	}
}

// A child that ignores the signal to end is killed with its parent.
func TestWhatAProgramStartedEndsWithIt(t *testing.T) {
	s := program(t, "forks")
	limits := patient()
	limits.Grace = 200 * time.Millisecond
	if _, err := live.Ask(t.Context(), s, limits); err != nil {
		t.Error(err)
	}
	if p := left(t, s); p != nil {
		t.Errorf("still running: %s", p)
	}
}

func TestAListThatIsNotKnownIsEmpty(t *testing.T) {
	got, err := live.Ask(t.Context(), program(t, "lacks"), patient())
	if err != nil || len(got.Tools) != 1 || got.Prompts != nil {
		t.Error(got, err)
	}
}

func TestProgramsGetTheEnvironmentOfTheirEntry(t *testing.T) {
	s := program(t, "environment")
	got, err := live.Ask(t.Context(), s, patient())
	if err != nil {
		t.Fatal(err)
	}
	var tool struct{ Names []string }
	if err := json.Unmarshal(got.Tools[0], &tool); err != nil {
		t.Fatal(err)
	}
	slices.Sort(tool.Names)
	tool.Names = slices.DeleteFunc(tool.Names, func(n string) bool { return n == "PWD" }) // exec says where it is started
	if diff := cmp.Diff([]string{"MARK", fakeName, "TOKEN"}, tool.Names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// site is a fake server on HTTP.
func site(t *testing.T, name string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serve(w, r, name) }))
	t.Cleanup(s.Close)
	return s
}

func serve(w http.ResponseWriter, r *http.Request, name string) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var c call
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	switch name {
	case "unauthorized":
		w.Header().Set("WWW-Authenticate", `Bearer realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	case "broken":
		w.WriteHeader(http.StatusInternalServerError)
		return
	case "away":
		http.Redirect(w, r, "http://127.0.0.2:1/mcp", http.StatusTemporaryRedirect)
		return
	case "slow":
		<-r.Context().Done()
		return
	case "page":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html>")
		return
	case "guarded":
		if r.Header.Get("Authorization") != "Bearer secret-token-1" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
	case "versioned":
		if c.Method != "initialize" && r.Header.Get("Mcp-Protocol-Version") != "2025-06-18" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	if c.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Mcp-Session-Id", "s1")
	if name == "events" || name == "endless-events" {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 10 {
			fmt.Fprint(w, "data: "+`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`+"\n\n")
		}
		for name == "endless-events" && r.Context().Err() == nil {
			fmt.Fprint(w, "data: "+`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`+"\n\n")
		}
		fmt.Fprint(w, "data: ")
		answer(w, name, c)
		fmt.Fprint(w, "\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if name == "huge" && c.Method == "tools/list" {
		for r.Context().Err() == nil {
			fmt.Fprint(w, strings.Repeat(" ", 1<<16))
		}
		return
	}
	answer(w, name, c)
}

func TestHostileSitesAreRefused(t *testing.T) {
	for name, want := range map[string]string{
		"unauthorized": "server-unauthorized", "broken": "server-status", "away": "server-redirects", "slow": "server-too-slow",
		"page": "server-lost", "huge": "server-too-much", "many": "server-too-much", "endless-events": "server-talks",
		"repeats": "server-cursor-repeats", "not-utf8": "server-not-utf8", "secret": "server-repeats-value", "guarded": "server-unauthorized",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := live.Ask(t.Context(), live.Server{Name: "fake", URL: site(t, name).URL, Passed: []string{"secret-token-1"}}, small(want == "server-too-slow"))
			if e, ok := errors.AsType[*diag.Failure](err); !ok || e.Fact.Key != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

func TestNobodyAnswers(t *testing.T) {
	s := site(t, "plain")
	s.Close()
	for url, want := range map[string]string{s.URL: "server-lost", "file:///etc/passwd": "server-bad-url", "x": "server-bad-url"} {
		_, err := live.Ask(t.Context(), live.Server{Name: "fake", URL: url + "?key=secret-token-1", Passed: []string{"secret-token-1"}}, small(false))
		e, ok := errors.AsType[*diag.Failure](err)
		if !ok || e.Fact.Key != want || strings.Contains(fmt.Sprint(e.Fact, e.Hint), "secret-token") {
			t.Errorf("%s: %v, want %s", url, e.Fact, want)
		}
	}
}

func TestSitesAreListedAsProgramsAre(t *testing.T) {
	want, err := live.Ask(t.Context(), program(t, "pages"), patient())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pages", "versioned", "guarded", "events"} {
		got, err := live.Ask(t.Context(), live.Server{
			Name: "fake", URL: site(t, name).URL, Headers: []live.Header{{"Authorization", "Bearer secret-token-1"}},
		}, patient())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "pages" {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	}
}
