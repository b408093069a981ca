package record

import (
	"regexp"
	"slices"
	"strings"
)

// addresses are the variables from which programs read where a provider is, with what
// they expect behind the host. From the official clients of OpenAI, Anthropic, Google,
// Ollama, Groq and Mistral, of the AI SDK, and from LiteLLM (…_API_BASE).
var addresses = []struct{ name, path string }{
	{"OPENAI_BASE_URL", "/v1"},
	{"OPENAI_API_BASE", "/v1"},
	{"AZURE_OPENAI_ENDPOINT", ""},
	{"AZURE_API_BASE", ""},
	{"ANTHROPIC_BASE_URL", ""},
	{"ANTHROPIC_API_BASE", ""},
	{"GOOGLE_GEMINI_BASE_URL", ""},
	{"GEMINI_API_BASE", "/v1beta"},
	{"OLLAMA_HOST", ""},
	{"OLLAMA_API_BASE", ""},
	{"GROQ_BASE_URL", ""},
	{"GROQ_API_BASE", "/openai/v1"},
	{"DEEPSEEK_API_BASE", "/v1"},
	{"MISTRAL_API_BASE", "/v1"},
	{"MISTRAL_AZURE_API_BASE", "/v1"},
	{"OPENROUTER_API_BASE", "/v1"},
	{"XAI_API_BASE", "/v1"},
}

// placeholders are the keys that programs get: some clients want one of a certain form
// before they send anything.
var placeholders = []struct{ name, value string }{
	{"OPENAI_API_KEY", "sk-promptc-record"},
	{"AZURE_OPENAI_API_KEY", placeholder},
	{"AZURE_API_KEY", placeholder},
	{"ANTHROPIC_API_KEY", "sk-ant-promptc-record"},
	{"GEMINI_API_KEY", placeholder},
	{"GOOGLE_GENERATIVE_AI_API_KEY", placeholder},
	{"GROQ_API_KEY", placeholder},
	{"DEEPSEEK_API_KEY", placeholder},
	{"MISTRAL_API_KEY", placeholder},
	{"OPENROUTER_API_KEY", placeholder},
	{"XAI_API_KEY", placeholder},
}

const placeholder = "promptc-record"

// isKey finds the names of variables that hold a key, a token or a password. What a
// program sends does not depend on which it is. MAX_TOKENS is a number.
var isKey = regexp.MustCompile(`(?i)(?:KEYS?|TOKEN|SECRETS?|PASSWORD|PASSWD|CREDENTIALS|KEY_ID)(?:_[0-9]+)?$|BEARER_TOKEN`)

// AddressVariable is the variable with the address for programs that read it from a
// name of their own.
const AddressVariable = "PROMPTC_URL"

// environment gives an environment ("NAME=value") with the addresses of the recorder and
// without keys. What goes elsewhere is sent through its proxy, which refuses it. What a
// program has of its own stays as it is.
func (r *Recorder) environment(of, own []string) []string {
	set := map[string]string{
		AddressVariable: r.URL(), "NO_PROXY": loopback + ",localhost", "no_proxy": loopback + ",localhost",
		"NODE_USE_ENV_PROXY": "1", // without it, Node.js calls hosts itself
	}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		set[name] = r.proxy.url()
	}
	for _, p := range placeholders {
		set[p.name] = p.value
	}
	for _, a := range addresses {
		set[a.name] = r.URL() + "/" + viaMark + "/" + a.name + a.path
	}
	for _, entry := range own {
		name, value, _ := strings.Cut(entry, "=")
		set[name] = r.Expand(value)
	}
	var out []string
	for _, entry := range of {
		name, _, _ := strings.Cut(entry, "=")
		if _, ours := set[name]; ours {
			continue
		}
		if isKey.MatchString(name) {
			entry = name + "=" + placeholder
		}
		out = append(out, r.Expand(entry))
	}
	for name, value := range set {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// Expand writes the address into a text in place of ${PROMPTC_URL}.
func (r *Recorder) Expand(text string) string {
	return strings.ReplaceAll(text, "${"+AddressVariable+"}", r.URL())
}
