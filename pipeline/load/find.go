package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/promptc-build/promptc/pipeline/internal/pathrule"
)

// manifestNames are the names a manifest may have.
var manifestNames = []string{"prompts.yaml", "prompts.yml"}

// ManifestNames gives the names a manifest may have, the usual one first.
func ManifestNames() []string { return manifestNames }

// ErrNoManifest is what Find gives where there is no manifest to be found.
var ErrNoManifest = errors.New("no manifest here or above")

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
			return "", "", fmt.Errorf("%s holds both %s and %s: remove one of them", dir, found[0], found[1])
		}
		top, err := exists(filepath.Join(dir, ".git"))
		if err != nil {
			return "", "", err
		}
		if top || filepath.Dir(dir) == dir {
			return "", "", fmt.Errorf("%s: %w", first, ErrNoManifest)
		}
	}
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
