// Package record answers a program as its provider would, and keeps what the program
// sent.
//
// It listens on the loopback address alone, below a path that nobody can guess, and
// answers only requests that are addressed to it. Nothing that a request says names a
// file or starts a program.
package record

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/language"
)

const (
	loopback = "127.0.0.1"

	// maxRequests is how many requests of a run are kept.
	maxRequests = 10_000
	// maxNames is how many different things are named that went wrong.
	maxNames = 20

	// asMark and viaMark stand in paths before a label, and before the variable that
	// the address was read from.
	asMark, viaMark = "as", "via"
)

// Limits bound what a program can send.
type Limits struct {
	Body  int           // bytes of one request
	Bytes int           // bytes of all requests of a run
	Wait  time.Duration // for a request to arrive
}

// Usual are the limits that hold: a request may have what a file of requests may.
func Usual() Limits { return Limits{Body: 16 << 20, Bytes: 64 << 20, Wait: 30 * time.Second} }

// Sent is a request that the program sent to a provider.
type Sent struct {
	// Label is what the program's address says behind /as/: "mode=ask,tier=pro"; "" for
	// none.
	Label string
	// Path is where it went, as the provider's own address has it: /v1/messages.
	Path string
	Body []byte // JSON
}

// Recorder answers the requests of one run.
type Recorder struct {
	listener net.Listener
	secret   string
	proxy    *proxy
	limits   Limits

	mu      sync.Mutex
	answers []language.Answer
	given   int // of the answers
	sent    []Sent
	bytes   int
	turns   int            // of all answers
	odd     map[string]int // what was not kept, and how often
	lost    int            // of these, requests for text
	via     map[string]int // the variables that the address was read from
}

// Listen takes a free port of the loopback address. Answers are given in turn: one that
// calls tools waits for a request that offers them.
func Listen(answers []language.Answer, limits Limits) (*Recorder, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return nil, err
	}
	p, err := listenProxy()
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &Recorder{
		listener: l, secret: rand.Text(), proxy: p, answers: answers, limits: limits,
		odd: map[string]int{}, via: map[string]int{},
	}, nil
}

// URL is the address that the program is given, without a slash at its end.
func (r *Recorder) URL() string { return "http://" + r.listener.Addr().String() + "/" + r.secret }

// Sent gives what was kept, in order of arrival.
func (r *Recorder) Sent() []Sent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.sent)
}

// Count is something that happened a number of times.
type Count struct {
	Name  string
	Times int
}

// Odd gives what was asked and is not kept, and why, sorted.
func (r *Recorder) Odd() []Count {
	r.mu.Lock()
	defer r.mu.Unlock()
	return counts(r.odd)
}

// Lost counts the requests for text that are not kept.
func (r *Recorder) Lost() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// Refused gives the hosts that the program called itself, sorted.
func (r *Recorder) Refused() []Count { return r.proxy.refused() }

// Via gives the variables of the environment that the program read the address from,
// sorted.
func (r *Recorder) Via() []Count {
	r.mu.Lock()
	defer r.mu.Unlock()
	return counts(r.via)
}

func counts(of map[string]int) []Count {
	var out []Count
	for name, n := range of {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// oddity notes something that is not kept. Lost says that it asks for text.
func (r *Recorder) oddity(name string, lost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	note(r.odd, name)
	if lost {
		r.lost++
	}
}

// note counts something, and the names behind the first ones together.
func note(counts map[string]int, name string) {
	if _, known := counts[name]; !known && len(counts) >= maxNames {
		name = "others"
	}
	counts[name]++
}

// While answers requests until run returns, and gives its error.
func (r *Recorder) While(run func() error) error {
	ours, proxy := r.server(r), r.server(r.proxy)
	answer := func(s *http.Server, l net.Listener) func() error {
		return func() error {
			if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		}
	}
	work := func() (err error) {
		defer func() { err = errors.Join(err, ours.Close(), proxy.Close()) }() // which ends answer
		return run()
	}
	all := []func() error{work, answer(ours, r.listener), answer(proxy, r.proxy.listener)}
	_, err := par.TryWaiting(all, func(f func() error) (struct{}, error) { return struct{}{}, f() })
	return err
}

// server gives what answers on a port until it is closed.
func (r *Recorder) server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadTimeout: r.limits.Wait, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10, DisableGeneralOptionsHandler: true,
	}
}

