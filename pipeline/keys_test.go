package pipeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// keyForms are keys as their issuers make them, and values behind names: «x20» is
// twenty drawn characters of an alphabet (x hexadecimal, d digits, u capitals and
// digits, a letters and digits, w also - and _).
var keyForms = []string{
	"AKIA«u16»", "AIza«w35»", "GOCSPX-«w28»", "ya29.«w120»", "ATATT3xFfGF0«w170»", "SG.«w22».«w43»", "SK«x32»", "dapi«x32»", "dckr_pat_«w27»", "dop_v1_«x64»",
	"github_pat_«a22»_«a59»", "ghp_«a36»", "gho_«a36»", "ghs_«a36»", "glpat-«w20»", "glsa_«a32»_«x8»", "gsk_«a52»", "hf_«a34»", "hvs.«w95»", "key-«x32»", "lin_api_«a40»", "npm_«a36»", "ntn_«a46»",
	"PMAK-«x24»-«x34»", "pypi-AgEIcHlwaS5vcmc«w150»", "r8_«a37»", "shpat_«x32»", "sk-ant-api03-«w93»AA", "sk-or-v1-«x64»", "sk-proj-«w74»T3BlbkFJ«w74»", "sk-«a48»", "sk_live_«a24»", "whsec_«a32»",
	"sntryu_«x64»", "sntrys_eyJpYXQiOjE3«a90»==_«a43»", "xoxb-«d12»-«d13»-«a24»", "https://hooks.slack.com/services/T«u8»/B«u10»/«a24»", "https://discord.com/api/webhooks/«d18»/«w68»",
	"7«d9»:AA«w33»", "«a14».atlasv1.«w67»", "«x32»-us14", "«a3»8Q~«w34»", "1/1«d15»:«x32»", "EAAGm0PX4ZCpsBA«a160»", "7«d14»|«w27»", "AAAA«w7»:APA91b«w134»",
	"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJyb2JpbiIsImlhdCI6MTcwMDAwMDAwMH0.«w43»",
	"https://a.blob.core.windows.net/c?sv=2024-01-01&sig=«a43»%3D",
	"postgres://app:«a20»@db.internal/main",
	"-----BEGIN PRIVATE KEY-----\n«a64»\n«a64»\n«a30»==\n-----END PRIVATE KEY-----",
	"-----BEGIN ENCRYPTED PRIVATE KEY-----\n«a64»\n«a64»\n-----END ENCRYPTED PRIVATE KEY-----",
	"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,9F0B33\n\n«a64»\n«a64»\n-----END RSA PRIVATE KEY-----",
	`password = "«a18»"`, `api_key: "«a20»"`, `SECRET_KEY="«a24»"`, `token="«a20»"`, `"client_secret":"«a24»"`, `{"apiKey": "«a32»"}`, `Authorization: Bearer «a40»`, `export DB_PASSWORD='«a20»'`,
	`config["auth_token"] = "«a22»"`, "the password is `«a20»`", "| API_KEY | `«a20»` |", `private_key => '«a40»'`, `access_key=«a20»`, `passwd: «x32»`,
}

var drawnPart = regexp.MustCompile(`«([a-z])(\d+)»`)

// aForm draws a key of a form, and returns what of it is secret.
func aForm(say *rand.Rand, form string) (text string, parts []string) {
	alphabets := map[string]string{"d": "0123456789", "x": "0123456789abcdef", "u": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"}
	alphabets["a"] = alphabets["d"] + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	alphabets["w"] = alphabets["a"] + "-_"
	text = drawnPart.ReplaceAllStringFunc(form, func(s string) string {
		m := drawnPart.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[2])
		alphabet := alphabets[m[1]]
		var out []byte
		for len(out) < n { // each byte once before any is there again
			for _, k := range say.Perm(len(alphabet)) {
				edge := len(out) == 0 || len(out) == n-1
				if c := alphabet[k]; len(out) < n && (!edge || c != '-' && c != '_') {
					out = append(out, c)
				}
			}
		}
		out[n/2] = '7' // a value without digits is none that its name alone tells
		if m[1] != "d" && n >= 18 {
			parts = append(parts, string(out))
		}
		return string(out)
	})
	if len(parts) == 0 {
		parts = []string{text}
	}
	return text, parts
}

