package wording

var bindWords = []row{
	{"same-identifier", "%q and %q are both %s in %s"},
	{"name-otherwise", "give one of them another name: bindings: {names: {\"%s\": NAME}}"},
	{"names-nothing", "%q names no prompt, axis, value or slot that generated code has"},
	{"names-things", "a prompt is PROMPT, an axis PROMPT/AXIS, a value PROMPT/AXIS=VALUE, a slot PROMPT/{{SLOT}}"},
}
