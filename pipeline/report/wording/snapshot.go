package wording

// snapshotWords are the sentences of the stage snapshot.
var snapshotWords = []row{
	{"names-no-variant", "%q names no variant: %s"},
	{"run-list", "run: promptc list"},
	{"run-list-of", "run: promptc list %s"},
	{"has-no-axes", "%q names no variant: prompt %q has no axes"},
	{"write-with-axis", "write %q, where AXIS is %s"},
	{"write-with-value", "write %q, where VALUE is %s"},
	{"there-is-no-prompt", "there is no prompt %q"},
	{"not-built", "%q names no variant that is built"},
	{"rendered-elsewhere", "%q is rendered elsewhere, and has no snapshots"},
	{"remove-rendered", "remove it: its files are in the repository already"},
	{"only-line-ends-differ", "%s out of date only in CRLF line ends"},
	{"snapshots-not-text", "add \"snapshots/** -text\" to .gitattributes and check the files out again"},
	{"differs-in-case-from-wanted", "%q differs only in case from %q, which the build has to write"},
	{"rename-and-build", "rename or remove it, then run: promptc build"},
	{"no-build-wrote", "%q is %s that no build wrote"},
	{"move-out-or-delete", "move it out of %q or delete it"},
	{"in-the-way-of-build", "%q is %s where the build has to write"},
	{"move-away-and-build", "move it away, then run: promptc build"},
	{"folder-without-mark", "folder %q is not empty and its README.md has no mark of promptc"},
	{"choose-empty-folder", "choose a folder that is empty or does not exist, or move the files away; if only its README.md was edited, delete that and build"},
	{"it-holds", "it holds %q"},
	{"folder-holds-source", "folder %q holds the source %q"},
	{"choose-own-folder", "choose a folder that holds nothing else"},
}
