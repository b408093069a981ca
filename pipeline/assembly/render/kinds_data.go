package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// identityFields are the fields in the order of their sentences; front matter
// has them in lower case, labels in any.
var identityFields = []string{"Name", "Emoji", "Creature", "Vibe", "Theme"}

// identityBody prints what the agent is, as sentences on one line.
func identityBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	var parts []passage
	for _, doc := range in.Docs {
		if p := b.identity(in, doc); !p.empty() {
			parts = append(parts, p)
		}
	}
	return b.uncut(in, join(parts, "\n\n"))
}

// identity prints one file. A body beside the list is for people.
func (b *bench) identity(in *assembly.Input, doc *language.Doc) passage {
	var data scope
	none := true
	for _, field := range identityFields {
		t := stated(doc.Front.Field(strings.ToLower(field)))
		if l := b.label(doc, field); t.Str == "" {
			t = l
		}
		p := oneLine(b.field(in, t))
		none = none && p.empty()
		data = append(data, passEntry(field, p))
	}
	if none {
		b.saysNothing(in, doc, "has-no-identity")
		return passage{}
	}
	if emoji := data.lookup("Emoji").p; data.lookup("Name").p.empty() && !emoji.empty() {
		b.found = append(b.found, diag.New(diag.EmojiWithoutName, emoji.text.Span(0, len(emoji.text.Str)),
			"emoji-no-name-stand", emoji.text.Str).WithHint("add-name-remove-emoji"))
		data = slices.DeleteFunc(data, func(e entry) bool { return e.name == "Emoji" })
	}
	if !slices.ContainsFunc(data, func(e entry) bool { return !e.p.empty() }) {
		return passage{}
	}
	return b.frame(b.style(in), data)
}

// label gives the value of the first label of a name that has one.
func (b *bench) label(doc *language.Doc, name string) ground.Text {
	var found ground.Text
	for _, l := range doc.Labels {
		if !strings.EqualFold(l.Name.Str, name) {
			continue
		}
		value := present(l.Value)
		if found.Str != "" && value.Str != "" {
			b.found = append(b.found, diag.New(diag.RepeatedLabel, l.Placed,
				"label-stands-again-first", l.Name.Str))
			continue
		}
		if found.Str == "" {
			found = value
		}
	}
	return found
}

// stated gives a front matter value, "" where there is none or only a
// placeholder.
func stated(n *ground.Node) ground.Text {
	if !n.IsScalar() || n.Kind == ground.Null {
		return ground.Text{}
	}
	return present(n.Text)
}

// placeholderForms are how templates for people mark what is to be filled in.
// Translations use the full-width parentheses.
var placeholderForms = []struct{ open, close string }{
	{"_(", ")_"}, {"*(", ")*"}, {"_（", "）_"}, {"*（", "）*"},
}

// present gives a value, "" where it is a placeholder.
func present(t ground.Text) ground.Text {
	s := strings.TrimSpace(t.Str)
	for _, f := range placeholderForms {
		if s == "" || strings.HasPrefix(s, f.open) && strings.HasSuffix(s, f.close) {
			return ground.Text{}
		}
	}
	return t
}

// userBody prints the user's name. The file's other fields are validated and
// not printed.
func userBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	var parts []passage
	for _, doc := range in.Docs {
		name := oneLine(b.field(in, stated(doc.Front.Field("name"))))
		if name.empty() {
			b.saysNothing(in, doc, "has-no-name")
			continue
		}
		parts = append(parts, b.frame(b.style(in), scope{passEntry("Name", name)}))
	}
	return b.uncut(in, join(parts, "\n\n"))
}

// saysNothing reports a file without any of the fields that its kind prints,
// unless the source allows for that.
func (b *bench) saysNothing(in *assembly.Input, doc *language.Doc, key string) {
	if in.Lenient {
		return
	}
	b.found = append(b.found, diag.New(diag.SaysNothing, diag.Whole(doc.File), key, doc.File.Path).
		WithHint("fill-declare-absent-omit"))
}

// The facts of a runtime document, in the order in which they are printed
// (the conformance document, item 6).
var (
	hostFacts = []string{
		"host", "os", "arch", "shell", "provider", "model", "session", "sudo_non_interactive", "sudo_status",
		"timezone", "accept_language", "remote_ip", "location",
	}
	sandboxFacts = []string{"enabled", "mode", "backend", "scope", "image", "workspace_mount", "network"}
)

