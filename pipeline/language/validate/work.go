package validate

import (
	"path"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/glob"
)

// workRef is the schema of the file that names the projects of a workspace.
const workRef = "work"

// Work gives the patterns of folders that the file of a workspace names, with
// everything that is wrong with it.
func Work(file *ground.Node) ([]ground.Word, diag.List) {
	found := checked(workRef, file)
	if found.HasErrors() {
		return nil, found.Sorted()
	}
	var out []ground.Word
	for _, item := range file.Field("projects").List() {
		pattern := item.Scalar()
		switch _, fault := glob.Parse(pattern); {
		case fault != "":
			found.Add(diag.WrongValue, item.At, "pattern-fault", pattern, diag.Say(fault))
		case path.IsAbs(pattern) || strings.Contains(pattern, `\`) || strings.HasPrefix(path.Clean(pattern), ".."):
			found = append(found, diag.New(diag.WrongValue, item.At, "pattern-leaves-workspace", pattern).WithHint("patterns-from-workspace"))
		default:
			out = append(out, ground.Word{Str: pattern, At: item.At})
		}
	}
	return out, found.Sorted()
}
