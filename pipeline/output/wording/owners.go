package wording

var ownersWords = []row{
	{"owners-not-read", "%s %s: nobody owns anything"},
	{"owners-too-large", "%s is larger than 3 MB, which GitHub does not read: nobody owns anything"},
	{"owners-line-no-text", "skipped: the line holds control characters, or bytes that are not UTF-8"},
	{"owners-pattern-negated", "skipped: GitHub takes no pattern with ! in front: %q"},
	{"owners-pattern-hash", "skipped: GitHub takes no pattern that starts with #: %q"},
	{"owners-pattern-class", "skipped: GitHub takes no [ ] in a pattern: %q"},
	{"owners-pattern-nothing", "skipped: the pattern %q fits no file"},
	{"owners-pattern-broken", "skipped: the pattern %q cannot be read"},
	{"no-owner-github", "skipped: %q is not a @user, an @org/team or an address"},
	{"no-owner-gitlab", "%q is not a @user, a @group, a @@role or an address: promptc takes the other names of the line"},
	{"gitlab-owners-place", "promptc applies GitLab's rules to .gitlab/CODEOWNERS and to files with sections"},
	{"more-owners-lines", "skipped: %d more lines or names, from here on"},
}
