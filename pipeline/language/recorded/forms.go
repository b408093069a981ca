package recorded

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"io"
	"net/url"
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
	read func(n *ground.Node, parse Parse) exchange
}

// forms are the known ones. From what the programs write: browsers and Polly.js
// (HAR 1.2), VCR.py 8 with YAML or JSON, nock 14's recorder.
var forms = []form{
	{func(root *ground.Node) *ground.Node { return listOf(root.Field("log").Field("entries"), "request") }, readHAR},
	{func(root *ground.Node) *ground.Node { return listOf(root.Field("interactions"), "request") }, readCassette},
	{func(root *ground.Node) *ground.Node { return listOf(root, "scope", "method", "path") }, readNock},
}

// listOf gives a list in which each item has some keys, nil for any other value, and
// for an empty list that is the file as a whole.
func listOf(n *ground.Node, keys ...string) *ground.Node {
	if n == nil || n.Kind != ground.Sequence || len(n.Items) == 0 && len(keys) > 1 {
		return nil
	}
	for _, item := range n.Items {
		for _, key := range keys {
			if item.Field(key) == nil {
				return nil
			}
		}
	}
	return n
}

func readHAR(n *ground.Node, parse Parse) exchange {
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
	return exchange{url: r.Field("url").Scalar(), body: parsed(inflated(text, encoding), parse), at: r}
}

// readCassette reads an interaction of VCR.py. A serializer of a project's own may
// have parsed the body.
func readCassette(n *ground.Node, parse Parse) exchange {
	r := n.Field("request")
	x := exchange{url: r.Field("uri").Scalar(), at: r}
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
	x.body = parsed(inflated(body, encoding), parse)
	return x
}

func readNock(n *ground.Node, parse Parse) exchange {
	return exchange{url: n.Field("scope").Scalar() + n.Field("path").Scalar(), body: parsed(n.Field("body"), parse), at: n}
}

// maxInflated bounds what a compressed body may become.
const maxInflated = 16 << 20

// inflated gives a body as it was before it was compressed. Recordings keep bytes as
// base64: what does not begin like JSON is tried as such.
func inflated(n *ground.Node, encoding string) *ground.Node {
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
	out, err := io.ReadAll(io.LimitReader(r, maxInflated+1))
	if err != nil || len(out) > maxInflated || !utf8.Valid(out) {
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
