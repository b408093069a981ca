package snapshot

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// nameForm says what a name below the snapshot folder can be.
type nameForm int

const (
	foreign   nameForm = iota
	ourFile            // written by a build, or a temporary file that one left
	ourFolder          // may hold such files
)

// folderOfPrompt tells the folders of a prompt: texts, tools, whole variants, and
// what conversations say.
func folderOfPrompt(name string) bool {
	return slices.Contains([]string{"sections", "tools", "full"}, name) ||
		slices.ContainsFunc(prompt.ContentKinds(), func(k prompt.ContentKind) bool { return !alone(k) && k.String() == name })
}

// alone reports whether contents of a kind stand in the prompt's folder itself:
// a workspace has only one.
func alone(k prompt.ContentKind) bool { return k.OfWorkspace() && k.Single() }

// onlyOne reports whether a file of a prompt's folder is such a content. The
// rest of its name tells fixtures apart.
func onlyOne(name string) bool {
	return slices.ContainsFunc(prompt.ContentKinds(), func(k prompt.ContentKind) bool {
		rest, ok := strings.CutPrefix(name, k.String())
		return alone(k) && ok && besides.MatchString(rest)
	})
}

// maxDepth is the deepest folder that is looked into; no build nests deeper.
const maxDepth = 300

var (
	promptName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)
	safeName   = regexp.MustCompile(`^[A-Za-z0-9._~@%=,+-]+$`)
	besides    = regexp.MustCompile(`^(?:[~%][A-Za-z0-9._~%+-]*)?\.txt$`)
	// leftOver is the name that a file has until it is whole:
	// a dot, the name, a number. One stays behind when a build is killed.
	leftOver = regexp.MustCompile(`^\.(.+\.(?:txt|json|md))[0-9]{2,19}$`)
)

// isPrompt tells the folder of a prompt. A last dot of its name is encoded.
func isPrompt(name string) bool { return promptName.MatchString(strings.ReplaceAll(name, "%2E", ".")) }

// formOf tells what an entry is from its path below the snapshot folder. A
// folder that is named like a file is not ours: a build would have encoded its
// name.
func formOf(rel string, dir bool) nameForm {
	segments := strings.Split(rel, "/")
	name := segments[len(segments)-1]
	if strings.HasPrefix(name, ".") && !dir {
		if m := leftOver.FindStringSubmatch(name); m != nil {
			segments[len(segments)-1], name = m[1], m[1]
		}
	}
	if len(segments) > maxDepth || len(segments) > 1 && !isPrompt(segments[0]) {
		return foreign
	}
	ours := false
	switch {
	case len(segments) == 1 && dir:
		ours = isPrompt(name) && promptFolder(name) == name
	case len(segments) == 1:
		ours = name == readmeName
	case len(segments) == 2 && dir:
		ours = folderOfPrompt(name)
	case len(segments) == 2:
		ours = name == "outline.txt" || onlyOne(name)
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

// ownerOf tells from the path of a file in our form what it was made from.
func ownerOf(folder, name string) prompt.Owner {
	names := strings.Split(strings.TrimPrefix(name, folder+"/"), "/")
	if len(names) < 2 {
		return prompt.Owner{}
	}
	bare := func(names []string) string { return strings.TrimSuffix(strings.Join(names, "/"), path.Ext(name)) }
	out := prompt.Owner{Prompt: names[0]}
	switch {
	case leftOver.MatchString(names[len(names)-1]): // an index, as far as anybody can tell
	case names[1] == "sections":
		out.Kind = prompt.OutRendering
		out.Section, out.Item, _ = strings.Cut(bare(names[2:]), "/")
		if out.Item != "" {
			out.Kind = prompt.OutItem
		}
	case names[1] == "tools":
		out.Kind, out.Item = prompt.OutTool, bare(names[2:])
	case names[1] == "full":
		out.Kind, out.Item = prompt.OutFull, bare(names[2:])
	case names[1] == "outline.txt":
		out.Kind = prompt.OutOutline
	default:
		out.Kind, out.Item = prompt.OutContent, bare(names[1:])
	}
	return out
}
