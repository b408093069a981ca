package diag

// Codes of the stage resolve.
const (
	UnknownAxis      Code = "PC3001" // a name that no axis of the prompt has
	UnknownSource    Code = "PC3002" // a source that the manifest does not declare
	UnknownValue     Code = "PC3003" // a value that the axis does not have
	UnknownSection   Code = "PC3004" // `order`, a layout or an expectation names a section that is not there
	UnknownTool      Code = "PC3005" // `only` or an expectation names a tool that is not there
	UnmetNeed        Code = "PC3006" // `needs` names a tool that no source declares
	UnknownForm      Code = "PC3007" // a form or style that the kind does not offer
	NoCase           Code = "PC3008" // none of a value's cases holds
	NoFile           Code = "PC3009" // a path that matches no file
	EmptyFile        Code = "PC3010" // a file that says nothing
	FallbackUsed     Code = "PC3011" // a source's fallback stands in
	TooManyVariants  Code = "PC3012" // more than MaxVariants
	DuplicateTool    Code = "PC3013" // two tools of one name in a toolset
	NoVariant        Code = "PC3014" // everything is excluded
	UnknownTokenizer Code = "PC3015" // a tokenizer that is not declared
	IncompleteOrder  Code = "PC3016" // `order` leaves a section out
	UselessOption    Code = "PC3017" // an option that nothing in the section takes
	PartAbsent       Code = "PC3018" // some of a source's files are not there or say nothing
	MissingPhase     Code = "PC3019" // under `phases`, a section without phase or priority
	PhaseElsewhere   Code = "PC3020" // phase, priority, weight or sticky under another layout
	PhaseNotWalked   Code = "PC3021" // a phase that the layout's order leaves out
	UnknownEntry     Code = "PC3022" // `select` names an id that no entry of the registry has
	DuplicateEntry   Code = "PC3023" // two entries of one id in a registry
	ToolNotThere     Code = "PC3024" // an entry whose required tool is not in a toolset
	UnknownTag       Code = "PC3025" // `select` names a tag or server that no entry has
	LockedDecision   Code = "PC3026" // a marker that changes a locked decision
	GoalStaysWhole   Code = "PC3027" // a limit or steps on a section with a goal
	SeveralGoals     Code = "PC3028" // a goal source with more than one file
	UnusedSource     Code = "PC3029" // a source that no section and no layout names

	NoSuchDialect         Code = "PC3030" // a dialect that is not in the table
	TextOfMessages        Code = "PC3031" // the layout `messages` in a dialect that is text
	NotAConversation      Code = "PC3032" // a layout's source of another kind
	ConversationAsSection Code = "PC3033" // a conversation among a section's sources
	ConversationNeeded    Code = "PC3034" // a conversation that may be absent
	SeveralConversations  Code = "PC3035" // a variant with more than one fixture
	UnknownAssembly       Code = "PC3036" // an assembly that there is not
	BreakpointElsewhere   Code = "PC3037" // breakpoint under another layout than `sequence`
	NoWorkspace           Code = "PC3038" // a conversation's workspace that is not there
	NotThere              Code = "PC3039" // a fixture names a file, block or message that is not there
	BoundTwice            Code = "PC3040" // a fixture names a thing in two tiers
	ShownInFull           Code = "PC3041" // left out, since the file is shown elsewhere
	StraySymbols          Code = "PC3042" // symbols of a file that the workspace does not have
	BrokenAlternation     Code = "PC3043" // a history in which the roles do not take turns
	SystemMidway          Code = "PC3044" // a message of the system inside a history
	HistoryOrder          Code = "PC3045" // tiers that take the history out of its order

	RenderedPattern   Code = "PC3046" // a pattern of rendered files that does not tell its variants apart
	RenderedAmbiguous Code = "PC3047" // a name that a pattern splits two ways
	RenderedTwice     Code = "PC3048" // two rendered texts for one variant
	RenderedMissing   Code = "PC3049" // variants without a rendered file
	RenderedUnlisted  Code = "PC3050" // a rendered file that belongs to no variant
	RenderedGap       Code = "PC3051" // combinations of values without a rendered file
	RenderedValue     Code = "PC3052" // a part of a name that can be no axis value
	RenderedEntry     Code = "PC3053" // which entry of a snapshot file is meant
	RenderedNoText    Code = "PC3054" // an entry that is no text
	TooManySections   Code = "PC3055" // a text that splits into too many sections
	RenderedSlug      Code = "PC3056" // a value that stands for words in the name of an entry

	UnknownPrompt   Code = "PC3057" // a setting names a prompt that there is not
	IdleExpectation Code = "PC3058" // an expectation that no variant is asked for
	TooManyUses     Code = "PC3059" // more sections in variants than are allowed
)

