package record

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/promptc-build/promptc/pipeline/language"
)

// usualText is what is answered where nothing else is said.
const usualText = "OK"

// said gives the text of an answer.
func said(a language.Answer) string {
	if a.Text == "" && len(a.Calls) == 0 {
		return usualText
	}
	return a.Text
}

// object is a JSON object that is written with its keys sorted.
type object map[string]any

// ask is a request that is answered.
type ask struct {
	method, path string
	query        url.Values
	raw          []byte
	body         map[string]json.RawMessage
	answer       language.Answer
	turn         int // counts the answers of a run: no two have an id in common
}

// text gives a string of the body, "" for none.
func (a *ask) text(key string) (out string) {
	_ = json.Unmarshal(a.body[key], &out) // else it is none
	return out
}

// model gives the name of the model, which may stand in the path.
func (a *ask) model() string {
	if m := a.text("model"); m != "" {
		return m
	}
	for _, mark := range []string{"/models/", "/deployments/"} {
		if _, name, ok := strings.Cut(a.path, mark); ok {
			return name[:len(name)-len(strings.TrimLeft(name, nameChars))]
		}
	}
	return "model"
}

// nameChars are what names of models are made of.
const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@"

// tools gives the names of the tools that a request offers, in any shape.
func (a *ask) tools() (out []string) {
	type tool struct {
		Name     string
		Function struct{ Name string }
		Declared []struct{ Name string } `json:"functionDeclarations"`
	}
	var all []tool
	_ = json.Unmarshal(a.body["tools"], &all) // those of another shape have no name
	for _, t := range all {
		out = append(out, t.Name, t.Function.Name)
		for _, d := range t.Declared {
			out = append(out, d.Name)
		}
	}
	return out
}

// route is an end of a path to which programs send requests.
type route struct {
	method, end string
	// kept says that it asks for text: the request is a prompt.
	kept bool
	give func(a *ask) given
	// streams says whether a request wants its answer in pieces; nil for none.
	streams func(a *ask) bool
	// unread says that it asks for text in a form that promptc does not read.
	unread bool
}

// given is an answer: as one value, or as events.
type given struct {
	whole  any
	events []event
	// lines says that the events are lines of JSON, list that they are a JSON array;
	// else they are server-sent events.
	lines, list bool
	last        string // the text of a last event that is no JSON
}

type event struct {
	name string // "" for none
	data any
}

func wantsStream(a *ask) bool  { return string(a.body["stream"]) == "true" }
func isStream(*ask) bool       { return true }
func refusesWhole(a *ask) bool { return string(a.body["stream"]) != "false" }

// routes are what is answered, by the ends of paths. Longer ends stand before those
// that they end with.
var routes = []route{
	{method: http.MethodPost, end: "/chat/completions", kept: true, give: chatAnswer, streams: wantsStream},
	{method: http.MethodPost, end: "/responses", kept: true, give: responsesAnswer, streams: wantsStream},
	{method: http.MethodPost, end: "/messages", kept: true, give: anthropicAnswer, streams: wantsStream},
	{method: http.MethodPost, end: "/messages/count_tokens", give: func(*ask) given { return given{whole: object{"input_tokens": 1}} }},
	{method: http.MethodPost, end: "/responses/input_tokens", give: func(*ask) given {
		return given{whole: object{"object": "response.input_tokens", "input_tokens": 1}}
	}},
	{method: http.MethodPost, end: ":generateContent", kept: true, give: geminiAnswer},
	{method: http.MethodPost, end: ":streamGenerateContent", kept: true, give: geminiAnswer, streams: isStream},
	{method: http.MethodPost, end: ":countTokens", give: func(*ask) given { return given{whole: object{"totalTokens": 1}} }},
	{method: http.MethodPost, end: ":embedContent", give: func(*ask) given { return given{whole: object{"embedding": object{"values": zeros(768)}}} }},
	{method: http.MethodPost, end: ":batchEmbedContents", give: geminiEmbeddings},
	{method: http.MethodPost, end: "/embeddings", give: embeddings},
	{method: http.MethodPost, end: "/api/chat", kept: true, give: ollamaAnswer, streams: refusesWhole},
	{method: http.MethodPost, end: "/api/generate", give: ollamaText, streams: refusesWhole, unread: true},
	{method: http.MethodPost, end: "/api/embed", give: ollamaEmbeddings},
	{method: http.MethodPost, end: "/api/show", give: ollamaModel},
	{method: http.MethodGet, end: "/api/tags", give: func(*ask) given { return given{whole: object{"models": []any{}}} }},
	{method: http.MethodGet, end: "/api/version", give: func(*ask) given { return given{whole: object{"version": "0.13.0"}} }},
	{method: http.MethodGet, end: "/models", give: models},
}

