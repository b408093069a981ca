package wording

import "testing"

func TestAKeyStandsInOneTable(t *testing.T) {
	seen := map[string]string{}
	for _, table := range tables() {
		for _, r := range table {
			if text, twice := seen[r.key]; twice {
				t.Errorf("%q says %q and %q", r.key, text, r.text)
			}
			seen[r.key] = r.text
		}
	}
}
