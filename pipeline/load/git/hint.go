package git

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/near"
)

// parts takes a ref apart into the name that it starts from and the steps from
// there: `~2`, `^`, `@{3}`, `^{tree}`. The name is HEAD where none is written.
func parts(ref string) (name, steps string) {
	name = ref
	for {
		short := strings.TrimRight(name, "0123456789")
		switch {
		case strings.HasSuffix(short, "~"), strings.HasSuffix(short, "^"):
			short = short[:len(short)-1]
		case strings.HasSuffix(name, "}"):
			i := max(strings.LastIndex(name, "@{"), strings.LastIndex(name, "^{"))
			if i < 0 {
				return name, ref[len(name):]
			}
			short = name[:i]
		default:
			return name, ref[len(name):]
		}
		if short == "" {
			return "HEAD", ref
		}
		name = short
	}
}

// hint says what to do about a ref that names nothing.
func (r *Repository) hint(ref string, names []string) string {
	name, steps := parts(ref)
	shallow := ""
	if r.shallow {
		shallow = shallowHint(ref, name)
	}
	if steps != "" {
		if id, err := r.git.line("rev-parse", "--verify", "--quiet", "--end-of-options", name); err == nil && isID(id) {
			return cmp.Or(shallow, fmt.Sprintf("%q is there, but not %q: git log --graph %s and git reflog show what it has", brief(name), brief(steps), plain(name, "REF")))
		}
	}
	meant := nearest(name, append(slices.Clip(names), r.head()...))
	switch {
	case r.shallow && meant != "":
		return fmt.Sprintf("did you mean %q? if not, %s", meant, shallow)
	case r.shallow:
		return shallow
	case meant != "":
		return fmt.Sprintf("did you mean %q?", meant)
	default:
		return "git branch --all and git tag list the names; git fetch gets those of others"
	}
}

// nearest gives the name that was probably meant, "" for none. What somebody
// else's clone calls main may be origin/main in this one, and the other way
// round.
func nearest(ref string, names []string) string {
	for _, name := range names {
		if strings.HasSuffix(name, "/"+ref) || strings.HasSuffix(ref, "/"+name) {
			return name
		}
	}
	best, _ := near.Best(ref, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == ref }))
	return best
}

// shallowHint says how to get what a shallow clone leaves out. It names a ref
// only where that can be pasted into a shell.
func shallowHint(ref, base string) string {
	const always = ", or fetch-depth: 0 for actions/checkout"
	branch, isRemote := strings.CutPrefix(base, "origin/")
	branch = plain(branch, "BRANCH")
	switch {
	case ref != base || base == "HEAD":
		return "the clone is shallow: git fetch --unshallow" + always
	case isRemote:
		return fmt.Sprintf("the clone is shallow: git fetch --depth=1 origin %s:refs/remotes/origin/%s%s", branch, branch, always)
	default:
		return fmt.Sprintf("the clone is shallow: git fetch --depth=1 origin %s gets it as FETCH_HEAD%s", branch, always)
	}
}

// head gives the name of the commit that is checked out, nil where none is.
func (r *Repository) head() []string {
	if _, err := r.git.run("rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return nil
	}
	return []string{"HEAD"}
}

// names gives what the refs of a repository are called: branches, then those
// of remotes, then tags. It is for hints, so that no error is worth a word.
func (r *Repository) names() []string {
	out, err := r.git.run("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return nil
	}
	var names []string
	for line := range strings.Lines(out) {
		name := strings.TrimSuffix(line, "\n")
		for _, space := range []string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
			name = strings.TrimPrefix(name, space)
		}
		names = append(names, name)
	}
	return names
}
