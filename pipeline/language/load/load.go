// Package load reads the manifest and its sources into a Tree.
//
// It knows YAML, JSON and Markdown, and where each byte of them stands; it
// knows no key of the manifest. Which files are named, it asks a [Language].
// Load and snapshot are the only stages that see files, and they see them
// through an fs.FS.
package load

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Language knows by which keys texts name further files.
type Language interface {
	// Extends gives the policies that a manifest or policy extends.
	Extends(file *ground.Node) []ground.Word
	// Roots gives the folders beside the project that a manifest declares.
	Roots(manifest *ground.Node) []language.Root
	// Readings gives the files that the manifest of a tree names.
	Readings(*language.Tree) language.Readings
	// Shown gives the files that a fixture of a conversation names.
	Shown(fixture *ground.Node) language.Shown
}

// Run reads the manifest at the given path of fsys and every file that it
// names.
//
// Any fs.FS will do. Where it is an fs.ReadLinkFS, symbolic links are followed
// by hand: one that leaves fsys is a finding, and Doc.Real tells which file a
// link led to. Otherwise names are taken as they are.
//
// Findings are about the input and come sorted. The error is for what could
// not be read at all (no manifest, no permission, a failing disk) and names
// the path. The Tree holds what was read, also next to findings; its Manifest
// is nil when the manifest could not be parsed.
func Run(fsys fs.FS, manifest string, language Language) (*language.Tree, diag.List, error) {
	r := newRun(fsys)
	data, err := r.manifestBytes(manifest)
	if err != nil {
		return nil, nil, err
	}
	return r.readAll(manifest, data, language)
}

// RunBorrowed is Run by a manifest that does not stand in fsys: its bytes are
// given, and its name is what findings call it.
func RunBorrowed(fsys fs.FS, manifest string, data []byte, language Language) (*language.Tree, diag.List, error) {
	r := newRun(fsys)
	r.tree.Borrowed = true
	return r.readAll(manifest, data, language)
}

// ReadSome reads a file as a run does: at most one byte more than any file may
// have.
func ReadSome(fsys fs.FS, name string) ([]byte, error) {
	d := newDisk(fsys)
	return d.read(name, maxRendered)
}

func (r *run) readAll(manifest string, data []byte, language Language) (*language.Tree, diag.List, error) {
	r.language = language
	r.readManifest(manifest, data)
	var err error
	if r.tree.Manifest != nil {
		err = r.readNamed()
	}
	if err != nil {
		return nil, r.found.Sorted(), err
	}
	r.noteNormalised()
	return r.tree, r.found.Sorted(), nil
}

// run is the state of one Run.
type run struct {
	disk     disk
	language Language
	tree     *language.Tree
	found    diag.List
	// files holds each file once, nil for those that were refused.
	files map[string]*diag.File
	// docs holds each file once for every kind that reads it.
	docs map[docKey]*language.Doc
	// expanded are those whose imports were looked at.
	expanded map[*language.Doc]bool
	// axes and outputs are those of the manifest's readings.
	axes    map[string][]string
	outputs []string
	// roots are the runs of the folders beside the project, by name; of such a run
	// root is the name with a colon, in front of all its paths.
	roots map[string]*run
	root  string
	// policies holds each policy once, by where its links lead; those that are
	// being read have none yet.
	policies map[string]*policy
	// workspaces holds the folders that conversations name, each once, by
	// their paths without what only spells them differently.
	workspaces map[string]*workspace
	// near counts how often something was looked for by a misspelt name.
	near int
	// changed are the files whose text was normalised.
	changed map[*diag.File]normalised
}

type docKey struct {
	path, kind string
	how        language.How
}

