package diag

// Codes of the stage validate.
const (
	// UnknownKey is a key that the language, or a data file's schema, does not have.
	UnknownKey Code = "PC2001"
	// MissingKey is a required key that is not there.
	MissingKey Code = "PC2002"
	// WrongType is a value of another shape than the key takes.
	WrongType Code = "PC2003"
	// WrongValue is a value of the right shape that is not allowed.
	WrongValue Code = "PC2004"
	// OneOfKeys is a mapping with none, or several, of keys of which it needs one.
	OneOfKeys Code = "PC2005"
	// UnknownVersion is a language version that this release does not read.
	UnknownVersion Code = "PC2006"
	// BadName is an id or axis value that breaks the rules for names.
	BadName Code = "PC2007"
	// DuplicateName is a name or value that is declared or listed twice.
	DuplicateName Code = "PC2008"
	// KeyNotForKind is a key that the source's kind does not take.
	KeyNotForKind Code = "PC2009"
	// BadAxis is an axis whose default or context does not fit its values.
	BadAxis Code = "PC2010"
	// UnreachableCase is a case behind one that always holds.
	UnreachableCase Code = "PC2011"
	// BadFolder is an output folder that cannot be one.
	BadFolder Code = "PC2012"
	// PlusOnNothing is an addition to a limit that the budget does not set.
	PlusOnNothing Code = "PC2013"
	// UnknownField is a front matter key that the kind does not know.
	UnknownField Code = "PC2014"
	// UnknownLabel is an item of a list in IDENTITY.md that is not known.
	UnknownLabel Code = "PC2015"
	// FrontDropped is front matter of a kind that has no fields.
	FrontDropped Code = "PC2016"
	// OutsideLimit is a source file that breaks a rule of an outside format.
	OutsideLimit Code = "PC2017"
	// UnknownToolShape is a value that is not a tool definition of any known shape.
	UnknownToolShape Code = "PC2018"
	// BadToolName is a tool name that no provider takes.
	BadToolName Code = "PC2019"
	// UnportableToolName is a tool name that some providers refuse.
	UnportableToolName Code = "PC2020"
	// BadToolSchema is a tool's schema that is not a JSON Schema of an object.
	BadToolSchema Code = "PC2021"
	// RefusedRef is a reference that leaves the schema, or leads nowhere.
	RefusedRef Code = "PC2022"
	// UncheckedPattern is a regular expression that cannot be checked here.
	UncheckedPattern Code = "PC2023"
	// UnknownDialect is a schema that names a dialect unknown here.
	UnknownDialect Code = "PC2024"
	// DroppedToolField is a field of a tool definition that no request has.
	DroppedToolField Code = "PC2025"
	// PartialToolList is a list of tools that has further pages.
	PartialToolList Code = "PC2026"
	// TooLargeToCheck is a value that is refused for its size.
	TooLargeToCheck Code = "PC2027"
	// BadMarker is a line of a transcript that starts like a marker and is none.
	BadMarker Code = "PC2028"
	// BadTierKey is a text in a cache tier that names nothing.
	BadTierKey Code = "PC2029"
	// UnplainPath is a path of a conversation that is not written plainly.
	UnplainPath Code = "PC2030"
	// BadDataURL is an image that is not given as a data URL.
	BadDataURL Code = "PC2031"
	// UnknownCode is a code in a setting that no finding has.
	UnknownCode Code = "PC2032"
	// NotSettable is a code that a setting cannot set, or not so.
	NotSettable Code = "PC2033"
	// BadSettingPath is a pattern of a setting's paths that cannot be used.
	BadSettingPath Code = "PC2034"
)

