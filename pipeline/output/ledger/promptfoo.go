package ledger

import (
	"bytes"
	_ "embed"
	"io"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

//go:embed promptfoo.cjs
var promptfooModule string

// Promptfoo writes a configuration for promptfoo, a module of CommonJS, whose prompts
// are the artifacts of variants. The examples of their slots are its variables.
func Promptfoo(w io.Writer, r *prompt.Result, artifacts []*assembly.Artifact) error {
	project := struct {
		Artifacts string            `json:"artifacts"`
		Variants  []string          `json:"variants"`
		Examples  map[string]string `json:"examples"`
	}{r.Spec.Artifacts.Str, []string{}, map[string]string{}}
	for _, a := range artifacts {
		project.Variants = append(project.Variants, a.Variant.Name)
		for _, s := range slots(a) {
			project.Examples[s.Name] = s.slot.Example.Str
		}
	}
	var b bytes.Buffer
	if err := words.Encode(&b, project, words.Options{Of: []*prompt.Result{r}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Replace(promptfooModule, "PROJECT", strings.TrimSpace(b.String()), 1))
	return err
}
