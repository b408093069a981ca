package load

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/glob"
	"github.com/promptc-build/promptc/pipeline/internal/pathrule"
)

// Limits of one path. They are far above what anybody writes by hand.
const (
	maxPathBytes  = glob.MaxBytes
	maxExpansions = 10_000  // of `{axis}` in one path
	maxLookups    = 50_000  // expanded paths of a manifest
	maxMatches    = 10_000  // files of one pattern
	maxVisits     = 200_000 // folders that one pattern looks into, for all alternatives
	maxDown       = 100     // folders inside each other, since finding the way to each takes longer
	maxElement    = 255     // bytes of one name, on every common file system
)

// pathRules say what a path may not be, and the keys of the words for it. The
// first that holds is reported.
var pathRules = []struct {
	broken     func(p string) bool
	fact, hint string
}{
	{func(p string) bool { return p == "" }, "path-empty", "name-a-file"},
	{func(p string) bool { return p == "." }, "is-own-folder", "name-a-file"},
	{func(p string) bool { return strings.IndexByte(p, 0) >= 0 }, "holds-nul", "remove-character"},
	{pathrule.InGit, "lies-in-git", "choose-path-outside"},
	{func(p string) bool { return strings.Contains(p, `\`) }, "holds-backslash", "write-slash"},
	{isAddress, "is-address", "save-text-in-file"},
	{hasDrive, "starts-with-drive", "write-relative"},
	{func(p string) bool { return strings.HasPrefix(p, "/") }, "is-absolute", "write-relative"},
	{func(p string) bool { return strings.HasSuffix(p, "/") }, "ends-with-slash", "name-a-file"},
	{func(p string) bool { return strings.Contains(p, "//") }, "has-empty-element", "write-slash"},
	{anyElement(func(e string) bool { return e == ".." }), "leaves-folder", "paths-stay-inside"},
	{anyElement(func(e string) bool { return e == "." }), "has-dot-element", "leave-dot-out"},
	{anyElement(pathrule.Device), "name-of-device", "rename-file"},
	{anyElement(func(e string) bool { return len(e) > maxElement && !isPattern(e) }), "name-too-long", "no-file-has-name"},
}

// isAddress tells what starts like https://.
func isAddress(p string) bool {
	scheme, _, ok := strings.Cut(p, "://")
	return ok && len(scheme) > 1 && regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`).MatchString(scheme)
}

func hasDrive(p string) bool {
	return len(p) > 1 && p[1] == ':' && regexp.MustCompile(`^[A-Za-z]+$`).MatchString(p[:1])
}

func anyElement(test func(string) bool) func(string) bool {
	return func(p string) bool {
		for e := range strings.SplitSeq(p, "/") {
			if test(e) {
				return true
			}
		}
		return false
	}
}

// fault says why a path cannot be used, and what to do.
type fault struct{ fact, hint diag.Words }

// wrong gives a fault by the keys of its words.
func wrong(fact, hint string) *fault { return &fault{diag.Say(fact), diag.Say(hint)} }

// checkPath gives what is wrong with a path without braces, nil if nothing
// is.
func checkPath(p string) *fault {
	for _, rule := range pathRules {
		if rule.broken(p) {
			return wrong(rule.fact, rule.hint)
		}
	}
	return nil
}

// checkFolder is checkPath for the folders of a context source, where the
// manifest's own folder is ".".
func checkFolder(p string) *fault {
	if p == "." {
		return nil
	}
	return checkPath(p)
}

// checkLength is for paths in which `*` is a character like any other, so that
// no name may be longer than names are.
func checkLength(p string) *fault {
	if len(p) > maxPathBytes {
		return wrong("longer-than-paths", "no-file-has-name")
	}
	if anyElement(func(e string) bool { return len(e) > maxElement })(p) {
		return wrong("name-too-long", "no-file-has-name")
	}
	return nil
}

// checkWorkspace is checkFolder for the folder that a conversation names.
func checkWorkspace(p string) *fault { return cmp.Or(checkLength(p), checkFolder(p)) }

// checkBelow is checkPath for a file of a workspace.
func checkBelow(p string) *fault {
	if p == "." {
		return wrong("is-workspace-itself", "name-a-file")
	}
	return cmp.Or(checkLength(p), checkPath(p))
}

// isPattern tells a glob from the name of one file.
func isPattern(p string) bool { return strings.ContainsAny(p, "*?[{") }

// checkPattern gives what is wrong with a glob, nil if nothing is, and its
// alternatives without braces.
func checkPattern(p string) ([]string, *fault) {
	if !glob.Valid(p) {
		return nil, wrong("pattern-not-readable", "close-brackets")
	}
	all, ok := glob.Alternatives(p)
	if !ok {
		return nil, wrong("too-many-alternatives", "use-star")
	}
	for _, one := range all {
		for e := range strings.SplitSeq(one, "/") {
			if !glob.Valid(e) {
				return nil, wrong("class-over-slash", "close-brackets")
			}
		}
	}
	return all, nil
}

// axisName finds `{axis}`: braces without a comma.
var axisName = regexp.MustCompile(`\{([^{},]*)\}`)

// expand replaces every `{axis}` of some paths that belong together by the
// axis's values, in all combinations, and gives the paths of each. It gives
// nothing when an axis is not known; over says that there are more than
// maxExpansions.
func expand(axes map[string][]string, paths ...string) (out [][]string, over bool) {
	var names []string
	count := 1
	for _, m := range axisName.FindAllStringSubmatch(strings.Join(paths, "\n"), -1) {
		if slices.Contains(names, m[1]) {
			continue
		}
		names = append(names, m[1])
		if count *= len(axes[m[1]]); count == 0 {
			return nil, false
		} else if count > maxExpansions {
			return nil, true
		}
	}
	if len(names) == 0 {
		return [][]string{paths}, false
	}
	// Values are put in once and never looked at again: one may hold braces.
	for i := range count {
		chosen := map[string]string{}
		for _, name := range names {
			values := axes[name]
			chosen[name] = values[i%len(values)]
			i /= len(values)
		}
		var expanded []string
		for _, p := range paths {
			expanded = append(expanded, axisName.ReplaceAllStringFunc(p, func(s string) string { return chosen[s[1:len(s)-1]] }))
		}
		out = append(out, expanded)
	}
	return out, false
}

// within reports whether a folder is another one or below it.
func within(dir, root string) bool {
	return root == "." || dir == root || strings.HasPrefix(dir, root+"/")
}

// below gives the folders from root down to dir, both included.
func below(dir, root string) []string {
	out := []string{dir}
	for dir != root {
		dir = path.Dir(dir)
		out = append([]string{dir}, out...)
	}
	return out
}
