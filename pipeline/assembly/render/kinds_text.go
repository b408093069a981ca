package render

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// textBody prints bodies in path order, joined by a blank line.
func textBody(b *bench, group []*assembly.Input) passage {
	p := b.fileBodies(group[0], fileName)
	p.items = nil
	return p
}

// fileBodies gives the bodies of an input's files as items, within its limit.
func (b *bench) fileBodies(in *assembly.Input, name func(*diag.File, string) string) passage {
	var w writer
	for i, body := range b.bodies(in) {
		if i > 0 {
			w.literal("\n\n")
		}
		if body.doc == nil {
			w.write(body.passage)
			continue
		}
		w.item(name(body.doc.File, in.Base), body.doc.File, body.passage)
	}
	return b.wholeSource(in, w.passage())
}

// fileBody is the text of one file, or inline text where doc is nil.
type fileBody struct {
	doc *language.Doc
	passage
}

// bodies gives the texts of an input that say something, in path order:
// expanded, and each within a limit that counts by file.
func (b *bench) bodies(in *assembly.Input) []fileBody {
	var out []fileBody
	if inline := b.ready(in, in.Text); !inline.empty() {
		out = append(out, fileBody{passage: b.eachFile(in, inline, nil)})
	}
	for _, doc := range in.Docs {
		if p := b.ready(in, doc.Body); !p.empty() {
			out = append(out, fileBody{doc: doc, passage: b.eachFile(in, p, doc.File)})
		}
	}
	return out
}

// ready gives a text expanded where its input is, without outer blank lines.
func (b *bench) ready(in *assembly.Input, t ground.Text) passage {
	return b.field(in, t).trimOuter()
}

func (b *bench) eachFile(in *assembly.Input, p passage, file *diag.File) passage {
	if in.Limit == nil || in.Limit.PerSource {
		return p
	}
	return b.limited(in, p, file)
}

// wholeSource applies a limit that counts by source to what its files say.
func (b *bench) wholeSource(in *assembly.Input, p passage) passage {
	if in.Limit == nil || !in.Limit.PerSource {
		return p
	}
	var file *diag.File
	if len(in.Docs) == 1 {
		file = in.Docs[0].File
	}
	return b.limited(in, p, file)
}

// soulBody prints the file's text, or the built-in soul where the source says
// `absent: default` and there is no file. A file that says nothing means no
// soul.
func soulBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	p := b.fileBodies(in, fileName)
	p.items = nil
	if in.Origin == assembly.FromBuiltIn {
		// promptc ships the file, so it is there.
		text, _ := builtIn.ReadFile("styles/soul.md")
		p = b.wholeSource(in, b.eachFile(in, words(strings.TrimSpace(string(text))), nil))
	}
	if p.empty() {
		return p
	}
	return b.frame(b.style(in), scope{passEntry("Body", p)})
}

// rulesBody prints the rules' texts, or in the form index a line for each.
func rulesBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	if in.Form == "index" {
		return b.rulesIndex(in)
	}
	if b.unit.Section == nil || b.unit.Section.When == nil { // else the manifest says when
		for _, doc := range in.Docs {
			b.condition(doc)
		}
	}
	return b.fileBodies(in, func(f *diag.File, base string) string { return b.tilde.claim(fileName(f, base)) })
}

// rulesIndex lists the rules for the model to open. Their texts are not in
// it, so it has no items and no condition is passed over. A path stands for
// its file, so that a rule without a description has a place, too.
func (b *bench) rulesIndex(in *assembly.Input) passage {
	var pieces []piece
	for _, doc := range in.Docs {
		pieces = append(pieces, piece{data: scope{
			textEntry("Path", derived(doc.File.Path, diag.Whole(doc.File))),
			passEntry("Description", oneLine(b.field(in, scalarText(doc.Front.Field("description"))))),
		}})
	}
	return b.uncut(in, b.layout(b.style(in), pieces, nil, nil))
}

