package main

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/pipeline/world/git"
)

// explainDrift finds out why snapshots differ from what is compiled, and which command
// settles it. Git is asked only if they do. Without a repository, a commit or a git
// program the snapshots are plainly out of date; what else keeps git from an answer
// is a note.
func (con Console) explainDrift(c *cli.Context, p *project, r *prompt.Result) error {
	p.remedy = remedyCommands{build: buildLine(c)}
	if d := r.Delta; d != nil && d.Drifted() {
		snapshot.Explain(d, nil)
		if err := unlessSilent(con.compareWithHead(c.Context, p, d), git.NoProgram, git.NotRepository, git.NoCommit); err != nil {
			if err := con.note("the cause of the difference is not certain: %s", words.Error(err)); err != nil {
				return err
			}
		}
	} else if !r.Stopped {
		return nil
	}
	if p.tree == nil {
		return con.explainAbsent(c.Context, p, r)
	}
	if err := con.explainIndex(c, p, r); err != nil {
		return con.note("what is not staged is not certain: %s", words.Error(err))
	}
	return nil
}

// remedyCommands bring snapshots up to date, "" and none where they are
// not needed: one that builds, then those that add files to git.
type remedyCommands struct {
	build string
	add   []string
	// checkOut are those that check files out, before everything else.
	checkOut []string
}

func (r remedyCommands) String() string {
	commands := slices.Clone(r.checkOut)
	if r.build != "" {
		commands = append(commands, r.build)
	}
	return strings.Join(append(commands, r.add...), " && ")
}

// explainIndex compares an index whose snapshots are out of date, or that does not
// compile, with the working tree, and finds the command that settles it.
func (con Console) explainIndex(c *cli.Context, p *project, r *prompt.Result) error {
	build := p.remedy.build
	add := func(d *store.Delta, names []string) []string { return []string{p.add(d, names)} }
	if r.Delta != nil {
		p.remedy.add = add(r.Delta, []string{r.Delta.SnapshotFolder})
	}
	work, fsys, err := p.onDisk(c.Context)
	if err != nil || work == nil {
		return err
	}
	sources, err := unstaged(p.fsys, fsys, []*language.Tree{r.Tree, work.Tree}, p.name)
	if err != nil {
		return err
	}
	if known, err := con.otherForm(c, p, r, work, fsys, sources); known || err != nil {
		return err
	}
	names := append(slices.Clone(sources), work.Delta.SnapshotFolder)
	var s snapshot.Staging
	if r.Delta != nil {
		s = snapshot.Staged(r.Delta, work.Delta)
	} else if s.Current = !work.Delta.Drifted(); len(sources) == 0 {
		return nil
	}
	switch {
	case s.Built:
		p.remedy, sources = remedyCommands{add: add(work.Delta, names[len(sources):])}, nil
	case s.Sourced:
		p.remedy = remedyCommands{add: add(work.Delta, sources)}
	case s.Current:
		p.remedy = remedyCommands{add: add(work.Delta, names)}
	default:
		p.remedy = remedyCommands{build: build, add: add(work.Delta, names)}
	}
	if p.unstaged, err = p.ignoring(c.Context, sources); err != nil || r.Delta != nil {
		return err
	}
	return con.note("the working tree compiles; not staged: %s; run: %s", quoted(sources), p.remedy)
}