// factSeparator stands between two facts of a line.
const factSeparator = " | "

// runtimeBody prints the facts of where the agent runs.
func runtimeBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	var parts []passage
	for _, doc := range in.Docs {
		host := b.facts(in, doc.Data.Field("host"), hostFacts)
		sandbox := b.facts(in, doc.Data.Field("sandbox"), sandboxFacts)
		if host.empty() && sandbox.empty() {
			b.saysNothing(in, doc, "has-no-facts")
			continue
		}
		framed := func(host, sandbox passage) passage {
			return b.frame(b.style(in), scope{
				passEntry("Host", host),
				passEntry("Sandbox", sandbox),
				flagEntry("Routing", in.Routing),
				flagEntry("Sandboxed", sandboxed(doc.Data.Field("sandbox"))),
			}).trimOuter()
		}
		p := framed(host, sandbox)
		undo := b.checkpoint()
		p = p.unless(host, framed(passage{}, sandbox))
		p = p.unless(sandbox, framed(host, passage{}))
		undo()
		parts = append(parts, p.unless(join([]passage{host, sandbox}, ""), passage{}))
	}
	return b.uncut(in, join(parts, "\n\n"))
}

// facts gives the keys that have a value as key=value.
func (b *bench) facts(in *assembly.Input, n *ground.Node, keys []string) passage {
	var parts []passage
	for _, key := range keys {
		p := trimmed(b.field(in, scalarText(n.Field(key))))
		if p.empty() || b.brokenLine("value-holds-line-break", key, p.text.Str, n.Field(key).At) {
			continue
		}
		parts = append(parts, b.fact(key, p))
	}
	return join(parts, factSeparator)
}

// fact gives a key with its value. It is optional if all slots of the value are.
func (b *bench) fact(key string, value passage) passage {
	var w writer
	w.literal(key + "=")
	w.write(value)
	var slots []*language.Slot
	for i := range w.slots {
		at := &w.slots[i]
		at.InLine = true
		b.brokenLine("example-holds-line-break", at.Slot.Name.Str, at.Slot.Example.Str, at.Slot.Example.Span(0, len(at.Slot.Example.Str)))
		if at.Slot.Optional {
			slots = append(slots, at.Slot)
		}
	}
	if len(slots) > 0 && len(slots) == len(w.slots) {
		w.part(0, slots)
	}
	return w.passage()
}

// brokenLine reports a value that would end its line of facts, or look like two.
func (b *bench) brokenLine(key, name, value string, at diag.Span) bool {
	broken := strings.Contains(value, factSeparator) || strings.ContainsAny(value, lineBreaks)
	if broken {
		b.found = append(b.found, diag.New(diag.BrokenLineValue, at, key, name, factSeparator).WithHint("facts-stand-line-joined", factSeparator))
	}
	return broken
}

// switchedOff are the words for a sandbox that is not used.
var switchedOff = []struct{ key, value string }{
	{"enabled", "false"}, {"enabled", "no"}, {"enabled", "off"}, {"mode", "off"}, {"mode", "none"},
}

// sandboxed reports whether there is a sandbox that is not switched off.
func sandboxed(n *ground.Node) bool {
	if n == nil || len(n.Fields) == 0 {
		return false
	}
	for _, off := range switchedOff {
		if strings.EqualFold(n.Field(off.key).Scalar(), off.value) {
			return false
		}
	}
	return true
}

// goalBody prints a goal: what is to be reached, how far it is, what was
// decided and which files were touched.
func goalBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	g := in.Goal
	if g == nil {
		return passage{}
	}
	done := 0
	line := func(t ground.Text) passage { return oneLine(b.field(in, t)) }
	var checkpoints, decisions, artifacts []scope
	for i, c := range g.Checkpoints {
		status := c.Status.Str
		if status == "completed" {
			done++
		}
		checkpoints = append(checkpoints, scope{
			// The number stands for the status: it comes from what set that.
			textEntry("Number", derived(strconv.Itoa(i+1), c.Status.At)),
			passEntry("Description", line(c.Description)),
			flagEntry("Completed", status == "completed"), flagEntry("InProgress", status == "in-progress"),
			flagEntry("Pending", status == "pending"), flagEntry("Blocked", status == "blocked"),
		})
	}
	for _, d := range g.Decisions {
		decisions = append(decisions, scope{passEntry("Description", line(d.Description)), flagEntry("Locked", d.Locked)})
	}
	for _, a := range g.Artifacts {
		artifacts = append(artifacts, scope{textEntry("Action", capital(a.Action)), passEntry("Path", line(a.Path))})
	}
	b.progress(done, len(g.Checkpoints))
	return b.frame(b.style(in), scope{
		passEntry("Description", line(g.Description)),
		textEntry("Priority", capital(g.Priority)), textEntry("Status", capital(g.Status)),
		flagEntry("Paused", g.Status.Str == "paused"),
		listEntry("Checkpoints", checkpoints), listEntry("Decisions", decisions), listEntry("Artifacts", artifacts),
	})
}

