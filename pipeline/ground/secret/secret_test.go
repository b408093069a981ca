package secret_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline/ground/secret"
)

// The keys of these tests are drawn, or put together here, so that no file holds
// what a scanner of another make takes for a key.

const (
	digits = "0123456789"
	hexes  = digits + "abcdef"
	alnums = digits + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	words  = alnums + "-_"
)

// drawn gives n bytes of an alphabet, none at the ends that would end a word.
func drawn(say *rand.Rand, alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[say.IntN(len(alphabet))]
		for (i == 0 || i == n-1) && strings.IndexByte("-_.+/=", out[i]) >= 0 {
			out[i] = alphabet[say.IntN(len(alphabet))]
		}
	}
	return string(out)
}

// key is one kind of key as its issuer makes it.
type key struct {
	says string
	make func(draw func(alphabet string, n int) string) string
}

func prefixed(prefix, alphabet string, n int) func(func(string, int) string) string {
	return func(draw func(string, int) string) string { return prefix + draw(alphabet, n) }
}

func drawnUUID(draw func(string, int) string) string {
	return draw(hexes, 8) + "-" + draw(hexes, 4) + "-4" + draw(hexes, 3) + "-a" + draw(hexes, 3) + "-" + draw(hexes, 12)
}

var upper32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

var keys = []key{
	{"an AWS access key", prefixed("AKIA", upper32, 16)},
	{"an AWS access key", prefixed("ASIA", upper32, 16)},
	{"an Alibaba Cloud access key", prefixed("LTAI", alnums, 20)},
	{"an age secret key", prefixed("AGE-SECRET-KEY-1", "023456789ACDEFGHJKLMNPQRSTUVWXYZ", 58)},
	{"a Google API key", prefixed("AIza", words, 35)},
	{"a Google OAuth client secret", prefixed("GOCSPX-", words, 28)},
	{"a Google OAuth token", prefixed("ya29.", words, 120)},
	{"an Atlassian API token", prefixed("ATATT3xFfGF0", words, 170)},
	{"a SendGrid API key", func(draw func(string, int) string) string { return "SG." + draw(words, 22) + "." + draw(words, 43) }},
	{"a Twilio API key", prefixed("SK", hexes, 32)},
	{"a Databricks token", prefixed("dapi", hexes, 32)},
	{"a Docker Hub token", prefixed("dckr_pat_", words, 27)},
	{"a DigitalOcean token", prefixed("dop_v1_", hexes, 64)},
	{"a Doppler token", prefixed("dp.pt.", alnums, 43)},
	{"a Figma token", prefixed("figd_", words, 40)},
	{"a GitHub fine-grained token", func(draw func(string, int) string) string {
		return "github_pat_" + draw(alnums, 22) + "_" + draw(alnums, 59)
	}},
	{"a GitHub token", prefixed("ghp_", alnums, 36)},
	{"a GitHub token", prefixed("gho_", alnums, 36)},
	{"a GitHub token", prefixed("ghs_", alnums, 36)},
	{"a GitLab access token", prefixed("glpat-", words, 20)},
	{"a GitLab token", prefixed("gldt-", words, 20)},
	{"a Grafana service account token", func(draw func(string, int) string) string { return "glsa_" + draw(alnums, 32) + "_" + draw(hexes, 8) }},
	{"a Groq API key", prefixed("gsk_", alnums, 52)},
	{"a Hugging Face token", prefixed("hf_", alnums[10:], 34)},
	{"a Vault token", prefixed("hvs.", words, 95)},
	{"a Mailgun API key", prefixed("key-", hexes, 32)},
	{"a Linear API key", prefixed("lin_api_", alnums, 40)},
	{"an npm token", prefixed("npm_", alnums, 36)},
	{"a Notion token", prefixed("ntn_", alnums, 46)},
	{"a Notion token", prefixed("secret_", alnums, 43)},
	{"a Postman API key", func(draw func(string, int) string) string { return "PMAK-" + draw(hexes, 24) + "-" + draw(hexes, 34) }},
	{"a PlanetScale secret", prefixed("pscale_tkn_", words, 43)},
	{"a Pulumi token", prefixed("pul-", hexes, 40)},
	{"a PyPI token", prefixed("pypi-AgEIcHlwaS5vcmc", words, 150)},
	{"a Replicate token", prefixed("r8_", alnums, 37)},
	{"a RubyGems API key", prefixed("rubygems_", hexes, 48)},
	{"a Shopify token", prefixed("shpat_", hexes, 32)},
	{"an Anthropic API key", prefixed("sk-ant-api03-", words, 95)},
	{"an OpenRouter API key", prefixed("sk-or-v1-", hexes, 64)},
	{"an OpenAI key", func(draw func(string, int) string) string {
		return "sk-proj-" + draw(words, 74) + "T3BlbkFJ" + draw(words, 74)
	}},
	{"an OpenAI key", prefixed("sk-svcacct-", words, 148)},
	{"an API key", prefixed("sk-", alnums, 48)},
	{"a Stripe key", prefixed("sk_live_", alnums, 24)},
	{"a Stripe key", prefixed("rk_live_", alnums, 99)},
	{"a Stripe webhook secret", prefixed("whsec_", alnums, 32)},
	{"a Square access token", prefixed("sq0atp-", words, 22)},
	{"a Sentry token", prefixed("sntryu_", hexes, 64)},
	{"a Tailscale key", func(draw func(string, int) string) string {
		return "tskey-auth-" + draw(alnums, 17) + "-" + draw(alnums, 32)
	}},
	{"an xAI API key", prefixed("xai-", alnums, 80)},
	{"a Slack token", func(draw func(string, int) string) string {
		return "xoxb-" + draw(digits, 12) + "-" + draw(digits, 13) + "-" + draw(alnums, 24)
	}},
	{"a Slack webhook", func(draw func(string, int) string) string {
		return "https://hooks.slack.com/services/T" + draw(upper32, 8) + "/B" + draw(upper32, 10) + "/" + draw(alnums, 24)
	}},
	{"a Discord webhook", func(draw func(string, int) string) string {
		return "https://discord.com/api/webhooks/" + draw(digits, 18) + "/" + draw(words, 68)
	}},
	{"a Discord bot token", func(draw func(string, int) string) string {
		return base64.RawStdEncoding.EncodeToString([]byte("1"+draw(digits, 17))) + "." + draw(alnums, 6) + "." + draw(words, 38)
	}},
	{"a Telegram bot token", func(draw func(string, int) string) string { return "7" + draw(digits, 9) + ":AA" + draw(words, 33) }},
	{"a Terraform Cloud token", func(draw func(string, int) string) string { return draw(alnums, 14) + ".atlasv1." + draw(words, 67) }},
	{"an NVIDIA API key", prefixed("nvapi-", words, 64)},
	{"a Langfuse secret key", func(draw func(string, int) string) string { return "sk-lf-" + drawnUUID(draw) }},
	{"a Jina API key", prefixed("jina_", alnums, 60)},
	{"a Fireworks API key", func(draw func(string, int) string) string {
		key := "fw_"
		for range 8 {
			key += draw(alnums[10:36], 1) + draw(digits, 1) + draw(alnums[36:], 1)
		}
		return key
	}},
	{"an E2B API key", prefixed("e2b_", hexes, 40)},
	{"an Apify token", prefixed("apify_api_", alnums, 36)},
	{"a Voyage API key", prefixed("pa-", words, 43)},
	{"a Zapier webhook", func(draw func(string, int) string) string {
		return "https://hooks.zapier.com/hooks/catch/1" + draw(digits, 6) + "/" + draw(alnums[:10]+hexes[10:], 7)
	}},
	{"a Teams webhook", func(draw func(string, int) string) string {
		return "https://acme.webhook.office.com/webhookb2/" + drawnUUID(draw) + "@" + drawnUUID(draw) + "/IncomingWebhook/" + draw(hexes, 32) + "/" + drawnUUID(draw)
	}},
	{"the signature of a shared access", func(draw func(string, int) string) string {
		return "sig=" + draw(alnums, 20) + "%2B" + draw(alnums, 22) + "%3D"
	}},
	{"a client secret of Microsoft Entra", func(draw func(string, int) string) string { return draw(alnums, 3) + "8Q~" + draw(words+".~", 34) }},
	{"a Mailchimp API key", func(draw func(string, int) string) string { return draw(hexes, 32) + "-us" + draw(digits, 2) }},
	{"a JSON Web Token", func(draw func(string, int) string) string {
		return "eyJhbGciOiJIUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+draw(alnums, 12)+`"}`)) + "." + draw(words, 43)
	}},
	{"a private key", func(draw func(string, int) string) string {
		return "-----BEGIN RSA PRIVATE KEY-----\n" + draw(alnums, 64) + "\n" + draw(alnums, 64) + "\n-----END RSA PRIVATE KEY-----"
	}},
	{"a private key", func(draw func(string, int) string) string {
		return `-----BEGIN PRIVATE KEY-----\n` + draw(alnums, 64) + `\n` + draw(alnums, 64) + `\n-----END PRIVATE KEY-----`
	}},
	{"a private key", func(draw func(string, int) string) string {
		return "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\nComment: of the box\n\n" + draw(alnums, 64) + "\n" + draw(alnums, 64) + "\n-----END PGP PRIVATE KEY BLOCK-----"
	}},
	{"a private key", func(draw func(string, int) string) string {
		return `-----BEGIN RSA PRIVATE KEY-----\n" +` + "\n\t\"" + draw(alnums, 64) + `\n" +` + "\n\t\"" + draw(alnums, 64) + `\n" + "-----END RSA PRIVATE KEY-----`
	}},
	{"a private key", func(draw func(string, int) string) string {
		return "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,9F0B33\n\n" + draw(alnums, 64) + "\n" + draw(alnums, 20) + "\n-----END RSA PRIVATE KEY-----"
	}},
	{"a private key", func(draw func(string, int) string) string {
		return "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + draw(alnums, 64) + "\n" + draw(alnums, 64) + "\n-----END ENCRYPTED PRIVATE KEY-----"
	}},
	{"a Sentry token", func(draw func(string, int) string) string {
		return "sntrys_" + base64.StdEncoding.EncodeToString([]byte(`{"iat":17`+draw(digits, 8)+`.`+draw(digits, 6)+`,"url":"https://sentry.io","region_url":"https://us.sentry.io","org":"`+draw(hexes, 8)+`"}`)) + "_" + draw(alnums+"+/", 43)
	}},
	{"an Asana token", func(draw func(string, int) string) string {
		return "2/1" + draw(digits, 15) + "/1" + draw(digits, 15) + ":" + draw(hexes, 32)
	}},
	{"an Asana token", func(draw func(string, int) string) string {
		return "1/1" + draw(digits, 15) + ":" + draw(hexes, 32)
	}},
	{"a Facebook access token", prefixed("EAAGm0PX4ZCpsBA", alnums, 160)},
	{"a Facebook app token", func(draw func(string, int) string) string { return "7" + draw(digits, 14) + "|" + draw(words, 27) }},
	{"a Firebase Cloud Messaging key", func(draw func(string, int) string) string {
		return "AAAA" + draw(words, 7) + ":APA91b" + draw(words, 134)
	}},
	{"a private key", func(draw func(string, int) string) string {
		return "-----BEGIN EC PRIVATE KEY----- " + draw(alnums, 64) + " " + draw(alnums, 64) + " -----END EC PRIVATE KEY-----"
	}},
	{"a private key", func(draw func(string, int) string) string {
		return `-----BEGIN PRIVATE KEY-----\\n` + draw(alnums, 64) + `\\n-----END PRIVATE KEY-----`
	}},
}

