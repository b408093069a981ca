package live

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// requests is a server that answers HTTP requests.
type requests struct {
	server Server
	limits Limits
	base   *http.Transport

	mu      sync.Mutex
	version string // of the protocol, once it is agreed on
	left    int    // bytes
	status  int    // of the last answer that was refused
	wants   string // what that asks for
	away    string // where it would have sent us
	tooMuch bool
}

func newRequests(s Server, limits Limits) *requests {
	return &requests{server: s, limits: limits, left: limits.Bytes, base: &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: 64 << 10,
	}}
}

func (r *requests) transport(context.Context) (mcp.Transport, error) {
	at, err := url.Parse(r.server.URL)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, &diag.Failure{Fact: diag.Say("server-bad-url", r.server.Name), Hint: diag.Say("server-url-form")}
	}
	return &mcp.StreamableClientTransport{
		Endpoint: r.server.URL, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: -1, // all bytes are counted

		HTTPClient: &http.Client{Transport: r, CheckRedirect: r.redirect},
	}, nil
}

// errAway ends a request that is sent to another host.
var errAway = errors.New("redirected")

// maxRedirects is how often a server may send us elsewhere on its own host.
const maxRedirects = 5

// redirect follows a redirect on the same host alone: another one was not
// named by anybody, and would get the headers.
func (r *requests) redirect(to *http.Request, via []*http.Request) error {
	from := via[0].URL
	if to.URL.Host == from.Host && to.URL.Scheme == from.Scheme && len(via) <= maxRedirects {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = to.URL.Host
	return errAway
}

// RoundTrip implements [http.RoundTripper]: it adds the headers, and bounds what
// is read.
func (r *requests) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for _, h := range r.server.Headers {
		req.Header.Set(h.Name, h.Value)
	}
	r.mu.Lock()
	if r.version != "" {
		req.Header.Set("Mcp-Protocol-Version", r.version)
	}
	r.mu.Unlock()
	resp, err := r.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if req.Method == http.MethodPost && resp.StatusCode >= http.StatusBadRequest {
		r.mu.Lock()
		r.status, r.wants = resp.StatusCode, resp.Header.Get("WWW-Authenticate")
		r.mu.Unlock()
	}
	resp.Body = &body{of: r, from: resp.Body}
	return resp, nil
}

// body is a part of what a server sends.
type body struct {
	of   *requests
	from io.ReadCloser
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	b.of.mu.Lock()
	left := b.of.left
	b.of.tooMuch = b.of.tooMuch || left <= 0
	b.of.mu.Unlock()
	if left <= 0 {
		return 0, errTooMuch
	}
	n, err := b.from.Read(p[:min(len(p), left)])
	b.of.mu.Lock()
	b.of.left -= n
	b.of.mu.Unlock()
	return n, err
}

// Close implements [io.Closer].
func (b *body) Close() error { return b.from.Close() }

// agreed has every further request name the version of the protocol.
func (r *requests) agreed(version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = version
}

func (r *requests) end() error {
	r.base.CloseIdleConnections()
	return nil
}

// because says what HTTP has to say about an error.
func (r *requests) because(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := r.server.Name
	switch {
	case r.away != "":
		return &diag.Failure{Fact: diag.Say("server-redirects", name, masked(r.server, r.away)), Hint: diag.Say("server-write-url"), Cause: err}
	case r.tooMuch:
		return &diag.Failure{Fact: diag.Say("server-too-much", name, diag.Count(r.limits.Bytes)), Cause: err}
	case r.status == http.StatusUnauthorized || r.status == http.StatusForbidden:
		e := &diag.Failure{Fact: diag.Say("server-unauthorized", name, r.status), Hint: diag.Say("server-give-header"), Cause: err}
		if asks, _, _ := strings.Cut(r.wants, " "); asks != "" {
			e.Hint = diag.Say("server-give-scheme", masked(r.server, asks))
		}
		return e
	case r.status != 0:
		return &diag.Failure{Fact: diag.Say("server-status", name, r.status), Cause: err}
	}
	return lost(r.server, err)
}