// find gives the route of a request, nil for none. One model is asked for as all are.
func find(method, path string) *route {
	end := strings.TrimSuffix(path, "/")
	if before, name, ok := strings.Cut(end, "/models/"); ok && method == http.MethodGet && !strings.Contains(name, "/") {
		end = before + "/models"
	}
	for i := range routes {
		if routes[i].method == method && strings.HasSuffix(end, routes[i].end) {
			return &routes[i]
		}
	}
	return nil
}

func (a *ask) streamed(to *route) bool { return to.streams != nil && to.streams(a) }

// models lists one model, or gives the one that is asked for, with what OpenAI, Anthropic
// and Gemini say of one: paths do not tell them apart.
func models(a *ask) given {
	_, name, one := strings.Cut(a.path, "/models/")
	if name == "" {
		name = "model"
	}
	m := object{
		"id": name, "object": "model", "type": "model", "created": 0, "owned_by": "promptc", "display_name": name, "created_at": start,
		"name": "models/" + name, "displayName": name, "supportedGenerationMethods": []string{"generateContent", "countTokens"},
		"inputTokenLimit": 1_000_000, "outputTokenLimit": 64_000,
	}
	if one {
		return given{whole: m}
	}
	all := []object{m}
	return given{whole: object{"object": "list", "data": all, "has_more": false, "first_id": name, "last_id": name, "models": all}}
}

// start is the time at which all answers are given.
const start = "1970-01-01T00:00:00Z"

func zeros(n int) []int { return make([]int, n) }

// inputs counts the texts of a request for embeddings: one, or a list of them.
func inputs(raw json.RawMessage) int {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 || strings.Trim(string(list[0]), "0123456789") == "" { // tokens of one text
		return 1
	}
	return min(len(list), maxInputs)
}

const maxInputs = 2048 // as OpenAI takes

func embeddings(a *ask) given {
	dimensions := 1536
	if json.Unmarshal(a.body["dimensions"], &dimensions) != nil || dimensions < 1 || dimensions > 8192 {
		dimensions = 1536
	}
	const float = 4 // bytes
	var one any = zeros(dimensions)
	if a.text("encoding_format") == "base64" {
		one = base64.StdEncoding.EncodeToString(make([]byte, float*dimensions))
	}
	var data []object
	for i := range inputs(a.body["input"]) {
		data = append(data, object{"object": "embedding", "index": i, "embedding": one})
	}
	return given{whole: object{"object": "list", "data": data, "model": a.model(), "usage": object{"prompt_tokens": 1, "total_tokens": 1}}}
}

// reply writes an answer, in pieces where these are wanted.
func reply(w http.ResponseWriter, g given, streamed bool) {
	if !streamed || g.events == nil {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(g.whole) // whoever asked may be gone
		return
	}
	var out strings.Builder
	kind := "text/event-stream"
	switch {
	case g.lines:
		kind = "application/x-ndjson"
		for _, e := range g.events {
			out.Write(jsonOf(e.data))
			out.WriteByte('\n')
		}
	case g.list:
		kind = "application/json"
		var all []any
		for _, e := range g.events {
			all = append(all, e.data)
		}
		out.Write(jsonOf(all))
	default:
		for _, e := range g.events {
			if e.name != "" {
				fmt.Fprintf(&out, "event: %s\n", e.name)
			}
			fmt.Fprintf(&out, "data: %s\n\n", jsonOf(e.data))
		}
		if g.last != "" {
			fmt.Fprintf(&out, "data: %s\n\n", g.last)
		}
	}
	w.Header().Set("Content-Type", kind)
	_, _ = io.WriteString(w, out.String())
}

// jsonOf writes what is made here, which JSON can say.
func jsonOf(v any) []byte {
	out, _ := json.Marshal(v)
	return out
}

// fail answers an error in a shape that the clients of all providers show.
func fail(w http.ResponseWriter, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(object{"type": "error", "error": object{
		"type": "invalid_request_error", "code": code, "status": "INVALID_ARGUMENT", "message": message,
	}})
}