func newRun(fsys fs.FS) *run {
	return &run{
		disk: newDisk(fsys),
		tree: &language.Tree{
			Matches:    map[language.MatchKey][]*language.Doc{},
			Walks:      map[language.WalkKey][]*language.Doc{},
			Workspaces: map[string]*language.Workspace{},
			Meant:      map[string]string{},
			Inputs:     map[string][]language.FileSum{},
		},
		files:      map[string]*diag.File{},
		docs:       map[docKey]*language.Doc{},
		expanded:   map[*language.Doc]bool{},
		workspaces: map[string]*workspace{},
		changed:    map[*diag.File]normalised{},
	}
}

func (r *run) manifestBytes(name string) ([]byte, error) {
	state, err := r.disk.inspect(name)
	if err != nil {
		return nil, err
	}
	if state == missing {
		return nil, diag.Fail("read-file", name, fs.ErrNotExist)
	}
	if state != regular {
		return nil, diag.Fail("read-file", name, &diag.Failure{Fact: state.fact()})
	}
	return r.disk.read(name, maxBytes)
}

func (r *run) readManifest(name string, data []byte) {
	// A manifest over the limit still has a place: its own first line.
	if len(data) > maxBytes {
		first, _, _ := strings.Cut(string(data[:1024]), "\n")
		r.tree.File = &diag.File{Path: name, Text: strings.ToValidUTF8(first, "\uFFFD")}
		r.found = append(r.found, tooLarge(diag.Whole(r.tree.File), name, "larger-1-mib"))
		return
	}
	file, ok := r.normalise(name, data, false)
	r.tree.File = file
	if ok {
		r.tree.Manifest = r.mapping(file, "manifest")
	}
}

// mapping reads a file that is one mapping: the manifest, or what else is called
// so.
func (r *run) mapping(file *diag.File, called string) *ground.Node {
	node, ok := parseYAML(file, 0, len(file.Text), &r.found)
	if !ok {
		return nil
	}
	if node == nil {
		r.found = append(r.found, diag.New(diag.NotMapping, diag.Whole(file), called+"-empty").
			WithHint("start-"+called))
		return nil
	}
	if node.Kind != ground.Mapping {
		r.found = append(r.found, diag.New(diag.NotMapping, node.At, called+"-not-mapping", shape(node)).
			WithHint("manifest-list-key-value"))
		return nil
	}
	return node
}

// shape names a node's kind for a sentence.
func shape(n *ground.Node) diag.Words {
	if n.Kind == ground.Sequence {
		return diag.Say("type-array")
	}
	return diag.Say("type-scalar")
}

// docs are read in the order of their paths, so that the note about
// normalised files does not depend on the order of the manifest.
func (r *run) noteNormalised() {
	if len(r.changed) == 0 {
		return
	}
	files := slices.SortedFunc(maps.Keys(r.changed), func(a, b *diag.File) int { return strings.Compare(a.Path, b.Path) })
	d := diag.New(diag.TextNormalised, diag.Whole(files[0]), "normalised", diag.Counted(len(files), "file-has", "files-have")).
		WithHint("nothing-done-text-auto")
	for i, f := range files {
		if i < maxListed {
			d = d.WithDetail(diag.Say("in-a-place", f.Path, diag.Say(r.changed[f].what())))
		}
		if i > 0 {
			d.Also = append(d.Also, f.Path)
		}
	}
	if more := len(r.changed) - maxListed; more > 0 {
		d = d.WithDetail(diag.Say("more-files", diag.Count(more)))
	}
	r.found = append(r.found, d)
}

// maxListed is how many files one note names.
const maxListed = 10

// extension gives a path's extension in lower case, with its dot.
func extension(name string) string { return strings.ToLower(path.Ext(name)) }

// manifestNames are the names a manifest may have.
var manifestNames = []string{"prompts.yaml", "prompts.yml"}

// ManifestNames gives the names a manifest may have, the usual one first.
func ManifestNames() []string { return manifestNames }

// ErrNoManifest is what Find gives where there is no manifest to be found.
var ErrNoManifest error = diag.Fail("no-manifest-above")

