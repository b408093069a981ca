// Package serve gives one page to the browsers of this machine, and tells them when
// there is another one. It is the only room that listens on a port.
//
// It listens on the loopback address alone, and answers only requests that are
// addressed to it: a site can make its own name lead to this machine, but the browser
// still sends that name. A request reads the page or waits for the next one; it
// changes nothing, and no part of it names a file.
package serve

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/promptc-build/promptc/pipeline/ground/par"
)

const loopback = "127.0.0.1"

// Server gives out one page.
type Server struct {
	listener net.Listener

	mu   sync.Mutex
	page []byte // nil until there is one
	old  bool   // there should be another page, which could not be made
	// changed is closed at the next change, and replaced.
	changed chan struct{}
}

// Listen takes a port of the loopback address; 0 is a free one.
func Listen(port int) (*Server, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort(loopback, strconv.Itoa(port)))
	return &Server{listener: l, changed: make(chan struct{})}, err
}

// Address is the address of the page.
func (s *Server) Address() string { return "http://" + s.listener.Addr().String() + "/" }

// While answers requests until run returns, and gives its error.
func (s *Server) While(run func() error) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, DisableGeneralOptionsHandler: true}
	answer := func() error {
		if err := server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}
	work := func() (err error) {
		defer func() { err = errors.Join(err, server.Close()) }() // which ends answer
		return run()
	}
	_, err := par.TryWaiting([]func() error{work, answer}, func(f func() error) (struct{}, error) { return struct{}{}, f() })
	return err
}

// Show gives out a page from now on. The page has its version in it.
func (s *Server) Show(page []byte) { s.set(page, false) }

// Keep says that the page is old, and that there is no other.
func (s *Server) Keep() { s.set(nil, true) }

func (s *Server) set(page []byte, old bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if page == nil {
		page = s.page
	}
	if old == s.old && bytes.Equal(page, s.page) {
		return
	}
	s.page, s.old = page, old
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Server) state() (page []byte, old bool, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.page, s.old, s.changed
}

// ServeHTTP answers a request: for the page, or for its events.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{
		"Cache-Control":                "no-store",
		"Content-Security-Policy":      "frame-ancestors 'none'", // the page has the rest
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"X-Content-Type-Options":       "nosniff",
	} {
		w.Header().Set(name, value)
	}
	page, _, _ := s.state()
	switch {
	case !slices.Contains([]string{loopback, "localhost"}, (&url.URL{Host: r.Host}).Hostname()):
		http.Error(w, "This server answers requests to "+s.Address()+" only.", http.StatusMisdirectedRequest)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "This server only gives out a page.", http.StatusMethodNotAllowed)
	case r.URL.Path == "/events":
		s.events(w, r)
	case r.URL.Path != "/":
		http.NotFound(w, r)
	case page == nil:
		w.Header().Set("Refresh", "1")
		http.Error(w, "There is no page yet: the terminal says why. This is asked again every second.", http.StatusServiceUnavailable)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // whoever asked may be gone
	}
}

// events tells a browser whether the page that it has is current, until there is
// another one.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	version := []byte(r.URL.Query().Get("version"))
	for r.Method == http.MethodGet {
		page, old, changed := s.state()
		event := "current"
		switch {
		case page != nil && !bytes.Contains(page, version):
			event = "other"
		case old:
			event = "old"
		}
		_, err := fmt.Fprintf(w, "event: %s\ndata:\n\n", event)
		if err = errors.Join(err, http.NewResponseController(w).Flush()); err != nil || event == "other" {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}
