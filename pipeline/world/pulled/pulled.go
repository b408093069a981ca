// Package pulled makes files of what an MCP server offers: one of canonical JSON for
// each tool, prompt and template of resources, its instructions, and a lock that
// records what they came from. It is pure.
package pulled

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Listing is what a server offers, read as JSON.
type Listing struct {
	Entry *language.Server
	// Protocol is the version of the protocol that was agreed on.
	Protocol string
	// Hello is the server's answer to initialize.
	Hello *ground.Node
	// Tools, Prompts and Resources are its items; resources are templates.
	Tools, Prompts, Resources []*ground.Node
	// Packages are those of the lock file where the server starts.
	Packages []language.Package
}

// first are the keys that an item's file begins with.
var first = []string{"name", "title", "uriTemplate", "description", "inputSchema", "outputSchema", "annotations"}

// The names of the files that a server has only one of.
const (
	LockName         = "lock.json"
	InstructionsName = "instructions.md"
)

// Files gives the files below a server's folder by their names, with their texts.
// spell gives each name of an item as a path without extension.
func Files(l Listing, spell func(names []string) map[string]string) (map[string]string, error) {
	out := map[string]string{}
	for _, list := range []struct {
		folder string
		items  []*ground.Node
	}{{"tools", l.Tools}, {"prompts", l.Prompts}, {"resources", l.Resources}} {
		names, err := names(l, list.folder, list.items)
		if err != nil {
			return nil, err
		}
		spelled := spell(names)
		for i, n := range list.items {
			out[list.folder+"/"+spelled[names[i]]+".json"] = canon.Object(withoutPictures(n), first) + "\n"
		}
	}
	if text := l.Hello.Field("instructions").Scalar(); strings.TrimSpace(text) != "" {
		out[InstructionsName] = strings.TrimRight(text, "\n") + "\n"
	}
	out[LockName] = lock(l, out)
	return out, nil
}

// names gives the names of the items of a list, each of them once. Templates of
// resources may share a name: then they are called by their URI.
func names(l Listing, folder string, items []*ground.Node) ([]string, error) {
	out, err := namesBy("name", l, folder, items)
	if err != nil && folder == "resources" {
		out, err = namesBy("uriTemplate", l, folder, items)
	}
	return out, err
}

func namesBy(key string, l Listing, folder string, items []*ground.Node) ([]string, error) {
	var out []string
	for i, n := range items {
		name := n.Field(key)
		if name == nil || name.Kind != ground.String || name.Text.Str == "" {
			return nil, diag.Fail("pulled-without-name", l.Entry.Name.Str, i+1, folder, key)
		}
		if slices.Contains(out, name.Text.Str) {
			return nil, diag.Fail("pulled-twice", l.Entry.Name.Str, folder, name.Text.Str)
		}
		out = append(out, name.Text.Str)
	}
	return out, nil
}

// withoutPictures gives an item with the SHA-256 of its icons instead of pictures
// in it, which nobody reviews as text.
func withoutPictures(n *ground.Node) *ground.Node {
	icons := n.Field("icons")
	if icons == nil || icons.Kind != ground.Sequence {
		return n
	}
	folded := &ground.Node{Kind: ground.Sequence}
	for _, icon := range icons.Items {
		folded.Items = append(folded.Items, with(icon, "src", fold(icon.Field("src"))))
	}
	return with(n, "icons", folded)
}

// fold gives a picture that is written out as its SHA-256.
func fold(src *ground.Node) *ground.Node {
	kind, data, ok := strings.Cut(src.Scalar(), ",")
	if !ok || !strings.HasPrefix(kind, "data:") {
		return src
	}
	return text(kind + ",sha256:" + sum(data))
}

// with gives a mapping with another value of a key that it has.
func with(n *ground.Node, key string, value *ground.Node) *ground.Node {
	if n.Field(key) == nil {
		return n
	}
	out := *n
	out.Fields = slices.Clone(n.Fields)
	for i := range out.Fields {
		if out.Fields[i].Key == key {
			out.Fields[i].Value = value
		}
	}
	return &out
}

// lock records what the files came from: the entry as it is written, so that no
// value of a variable is in it, with keys masked, and no time, so that nothing changes by itself.
func lock(l Listing, files map[string]string) string {
	e := l.Entry
	server := mapping("command", word(e.Command), "args", list(e.Args), "env", keys(e.Env), "url", word(e.URL), "headers", keys(e.Headers))
	info := l.Hello.Field("serverInfo")
	sums := &ground.Node{Kind: ground.Mapping}
	for name, content := range files {
		sums.Fields = append(sums.Fields, ground.Field{Key: name, Value: text(sum(content))}) // sorted when written
	}
	return canon.Object(mapping(
		"server", server, "package", locked(l), "protocol", text(l.Protocol), "capabilities", &ground.Node{Kind: ground.Mapping},
		"name", info.Field("name"), "version", info.Field("version"), "sha256", sums,
	), []string{"server", "package", "protocol", "capabilities", "name", "version", "sha256"}) + "\n"
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

// mapping makes a mapping of keys and values by turns, without those that are nil.
func mapping(parts ...any) *ground.Node {
	out := &ground.Node{Kind: ground.Mapping}
	for i := 0; i+1 < len(parts); i += 2 {
		key, _ := parts[i].(string)
		if value, _ := parts[i+1].(*ground.Node); value != nil {
			out.Fields = append(out.Fields, ground.Field{Key: key, Value: value})
		}
	}
	return out
}

func text(s string) *ground.Node { return &ground.Node{Kind: ground.String, Text: ground.Literal(s)} }

func word(w ground.Word) *ground.Node {
	if w.Str == "" {
		return nil
	}
	return text(secret.Mask(w.Str))
}

func list(words []ground.Word) *ground.Node {
	if words == nil {
		return nil
	}
	out := &ground.Node{Kind: ground.Sequence}
	for _, w := range words {
		out.Items = append(out.Items, text(secret.Mask(w.Str)))
	}
	return out
}

// keys gives the names alone: the values may be secrets.
func keys(all []language.NamedValue) *ground.Node {
	var names []ground.Word
	for _, v := range all {
		names = append(names, v.Name)
	}
	return list(names)
}
