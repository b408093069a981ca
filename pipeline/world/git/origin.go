package git

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Origin gives the hosts that the remote `origin` is on, in small letters: that of
// its address as somebody wrote it, and that which git would ask, if a setting
// replaces the first (url.BASE.insteadOf). There is none without a remote of this
// name, or if its address is a path. Errors are of the type *[Error].
func (r *Repository) Origin() ([]string, error) {
	var hosts []string
	for _, ask := range [][]string{{"config", "--get", "remote.origin.url"}, {"remote", "get-url", "origin"}} {
		address, err := r.git.line(ask...)
		if s, ok := saidBy(err); ok && s.status == noAnswer {
			return nil, nil
		}
		if err != nil {
			return nil, failed(diag.Say("read-origin"), err)
		}
		if host := hostOf(address); host != "" && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts, nil
}

// hostOf gives the host of an address as git takes them: scheme://user@host:port/path
// or user@host:path. It is "" for a path.
func hostOf(address string) string {
	_, rest, isURL := strings.Cut(address, "://")
	if !isURL {
		rest = address
	}
	authority, _, _ := strings.Cut(rest, "/")
	authority = authority[strings.LastIndex(authority, "@")+1:]
	if inner, ok := strings.CutPrefix(authority, "["); ok { // an IPv6 address
		host, _, _ := strings.Cut(inner, "]")
		return strings.ToLower(host)
	}
	host, _, colon := strings.Cut(authority, ":")
	if !isURL && (!colon || len(host) < len("gh")) { // C:\ is a drive
		return ""
	}
	return strings.ToLower(host)
}
