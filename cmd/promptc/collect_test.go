package main

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestCollectionsAreAsUsualAfterTheFirst asks what the setting is: by setting it.
func TestCollectionsAreAsUsualAfterTheFirst(t *testing.T) {
	const usual = 73
	defer debug.SetGCPercent(debug.SetGCPercent(usual))

	t.Setenv("GOGC", "50")
	collectLate()
	if got := debug.SetGCPercent(usual); got != usual {
		t.Fatalf("with GOGC the setting is %d", got)
	}

	t.Setenv("GOGC", "")
	collectLate()
	if got := debug.SetGCPercent(usual); got != 1600 {
		t.Fatalf("before the first collection the setting is %d", got)
	}
	debug.SetGCPercent(1600)
	for range 10_000 { // what is cleaned up is done beside us
		runtime.GC()
		if got := debug.SetGCPercent(1600); got == usual {
			return
		}
	}
	t.Fatal("after the first collection, the setting is not as usual")
}