// escapes write a text into a file. Each gives the file's extension and its
// text; what is a tool has a name.
var escapes = map[string]func(name, text string) (ext, file string){
	"markdown": func(_, text string) (string, string) { return "md", "Say:\n\n" + text + "\n" },
	"json": func(name, text string) (string, string) {
		b, _ := json.Marshal("Read. " + text)
		return "json", fmt.Sprintf(`{"name": %q, "description": %s, "inputSchema": {"type": "object"}}`, name, b)
	},
	"json, every character by number": func(name, text string) (string, string) {
		return "json", fmt.Sprintf(`{"name": %q, "description": "Read. %s", "inputSchema": {"type": "object"}}`, name, numbered(text))
	},
	"json in json": func(name, text string) (string, string) {
		b, _ := json.Marshal(text)
		b, _ = json.Marshal(map[string]string{"say": string(b)})
		b, _ = json.Marshal(string(b))
		return "json", fmt.Sprintf(`{"name": %q, "description": %s, "inputSchema": {"type": "object"}}`, name, b)
	},
	"yaml": func(name, text string) (string, string) {
		return "yaml", fmt.Sprintf("name: %s\ndescription: %q\ninputSchema: {type: object}\n", name, "Read. "+text)
	},
	"yaml, numbers and line breaks": func(name, text string) (string, string) {
		coded := numbered(text)
		return "yaml", fmt.Sprintf("name: %s\ndescription: \"%s\\\n   %s\"\ninputSchema: {type: object}\n", name, coded[:60], coded[60:])
	},
	"yaml block": func(name, text string) (string, string) {
		return "yaml", fmt.Sprintf("name: %s\ndescription: |\n  %s\ninputSchema: {type: object}\n", name, strings.ReplaceAll(text, "\n", "\n  "))
	},
	"yaml single quotes": func(name, text string) (string, string) {
		return "yaml", fmt.Sprintf("name: %s\ndescription: '%s'\ninputSchema: {type: object}\n", name, strings.ReplaceAll(strings.ReplaceAll(text, "'", "''"), "\n", "\n\n  "))
	},
}

func numbered(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, `\u%04x`, c)
	}
	return b.String()
}

// keyProject is a project with every form in every escape, and the secret parts
// of them all.
func keyProject(seed uint64) (fstest.MapFS, []string) {
	say := rand.New(rand.NewPCG(seed, 3))
	files, parts := fstest.MapFS{}, []string{}
	manifest := "version: 1\nsources:\n  tools: {kind: tools, path: \"tools/*.*\"}\nprompts:\n  p:\n    sections:\n      - {id: tools, source: tools}\n"
	for n, name := range slices.Sorted(maps.Keys(escapes)) {
		escape := escapes[name]
		for i, form := range keyForms {
			text, secrets := aForm(say, form)
			parts = append(parts, secrets...)
			id := fmt.Sprintf("t%d_%d", n, i)
			ext, file := escape(id, text)
			path := "tools/" + id + "." + ext
			if ext == "md" {
				path = fmt.Sprintf("texts/%d.md", i)
				manifest += fmt.Sprintf("      - {id: s%d, path: %s}\n", i, path)
			}
			files[path] = &fstest.MapFile{Data: []byte(file)}
		}
	}
	// In names: of files, of arguments and of sections' texts.
	for i, form := range keyForms {
		text, secrets := aForm(say, form)
		if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" || len(text) > 200 {
			continue
		}
		parts = append(parts, secrets...)
		manifest += fmt.Sprintf("      - {id: n%d, path: %q}\n", i, "texts/"+text+".md")
		files["texts/"+text+".md"] = &fstest.MapFile{Data: []byte("# " + text + "\n")}
		files[fmt.Sprintf("tools/n%d.json", i)] = &fstest.MapFile{Data: []byte(fmt.Sprintf(`{"name": "n%d", "description": "D.", "inputSchema": {"type": "object", "properties": {%q: {"type": "string"}}}}`, i, text))}
	}
	manifest += "  q: {sections: [{id: listed, source: tools, form: fallback}]}\n"
	files["prompts.yaml"] = &fstest.MapFile{Data: []byte(manifest)}
	return files, parts
}

// window is how many characters of a key, behind those that are shown, no output
// may have in a row.
const window = 12