// progress adds to the checkpoints of the section's goals.
func (b *bench) progress(completed, total int) {
	if total == 0 {
		return
	}
	if b.out.Progress == nil {
		b.out.Progress = &language.Progress{}
	}
	b.out.Progress.Completed += completed
	b.out.Progress.Total += total
}

// capital gives a word with a capital at its start, as something made from
// its place.
func capital(w ground.Word) ground.Text {
	if w.Str == "" {
		return ground.Text{}
	}
	return derived(strings.ToUpper(w.Str[:1])+w.Str[1:], w.At)
}

// registryBody prints the selected prompts of a registry, each as an item of
// its id.
func registryBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	var bodies []fileBody
	var says []*language.Entry
	for _, e := range in.Entries {
		body := b.ready(in, e.Content)
		if body.empty() {
			b.saysNothing(in, e.Doc, "has-no-text-below")
			continue
		}
		says = append(says, e)
		bodies = append(bodies, fileBody{doc: e.Doc, passage: b.eachFile(in, body, e.Doc.File)})
	}
	var pieces []piece
	for i, body := range b.wholeBodies(in, bodies) {
		e := says[i]
		pieces = append(pieces, piece{name: e.ID.Str, file: e.Doc.File, data: scope{
			textEntry("ID", placed(e.ID.Str, e.ID.At)),
			passEntry("Name", oneLine(b.field(in, e.Name))),
			passEntry("Description", oneLine(b.field(in, e.Description))),
			textEntry("Server", placed(e.Server.Str, e.Server.At)),
			passEntry("Body", body.passage),
		}})
	}
	return b.layout(b.style(in), pieces, nil, nil)
}

// recordKeys are what a file of records may hold, one of them.
var recordKeys = []string{"facts", "lessons", "files", "runs"}

// recordFields are the fields of a record that are printed, and what
// templates call them.
var recordFields = []struct{ key, name string }{
	{"text", "Text"}, {"path", "Path"}, {"action", "Action"}, {"task", "Task"}, {"outcome", "Outcome"},
}

// recordsBody prints a line for each record, in the order of the files. The
// records of one file are an item.
func recordsBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	s := b.style(in)
	separator := b.separator(s, nil)
	var w writer
	count := 0
	for _, doc := range in.Docs {
		lines := b.records(in, s, doc)
		if len(lines) == 0 {
			b.saysNothing(in, doc, "has-no-records")
			continue
		}
		count += len(lines)
		var list writer
		for i, line := range lines {
			if i > 0 {
				list.write(separator)
			}
			list.write(line)
		}
		if w.b.Len() > 0 {
			w.write(separator)
		}
		w.item(b.tilde.claim(nameWithout(dataExtensions, doc.File, in.Base)), doc.File, b.eachFile(in, list.passage(), doc.File))
	}
	items := b.wholeSource(in, w.passage())
	if items.empty() {
		return passage{}
	}
	return b.frame(s, scope{passEntry("Items", items), numEntry("Count", count)})
}

// records gives the lines of one file.
func (b *bench) records(in *assembly.Input, s *style, doc *language.Doc) []passage {
	var out []passage
	for _, key := range recordKeys {
		for _, n := range doc.Data.Field(key).List() {
			if data := b.record(in, n); data != nil {
				out = append(out, b.block(s, "item", data))
			}
		}
	}
	return out
}

// record gives the fields of one record; nil where all are empty, which
// fragments may lead to.
func (b *bench) record(in *assembly.Input, n *ground.Node) scope {
	data, says := make(scope, 0, len(recordFields)), false
	for _, f := range recordFields {
		value := n.Field(f.key)
		if n.IsScalar() && f.key == "text" {
			value = n
		}
		p := oneLine(b.field(in, scalarText(value)))
		says = says || !p.empty()
		data = append(data, passEntry(f.name, p))
	}
	if !says {
		return nil
	}
	return data
}
