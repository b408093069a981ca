package transient_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/guard/internal/transient"
)

// found writes the matches of a text, a line each.
func found(text string) []string {
	var out []string
	for _, m := range transient.Find(text) {
		says := [...]string{"a date with a time", "the current date or time", "a time in seconds since 1970", "an identifier drawn by chance"}[m.Kind]
		out = append(out, says+": "+text[m.Start:m.End])
	}
	return out
}

func TestWhatBelongsToOneMomentOrRun(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"Now 2026-03-26T14:47:03.120Z here", "a date with a time: 2026-03-26T14:47:03.120Z"},
		{"at 2026-03-26 14:47.", "a date with a time: 2026-03-26 14:47"},
		{"2026-03-26T14:47:03+02:00", "a date with a time: 2026-03-26T14:47:03+02:00"},
		{"It is Thursday, March 26, 2026 at 2:47 PM in", "a date with a time: Thursday, March 26, 2026 at 2:47 PM"},
		{"Thu, 26 Mar 2026 14:47:00 GMT", "a date with a time: Thu, 26 Mar 2026 14:47:00 GMT"},
		{"The API is shut off on June 30, 2027 at 12:00 UTC.", "a date with a time: June 30, 2027 at 12:00 UTC"},
		{"from 2024-01-01T00:00:00Z", "a date with a time: 2024-01-01T00:00:00Z"},
		{"Thursday, March 26, 2026", "a date with a time: Thursday, March 26, 2026"},
		{"logged 2031-01-02 03:04:05", "a date with a time: 2031-01-02 03:04:05"},
		{"updated_at: 1831536423", "a time in seconds since 1970: 1831536423"},
		{"expires: 2100000000", "a time in seconds since 1970: 2100000000"},
		{"at 1700000000", "a time in seconds since 1970: 1700000000"},
		{"Current date: 2026-03-26", "the current date or time: 2026-03-26"},
		{"**Today's date is** March 26th, 2026.", "the current date or time: March 26th, 2026"},
		{`Today's date: "2026-03-26"`, "the current date or time: 2026-03-26"},
		{"It is Thu Mar  5 14:05:11 UTC 2026.", "a date with a time: Thu Mar  5 14:05:11 UTC 2026"},
		{"Thu Mar 15 14:05:11 2026", "a date with a time: Thu Mar 15 14:05:11 2026"},
		{"The current time is 14:05 UTC.", "the current date or time: 14:05 UTC"},
		{"Current time: 2:05 PM", "the current date or time: 2:05 PM"},
		{"Today is 26 March 2026", "the current date or time: 26 March 2026"},
		{"started 1774536423 and", "a time in seconds since 1970: 1774536423"},
		{"started: 1774536423123", "a time in seconds since 1970: 1774536423123"},
		{"The request was made at 1774536423.", "a time in seconds since 1970: 1774536423"},
		{"ts=1774536423", "a time in seconds since 1970: 1774536423"},
		{`"iat": 1774536423,`, "a time in seconds since 1970: 1774536423"},
		{`"createdAt": 1774536423123`, "a time in seconds since 1970: 1774536423123"},
		{`"expiration_time": 1620499962`, "a time in seconds since 1970: 1620499962"},
		{"session 3f1e7c52-9a64-4c0b-8d2e-5b7a90c1d3f4.", "an identifier drawn by chance: 3f1e7c52-9a64-4c0b-8d2e-5b7a90c1d3f4"},
	} {
		if diff := cmp.Diff([]string{tc.want}, found(tc.text)); diff != "" {
			t.Errorf("%q: %s", tc.text, diff)
		}
	}
}