// TestKeysOfEveryFormAreFound draws hundreds of keys of each kind and puts each
// into the places where keys are written.
func TestKeysOfEveryFormAreFound(t *testing.T) {
	say := rand.New(rand.NewPCG(7, 11))
	around := []string{"%s", "use %s here", "`%s`.", "TOKEN=%s\n", `{"env": {"X": "%s"}}`, "line\\n%s", "curl -H 'Authorization: Bearer %s' x", "(%s)", "key:%s", "a\n%s\nb"}
	for _, k := range keys {
		around := around
		if k.says == "the signature of a shared access" {
			around = []string{"https://a.blob.core.windows.net/c?sv=2024-01-01&%s", "`?%s&se=2026`"}
		}
		missed := 0
		const rounds = 300
		for i := range rounds {
			value := k.make(func(alphabet string, n int) string { return drawn(say, alphabet, n) })
			text := fmt.Sprintf(around[i%len(around)], value)
			got := secret.Find(text)
			if len(got) != 1 || got[0].Says != k.says || text[got[0].Start:got[0].End] != value {
				if missed++; missed < 3 {
					t.Logf("%s: %q gives %+v", k.says, text, got)
				}
			}
		}
		if missed > rounds/50 {
			t.Errorf("%s: %d of %d missed or named otherwise", k.says, missed, rounds)
		}
	}
}

