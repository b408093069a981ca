package lint

import (
	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/internal/secret"
)

// secrets finds what looks like a key in a file that somebody wrote, also where
// it is written with escapes.
func secrets(_ *library, w written) diag.List {
	if !w.whole {
		return nil
	}
	return few(w.file.Secrets(), w.key, moreOf("key"))
}

// key puts one into words.
func (w written) key(m secret.Match) diag.Diagnostic {
	return w.find(diag.SecretInText, m.Start, m.End, "looks-like",
		m.Says, m.Text[:secret.Shown]+"…", number(len(m.Text), "character")).
		WithHint("take-out-revoked-needed")
}

// secretInPath finds a key in the name of a file.
func secretInPath(name string, at diag.Span, prompts []string) diag.List {
	found := secret.Find(name)
	if len(found) == 0 {
		return nil
	}
	d := diag.New(diag.SecretInText, at, "path-holds-looks-like", secret.Mask(name), found[0].Says).
		WithHint("rename-file-folder-key")
	d.Prompts = prompts
	return diag.List{d}
}
