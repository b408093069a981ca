package main

import (
	"os"
	"path/filepath"
)

// gitWorld is the environment in which tests run git: nobody's configuration,
// and one name and time for all commits, so that their ids are always the same.
// A repository above the folder is none of the tests'.
func gitWorld(folder string) []string {
	return []string{
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CEILING_DIRECTORIES=" + filepath.Dir(folder),
		"GIT_TEMPLATE_DIR=", // no samples of hooks, a dozen files in each repository
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE=1767225600 +0000",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_COMMITTER_DATE=1767225600 +0000",
	}
}