// TestNoKeyIsPrintedWhole: every form of key, in every escape, in every format of
// every command.
func TestNoKeyIsPrintedWhole(t *testing.T) {
	skipIfShort(t)
	base, was := keyProject(1)
	head, is := keyProject(2)
	before, err := pipeline.Compile(t.Context(), pipeline.Request{Files: base, Manifest: "prompts.yaml"})
	if err != nil || before.Stopped {
		t.Fatal(err, before.Findings)
	}
	for _, o := range before.Delta.Wanted {
		head[o.Path] = &fstest.MapFile{Data: []byte(o.Content())}
	}
	after, err := pipeline.Compile(t.Context(), pipeline.Request{Files: head, Manifest: "prompts.yaml"})
	if err != nil || after.Stopped {
		t.Fatal(err, after.Findings)
	}
	d, found := pipeline.Compare(review.Side{Name: "a", Result: before}, review.Side{Name: "b", Result: after}, review.Side{Name: "a", Result: before})
	judged := change.Judge(d, found, nil)
	var plain words.Options
	outputs := map[string]func(io.Writer) error{
		"findings":      func(w io.Writer) error { return finding.Text(w, after.Findings, plain) },
		"text":          func(w io.Writer) error { return run.Check(w, after, plain) },
		"colour":        func(w io.Writer) error { return change.Text(w, d, found, judged, words.Options{Color: true}) },
		"diff":          func(w io.Writer) error { return change.Text(w, d, found, judged, plain) },
		"diff json":     func(w io.Writer) error { return change.JSON(w, d, found, judged, plain) },
		"diff github":   func(w io.Writer) error { return change.GitHub(w, d, found, judged, plain) },
		"diff markdown": func(w io.Writer) error { return change.Markdown(w, d, found, judged, plain) },
		"diff sarif":    func(w io.Writer) error { return change.SARIF(w, d, found, judged, plain) },
	}
	for _, command := range []string{"check", "build"} {
		did := run.Outcome{Command: command}
		outputs[command+" json"] = func(w io.Writer) error { return run.JSON(w, after, did, plain) }
		outputs[command+" github"] = func(w io.Writer) error { return run.GitHub(w, after, did, plain) }
		outputs[command+" markdown"] = func(w io.Writer) error { return run.Markdown(w, after, did, plain) }
		outputs[command+" sarif"] = func(w io.Writer) error { return run.SARIF(w, after, did, plain) }
	}
	secrets := map[string]string{}
	for _, key := range append(was, is...) {
		for i := 4; i+window <= len(key); i++ {
			secrets[key[i:i+window]] = key
		}
	}
	for name, write := range outputs {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		noKeyIn(t, name, b.String(), secrets)
	}
	// Each key is a finding of its own, if it is not one of those that are counted.
	met := map[*diag.File]bool{}
	for _, f := range after.Findings {
		met[f.Span.File] = met[f.Span.File] || f.Code == diag.SecretInText
	}
	for _, doc := range after.Tree.Docs() {
		if !met[doc.File] {
			t.Errorf("no key is found in %s:\n%s", doc.File.Path, doc.File.Text)
		}
	}
}

// noKeyIn looks for the keys in an output as it is, and as who decodes it reads
// it.
func noKeyIn(t *testing.T, name, text string, secrets map[string]string) {
	t.Helper()
	plain := html.UnescapeString(strings.ReplaceAll(text, `\\`, `\`))
	if said, err := url.PathUnescape(plain); err == nil {
		plain = said
	}
	plain = regexp.MustCompile(`\\u00[0-9a-f]{2}`).ReplaceAllStringFunc(plain, func(s string) string {
		n, _ := strconv.ParseUint(s[2:], 16, 8)
		return string(rune(n))
	})
	plain += regexp.MustCompile(`\x1b\[[0-9;]*m|\[-|-\]|\{\+|\+\}|\\`).ReplaceAllString(plain, "")
	leaks := 0
	for _, s := range []string{text, plain} {
		for i := 0; i+window <= len(s); i++ {
			if key := secrets[s[i:i+window]]; key != "" {
				if leaks++; leaks < 4 {
					t.Errorf("%s prints %q of %q: %.300q", name, s[i:i+window], key, s[max(0, i-150):min(len(s), i+150)])
				}
			}
		}
	}
}
