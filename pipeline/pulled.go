package pipeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/language/validate"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/pipeline/world/pulled"
)

// Offer is what an MCP server offers, as it wrote it.
type Offer struct {
	Entry *language.Server
	// Dir is the folder that it starts in.
	Dir string
	// Protocol is the version of the protocol that was agreed on.
	Protocol string
	// Hello is the server's answer to initialize.
	Hello                     json.RawMessage
	Tools, Prompts, Resources []json.RawMessage
}

// Servers gives the MCP servers that a manifest and a file of servers, which may
// be nil, name, and the sources that pull from one.
func Servers(fsys fs.FS, manifest string, file *ground.Node) ([]*language.Server, []*language.Source, diag.List, error) {
	tree, found, err := load.Manifest(fsys, manifest)
	if err != nil || found.HasErrors() {
		return nil, nil, found, err
	}
	servers, sources, more := validate.Servers(tree, file)
	return servers, sources, append(found, more...).Sorted(), nil
}

// PulledFiles gives the files that are made of an offer, by their paths from the
// manifest's folder on. The error is a [diag.Failure], or the findings say why there
// are none.
func PulledFiles(o Offer) (map[string]string, diag.List, error) {
	l := pulled.Listing{Entry: o.Entry, Protocol: o.Protocol}
	var found diag.List
	read := func(what string, raw json.RawMessage) *ground.Node {
		n, wrong := load.JSON(o.Entry.Name.Str+": "+what, raw)
		if found = append(found, wrong...); n == nil {
			return nil
		}
		return n
	}
	l.Hello = read("initialize", o.Hello)
	for _, list := range []struct {
		name string
		from []json.RawMessage
		to   *[]*ground.Node
	}{{"tools", o.Tools, &l.Tools}, {"prompts", o.Prompts, &l.Prompts}, {"resources", o.Resources, &l.Resources}} {
		for i, raw := range list.from {
			*list.to = append(*list.to, read(fmt.Sprintf("%s %d", list.name, i+1), raw))
		}
	}
	if found.HasErrors() {
		return nil, found.Sorted(), nil
	}
	var err error
	if pulled.Runs(o.Entry) {
		if l.Packages, err = load.Packages(o.Dir); err != nil {
			return nil, nil, err
		}
	}
	files, err := pulled.Files(l, snapshot.ItemPaths)
	if err != nil {
		return nil, nil, err
	}
	out := map[string]string{}
	for name, text := range files {
		out[path.Join(folderOf(o.Entry.Name.Str), name)] = text
	}
	return out, found.Sorted(), nil
}

func folderOf(server string) string { return path.Join(language.PulledFolder, server) }

// ours are the files in a server's folder that pull writes, or began to write.
var ours = regexp.MustCompile(`^(?:(?:tools|prompts|resources)/.+\.json|instructions\.md|lock\.json|(?:.+/)?\.[^/]+\.(?:json|md)[0-9]{2,19})$`)

// Pulled compares what was pulled from servers with what is on disk. It gives what
// is to be written, and the file system as it is then.
func Pulled(fsys fs.FS, servers map[string]map[string]string) (*store.Delta, fs.FS, error) {
	delta, after := &store.Delta{SnapshotFolder: language.PulledFolder}, fsys
	for _, server := range slices.Sorted(maps.Keys(servers)) {
		wanted, folder := servers[server], folderOf(server)
		have, err := load.Below(fsys, folder)
		if err != nil {
			return nil, nil, err
		}
		then := map[string][]byte{}
		for name, text := range have {
			if !ours.MatchString(strings.TrimPrefix(name, folder+"/")) {
				then[name] = []byte(text) // somebody else's
			} else if _, keep := wanted[name]; !keep {
				delta.Snapshots = append(delta.Snapshots, store.Change{Output: assembly.Output{Path: name}, Status: store.Orphaned, Old: text})
			}
		}
		for name, text := range wanted {
			out := assembly.Output{Path: name, Parts: []string{text}}
			delta.Wanted, then[name] = append(delta.Wanted, out), []byte(text)
			old, is := have[name]
			switch {
			case !is:
				delta.Snapshots = append(delta.Snapshots, store.Change{Output: out, Status: store.Added})
			case plainBreaks(old) != plainBreaks(text):
				delta.Snapshots = append(delta.Snapshots, store.Change{Output: out, Status: store.Changed, Old: old})
			}
		}
		after = load.Replaced(after, folder, then)
	}
	slices.SortFunc(delta.Snapshots, func(a, b store.Change) int { return cmp.Compare(a.Output.Path, b.Output.Path) })
	slices.SortFunc(delta.Wanted, func(a, b assembly.Output) int { return cmp.Compare(a.Path, b.Path) })
	return delta, after, nil
}

// plainBreaks takes the line breaks for the same that git may write instead of
// others.
func plainBreaks(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// CommitPulled writes what was pulled.
func CommitPulled(dir string, delta *store.Delta) error {
	return snapshot.Commit(dir, delta, snapshot.Snapshots)
}

// PulledBefore gives the names of the servers that something was pulled from.
func PulledBefore(fsys fs.FS) ([]string, error) {
	locks, err := fs.Glob(fsys, path.Join(language.PulledFolder, "*", pulled.LockName))
	var out []string
	for _, name := range locks {
		out = append(out, path.Base(path.Dir(name)))
	}
	return out, err
}
