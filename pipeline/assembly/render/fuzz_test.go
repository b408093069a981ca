package render_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptc-build/promptc/pipeline/assembly/render"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// usable reports whether load would let a text through.
func usable(texts ...string) bool {
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\x00\r") {
			return false
		}
	}
	return true
}

// FuzzExpand: expansion ends without a panic, slots hold {{name}}, places
// hold, and no fragment is left where nothing is wrong.
func FuzzExpand(f *testing.F) {
	f.Add("Run {{shell}} at {{clock}}.", "zsh {{clock}}")
	f.Add("{{shell}}\n\n{{shell}}{{shell}}\n", "")
	f.Add("{{{{shell}}}} {{ shell }} {{nope}} {{{shell}}}", "{{shell}} {{ clock }} {{{{clock}}}}")
	f.Add("---\n{{shell}}\nlast", "a\nb\n")
	f.Fuzz(func(t *testing.T, text, value string) {
		if !usable(text, value) {
			t.Skip()
		}
		fx := newFixture(t, archive("input text\nexpand\nexpand-all\nslot clock\nfragment shell "+strconv.Quote(value)+"\n"))
		file := &diag.File{Path: "a.md", Text: text}
		fx.in.Docs = []*language.Doc{{File: file, Format: language.Markdown, Body: ground.Verbatim(diag.Span{File: file, End: len(text)})}}
		r, found := fx.run()
		checkRendering(t, r)
		tame := !strings.Contains(text, "{{{") && !strings.ContainsAny(value, "{}")
		if tame && !found.HasErrors() && strings.Contains(r.Text.Str, "{{shell}}") {
			t.Errorf("a fragment is left in %q", r.Text.Str)
		}
		if tame && len(r.Slots) != strings.Count(r.Text.Str, "{{clock}}") {
			t.Errorf("%d slots in %q", len(r.Slots), r.Text.Str)
		}
	})
}

// FuzzStyle: somebody's template ends quickly, prints all items or says why
// not, and what it prints keeps its places.
func FuzzStyle(f *testing.F) {
	for _, k := range render.Templates {
		var b strings.Builder
		b.WriteString(`{{define "heading"}}# H{{end}}{{define "item"}}- `)
		for _, x := range k.Item {
			if x.List == nil && !x.Flag {
				b.WriteString("{{." + x.Name + "}} ")
			}
		}
		b.WriteString("{{end}}{{.Items}}")
		f.Add(b.String())
	}
	f.Add(`{{range .Example.Parameters}}{{.Name}}={{xml .Value}}{{else}}none{{end}}{{with .Example}}{{.Tool}} {{$.Count}}{{end}}{{if or (not .Count) .Items}}{{.Items}}{{end}}`)
	f.Add(`{{define "item"}}{{range .Parameters}}{{range $.Parameters}}{{if .Required}}x{{end}}{{end}}{{end}}{{- " " -}} {{.Schema | xml}}{{end}}{{/* c */}} {{.Items}}`)
	f.Fuzz(func(t *testing.T, template string) {
		if !usable(template) {
			t.Skip()
		}
		fx := newFixture(t, archive("input tools\nform fallback\ntools a.json b.json\n",
			"a.json", `{"name": "a", "description": "A & b", "inputSchema": {"type": "object", "required": ["x"], "properties": {"x": {}, "y": {"type": "string"}}}}`,
			"b.json", `{"name": "b"}`))
		file := &diag.File{Path: "t.tmpl", Text: template}
		fx.in.StyleDoc = &language.Doc{File: file, Body: ground.Verbatim(diag.Span{File: file, End: len(template)})}
		r, found := fx.run()
		checkRendering(t, r)
		if !found.HasErrors() && len(r.Items) != 2 && strings.Contains(template, "Items") && !strings.Contains(template, "define") {
			t.Errorf("%d items in %q", len(r.Items), r.Text.Str)
		}
	})
}

// FuzzLimit: what is cut keeps within the limit, line included, and no slot
// is cut in two.
func FuzzLimit(f *testing.F) {
	f.Add("One line.\nAnd {{clock}} and more of it.\n```\ncode\n", 40, false)
	f.Add("äöü{{clock}}"+strings.Repeat("é ", 50), 33, true)
	f.Fuzz(func(t *testing.T, text string, limit int, perSource bool) {
		if !usable(text) || limit < 1 {
			t.Skip()
		}
		fx := newFixture(t, archive("input text\nexpand\nslot clock\n"))
		file := &diag.File{Path: "a.md", Text: text}
		fx.in.Docs = []*language.Doc{{File: file, Format: language.Markdown, Body: ground.Verbatim(diag.Span{File: file, End: len(text)})}}
		fx.in.Limit = &language.Limit{Chars: limit, PerSource: perSource, Cut: true}
		r, found := fx.run()
		checkRendering(t, r)
		if n := utf8.RuneCountInString(r.Text.Str); n > limit && !found.HasErrors() {
			t.Errorf("%d characters under a limit of %d", n, limit)
		}
		cut := len(r.Cuts) > 0
		if noted := found.Count(diag.Note) > 0; noted != cut || cut && !strings.Contains(r.Text.Str, "[cut: ") {
			t.Errorf("cut %t, noted %t: %q", cut, noted, r.Text.Str)
		}
	})
}
