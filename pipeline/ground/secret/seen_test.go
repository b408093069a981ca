package secret_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/secret"
)

// github is a key; in two parts, so that nobody takes it for one of ours.
const github = "ghp_zQWBuTSOoRi4A9spHcVY5ncn" + "sDkxkJ0mLq17"

func TestWhatNobodySeesHidesNoKey(t *testing.T) {
	for _, in := range []string{"\u200b", "\u2060\u200d", "\u00ad", "\ufe0f", "\U000e0041", "\x01", "\u202e"} {
		text := "é\u200b the " + in + github[:10] + in + github[10:20] + in + in + github[20:] + in + " key"
		got := secret.Find(text)
		if len(got) != 1 || text[got[0].Start:got[0].End] != github[:10]+in+github[10:20]+in+in+github[20:] || got[0].Shown != got[0].Start {
			t.Errorf("%+q: %+v", in, got)
		}
	}
	both := github + "\u200bs and " + github
	if got := secret.Find(both); len(got) != 2 || both[got[0].Start:got[0].End] != github {
		t.Errorf("%+v", got)
	}
}

func TestKeysAreMaskedHoweverTheyAreShown(t *testing.T) {
	stars := func(n int) string { return strings.Repeat("*", n) }
	pem := "-----BEGIN PRIVATE KEY-----\nMIIEpQ9vTz3kLw7Yb2XnR8sJf5Hq1UdA6mGcEoP0iZtKyWxN4Vr\nQgBhMIIEpQ9vTz3kLw7Yb2XnR8sJf5Hq1UdA6mGcEoP0iZtK\n-----END PRIVATE KEY-----"
	for text, want := range map[string]string{
		"":                           "",
		"no key at all, of any kind": "no key at all, of any kind",
		"the key " + github + ".":    "the key ghp_" + stars(36) + ".",
		`"` + github[:9] + "<U+200B>" + github[9:] + `"`: `"ghp_` + stars(44) + `"`,
		`"` + github[:9] + `\u200b` + github[9:] + `"`:   `"ghp_` + stars(42) + `"`,
		`\u0067\x68p_` + github[4:] + ` x`:               `\u00` + stars(44) + ` x`,
		`"whsec_q7Zt2Lw9\/XbR4mK8vN3pYtGh5JdK2mQ8s"`:     `"whse` + stars(36) + `"`,
		"pathological cases of patience…":                "pathological cases of patience…",
		`"ghp_…", 40 characters`:                         `"ghp_…", 40 characters`,
		pem:                                              pem[:32] + stars(47) + "\n" + stars(48) + "\n" + stars(25),
	} {
		if got := secret.Mask(text); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", text, got, want)
		}
		if got := secret.Mask(want); got != want {
			t.Errorf("%s masked again: %s", want, got)
		}
	}
}

func TestPartsOfKnownKeysAreMasked(t *testing.T) {
	var known secret.Known
	in := "the key " + github[:20] + "\u200b" + github[20:] + " of it"
	for _, m := range secret.Find(in) {
		known.Add(m)
	}
	for text, want := range map[string]string{
		`"` + github[10:16] + `<U+200B>` + github[16:22] + `"`:                                               `"` + strings.Repeat("*", 20) + `"`,
		`"` + github[10:16] + `\u0` + `0` + strconv.FormatUint(uint64(github[16]), 16) + github[17:22] + `"`: `"` + strings.Repeat("*", 17) + `"`,
		"ends " + github[33:]: "ends " + github[33:],
		"ends " + github[32:]: "ends ********",
		"ghp_ " + github[:12]: "ghp_ ghp_********",
		"nothing of it":       "nothing of it",
	} {
		if got := known.Mask(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestHostileTextIsMaskedInOneGo: a megabyte of any shape.
func TestHostileTextIsMaskedInOneGo(t *testing.T) {
	for _, unit := range []string{"\u200b", "a\u200b", "…", "a…", "ghp_…", "sk-…", "<U+", "<U+200B>", `\`, `\u`, `\u0067`, `\u200b`, "-----BEGIN …", "-----BEGIN PRIVATE KEY-----…", "eyJ…", github + "\u200b"} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		if got := secret.Mask(text); len(got) != len(text) {
			t.Errorf("%q: %d bytes of %d", unit, len(got), len(text))
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, seed := range []string{github, github[:9] + "\u200b" + github[9:], `\u0067\x68p_` + github[4:], github[:20] + "…", "<U+200B>", "-----BEGIN PRIVATE KEY-----…"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, m := range secret.Find(text) {
			if m.Start < last || m.End <= m.Start || m.End > len(text) || m.Shown < m.Start || m.Shown > m.End {
				t.Fatalf("%+v behind %d in %q", m, last, text)
			}
			last = m.End
		}
		if got := secret.Mask(text); len(got) != len(text) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
