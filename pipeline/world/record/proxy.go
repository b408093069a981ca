package record

import (
	"net"
	"net/http"
	"sync"
)

// proxy is what a program is told to send requests through that go elsewhere. It
// refuses them, and names their hosts.
type proxy struct {
	listener net.Listener

	mu    sync.Mutex
	hosts map[string]int
}

func listenProxy() (*proxy, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort(loopback, "0"))
	return &proxy{listener: l, hosts: map[string]int{}}, err
}

// url is the address of the proxy.
func (p *proxy) url() string { return "http://" + p.listener.Addr().String() }

func (p *proxy) refused() []Count {
	p.mu.Lock()
	defer p.mu.Unlock()
	return counts(p.hosts)
}

// ServeHTTP refuses a request.
func (p *proxy) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	host := q.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if host == "" {
		host = "a host without a name"
	}
	p.mu.Lock()
	note(p.hosts, host)
	p.mu.Unlock()
	http.Error(w, "promptc record lets nothing out to "+host+".", http.StatusForbidden)
}
