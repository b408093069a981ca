package load

import (
	"encoding/json"
	"path"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// packageLocks are the lock files that say what packages of npm hold. In one folder
// the first counts, as it does for npm.
var packageLocks = []struct {
	name string
	read func([]byte) ([]language.Package, error)
}{
	{"npm-shrinkwrap.json", npmLock}, {"package-lock.json", npmLock}, {"pnpm-lock.yaml", pnpmLock},
}

// Packages gives the packages of the lock file in a folder or in the nearest one above
// it, up to the top of the repository, in no order; none where there is no such file.
func Packages(dir string) (out []language.Package, err error) {
	err = upwards(dir, func(r *run, folder string) (bool, error) {
		for _, lock := range packageLocks {
			state, err := r.disk.inspect(lock.name)
			if err != nil {
				return false, err
			}
			if state != regular {
				continue // what npm does not read either
			}
			data, err := r.disk.read(lock.name, maxRendered)
			if err == nil && len(data) > maxRendered {
				err = diag.Fail("more-than-16-mib")
			}
			if err == nil {
				out, err = lock.read(data)
			}
			if err != nil {
				err = diag.Fail("lock-file-unreadable", path.Join(folder, lock.name), err)
			}
			return true, err
		}
		return false, nil
	})
	return out, err
}

// npmLock reads a lock file of version 2 or 3. Older ones have no packages.
func npmLock(data []byte) ([]language.Package, error) {
	var lock struct {
		Packages map[string]struct{ Name, Version, Integrity string } `json:"packages"`
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, err
	}
	var out []language.Package
	for folder, p := range lock.Packages {
		const installed = "node_modules/"
		if at := strings.LastIndex(folder, installed); at >= 0 && p.Name == "" {
			p.Name = folder[at+len(installed):] // the name is there where it is another
		}
		out = append(out, language.Package{Name: p.Name, Version: p.Version, Integrity: p.Integrity})
	}
	return out, nil
}

// pnpmLock reads a lock file of version 6 or 9, whose keys are NAME@VERSION, in the
// older one with a slash in front and what it was resolved with behind.
func pnpmLock(data []byte) ([]language.Package, error) {
	var lock struct {
		Packages map[string]struct {
			Resolution struct{ Integrity string }
		}
	}
	if err := yaml.Unmarshal(data, &lock); err != nil {
		return nil, err
	}
	var out []language.Package
	for key, p := range lock.Packages {
		key, _, _ = strings.Cut(strings.TrimPrefix(key, "/"), "(")
		if at := strings.LastIndexByte(key, '@'); at > 0 {
			out = append(out, language.Package{Name: key[:at], Version: key[at+1:], Integrity: p.Resolution.Integrity})
		}
	}
	return out, nil
}
