package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Temporary is a folder for the temporary files of one run. A program has one of its
// own, so that its name can be told from the same words in a prompt.
type Temporary struct {
	Path string
	// Home is an empty home within, "" where the program has that of its caller.
	Home string
}

// Folder makes a temporary folder, with a home if one is wanted.
func Folder(home bool) (out Temporary, err error) {
	if out.Path, err = os.MkdirTemp("", "promptc-record-"); err != nil || !home {
		return out, err
	}
	out.Home = filepath.Join(out.Path, "home")
	if err := os.Mkdir(out.Home, 0o700); err != nil {
		return out, errors.Join(err, out.Remove())
	}
	return out, nil
}

// Remove removes the folder with all that is in it, also what the program made read-only.
func (t Temporary) Remove() error {
	if os.RemoveAll(t.Path) == nil {
		return nil
	}
	_ = filepath.WalkDir(t.Path, func(name string, d fs.DirEntry, err error) error { // what it cannot change, RemoveAll says
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o700) //nolint:gosec // a folder has to be entered
		}
		return nil
	})
	return os.RemoveAll(t.Path)
}

// homes are the variables that name the home, or a folder in it.
var homes = []string{
	"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
}

// Environment gives an environment in which temporary files go to the folder, and the
// home is the one that it has.
func (t Temporary) Environment(of []string) []string {
	set := map[string]string{"TMPDIR": t.Path, "TMP": t.Path, "TEMP": t.Path}
	var without []string
	if t.Home != "" {
		without = homes
		set["HOME"], set["USERPROFILE"] = t.Home, t.Home
	}
	out := slices.DeleteFunc(slices.Clone(of), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return set[name] != "" || slices.Contains(without, name)
	})
	for _, name := range []string{"TMPDIR", "TMP", "TEMP", "HOME", "USERPROFILE"} {
		if set[name] != "" {
			out = append(out, name+"="+set[name])
		}
	}
	return out
}
