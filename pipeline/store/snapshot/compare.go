package snapshot

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/par"
	"github.com/promptc-build/promptc/pipeline/store"
)

// comparison is how the artifact folder differs from what is wanted there.
type comparison struct {
	exists bool
	// refused says that nothing may be written; the findings say why.
	refused  bool
	changes  []store.Change
	findings diag.List
	// replaced are the files that are changed or orphaned, as they are now.
	replaced []replaced
}

// replaced is a file that is there, with its SHA-256, and that of its text with LF
// line ends.
type replaced struct {
	fileSum

	unix string
	// conflict is a finding about its merge conflict, nil where it has none.
	conflict *diag.Diagnostic
}

// into notes a comparison in what is said of the folder.
func (c *comparison) into(e *store.Emitted) {
	e.Changes, e.Have = append(e.Changes, c.changes...), e.Have || c.exists
	if i := slices.IndexFunc(c.changes, func(c store.Change) bool { return c.Output.Path == e.Manifest && len(c.Output.Parts) > 0 }); i >= 0 {
		e.Interim = interim(c.changes[i].Output, c.replaced)
	}
}

// compareArtifacts compares what stands in the places of artifacts with what is
// wanted there. Ours are the files that the manifest of an earlier build records
// with the bytes that they have. Others are left alone: the folder is not
// reviewed, and tools put their own things there.
func compareArtifacts(fsys fs.FS, at folder, wanted []assembly.Output) (comparison, error) {
	if at.path == "" {
		return comparison{}, nil
	}
	var out comparison
	s, err := look(fsys, at.path)
	if err != nil || !s.exists || !s.mode.IsDir() {
		for _, w := range wanted {
			out.changes = append(out.changes, store.Change{Output: w, Status: store.Added})
		}
		if s.exists {
			out.refused, out.findings = true, diag.List{occupiedFinding(s)}
		}
		return out, err
	}
	in, err := survey(fsys, at.path)
	if err != nil {
		return comparison{}, err
	}
	each, err := par.Try(wanted, func(w assembly.Output) (comparison, error) { return compareFile(fsys, w) })
	if err != nil {
		return comparison{}, err
	}
	out.exists = true
	for _, c := range each {
		out.refused = out.refused || c.refused
		out.changes, out.findings = append(out.changes, c.changes...), append(out.findings, c.findings...)
		out.replaced = append(out.replaced, c.replaced...)
	}
	if len(out.changes) > 0 || out.refused { // else the manifest is the one that is wanted
		have, err := recorded(fsys, at.path)
		if err != nil {
			return comparison{}, err
		}
		if have == nil && len(in.others) > 0 {
			found, err := unowned(fsys, at, in.others)
			return comparison{exists: true, refused: true, findings: diag.List{found}}, err
		}
		out.judge(at, have)
		if err := out.orphans(fsys, have, wanted); err != nil {
			return comparison{}, err
		}
	}
	for _, p := range in.leftovers {
		out.changes = append(out.changes, store.Change{Output: assembly.Output{Path: p}, Status: store.Orphaned})
	}
	slices.SortFunc(out.changes, func(a, b store.Change) int { return byPath(a.Output, b.Output) })
	return out, nil
}

// judge refuses to replace a file unless the record has its bytes, line ends aside,
// or it is what a build wants but for these.
func (c *comparison) judge(at folder, have *record) {
	var edited []string
	for _, r := range c.replaced {
		only := slices.ContainsFunc(c.changes, func(c store.Change) bool { return c.LineEnds && c.Output.Path == r.File })
		switch {
		case only || have.wrote(r):
		case r.conflict != nil:
			c.refused, c.findings = true, append(c.findings, *r.conflict)
		default:
			edited = append(edited, r.File)
		}
	}
	if len(edited) > 0 {
		c.refused = true
		c.findings = append(c.findings, editedFinding(at, edited))
	}
}

// compareFile looks at what stands in the place of a file.
func compareFile(fsys fs.FS, w assembly.Output) (comparison, error) {
	s, err := look(fsys, w.Path)
	if err != nil {
		return comparison{}, err
	}
	change := store.Change{Output: w, Status: store.Added}
	if !s.isFile(w.Path) {
		out := comparison{changes: []store.Change{change}}
		if s.exists {
			out.refused, out.findings = true, diag.List{occupiedFinding(s)}
		}
		return out, nil
	}
	text, err := readFile(fsys, w.Path, length(w.Parts))
	if err != nil || holds(text, w.Parts) {
		return comparison{}, err
	}
	change.Status, change.LineEnds = store.Changed, sameText(text, w.Parts)
	out := comparison{changes: []store.Change{change}}
	if w.Owner.Kind != assembly.OutIndex {
		file, err := sumsOf(fsys, w.Path)
		if err != nil {
			return comparison{}, err
		}
		file.conflict = conflictIn(w.Path, text, diag.Say("delete-and-build", w.Path))
		out.replaced = []replaced{file}
	}
	return out, nil
}

