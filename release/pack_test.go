package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// release writes the archives of all platforms as goreleaser does, with a
// program of a few bytes.
func release(t *testing.T, version string, moment time.Time, change func(p platform, files []file) []file) string {
	t.Helper()
	dist := t.TempDir()
	write(t, filepath.Join(dist, "metadata.json"), []byte(`{"version":"`+version+`"}`))
	for _, p := range platforms {
		files := []file{
			{name: "LICENSE", data: []byte("MIT\n")},
			{name: licencesFile, data: []byte("theirs\n")},
			{name: "man/promptc.1", data: []byte(".TH PROMPTC 1\n")},
			{name: p.program(), data: []byte("program for " + p.goos + "/" + p.goarch), program: true},
		}
		if change != nil {
			files = change(p, files)
		}
		data := archiveOf(t, strings.HasSuffix(p.archive(version), ".zip"), files, moment)
		write(t, filepath.Join(dist, p.archive(version)), data)
	}
	return dist
}

func archiveOf(t *testing.T, zipFile bool, files []file, moment time.Time) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	tarWriter, zipWriter := tar.NewWriter(z), zip.NewWriter(&out)
	for _, f := range files {
		if zipFile {
			w, err := zipWriter.CreateHeader(&zip.FileHeader{Name: f.name, Modified: moment, Method: zip.Deflate})
			must(t, err)
			_, err = w.Write(f.data)
			must(t, err)
			continue
		}
		must(t, tarWriter.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.data)), Mode: int64(f.mode()), ModTime: moment}))
		_, err := tarWriter.Write(f.data)
		must(t, err)
	}
	if zipFile {
		must(t, zipWriter.Close())
		return out.Bytes()
	}
	must(t, tarWriter.Close())
	must(t, z.Close())
	return out.Bytes()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	must(t, os.WriteFile(path, data, 0o644))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

var noon = time.Date(2026, time.January, 31, 12, 0, 0, 0, time.UTC)

func TestPackagesAreEqualWheneverTheyAreMade(t *testing.T) {
	first, second := release(t, "1.2.3", noon, nil), release(t, "1.2.3", noon.AddDate(1, 2, 3), nil)
	must(t, pack(first, platforms))
	must(t, pack(second, platforms))
	must(t, pack(second, platforms)) // what is there is replaced
	sums := read(t, filepath.Join(first, "packages.txt"))
	if other := read(t, filepath.Join(second, "packages.txt")); !bytes.Equal(sums, other) {
		t.Errorf("another time, other bytes:\n%s\n%s", sums, other)
	}
	lines := strings.Split(strings.TrimSpace(string(sums)), "\n")
	if len(lines) != 2*len(platforms)+1 {
		t.Errorf("%d packages, want %d", len(lines), 2*len(platforms)+1)
	}
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		if got := fmt.Sprintf("%x", sha256.Sum256(read(t, filepath.Join(first, name)))); got != sum {
			t.Errorf("%s has the checksum %s, and packages.txt says %s", name, got, sum)
		}
	}
}

func TestNpmPackagesAreOnePerPlatformAndOneThatChooses(t *testing.T) {
	dist := release(t, "1.2.3-rc1", noon, nil)
	must(t, pack(dist, platforms))
	main := npmFiles(t, filepath.Join(dist, "npm", "promptc-1.2.3-rc1.tgz"))
	var m packageJSON
	must(t, json.Unmarshal(main["package/package.json"].data, &m))
	if m.Bin["promptc"] != "bin/promptc.js" || !main["package/bin/promptc.js"].program || len(m.Dependencies) != len(platforms) {
		t.Errorf("the package that chooses is %+v", m)
	}
	for _, p := range platforms {
		name := "promptc-build-" + p.os + "-" + p.cpu + "-1.2.3-rc1.tgz"
		files := npmFiles(t, filepath.Join(dist, "npm", name))
		var of packageJSON
		must(t, json.Unmarshal(files["package/package.json"].data, &of))
		if m.Dependencies[of.Name] != "1.2.3-rc1" || !slices.Equal(of.OS, []string{p.os}) || !slices.Equal(of.CPU, []string{p.cpu}) {
			t.Errorf("%s is %+v", name, of)
		}
		program := files["package/bin/"+p.program()]
		if string(program.data) != "program for "+p.goos+"/"+p.goarch || !program.program {
			t.Errorf("%s has the program %q", name, program.data)
		}
		for _, also := range []string{"package/LICENSE", "package/" + licencesFile, "package/README.md"} {
			if len(files[also].data) == 0 {
				t.Errorf("%s lacks %s", name, also)
			}
		}
		if text := files["package/package.json"].data; bytes.Contains(text, []byte("scripts")) {
			t.Errorf("%s has scripts:\n%s", name, text)
		}
	}
}

