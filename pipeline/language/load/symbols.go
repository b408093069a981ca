package load

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/code"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/language"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
	"github.com/promptc-build/promptc/pipeline/language/recorded"
)

// everySymbol is the symbol of all literals that are prose.
const everySymbol = "*"

// symbol is a pattern of names.
type symbol struct{ steps []string }

// at matches a symbol with the names of a literal from one of them on. What is behind the
// symbol is within its value, if it is of several words: nothing that is declared there,
// unless deep is true, and nothing that speaks to people. The name has the values of its
// axes, and a star where the symbol has one.
func (s symbol) at(l *code.Literal, path []code.Step, deep bool) (name string, ok bool) {
	if len(path) < len(s.steps) {
		return "", false
	}
	rest := path[len(s.steps):]
	declared := slices.ContainsFunc(rest, func(s code.Step) bool { return s.Declared })
	isContent := len(rest) > 0 && l.Role != "" && rest[len(rest)-1].Name == l.Role
	if len(rest) > 0 && (declared && !deep || l.Aside || !isContent && !strings.ContainsAny(strings.TrimSpace(l.Text.Str), " \n")) {
		return "", false
	}
	names := make([]string, len(s.steps))
	for i, step := range s.steps {
		if names[i] = path[i].Name; !wild(step) && step != path[i].Name {
			return "", false
		} else if wild(step) {
			work := maxRecorded
			if len(axispattern.NamePattern(step).MatchBy(path[i].Name, func(string, string) bool { return true }, &work)) == 0 {
				return "", false
			}
			if !strings.Contains(step, "{") {
				names[i] = step
			}
		}
	}
	return strings.Join(names, "."), true
}

// led is a literal that a symbol leads to, under the name of its text.
type led struct {
	*code.Literal
	name string
}

// leads gives the literals that symbols lead to, in the order of the file, and the first
// symbol without a wildcard that leads to none. A symbol counts from the outermost name
// on; where none begins so, from any.
func leads(all []code.Literal, symbols string) (out []led, missing string) {
	names := make([]string, len(all))
	prose := map[string]bool{} // the names that have a literal which is prose: `*` takes their others, too
	for i := range all {
		if all[i].IsProse() {
			prose[all[i].Name()] = true
		}
	}
	for pattern := range strings.SplitSeq(symbols, "\n") {
		s := symbol{strings.Split(pattern, ".")}
		found := false
		for i := range all {
			if pattern == everySymbol {
				if l := &all[i]; names[i] == "" && !l.Aside && prose[l.Name()] && hasLetter(l.Prose()) {
					names[i] = pattern
				}
				continue
			}
			if name, ok := s.at(&all[i], all[i].Path, false); ok {
				names[i], found = name, true
			}
		}
		if !found && pattern != everySymbol && !s.anywhere(all, names) && !wild(pattern) && missing == "" {
			missing = pattern
		}
	}
	for i, name := range names {
		if name != "" {
			out = append(out, led{&all[i], name})
		}
	}
	return out, missing
}

func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// anywhere looks for a symbol that does not begin with the outermost name: with another
// one, without the names of calls, or with one that has what is declared below it. It
// reports whether it leads to a literal.
func (s symbol) anywhere(all []code.Literal, names []string) bool {
	for _, way := range []struct{ deep, calls bool }{{false, true}, {false, false}, {true, true}} {
		found := false
		for i := range all {
			path := all[i].Path
			if !way.calls && all[i].Aside {
				continue
			} else if !way.calls {
				path = slices.DeleteFunc(slices.Clone(path), func(s code.Step) bool { return s.Call })
			}
			for from := range path {
				if name, ok := s.at(&all[i], path[from:], way.deep); ok {
					names[i], found = name, true
					break
				}
			}
		}
		if found {
			return true
		}
	}
	return false
}

// holesOf gives what is not text in a literal: what only running the code would fill, and
// the placeholders that the code fills.
func holesOf(l *code.Literal) []templates.Tag {
	var out []templates.Tag
	for _, h := range l.Holes {
		out = append(out, templates.Tag{Start: h.Start, End: h.End, Field: h.Field})
	}
	for _, t := range templates.Tags(l.Format, l.Text.Str) {
		inHole := slices.ContainsFunc(out, func(h templates.Tag) bool { return t.Start < h.End && h.Start < t.End })
		if !inHole {
			t.Field = cmp.Or(t.Field, l.Text.Str[t.Start:t.End])
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b templates.Tag) int { return a.Start - b.Start })
	return out
}

