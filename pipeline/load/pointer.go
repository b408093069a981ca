package load

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// pointerVersion starts every file that Git LFS keeps in a file's stead, and
// maxPointer is how long one may be in bytes, by its specification.
const (
	pointerVersion = "version https://git-lfs.github.com/spec/v1\n"
	maxPointer     = 1024
)

// pointer finds a file that only says which file belongs there. It stays what
// it is: in what Git keeps, that is all there is.
func pointer(file *diag.File) (diag.Diagnostic, bool) {
	rest, ok := strings.CutPrefix(file.Text, pointerVersion)
	if !ok || len(file.Text) >= maxPointer {
		return diag.Diagnostic{}, false
	}
	var id, size string
	for line := range strings.Lines(rest) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "oid":
			id, _ = strings.CutPrefix(value, "sha256:")
		case "size":
			size = value
		}
	}
	if len(id) != 64 || strings.Trim(id, "0123456789abcdef") != "" || size == "" || strings.Trim(size, "0123456789") != "" {
		return diag.Diagnostic{}, false
	}
	return diag.New(diag.LFSPointer, diag.Whole(file), "%q is a Git LFS pointer, not its content", file.Path).
		WithHint("run: git lfs pull; in a commit or the index Git keeps the pointer alone, and that is what is compared"), true
}
