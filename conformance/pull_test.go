package conformance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// servers installs packages of npm, each of an exact version, and gives the folder
// that they are in. Without a registry the test is skipped.
func servers(t *testing.T, packages ...string) string {
	t.Helper()
	need(t, "node")
	need(t, "npm")
	dir := t.TempDir()
	args := append([]string{"install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", "--prefix", dir}, packages...)
	if said, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
		t.Skipf("npm does not install %s: %v\n%s", packages, err, said)
	}
	return filepath.Join(dir, "node_modules")
}

// pulling is a project with the tools of a server.
func pulling(server, entry string) string {
	return fmt.Sprintf("version: 1\nservers: {%[1]s: %[2]s}\nsources: {tools: {kind: tools, pull: %[1]s}}\n"+
		"prompts: {agent: {axes: {tools: [all, none]}, sections: [{id: tools, source: tools, when: {tools: all}}, {id: role, text: You help.}]}}\n", server, entry)
}

// command runs promptc, which has to end with a status.
func command(t *testing.T, dir string, status int, args ...string) string {
	t.Helper()
	stdout, stderr, err := run(dir, args...)
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	}
	if got != status {
		t.Fatalf("promptc %s exits %d, want %d\n%s%s", strings.Join(args, " "), got, status, stdout, stderr)
	}
	return string(stdout)
}

// Between the first of these versions the server got tools, between the last it changed a
// hint and a description. With zod 4 the first version lists schemas without a type, so
// that its tools are left out, and with zod 3 it lists them. The link to the installed
// version stands for what an installer resolves anew: the entry is the same.
func TestPullShowsWhatAServerChanged(t *testing.T) {
	t.Parallel()
	const files = "@modelcontextprotocol/server-filesystem@"
	empty := servers(t, "first@npm:"+files+"2025.3.28", "zod@4.6.7", "zod-to-json-schema@3.25.2")
	full := servers(t, "first@npm:"+files+"2025.3.28", "zod@3.23.8", "zod-to-json-schema@3.23.5",
		"before@npm:"+files+"2026.1.14", "after@npm:"+files+"2026.7.10", "@modelcontextprotocol/sdk@1.29.0")
	dir := t.TempDir()
	install := func(from string) {
		t.Helper()
		link := filepath.Join(dir, "installed")
		if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if err := os.Symlink(from, link); err != nil {
			t.Skip(err)
		}
	}
	manifest := pulling("files", "{command: node, args: [installed/dist/index.js, .]}")
	if err := os.WriteFile(filepath.Join(dir, "prompts.yaml"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	install(filepath.Join(empty, "first"))
	command(t, dir, 0, "pull")
	for _, version := range []struct {
		name string
		says []string
	}{
		{"first", []string{"tool read_file added    mcp/files/tools/read_file.json:1   +136 tokens", "affects 1 of 2: tools=all"}},
		{"before", []string{"tool read_media_file added", "tools.read_file.annotations added: {\"readOnlyHint\":true}", "affects 1 of 2: tools=all"}},
		{"after", []string{
			"tools.move_file.annotations.destructiveHint: false → true",
			`-"Read an image or audio file.`, `+"Read a file and return it as a base64-encoded content block`,
			"affects 1 of 2: tools=all", "+37 tokens",
		}},
	} {
		command(t, dir, 0, "build")
		command(t, dir, 0, "check", "--live")
		install(filepath.Join(full, version.name))
		said := command(t, dir, 1, "check", "--live")
		for _, want := range version.says {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not in\n%s", want, said)
			}
		}
		command(t, dir, 0, "pull")
		command(t, dir, 0, "check", "--live")
		command(t, dir, 1, "check")
	}
}

// What a server offers does not depend on how it is called.
func TestPullIsTheSameOverHTTP(t *testing.T) {
	t.Parallel()
	everything := filepath.Join(servers(t, "@modelcontextprotocol/server-everything@2026.8.31"), "@modelcontextprotocol", "server-everything", "dist", "index.js")
	port := freePort(t)
	cmd := exec.Command("node", everything, "streamableHttp")
	cmd.Env = append(os.Environ(), "PORT="+port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	for range 100 {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			_ = conn.Close()
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	var all []map[string]string
	for _, entry := range []string{
		fmt.Sprintf("{command: node, args: [%q, stdio]}", everything), fmt.Sprintf("{url: %q}", "http://127.0.0.1:"+port+"/mcp"),
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "prompts.yaml"), []byte(pulling("everything", entry)), 0o644); err != nil {
			t.Fatal(err)
		}
		command(t, dir, 0, "pull")
		all = append(all, pulledFiles(t, filepath.Join(dir, "mcp", "everything")))
	}
	if len(all[0]) < 15 {
		t.Errorf("only %q", slices.Sorted(maps.Keys(all[0])))
	}
	if diff := cmp.Diff(all[0], all[1]); diff != "" {
		t.Errorf("(-stdio +http):\n%s", diff)
	}
}

// A browser is not started, and so none is installed: the tools are there without.
// npx runs what npm installed, and the lock says so.
func TestPullOfAServerThatDrivesABrowser(t *testing.T) {
	need(t, "npx")
	dir := filepath.Dir(servers(t, "@playwright/mcp@0.0.83"))
	manifest := pulling("browser", "{command: npx, args: [--, \"@playwright/mcp\", --headless]}")
	if err := os.WriteFile(filepath.Join(dir, "prompts.yaml"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, dir, 0, "pull")
	command(t, dir, 0, "build", "--strict")
	command(t, dir, 0, "check", "--live")
	files := pulledFiles(t, filepath.Join(dir, "mcp", "browser"))
	if tool := files["/tools/browser_navigate.json"]; len(files) < 15 || !strings.Contains(tool, `"destructiveHint"`) {
		t.Errorf("%q, %s", slices.Sorted(maps.Keys(files)), tool)
	}
	var lock struct {
		Package struct{ Name, Version, Integrity string }
	}
	text, err := os.ReadFile(filepath.Join(dir, "mcp", "browser", "lock.json"))
	if err := errors.Join(err, json.Unmarshal(text, &lock)); err != nil {
		t.Fatal(err)
	}
	if p := lock.Package; p.Name != "@playwright/mcp" || p.Version != "0.0.83" || !strings.HasPrefix(p.Integrity, "sha512-") {
		t.Errorf("%s", text)
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	return port
}

// pulledFiles reads what was pulled but for the lock, which says how.
func pulledFiles(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(folder, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock.json" {
			return err
		}
		text, err := os.ReadFile(p)
		out[strings.TrimPrefix(p, folder)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
