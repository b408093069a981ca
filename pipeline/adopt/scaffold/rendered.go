package scaffold

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// Legacy is a prompt that another program assembles: where its texts are, and
// which axes their names tell apart.
type Legacy struct {
	ID          string
	Path, Entry string
	// Pointer leads to the texts in files of data, and Template is the language that the
	// texts are templates of; "" for none.
	Pointer, Template string
	// Symbols lead to the texts in a file of code; nil for no code.
	Symbols []string
	// Tokens are those of its largest variant, 0 where nobody counted them.
	Tokens int
	// From are patterns of the files that the texts are made from.
	From []string
	// Tools are the patterns of the files with the tools that go beside the texts.
	Tools []string
	Axes  []Axis
	// Exclude are the variants that are left out, as values in the order of Axes,
	// "" for any.
	Exclude [][]string

	// Toolset are the patterns of the files with the tools of a prompt that has no
	// text; nil for one with texts.
	Toolset []string

	beside []string // the files of Tools

	open    bool // names that come later may have other values
	loose   bool // with any values files may be read that nobody asked for
	unasked bool // some of Exclude are such files

	parent, keys int // how many folders around its file its id names, and keys beside the last

	nth   int        // of the toolsets of a folder, from 1 on
	files []string   // that it takes
	rows  [][]string // by text: its values in the order of Axes, as names have them
}

// Axis is a part in which names differ.
type Axis struct {
	Name string
	// Values are listed where names could be split in other ways, too; nil says
	// that they are found in the names.
	Values []string
	beside bool // with any value files may be read that nobody asked for
}

// Takes gives the paths of the files with the prompt's texts.
func (l *Legacy) Takes() []string { return l.files }

// Loose gives the patterns that may match files that nobody asked for.
func (l *Legacy) Loose() []string {
	var out []string
	if l.loose {
		out = append(out, l.Path)
	}
	if l.loose || l.open {
		out = append(out, l.Tools...)
	}
	return out
}

// InputFolders are those that may hold what the texts are made from: `prompts` and
// `templates` beside the texts, or beside the folders of tests that they lie in.
func (l *Legacy) InputFolders() []string {
	dir := l.Path
	if i := strings.IndexAny(dir, "{*"); i >= 0 {
		dir = dir[:i]
	}
	dir = path.Dir(dir)
	for dir != "." && slices.Contains(noWords, slug(path.Base(dir))) && path.Base(dir) != "src" {
		dir = path.Dir(dir)
	}
	var out []string
	for _, name := range []string{"prompts", "templates"} {
		folder := path.Join(dir, name)
		if !slices.ContainsFunc(l.files, func(f string) bool { return strings.HasPrefix(f, folder+"/") }) {
			out = append(out, folder)
		}
	}
	return out
}

// Rendered writes the manifest of a project that has these prompts.
func Rendered(prompts []*Legacy) *Written {
	var b writer
	b.WriteString(strings.ReplaceAll(read("rendered.yaml"), "@manual@", manualURL))
	writeSources(&b, prompts)
	b.WriteString("prompts:\n")
	b.about(nil)
	for i, l := range prompts {
		if i > 0 {
			b.WriteString("\n")
		}
		l.write(&b)
		b.about(l.files)
	}
	return b.written()
}

func (l *Legacy) write(b *writer) {
	b.printf("  %s:\n", scalar(l.ID))
	if l.Toolset != nil {
		b.printf("    sections:\n      - {id: tools, source: %s, form: schemas}\n", scalar(l.ID))
		b.WriteString("    # budget: {tool_tokens: 8000}\n")
		return
	}
	l.writeRendered(b)
	if len(l.Tools) > 0 {
		tools := quote(l.Tools[0])
		if len(l.Tools) > 1 {
			tools = list("    tools: [", l.Tools, quote)
		}
		b.printf("    tools: %s\n", tools)
		b.about(l.beside)
	}
	if len(l.Axes) > 0 {
		b.WriteString("    axes:\n")
	}
	for _, a := range l.Axes {
		values := "auto"
		if a.Values != nil {
			why := "names split in one way"
			if a.beside {
				why = "no other file is read"
			}
			if values = list("      "+a.Name+": [", a.Values, scalar); l.Pointer == "" {
				values += " # listed, so that " + why
			}
		}
		b.printf("      %s: %s\n", a.Name, values)
	}
	l.writeExclude(b)
	if l.Tokens > 0 {
		b.printf("    budget: {tokens: %d, growth: 10%%}\n", room(l.Tokens))
		return
	}
	b.WriteString("    # budget: {tokens: 8000, growth: 5%} # growth is judged by promptc diff, and so by the action\n")
}

