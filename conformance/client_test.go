package conformance_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClientsSendWhatWasBuilt sends a variant in every dialect through the
// provider's own client to a server on this machine, which finds what was
// built and, beside it, only what a prompt does not decide.
func TestClientsSendWhatWasBuilt(t *testing.T) {
	// All blocks, an image, tools, markers; and sections alone, behind which an
	// application puts its own messages.
	sent := []struct{ project, variant string }{
		{"fixture", "chat/assembly=tiered,state=full,dialect={dialect}"},
		{"fixture", "chat/assembly=flat,state=full,dialect={dialect}"},
		{"fixture", "brief/dialect={dialect}"},
		{"repository", "coder/assembly=tiered,state=long-chat,dialect=anthropic"},
		{"repository", "coder/assembly=flat,state=review,dialect=anthropic"},
		{"repository", "persona/entry=full,tools=native"},
	}
	for _, s := range sdks {
		for _, one := range sent {
			t.Run(s.dialect+"/"+slug(one.variant), func(t *testing.T) {
				name := strings.ReplaceAll(one.variant, "{dialect}", s.dialect)
				body, stderr, err := run(projectOf(t, one.project).dir, "show", "--dialect", s.dialect, name)
				if err != nil {
					t.Fatalf("promptc show: %v\n%s", err, stderr)
				}
				want := known(t, s.dialect, body)
				got := received(t, s, body)
				for _, path := range s.adds {
					remove(t, got, path)
				}
				if diff := cmp.Diff(want, any(got)); diff != "" {
					t.Errorf("the server gets something else (-built +sent):\n%s", diff)
				}
			})
		}
	}
}

// remove takes out of a request what the client adds to it; it has to be there.
func remove(t *testing.T, request map[string]any, path []string) {
	t.Helper()
	last := len(path) - 1
	for _, key := range path[:last] {
		request, _ = request[key].(map[string]any)
	}
	if _, ok := request[path[last]]; !ok {
		t.Errorf("the client does not send %q", path)
	}
	delete(request, path[last])
}

// received gives the request that a client sends for a body.
func received(t *testing.T, s sdk, body []byte) map[string]any {
	t.Helper()
	var got map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if err != nil || r.Method != http.MethodPost || r.URL.Path != s.path {
			http.Error(w, fmt.Sprintf("%s %s: %v", r.Method, r.URL.Path, err), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if _, err := io.WriteString(w, "{}"); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	if err := s.send(t.Context(), server.URL, body); err != nil {
		t.Fatalf("the client fails: %v", err)
	}
	return got
}

func projectOf(t *testing.T, name string) project {
	t.Helper()
	for _, p := range projects {
		if p.name == name {
			return p
		}
	}
	t.Fatalf("no project is called %q", name)
	return project{}
}
