package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/pathrule"
)

// maxName is the longest file or folder name that is written, in bytes with
// its extension. File systems allow 255; the name of the temporary file that
// becomes it is up to 20 longer, and some encrypting ones allow only 143 less
// than that.
const maxName = 160

// maxRest is the longest path below a section's or the tools' folder, and
// maxRaw the longest name whose folders are kept, both in bytes.
const (
	maxRest = 400
	maxRaw  = 512
)

// encodeNames gives each name of an item or a tool as a path without
// extension. It is reversible as long as nothing is cut: bytes outside
// [A-Za-z0-9._~-] become %XX, "/" makes folders. Also encoded is what some
// file system reads otherwise: the dot of "." and "..", a dot at the end, the
// first letter of a Windows device and of what git refuses, capitals where
// another name differs only in case, and a folder's ending that looks like a
// file of ours.
func encodeNames(names []string) map[string]string {
	spelled := map[string]string{} // by lower-case prefix: its first spelling
	mixed := map[string]bool{}     // lower-case prefixes that have two
	for _, name := range names {
		for _, prefix := range prefixes(name) {
			low := lower(prefix)
			if first, ok := spelled[low]; !ok {
				spelled[low] = prefix
			} else if first != prefix {
				mixed[low] = true
			}
		}
	}
	out := make(map[string]string, len(names))
	for _, name := range names {
		out[name] = encodeName(name, mixed)
	}
	return out
}

// prefixes gives the paths of a name's folders and its own; none for a name
// that is too long to have folders.
func prefixes(name string) []string {
	if len(name) > maxRaw {
		return nil
	}
	var out []string
	for i := range len(name) {
		if name[i] == '/' {
			out = append(out, name[:i])
		}
	}
	return append(out, name)
}

// ItemPaths gives each name as the path that the file of an item of this name has,
// without extension.
func ItemPaths(names []string) map[string]string { return encodeNames(names) }

func encodeName(name string, mixed map[string]bool) string {
	if len(name) > maxRaw {
		return encodeSegment(name[:32], false) + hashed(name)
	}
	var segments []string
	for _, prefix := range prefixes(name) {
		segment := prefix[strings.LastIndexByte(prefix, '/')+1:]
		encoded := encodeSegment(segment, mixed[lower(prefix)])
		if len(prefix) < len(name) {
			encoded = folderName(encoded)
		}
		segments = append(segments, cut(encoded, maxName))
	}
	if whole := strings.Join(segments, "/"); len(whole) <= maxRest {
		return whole
	}
	return cut(segments[0]+"/"+hashed(name), maxRest)
}

const hexDigits = "0123456789ABCDEF"

func encodeSegment(s string, capitals bool) string {
	if s == "" {
		return "%"
	}
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		plain := plainByte(c) && !(capitals && 'A' <= c && c <= 'Z')
		if c == '.' && (i == len(s)-1 || s == "..") || i == 0 && (pathrule.Device(s) || pathrule.Git(s)) {
			plain = false
		}
		if plain {
			b.WriteByte(c)
			continue
		}
		b.WriteString(escaped(c))
	}
	return b.String()
}

// escaped gives a byte as %XX.
func escaped(c byte) string { return string([]byte{'%', hexDigits[c>>4], hexDigits[c&15]}) }

func plainByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '.' || c == '_' || c == '-' || c == '~'
}

// folderName keeps a folder from having the name of a file beside it, which
// always ends in one of our extensions, and from having one that git refuses:
// the rung "1" of the section "git".
func folderName(s string) string {
	if pathrule.Git(s) {
		s = escaped(s[0]) + s[1:]
	}
	for _, ext := range []string{".txt", ".json"} {
		if len(s) >= len(ext) && strings.EqualFold(s[len(s)-len(ext):], ext) {
			return s[:len(s)-len(ext)] + "%2E" + s[len(s)-len(ext)+1:]
		}
	}
	return s
}

// promptFolder gives the folder of a prompt, which must not be named like the
// files beside it.
func promptFolder(id string) string {
	for _, taken := range []string{readmeName, manifestName} {
		if strings.EqualFold(id, taken) {
			return strings.ReplaceAll(id, ".", "%2E")
		}
	}
	return folderName(id)
}

// cut shortens a name that is too long; a hash of the whole stands for the
// rest. No name that is not cut has "%~" in it.
func cut(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	tail := hashed(name)
	return name[:limit-len(tail)] + tail
}

// hashed gives "%~" and the first 16 hex digits of the name's SHA-256.
func hashed(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "%~" + hex.EncodeToString(sum[:8])
}

// fileName joins the parts of a file's path, shortening its last segment to
// what file systems take.
func fileName(stem, ext string) string {
	at := strings.LastIndexByte(stem, '/') + 1
	return stem[:at] + cut(stem[at:], maxName-len(ext)) + ext
}

// freeName gives a path that no file has yet: one that another has already is
// numbered before its extension.
func freeName(taken map[string]bool, at, ext string) string {
	free := at
	for n := 2; taken[lower(free)]; n++ {
		free = fmt.Sprintf("%s%%+%d%s", strings.TrimSuffix(at, ext), n, ext)
	}
	taken[lower(free)] = true
	return free
}

// lower folds the letters that every file system folds; what is beyond ASCII
// is never part of an encoded name.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

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
		slices.ContainsFunc(assembly.ContentKinds(), func(k assembly.ContentKind) bool { return !alone(k) && k.String() == name })
}

// alone reports whether contents of a kind stand in the prompt's folder itself:
// a workspace has only one.
func alone(k assembly.ContentKind) bool { return k.OfWorkspace() && k.Single() }

// onlyOne reports whether a file of a prompt's folder is such a content. The
// rest of its name tells fixtures apart.
func onlyOne(name string) bool {
	return slices.ContainsFunc(assembly.ContentKinds(), func(k assembly.ContentKind) bool {
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
	leftOver = regexp.MustCompile(`^\.(.+\.(?:txt|json|md|sha256))[0-9]{2,19}$`)
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
func ownerOf(folder, name string) assembly.Owner {
	names := strings.Split(strings.TrimPrefix(name, folder+"/"), "/")
	if len(names) < 2 {
		return assembly.Owner{}
	}
	bare := func(names []string) string { return strings.TrimSuffix(strings.Join(names, "/"), path.Ext(name)) }
	out := assembly.Owner{Prompt: names[0]}
	switch {
	case leftOver.MatchString(names[len(names)-1]): // an index, as far as anybody can tell
	case names[1] == "sections":
		out.Kind = assembly.OutRendering
		out.Section, out.Item, _ = strings.Cut(bare(names[2:]), "/")
		if out.Item != "" {
			out.Kind = assembly.OutItem
		}
	case names[1] == "tools":
		out.Kind, out.Item = assembly.OutTool, bare(names[2:])
	case names[1] == "full":
		out.Kind, out.Item = assembly.OutFull, bare(names[2:])
	case names[1] == "outline.txt":
		out.Kind = assembly.OutOutline
	default:
		out.Kind, out.Item, out.Image = assembly.OutContent, bare(names[1:]), names[1] == assembly.ContentImage.String()
	}
	return out
}