// npmFiles reads a tarball, and holds its entries against what npm packs.
func npmFiles(t *testing.T, path string) map[string]file {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(read(t, path)))
	must(t, err)
	if !z.ModTime.IsZero() || z.Name != "" {
		t.Errorf("%s has the time %s and the name %q", path, z.ModTime, z.Name)
	}
	all := make(map[string]file)
	var names []string
	r := tar.NewReader(z)
	for h, err := r.Next(); err == nil; h, err = r.Next() {
		var data bytes.Buffer
		_, err := data.ReadFrom(r)
		must(t, err)
		names = append(names, h.Name)
		all[h.Name] = file{name: h.Name, data: data.Bytes(), program: h.Mode == 0o755}
		if !h.ModTime.Equal(time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC)) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s: %s has the time %s and the owner %d %q", path, h.Name, h.ModTime, h.Uid, h.Uname)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("%s is not in order: %q", path, names)
	}
	return all
}

func TestWheelsHaveTheTagsOfTheirNamesAndWhatTheirRecordSays(t *testing.T) {
	dist := release(t, "1.2.3", noon, nil)
	must(t, pack(dist, platforms))
	for _, p := range platforms {
		name := "promptc_build-1.2.3-py3-none-" + strings.Join(p.tags, ".") + ".whl"
		data := read(t, filepath.Join(dist, "python", name))
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		must(t, err)
		files, err := unzip(data)
		must(t, err)
		var record strings.Builder
		texts := make(map[string]string)
		for i, f := range files {
			texts[f.name] = string(f.data)
			mode := z.File[i].Mode().Perm()
			if want := (file{program: f.name == "promptc_build-1.2.3.data/scripts/"+p.program()}).mode(); mode != want {
				t.Errorf("%s: %s has the mode %o, want %o", name, f.name, mode, want)
			}
			if f.name != "promptc_build-1.2.3.dist-info/RECORD" {
				sum := sha256.Sum256(f.data)
				fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
			}
		}
		record.WriteString("promptc_build-1.2.3.dist-info/RECORD,,\n")
		if got := texts["promptc_build-1.2.3.dist-info/RECORD"]; got != record.String() {
			t.Errorf("%s has the record\n%s\nwant\n%s", name, got, record.String())
		}
		if got := texts["promptc_build-1.2.3.data/scripts/"+p.program()]; got != "program for "+p.goos+"/"+p.goarch {
			t.Errorf("%s has the program %q", name, got)
		}
		for _, tag := range p.tags {
			if !strings.Contains(texts["promptc_build-1.2.3.dist-info/WHEEL"], "Tag: py3-none-"+tag+"\n") {
				t.Errorf("%s lacks the tag %s", name, tag)
			}
		}
	}
}

func TestVersionsAsPythonWritesThem(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3":                   "1.2.3",
		"1.2.3-alpha1":            "1.2.3a1",
		"1.2.3-beta12":            "1.2.3b12",
		"1.2.3-rc1":               "1.2.3rc1",
		"0.0.1-dev.g824a5eebbf00": "0.0.1.dev0+g824a5eebbf00",
		"1.2.3-next":              "", "v1.2.3": "", "1.2": "", "1.2.3-rc.1": "", "": "",
	} {
		if got, err := pythonVersion(version); got != want || (err == nil) != (want != "") {
			t.Errorf("%q becomes %q (%v), want %q", version, got, err, want)
		}
	}
}

func TestPackRefusesWhatIsNotWhole(t *testing.T) {
	replaced := func(name string, data []byte) func(platform, []file) []file {
		return func(p platform, files []file) []file {
			if p.goos != "windows" {
				return files
			}
			files = slices.DeleteFunc(files, func(f file) bool { return f.name == name })
			if data != nil {
				files = append(files, file{name: name, data: data})
			}
			return files
		}
	}
	for _, tt := range []struct {
		name, version, says string
		change              func(platform, []file) []file
	}{
		{"no program", "1.2.3", "promptc_1.2.3_windows_amd64.zip lacks promptc.exe", replaced("promptc.exe", nil)},
		{"no licence", "1.2.3", "promptc_1.2.3_windows_amd64.zip lacks LICENSE", replaced("LICENSE", nil)},
		{"too large", "1.2.3", "promptc.exe for windows/amd64 has 30000001 bytes, more than 30000000", replaced("promptc.exe", make([]byte, maxProgram+1))},
		{"a version that PyPI has no form for", "1.2.3-next", "has no form in Python", nil},
	} {
		err := pack(release(t, tt.version, noon, tt.change), platforms)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
	}
	dist := release(t, "1.2.3", noon, nil)
	must(t, os.Remove(filepath.Join(dist, "promptc_1.2.3_darwin_arm64.tar.gz")))
	if err := pack(dist, platforms); err == nil {
		t.Error("an archive that is missing goes unnoticed")
	}
}
