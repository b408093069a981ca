// Package htmlpage writes the page for a browser: one file that needs no other, with
// the data that its script shows. It knows nothing of what the data says.
//
// What prompts say is hostile text. The browser gets it as a block of JSON in which
// nothing can end the block, and the script makes text of it, never markup. The
// policy of the page allows its own script and style, by their hashes, and nothing
// else: no address is ever opened. A page that a server gives out has one more
// script, which asks that server alone whether there is another page.
package htmlpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed page.html
var markup string

//go:embed page.css
var style string

//go:embed page.js
var script string

//go:embed follow.js
var follow string

// Head is what the page says before its script has run.
type Head struct {
	Title string
	// Prompts are a line each.
	Prompts []string
	// Served says that a server gives the page out, and not a file.
	Served bool
}

// Write writes the page. The data is JSON without the characters <, > and &, which
// only escapes may stand for.
func Write(w io.Writer, head Head, data []byte) error {
	if strings.ContainsAny(string(data), "<>&") {
		return errors.New("the data has characters that end a script")
	}
	page, err := template.New("page").Parse(markup)
	if err != nil {
		return fmt.Errorf("parse the template: %w", err)
	}
	version := sha256.Sum256(data)
	return page.Execute(w, map[string]any{
		"Head":   head,
		"Policy": policy(head.Served),
		"Style":  template.CSS(style), //nolint:gosec // ours
		"Script": template.JS(script), //nolint:gosec // ours
		"Follow": template.JS(follow), //nolint:gosec // ours
		"Data":   template.JS(data),   //nolint:gosec // checked above
		// The style and the scripts are the same in all pages of a server.
		"Version": hex.EncodeToString(version[:]),
	})
}

// policy is the page's Content Security Policy. No text becomes markup: what takes
// markup wants a trusted type, and there is none.
func policy(served bool) string {
	scripts, more := hashOf(script), []string(nil)
	if served {
		scripts += " " + hashOf(follow)
		more = []string{"connect-src 'self'"}
	}
	return strings.Join(append([]string{
		"default-src 'none'", "script-src " + scripts, "style-src " + hashOf(style),
		"base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
	}, more...), "; ")
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
