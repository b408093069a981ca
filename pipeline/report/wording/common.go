package wording

// common are sentences, and parts of some, that several stages use.
var common = []row{
	{"did-you-mean", "did you mean %q?"},
	{"tokens", "%s tokens"},
	{"one-token", "%s token"},
	{"file-is", "%s file is"},
	{"files-are", "%s files are"},
	{"in-a-place", "%s: %s"},
	{"it-fails-with", "it fails with --fail-on %s"},
	{"write", "write %q"},
	{"percent", "%s %%"},
	{"divide-file", "divide the file"},
	{"write-as-follows", "write %s"},
	{"char-like", "%s, which looks like %q"},
	{"char-foreign", "%s, a letter of another alphabet"},
	{"name-and-fact", "%q %s"},
	{"matches-no-file", "%q matches no file"},
	{"quoted", "%q"},
	{"names", "%s"},
	{"names-and-more", "%s and %s more"},
	{"send-own-tool", "send it with `dialect: %s` alone, or leave it out with `only`"},
	{"same-elsewhere", "the same of %s more files, such as %s and %s"},
	{"and-more", "and %s more"},
}
