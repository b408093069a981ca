package live

import (
	"regexp"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// inherited are the variables that every program gets, where they are set: what
// it takes to find programs, folders and the user's own settings, and nothing
// with a secret. They are those that the SDKs of the protocol hand on.
var inherited = []string{
	"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER",
	// Windows.
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES",
	"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
}

// variable is ${NAME} or ${NAME:-default}.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// Expand makes a server to ask of an entry. getenv gives a variable of the
// environment, "" for one that is not set.
func Expand(entry *language.Server, getenv func(string) string) (Server, error) {
	out := Server{Name: entry.Name.Str}
	switch t := entry.Type.Str; {
	case t == "" || t == "stdio" && entry.URL.Str == "" || (t == "http" || t == "streamable-http") && entry.URL.Str != "":
	default:
		return out, &diag.Failure{Fact: diag.Say("server-type", out.Name, t), Hint: diag.Say("server-types")}
	}
	x := expander{getenv: getenv}
	out.Command, out.URL = x.value(entry.Command.Str), x.value(entry.URL.Str)
	for _, a := range entry.Args {
		out.Args = append(out.Args, x.value(a.Str))
	}
	for _, name := range inherited {
		if value := getenv(name); value != "" {
			out.Env = append(out.Env, name+"="+value)
		}
	}
	for _, v := range entry.Env {
		value := x.literal(v.Value.Str)
		out.Env = append(out.Env, v.Name.Str+"="+value)
	}
	for _, v := range entry.Headers {
		out.Headers = append(out.Headers, Header{v.Name.Str, x.literal(v.Value.Str)})
	}
	if x.unset != "" {
		return out, &diag.Failure{Fact: diag.Say("server-variable", out.Name, x.unset), Hint: diag.Say("server-set-variable", x.unset)}
	}
	out.Passed = x.passed
	return out, nil
}

// expander replaces variables, and keeps what it put in.
type expander struct {
	getenv func(string) string
	passed []string
	unset  string // the first variable that has no value
}

func (x *expander) value(text string) string {
	return variable.ReplaceAllStringFunc(text, func(whole string) string {
		m := variable.FindStringSubmatch(whole)
		value := x.getenv(m[1])
		switch {
		case value != "":
			x.passed = append(x.passed, value)
		case m[2] != "":
			value = m[3]
		case x.unset == "":
			x.unset = m[1]
		}
		return value
	})
}

// longLiteral is how many bytes a word has at least that is written into the entry
// itself and taken for a secret: `production` is none.
const longLiteral = 16

// literal is value for what may be a secret without a variable, too.
func (x *expander) literal(text string) string {
	for w := range strings.FieldsSeq(text) {
		if len(w) >= longLiteral && !variable.MatchString(w) {
			x.passed = append(x.passed, w)
		}
	}
	return x.value(text)
}
