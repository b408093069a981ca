package git

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Untracked is a file that the index does not have.
type Untracked struct {
	Path string
	// Ignored says that a pattern keeps it out: in line Line of the file In, seen from
	// the folder that was opened; "" for one that lies outside of the work tree.
	Ignored bool
	In      string
	Line    int
}

// Untracked gives those of some files that the index does not have, in their order. Paths
// are seen from the folder that was opened. What lies behind a symbolic link or in a
// submodule counts as there if that is. Errors are of the type *[Error].
func (r *Repository) Untracked(paths []string) ([]Untracked, error) {
	var tops []string
	if tops = topsOf(paths); len(tops) > maxTops {
		tops = nil
	}
	there, err := r.Tracked(tops...)
	if err != nil {
		return nil, err
	}
	var out []Untracked
	for _, p := range paths {
		if !there.Has(p) {
			out = append(out, Untracked{Path: p})
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, r.ignored(out)
}

// maxTops is how many names git is told to look at. If there are more, it lists all.
const maxTops = 100

// topsOf gives the first names of paths, behind what leads out of the folder.
func topsOf(paths []string) []string {
	var out []string
	for _, p := range paths {
		inside := p
		for strings.HasPrefix(inside, "../") {
			inside = inside[len("../"):]
		}
		top, _, _ := strings.Cut(inside, "/")
		out = append(out, p[:len(p)-len(inside)]+top)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Listing are the paths that the index has.
type Listing map[string]bool

// Tracked gives what the index has at or below some paths, of the whole folder that
// was opened without any. Errors are of the type *[Error].
func (r *Repository) Tracked(paths ...string) (Listing, error) {
	listing, err := r.git.run(append([]string{"ls-files", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, failed(diag.Say("read-index"), err)
	}
	there := Listing{}
	for name := range strings.SplitSeq(listing, "\x00") {
		there[name] = true
	}
	return there, nil
}

// Has reports whether a path, or what it lies in, is in the listing.
func (l Listing) Has(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if l[name] {
			return true
		}
	}
	return false
}

// ignored finds the patterns that keep files out.
func (r *Repository) ignored(files []Untracked) error {
	git := r.git
	git.env = without(git.env, "GIT_LITERAL_PATHSPECS") // which check-ignore refuses; names are no patterns to it
	var in strings.Builder
	at := map[string]*Untracked{}
	for i := range files {
		name := "./" + files[i].Path // a colon at the start would be magic
		in.WriteString(name + "\x00")
		at[name] = &files[i]
	}
	git.in = in.String()
	listing, err := git.run("check-ignore", "--verbose", "-z", "--stdin")
	if said, ok := saidBy(err); ok && (said.status == noAnswer || said.about(beyondLink)) {
		return nil
	}
	if err != nil {
		return failed(diag.Say("read-ignored"), err)
	}
	fields := strings.Split(listing, "\x00")
	for ; len(fields) >= 4; fields = fields[4:] {
		f := at[fields[3]]
		if f == nil || strings.HasPrefix(fields[2], "!") { // a pattern that brings files back
			continue
		}
		f.Ignored, f.In = true, r.fromFolder(fields[0])
		f.Line, _ = strconv.Atoi(fields[1]) // git writes a number
	}
	return nil
}

// fromFolder gives the path of a file, which git names from the top of the work tree,
// as seen from the folder that was opened; "" for one outside of the work tree.
func (r *Repository) fromFolder(name string) string {
	name = filepath.FromSlash(name)
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.git.top, name)
	}
	rel, err := filepath.Rel(filepath.Join(r.git.top, filepath.FromSlash(r.prefix)), name)
	if err != nil || !contains(r.git.top, name) {
		return ""
	}
	return filepath.ToSlash(rel)
}
