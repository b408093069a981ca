package transient

import (
	"slices"
	"strings"
)

// nobody are names of accounts that belong to no person: those of images and
// services, and those that examples have.
var nobody = []string{
	"user", "users", "username", "you", "your", "yourname", "your-name", "your_name", "your-username", "yourusername", "your-user", "youruser", "me", "name", "myuser",
	"myname", "someone", "somebody", "person", "example", "foo", "bar", "xxx", "alice", "bob", "carol", "john", "jane", "jdoe", "johndoe", "janedoe", "test", "testuser",
	"runner", "node", "ubuntu", "debian", "fedora", "centos", "app", "apps", "appuser", "vscode", "codespace", "root", "admin", "administrator", "dev", "developer",
	"coder", "agent", "sandbox", "vagrant", "docker", "git", "github", "www", "web", "ec2-user", "azureuser", "shared", "public", "default", "guest", "jovyan", "gitpod",
	"circleci", "jenkins", "build", "builder", "ci", "deploy", "postgres", "nonroot", "bun", "deno", "python", "ruby", "rust", "pi", "steam", "linuxbrew", "claude", "oai",
	"ry", "mjr", "iojs", "vsts", "kbuilder", "nodeuser", "nodejs", "myself", "site", "nginx", "apache", "httpd", "pwuser", "pptruser", "opc", "airflow", "hadoop", "spark", "elasticsearch", "mysql",
	"oracle", "redis", "tomcat", "jboss", "gradle", "maven", "travis", "semaphore", "buildkite-agent", "gitlab-runner", "gitlab", "vcap", "dyno", "nix", "nixos", "nixbld", "arch", "alpine",
	"kali", "rocky", "cloud-user", "core", "bitnami", "student", "demo", "dummy", "fake", "www-data", "nobody", "ftp", "odoo", "frappe", "django", "rails", "java", "php", "go", "golang", "opencode",
	"codex", "containeruser", "runneradmin", "kasm-user", "seluser", "zap", "abc", "eve", "dave", "john.doe", "jane.doe", "jsmith", "foobar", "baz", "support", "external", "download", "downloads",
	"daytona", "node_modules", "dist", "lib", "bin", "data", "config", "workspace", "project", "container", "service", "openclaw", "moltis", "u", "x", "n", "home",
}

// folder finds somebody's folder and temporary ones, by the first slash of the
// path.
func folder(text string, i int) (Match, bool) {
	if i > 0 && (isAlnum(text[i-1]) || strings.IndexByte("-_.}>)~$*%", text[i-1]) >= 0) {
		return Match{}, false // a part of another path, or of an address
	}
	for _, home := range []string{"/home/", "/Users/"} {
		if strings.HasPrefix(text[i:], home) {
			end, ok := owner(text, i+len(home))
			return Match{Home, i, end}, ok
		}
	}
	for _, temp := range []string{"/var/folders/", "/private/var/folders/"} {
		if rest := text[i:]; strings.HasPrefix(rest, temp) && shape(rest[len(temp):], "hh") || strings.HasPrefix(rest, temp) && len(rest) > len(temp)+2 && rest[len(temp)+2] == '/' {
			return Match{Temp, i, i + len(temp) + 2}, true
		}
	}
	for _, temp := range []string{"/tmp/", "/private/tmp/", "/var/tmp/"} {
		if strings.HasPrefix(text[i:], temp) {
			end := i + len(temp)
			for end < len(text) && end-i < 128 && (isAlnum(text[end]) || strings.IndexByte("-_./", text[end]) >= 0) {
				end++
			}
			end = i + len(temp) + len(strings.TrimRight(text[i+len(temp):end], "./"))
			parts := strings.FieldsFunc(text[i+len(temp):end], func(r rune) bool { return strings.ContainsRune("/-_.", r) })
			if slices.ContainsFunc(parts, drawn) {
				return Match{Temp, i, end}, true
			}
			return Match{}, false
		}
	}
	return Match{}, false
}

