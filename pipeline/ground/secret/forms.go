package secret

// set is a set of bytes, written as ranges: the first and last byte of each.
type set string

const (
	digits    set = "09"
	hex       set = "09af"
	hexColon  set = "09af//::"
	lower     set = "09az"
	upper     set = "09AZ"
	alnum     set = "09AZaz"
	dashed    set = "09AZaz--"
	word      set = "09AZaz--__"
	dotted    set = "09AZaz--__.."
	tilde     set = "09AZaz--__..~~"
	base      set = "09AZaz++//=="
	padded    set = "09AZaz++//==--__"
	equals    set = "09AZaz--__..=="
	slash     set = "09AZaz--__//"
	colon     set = "09AZaz--__::"
	path      set = "09AZaz--__//@@"
	percent   set = "09AZaz++//==--%%"
	dollar    set = "09az$$"
	mixed     set = "AZaz09"       // some of each kind
	mixedDots set = "AZaz09--__.." // likewise
	hook      set = "09az//"       // the first a digit
)

func (s set) has(c byte) bool {
	for i := 0; i < len(s); i += 2 {
		if s[i] <= c && c <= s[i+1] {
			return true
		}
	}
	return false
}

// form is a kind of key.
type form struct {
	// prefixes begin it, with blanks between them.
	prefixes, says string
	// set, min and max say of which and how many bytes the part behind the prefix is.
	set      set
	min, max int
	// holds stands somewhere behind the prefix.
	holds string
}

// long is more than any key that has no length of its own.
const long = 4096

