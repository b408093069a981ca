// Package htmlpage writes the page for a browser: one file that needs no other, with
// the data that its script shows. It knows nothing of what the data says.
//
// What prompts say is hostile text. The browser gets it as a block of JSON in which
// nothing can end the block, and the script makes text of it, never markup. The
// policy of the page allows its own script and style, by their hashes, and nothing
// else: no address is ever opened.
package htmlpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
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

// Head is what the page says before its script has run.
type Head struct {
	Title string
	// Prompts are a line each.
	Prompts []string
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
	return page.Execute(w, map[string]any{
		"Head":   head,
		"Policy": policy(),
		"Style":  template.CSS(style), //nolint:gosec // ours
		"Script": template.JS(script), //nolint:gosec // ours
		"Data":   template.JS(data),   //nolint:gosec // checked above
	})
}

// policy is the page's Content Security Policy. No text becomes markup: what takes
// markup wants a trusted type, and there is none.
func policy() string {
	return strings.Join([]string{
		"default-src 'none'", "script-src " + hashOf(script), "style-src " + hashOf(style),
		"base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
	}, "; ")
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