// subagentsBody prints what subagents are told, or in the form listing a line for each, by
// which another agent chooses.
func subagentsBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	if in.Form != "listing" {
		return b.fileBodies(in, func(f *diag.File, base string) string { return b.tilde.claim(fileName(f, base)) })
	}
	var pieces []piece
	for _, doc := range in.Docs {
		name := scalarText(doc.Front.Field("name"))
		if strings.TrimSpace(name.Str) == "" { // as the programs do that ask for no name
			stem, _, _ := strings.Cut(path.Base(doc.File.Path), ".")
			name = derived(stem, diag.Whole(doc.File))
		}
		pieces = append(pieces, piece{data: scope{
			passEntry("Name", oneLine(b.field(in, name))),
			passEntry("Description", oneLine(b.field(in, scalarText(doc.Front.Field("description"))))),
		}})
	}
	return b.uncut(in, b.layout(b.style(in), pieces, nil, nil))
}

// conditionFields are the front matter keys by which tools decide when a rule
// applies.
var conditionFields = []string{"paths", "globs", "applyTo"}

// everywhere are the globs that are no condition.
var everywhere = []string{"", "*", "**", "**/*"}

// condition notes a rule that is meant for some files only. Cursor's
// alwaysApply overrules its globs.
func (b *bench) condition(doc *language.Doc) {
	if doc.Front.Field("alwaysApply").IsTrue() {
		return
	}
	for _, key := range conditionFields {
		n := doc.Front.Field(key)
		if n == nil || unconditional(n) {
			continue
		}
		b.mark(assembly.Conditional)
		b.found = append(b.found, diag.New(diag.ConditionNotApplied, n.At,
			"condition-rule-not-applied", key, doc.File.Path))
		return
	}
}

// unconditional reports whether one of the globs is for every file: then the
// others are no condition either.
func unconditional(n *ground.Node) bool {
	if n.Kind == ground.Null {
		return true
	}
	var globs []string
	if n.IsScalar() {
		globs = strings.Split(n.Scalar(), ",")
	}
	for _, item := range n.Items {
		globs = append(globs, item.Scalar())
	}
	for _, g := range globs {
		for _, e := range everywhere {
			if strings.TrimSpace(g) == e && (e != "" || len(globs) == 1) {
				return true
			}
		}
	}
	return len(globs) == 0
}

// contextBody prints project files, outermost first, each under its path as
// seen from the root. A limit leaves whole files out, outermost first.
func contextBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	var files []fileBody
	for _, doc := range in.Docs {
		if p := b.ready(in, doc.Body); strings.TrimSpace(p.text.Str) != "" {
			files = append(files, fileBody{doc: doc, passage: p})
		}
	}
	undo := b.checkpoint()
	whole := b.contextFiles(in, nil, files)
	if in.Limit == nil || whole.runes() <= in.Limit.Chars {
		return whole
	}
	if in.Limit.Refuse {
		file := files[len(files)-1].doc.File
		b.overLimit(in, nil, in.At, whole.runes(), diag.Say("shorten-files-or-raise", file.Path))
		return whole
	}
	undo()
	return b.fewerFiles(in, files)
}

// contextFiles prints the files but those that are out, and a line that names
// the latter.
func (b *bench) contextFiles(in *assembly.Input, out []int, files []fileBody) passage {
	var pieces []piece
	var names []string
	for i, f := range files {
		if slices.Contains(out, i) {
			names = append(names, relative(f.doc.File.Path, in.Base))
			continue
		}
		pieces = append(pieces, piece{name: fileName(f.doc.File, in.Base), file: f.doc.File, data: scope{
			textEntry("Path", ground.Literal(relative(f.doc.File.Path, in.Base))),
			passEntry("Body", f.passage),
		}})
	}
	s := b.style(in)
	var cut passage
	if len(out) > 0 {
		cut = b.block(s, "cut", scope{
			textEntry("Files", ground.Literal(strings.Join(names, ", "))), numEntry("Limit", in.Limit.Chars),
		})
	}
	return b.layout(s, pieces, nil, scope{passEntry("Cut", cut)})
}

