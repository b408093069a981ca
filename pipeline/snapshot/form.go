package snapshot

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// entryForm says what a name below the snapshot folder can be.
type entryForm int

const (
	foreign   entryForm = iota
	ourFile             // written by a build, or a temporary file that one left
	ourFolder           // may hold such files
)

// promptFolders are the folders in a prompt's own: texts, tools, whole
// variants, and what conversations say.
var promptFolders = []string{
	"sections", "tools", "full",
	"files", "symbols", "history", "urls", "review", "prompt", imageFolder,
}

// maxDepth is the deepest folder that is looked into; no build nests deeper.
const maxDepth = 300

var (
	promptName = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9._-]|%2E)*$`)
	safeName   = regexp.MustCompile(`^[A-Za-z0-9._~@%=,+-]+$`)
	// onlyOne is the name of a content that a workspace has but one of.
	onlyOne = regexp.MustCompile(`^(?:legend|tree)(?:[~%][A-Za-z0-9._~%+-]*)?\.txt$`)
	// leftOver is the name that renameio gives to a file until it is whole:
	// a dot, the name, a number. One stays behind when a build is killed.
	leftOver = regexp.MustCompile(`^\.(.+\.(?:txt|json|md))[0-9]{1,19}$`)
)

// formOf tells what an entry is from its path below the snapshot folder. A
// folder that is named like a file is not ours: a build would have encoded its
// name.
func formOf(rel string, dir bool) entryForm {
	segments := strings.Split(rel, "/")
	name := segments[len(segments)-1]
	if m := leftOver.FindStringSubmatch(name); m != nil && !dir {
		segments[len(segments)-1], name = m[1], m[1]
	}
	if len(segments) > maxDepth || len(segments) > 1 && !promptName.MatchString(segments[0]) {
		return foreign
	}
	ours := false
	switch {
	case len(segments) == 1 && dir:
		ours = promptName.MatchString(name) && promptFolder(name) == name
	case len(segments) == 1:
		ours = name == readmeName
	case len(segments) == 2 && dir:
		ours = slices.Contains(promptFolders, name)
	case len(segments) == 2:
		ours = name == "outline.txt" || onlyOne.MatchString(name)
	case dir:
		ours = segments[1] != "full" && safeName.MatchString(name) && folderName(name) == name
	default:
		ours = slices.Contains(extensionsIn(segments[1]), path.Ext(name)) && safeName.MatchString(name)
	}
	switch {
	case !ours:
		return foreign
	case dir:
		return ourFolder
	default:
		return ourFile
	}
}

// extensionsIn gives what file names in a prompt's folder end in.
func extensionsIn(folder string) []string {
	switch folder {
	case "tools":
		return []string{".json"}
	case "full":
		return []string{".txt", ".json"}
	default:
		return []string{".txt"}
	}
}
