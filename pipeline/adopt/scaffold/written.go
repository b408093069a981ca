package scaffold

import (
	"fmt"
	"strings"
)

// Written is a manifest, and which files each part of it is about.
type Written struct {
	Text   string
	pieces []piece // in the order of the text
}

// piece is a part of a manifest, from the end of the one before it on.
type piece struct {
	end   int
	files []string
}

// At gives the files that the manifest is about at an offset; nil for none.
func (w *Written) At(offset int) []string {
	for _, p := range w.pieces {
		if offset < p.end {
			return p.files
		}
	}
	return nil
}

// writer writes a manifest.
type writer struct {
	strings.Builder
	pieces []piece
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.Builder, format, args...) }

// about says which files all is about that was written since it was said last.
func (w *writer) about(files []string) { w.pieces = append(w.pieces, piece{w.Len(), files}) }

func (w *writer) written() *Written { return &Written{w.String(), w.pieces} }