// outermost gives the files in the order in which a limit leaves them out:
// by the depth of the folder that they speak for, in one folder as printed.
func outermost(in *assembly.Input, files []fileBody) []int {
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return folderDepth(relative(files[a].doc.File.Path, in.Base)) - folderDepth(relative(files[b].doc.File.Path, in.Base))
	})
	return order
}

// folderDepth counts the folders above a file; a rule speaks for the folder
// that its .claude/rules is in.
func folderDepth(file string) int {
	if i := strings.LastIndex("/"+file, "/.claude/rules/"); i >= 0 {
		file = ("/" + file)[1:max(1, i+1)]
	}
	return strings.Count(file, "/")
}

// fewerFiles leaves out as few files as the limit asks for, from the
// outermost on. The last, which is the most specific, stays: if it alone is
// too long, `over` decides.
func (b *bench) fewerFiles(in *assembly.Input, files []fileBody) passage {
	order := outermost(in, files)
	limit, last := in.Limit.Chars, len(files)-1
	undo := b.checkpoint()
	// What a file takes is more than its name in the line, so the length
	// shrinks with every file left out, and halving finds the fewest.
	low, high := min(1, last), last
	for low < high {
		mid := (low + high) / 2
		if b.contextFiles(in, order[:mid], files).runes() <= limit {
			high = mid
		} else {
			low = mid + 1
		}
		undo()
	}
	for _, i := range order[:low] {
		b.recordCut(in, files[i].doc.File, files[i].runes(), 0)
	}
	undo = b.checkpoint()
	p := b.contextFiles(in, order[:low], files)
	over := p.runes() - limit
	if over <= 0 {
		return p
	}
	kept := order[last]
	file := files[kept].doc.File
	if !in.Limit.Cut {
		b.overLimit(in, file, diag.Whole(file), p.runes(), diag.Say("shorten-raise-or-cut"))
		return p
	}
	undo()
	body := files[kept].passage
	files[kept].passage = b.cutTo(in, body, file, body.runes()-over, b.styles.named("any", "default"))
	return b.contextFiles(in, order[:low], files)
}

// workspaceOrder are the files that come first, in this order.
var workspaceOrder = []string{"AGENTS.md", "TOOLS.md"}

// workspaceBody prints workspace files, each under its name.
func workspaceBody(b *bench, group []*assembly.Input) passage {
	in := group[0]
	files := b.bodies(in)
	rank := func(f fileBody) int {
		if i := slices.Index(workspaceOrder, baseName(f)); i >= 0 {
			return i
		}
		return len(workspaceOrder)
	}
	slices.SortStableFunc(files, func(x, y fileBody) int { return cmp.Compare(rank(x), rank(y)) })
	var pieces []piece
	for _, f := range b.wholeBodies(in, files) {
		if f.doc == nil {
			continue // reported: the kind takes no inline text
		}
		pieces = append(pieces, piece{name: fileName(f.doc.File, in.Base), file: f.doc.File, data: scope{
			textEntry("Name", ground.Literal(baseName(f))),
			textEntry("Path", ground.Literal(f.doc.File.Path)),
			passEntry("Body", f.passage),
		}})
	}
	return b.layout(b.style(in), pieces, nil, nil)
}

func baseName(f fileBody) string {
	if f.doc == nil {
		return ""
	}
	return path.Base(f.doc.File.Path)
}