// Find looks for the manifest in the folder start and above it, up to the
// folder that holds .git, or else to the file system's root. It gives the
// manifest's folder as an absolute path and its name there.
//
// A folder with a manifest of each name is an error, since nobody could say
// which one counts. No manifest at all is ErrNoManifest; a folder start that is
// not there is fs.ErrNotExist.
func Find(start string) (dir, name string, err error) {
	first, err := filepath.Abs(start)
	if err != nil {
		return "", "", err
	}
	if _, err := os.Stat(first); err != nil {
		return "", "", err
	}
	for dir = first; ; dir = filepath.Dir(dir) {
		var found []string
		for _, n := range manifestNames {
			ok, err := exists(filepath.Join(dir, n))
			if err != nil {
				return "", "", err
			}
			if ok {
				found = append(found, n)
			}
		}
		switch len(found) {
		case 1:
			return dir, found[0], nil
		case 2:
			return "", "", diag.Fail("two-manifests", dir, found[0], found[1])
		}
		top, err := exists(filepath.Join(dir, ".git"))
		if err != nil {
			return "", "", err
		}
		if top || filepath.Dir(dir) == dir {
			return "", "", diag.Fail("in-a-place", first, ErrNoManifest)
		}
	}
}

// NearManifest gives the file of a folder that was probably meant as its
// manifest and is called otherwise, "" for none.
func NearManifest(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "" // who looked for the manifest says what is wrong
	}
	for _, e := range entries {
		switch extension(e.Name()) {
		case ".yaml", ".yml":
			stem := strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
			if _, ok := suggest.Best(stem, []string{"prompts", "promptc"}); ok && e.Type().IsRegular() {
				return e.Name()
			}
		}
	}
	return ""
}

// FolderBelow gives the first folder, at most two below a folder, that has a
// manifest, with slashes; "" for none.
func FolderBelow(dir string) string {
	for _, pattern := range []string{"*", "*/*"} {
		for _, name := range manifestNames {
			found, _ := fs.Glob(os.DirFS(dir), pattern+"/"+name) // the patterns are right
			if len(found) > 0 {
				return path.Dir(found[0])
			}
		}
	}
	return ""
}

// Repository gives the folder at or above dir that holds .git, or "" where
// there is none.
func Repository(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		top, err := exists(filepath.Join(dir, ".git"))
		if top || err != nil {
			return dir, err
		}
		if filepath.Dir(dir) == dir {
			return "", nil
		}
		dir = filepath.Dir(dir)
	}
}

// InBare reports whether a folder lies in a bare repository: one whose files are
// checked out elsewhere.
func InBare(dir string) bool {
	if top, err := Repository(dir); err != nil || top != "" {
		return false
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for ; ; dir = filepath.Dir(dir) {
		lacks := func(name string) bool {
			there, err := exists(filepath.Join(dir, name))
			return err != nil || !there
		}
		if !slices.ContainsFunc([]string{"HEAD", "objects", "refs"}, lacks) {
			return true
		}
		if filepath.Dir(dir) == dir {
			return false
		}
	}
}

// MaybePartial reports whether files may not be checked out in the work tree at a folder
// that holds .git: those of submodules, or those that a sparse checkout leaves out. Of a
// further work tree of a repository only git knows.
func MaybePartial(top string) bool {
	gitDir := filepath.Join(top, ".git")
	if info, err := os.Stat(gitDir); err != nil || !info.IsDir() {
		return err == nil
	}
	return slices.ContainsFunc([]string{filepath.Join(top, ".gitmodules"), filepath.Join(gitDir, "info", "sparse-checkout")}, func(name string) bool {
		there, err := exists(name)
		return there && err == nil
	})
}

// InGit reports whether a path, with slashes, leads into the folder that Git
// keeps for itself, as file systems of all sorts find it.
func InGit(path string) bool { return pathrule.InGit(path) }

// exists looks without following links: a broken link to a manifest is
// better reported than walked past.
func exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
