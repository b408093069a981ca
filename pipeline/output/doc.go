// Package output is the wing that speaks: text, Markdown, annotations, SARIF, JSON, and
// the page for a browser. The room report computes what there is to say and lays it
// out; wording has the sentences of findings, and htmlpage the page.
//
// In come results and differences; out come bytes for a writer that was handed in. It
// decides nothing that a result does not say, and reads nothing.
package output