// holds reports whether a text is the parts, one after another.
func holds(text string, parts []string) bool {
	for _, p := range parts {
		rest, ok := strings.CutPrefix(text, p)
		if !ok {
			return false
		}
		text = rest
	}
	return text == ""
}

// record is what the manifest of an artifact folder says that builds wrote. Nil
// where there is no such manifest.
type record struct {
	files []string        // paths, each once, sorted
	sums  map[string]bool // the SHA-256 of all
}

// wrote reports whether a build wrote a file, whose line ends git may have
// converted since.
func (r *record) wrote(f replaced) bool { return r != nil && (r.sums[f.SHA256] || r.sums[f.unix]) }

// maxManifest is how much of a manifest is read, in bytes: that of a hundred
// thousand variants is shorter.
const maxManifest = 256 << 20

// recorded reads the record of an artifact folder.
func recorded(fsys fs.FS, folder string) (*record, error) {
	at := folder + "/" + manifestName
	if s, err := look(fsys, at); err != nil || !s.isFile(at) {
		return nil, err
	}
	f, err := fsys.Open(at)
	if err != nil {
		return nil, reading(at, err)
	}
	defer f.Close() // nothing was written
	m, ok := readManifest(io.LimitReader(f, maxManifest))
	if !ok {
		return nil, nil
	}
	r := record{sums: map[string]bool{}}
	for _, entry := range m.files() {
		r.sums[entry.SHA256] = true
		r.files = append(r.files, folder+"/"+entry.File)
	}
	slices.Sort(r.files)
	r.files = slices.Compact(r.files)
	return &r, nil
}

// versionOf is the version of a manifest that cannot be read and looks like one of
// ours, 0 of any other file.
func versionOf(text string) int {
	var m struct {
		Version int               `json:"version"`
		Prompts []json.RawMessage `json:"prompts"`
	}
	if json.NewDecoder(strings.NewReader(text)).Decode(&m) != nil || m.Prompts == nil {
		return 0
	}
	return m.Version
}

func (m *manifest) files() []fileSum {
	var out []fileSum
	for _, p := range m.Prompts {
		for _, v := range p.Variants {
			out = append(out, fileSum{v.File, v.SHA256})
			if v.Tools != nil {
				out = append(out, fileSum{v.Tools.File, v.Tools.SHA256})
			}
		}
	}
	return append(out, m.Replaces...)
}