// writeRendered says where the texts are, and what they are made from.
func (l *Legacy) writeRendered(b *writer) {
	from := len(l.From) > 0
	if l.Entry == "" && l.Pointer == "" && l.Template == "" && l.Symbols == nil && !from {
		b.printf("    rendered: %s\n", quote(l.Path))
	} else {
		b.printf("    rendered:\n      path: %s\n", quote(l.Path))
	}
	if l.Entry != "" {
		b.printf("      entry: %s\n", quote(l.Entry))
	}
	if l.Pointer != "" {
		b.printf("      pointer: %s\n", quote(l.Pointer))
	}
	if len(l.Symbols) == 1 {
		b.printf("      symbol: %s\n", quote(l.Symbols[0]))
	} else if l.Symbols != nil {
		b.printf("      symbol: %s\n", list("      symbol: [", l.Symbols, quote))
	}
	if l.Template != "" {
		b.printf("      template: %s\n", l.Template)
	}
	b.about(l.files)
	if from {
		b.printf("      from: %s\n", list("      from: [", l.From, quote))
		b.about(nil)
	}
}

func (l *Legacy) writeExclude(b *writer) {
	switch {
	case len(l.Exclude) == 0:
	case l.unasked:
		b.WriteString("    exclude: # not asked for, or no prompts\n")
	default:
		b.WriteString("    exclude: # no prompts\n")
	}
	for _, row := range l.Exclude {
		var terms []string
		for i, value := range row {
			if value != "" {
				terms = append(terms, l.Axes[i].Name+": "+scalar(value))
			}
		}
		b.printf("      - {%s}\n", strings.Join(terms, ", "))
	}
}

// listWidth is where a list of values goes on in the next line.
const listWidth = 110

// list writes values in brackets behind what stands in front of them.
func list(before string, values []string, word func(string) string) string {
	var b strings.Builder
	b.WriteString("[")
	width := len(before)
	for i, value := range values {
		text := word(value)
		switch {
		case i == 0:
		case width+len(text)+3 > listWidth:
			b.WriteString(",\n        ")
			width = len("        ")
		default:
			b.WriteString(", ")
			width += 2
		}
		b.WriteString(text)
		width += len(text)
	}
	return b.String() + "]"
}

// scalar writes an axis value as YAML: plain, but for what would be none, or the
// word for values that are to be found.
func scalar(value string) string {
	if strings.EqualFold(value, "null") || value == "auto" || !axispattern.IsAxisValue(value) {
		return quote(value)
	}
	return value
}

// quote writes a text as YAML does between double quotes, which is how JSON does
// it, but for what only JSON has to escape.
func quote(s string) string {
	return strings.NewReplacer("\u007f", `\u007f`, "\u0085", `\u0085`, "\ufeff", `\ufeff`).Replace(canon.Value(s))
}

// Leave takes the variant of these values, one of each axis, out of a prompt. It
// reports whether a text is left.
func (l *Legacy) Leave(values []string) bool {
	if len(l.Axes) == 0 {
		return false
	}
	l.Exclude = append(l.Exclude, values)
	return len(l.Exclude) < len(l.rows)
}

// Shorten writes what is excluded in as few clauses as are plain: where all
// variants of a value are, one says so.
func (l *Legacy) Shorten() {
	slices.SortFunc(l.Exclude, slices.Compare)
	l.Exclude = slices.CompactFunc(l.Exclude, slices.Equal)
	for axis := range l.Axes {
		there, gone := map[string]int{}, map[string]int{}
		for _, row := range l.rows {
			there[row[axis]]++
		}
		for _, row := range l.Exclude {
			gone[row[axis]]++
		}
		var out [][]string
		told := map[string]bool{}
		for _, row := range l.Exclude {
			value := row[axis]
			single := len(l.Axes) > 1 && value != "" && gone[value] == there[value] && gone[value] > 1
			if !single {
				out = append(out, row)
			} else if !told[value] {
				told[value] = true
				clause := make([]string, len(l.Axes))
				clause[axis] = value
				out = append(out, clause)
			}
		}
		l.Exclude = out
	}
}
