// Package prompt holds the nouns: what the manifest declares, what a variant
// is, and what each stage hands to the next. Nothing in it does work beyond
// looking at itself.
package prompt