// onDisk compiles the working tree of a project in the index; the result is nil where
// that does not compile.
func (p *project) onDisk(ctx context.Context) (*prompt.Result, fs.FS, error) {
	fsys, err := load.Dir(p.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	name, err := manifestLike(fsys, p.name)
	if err != nil || name != p.name {
		return nil, nil, err
	}
	r, err := pipeline.Compile(ctx, pipeline.Request{Files: fsys, Manifest: name, MaxUses: p.maxUses, Until: pipeline.Compared})
	if err != nil || r.Delta == nil {
		return nil, nil, err
	}
	return r, fsys, nil
}

// unstaged gives the sources of some trees, and the manifest, that the index does not
// hold as the working tree does, sorted. Line ends do not count.
func unstaged(index, work fs.FS, trees []*language.Tree, manifest string) ([]string, error) {
	names := map[string]bool{manifest: true}
	var beside [2]map[string]string // the texts of files in roots
	for i, t := range trees {
		for _, name := range withTargets(work, sourceFiles(t)) {
			names[name] = true
		}
		beside[i] = map[string]string{}
		for name, f := range t.Files() {
			beside[i][t.Place(name)] = f.Text
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var texts [2]fileOf
		for i, fsys := range []fs.FS{index, work} {
			if strings.HasPrefix(name, "../") {
				texts[i].text, texts[i].exists = beside[i][name], true
				continue
			}
			data, err := fs.ReadFile(fsys, name)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			texts[i] = fileOf{err == nil, strings.ReplaceAll(string(data), "\r\n", "\n")}
		}
		if texts[0] != texts[1] {
			out = append(out, name)
		}
	}
	return out, nil
}

// fileOf is a file that may not be there.
type fileOf struct {
	exists bool
	text   string
}

// ignoring says of each of some sources whether git ignores it.
func (p *project) ignoring(ctx context.Context, sources []string) ([]store.Untracked, error) {
	found, err := p.notInGit(ctx, sources)
	by := map[string]string{}
	for _, u := range found {
		by[u.Path] = u.By
	}
	var out []store.Untracked
	for _, name := range sources {
		out = append(out, store.Untracked{Path: name, By: by[name]})
	}
	return out, err
}

func (con Console) compareWithHead(ctx context.Context, p *project, d *store.Delta) error {
	repo, err := git.Open(ctx, near(p.dir))
	if err != nil {
		return err
	}
	head, err := con.committed(ctx, repo, "HEAD", p)
	if err != nil {
		return err
	}
	snapshot.Explain(d, head)
	if !slices.ContainsFunc(d.Snapshots, func(c store.Change) bool { return c.Cause == store.OtherVersion }) {
		return nil
	}
	ref, err := repo.LastChange(d.SnapshotFolder)
	if err != nil {
		return err
	}
	var last *store.Delta
	if ref != "" {
		if last, err = con.committed(ctx, repo, ref, p); err != nil {
			return err
		}
	}
	snapshot.Doubt(d, last)
	return nil
}

// committed compiles a project as a commit has it, and compares it with the snapshots there. It is nil
// where the commit has no manifest, or one that does not compile.
func (con Console) committed(ctx context.Context, repo *git.Repository, ref string, p *project) (_ *store.Delta, err error) {
	tree, err := repo.Tree(ref)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	key := commitKey{p.dir, p.name, ref == "HEAD"}
	if known, ok := con.Commits.get(key, tree.Name()); ok {
		return known, nil
	}
	name, err := manifestLike(tree, p.name)
	if err != nil || name == "" {
		return nil, err
	}
	r, err := pipeline.Compile(ctx, pipeline.Request{Files: tree, Manifest: name, MaxUses: p.maxUses, Until: pipeline.Snapshots})
	if err != nil {
		return nil, err
	}
	con.Commits.put(key, compiledCommit{tree.Name(), r.Delta})
	return r.Delta, nil
}

// Commits remembers what commits compiled to: of each project HEAD, and the commit
// that changed its snapshots last. Nil remembers nothing.
type Commits struct {
	mu    sync.Mutex
	known map[commitKey]compiledCommit
}

type commitKey struct {
	dir, name string
	head      bool
}

type compiledCommit struct {
	id    string
	delta *store.Delta
}

func (m *Commits) get(key commitKey, id string) (*store.Delta, bool) {
	if m == nil {
		return nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.known[key]
	return c.delta, ok && c.id == id
}

func (m *Commits) put(key commitKey, c compiledCommit) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[key] = c
}
