package load_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
)

// entriesOf gives the entries of a file, each with its dialect and turns, and the
// number of other records; "" for a text.
func entriesOf(t *testing.T, name, text string) string {
	t.Helper()
	doc, found := load.Look(name, []byte(text))
	if len(found) > 0 {
		var out []string
		for _, d := range found {
			out = append(out, fmt.Sprint(d.Code, " ", d.What.Key))
		}
		return strings.Join(out, ", ")
	}
	var out []string
	for _, s := range doc.Saved {
		e := s.Name + " " + s.Sent.Body.Dialect.Name
		if len(s.Sent.Turns) > 1 {
			e += fmt.Sprint(" ", s.Sent.Turns)
		}
		if b := s.Sent.Break; b != nil {
			e += fmt.Sprintf(" breaks %s at %d/%d", b.Of.Name, b.Message, b.Block)
			if b.Tools {
				e += " tools"
			}
		}
		out = append(out, e)
	}
	if doc.Others > 0 {
		out = append(out, fmt.Sprint("others ", doc.Others))
	}
	if doc.Recording && len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

// Requests of the tests, as JSON.
const (
	chat = `{"model": "gpt-5", "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]}`
	next = `{"model": "gpt-5", "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}, ` +
		`{"role": "assistant", "content": "yes"}, {"role": "user", "content": "go on"}]}`
	other    = `{"model": "gpt-5", "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "else"}]}`
	toolUser = `{"model": "org/m:1", "messages": [{"role": "user", "content": "hi"}], "tools": [{"type": "function", "function": {"name": "exec"}}]}`
)

func cassette(bodies ...string) string {
	out := "interactions:\n"
	for _, b := range bodies {
		out += "- request:\n    body: " + b + "\n    method: POST\n    uri: https://api.openai.com/v1/chat/completions\n  response: {body: !!python/object/new:x {a: b}}\n"
	}
	return out + "version: 1\n"
}

// packed compresses a text and writes it as base64.
func packed(t *testing.T, text string, with func(io.Writer) io.WriteCloser) string {
	t.Helper()
	var out bytes.Buffer
	w := with(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

func TestFilesOfRequestsAreTheirEntries(t *testing.T) {
	gz := packed(t, chat, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	deflated := packed(t, chat, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	har := func(url, data string) string {
		return `{"log": {"entries": [{"request": {"url": "` + url + `", "headers": [{"name": "Content-Encoding", "value": "deflate"}], "postData": ` + data + `}}]}}`
	}
	inString := strings.ReplaceAll(chat, `"`, `\"`)
	for _, c := range []struct{ about, name, text, want string }{
		{"a body", "a.json", chat, "gpt-5-1 openai-chat"},
		{"a body, whatever its name", "prompt.golden", "\n" + chat, "gpt-5-1 openai-chat"},
		{"a body in a snapshot of insta", "a.snap", "---\nsource: src/a.rs\nexpression: a\n---\n" + chat + "\n", "gpt-5-1 openai-chat"},
		{"the first tool is in the name", "a.json", toolUser, "org-m-1-exec-1 openai-chat"},
		{"a list", "a.json", "[" + chat + "," + other + "]", "gpt-5-1 openai-chat, gpt-5-2 openai-chat"},
		{"a list with something else", "a.json", "[" + chat + `, {"a": 1}, 5]`, "gpt-5-1 openai-chat, others 2"},
		{"lines", "a.jsonl", chat + "\n\n" + other + "\n", "gpt-5-1 openai-chat, gpt-5-2 openai-chat"},
		{"lines of a batch", "a.jsonl", `{"url": "/v1/chat/completions", "body": ` + chat + "}\n" + `{"url": "/v1/embeddings", "body": {"input": "x"}}` + "\n", "gpt-5-1 openai-chat, others 1"},
		{"lines that are no JSON", "a.txt", chat + "\nand a text\n", ""},
		{"a text that begins like JSON", "a.txt", "[INST] You help. [/INST]\n", ""},
		{"other JSON", "a.json", `{"messages": {"hello": "Hello"}}`, ""},
		{"other lines", "a.jsonl", "{\"a\": 1}\n{\"b\": 2}\n", ""},
		{"tools", "a.json", `[{"name": "exec", "input_schema": {"type": "object"}}]`, ""},
		{"a cassette", "a.yaml", cassette("'" + chat + "'"), "gpt-5-1 openai-chat"},
		{"a cassette, compressed", "a.yml", cassette("!!binary |\n      " + gz), "gpt-5-1 openai-chat"},
		{"a cassette with a mapping", "a.yaml", cassette("{string: '" + chat + "'}"), "gpt-5-1 openai-chat"},
		{"a cassette that a serializer of its own wrote", "a.yaml", strings.Replace(cassette("''"), "body: ''", "parsed_body: "+chat, 1), "gpt-5-1 openai-chat"},
		{"a cassette of other requests", "a.yaml", strings.ReplaceAll(cassette("null", "''"), "chat/completions", "models"), "others 2"},
		{"an empty cassette", "a.yaml", "interactions: []\nversion: 1\n", "nothing"},
		{"YAML that is none", "a.yaml", "name: helper\ninteractions: none\n", ""},
		{"a prompt in YAML", "a.yaml", "system: |\n  Be brief.\n", ""},
		{"a cassette in JSON", "a.json", `{"interactions": [{"request": {"uri": "https://a/v1/chat/completions", "body": "` + inString + `"}}], "version": 1}`, "gpt-5-1 openai-chat"},
		{"an archive", "a.har", har("https://a/v1/chat/completions", `{"text": "`+inString+`"}`), "gpt-5-1 openai-chat"},
		{"an archive, compressed", "a.har", har("https://a/v1/chat/completions", `{"encoding": "base64", "text": "`+deflated+`"}`), "gpt-5-1 openai-chat"},
		{"an archive of a page", "a.har", har("https://a/index.html", `{"text": "a=b"}`), "others 1"},
		{"Gemini's model is in the address", "a.har", har("https://a/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse", `{"text": "{\"contents\": [{\"parts\": [{\"text\": \"hi\"}]}]}"}`), "gemini-2.5-pro-1 gemini"},
		{"nock", "a.json", `[{"scope": "https://a:443", "method": "POST", "path": "/v1/chat/completions", "body": ` + chat + `}]`, "gpt-5-1 openai-chat"},
		{"the address decides", "a.har", har("https://a/v1/messages", `{"text": "{\"model\": \"m\", \"max_tokens\": 5, \"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}"}`), "m-1 anthropic"},
		{"nobody decides", "a.json", `{"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "hi"}]}`, "PC1030 body-fits-several"},
		{"a request that is not as its address says", "a.har", har("https://a/v1/messages", `{"text": "{\"messages\": [5]}"}`), "PC1030 body-misfit"},
		{"turns", "a.json", "[" + chat + "," + other + "," + next + "," + next + "]", "gpt-5-1 openai-chat [2 4], gpt-5-2 openai-chat"},
		{"turns break", "a.json", "[" + chat + "," + strings.Replace(next, "Be brief.", "Be brief!", 1) + "]", "gpt-5-1 openai-chat, gpt-5-2 openai-chat breaks gpt-5-1 at 0/0"},
		{"tools come first", "a.json", "[" + chat + "," + strings.TrimSuffix(next, "}") + `, "tools": [{"type": "function", "function": {"name": "exec"}}]}]`, "gpt-5-1 openai-chat, gpt-5-exec-1 openai-chat breaks gpt-5-1 at 0/0 tools"},
		{"another task is no turn", "a.json", "[" + other + "," + next + "]", "gpt-5-1 openai-chat, gpt-5-2 openai-chat"},
		{"system text alone is shared by many", "a.json", `[{"messages": [{"role": "system", "content": "Be brief."}]}, {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]}]`, "openai-chat-1 openai-chat, openai-chat-2 openai-chat"},
		{"an embedding", "a.json", `{"model": "text-embedding-3-small", "input": "hi"}`, ""},
		{"a form", "a.json", `{"name": "form", "input": [{"type": "text"}, {"type": "checkbox"}]}`, ""},
		{"messages of something else", "a.json", `{"messages": [{"role": "title", "text": "Hello"}]}`, ""},
		{"the same path of another service", "a.har", har("https://discord.com/api/v10/channels/1/messages", `{"text": "{\"content\": \"hi\"}"}`), "others 1"},
		{"through a gateway", "a.har", har("https://bedrock/model/claude/invoke", `{"text": "{\"anthropic_version\": \"b\", \"max_tokens\": 1, \"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}"}`), "anthropic-1 anthropic"},
		{"VCR for Ruby", "a.yml", "http_interactions:\n- request:\n    uri: https://a/v1/chat/completions\n    body: {encoding: UTF-8, string: '" + chat + "'}\n", "gpt-5-1 openai-chat"},
		{"go-vcr", "a.yaml", strings.Replace(cassette("'"+chat+"'"), "uri:", "url:", 1), "gpt-5-1 openai-chat"},
		{"a cassette with one request that is none", "a.yaml", "interactions:\n- {a: b}\n" + strings.TrimPrefix(cassette("'"+chat+"'"), "interactions:\n"), "gpt-5-1 openai-chat, others 1"},
		{"nothing recorded", "a.yaml", "interactions:\nversion: 1\n", "nothing"},
		{"a broken cassette", "a.yaml", "interactions:\n- request: {\n", "PC1005 key-in-wrong-column"},
		{"a file that was cut", "a.json", chat[:40], "PC1030 body-is-no-json"},
		{"a text that was cut", "a.txt", chat[:40], ""},
		{"names are no noise", "a.json", "[" + chat + "," + strings.Replace(chat, `"role": "user"`, `"role": "user", "name": "ann"`, 1) + "]", "gpt-5-1 openai-chat, gpt-5-2 openai-chat"},
		{"a late retry", "a.json", "[" + chat + "," + next + "," + chat + "]", "gpt-5-1 openai-chat [2 4]"},
		{"a time that changes", "a.json", "[" + strings.Replace(chat, "hi", "hi, it is 12:00", 1) + "," + strings.Replace(next, "hi", "hi, it is 12:01", 1) + "]", "gpt-5-1 openai-chat, gpt-5-2 openai-chat breaks gpt-5-1 at 1/0"},
		{"a similar question", "a.json", "[" + strings.Replace(chat, "hi", "Mend the failing test", 1) + "," + strings.Replace(next, "hi", "Mend the flaky test", 1) + "]", "gpt-5-1 openai-chat, gpt-5-2 openai-chat"},
		{"half a character that was sent", "a.json", `{"messages": [{"role": "user", "content": "cut \ud83d"}]}`, "PC1009 half-character"},
		{"a key twice", "a.json", `{"messages": [{"role": "user", "content": "a", "content": "b"}]}`, "PC1007 key-twice"},
		{"half a character in an answer", "a.har", `{"log": {"entries": [{"request": {"url": "https://a/v1/chat/completions", "postData": {"text": "` + inString + `"}}, "response": {"content": "\ud83d"}}]}}`, "gpt-5-1 openai-chat"},
		{"too deep", "a.json", `{"messages": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}", "PC1008 nested-deeper-levels"},
	} {
		if d := cmp.Diff(c.want, entriesOf(t, c.name, c.text)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.about, d)
		}
	}
}

// TestCompressedBodiesAreBounded: all of a file together.
func TestCompressedBodiesAreBounded(t *testing.T) {
	bomb := packed(t, `{"messages": [{"role": "user", "content": "`+strings.Repeat("a", 30<<20)+`"}]}`, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	if got := entriesOf(t, "a.yaml", cassette("!!binary "+bomb, "!!binary "+bomb, "!!binary "+bomb)); got != "PC1030 bodies-inflate-too-far" {
		t.Errorf("%.200s", got)
	}
}

// TestTextsOfRequestsHaveTheirPlaces: also of JSON in JSON, and in YAML.
func TestTextsOfRequestsHaveTheirPlaces(t *testing.T) {
	const text = "Be \"brief\".\n\nUse\ttabs. 🐦"
	quoted := strings.NewReplacer(`"`, `\"`, "\n", `\n`, "\t", `\t`, "🐦", `\ud83d\udc26`).Replace(text)
	body := `{"messages": [{"role": "system", "content": "` + quoted + `"}]}`
	inJSON := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(body)
	for _, c := range []struct{ name, text string }{
		{"a.json", body},
		{"a.jsonl", `{"url": "/chat/completions", "body": "` + inJSON + "\"}\n"},
		{"a.yaml", cassette("'" + body + "'")},
		{"b.yaml", cassette(`"` + inJSON + `"`)},
		{"c.yaml", cassette("|-\n      " + body)},
	} {
		doc, found := load.Look(c.name, []byte(c.text))
		if len(found) > 0 || len(doc.Saved) != 1 {
			t.Errorf("%s: %v", c.name, found)
			continue
		}
		s := doc.Saved[0]
		if d := cmp.Diff(text, s.Value.Str); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		placed(t, s)
		at := s.Value.Span(strings.Index(text, "brief"), strings.Index(text, "brief")+len("brief"))
		if got := doc.File.Text[at.Start:at.End]; got != "brief" {
			t.Errorf("%s: the place of a word holds %q", c.name, got)
		}
	}
}

// TestAddingARequestLeavesNamesAlone: whatever comes behind.
func TestAddingARequestLeavesNamesAlone(t *testing.T) {
	all := []string{chat, toolUser, other, strings.Replace(toolUser, "exec", "read", 1), strings.Replace(other, "gpt-5", "gpt-4.1", 1)}
	names := func(doc *language.Doc) []string {
		var out []string
		for _, s := range doc.Saved {
			out = append(out, s.Name)
		}
		return out
	}
	var before []string
	for n := range all {
		doc, _ := load.Look("a.json", []byte("["+strings.Join(all[:n+1], ",")+"]"))
		got := names(doc)
		if d := cmp.Diff(before, got[:len(before)]); d != "" && n > 0 {
			t.Errorf("%d requests (-before +after):\n%s", n+1, d)
		}
		before = got
	}
}

// FuzzRequests reads files that may hold requests: what is taken for one has its place
// in the file, and is written as a body of the same dialect.
func FuzzRequests(f *testing.F) {
	names := []string{"a.json", "a.jsonl", "a.yaml", "a.har", "a.snap"}
	for i, text := range []string{
		chat, toolUser, "[" + chat + "," + next + "]", chat + "\n" + other, cassette("'" + chat + "'"), cassette("!!binary |\n      eyJhIjogMX0="),
		`{"log": {"entries": [{"request": {"url": "https://a/v1/messages", "postData": {"text": "{\"max_tokens\": 1, \"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"tool_result\", \"tool_use_id\": \"x\", \"content\": [{}]}]}]}"}}}]}}`,
		`[{"scope": "s", "method": "POST", "path": "/responses", "body": {"input": [{"type": "function_call_output", "call_id": "c", "output": ""}, {"role": "user"}]}}]`,
		`{"contents": {"parts": {"functionCall": {"name": "a"}}}, "tools": {}}`, `{"messages": [{"role": "tool", "tool_call_id": 5}]}`,
	} {
		f.Add(i%len(names), text)
	}
	f.Fuzz(func(t *testing.T, name int, text string) {
		doc, found := load.Look(names[max(name, -name)%len(names)], []byte(text))
		if (doc == nil) != found.HasErrors() {
			t.Fatalf("%v and %v", doc, found)
		}
		if doc == nil {
			return
		}
		for _, s := range doc.Saved {
			if s.Sent == nil {
				continue
			}
			if s.At.Start < 0 || s.At.End > len(doc.File.Text) {
				t.Fatalf("%q stands at [%d, %d)", s.Name, s.At.Start, s.At.End)
			}
			for _, seg := range s.Value.Segs {
				if seg.At.Start < s.At.Start || seg.At.End > s.At.End || seg.End > len(s.Value.Str) {
					t.Fatalf("a segment [%d, %d) of %q is outside", seg.Start, seg.End, s.Value.Str)
				}
			}
			again, found := load.Look("again.json", []byte(request.NewEncoder().Encode(s.Sent.Body).Text()))
			if again != nil && len(again.Saved) == 1 && again.Saved[0].Sent.Body.Dialect == s.Sent.Body.Dialect && again.Saved[0].Value.Str != s.Value.Str {
				t.Fatalf("%v: written again, it says\n%q\nand said\n%q", found, again.Saved[0].Value.Str, s.Value.Str)
			}
		}
	})
}
