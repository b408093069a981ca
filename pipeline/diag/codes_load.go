package diag

// Codes of the stage load.
const (
	NotText             Code = "PC1001" // not UTF-8, or a NUL
	ConflictMarkers     Code = "PC1002" // what an unfinished merge leaves behind
	FileTooLarge        Code = "PC1003" // more than 1 MiB
	TextNormalised      Code = "PC1004" // byte order marks and CRLF were normalised
	YAMLSyntax          Code = "PC1005" // not YAML
	YAMLFeature         Code = "PC1006" // YAML that the language leaves out
	RepeatedKey         Code = "PC1007" // a key twice in one mapping
	TooComplex          Code = "PC1008" // depth, number of values, aliases
	JSONSyntax          Code = "PC1009" // not JSON
	NotMapping          Code = "PC1010" // manifest or front matter without keys
	FrontUnterminated   Code = "PC1011" // front matter without an end
	FrontMissing        Code = "PC1012" // no front matter where the kind needs it
	FrontAsBody         Code = "PC1013" // a leading block that is no front matter, kept as text
	CommentUnterminated Code = "PC1014" // a leading comment without an end
	BadPath             Code = "PC1015" // a path that is written in a way it cannot be
	BadGlob             Code = "PC1016" // a pattern that cannot be read, or is too wide
	PathEscapes         Code = "PC1017" // a symbolic link out of the folder
	NotAFile            Code = "PC1018" // a folder, pipe, device, broken link or name
	WrongFormat         Code = "PC1019" // an extension that the kind does not read
	SavedSyntax         Code = "PC1020" // a snapshot file of vitest or jest that cannot be read
	RenderedNothing     Code = "PC1021" // a pattern of rendered files that matches none
	LFSPointer          Code = "PC1022" // what Git LFS keeps in a file's stead
)

