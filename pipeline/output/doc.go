// Package output is the wing that speaks: text, Markdown, annotations, SARIF, JSON, and
// the page for a browser, in rooms by subject. From the bottom up: wording has the
// sentences of findings, and words what everything is written with; finding, change and
// ledger write about one thing each, run about a whole run; page and htmlpage are the page.
//
// In come results and differences; out come bytes for a writer that was handed in. It
// decides nothing that a result does not say, and reads nothing.
package output
