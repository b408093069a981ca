package main

import (
	"maps"
	"testing"
)

func TestSymbolsBelongToPackages(t *testing.T) {
	const printed = `  401000        900 T runtime.mallocgc
  402000       7000 r runtime.pclntab
  403000         50 T github.com/promptc-build/promptc/pipeline/review/diff.(*finder).run.func1
  404000         30 R github.com/promptc-build/promptc/pipeline/review/diff..stmp_7
  405000         20 T slices.SortFunc[go.shape.*github.com/promptc-build/promptc/pipeline/ground/diag.Span]
  406000         10 T go.yaml.in/yaml/v4.Load
  407000       4000 D net/http.tables
  408000         40 r go:func.*
  409000         60 R type:*
                    U missing
`
	want := map[string]int{
		"runtime": 7900, "github.com/promptc-build/promptc/pipeline/review/diff": 80, "slices": 20, "go.yaml.in/yaml/v4": 10,
	}
	if got := symbolSizes([]byte(printed)); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