// together puts literals into one text, with a blank line between those of two names.
func together(all []led) language.Saved {
	out := language.Saved{Name: all[0].name, NameAt: all[0].At.FirstLine(), IsText: true, At: all[0].At}
	var b ground.Builder
	for _, l := range all {
		name := cmp.Or(l.Name(), "text")
		n := len(out.Parts)
		if n == 0 || out.Parts[n-1].Name != name {
			if n > 0 {
				b.WriteString("\n")
			}
			out.Parts = append(out.Parts, language.Part{Start: b.Len(), Name: name})
		}
		text := l.Text.Trim("\n")
		at := b.Len() - strings.Index(l.Text.Str, text.Str)
		for _, h := range holesOf(l.Literal) {
			h.Start, h.End = h.Start+at, h.End+at
			out.Holes = append(out.Holes, h)
		}
		b.WriteText(text)
		b.WriteString("\n") // so that the last one is a text like the others
		out.At.End = max(out.At.End, l.At.End)
	}
	out.Value = b.Text()
	return out
}

// talk takes literals for a list of messages, if each has a role.
func talk(all []led) (language.Saved, bool) {
	list := &ground.Node{Kind: ground.Sequence, At: all[0].At}
	list.At.End = all[len(all)-1].At.End
	var holes []templates.Tag
	at := 0
	for _, l := range all {
		if n := len(l.Path); l.Role == "" || n == 0 {
			return language.Saved{}, false
		} else if last := l.Path[n-1].Name; last != l.Role && last != "text" {
			continue // such as the name of a tool
		}
		for _, h := range holesOf(l.Literal) {
			h.Start, h.End = h.Start+at, h.End+at
			holes = append(holes, h)
		}
		at += len(l.Text.Str)
		value := func(t ground.Text) *ground.Node { return &ground.Node{Kind: ground.String, At: l.At, Text: t} }
		list.Items = append(list.Items, &ground.Node{Kind: ground.Mapping, At: l.At, Fields: []ground.Field{
			{Key: "role", KeyAt: l.At.FirstLine(), Value: value(ground.Derived(l.Role, l.At))},
			{Key: "content", KeyAt: l.At.FirstLine(), Value: value(l.Text)},
		}})
	}
	out, ok := recorded.Talk(list, language.How{})
	out.Name, out.Holes = all[0].name, holes
	return out, ok && len(out.Value.Str) == at
}

// symbols takes what symbols lead to in a file of code for its entries.
func (r *run) symbols(doc *language.Doc, how language.How, at diag.Span) bool {
	found, ok := r.led(doc, how.Symbol, at)
	if !ok {
		return false
	}
	doc.Body = ground.Verbatim(diag.Span{File: doc.File, End: len(doc.File.Text)})
	doc.Saved, doc.Recording = []language.Saved{}, len(found) == 0
	var names []string
	texts := map[string][]led{}
	for _, l := range found {
		name := l.name
		if !strings.Contains(how.Symbol, "{") {
			name = everySymbol // one text
		}
		if texts[name] == nil {
			names = append(names, name)
		}
		texts[name] = append(texts[name], l)
	}
	for _, name := range names {
		saved, isTalk := talk(texts[name])
		if !isTalk || how.Symbol == everySymbol {
			saved = together(texts[name])
		}
		doc.Saved = append(doc.Saved, saved)
	}
	return true
}

// symbolTo takes the texts that symbols lead to in a file of code for its body.
func (r *run) symbolTo(doc *language.Doc, symbols string, at diag.Span) bool {
	found, ok := r.led(doc, symbols, at)
	if !ok || len(found) == 0 {
		return false
	}
	text := together(found)
	doc.Body, doc.Holes = text.Value.Trim("\n"), text.Holes
	return true
}

// led gives the literals that symbols lead to in a file; ok is false after a finding.
func (r *run) led(doc *language.Doc, symbols string, at diag.Span) (found []led, ok bool) {
	missing := symbols
	bad := func(key, hint string, args ...any) {
		r.found = append(r.found, diag.New(diag.BodyShape, at, key, doc.File.Path, missing).WithHint(hint, args...))
	}
	if !code.Reads(doc.File.Path) {
		bad("no-code", "symbol-in-code")
		return nil, false
	}
	all := code.Read(doc.File)
	found, missing = leads(all, symbols)
	if missing == "" || r.tree.Borrowed { // other files may have one, or another state
		return found, missing == "" || len(found) > 0
	}
	var names []string
	for i := range all {
		if name := all[i].Name(); all[i].IsProse() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if meant, ok := suggest.Best(missing, names); ok {
		bad("no-symbol", "did-you-mean", meant)
	} else if len(names) > 0 {
		bad("no-symbol", "symbols-there", diag.First(names[:min(len(names), 5)], len(names)))
	} else {
		bad("no-symbol", "no-symbols-there")
	}
	return nil, false
}
