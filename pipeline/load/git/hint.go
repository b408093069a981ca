package git

import (
	"fmt"
	"slices"
	"strconv"
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
	if steps != "" {
		if id, err := r.git.line("rev-parse", "--verify", "--quiet", "--end-of-options", name); err == nil && isID(id) {
			return r.stepHint(name, steps, id)
		}
	}
	meant := nearest(name, append(slices.Clip(names), r.head()...))
	switch {
	case r.shallow && meant != "":
		return fmt.Sprintf("did you mean %q? if not, %s", meant, shallowHint(ref, name))
	case r.shallow:
		return shallowHint(ref, name)
	case meant != "":
		return fmt.Sprintf("did you mean %q?", meant)
	default:
		return "git branch --all and git tag list the names; git fetch gets those of others"
	}
}

// stepHint says why there is nothing some steps away from a name that is there.
func (r *Repository) stepHint(name, steps, id string) string {
	there := fmt.Sprintf("%q is there, but ", brief(name))
	switch {
	case strings.Contains(steps, "@{"):
		return fmt.Sprintf("%sits log has no %q: git reflog shows what it has", there, brief(steps))
	case strings.Contains(steps, "{"):
		return fmt.Sprintf("%s%q finds nothing in it", there, brief(steps))
	case r.shallow:
		return shallowHint(name+steps, name)
	}
	back := 1
	if steps != "~" && steps != "^" {
		var err error
		if back, err = strconv.Atoi(strings.TrimPrefix(steps, "~")); err != nil {
			return there + "has no such ancestor: git log --graph shows those it has"
		}
	}
	const most = 1 << 30 // what git takes, too
	count, err := r.git.line("rev-list", "--count", "--first-parent", "--max-count="+strconv.Itoa(min(back, most)), id)
	n, wrong := strconv.Atoi(count)
	switch {
	case err != nil || wrong != nil || n > back:
		return there + "has no such ancestor: git log --graph shows those it has"
	case n == 1:
		return there + "is the first commit"
	case n == 2:
		return there + "has only 1 commit before it"
	default:
		return fmt.Sprintf("%shas only %d commits before it", there, n-1)
	}
}

// nearest gives the name that was probably meant, "" for none. What somebody
// else's clone calls main may be origin/main in this one; a letter too many or
// too few in the name of a remote leaves it that remote's.
func nearest(ref string, names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == ref })
	for _, name := range names {
		if strings.HasSuffix(name, "/"+ref) {
			return name
		}
	}
	if space, _, inOne := strings.Cut(ref, "/"); inOne {
		if name := likely(ref, space, names); name != "" {
			return name
		}
	}
	for _, name := range names {
		if strings.HasSuffix(ref, "/"+name) {
			return name
		}
	}
	best, _ := near.Best(ref, names)
	return best
}

// likely gives the name closest to a ref below the remote, or the folder of
// branches, that is closest to the one that was written.
func likely(ref, space string, names []string) string {
	var spaces, below []string
	for _, name := range names {
		if s, _, ok := strings.Cut(name, "/"); ok {
			spaces = append(spaces, s)
		}
	}
	meant := space
	if !slices.Contains(spaces, space) {
		meant, _ = near.Best(space, spaces)
	}
	for _, name := range names {
		if meant != "" && strings.HasPrefix(name, meant+"/") {
			below = append(below, name)
		}
	}
	best, _ := near.Best(meant+ref[len(space):], below)
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

// ambiguous says which of the things with one name a ref is taken for. They
// come in the order in which git looks for them.
func (r *Repository) ambiguous(ref string) string {
	name, _ := parts(ref)
	out, err := r.git.run("for-each-ref", "--format=%(refname)",
		"refs/"+name, "refs/tags/"+name, "refs/heads/"+name, "refs/remotes/"+name, "refs/remotes/"+name+"/HEAD")
	if err != nil {
		out = ""
	}
	listed := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	var found []string
	for _, space := range []string{"refs/", "refs/tags/", "refs/heads/", "refs/remotes/"} {
		if slices.Contains(listed, space+name) {
			found = append(found, strconv.Quote(space+name))
		}
	}
	if slices.Contains(listed, "refs/remotes/"+name+"/HEAD") {
		found = append(found, strconv.Quote("refs/remotes/"+name+"/HEAD"))
	}
	first := "git's own"
	switch {
	case len(found) == 0:
		return fmt.Sprintf("%q stands for several things, of which git takes the first", brief(name))
	case isID(name):
		first = "the one with this id"
	case strings.HasSuffix(name, "HEAD") && strings.ToUpper(name) == name:
		// Such names are looked for beside the refs, before them.
	case len(found) == 1:
		return fmt.Sprintf("%q is read as %s, and not as the start of an id", brief(name), found[0])
	default:
		first, found = found[0], found[1:]
	}
	return fmt.Sprintf("%q stands for several things: %s is taken, and not %s", brief(name), first, strings.Join(found, ", "))
}
