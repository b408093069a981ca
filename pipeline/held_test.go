package pipeline_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/pipeline"
)

// TestABuildHoldsNoAssembledBytes holds that what a build keeps of artifacts
// grows with variants and sections: those of this project have 92 MB.
func TestABuildHoldsNoAssembledBytes(t *testing.T) {
	skipIfShort(t)
	for _, dialect := range []string{"text", "anthropic"} {
		files := monorepo(1)
		files["prompts.yaml"] = strings.Replace(files["prompts.yaml"], "  agent:\n", "  agent:\n    dialect: "+dialect+"\n", 1)
		dir := filesIn(t, files)
		before := held()
		checked := compiledIn(t, dir, pipeline.Compared)
		check := held()
		built := compiledIn(t, dir, pipeline.Built)
		build := held()
		more := (build - check) - (check - before)
		if n := len(built.Delta.Artifacts.Changes); n != 2001 || more > 16 {
			t.Errorf("%s: a build of %d artifacts holds %.1f MB more than a check", dialect, n, more)
		}
		runtime.KeepAlive(checked)
		runtime.KeepAlive(built)
	}
}

// held gives what is in use, in MB.
func held() float64 { return float64(heap()) / (1 << 20) }