// The forms of a recorded file and of a SHA-256, as in the schema.
var (
	artifactName = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9._-]|%2E)*/[A-Za-z0-9._~%=,+-]+\.(?:txt|json)$`)
	sumForm      = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// readManifest decodes a manifest that has the form which the schema describes:
// no other key, the lists of all prompts, and of every variant a name, its values
// and files below the folder with their SHA-256. What else is missing says nothing
// about who wrote the folder. The library for schemas has its home in another
// stage.
func readManifest(from io.Reader) (*manifest, bool) {
	var m manifest
	d := json.NewDecoder(from)
	d.DisallowUnknownFields()
	if d.Decode(&m) != nil || m.Version != manifestVersion || m.Prompts == nil {
		return nil, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	for _, p := range m.Prompts {
		if p.ID == "" || p.Variants == nil {
			return nil, false
		}
		for _, v := range p.Variants {
			if v.Name == "" || v.Tokenizer == "" || v.Values == nil {
				return nil, false
			}
		}
	}
	for _, entry := range m.files() {
		if !artifactName.MatchString(entry.File) || !sumForm.MatchString(entry.SHA256) {
			return nil, false
		}
	}
	return &m, true
}

// orphans adds the files that the record has and nothing wants. One that has
// other bytes than a build wrote is kept.
func (c *comparison) orphans(fsys fs.FS, have *record, wanted []assembly.Output) error {
	if have == nil {
		return nil
	}
	want := make(map[string]bool, len(wanted))
	for _, w := range wanted {
		want[w.Path] = true
	}
	for _, p := range have.files {
		if want[p] {
			continue
		}
		if s, err := look(fsys, p); err != nil || !s.isFile(p) {
			continue // gone, or not what the earlier build wrote
		}
		file, err := sumsOf(fsys, p)
		if err != nil {
			return err
		}
		if !have.wrote(file) {
			c.findings = append(c.findings, diag.New(diag.ArtifactKept, pathSpan(p),
				"artifact-is-kept", p, manifestName).WithHint("delete-unless-needed"))
			continue
		}
		c.changes = append(c.changes, store.Change{Output: assembly.Output{Path: p}, Status: store.Orphaned})
		c.replaced = append(c.replaced, file)
	}
	return nil
}

// sumsOf reads a file that a build would replace or remove.
func sumsOf(fsys fs.FS, p string) (replaced, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return replaced{}, reading(p, err)
	}
	defer f.Close() // nothing was written
	sum, unix := sha256.New(), sha256.New()
	in := bufio.NewReader(io.TeeReader(f, sum))
	for {
		line, err := in.ReadSlice('\n')
		if cut, ok := bytes.CutSuffix(line, []byte("\r\n")); ok {
			line = append(cut, '\n')
		}
		_, _ = unix.Write(line) // a hash takes everything
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return replaced{}, reading(p, err)
		}
	}
	return replaced{fileSum: fileSum{p, hexOf(sum)}, unix: hexOf(unix)}, nil
}

func hexOf(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)) }

// contents are what an artifact folder holds, besides what a build wants there.
type contents struct {
	leftovers []string // temporary files of builds that were killed
	others    []string // anything else, at the folder's top
}

// keepers are files by which Git keeps a folder that is otherwise empty.
var keepers = []string{".gitignore", ".gitkeep"}

// survey looks through an artifact folder and the folders of prompts in it.
func survey(fsys fs.FS, folder string) (contents, error) {
	var out contents
	top, err := fs.ReadDir(fsys, folder)
	if err != nil {
		return out, reading(folder, err)
	}
	for _, e := range top {
		p := folder + "/" + e.Name()
		switch {
		case e.Type().IsRegular() && isLeftover("", e.Name()):
			out.leftovers = append(out.leftovers, p)
		case e.IsDir() && isPrompt(e.Name()):
			inside, err := fs.ReadDir(fsys, p)
			if err != nil {
				return out, reading(p, err)
			}
			before := len(out.leftovers)
			for _, i := range inside {
				if i.Type().IsRegular() && isLeftover(e.Name()+"/", i.Name()) {
					out.leftovers = append(out.leftovers, p+"/"+i.Name())
				}
			}
			if len(out.leftovers)-before < len(inside) {
				out.others = append(out.others, p)
			}
		case !slices.Contains(keepers, e.Name()):
			out.others = append(out.others, p)
		}
	}
	return out, nil
}

// isLeftover tells the name of a file that was to become the manifest, or in the
// folder of a prompt an artifact.
func isLeftover(in, name string) bool {
	m := leftOver.FindStringSubmatch(name)
	return m != nil && (in+m[1] == manifestName || in+m[1] == sumName || artifactName.MatchString(in+m[1]))
}

// unowned says why a build may not replace what a folder holds.
func unowned(fsys fs.FS, at folder, others []string) (diag.Diagnostic, error) {
	name := at.path + "/" + manifestName
	if s, err := look(fsys, name); err != nil || !s.isFile(name) {
		return unownedFinding(at, others, 0), err
	}
	text, err := readFile(fsys, name, maxManifest/2)
	if err != nil {
		return diag.Diagnostic{}, err
	}
	if d := conflictIn(name, text, diag.Say("delete-folder-and-build", at.path)); d != nil {
		return *d, nil
	}
	return unownedFinding(at, others, versionOf(text)), nil
}

// conflictIn gives the finding about a merge conflict in a generated file, nil where
// there is none.
func conflictIn(name, text string, hint diag.Words) *diag.Diagnostic {
	open, line, ok := diag.Conflict(&diag.File{Path: name, Text: text})
	if !ok {
		return nil
	}
	d := diag.New(diag.ConflictMarkers, open, "unresolved-merge-conflict-up", line)
	d.Hint = hint
	return &d
}

func unownedFinding(at folder, others []string, version int) diag.Diagnostic {
	switch name := at.path + "/" + manifestName; version {
	case 0:
		d := diag.New(diag.ArtifactsUnowned, at.span(), "folder-without-record", at.path, manifestName).WithHint("empty-the-folder")
		return holding(d, others)
	case manifestVersion:
		return diag.New(diag.ArtifactsUnowned, at.span(), "record-was-edited", name).WithHint("delete-folder-and-build", at.path)
	default:
		return diag.New(diag.ArtifactsUnowned, at.span(), "record-of-other-version", name, version, manifestVersion).WithHint("delete-folder-and-build", at.path)
	}
}

func editedFinding(at folder, paths []string) diag.Diagnostic {
	if len(paths) == 1 {
		return diag.New(diag.ArtifactsUnowned, at.span(), "file-no-build-wrote", paths[0]).WithHint("delete-and-build", paths[0])
	}
	d := diag.New(diag.ArtifactsUnowned, at.span(), "files-no-build-wrote", diag.Count(len(paths)), at.path).
		WithHint("delete-all-and-build", at.path)
	return holding(d, paths)
}

// holding lists the first paths that a folder holds.
func holding(d diag.Diagnostic, paths []string) diag.Diagnostic {
	for _, p := range paths[:min(3, len(paths))] {
		d = d.WithDetail(diag.Say("it-holds", path.Clean(p)))
	}
	if more := len(paths) - 3; more > 0 {
		d = d.WithDetail(diag.Say("and-more", diag.Count(more)))
	}
	return d
}
