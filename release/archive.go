package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is one in an archive.
type file struct {
	name    string
	data    []byte
	program bool // may be run
}

func (f file) mode() os.FileMode {
	if f.program {
		return 0o755
	}
	return 0o644
}

// taken are the files of an archive that go into packages, besides the program.
var taken = []string{"LICENSE", licencesFile}

// contents reads the program and the files that packages have, too.
func contents(path string, p platform) ([]file, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	read := untar
	if strings.HasSuffix(path, ".zip") {
		read = unzip
	}
	all, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	var out []file
	for _, name := range append([]string{p.program()}, taken...) {
		i := slices.IndexFunc(all, func(f file) bool { return f.name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s lacks %s", filepath.Base(path), name)
		}
		f := all[i]
		f.program = name == p.program()
		out = append(out, f)
	}
	return out, nil
}

func untar(data []byte) ([]file, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var out []file
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		out = append(out, file{name: h.Name, data: text})
	}
}

func unzip(data []byte) ([]file, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var out []file
	for _, entry := range z.File {
		r, err := entry.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		out = append(out, file{name: entry.Name, data: text})
	}
	return out, nil
}

// Tarballs have the time that npm itself gives to all files, and wheels the first
// that a zip file can have: no clock reaches their bytes.
const (
	npmTime = 499162500 // 26 October 1985, 8:15, in seconds since 1970
	zipDate = 1<<5 | 1  // 1 January 1980, as MS-DOS writes it
)

// tarball writes files in the order of their names.
func tarball(files []file) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, f := range sorted(files) {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.data)), Mode: int64(f.mode()),
			ModTime: time.Unix(npmTime, 0), Format: tar.FormatUSTAR,
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// zipped writes files in the order in which they are given.
func zipped(files []file) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		h.ModifiedDate = zipDate //nolint:staticcheck // Modified would add a second time, in another form
		h.SetMode(f.mode())
		entry, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}
