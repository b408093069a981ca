package diag

// Codes of the stage render.
const (
	SaysNothing           Code = "PC4001" // a source of fields that has none
	EmojiWithoutName      Code = "PC4002" // an identity with an emoji and no name
	UndeclaredPlaceholder Code = "PC4003" // {{name}} that no slot or fragment declares
	SpacedPlaceholder     Code = "PC4004" // {{ name }}
	NestedFragment        Code = "PC4005" // a fragment inside a fragment's value
	OverLimit             Code = "PC4006" // longer than `limit.chars`
	LimitTooSmall         Code = "PC4007" // a limit that cannot hold the line that says what was cut
	CutToLimit            Code = "PC4008" // a text or a listing that a limit shortened
	ConditionNotApplied   Code = "PC4009" // a rule whose paths or globs are not applied
	DuplicateSkill        Code = "PC4010" // two skills of one name in one section
	BrokenLineValue       Code = "PC4011" // a value that would break its one-line list
	BadTemplate           Code = "PC4012" // a style's template that cannot be used
	TemplateField         Code = "PC4013" // a name in a template or a location that the kind does not offer
	RepeatedLabel         Code = "PC4014" // a label of an identity that stands there twice
)

var renderCodes = []Entry{
	{
		Code: SaysNothing, Level: Error, Title: "a source that says nothing",
		Explanation: `The file is there, but none of the fields that its kind prints has a value: they are missing, empty, or still
the placeholders of a template, such as ` + "`_(pick something)_`" + `. A section that is quietly empty looks like a section that works.

Fill in a field, or declare ` + "`absent: omit`" + ` on the source: then a file without values leaves the section out.`,
	},
	{
		Code: EmojiWithoutName, Level: Error, Title: "an emoji without a name",
		Explanation: `An identity's emoji is printed after the name: ` + "`Your name is Momo 🐾.`" + ` There is no sentence for an emoji alone, and
dropping it would be silent.

Give the identity a name, or remove the emoji.`,
	},
	{
		Code: UndeclaredPlaceholder, Level: Error, Title: "a placeholder that nothing declares",
		Explanation: `Text with ` + "`expand: true`" + ` holds ` + "`{{name}}`" + `, and neither ` + "`slots`" + ` nor ` + "`fragments`" + ` has that name. Left as it is, the
model would read the braces.

Declare the slot or the fragment, correct the name, or write ` + "`{{{{name}}}}`" + ` for the characters themselves.`,
	},
	{
		Code: SpacedPlaceholder, Level: Error, Title: "a placeholder with spaces",
		Explanation: "Placeholders have no spaces between their braces: `{{clock}}`, not `{{ clock }}`. The spaced form belongs to other template\n" +
			"languages, and whether it was meant for this one cannot be told.\n\nRemove the spaces, or `expand` from the source.",
	},
	{
		Code: NestedFragment, Level: Error, Title: "a fragment inside a fragment",
		Explanation: `A fragment's value may hold slots, but no other fragment: values are never expanded a second time, so that one look at the
manifest tells what a fragment stands for.

Write the inner text out, or use both fragments side by side in the text.`,
	},
	{
		Code: OverLimit, Level: Error, Title: "longer than its limit",
		Explanation: "The text has more characters (code points) than `limit.chars` allows, and the limit says `over: error`, which is the default.\n\n" +
			"Shorten the file, raise the limit, or declare `over: cut`: then the text is cut and ends with a line that says so. Kinds that are\n" +
			"made of fields or tool definitions are never cut, since half a definition is worse than none.",
	},
	{
		Code: LimitTooSmall, Level: Error, Title: "a limit too small to cut to",
		Explanation: "A text that is cut ends with a line that says so, and that line is charged to the limit. This limit cannot hold the line, so\n" +
			"there is no cut that would be honest.\n\nRaise `limit.chars`.",
	},
	{
		Code: CutToLimit, Level: Note, Title: "cut to a limit",
		Explanation: "A limit with `over: cut` (or one whose kind leaves whole files or names out) took something away. The emitted text says so in a\n" +
			"line of its own, the outline says `cut`, and `promptc explain` shows how much was there, how much is left, and the limit.",
	},
	{
		Code: ConditionNotApplied, Level: Note, Title: "a rule's condition is not applied",
		Explanation: "The rule's front matter says for which files it is meant (`paths`, `globs` or `applyTo`). A prompt is built before anybody knows\n" +
			"which files will be open, so the rule is printed unconditionally.\n\n" +
			"Nothing needs doing where that is what you want. Otherwise leave the rule out of the source's `path`, or use the form `index`, which\n" +
			"lists the rules for the model to open.",
	},
	{
		Code: DuplicateSkill, Level: Error, Title: "two skills of one name",
		Explanation: `Two files of the section declare the same skill name. The model calls a skill by its name, so one of them could never be reached.

Rename one, or narrow the source's ` + "`path`" + `.`,
	},
	{
		Code: BrokenLineValue, Level: Error, Title: "a value that breaks its line",
		Explanation: "Runtime facts are printed on one line as `key=value | key=value`. A value that holds ` | ` or a line break could not be told\n" +
			"from the next fact.\n\nWrite the value without them.",
	},
	{
		Code: BadTemplate, Level: Error, Title: "a template that cannot be used",
		Explanation: "The file of a `style` does not parse, or uses something that templates here do not have. They are written in the syntax of Go's\n" +
			"text/template, with fields, `if`, `with`, `range` over the kind's lists, `define` of the kind's blocks, `and`, `or`, `not` and `xml`.\n" +
			"There are no variables, no other functions and no templates that call templates, so that every template ends.\n\n" +
			"A template must print the whole of what it is given: `{{.Items}}` (or `{{.Body}}`) once, and `{{.Cut}}` where a limit left something out.",
	},
	{
		Code: TemplateField, Level: Error, Title: "an unknown field",
		Explanation: "A template names a field, or a `location` a part in braces, that the kind does not offer there.\n\n" +
			"The hint lists the known ones.",
	},
	{
		Code: RepeatedLabel, Level: Warning, Title: "a label that stands there twice",
		Explanation: `An identity's list has the same label twice. The first one that has a value counts.

Remove the other.`,
	},
}
