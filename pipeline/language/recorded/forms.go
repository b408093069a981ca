package recorded

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/ground"
)

// exchange is a request as a recording has it.
type exchange struct {
	url  string       // "" where nobody says it
	body *ground.Node // nil for none, or for one that is no JSON
	at   *ground.Node // all that the recording has of it
}

// form is a way in which programs record requests.
type form struct {
	// list gives the requests in what a file says, nil where it is no such file.
	list func(root *ground.Node) *ground.Node
	read func(f *finder, n *ground.Node) exchange
}

// forms are the known ones. From what the programs write: browsers and Polly.js
// (HAR 1.2), VCR.py 8 with YAML or JSON and those that write as it does, VCR for
// Ruby, nock 14's recorder.
var forms = []form{
	{func(root *ground.Node) *ground.Node { return recordingOf(root.Field("log").Field("entries")) }, (*finder).har},
	{func(root *ground.Node) *ground.Node { return recordingOf(root.Field("interactions")) }, (*finder).cassette},
	{func(root *ground.Node) *ground.Node { return recordingOf(root.Field("http_interactions")) }, (*finder).cassette},
	{nockOf, (*finder).nock},
}

// recordingOf gives the list of a recording, also of one without any requests.
func recordingOf(n *ground.Node) *ground.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == ground.Null:
		return &ground.Node{Kind: ground.Sequence, At: n.At}
	case n.Kind == ground.Sequence && !slices.ContainsFunc(n.Items, func(item *ground.Node) bool { return item.Kind != ground.Mapping }):
		return n
	default:
		return nil
	}
}

func nockOf(root *ground.Node) *ground.Node {
	if root.Kind != ground.Sequence || len(root.Items) == 0 || slices.ContainsFunc(root.Items, func(n *ground.Node) bool {
		return n.Field("scope") == nil || n.Field("method") == nil || n.Field("path") == nil
	}) {
		return nil
	}
	return root
}

func (f *finder) har(n *ground.Node) exchange {
	r := n.Field("request")
	data := r.Field("postData")
	text := data.Field("text")
	if data.Field("encoding").Scalar() == "base64" {
		text = decoded(text)
	}
	encoding := ""
	for _, h := range r.Field("headers").List() {
		if strings.EqualFold(h.Field("name").Scalar(), "content-encoding") {
			encoding = h.Field("value").Scalar()
		}
	}
	return exchange{url: r.Field("url").Scalar(), body: f.json(f.inflated(text, encoding)), at: atOf(r, n)}
}

// atOf gives a value, or the one around it where that is not there.
func atOf(n, around *ground.Node) *ground.Node {
	if n == nil {
		return around
	}
	return n
}

// cassette reads an interaction. A serializer of a project's own may have parsed the
// body.
func (f *finder) cassette(n *ground.Node) exchange {
	r := n.Field("request")
	x := exchange{url: r.Field("uri").Scalar(), at: atOf(r, n)}
	if x.url == "" {
		x.url = r.Field("url").Scalar()
	}
	if x.body = r.Field("parsed_body"); x.body != nil {
		return x
	}
	body := r.Field("body")
	for _, key := range []string{"string", "base64_string"} {
		if inner := body.Field(key); inner != nil {
			if body = inner; key == "base64_string" {
				body = decoded(inner)
			}
		}
	}
	encoding := ""
	for _, h := range r.Field("headers").Entries() {
		if strings.EqualFold(h.Key, "content-encoding") {
			encoding = h.Value.Scalar()
			if values := h.Value.List(); len(values) > 0 {
				encoding = values[0].Scalar()
			}
		}
	}
	x.body = f.json(f.inflated(body, encoding))
	return x
}

func (f *finder) nock(n *ground.Node) exchange {
	return exchange{url: n.Field("scope").Scalar() + n.Field("path").Scalar(), body: f.json(n.Field("body")), at: n}
}

// maxInflated bounds what the compressed bodies of a file may become.
const maxInflated = 64 << 20

// inflated gives a body as it was before it was compressed. Recordings keep bytes as
// base64: what does not begin like JSON is tried as such.
func (f *finder) inflated(n *ground.Node, encoding string) *ground.Node {
	if n == nil || n.Kind != ground.String || strings.HasPrefix(strings.TrimSpace(n.Text.Str), "{") {
		return n
	}
	data := []byte(n.Text.Str)
	if raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Text.Str), "")); err == nil {
		data = raw
	}
	var err error
	r := io.Reader(bytes.NewReader(data))
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		r, err = gzip.NewReader(r)
	case strings.EqualFold(encoding, "deflate"):
		r, err = zlib.NewReader(r)
	}
	if err != nil {
		return n
	}
	out, err := io.ReadAll(io.LimitReader(r, int64(f.room)+1))
	if len(out) > f.room {
		f.bad(n, "bodies-inflate-too-far", "narrow-or-split", maxInflated>>20)
		return nil
	}
	f.room -= len(out)
	if err != nil || !utf8.Valid(out) {
		return n
	}
	return &ground.Node{Kind: ground.String, Text: ground.Derived(string(out), n.At), At: n.At}
}

// decoded gives what a string has in base64.
func decoded(n *ground.Node) *ground.Node {
	data, err := base64.StdEncoding.DecodeString(n.Scalar())
	if err != nil {
		return n
	}
	return &ground.Node{Kind: ground.String, Text: ground.Derived(string(data), n.At), At: n.At}
}

// endpoints are the ends of the paths to which requests for text go, with the
// dialect of each.
var endpoints = []struct{ path, dialect string }{
	{"/chat/completions", "openai-chat"},
	{"/responses", "openai-responses"},
	{"/messages", "anthropic"},
	{":generateContent", "gemini"},
	{":streamGenerateContent", "gemini"},
	{"/api/chat", "ollama"},
}

// endpoint gives the dialect that an address says, "" for none.
func endpoint(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	for _, e := range endpoints {
		if strings.HasSuffix(u.Path, e.path) {
			return e.dialect
		}
	}
	return ""
}
