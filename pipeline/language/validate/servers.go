package validate

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// serversRef is the schema of the file in which programs that run agents name
// servers.
const serversRef = "mcp"

// Servers gives the servers that a manifest names and those that the file .mcp.json
// does, which may be nil, and the sources that pull from one, with everything that
// is wrong with them. A server that both name is refused.
func Servers(tree *language.Tree, file *ground.Node) ([]*language.Server, []*language.Source, diag.List) {
	spec, found := manifest(tree)
	if found.HasErrors() {
		return nil, nil, found.Sorted()
	}
	servers, d := spec.Servers, decoder{}
	if file != nil {
		found = append(found, checked(serversRef, file)...)
		others := decoder{}
		servers = slices.Concat(servers, others.servers(file.Field("mcpServers")))
		for _, f := range others.found { // the names are made for other programs
			f.Level = diag.Warning
			found = append(found, f)
		}
	}
	names := newDistinct()
	for _, s := range servers {
		d.found = append(d.found, names.once(s.Name)...)
	}
	pulled := slices.DeleteFunc(slices.Clone(spec.Sources), func(s *language.Source) bool { return s.Pull.Str == "" })
	return servers, pulled, append(found, d.found...).Sorted()
}

// servers decodes a mapping of servers by name. A name is that of a folder.
func (d *decoder) servers(n *ground.Node) []*language.Server {
	var out []*language.Server
	var names []ground.Word
	for _, f := range n.Entries() {
		s := &language.Server{Name: ground.Word{Str: f.Key, At: f.KeyAt}}
		before := len(d.found)
		if d.name(s.Name, isName(s.Name.Str), "rule-of-servers"); len(d.found) > before {
			continue
		}
		s.Command, _ = d.word(f.Value.Field("command"))
		s.URL, _ = d.word(f.Value.Field("url"))
		for _, item := range f.Value.Field("args").List() {
			arg, _ := d.word(item)
			s.Args = append(s.Args, arg)
		}
		s.Type, _ = d.word(f.Value.Field("type"))
		s.Env, s.Headers = d.named(f.Value.Field("env")), d.named(f.Value.Field("headers"))
		for _, key := range []struct{ without, with string }{{"command", "args"}, {"command", "env"}, {"url", "headers"}} {
			if n := f.Value.Field(key.with); n != nil && f.Value.Field(key.without) == nil {
				d.found = append(d.found, diag.New(diag.OneOfKeys, n.At, "server-key-without", f.Key, key.with, key.without).WithHint("remove"))
			}
		}
		out, names = append(out, s), append(names, s.Name)
	}
	d.sameButCase(names)
	return out
}

// named decodes a mapping of texts.
func (d *decoder) named(n *ground.Node) []language.NamedValue {
	var out []language.NamedValue
	for _, f := range n.Entries() {
		value, _ := d.word(f.Value)
		out = append(out, language.NamedValue{Name: ground.Word{Str: f.Key, At: f.KeyAt}, Value: value})
	}
	return out
}

// leftOut makes of what is wrong with a tool that was pulled why it is left out: a
// server that somebody else runs does not end every command.
func leftOut(server string, found diag.List) diag.List {
	for i, f := range found {
		if f.Level != diag.Error {
			continue
		}
		out := diag.New(diag.PulledToolRefused, f.Span, "pulled-tool-left-out", server, f.What).WithHint("pulled-tool-tell")
		out.Detail = f.Detail
		found[i] = out
	}
	return found
}
