package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/world/record"
)

var errEnough = errors.New("enough")

// recording calls check while a recorder answers.
func recording(t *testing.T, limits record.Limits, answers []language.Answer, check func(r *record.Recorder)) *record.Recorder {
	t.Helper()
	r, err := record.Listen(answers, limits)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.While(func() error { check(r); return errEnough }); !errors.Is(err, errEnough) {
		t.Errorf("ended with %v", err)
	}
	return r
}

// send sends a body, and gives the status and the answer.
func send(t *testing.T, address string, body io.Reader, change func(*http.Request)) (int, string) {
	t.Helper()
	method := http.MethodPost
	if body == nil {
		method = http.MethodGet
	}
	q, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(q)
	}
	got, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(q)
	if err != nil {
		return 0, err.Error()
	}
	defer got.Body.Close()
	text, _ := io.ReadAll(got.Body)
	return got.StatusCode, string(text)
}

func names(counts []record.Count) (out []string) {
	for _, c := range counts {
		out = append(out, c.Name+" × "+strconv.Itoa(c.Times))
	}
	return out
}

func TestRequestsAreKeptWithTheirLabels(t *testing.T) {
	r := recording(t, record.Usual(), nil, func(r *record.Recorder) {
		for _, path := range []string{
			"/v1/chat/completions", "/as/mode=ask/v1/messages", "/via/OLLAMA_HOST/as/a=b,c=d/api/chat",
			"/v1beta/models/gemini-x:streamGenerateContent?alt=sse", "/openai/deployments/d/chat/completions?api-version=1", "/v1/embeddings", "/v1/messages/count_tokens",
		} {
			if status, text := send(t, r.URL()+path, strings.NewReader(`{"model":"m"}`), nil); status != http.StatusOK {
				t.Errorf("%s: %d %s", path, status, text)
			}
		}
		if status, text := send(t, r.URL()+"/v1/models/m", nil, nil); status != http.StatusOK || !strings.Contains(text, `"id":"m"`) {
			t.Errorf("models: %d %s", status, text)
		}
	})
	var got []string
	for _, s := range r.Sent() {
		got = append(got, s.Label+" "+s.Path+" "+string(s.Body))
	}
	want := []string{
		` /v1/chat/completions {"model":"m"}`, `mode=ask /v1/messages {"model":"m"}`, `a=b,c=d /api/chat {"model":"m"}`,
		` /v1beta/models/gemini-x:streamGenerateContent {"model":"m"}`, ` /openai/deployments/d/chat/completions {"model":"m"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"OLLAMA_HOST × 1"}, names(r.Via())); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNoRequestIsRefusedAndNamed(t *testing.T) {
	body := `{"model":"m","messages":[]}`
	r := recording(t, record.Limits{Body: 1000, Bytes: 2500, Wait: 300 * time.Millisecond}, nil, func(r *record.Recorder) {
		chat := r.URL() + "/v1/chat/completions"
		host := strings.TrimPrefix(strings.SplitN(r.URL(), "/", 4)[2], "")
		for _, tc := range []struct {
			address string
			body    io.Reader
			change  func(*http.Request)
			status  int
		}{
			{chat, strings.NewReader(body), nil, http.StatusOK},
			{"http://" + host + "/another/v1/chat/completions", strings.NewReader(body), nil, http.StatusNotFound},
			{chat, strings.NewReader(body), func(q *http.Request) { q.Host = "evil.example" }, http.StatusMisdirectedRequest},
			{chat, strings.NewReader(strings.Repeat("x", 1001)), nil, http.StatusRequestEntityTooLarge},
			{chat, struct{ io.Reader }{strings.NewReader(strings.Repeat("x", 1001))}, nil, http.StatusRequestEntityTooLarge},
			{chat, strings.NewReader("[1]"), nil, http.StatusBadRequest},
			{chat, strings.NewReader("\x1b[2J\x00"), nil, http.StatusBadRequest},
			{chat, strings.NewReader(body), func(q *http.Request) { q.Header.Set("Content-Encoding", "zstd") }, http.StatusUnsupportedMediaType},
			{r.URL() + "/v1/%1b%5b2J%00", strings.NewReader(body), nil, http.StatusNotFound},
			{r.URL() + "/api/generate", strings.NewReader(`{"model":"m","prompt":"p"}`), nil, http.StatusOK},
			{chat, strings.NewReader(`{"x":"` + strings.Repeat("x", 900) + `"}`), nil, http.StatusOK},
			{chat, strings.NewReader(`{"x":"` + strings.Repeat("x", 900) + `"}`), nil, http.StatusRequestEntityTooLarge},
		} {
			if status, text := send(t, tc.address, tc.body, tc.change); status != tc.status {
				t.Errorf("%s: %d %s, not %d", tc.address, status, text, tc.status)
			}
		}
	})
	want := []string{
		"POST /api/generate, whose form promptc does not read × 1",
		"POST /v1/\x1b[2J\x00, which is not answered × 1",
		"POST /v1/chat/completions, whose body cannot be read as a JSON object × 2",
		"POST /v1/chat/completions, whose body is compressed × 1",
		"POST /v1/chat/completions, whose body is larger than 1000 bytes × 2",
		"POST /v1/chat/completions, whose body is too much together with those before it × 1",
		"a request addressed to another host × 1", "a request to a path of another run × 1",
	}
	if diff := cmp.Diff(want, names(r.Odd())); diff != "" {
		t.Errorf("odd (-want +got):\n%s", diff)
	}
	if n := len(r.Sent()); n != 2 {
		t.Errorf("%d are kept", n)
	}
}

func TestABodyThatNeverEndsIsNotWaitedFor(t *testing.T) {
	r := recording(t, record.Limits{Body: 1000, Bytes: 1000, Wait: 200 * time.Millisecond}, nil, func(r *record.Recorder) {
		u, err := url.Parse(r.URL())
		if err != nil {
			t.Fatal(err)
		}
		c, err := net.Dial("tcp", u.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST %s/v1/messages HTTP/1.1\r\nHost: %s\r\nContent-Length: 100\r\n\r\n{", u.Path, u.Host)
		answer, _ := io.ReadAll(c)
		if !bytes.HasPrefix(answer, []byte("HTTP/1.1 400 ")) {
			t.Errorf("it answers %q", answer)
		}
	})
	if diff := cmp.Diff([]string{"POST /v1/messages, whose body does not arrive whole × 1"}, names(r.Odd())); diff != "" {
		t.Error(diff)
	}
}

func TestAThousandConnectionsAreNoReasonToWait(t *testing.T) {
	recording(t, record.Usual(), nil, func(r *record.Recorder) {
		u, err := url.Parse(r.URL())
		if err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			c, err := net.Dial("tcp", u.Host)
			if err != nil {
				t.Skipf("this system lets nobody open so many: %v", err)
			}
			defer c.Close()
		}
		if status, text := send(t, r.URL()+"/v1/messages", strings.NewReader(`{}`), nil); status != http.StatusOK {
			t.Errorf("%d %s", status, text)
		}
	})
}

func TestOtherHostsAreRefusedAndNamed(t *testing.T) {
	r := recording(t, record.Usual(), nil, func(r *record.Recorder) {
		proxied := environment(r, "HTTPS_PROXY")
		proxy, err := url.Parse(proxied)
		if err != nil {
			t.Fatal(err)
		}
		client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
		for _, address := range []string{"https://api.example.com/v1/chat/completions", "http://other.example:8080/x"} {
			q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := client.Do(q); err == nil {
				if got.StatusCode != http.StatusForbidden {
					t.Errorf("%s: %s", address, got.Status)
				}
				_ = got.Body.Close()
			}
		}
	})
	if diff := cmp.Diff([]string{"api.example.com × 1", "other.example × 1"}, names(r.Refused())); diff != "" {
		t.Error(diff)
	}
}

// environment gives a variable that a program gets.
func environment(r *record.Recorder, name string, of ...string) string {
	for _, entry := range r.Environment(of, nil) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

func TestKeysDoNotReachTheProgram(t *testing.T) {
	recording(t, record.Usual(), nil, func(r *record.Recorder) {
		for name, want := range map[string]string{
			"OPENAI_API_KEY": "sk-promptc-record", "AWS_SECRET_ACCESS_KEY": "promptc-record", "COHERE_API_KEY": "promptc-record", "HF_TOKEN": "promptc-record", "GITHUB_TOKEN": "promptc-record", "openai_api_key": "promptc-record", "GROQ_API_KEYS": "promptc-record",
			"OPENAI_API_KEY_2": "promptc-record", "AZURE_CLIENT_SECRET": "promptc-record", "GOOGLE_APPLICATION_CREDENTIALS": "promptc-record", "AWS_ACCESS_KEY_ID": "promptc-record",
			"TOKENIZERS_PARALLELISM": "real", "KEYBOARD": "real", "SSH_AUTH_SOCK": "real",
			"HOME": "real", "OPENAI_BASE_URL": r.URL() + "/via/OPENAI_BASE_URL/v1", "MY_URL": r.URL() + "/v1", "NO_PROXY": "127.0.0.1,localhost",
		} {
			value := "real"
			if name == "MY_URL" {
				value = "${PROMPTC_URL}/v1"
			}
			if got := environment(r, name, name+"="+value); got != want {
				t.Errorf("%s is %q, not %q", name, got, want)
			}
		}
	})
}

func TestAnswersAreGivenInTurn(t *testing.T) {
	answers := []language.Answer{
		{Calls: []language.AnswerCall{{Tool: "read", Arguments: json.RawMessage(`{"path":"a"}`)}}},
		{Text: "Done."},
	}
	r := recording(t, record.Usual(), answers, func(r *record.Recorder) {
		var got []string
		for _, tools := range []string{``, `,"tools":[{"type":"function","function":{"name":"read"}}]`, ``, ``} {
			_, text := send(t, r.URL()+"/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[]`+tools+`}`), nil)
			var answer struct {
				Choices []struct {
					Message struct {
						Content string
						Calls   []struct {
							Function struct{ Name, Arguments string }
						} `json:"tool_calls"`
					}
				}
			}
			if err := json.Unmarshal([]byte(text), &answer); err != nil {
				t.Fatal(err)
			}
			said := answer.Choices[0].Message.Content
			for _, c := range answer.Choices[0].Message.Calls {
				said += c.Function.Name + c.Function.Arguments
			}
			got = append(got, said)
		}
		if diff := cmp.Diff([]string{"OK", `read{"path":"a"}`, "Done.", "OK"}, got); diff != "" {
			t.Errorf("answers (-want +got):\n%s", diff)
		}
	})
	if r.Left() != 0 {
		t.Errorf("%d are left", r.Left())
	}
}
