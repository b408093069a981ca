package diff_test

import (
	"testing"
)

// skipIfShort leaves a test out that takes long under the race detector and
// runs nothing in parallel that others do not.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long, and not about what runs in parallel")
	}
}
