package pipeline_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWriteMonorepo writes the generated monorepo into the folder that
// PROMPTC_MONOREPO names, for programs that measure or compare on it.
func TestWriteMonorepo(t *testing.T) {
	dir := os.Getenv("PROMPTC_MONOREPO")
	if dir == "" {
		t.Skip("PROMPTC_MONOREPO names no folder")
	}
	for path, text := range monorepo(1) {
		at := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