func TestWhatStaysTheSame(t *testing.T) {
	for _, text := range []string{
		"released on 2024-05-01", "1999-77-88 10:00", "2024-13-01 10:00", "2024-01-32T10:00:00Z", "2026-03-26 14:471", "The API of 2024-10-01 has it", "In March 2026", "March 26, 2026", "May 5 we meet", "model gpt-4o-2024-08-06", "claude-3-5-sonnet-20241022", "v2024.05.01",
		"2026-03-26 29:10", "the current time is 24:30", "YYYY-MM-DD HH:MM", "at 14:30", "as of version 2024.1", "as of today", "what day is it today?", "Today's date: 3/5/2026", "12/31/2024 23:59", "We meet at 14:05 UTC", "the current time, not 14:05", "version 05.03.2026", "am 5. März 2026", "2026年3月5日", "2026年3月", "el 5 de marzo de 2026", "heute 14 Fragen", "5. Mai", "20.10.2026.1", "3/5/2026", "1/2/2026 of it", "the ratio 3/5", "Thu Mar 5", "Thu Mar 5 14:05", "May 5 we meet at 10:00", `{"timestamp": "2026-03-26"}`, "2024-05-01-notes.md", "Monday 9:00 to 17:00",
		"Call 1612345678 for support.", "The project id is 1718501901.", "ISBN 1718501901234", "const SHT_MIPS_ABIFLAGS = 1879048234 at the time", "(merge 1820703045 js/larger-timestamps later to maint).", "The limit is 1700000001 bytes.",
		"Sometimes 1774536423", "timeout: 1774536423", "updated\n1774536423", "The account 1612345678 was created in time.",
		"2147483647", "1000000000", "at 1500000000", "at 2200000000", "at +1 1774536423", "at 1774536423.52", "at 0x1774536423", "at 17745364231", "at a1774536423",
		"00000000-0000-0000-0000-000000000000", "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx",
		"https://x.test/assets/3f1e7c52-9a64-4c0b-8d2e-5b7a90c1d3f4",
		"/home/user/project", "/home/.gitignore", "/home/user2/x", "/home/node_modules/x", "/home/ry/projects", "`/Users/mjr/app`", "/home/iojs/build/", "${PATH}:/home/vsts/go/bin/", "/home/vsts/go/bin", `C:\Users\MyUserName\x`, "/home/myself/node", "/home/userid/path", "/home/user_name/x", "/home/nodeuser/project",
		"/home/site/wwwroot", "/home/nginx/html", "/home/pwuser/x", "/home/pptruser", "/home/opc/x", "/home/airflow/dags", "/Users/my-user-name/x", "/home/my_name/x", "/home/index.js:1:15", "/Users/<name>/x", "/Users/you", "/home/$USER/x", "/home/{user}", "/Users/USERNAME", "~/notes", "/api/Users/robin", "https://x.test/home/robin", "/home/runner/work", `C:\Users\<you>`, "/Users/.../x",
		"/tmp/report.md", "/tmp/build-output", "/tmp/mcp-2", "/tmp/$RANDOM", "/tmp/screenshot1.png",
		"CLAUDE.local.md", "settings.local.json", ".env.local", "config.local", "svc.cluster.local", "host.docker.internal", "com.acme.internal", "module.internal.x", "*.local", "metadata.google.internal", "git@github.com:a/b", "user@host:~$", "react@18", "ip-address", "a@b.example",
	} {
		if got := found(text); len(got) > 0 {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestHostileTextIsReadInOneGo does not end within the time that a test has,
// should a form of text be read more often than once.
func TestHostileTextIsReadInOneGo(t *testing.T) {
	for _, unit := range []string{"1", "A", "-", "2026-03-26", "May 1, ", "today ", "Mon, ", "é", "12345678-", "1774536423 ", "at 1774536423 ", "current time 14:05 ", "Thu Mar  5 14:05 "} {
		inOrder(t, strings.Repeat(unit, 1<<17/len(unit)))
	}
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{"Thursday, March 26, 2026 at 2:47 PM", "2026-03-26T14:47:03.120Z", "/home/robin/", `C:\Users\Robin`, "ip-10-0-0-1", "a-1.local", "x@y:~", "1774536423", "3f1e7c52-9a64-4c0b-8d2e-5b7a90c1d3f4", "/tmp/a8F3kQ9x"} {
		f.Add(seed)
	}
	f.Fuzz(inOrder)
}

// inOrder holds that the matches of a text lie in it, one behind the other.
func inOrder(t *testing.T, text string) {
	t.Helper()
	last := 0
	for _, m := range transient.Find(text) {
		if m.Start < last || m.End <= m.Start || m.End > len(text) || m.Kind < transient.Time {
			t.Fatalf("%+v behind %d in %.80q", m, last, text)
		}
		last = m.End
	}
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat("The agent answers: read `config_file(12)` and say what the task is, then test it.\n", 1<<20/80)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		transient.Find(text)
	}
}