// windows finds somebody's folder on Windows: C:\Users\NAME\, the backslashes
// also doubled.
func windows(text string, i int) (Match, bool) {
	if i < 2 || text[i-1] != ':' || !isAlpha(text[i-2]) || i > 2 && isAlnum(text[i-3]) {
		return Match{}, false
	}
	for _, home := range []string{`\Users\`, `\\Users\\`} {
		if strings.HasPrefix(text[i:], home) {
			end, ok := owner(text, i+len(home))
			return Match{Home, i - 2, end}, ok
		}
	}
	return Match{}, false
}

// owner gives the end of an account's name, and whether it may be a person's.
func owner(text string, i int) (int, bool) {
	end := i
	for end < len(text) && end-i < 64 && (isAlnum(text[end]) || strings.IndexByte("-_.", text[end]) >= 0 || text[end] >= 0x80) {
		end++
	}
	name := strings.ToLower(strings.TrimRight(text[i:end], ".-_"))
	if name == "" || name[0] == '.' || len(name) != len(strings.ToLower(text[i:end])) && strings.HasSuffix(text[i:end], "..") {
		return end, false
	}
	if end < len(text) && strings.IndexByte("<{[$*%(", text[end]) >= 0 {
		return end, false // a placeholder goes on
	}
	if text[i:end] == strings.ToUpper(text[i:end]) || stands(name) || isFile(name) {
		return end, false
	}
	letters := strings.TrimRight(name, "0123456789") // users are numbered, too
	return end, letters != "" && !slices.Contains(nobody, letters)
}

// stands reports whether a name stands for that of any account: yourname,
// myusername, user_id.
func stands(name string) bool {
	if strings.HasPrefix(name, "your") || strings.HasPrefix(name, "user") || strings.HasSuffix(name, "user") {
		return true
	}
	return strings.HasPrefix(name, "my") && strings.HasSuffix(name, "name")
}

// isFile reports whether a name is that of a file.
func isFile(name string) bool {
	return slices.ContainsFunc([]string{".js", ".ts", ".py", ".go", ".sh", ".md", ".txt", ".json", ".html", ".log"}, func(end string) bool { return strings.HasSuffix(name, end) })
}

// drawn reports whether a name was drawn by chance: letters and digits, or
// capitals and small letters, in turn.
func drawn(s string) bool {
	if len(s) < 6 {
		return false
	}
	turns, digits := 0, 0
	for i := range len(s) {
		if isDigit(s[i]) {
			digits++
		}
		if i > 0 && (isDigit(s[i]) != isDigit(s[i-1]) || isUpper(s[i]) && !isUpper(s[i-1])) {
			turns++
		}
	}
	return digits > 0 && digits < len(s) && turns >= 2 && 5*turns >= len(s)
}

// account finds NAME@HOST where a prompt of a shell, or a path, follows.
func account(text string, i int) (Match, bool) {
	from, end := i, i+1
	for from > 0 && i-from < 32 && (isAlnum(text[from-1]) || text[from-1] == '_' || text[from-1] == '-') {
		from--
	}
	for end < len(text) && end-i < 64 && (isAlnum(text[end]) || text[end] == '-') {
		end++
	}
	if from == i || end == i+1 || !strings.HasPrefix(text[end:], ":~") && !strings.HasPrefix(text[end:], ":/") {
		return Match{}, false
	}
	if slices.Contains(nobody, strings.ToLower(text[from:i])) {
		return Match{}, false
	}
	host := strings.ToLower(text[i+1 : end])
	return Match{Host, from, end}, host != "host" && host != "hostname" && host != "server" && host != "localhost" && text[from:end] != strings.ToUpper(text[from:end])
}

// machine finds names that programs give to machines.
func machine(text string, i int) (Match, bool) {
	switch s := text[i:]; {
	case strings.HasPrefix(s, "ip-"):
		end := i + len("ip-")
		for n := range 4 {
			from := end
			for end < len(text) && end-from < 3 && isDigit(text[end]) {
				end++
			}
			if end == from || n < 3 && (end == len(text) || text[end] != '-') {
				return Match{}, false
			}
			if n < 3 {
				end++
			}
		}
		return Match{Host, i, end}, end == len(text) || !isAlnum(text[end])
	case strings.HasPrefix(s, "DESKTOP-") || strings.HasPrefix(s, "LAPTOP-"):
		end := i + strings.IndexByte(s, '-') + 1
		from := end
		for end < len(text) && end-from < 9 && (isUpper(text[end]) || isDigit(text[end])) {
			end++
		}
		n := end - from
		return Match{Host, i, end}, (n == 7 || n == 8) && strings.ContainsAny(text[from:end], "0123456789") && (end == len(text) || !isAlnum(text[end]))
	default:
		return Match{}, false
	}
}

// named finds names of hosts below .local and .internal, by the dot.
func named(text string, i int) (Match, bool) {
	var end int
	for _, tail := range []string{".local", ".internal"} {
		if strings.HasPrefix(text[i:], tail) {
			end = i + len(tail)
		}
	}
	if end == 0 || end < len(text) && (isAlnum(text[end]) || strings.IndexByte("_-(", text[end]) >= 0) || end+1 < len(text) && text[end] == '.' && isAlnum(text[end+1]) {
		return Match{}, false
	}
	from := i
	for from > 0 && i-from < 128 && (isAlnum(text[from-1]) || text[from-1] == '-' || text[from-1] == '.') {
		from--
	}
	name := text[from:i]
	if name == "" || name[0] == '.' || from > 0 && strings.IndexByte("_*<>{}$/@\\", text[from-1]) >= 0 && !strings.HasSuffix(text[:from], "://") {
		return Match{}, false
	}
	if strings.HasPrefix(name, "host.docker") || strings.HasPrefix(name, "metadata.google") || strings.HasSuffix(name, ".cluster") || name == "cluster" || strings.Contains(name, "example") {
		return Match{}, false
	}
	// A word and .local may be a name in a program: machines are numbered, have
	// a dash, or stand in an address.
	first, _, _ := strings.Cut(name, ".")
	return Match{Host, from, end}, strings.HasSuffix(text[:from], "://") || strings.ContainsAny(first, "-0123456789")
}