var resolveCodes = []Entry{
	{
		UnknownAxis, Error, "unknown axis",
		"A condition, or `{axis}` in a path, form, dialect or assembly, names an axis that the prompt does not declare. Conditions of fragments and sources are read in each prompt that uses them, so the axis must exist there too.\n\nCorrect the name, or declare the axis under the prompt's `axes`.",
	},
	{
		UnknownSource, Error, "unknown source",
		"A section, a step of its `degrade` ladder, or a layout names a source that is not under `sources`.\n\nCorrect the name or declare the source. A single file needs no source of its own: write `path:` in the section.",
	},
	{
		UnknownValue, Error, "unknown axis value",
		"A condition compares an axis with a value that the axis does not have, so it could never hold. Values are compared as they are written: `1.0` is not `1`.",
	},
	{
		UnknownSection, Error, "unknown section",
		"`order` lists the ids of the prompt's sections, `reminder` of the layout `messages` is one of them, and an expectation names some. This one is not among them.",
	},
	{
		UnknownTool, Error, "unknown tool",
		"`only` selects tools of the section's sources by name. None of them declares this one. An expectation, `expect: [{tool: NAME}]`, may name the tools that some variant of the prompt has.\n\nIn `only` the name `\"*\"` stands for all tools that the list does not name, sorted by name.",
	},
	{
		UnmetNeed, Warning, "a needed tool that nobody declares",
		"`needs` leaves a section out where the variant's toolset lacks a tool. No tools source of this manifest declares a tool of this name, so the section is never in: most often the name is misspelt.",
	},
	{
		UnknownForm, Error, "unknown form or style",
		"Each kind offers its own forms and styles; this is none of them. `promptc schema prompts` and the manual list them.\n\nA `{axis}` in a form is replaced by the axis's value, and the result has to be a form for every variant that has the section.",
	},
	{
		NoCase, Error, "no case holds",
		"A value given by cases must have one that holds in every variant that uses it. Add a last case without `when` for the rest.",
	},
	{
		NoFile, Error, "no file",
		"A path matches no file, and the source says nothing else to do. A source whose files may be missing says so: `absent: omit` leaves the section out, `absent: default` uses the kind's own text, `fallback:` and `else:` name other files.",
	},
	{
		EmptyFile, Error, "a file that says nothing",
		"The file is there, but it is empty or holds only comments. With `absent: omit` or `absent: default` such a file means that the section is left out; without them it is taken for an accident.",
	},
	{
		FallbackUsed, Note, "a fallback is used",
		"The source's own path matches no file in some variants, so the first of its `fallback` paths that does is used there. This is allowed, and said, so that a missing file does not go unseen. A file that is meant to be missing is better declared with `else:`.",
	},
	{
		TooManyVariants, Error, "too many variants",
		"The axes of a prompt multiply. More than 10,000 built variants (or 1,000,000 before `exclude`) are refused: nobody could review them. Exclude combinations that are never sent, or split the prompt.",
	},
	{
		DuplicateTool, Error, "two tools of one name",
		"Two definitions in one toolset have the same name. Providers refuse such a request, and a model could not tell them apart. Select one with `only`, or rename the other.",
	},
	{
		NoVariant, Error, "no variant is left",
		"`exclude` covers every combination of the prompt's axes, so nothing would be built.",
	},
	{
		UnknownTokenizer, Error, "unknown tokenizer",
		"A tokenizer is one of the built-in names or declared under `tokenizers` as an estimator with a base, a factor and a stated error.",
	},
	{
		IncompleteOrder, Error, "incomplete order",
		"`order` replaces the declared order, so it has to name each section that its variants may have. A section that it forgot would have no place.",
	},
	{
		UselessOption, Error, "an option without effect",
		"The section sets something that none of its sources takes: a `form` where no kind has forms, an `only` without tools. It would be ignored silently.",
	},
	{
		PartAbsent, Note, "a part of a source is left out",
		"The source has several paths or files. Some are not there, or say nothing, and `absent: omit` or `absent: default` lets the source do without them. The others are used. This is said, so that a file that went missing among others does not go unseen.",
	},
	{
		MissingPhase, Error, "a section without phase or priority",
		"Under the layout `phases`, sections compete: each says to which `phase` it belongs and with which `priority`. One without could not be placed.\n\n```yaml\n- {id: task, source: task, phase: task, priority: 80}\n```",
	},
	{
		PhaseElsewhere, Error, "a phase without the layout phases",
		"`phase`, `priority`, `weight` and `sticky` decide who is in under the layout `phases`. Under any other layout nothing is dropped, so they would be ignored.\n\nSay `layout: phases` on the prompt, or remove the keys.",
	},
	{
		PhaseNotWalked, Error, "a phase that the order leaves out",
		"The layout's own `order` lists the phases that are walked. The section belongs to one that is not among them and could never be in.",
	},
	{
		UnknownEntry, Error, "unknown registry entry",
		"`select: {ids: […]}` names entries of the section's registries by id, and none of their files has this one. Nothing else of the selection was looked at: correct the id, or add the entry.",
	},
	{
		DuplicateEntry, Error, "two registry entries of one id",
		"Two entries of a registry have the same id, in one file or in two. Selected by it, either could be meant.\n\nRename one, or narrow the source's `path`.",
	},
	{
		ToolNotThere, Error, "a registry entry without its tool",
		"The section takes an entry whose `requiredTools` names a tool that the variant's toolset does not have: the model would read how to use something that it cannot call.\n\nBring the tool with a section of kind `tools` (with `form: declare` where its schema goes with the request elsewhere), or leave the entry out there with `when` or a case of `select`.",
	},
	{
		UnknownTag, Warning, "a tag or server that no entry has",
		"`select` names a tag, or a server, that no entry of the section's registries has, so this part of the selection takes nothing. Most often the name is misspelt.",
	},
	{
		LockedDecision, Error, "a change to a locked decision",
		"A marker `[DECISION]` of the transcript names a decision that is locked, without `- LOCKED`: it would be open again. A locked decision never changes, so the transcript and the goal contradict each other.\n\nRepeat the marker with `- LOCKED`, remove the line, or unlock the decision in the goal's file.",
	},
	{
		GoalStaysWhole, Error, "a goal that could be cut",
		"A section with a source of kind `goal` has a `limit` or `degrade`, or is not sticky under the layout `phases`. A goal is what the model must not lose sight of: it is never cut or dropped and never steps down to something shorter.\n\nRemove the key, or add `sticky: true`; put the limit on other sections, or shorten the goal itself.",
	},
	{
		SeveralGoals, Error, "several goals in one source",
		"A source of kind `goal` is one goal: its path has to match one file, and a transcript's markers are about that one.\n\nNarrow the path, or declare a source for each goal.",
	},
	{
		UnusedSource, Warning, "a source that nobody uses",
		"No section of any prompt names this source (of a conversation: no layout), so its files are neither looked for nor rendered: a mistake in them would go unseen. Name it, or remove it.",
	},
	{
		NoSuchDialect, Error, "unknown dialect",
		"`dialect` is the shape in which a prompt's artifacts are written: `text`, or the fragment of a request body as one provider documents it. The value, with its `{axis}` replaced, is none of `text`, `openai-chat`, `openai-responses`, `anthropic` and `gemini`.",
	},
	{
		TextOfMessages, Error, "messages as text",
		"The layout `messages` gives a list of messages with roles, and the dialect `text` (that of a prompt that names none) is one text. Written as such the roles would be lost.\n\nSay which provider's shape is meant, or let an axis say it:\n\n```yaml\naxes: {dialect: [openai-chat, anthropic]}\ndialect: \"{dialect}\"\n```",
	},
	{
		NotAConversation, Error, "a layout with a source of another kind",
		"`conversation` of the layout `messages` names a source of the kind `conversation`, which renders messages. All other kinds render text, and stand in sections.",
	},
	{
		ConversationAsSection, Error, "a conversation in a section",
		"Sections are the system text. A source of the kind `conversation` is made of messages with roles of their own and cannot be a part of it.\n\n```yaml\nlayout: {name: messages, conversation: chat}\n```",
	},
	{
		ConversationNeeded, Error, "a conversation that may be missing",
		"`absent: omit` leaves a section out where its files are missing. Without its conversation the layout `messages` has nothing to send, so there is nothing that could be left out.\n\nRemove `absent`, or name other files with `fallback` or `else`.",
	},
	{
		SeveralConversations, Error, "several conversations in one variant",
		"A source of the kind `conversation` may have many fixtures, a file each, but every variant is one conversation. Let an axis choose the file.\n\n```yaml\nsources:\n  chat: {kind: conversation, path: \"fixtures/{state}.yaml\"}\n```",
	},
	{
		UnknownAssembly, Error, "unknown assembly",
		"`assembly` of the layout `messages`, with its `{axis}` replaced, is `tiered` (cache tiers with breakpoints, the default) or `flat` (no tiers, no breakpoints).",
	},
	{
		BreakpointElsewhere, Error, "a breakpoint without the layout sequence",
		"`breakpoint` ends a block of the system text behind a section, for providers that keep prefixes. Only the layout `sequence` reads it: under `phases` what is in is decided by measuring, and `messages` puts its breakpoints behind the tiers of its conversation. It would be ignored.",
	},
	{
		NoWorkspace, Error, "a workspace that is not there",
		"`workspace` of a conversation is the folder of the files that it shows. Like all paths it is relative to the manifest, not to the fixture.",
	},
	{
		NotThere, Error, "a fixture names what is not there",
		"A conversation's fixture names a file that its workspace does not have, as `file:` or by its symbols, a block that is not under `symbols`, or a message that the history does not have. Paths are below the workspace and written with `/`; messages are counted from 0.\n\n```yaml\ntiers:\n  L1: [\"symbol:src/app.ts\", \"file:src/index.ts\", \"history:0\", \"history:1\"]\n```",
	},
	{
		BoundTwice, Error, "named in two tiers",
		"Everything in a conversation is shown once. The same file, block or message stands in two tiers, so either place could be meant. Keep one. A file is the same by all the names that links give it.",
	},
	{
		ShownInFull, Note, "left out, since the file is shown elsewhere",
		"A file is shown exactly once, and in full rather than by its symbols. Either a tier names the symbols of a file that is there in full, in a tier or because it is selected: they are left out. Or a selected file is in full in a tier: it is not among the working files. Nothing needs to be done; the fixture reads more plainly with one of the two.",
	},
	{
		StraySymbols, Warning, "symbols of a file that is not there",
		"`symbols` has a block for a path that the workspace does not have, and that no tier names: there it is an error. The block is shown all the same, and the model may ask for a file that does not exist: most often the file was moved, or the path is misspelt.",
	},
	{
		BrokenAlternation, Error, "a history that does not take turns",
		"Models are made for conversations in which the user begins, the two roles take turns, and the assistant's answer comes last before the next question. A tier with symbols or files begins with a message of its own and its acknowledgement, and so do the blocks behind the tiers: what stands next to one has to fit. Messages of the role `system` are not counted.\n\nWhat becomes of a breach depends on the provider: Anthropic's API joins two messages of one role into one, so that what is sent is silently not what was written; Gemini's API, and many servers of OpenAI's chat dialect, answer with status 400.\n\nKeep a question and its answer in one tier; messages are counted from 0. Where none of the dialects in use asks for turns, this is a warning.",
	},
	{
		SystemMidway, Error, "a system message inside the history",
		"Requests of Gemini, and of most models of Anthropic, have one place for what the system says, before the conversation: a message of this role in between cannot be sent. OpenAI's own API takes it; servers that speak its chat dialect may not, which is a warning. Put the text into a section, or say it as the user.",
	},
	{
		HistoryOrder, Note, "messages that are read out of their order",
		"The model reads the history of L0 first, then that of the other tiers, then what is in no tier; within each, by number. Where a tier has a later message than one that comes behind it, the conversation is told out of its order: that may be meant, since what is stable is cached first, but an answer then stands before what it answers. One note a fixture is at the first such key.\n\n```yaml\ntiers:\n  L1: [\"history:2\", \"history:3\"]    # read before 0 and 1, which are in no tier\n```",
	},
	{
		RenderedPattern, Error, "a pattern that does not tell the variants apart",
		"Every variant of a prompt that is rendered elsewhere has its own file, or its own entry of one: each axis stands as `{axis}` in the path or the entry of `rendered` (a listed one may stand in `tools` instead), since two of its values would have the same text otherwise.\n\n```yaml\nlegacy:\n  rendered: \"snaps/{family}-{context}.txt\"\n  axes: {family: auto, context: [basic, full]}\n```\n\nAlso refused is a pattern with so many `{axis}` and `*` side by side that it would take too long to find out how names are split by it: put something between them.",
	},
	{
		RenderedAmbiguous, Error, "a name that splits two ways",
		"The name of a rendered file, or of an entry, can be split by the pattern in more than one way: `a-b-c` by `{x}-{y}` is `x=a,y=b-c` or `x=a-b,y=c`. Nothing is guessed.\n\nList the values of an axis instead of `auto`: a name of which only one split has listed values is that one. Most often one axis is enough; the hint names one whose values are known from the other names. Or rename the files so that what stands between the parts is in no value.",
	},
	{
		RenderedTwice, Error, "two rendered texts for one variant",
		"Two files, or two entries, have the same axis values by the pattern, since a `*` stands for the part in which they differ, or an entry is in its file twice. Which of them is the prompt cannot be known.\n\nLet an axis name the part, write it out, or remove the file that is no longer in use.",
	},
	{
		RenderedMissing, Error, "variants without a rendered file",
		"Where the values of the axes are listed, every variant that is not excluded needs its rendered file, or its entry. These have none: the program that renders them was not run, or no longer renders them. Or no name at all is that of a variant.\n\nRender them, exclude them, or write `auto` for the values, which takes the variants from the files that are there.",
	},
	{
		RenderedUnlisted, Warning, "a rendered file of no variant",
		"The pattern matches this file or entry, but its values are not among those that the axes list, so that nothing reads it: a family was added to the tests and not to the manifest, say, or its old snapshot was left behind. Or its name is like the pattern, which still cannot split it: `a-b` by `{f}-{f}`.\n\nList the value, narrow the pattern, or remove the file.",
	},
	{
		RenderedGap, Note, "combinations without a file are not built",
		"With `auto` the variants are those whose rendered files are there. Some combinations of the values that were found have no file, so that no variant is built of them; or some variants have no file with tools. Nothing has to be done if they are never sent; `exclude` says so and ends the note.",
	},
	{
		RenderedValue, Error, "a part of a name that is no axis value",
		"With `auto` the values of an axis are taken from the names of files. Values are part of variants' names: letters, digits, `.`, `_` and `-`, at most 64, starting with a letter or a digit, not ending in `.`, no device name of Windows.\n\nRename the file, or narrow the pattern so that it is not matched.",
	},
	{
		RenderedEntry, Error, "which entry of a snapshot file is meant",
		"A snapshot file of vitest or jest holds entries by name. Where it has more than one, `entry` says which is the prompt; with `{axis}` it names several variants in one file, and `*` stands for any characters. A file that is no snapshot file has no entries, and no entry may be there twice.\n\n```yaml\nrendered: {path: test/__snapshots__/prompt.test.ts.snap, entry: \"system prompt > {family} 1\"}\n```",
	},
	{
		RenderedNoText, Error, "an entry that is no text",
		"vitest and jest print a text in quotes; this entry of a snapshot file is an object, a list or a number, of which no prompt's bytes can be taken.\n\nLet the test take a snapshot of the text itself: `expect(prompt).toMatchSnapshot()`, where `prompt` is a string.",
	},
	{
		TooManySections, Error, "a text that splits into too many sections",
		"The rendered texts of a prompt split into more than 2,000 sections, or into so many that the variants cannot hold them. What splits them is most probably no heading, tag or rule.\n\nSay where sections begin, with fewer marks or none:\n\n```yaml\nsplit: [headings]     # of headings, tags and rules; [] is one section\n```",
	},
	{
		RenderedSlug, Note, "values that stand for words",
		"With `auto`, what `{axis}` stands for in the name of an entry may be words: `system prompt should name the tools 1` by `system prompt should {case} 1`. The value is an id made of them, `name-the-tools`: letters in lower case and without marks, digits, other letters by their code points, `-` for what is between; two that would be the same are numbered. So variants have names that can be written on a command line and in `exclude`.\n\nList the values to say that they are meant. A listed value is found in the words of which it is the id:\n\n```yaml\nrendered: {path: test/prompt.test.ts.snap, entry: \"system prompt should {case} 1\"}\naxes: {case: [name-the-tools, be-brief]}\n```",
	},
	{
		UnknownPrompt, Error, "unknown prompt in a setting",
		"A row of `checks` is for some `prompts`, and the manifest declares none of this name, so the row would set nothing.",
	},
	{
		IdleExpectation, Warning, "an expectation that no variant is asked for",
		"The condition of an entry of `expect` holds for no variant that is built: `exclude` leaves out all that it names, or it names all values of an axis to leave them out (`{not: [all, of, them]}`). So nothing is ever compared with it, and what it was written to keep can go unseen.\n\nChange the condition, or remove the entry.",
	},
	{
		TooManyUses, Error, "too many uses of sections",
		"Variants times sections, summed over the prompts of the manifest, are more than allowed: 2,000,000, unless the command says otherwise. A prompt with a budget counts once more for every 32 rungs that its sections may step down, or under the layout `phases` for every 32 sections where a join has no white space, and where its layout may drop tools for every section that `needs` some, since each has it laid out again; and all prompts together have at most 100,000 variants. Nothing was expanded, since time and memory grow with this number, and a manifest may come from a stranger. It is said at the axes of the prompt that has the most.\n\nExclude combinations that are never sent, or split the manifest. Where all of them are meant, allow more on the command line; the manifest itself cannot:\n\n```bash\npromptc check --max-uses 5000000\n```",
	},
}
