package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/internal/textdiff"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// explained reports whether other changes account for this one, so that it
// need not be shown: one edit is to be one hunk. seen are the lines that the
// others show. What they do not account for is always shown.
func (c *change) explained(all []change, seen map[string]bool) bool {
	switch {
	case c.kind == prompt.OutIndex:
		// A row for every file: it follows any of them.
		return c.Status == prompt.Changed && slices.ContainsFunc(all, func(o change) bool { return o.kind != prompt.OutIndex })
	case c.kind == prompt.OutOutline && c.Status == prompt.Added:
		return slices.ContainsFunc(all, c.isPart)
	case c.kind == prompt.OutOutline && c.Status == prompt.Changed:
		return c.namesMoved(all)
	case c.kind == prompt.OutFull && c.Status == prompt.Changed:
		return c.repeats(seen)
	default:
		return false
	}
}

// namesMoved reports whether each line of an outline that differs names a
// file of the prompt that comes or goes.
func (c *change) namesMoved(all []change) bool {
	folder := path.Dir(c.Output.Path) + "/"
	var moved []string
	for _, o := range all {
		if o.Status != prompt.Changed && c.isPart(o) {
			moved = append(moved, strings.TrimPrefix(o.Output.Path, folder))
		}
	}
	for _, h := range textdiff.Hunks(c.Old, c.Output.Content(), 0) {
		for _, l := range h.Lines {
			if !slices.ContainsFunc(strings.Fields(l.Text), func(word string) bool { return slices.Contains(moved, word) }) {
				return false
			}
		}
	}
	return true
}

// isPart reports whether another change is of the same prompt.
func (c *change) isPart(o change) bool {
	return o.prompt == c.prompt && o.kind != prompt.OutOutline && o.kind != prompt.OutIndex
}

// repeats reports whether a whole variant differs in nothing but lines that
// its sections, items and tools show already. Blank lines come and go with a
// section; alone they are a change of a join, which no section shows.
func (c *change) repeats(seen map[string]bool) bool {
	before, after := c.Old, c.Output.Content()
	if c.isBody() {
		before, after = spelled(before), spelled(after)
	}
	some := false
	for _, h := range textdiff.Hunks(before, after, 0) {
		for _, l := range h.Lines {
			if strings.TrimSpace(l.Text) == "" {
				continue
			}
			if !seen[string(l.Sign)+l.Text] {
				return false
			}
			some = true
		}
	}
	return some
}

// spelled writes what a request body holds, a token after another and strings
// decoded, so that its texts have lines. What is no JSON stays as it is.
func spelled(body string) string {
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var b strings.Builder
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return b.String()
		case err != nil:
			return body
		}
		fmt.Fprintln(&b, token)
	}
}

// shownLines gives the lines, each with its sign, by which renderings, items
// and tools differ. They are collected only where a whole variant changed.
func shownLines(all []change) map[string]bool {
	if !slices.ContainsFunc(all, func(c change) bool { return c.kind == prompt.OutFull }) {
		return nil
	}
	out := map[string]bool{}
	for _, c := range all {
		before, after := c.Old, c.Output.Content()
		switch c.kind {
		case prompt.OutRendering, prompt.OutItem, prompt.OutContent:
		case prompt.OutTool:
			before, after = spelled(before), spelled(after)
		default:
			continue
		}
		for _, h := range textdiff.Hunks(before, after, 0) {
			for _, l := range h.Lines {
				out[string(l.Sign)+l.Text] = true
			}
		}
	}
	return out
}
