package wording

var diffWords = []row{
	{"prompt", "prompt %q"},
	{"section-of-prompt", "section %q of prompt %q"},
	{"by-from-to", "by %s, from %s to %s"},
	{"with-share", "%s (%.1f %%)"},
	{"grew", "%s grew %s; its budget allows %s"},
	{"grew-in-variants", "%s grew by more than %s in %s, most in %q: %s"},
	{"all-variants", "all %d variants"},
	{"some-variants", "%d of %d variants (%s)"},
	{"locked-limit", "budget.%s of %q is %s; the policy says %s"},
	{"limit-amount", "%d"},
	{"limit-share", "%v%%"},
	{"limit-only-warns", "warn"},
	{"limit-is-an-error", "error"},
	{"not-limited", "not limited"},
	{"over-at-base", "it was over it already at the base, by as much or more"},
	{"limit-is-that-of", "the limit is that of %s"},
	{"over-the-limit", "%s is %s %s, over the limit of %s"},
	{"over-the-limit-in-variants", "%s is over the limit of %s %s in %s, most in %q: %s"},
	{"shorten-or-raise-limit-first", "make it smaller, or raise the limit in a change of its own first"},
	{"shorten-or-raise-limit", "make it smaller, or raise the limit: only the limit of the head counts here"},
}