// forms is the table of keys that begin with letters of their issuer. From the
// issuers' pages on their keys, and from keys as they are.
var forms = []form{
	{"1/ 2/", "an Asana token", hexColon, 44, 80, ":"},
	{"A3T", "an AWS access key", upper, 17, 17, ""},
	{"AAAA", "a Firebase Cloud Messaging key", colon, 140, 170, ":APA91b"},
	{"ABIA ACCA AKIA ASIA", "an AWS access key", upper, 16, 16, ""},
	{"ABSK", "an AWS Bedrock key", base, 100, 280, ""},
	{"AGE-SECRET-KEY-1", "an age secret key", upper, 58, 58, ""},
	{"AIza", "a Google API key", word, 35, 35, ""},
	{"AKCp", "a JFrog API key", alnum, 60, 75, ""},
	{"ATATT3", "an Atlassian API token", equals, 100, 250, ""},
	{"ATBB", "a Bitbucket app password", alnum, 32, 32, ""},
	{"ATCTT3", "a Bitbucket access token", equals, 100, 250, ""},
	{"CCIPAT_", "a CircleCI token", word, 40, 80, ""},
	{"CFPAT-", "a Contentful token", word, 43, 43, ""},
	{"CLOJARS_", "a Clojars token", alnum, 60, 60, ""},
	{"EAA", "a Facebook access token", alnum, 80, 400, ""},
	{"EAAA", "a Square access token", word, 60, 60, ""},
	{"EZAK", "an EasyPost API key", alnum, 54, 54, ""},
	{"FLWSECK-", "a Flutterwave secret key", dashed, 32, 48, ""},
	{"GOCSPX-", "a Google OAuth client secret", word, 28, 28, ""},
	{"HRKU-", "a Heroku API key", word, 36, 70, ""},
	{"LTAI", "an Alibaba Cloud access key", alnum, 17, 21, ""},
	{"MD MT Mj Mz ND NT Nj Nz OD OT", "a Discord bot token", mixedDots, 54, 80, "."},
	{"NRAK-", "a New Relic API key", upper, 27, 27, ""},
	{"PMAK-", "a Postman API key", dashed, 59, 59, ""},
	{"SG.", "a SendGrid API key", dotted, 66, 66, "."},
	{"SK", "a Twilio API key", hex, 32, 32, ""},
	{"access_token$production$", "a Braintree access token", dollar, 49, 49, "$"},
	{"aio_", "an Adafruit IO key", alnum, 28, 28, ""},
	{"apify_api_", "an Apify token", alnum, 36, 40, ""},
	{"bkua_", "a Buildkite token", hex, 40, 40, ""},
	{"cio", "a crates.io token", alnum, 32, 32, ""},
	{"csk-", "a Cerebras API key", lower, 40, 56, ""},
	{"dapi", "a Databricks token", hex, 32, 32, ""},
	{"dckr_oat_", "a Docker Hub organization token", word, 32, 32, ""},
	{"dckr_pat_", "a Docker Hub token", word, 27, 27, ""},
	{"doo_v1_ dop_v1_ dor_v1_", "a DigitalOcean token", hex, 64, 64, ""},
	{"dp.pt.", "a Doppler token", alnum, 40, 44, ""},
	{"dp.st.", "a Doppler token", dotted, 40, 80, ""},
	{"dt0c01.", "a Dynatrace token", dotted, 89, 89, "."},
	{"duffel_live_", "a Duffel token", equals, 43, 44, ""},
	{"e2b_", "an E2B API key", hex, 40, 40, ""},
	{"fc-", "a Firecrawl API key", hex, 32, 32, ""},
	{"figd_", "a Figma token", word, 40, 45, ""},
	{"fio-u-", "a Frame.io token", word, 64, 64, ""},
	{"fm2_", "a Fly.io token", base, 100, long, ""},
	{"fo1_", "a Fly.io token", word, 43, 43, ""},
	{"fw_", "a Fireworks API key", mixed, 22, 24, ""},
	{"gho_ ghp_ ghs_ ghu_", "a GitHub token", alnum, 36, 36, ""},
	{"ghr_", "a GitHub refresh token", alnum, 36, 255, ""},
	{"github_pat_", "a GitHub fine-grained token", word, 82, 82, "_"},
	{"glagent-", "a GitLab agent token", word, 50, 50, ""},
	{"glc_", "a Grafana Cloud token", base, 32, 400, ""},
	{"glcbt- gldt- glft- glsoat-", "a GitLab token", word, 20, 64, ""},
	{"glimt-", "a GitLab mail token", word, 25, 25, ""},
	{"gloas-", "a GitLab OAuth secret", word, 64, 64, ""},
	{"glpat- glrt-", "a GitLab access token", dotted, 20, 300, ""},
	{"glptt-", "a GitLab trigger token", hex, 40, 40, ""},
	{"glsa_", "a Grafana service account token", word, 41, 41, "_"},
	{"gsk_", "a Groq API key", alnum, 52, 52, ""},
	{"hf_", "a Hugging Face token", alnum, 34, 37, ""},
	{"https://discord.com/api/webhooks/ https://discordapp.com/api/webhooks/", "a Discord webhook", slash, 75, 120, "/"},
	{"https://hooks.slack.com/services/", "a Slack webhook", slash, 40, 60, "/"},
	{"https://hooks.slack.com/workflows/", "a Slack webhook", slash, 40, 80, "/"},
	{"https://hooks.zapier.com/hooks/catch/", "a Zapier webhook", hook, 12, 40, "/"},
	{"hvb.", "a Vault batch token", word, 100, 400, ""},
	{"hvs.", "a Vault token", word, 24, 200, ""},
	{"ico-", "an Infracost API key", alnum, 32, 32, ""},
	{"jina_", "a Jina API key", word, 56, 64, ""},
	{"key-", "a Mailgun API key", hex, 32, 32, ""},
	{"lin_api_", "a Linear API key", alnum, 40, 40, ""},
	{"lin_oauth_", "a Linear OAuth token", hex, 64, 64, ""},
	{"lsv2_pt_ lsv2_sk_", "a LangSmith API key", word, 43, 43, "_"},
	{"nfp_", "a Netlify token", alnum, 36, 40, ""},
	{"npm_", "an npm token", alnum, 36, 36, ""},
	{"ntn_", "a Notion token", alnum, 43, 50, ""},
	{"nvapi-", "an NVIDIA API key", word, 60, 70, ""},
	{"ops_eyJ", "a 1Password service account token", base, 200, long, ""},
	{"oy2", "a NuGet API key", lower, 43, 43, ""},
	{"pa-", "a Voyage API key", word, 43, 43, ""},
	{"pat", "an Airtable token", dotted, 79, 79, "."},
	{"pat-eu1- pat-na1- pat-na2-", "a HubSpot token", dashed, 36, 36, "-"},
	{"pcsk_", "a Pinecone API key", word, 60, 90, ""},
	{"phx_", "a PostHog API key", alnum, 40, 50, ""},
	{"pnu_", "a Prefect API key", alnum, 36, 36, ""},
	{"pplx-", "a Perplexity API key", alnum, 48, 60, ""},
	{"pscale_oauth_ pscale_tkn_ pscale_pw_", "a PlanetScale secret", equals, 32, 64, ""},
	{"pul-", "a Pulumi token", hex, 40, 40, ""},
	{"pypi-AgE", "a PyPI token", word, 50, 400, ""},
	{"r8_", "a Replicate token", alnum, 37, 37, ""},
	{"rdme_", "a ReadMe API key", lower, 70, 70, ""},
	{"rk_live_ rk_test_ sk_live_ sk_test_", "a Stripe key", alnum, 16, 247, ""},
	{"rubygems_", "a RubyGems API key", hex, 48, 48, ""},
	{"sb_secret_", "a Supabase secret key", word, 31, 45, ""},
	{"sbp_", "a Supabase token", hex, 40, 40, ""},
	{"secret_", "a Notion token", alnum, 43, 43, ""},
	{"sgp_", "a Sourcegraph token", word, 40, 80, ""},
	{"shippo_live_", "a Shippo token", hex, 40, 40, ""},
	{"shpat_ shpca_ shppa_ shpss_", "a Shopify token", hex, 32, 32, ""},
	{"sig=", "the signature of a shared access", percent, 43, 60, ""},
	{"sk-", "an API key", alnum, 32, 64, ""},
	{"sk-admin- sk-proj- sk-svcacct-", "an OpenAI key", word, 40, 250, ""},
	{"sk-ant-", "an Anthropic API key", word, 32, 150, ""},
	{"sk-lf-", "a Langfuse secret key", dashed, 36, 36, "-"},
	{"sk-or-v1-", "an OpenRouter API key", hex, 64, 64, ""},
	{"sk.eyJ", "a Mapbox secret token", dotted, 60, 250, "."},
	{"sk_", "an ElevenLabs API key", hex, 48, 48, ""},
	{"sntrys_", "a Sentry token", padded, 60, 400, "_"},
	{"sntryu_", "a Sentry token", hex, 64, 64, ""},
	{"sq0atp-", "a Square access token", word, 22, 22, ""},
	{"sq0csp-", "a Square OAuth secret", word, 43, 43, ""},
	{"tfp_", "a Typeform token", equals, 40, 64, ""},
	{"tgp_v1_", "a Together API key", word, 43, 43, ""},
	{"tk-us-", "a Scalingo token", word, 48, 48, ""},
	{"tskey-", "a Tailscale key", dashed, 24, 90, "-"},
	{"tvly-", "a Tavily API key", dashed, 32, 48, ""},
	{"whsec_", "a Stripe webhook secret", base, 32, 64, ""},
	{"xai-", "an xAI API key", alnum, 70, 90, ""},
	{"xapp-", "a Slack app token", dashed, 50, 200, "-"},
	{"xkeysib-", "a Brevo API key", dashed, 81, 81, "-"},
	{"xoxa- xoxo- xoxr- xoxs- xoxb- xoxe- xoxe.xox xoxp-", "a Slack token", dashed, 24, 300, "-"},
	{"ya29.", "a Google OAuth token", word, 40, 400, ""},
}

// marked is a kind of key that a mark in its middle tells. Before it stand least
// to most bytes of a set, and before those lead. Sign is the place of the first
// byte of the mark that is neither letter nor digit.
type marked struct {
	lead        string
	before      set
	least, most int
	mark        string
	sign        int
	form
}

var marks = []marked{
	{"", digits, 8, 10, ":AA", 0, form{"", "a Telegram bot token", word, 33, 33, ""}},
	{"", digits, 15, 16, "|", 0, form{"", "a Facebook app token", word, 27, 40, ""}},
	{"", alnum, 14, 14, ".atlasv1.", 0, form{"", "a Terraform Cloud token", word, 60, 90, ""}},
	{"", hex, 32, 32, "-us", 0, form{"", "a Mailchimp API key", digits, 1, 3, ""}},
	{"", dotted, 4, 4, "Q~", 1, form{"", "a client secret of Microsoft Entra", tilde, 31, 34, ""}},
	{"https://", dashed, 1, 64, ".webhook.office.com/webhookb2/", 0, form{"", "a Teams webhook", path, 120, 260, "/IncomingWebhook/"}},
}
