package pulled

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Runs reports whether an entry runs a package of npm, so that a lock file may have it.
func Runs(e *language.Server) bool { return packageOf(e).Name != "" }

// packageOf gives the package that an entry runs, with its version where it names one;
// none where an option may say that it is another.
func packageOf(e *language.Server) (out language.Package) {
	var args []string
	for _, a := range e.Args {
		args = append(args, a.Str)
	}
	fetches := false // and looks at no lock file, so that only a version says which one it is
	switch path.Base(e.Command.Str) {
	case "npx", "bunx":
	case "pnpm":
		if len(args) == 0 || args[0] != "dlx" {
			return out
		}
		args, fetches = args[1:], true
	default:
		return out
	}
	for len(args) > 0 && slices.Contains([]string{"-y", "--yes", "-q", "--quiet", "--"}, args[0]) {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return out
	}
	out.Name = args[0]
	if at := strings.LastIndexByte(args[0], '@'); at > 0 { // another begins a scope
		out.Name, out.Version = args[0][:at], args[0][at+1:]
	}
	if fetches && out.Version == "" {
		return language.Package{}
	}
	return out
}

// locked gives the package that an entry runs as the lock file has it; nil where that
// does not have it, or more than one of the name.
func locked(l Listing) *ground.Node {
	wanted := packageOf(l.Entry)
	var found language.Package
	for _, p := range l.Packages {
		if p.Name != wanted.Name || wanted.Version != "" && p.Version != wanted.Version {
			continue
		}
		if p.Integrity == "" || found != p && found != (language.Package{}) {
			return nil
		}
		found = p
	}
	if wanted.Name == "" || found.Integrity == "" {
		return nil
	}
	return mapping("name", text(found.Name), "version", text(found.Version), "integrity", text(found.Integrity))
}