// aValue is what a test puts where § stands.
const aValue = "q7Zt2Lw9XbR4" + "mK8vN3pY"

func TestValuesBehindTellingNamesAreFound(t *testing.T) {
	for _, text := range []string{
		"api_key = §", `password: "§"`, `"token": "§"`, "Authorization: Bearer §", "export DB_PASSWORD='§'", "clientSecret: §,",
		"- **API key:** `§`", "aws_secret_access_key=§", `config["auth_token"] = "§"`, "https://api.host/v1?access_token=§", "postgres://app:§@db:5432/main",
		"Log in with the password `§`.", "log in with password § when asked", "the password is §.", "| API_KEY | `§` |", "| api-key      | §   |\n", "Passwort: §",
	} {
		text = strings.ReplaceAll(text, "§", aValue)
		got := secret.Find(text)
		if len(got) != 1 || text[got[0].Start:got[0].End] != aValue {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestDrawnValuesBehindTellingNamesAreFound says how many of a kind are found at
// least, of a hundred.
func TestDrawnValuesBehindTellingNamesAreFound(t *testing.T) {
	say := rand.New(rand.NewPCG(3, 5))
	for _, tc := range []struct {
		alphabet string
		n, least int
	}{
		{hexes, 32, 98}, {hexes, 40, 98}, {hexes, 64, 99}, {alnums, 12, 50}, {alnums, 14, 58}, {alnums, 16, 90}, {alnums, 20, 95}, {alnums + "!#%&*+-", 16, 80}, {alnums + "+/", 1024, 99}, {alnums + "+/", 4000, 96},
	} {
		const rounds = 400
		got := 0
		for range rounds {
			got += len(secret.Find("session_token = " + drawn(say, tc.alphabet, tc.n) + "\n"))
		}
		if got < tc.least*rounds/100 {
			t.Errorf("%d of %d bytes: %d of %d", tc.n, len(tc.alphabet), got, rounds)
		}
	}
}

// TestWhatStandsForAKeyIsNone: what people write where a key would be.
func TestWhatStandsForAKeyIsNone(t *testing.T) {
	for _, text := range []string{
		"AKIA" + "IOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"sk-" + strings.Repeat("x", 48), "sk-...", "sk-proj-…", "sk-your-key-here", "sk-ant-" + strings.Repeat("0", 40), "sk-proj-" + strings.Repeat("abc123", 10),
		"ghp_" + strings.Repeat("X", 36), "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_" + "1234567890abcdefghij1234567890abcdef", "gho_" + "16C7e42F292c6912E7710c838347Ae178B4a",
		"github_pat_YOUR_TOKEN", "sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc", "xoxb-your-token", "xoxb-" + "123456789012-1234567890123-abcdefghijklmnopqrstuvwx",
		"https://hooks.slack.com/services/T00000000/B00000000/" + strings.Repeat("X", 24),
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
		"eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.",
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0\n",
		"s = '-----BEGIN RSA PRIVATE KEY-----\\n'\ns += base64.b64encode(encode(key_of_2048_bits))\ns += '-----END RSA PRIVATE KEY-----'",
		"Refuse files with -----BEGIN RSA PRIVATE KEY----- in them. Use SHA256 or AES256, RFC4648 and X509v3, and never 3DES or MD5 of 1991, for keys of 2048 bits.",
		"-----BEGIN RSA PRIVATE KEY-----\nyour key goes here, all of it, and more than sixty letters of words\n",
		"api_key = your-api-key-1234567890", "password: <password>", "password: ${DB_PASSWORD_2024_PROD}", "token: {{token}}", "token = process.env.GITHUB_TOKEN", `token = os.environ["X9_TOKEN_A1B2C3D4"]`,
		"api_key: getSecret2024(\"a\")", "password = correct-horse-battery-staple", "token: feature-flag-2024-rollout-01", "secret: CorrectHorseBatteryStaple1",
		"token: 123e4567-e89b-12d3-a456-426614174000", "next_page_token: Q2FuIHlvdSByZWFkIHRoaXM5", "password: Passw0rd2024", "password: P4ssw0rd1234", "password: Winter2026Sale", "token: Route53Zone2", "secret: MyApp2Db3Prod",
		"token: " + strings.Repeat("q7Zt2Lw9XbR4mK8vN3pY/A+cD", 200), "password: Kw3ls9Zq",
		"nvapi-" + strings.Repeat("x", 64), "sk-lf-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "fw_LoadFirmwareImageV2Now", "fw_readBlockOfPartition2x", "pa-the-page-that-lists-what-is-in-the-folder-x1", "https://hooks.zapier.com/hooks/catch/USER_ID/HOOK_ID/",
		"https://hooks.zapier.com/hooks/catch/123456/abcdef/", "https://hooks.zapier.com/hooks/catch/account/webhook", "https://acme.webhook.office.com/webhookb2/GUID@GUID/IncomingWebhook/ID/GUID", "sig=<signature>", "sig=abc", "the folder ~/8Q~", "eu-us14", "the-us-east-1 region",
		"The commit of the release is `§`.", "The token limit of the model `§` is high", "Set the password. The build is `§`", "Run `password` `§`", "| Commit | `§` |", "| API_KEY | of `§` |", "| API_KEY | the § |", "git -u origin:§", "user robin:§",
		"The password is `correct-horse-battery`.", "the password `hunter2`", "with password RFC2617Section3 of it", "| Password | min12Chars2Digits |", "| token | gpt-4o-2024-08-06 |", "| secret | 3f1e7c52-9a64-4c0b-8d2e-5b7a90c1d3f4 |",
		"curl -u user:password https://x.test", "curl -u $USER:$PASS", "docker run -u 1000:1000 x", "The password file is `/etc/x9/Y8z7W6v5`?",
		"d41d8cd98f00b204e9800998ecf8427e-users", "max_tokens: 4000", "tokenizer: o200k_base", "password: hunter2",
		"risk-assessment-of-the-desk-and-2024-report", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "postgres://user:password@localhost/db", "postgres://user:pass@host", "https://example.com:8080/a@b",
		"accessToken: dGhpcyBpcyBub3QgYSByZWFsIHZhbHVl", "password: 'bm90IG15IHJlYWwgcGFzc3dvcmQ='", "Authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1l",
		"AccountKey=" + "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
	} {
		text = strings.ReplaceAll(text, "§", aValue)
		if got := secret.Find(text); len(got) > 0 {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestHostileTextIsReadInOneGo reads 256 KiB of each shape: what is read more often
// than once does not end within the time that a test has.
func TestHostileTextIsReadInOneGo(t *testing.T) {
	for _, unit := range []string{
		"a", ":", "=", "://", "eyJa.", "eyJ.eyJ.", "sk-", "ghp_", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----Ab: ", "-", "token=", "token=\"", "password: ", "M", "1", "12345678:AA",
		".atlasv1.", "pypi-AgE-", "fm2_/", "ops_eyJ=", "://a:b@", "A3T", "hvs.", "https://discord.com/api/webhooks/", "~", "8Q~", "-us", "0-us1", ".webhook.office.com/webhookb2/", "sig=", "&sig=%2", "`", " `", "is `q7Zt2Lw9XbR4`", "|", "| a9B8c7D6e5F4 ", " -u a:", "password ", "password is ", "\x00", "é", "glpat-.", "xoxb-", "\\n", "eyJ-", "key-token:",
	} {
		inOrder(t, strings.Repeat(unit, 1<<18/len(unit)))
	}
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{"api_key = q7Zt2Lw9XbR4mK8vN3pY", "-----BEGIN PRIVATE KEY-----\nAAAA", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", "1234567890:AAx", "a.atlasv1.b", "x://u:p4ssw0rdQ@h"} {
		f.Add(seed)
	}
	f.Fuzz(inOrder)
}

// inOrder holds that the matches of a text lie in it, one behind the other.
func inOrder(t *testing.T, text string) {
	t.Helper()
	last := 0
	for _, m := range secret.Find(text) {
		if m.Start < last || m.End <= m.Start || m.End > len(text) || m.Shown < m.Start || m.Shown > m.End || m.Says == "" {
			t.Fatalf("%+v behind %d in %.80q", m, last, text)
		}
		last = m.End
	}
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat("The agent answers: read `config_file(12)` and say what the task is, then test it.\n", 1<<20/80)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		secret.Find(text)
	}
}