// ServeHTTP answers a request, and keeps it if it is one to a provider.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	host := (&url.URL{Host: q.Host}).Hostname()
	rest, ours := strings.CutPrefix(q.URL.Path, "/"+r.secret+"/")
	switch {
	case host != loopback && host != "localhost":
		r.oddity("a request addressed to another host", false)
		http.Error(w, "This server answers requests to "+loopback+" only.", http.StatusMisdirectedRequest)
		return
	case !ours:
		r.oddity("a request to a path of another run", false)
		http.NotFound(w, q)
		return
	}
	label := ""
	for {
		mark, behind, _ := strings.Cut(rest, "/")
		if mark != asMark && mark != viaMark {
			break
		}
		name, path, _ := strings.Cut(behind, "/")
		if rest = path; mark == asMark {
			label = name
			continue
		}
		r.mu.Lock()
		note(r.via, name)
		r.mu.Unlock()
	}
	a := ask{method: q.Method, path: "/" + rest, query: q.URL.Query()}
	to := find(a.method, a.path)
	if to == nil {
		r.oddity(a.method+" "+a.path+", which is not answered", strings.HasSuffix(a.path, "/completions"))
		fail(w, http.StatusNotFound, "promptc record does not answer "+a.method+" "+a.path)
		return
	}
	if a.method == http.MethodPost && !r.read(w, q, &a, to.kept || to.unread) {
		return
	}
	if to.unread {
		r.oddity(a.method+" "+a.path+", whose form promptc does not read", true)
	}
	if to.kept {
		address := url.URL{Path: strings.TrimRight(a.path, "/")}
		r.keep(Sent{Label: label, Path: address.EscapedPath(), Body: a.raw}, &a)
	}
	reply(w, to.give(&a), a.streamed(to))
}

// read reads a body as JSON, and reports whether it could. Text says that it asks for some.
func (r *Recorder) read(w http.ResponseWriter, q *http.Request, a *ask, text bool) bool {
	refuse := func(code int, why string) bool {
		r.oddity(a.method+" "+a.path+", whose body "+why, text)
		fail(w, code, "promptc record: the body "+why)
		return false
	}
	if how := q.Header.Get("Content-Encoding"); how != "" && how != "identity" {
		return refuse(http.StatusUnsupportedMediaType, "is compressed")
	}
	var body bytes.Buffer
	most := int64(r.limits.Body)
	n, err := most+1, error(nil)
	if q.ContentLength <= most {
		n, err = io.Copy(&taking{r, &body}, io.LimitReader(q.Body, most+1))
	}
	switch {
	case errors.Is(err, errFull):
		return refuse(http.StatusRequestEntityTooLarge, "is too much together with those before it")
	case err != nil:
		return refuse(http.StatusBadRequest, "does not arrive whole")
	case n > most:
		return refuse(http.StatusRequestEntityTooLarge, "is larger than "+strconv.Itoa(r.limits.Body)+" bytes")
	}
	if a.raw = body.Bytes(); json.Unmarshal(a.raw, &a.body) != nil {
		return refuse(http.StatusBadRequest, "cannot be read as a JSON object")
	}
	return true
}

var errFull = errors.New("too many bytes")

// taking writes what arrives, as long as all of a run has room.
type taking struct {
	r  *Recorder
	to *bytes.Buffer
}

// Write implements [io.Writer].
func (t *taking) Write(p []byte) (int, error) {
	t.r.mu.Lock()
	t.r.bytes += len(p)
	full := t.r.bytes > t.r.limits.Bytes
	t.r.mu.Unlock()
	if full {
		return 0, errFull
	}
	return t.to.Write(p)
}

// keep keeps a request, and says what is answered.
func (r *Recorder) keep(s Sent, a *ask) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turns++
	a.turn = r.turns
	if len(r.sent) >= maxRequests {
		note(r.odd, "a request behind the first 10,000")
		r.lost++
		return
	}
	r.sent = append(r.sent, s)
	if r.given < len(r.answers) && r.answers[r.given].Fits(a.tools()) {
		a.answer = r.answers[r.given]
		r.given++
	}
}

// Left gives how many answers nobody asked for.
func (r *Recorder) Left() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.answers) - r.given
}

// Close gives back the ports of a recorder that never answered.
func (r *Recorder) Close() error { return errors.Join(r.listener.Close(), r.proxy.listener.Close()) }