var loadCodes = []Entry{
	{
		NotText, Error, "not a UTF-8 text",
		"Every file must be UTF-8 without NUL characters: other bytes have no defined form in a prompt, and each tool would show them differently. The message gives the first bad byte and its offset in the file on disk. Where a conversation names such a file of its workspace, the finding is at that entry.\n\nSave the file as UTF-8. If it is not a text at all, narrow the path so that it is no longer matched.",
	},
	{
		ConflictMarkers, Error, "merge conflict markers",
		"The file has a line that starts with `<<<<<<< `, later one that starts with `=======` and later one that starts with `>>>>>>> `: a merge was committed unfinished, and both sides would reach the model.\n\nDecide between the two sides and remove the marker lines. Blocks of the edit format `<<<<<<< SEARCH` … `>>>>>>> REPLACE` are text like any other.",
	},
	{
		FileTooLarge, Error, "file too large",
		"Files may be up to 1 MiB long, which is more than any model's context holds. A larger one was most likely matched by mistake.\n\nNarrow the path, or divide the file. A conversation is that large by its pictures: make them smaller, since they go into the request as they are.",
	},
	{
		TextNormalised, Note, "byte order mark or CRLF",
		"A byte order mark at the start is ignored and CRLF is read as LF, with however many CRs (Git takes one away at each commit), so that a prompt has the same bytes on every machine. One note a run lists the files.\n\nNothing has to be done. A line `* text=auto eol=lf` in `.gitattributes` keeps line breaks the same for everybody.",
	},
	{
		YAMLSyntax, Error, "invalid YAML",
		"The file, or a Markdown file's front matter, is not YAML. The commonest cause is a text that has to be quoted, because YAML gives a meaning to `: ` and ` #` inside a value and to `[ { * & ! % @` and the backtick at its start:\n\n```yaml\ndescription: Use when: a test fails      # an error\ndescription: \"Use when: a test fails\"    # a text\n```\n\nOther causes are tabs in the indentation and quotes or brackets that are not closed. Cursor's `.mdc` files are read the way Cursor reads them: a `key: value` a line, without quoting rules; so is what kinds without fields leave out, such as that of a `text`.",
	},
	{
		YAMLFeature, Error, "YAML that is not allowed",
		"Files use plain YAML: texts, numbers, lists, mappings, anchors and aliases. Refused are merge keys (`<<`), tags of other types (`!!binary`, `!custom`), keys that are not texts, a second document in the file, aliases inside their own anchor, and lines that start with `%` but for `%YAML 1.1` and `%YAML 1.2`, with `---` behind it. Readers differ on all of these, so the same file could mean two things.\n\n```yaml\nlarge: {<<: *base, tokens: 900}          # refused\nlarge: {warn_at: *warn, tokens: 900}     # write the keys, with an alias for a value\n```",
	},
	{
		RepeatedKey, Error, "key given twice",
		"A mapping has the same key twice. Most readers silently take the last one, so that the first has no effect. The finding is at the second; the hint names the line of the first.\n\nRemove or rename one of them.",
	},
	{
		TooComplex, Error, "nested too deeply or too large",
		"YAML and JSON files may have up to 64 levels, 50,000 values and 10,000 expanded aliases, Markdown lists with labels up to 100 levels. Beyond that a file is a mistake, or an attempt to make the reader work for ever.\n\nDivide the file, or check that it is the right one.",
	},
	{
		JSONSyntax, Error, "invalid JSON",
		"The file is not JSON: no comments, no trailing commas, double quotes around texts and keys, one value a file, and no escape such as `\\ud800` that is half a character.\n\nCorrect the place. A file ending in `.yaml` may hold the same data in a freer syntax.",
	},
	{
		NotMapping, Error, "not a mapping",
		"A manifest and a file's front matter consist of `key: value` pairs. This one is empty, a list or a single text.\n\nA manifest starts with `version: 1`. If a Markdown file starts with a rule (`---`) that is not meant as front matter, write the rule as `***`.",
	},
	{
		FrontUnterminated, Error, "front matter without an end",
		"A Markdown file that starts with a line `---` has front matter, which ends at the next line `---` or `...`. There is none, so that the whole file would be metadata.\n\n```markdown\n---\nname: review\n---\nThe text starts here.\n```",
	},
	{
		FrontMissing, Error, "no front matter",
		"Files of this kind are described by their front matter; a skill without a name and description cannot be listed. The block must be the very first thing in the file.\n\n```markdown\n---\nname: review\ndescription: Reviews a change. Use before every merge.\n---\n```",
	},
	{
		FrontAsBody, Note, "leading block kept as text",
		"Instruction files such as AGENTS.md and CLAUDE.md have no front matter of their own. This one starts with a line `---`, but what follows is not front matter that could be read, so it stays part of the text, as in other tools.\n\nCorrect the block if it was meant as front matter.",
	},
	{
		CommentUnterminated, Error, "comment without an end",
		"Comments at the start of a Markdown file are left out of the prompt. This one is never closed, so that the whole file would be left out.\n\nClose it with `-->`.",
	},
	{
		BadPath, Error, "path not allowed",
		"Paths are relative to the manifest's folder, use `/`, and mean the same on every system. Refused are absolute paths, addresses (`https://…`), `..` and `.` as an element, backslashes, drive letters, empty elements (`a//b`, `a/`), names that Windows keeps for devices (`con`, `nul`, `aux`, …), every path into `.git` (where a checkout leaves credentials), however a file system may spell that folder (`.GIT`, `git~1`, `.git.`, …), and a path that differs from a file in case alone, which only some systems would find. A context source's `path` must lie inside its `root`. In a conversation, `workspace` is relative to the manifest's folder, not the fixture's, and lies outside the folders that promptc writes; `selected` and `file:` name files by their place below the workspace.\n\n```yaml\npath: ./notes/../rules.md    # refused\npath: rules.md\n```",
	},
	{
		BadGlob, Error, "pattern not usable",
		"The pattern cannot be read, or is wider than any prompt needs: up to 4,096 bytes, 1,000 alternatives in braces, 10,000 files, 100 folders inside each other, and 10,000 values of `{axis}` in one path. The workspace of a conversation, all files of which are listed, has the same limits.\n\nPatterns are `*` and `?` within a name, `**` for any number of folders, `[a-z]` and `{one,two}`.",
	},
	{
		PathEscapes, Error, "link out of the folder",
		"The path goes through a symbolic link that leads out of the manifest's folder. What lies there is not part of the repository, so that the prompt would differ from machine to machine. Links inside the folder work; those with an absolute target do not, and neither do those into `.git`, which no checkout shares with another. The files of a conversation's workspace may not lead out of the workspace either; a link that nobody names is left out of its file tree, which a note says.\n\nCopy the file into the folder, or move the manifest up.",
	},
	{
		NotAFile, Error, "not a regular file",
		"The path names something that cannot be read as a text: a folder, a pipe or device, a symbolic link that leads nowhere, or a file whose name is not UTF-8. For the `path` of a context source and the `workspace` of a conversation it is the other way round: they must be folders. What is no file inside a workspace is left out of its file tree, which a note says; so is a name with a line break or another control character, since the tree has a path a line.\n\nName a file, or write a pattern such as `folder/*.md`.",
	},
	{
		WrongFormat, Error, "file type not read by this kind",
		"Kinds that hold data, such as `tools` and `runtime`, read files that end in `.json`, `.yaml` or `.yml`; the ending decides how a file is read.\n\nRename the file, or narrow the pattern.",
	},
	{
		SavedSyntax, Error, "snapshot file that cannot be read",
		"A file that a `rendered` pattern matches is a snapshot file of vitest or jest: it starts with their header, or has lines that start with `exports[`. In such a file every entry is a name and a value in backticks, with a backslash before each backtick, each backslash and each `${` in them. This place is something else, or a backtick is never closed.\n\n```js\nexports[`system prompt > tier 1 1`] = `\"You are helpful.\"`;\n```\n\nThese files are written by a program: write them again with `vitest -u` or `jest -u`.",
	},
	{
		RenderedNothing, Error, "rendered files that are not there",
		"The pattern of a prompt that is rendered elsewhere, or of the tools beside it, matches no file. `{axis}` stands for a value of that axis, `*` for any part of one name, `**` for any folders; the path is relative to the manifest. Folders that promptc writes are not looked into.\n\nCorrect the pattern, or let the other program write its files first.",
	},
	{
		LFSPointer, Warning, "Git LFS pointer",
		"The file is one of those that Git LFS keeps outside the repository: what is here is a pointer, three lines with the id and the size of the content. It is used as it is, so that the prompt has these lines in place of the text.\n\nOn disk, `git lfs pull` brings the content. What Git itself keeps, a commit or the index, is always the pointer, so that `promptc diff` and `promptc check --staged` see nothing else. Texts for prompts are small: take them out of Git LFS with `git lfs untrack` and commit them as they are.",
	},
}
