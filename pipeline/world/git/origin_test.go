package git_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOriginIsOnHosts(t *testing.T) {
	r := newRepo(t)
	hosts := func() []string {
		t.Helper()
		got, err := r.open(".").Origin()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := hosts(); got != nil {
		t.Errorf("without a remote: %q", got)
	}
	r.git("remote", "add", "upstream", "https://gitlab.com/a/b.git")
	if got := hosts(); got != nil {
		t.Errorf("without origin: %q", got)
	}
	r.git("remote", "add", "origin", "x")
	for address, want := range map[string][]string{
		"https://github.com/a/b.git":                   {"github.com"},
		"https://GitHub.com/gitlab/b":                  {"github.com"},
		"git@gitlab.com:group/sub/x.git":               {"gitlab.com"},
		"gitlab.com:group/x":                           {"gitlab.com"},
		"ssh://git@gitlab.example.com:2222/x.git":      {"gitlab.example.com"},
		"https://oauth2:glpat-x@gitlab.com:8443/x.git": {"gitlab.com"},
		"git://[2001:db8::1]:9418/x.git":               {"2001:db8::1"},
		"git@[2001:db8::1]:x.git":                      {"2001:db8::1"},
		"git@ssh.dev.azure.com:v3/org/project/x":       {"ssh.dev.azure.com"},
		"https://org@dev.azure.com/org/project/_git/x": {"dev.azure.com"},
		"file:///srv/gitlab/x.git":                     nil,
		"/srv/git:hub/x.git":                           nil,
		"../gitlab.com:x.git":                          nil,
		`C:\git\x`:                                     nil,
		"gl:group/x.git":                               {"gl", "gitlab.com"},
		"https://github.com/mirrored/x.git":            {"github.com", "mirror.example.com"},
		"https://user:a@b@github.example.com/x.git":    {"github.example.com"},
	} {
		r.git("config", "remote.origin.url", address)
		r.git("config", "url.git@gitlab.com:.insteadOf", "gl:")
		r.git("config", "url.https://mirror.example.com/github/mirrored/.insteadOf", "https://github.com/mirrored/")
		if diff := cmp.Diff(want, hosts()); diff != "" {
			t.Errorf("%s: %s", address, diff)
		}
	}
	r.git("config", "--unset", "remote.origin.url") // a remote without an address
	if got := hosts(); got != nil {
		t.Errorf("without an address: %q", got)
	}
}
