package lint

import "testing"

func TestFilesOnTheDisk(t *testing.T) {
	known := names{"AGENTS.md": {{aFile, "AGENTS.md"}}}
	for text, want := range map[string]bool{
		"What AGENTS.md says of a host holds.":          false,
		"Follow `AGENTS.md`, and `CONTRIBUTING.md`.":    false,
		"- AGENTS.md says which hosts there are.":       false,
		"- Follow `AGENTS.md`":                          false,
		"Keep to what AGENTS.md above says.":            false,
		"Keep to what `AGENTS.md` below says.":          false,
		"[1] AGENTS.md counts (see above).":             false,
		"[a](b) and AGENTS.md count.":                   false,
		"The rules (AGENTS.md) hold.":                   false,
		"Read AGENTS.md first.":                         true,
		"Insert it into\nthe `AGENTS.md` file.":         true,
		"`AGENTS.md` is a symlink to it.":               true,
		"What is AGENTS.md?":                            true,
		"## AGENTS.md Template":                         true,
		"AGENTS.md\n---------\ntext":                    true,
		"See [AGENTS.md](AGENTS.md).":                   true,
		"See [the rules of `AGENTS.md`](../AGENTS.md).": true,
		"See [the rules](./AGENTS.md) for more.":        true,
		"See [AGENTS.md][a].":                           true,
		"[a]: AGENTS.md":                                true,
		"- `AGENTS.md`":                                 true,
		"* **AGENTS.md**: for agents":                   true,
		"2. AGENTS.md - for agents":                     true,
		"| `AGENTS.md` | for agents |":                  true,
		"├── AGENTS.md":                                 true,
		"* names = [\"AGENTS.md\", \"STYLE.md\"]":       true,
	} {
		got := mentions(text, mdLines(text), known)
		if len(got) == 0 {
			t.Errorf("%q: no mention", text)
			continue
		}
		for _, m := range got {
			if m.onDisk() != want {
				t.Errorf("%q: %v, want %v", text, !want, want)
			}
		}
	}
}
