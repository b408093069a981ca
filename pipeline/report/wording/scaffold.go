package wording

// scaffoldWords are the sentences about files that prompts are proposed for.
var scaffoldWords = []row{
	{"took-beside-texts", "took %s for the tools beside the texts"},
	{"took-as-toolset", "took %s for the tools of a prompt"},
	{"took-as-another-toolset", "took %s for the tools of a prompt, since others have tools of the same names"},
	{"json-alone-is-text", "there is JSON alone: %s is taken as a text"},
	{"json-alone-are-texts", "there is JSON alone: %s are taken as texts"},
	{"names-unlike-others", "%s: the names do not go with the %s others"},
	{"left-out", "left out %q: %s"},
	{"tools-of-no-text", "left out %s: tools, but their names do not say of which texts"},
	{"files-without-pattern", "left out %s: no pattern stands for all, and one by one they are more than %s prompts; " +
		"rename them to letters, digits, '.', '_' and '-', or narrow the pattern"},
	{"entries-without-pattern", "left out %s entries of %q: no pattern stands for all, and one by one they are more than %s prompts"},
	{"entry-left-out", "left out the entry %q of %q: %s"},
	{"pattern-takes-another", "a pattern would take another for it"},
	{"json-without-tools", "JSON that defines no tools"},
	{"read-me", "about the others, by its name"},
	{"no-text-in-it", "there is no text in it"},
	{"received", "what a test got, and nobody approved yet"},
	{"tools-on-one-side", "no tools are read from %q: it defines some on one side alone"},
	{"no-prompt-in-match", "there is no prompt in what it matches"},
	{"match-texts", "it names the files with the texts; schemas of tools are found beside them"},
	{"errors-in-every-manifest", "check finds errors in every manifest over them"},
	{"match-one-folder", "narrow the pattern to files of one folder"},
}