// skillsBody lists skills, in path order: with descriptions, without, or by
// name alone.
func skillsBody(b *bench, group []*assembly.Input) passage {
	first := group[0]
	var pieces []piece
	seen := map[string]diag.Span{}
	for _, in := range group {
		for _, doc := range in.Docs {
			pieces = append(pieces, b.skill(in, doc, seen))
		}
	}
	s, flags := b.style(first), flagsOf(first)
	undo := b.checkpoint()
	whole := b.layout(s, pieces, flags, nil)
	if first.Limit == nil || whole.runes() <= first.Limit.Chars {
		return whole
	}
	if first.Form != "names" && !first.Limit.Cut {
		b.overLimit(first, nil, limitPlace(first), whole.runes(),
			diag.Say("shorten-descriptions"))
		return whole
	}
	undo()
	return b.fewerSkills(first, s, flags, pieces)
}

// fewerSkills lists as many skills as fit, and says how many there are.
func (b *bench) fewerSkills(in *assembly.Input, s *style, flags scope, pieces []piece) passage {
	list := func(n int) passage {
		cut := b.block(s, "cut", joined(scope{
			numEntry("Shown", n), numEntry("Total", len(pieces)), numEntry("Limit", in.Limit.Chars),
		}, flags))
		return b.layout(s, pieces[:n], flags, scope{passEntry("Cut", cut)})
	}
	undo := b.checkpoint()
	// The length grows with every skill, so halving finds the most that fit.
	low, high := 0, len(pieces)-1
	for low < high {
		mid := (low + high + 1) / 2
		if list(mid).runes() <= in.Limit.Chars {
			low = mid
		} else {
			high = mid - 1
		}
		undo()
	}
	if low == 0 {
		b.limitTooSmall(in)
		return passage{}
	}
	for _, p := range pieces[low:] {
		b.recordCut(in, p.file, b.block(s, "item", joined(p.data, flags)).runes(), 0)
	}
	return list(low)
}

// skill gives the piece of one file.
func (b *bench) skill(in *assembly.Input, doc *language.Doc, seen map[string]diag.Span) piece {
	name := oneLine(b.field(in, scalarText(doc.Front.Field("name"))))
	word := name.text.Str
	at := name.text.Span(0, len(word))
	if before, twice := seen[word]; twice {
		d := diag.New(diag.DuplicateSkill, at, "skill-name-declared-twice", word)
		if before.Known() {
			d = d.WithHint("other-rename", before.File.Path)
		}
		b.found = append(b.found, d)
	} else {
		seen[word] = at
	}
	p := piece{file: doc.File, data: scope{
		passEntry("Name", name),
		passEntry("Description", b.field(in, scalarText(doc.Front.Field("description"))).trimOuter()),
		passEntry("Path", oneLine(b.location(in, doc, name))),
	}}
	if in.Form != "names" {
		p.name = word
	}
	return p
}

func scalarText(n *ground.Node) ground.Text {
	if !n.IsScalar() || n.Kind == ground.Null {
		return ground.Text{}
	}
	return n.Text
}

var locationPart = regexp.MustCompile(`\{([A-Za-z0-9_.-]*)\}`)

// location gives where a skill is to be found: its path, or the source's
// `location` with {name} and {path} filled in.
func (b *bench) location(in *assembly.Input, doc *language.Doc, name passage) passage {
	if in.Location.Str == "" {
		return words(doc.File.Path)
	}
	parts := []struct {
		name string
		with passage
	}{{"name", name}, {"path", words(doc.File.Path)}}
	var edits []edit
	for _, m := range locationPart.FindAllStringSubmatchIndex(in.Location.Str, -1) {
		word, known := in.Location.Str[m[2]:m[3]], false
		for _, part := range parts {
			if part.name == word {
				known = true
				edits = append(edits, edit{start: m[0], end: m[1], with: &part.with})
			}
		}
		if !known {
			b.found = append(b.found, diag.New(diag.TemplateField, in.Location.Span(m[0], m[1]),
				"location-names-unknown-part", "{"+word+"}").WithHint("known-name-path"))
		}
	}
	return plain(in.Location).edited(edits)
}
