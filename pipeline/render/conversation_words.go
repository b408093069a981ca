package render

import "github.com/promptc-build/promptc/pipeline/prompt"

// What the layout says by itself. These bytes are part of the language: every
// artifact with messages has them.
const (
	headingStructure = "# Repository Structure\n\n" +
		"Below is a map of the repository showing classes, functions, and their relationships.\n" +
		"Use this to understand the codebase structure and find relevant code."
	headingMore   = "# Repository Structure (continued)"
	headingTree   = "# Repository Files\n\nComplete list of files in the repository:"
	headingCount  = "# File Tree (%d files)" // begins the list itself
	headingURLs   = "# URL Context\n\nThe following content was fetched from URLs mentioned in the conversation:"
	headingReview = "# Code Review Context"
	headingFiles  = "# Working Files\n\nHere are the files:"

	headingFilesL0 = "# Reference Files (Stable)\n\n" + filesIncluded
	headingFilesL1 = "# Reference Files\n\n" + filesIncluded
	headingFilesL2 = "# Reference Files (L2)\n\n" + filesIncluded
	headingFilesL3 = "# Reference Files (L3)\n\n" + filesIncluded
	filesIncluded  = "These files are included for reference:"

	ackPlain  = "Ok."
	ackURLs   = "Ok, I've reviewed the URL content."
	ackReview = "Ok, I've reviewed the code changes."

	blockGlue = "\n\n"    // below a heading, between pieces and between blocks
	pageGlue  = "\n---\n" // between pages
	titleMark = "## "     // before a page's title
	diffTag   = "diff"    // behind the fence of a diff
)

// fileHeadings stand above the files of the tiers.
var fileHeadings = [prompt.Tiers]string{headingFilesL0, headingFilesL1, headingFilesL2, headingFilesL3}

// acknowledgement is what the assistant says to a block that is not cached.
func acknowledgement(block string) string {
	switch block {
	case prompt.BlockURLs:
		return ackURLs
	case prompt.BlockReview:
		return ackReview
	default:
		return ackPlain
	}
}
