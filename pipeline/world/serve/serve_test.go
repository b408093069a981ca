package serve_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/world/serve"
)

var errEnough = errors.New("enough")

// serving calls check while a server answers, and holds that it ends with it.
func serving(t *testing.T, check func(s *serve.Server)) {
	t.Helper()
	s, err := serve.Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.While(func() error { check(s); return errEnough }); !errors.Is(err, errEnough) {
		t.Errorf("ended with %v", err)
	}
	if c, err := net.Dial("tcp4", place(s)); err == nil {
		_ = c.Close()
		t.Error("it still listens")
	}
}

// place is where a server listens.
func place(s *serve.Server) string {
	return strings.TrimSuffix(strings.TrimPrefix(s.Address(), "http://"), "/")
}

// ask sends a request; what it gives is closed with the test.
func ask(t *testing.T, method, address string, change func(*http.Request)) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = got.Body.Close() })
	return got
}

func TestItAnswersRequestsForThePageThatAreAddressedToIt(t *testing.T) {
	serving(t, func(s *serve.Server) {
		host, port, err := net.SplitHostPort(place(s))
		if err != nil || host != "127.0.0.1" {
			t.Errorf("it listens on %s: %v", s.Address(), err)
		}
		if got := ask(t, "GET", s.Address(), nil); got.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("without a page it says %s", got.Status)
		}
		s.Show([]byte("<p>page"))
		for _, tc := range []struct {
			method, path, host string
			status             int
			body               string
		}{
			{"GET", "", "", 200, "<p>page"},
			{"GET", "", "localhost:" + port, 200, "<p>page"},
			{"GET", "", "localhost:1", 200, "<p>page"}, // the port is another one behind a tunnel
			{"GET", "", "127.0.0.1", 200, "<p>page"},
			{"GET", "?x=../y", "", 200, "<p>page"},
			{"HEAD", "", "", 200, ""},
			{"HEAD", "events", "", 200, ""},
			{"GET", "", "evil.example:" + port, 421, "-"},
			{"GET", "events", "evil.example:" + port, 421, "-"},
			{"GET", "", "127.0.0.1.evil.example", 421, "-"},
			{"GET", "", "localhost.", 421, "-"},
			{"GET", "", "[::1]:" + port, 421, "-"},
			{"POST", "", "", 405, "-"},
			{"OPTIONS", "", "", 405, "-"},
			{"OPTIONS", "*", "", 405, "-"},
			{"DELETE", "events", "", 405, "-"},
			{"GET", "report.html", "", 404, "-"},
			{"GET", "../../etc/passwd", "", 404, "-"},
			{"GET", "%2e%2e/events", "", 404, "-"},
			{"GET", "/", "", 404, "-"},
		} {
			got := ask(t, tc.method, s.Address(), func(r *http.Request) {
				r.Host = tc.host
				r.URL.Opaque = "/" + tc.path
				if tc.path == "*" {
					r.URL.Opaque = "*"
				}
			})
			body, err := io.ReadAll(got.Body)
			if got.StatusCode != tc.status || err != nil || tc.body != "-" && string(body) != tc.body || tc.body == "-" && strings.Contains(string(body), "page<") {
				t.Errorf("%+v: %s, %q, %v", tc, got.Status, body, err)
			}
			for name := range got.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%+v: other sites get %s", tc, name)
				}
			}
			if got.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" || got.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%+v: other sites may include it: %v", tc, got.Header)
			}
		}
	})
}

func TestABrowserIsToldOfAnotherPage(t *testing.T) {
	serving(t, func(s *serve.Server) {
		s.Show([]byte(`<p data-version="one">`))
		events := bufio.NewScanner(ask(t, "GET", s.Address()+"events?version=one", nil).Body)
		next := func(want string) {
			t.Helper()
			for events.Scan() && !strings.HasPrefix(events.Text(), "event: ") {
			}
			if got := strings.TrimPrefix(events.Text(), "event: "); got != want {
				t.Fatalf("the event is %q, not %q", got, want)
			}
		}
		next("current")
		s.Keep()
		next("old")
		s.Keep() // what is the same as before is no event
		s.Show([]byte(`<p data-version="one">`))
		next("current")
		s.Show([]byte(`<p data-version="one">`))
		s.Show([]byte(`<p data-version="two">`))
		next("other")
		for events.Scan() {
			if strings.HasPrefix(events.Text(), "event: ") {
				t.Errorf("there is more: %q", events.Text())
			}
		}

		// A browser that comes late is told, too.
		s.Keep()
		events = bufio.NewScanner(ask(t, "GET", s.Address()+"events?version=one", nil).Body)
		next("other")

		// The end of the server waits for no browser.
		ask(t, "GET", s.Address()+"events?version=two", nil)
	})
}

func TestAPortIsTakenOnce(t *testing.T) {
	serving(t, func(s *serve.Server) {
		l, err := net.Listen("tcp4", place(s))
		if err == nil {
			_ = l.Close()
			t.Error("somebody else listens there, too")
		}
	})
}
