package diff

import "testing"

func TestATextNamesAToolByAWord(t *testing.T) {
	for _, tt := range []struct {
		text, name string
		want       bool
	}{
		{"Use exec.", "exec", true},
		{"Use `exec`, not `exec_all`.", "exec", true},
		{"exec", "exec", true},
		{"Use exec_all.", "exec", false},
		{"Execute it.", "exec", false},
		{"exec2 and 2exec", "exec", false},
		{"Use web-fetch.", "fetch", false},
		{"Use web-fetch.", "web-fetch", true},
		{"fetch-it", "fetch", false},
		{"- fetch- ", "fetch", true},
		{"it takes long--exec does", "exec", true},
		{"überexec", "exec", false},
		{"Use hub/exec and hub.run.", "hub/exec", true},
		{"Use hub/exec2 and hub/exec.", "hub/exec", true},
		{"Use hub/exec2 and xhub/exec.", "hub/exec", false},
		{"Use hub.run.", "run", true},
		{"--exec--", "--exec", true},
		{"", "exec", false},
		{"exec", "", false},
	} {
		if got := names(tt.text, tt.name); got != tt.want {
			t.Errorf("%q names %q: %t", tt.text, tt.name, got)
		}
	}
}