var validateCodes = []Entry{
	{UnknownKey, Error, "unknown key", `The manifest language (or the schema of a data file) has no such key at this place. Unknown keys are errors because a misspelt key would otherwise be ignored, and a condition, a budget or a section with it.

Correct the key, or remove it. The hint names a close one, or all keys that may stand there. Keys of your own are welcome at the top of the manifest when they start with ` + "`x-`" + `.`},
	{MissingKey, Error, "a required key is missing", `A mapping lacks a key that it must have, for example a section without ` + "`id`" + ` or a SKILL.md without ` + "`description`" + `. Add the key.`},
	{WrongType, Error, "value of the wrong shape", `The key takes another shape of value: a mapping where a list stands, a number where a text stands.

~~~yaml
budget: [4000]           # wrong: a list
budget: {tokens: 4000}   # right: a mapping
~~~

Most values under a prompt may also be a list of cases, ` + "`[{when: {tier: 1}, value: 200}, {value: 1500}]`" + `.`},
	{WrongValue, Error, "value that is not allowed", `The value has the right shape, but it is not one of those that the key takes: a word that is none of the choices, a number out of range, an empty text or list. The message names what is allowed.`},
	{OneOfKeys, Error, "exactly one of several keys", `The mapping needs exactly one of the named keys (or at least one, where the message says so), and has none or several of them. A source has either ` + "`text`" + ` or ` + "`path`" + `; a section has one of ` + "`text`" + `, ` + "`path`" + ` and ` + "`source`" + `.`},
	{UnknownVersion, Error, "unknown language version", `Every manifest says which version of the language it is written in, as a whole number: ` + "`version: 1`" + `. This release reads version 1. A newer version needs a newer release of promptc.`},
	{BadName, Error, "name that breaks the rules", `Names become parts of file names on every system, so they are kept plain. An id is 1 to 64 small letters, digits, ` + "`.`, `_` and `-`" + `, and starts with a letter or a digit; axis values may have capitals too. No name ends in ` + "`.`" + ` or is a device of Windows (` + "`con`, `nul`, `com1`" + `, also before a dot), and no two values of an axis differ only in case.`},
	{DuplicateName, Error, "declared or listed twice", `The same name is declared twice where names are distinct (sections of a prompt, values of an axis, tools of a file; slots and fragments share one namespace, and a tokenizer may not be called like a built-in one), or the same value is listed twice. Remove or rename one of them.`},
	{KeyNotForKind, Error, "key that the kind does not take", `Some keys belong to one kind of source, for example ` + "`root`" + ` to ` + "`context`" + ` and ` + "`routing`" + ` to ` + "`runtime`" + `; ` + "`absent: default`" + ` needs a kind with a built-in text, a text written in the manifest has no files to be absent, and ` + "`limits`" + ` of skills are those of programs that list them. On other sources the key would do nothing, which is why it is refused. Remove it, or correct the kind.`},
	{BadAxis, Error, "axis that contradicts itself", `The ` + "`default`" + ` of an axis must be one of its values. Its ` + "`context`" + ` gives each value's upper limit in tokens: as many numbers as there are values, or one less (the last value then has no limit), each larger than the one before.`},
	{UnreachableCase, Warning, "case that is never reached", `Of a list of cases the first that holds counts. A case without ` + "`when`" + ` always holds, so nothing behind it is ever used. Move it to the end, or give it a condition.`},
	{BadFolder, Error, "folder that cannot be used", `Snapshots and artifacts go to folders below the manifest's own, each to one of its own: the path is relative, uses ` + "`/`" + `, does not lead out, is not the manifest's folder itself or anything in ` + "`.git`" + ` (in any spelling: ` + "`.GIT`, `git~1`, `.git.`" + `), has no name that Windows keeps for a device (` + "`con`, `nul`, `aux.txt`" + `, …), no name that ends with a dot or a blank, and neither lies within the other.`},
	{PlusOnNothing, Error, "addition to a limit that is not set", `An entry of ` + "`plus`" + ` raises a limit where its condition holds. The budget sets no limit of that unit, so there is nothing to raise. Set the limit, or remove the entry.`},
	{UnknownField, Warning, "unknown front matter key", `The kind of this file does not know the key, and nothing is done with it. It is a warning and not an error because people's files carry fields of other tools; but a misspelt key looks the same, so look twice.`},
	{UnknownLabel, Warning, "unknown label", `IDENTITY.md may be a list of ` + "`- **Label:** value`" + `. This label is none of those that are known (name, emoji, creature, vibe, theme, avatar; case does not matter), so its value is not printed. Translated labels are not recognised.`},
	{FrontDropped, Note, "front matter is dropped", `The file starts with front matter, but its kind has no fields: only the text below is used. Nothing needs to be done; this note exists because nothing is left out silently.`},
	{OutsideLimit, Warning, "rule of an outside format", `The file can be used, but it breaks a rule of the format that it follows, so that other programs may refuse it: a skill whose name is not that of its folder or is longer than 64 characters, a description of more than 1,024, a file that is not called SKILL.md, a field of another type than its own tool expects.

It is a note where common programs take it all the same (a list of ` + "`allowed-tools`" + `, nested ` + "`metadata`" + `, a name with small letters of another script), and where the format only advises: a skill's text should have fewer than 500 lines and 5,000 tokens (counted as a quarter of the characters), a Cursor rule fewer than 500 lines.`},
	{UnknownToolShape, Error, "not a tool definition", `The value is no tool definition in a shape that is known, or in several at once. Known are, one, as a list, or under ` + "`tools`" + `:

- Model Context Protocol: ` + "`{name, description, inputSchema}`" + `, also a whole ` + "`tools/list`" + ` response
- OpenAI Chat: ` + "`{type: function, function: {name, description, parameters}}`" + `
- OpenAI Responses: ` + "`{type: function, name, description, parameters}`" + `
- Anthropic: ` + "`{name, description, input_schema}`" + `
- Gemini: ` + "`{functionDeclarations: [{name, description, parameters}]}`" + `

A provider's own built-in tools have no schema and cannot be sources.`},
	{BadToolName, Error, "tool name that no provider takes", `A tool has no name, or its name holds a character that no provider takes. Letters, digits and ` + "`_ . : / -`" + ` are possible; letters, digits, ` + "`_`" + ` and ` + "`-`" + ` are safe everywhere.`},
	{UnportableToolName, Warning, "tool name that some providers refuse", `The Model Context Protocol asks for names of at most 128 letters, digits, ` + "`_`, `.` and `-`" + `. This name is longer or holds another character; some providers will refuse it.`},
	{BadToolSchema, Error, "not a JSON Schema of an object", `The schema of a tool's arguments breaks the rules of JSON Schema (of the dialect that its ` + "`$schema`" + ` names, 2020-12 otherwise), or is not of type ` + "`object`" + `, which all providers ask for. Requests with it would fail.`},
	{RefusedRef, Error, "reference that is refused", `A ` + "`$ref`" + ` in a tool's schema must stay within that schema and lead to something that is there: it starts with ` + "`#`" + `, or names the ` + "`$id`" + ` of the schema or of one inside it, relative to the ` + "`$id`" + ` around it. Files and addresses are never opened. Copy the other schema under ` + "`$defs`" + ` and refer to it there.`},
	{UncheckedPattern, Note, "pattern that was not checked", `The regular expression uses syntax outside the common subset (look-around, back-references, long repetitions), or is very long. It is passed on as it is; whether it is right was not checked. What providers are known to refuse is a finding of its own where the tool is sent to one (PC6016, PC6017).`},
	{UnknownDialect, Warning, "unknown dialect of JSON Schema", "`$schema`" + ` names a dialect other than draft-04, draft-06, draft-07, 2019-09 and 2020-12. The schema was checked as 2020-12. The address is never opened.`},
	{DroppedToolField, Warning, "field of a tool definition that no request has", `A definition is brought into the form of the Model Context Protocol, and this field is none of it. It is kept in the snapshot, so that any change of it shows, and no request has it: set it where requests are made, as with ` + "`cache_control`" + `, ` + "`defer_loading`" + ` or ` + "`input_examples`" + `, or remove it. Around a list of tools it is dropped. A name that is close to a known one is most often misspelt.`},
	{PartialToolList, Warning, "list of tools has further pages", `The ` + "`tools/list`" + ` response has a ` + "`nextCursor`" + `: the server has more tools than are in this file. Fetch the other pages as well, and join them under one ` + "`tools`" + `.`},
	{TooLargeToCheck, Error, "too large to check", `The value is refused because working on it could take very long: a schema of more than 40,000 values, a number with hundreds of digits or an exponent beyond what a 64-bit number holds, a layout in which cases of several keys combine to more than 1,000. Real files are far from these limits.`},
	{BadMarker, Error, "marker that does not parse", `A line of a transcript starts like a marker that updates a goal, but cannot be read as one. It is refused and not skipped, because the goal would go on without it. The markers, each on a line of its own:

~~~
[GOAL] what is to be reached
[CHECKPOINT] what is to be done - COMPLETED        (or IN-PROGRESS, PENDING, BLOCKED)
[DECISION] what was decided - LOCKED               (or without LOCKED)
[ARTIFACT] Created docs/plan.md                    (or Modified, Deleted)
[NEXT] what is to be done next
~~~

Correct the line. A line that is not meant as a marker may start with another character.`},
	{BadTierKey, Error, "not a key of a cache tier", `The tiers of a conversation list what each of them holds, as keys of three forms:

~~~yaml
tiers:
  L0: [file:src/main.go]         # the whole file
  L1: [symbol:src/util.go]       # what the repository map says of the file
  L2: [history:0, history:1]     # messages of the history, counted from 0
~~~

There is no blank behind the colon (YAML would read a mapping), and a number is written without leading zeros. Correct the key, or remove it.`},
	{UnplainPath, Error, "path that is not written plainly", `Paths of a conversation are compared as they are written, so that a file which is named twice is seen to be. Each has one spelling: relative to the workspace (the workspace itself: to the manifest's folder), with ` + "`/`" + ` between folders, without ` + "`.` and `..`" + ` elements, doubled or final slashes, outer blanks, backslashes and control characters. Only around the workspace itself a ` + "`./`" + ` before and a ` + "`/`" + ` behind do no harm. Paths are no patterns: a ` + "`*`" + ` stands for itself. What Git keeps for itself, in ` + "`.git`" + `, is not shown.

Write the path as the hint shows.`},
	{BadDataURL, Error, "image that is not a data URL", `An image of a conversation is written as a data URL, ` + "`data:image/TYPE;base64,DATA`" + `, in canonical base64 (the alphabet with ` + "`+` and `/`" + `, padded with ` + "`=`" + `, on one line) and not empty. Data that begins as a PNG, JPEG, GIF or WebP picture must be of the type that the URL says, since providers compare them; other data is taken as it is. Nothing is fetched from an address, and nothing is read from a file. ` + "`base64 -w0 picture.png`" + ` gives the data.`},
	{UnknownCode, Error, "unknown code in a setting", `A row of ` + "`checks`" + ` names a code that no finding has, so it would set nothing. ` + "`promptc explain CODE`" + ` says what a code means; the report of a finding begins with its code.`},
	{NotSettable, Error, "code that cannot be set", `Rows of ` + "`checks`" + ` set what findings count as, for every check of the stage lint (` + "`PC6…`" + `) and for what is a warning or a note by itself. Other errors cannot be set: with an unknown name or a missing file something would be left out or in that nobody meant. A text over its budget is a warning with ` + "`over: warn`" + ` in the budget, and ` + "`promptc diff --fail-on growth`" + ` decides about growth.

A row with ` + "`prompts`" + ` fits findings that are about prompts, ` + "`PC5…` and `PC6…`" + `. Others are about the input; name the files under ` + "`paths`" + `.`},
	{BadSettingPath, Error, "pattern that cannot be used", `An entry of ` + "`paths`" + ` in a setting is a path relative to the manifest's folder that may hold ` + "`*`, `**`, `?`, `[…]` and `{a,b}`" + `. This one has a bracket or brace that is not closed or an empty class, is longer than 4,096 bytes, or has braces that stand for more than 1,000 patterns (those of all rows together: 10,000).

Or it fits no file whatever there is: it is absolute, has an element ` + "`..` or `.`" + `, an empty one or a backslash, or names an axis as ` + "`{axis}`" + `. Write ` + "`*`" + ` for the value of an axis.`},
}
