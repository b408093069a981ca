package templates_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/templates"
)

// TestNamesOfEachSyntax reads a line at a time: "?" is a name that is computed,
// and ":" stands before one that the text defines.
func TestNamesOfEachSyntax(t *testing.T) {
	for _, tt := range []struct {
		file, text string
		want       string
	}{
		{"a.j2", `{% include "base.j2" %}`, "base.j2"},
		{"a.j2", `{%- include 'x/base.j2' ignore missing with context -%}`, "x/base.j2"},
		{"a.jinja2", `{% extends "base" %}{% import "m.j2" as m %}{% from "n.j2" import a, b %}`, "base m.j2 n.j2"},
		{"a.j2", "{%\n  include\n  \"base.j2\"\n%}", "base.j2"},
		{"a.j2", `{% include name %}{% include "a" ~ b %}{% include ["a", "b"] %}{% include "a" if x else "b" %}{% include "%s" | format(x) %}`, "? ? ? ? ?"},
		{"a.njk", `{% include "a" + b %}`, "?"},
		{"a.j2", `{# {% include "no" %} #}{% raw %}{% include "no" %}{% endraw %}{% include "yes" %}`, "yes"},
		{"a.j2", `{{> no}}{{template "no"}}{% render "no" %}`, ""},
		{"a.j2", "```\n{% include \"yes\" %}\n```", "yes"},
		{"a.liquid", `{% render 'card' with x as y %}{% include "b", a: 1 %}{% layout "main" %}{% include page.name %}`, "card b main ?"},
		{"a.liquid", `{% comment %}{% render 'no' %}{% endcomment %}`, ""},
		{"a.liquid", "{%- liquid\n  assign x = 1\n  render 'card'\n-%}{% liquid\n  assign y = 2 %}", "?"},
		{"a.j2", `{% from "half%.j2" import m %}{% include "a" %} 5 % {% include 'b%' %}`, "half%.j2 a b%"},
		{"a.ejs", `<%- include("p", {x: 1}) %><% include p2 %><%- include('q') -%><%= include("a" + b) %><%# include("no") %><%% include("no") %>`, "p ? q ?"},
		{"a.erb", `<%= render "shared/head" %><%= render partial: "row" %><%= rendering %>`, "shared/head ?"},
		{"a.hbs", `{{> header}}{{>nav/main.hbs a=b}}{{#> layout}}{{/layout}}{{> "quoted"}}{{~> tight ~}}`, "header nav/main.hbs layout quoted tight"},
		{"a.hbs", `{{> (lookup . "x")}}{{> @partial-block}}{{!-- {{> no}} --}}{{! no }}`, "?"},
		{"a.hbs", `Write \{{> no}}, {{{{raw}}}} {{> no}} {{{{/raw}}}} or {{> yes}}`, "yes"},
		{"a.hbs", `{{#*inline "part"}}x{{/inline}}{{> part}}`, ":part part"},
		{"a.mustache", `{{<parent}}{{/parent}}{{>*dynamic}}`, "parent ?"},
		{"a.tmpl", "{{template \"head.tmpl\" .}}{{- template `x` }}{{define \"y\"}}{{end}}{{block \"z\" .}}{{end}}{{/* {{template \"no\"}} */}}", "head.tmpl x :y :z"},
		{"a.md", `{% include "a" %}{{> b}}{{template "c"}}{% render "d" %}`, "a b c d"},
		{"a.md", "`{{> no}}` and {{> yes}}\n\n```\n{{> no}}\n```\n\n    {{> no}}\n", "yes"},
		{"a.txt", "Ask {{name}}, {% if x %}{{x|upper}}{% endif %}.", ""},
	} {
		var got []string
		for _, n := range templates.Names(tt.file, tt.text) {
			word := n.Name
			if word == "" {
				word = "?"
			}
			if n.Defines {
				word = ":" + word
			}
			if n.Tag != tt.text[n.Start:n.End] || !strings.ContainsAny(n.Tag[:1], "{<") || !strings.ContainsAny(n.Tag[len(n.Tag)-1:], "}>") {
				t.Errorf("%s: %q stands at %d to %d", tt.text, n.Tag, n.Start, n.End)
			}
			got = append(got, word)
		}
		if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
			t.Errorf("%s: %s\n%s", tt.file, tt.text, d)
		}
	}
}

// TestLinksFollowNames holds which of some files a file leads to: "x" surely, and
// "x?" perhaps.
func TestLinksFollowNames(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string // of the first file
	}{
		{"beside the file", map[string]string{"p/a.j2": `{% include "b.j2" %}`, "p/b.j2": "", "p/c.j2": ""}, "p/b.j2"},
		{"below a folder further up", map[string]string{"p/q/a.j2": `{% include "p/x/b.j2" %}`, "p/x/b.j2": ""}, "p/x/b.j2"},
		{"through others", map[string]string{"a.j2": `{% include "b.j2" %}`, "b.j2": `{% extends "c.j2" %}`, "c.j2": ""}, "b.j2 c.j2"},
		{"in a circle", map[string]string{"a.j2": `{% include "b.j2" %}`, "b.j2": `{% include "a.j2" %}`}, "b.j2"},
		{"without its extension", map[string]string{"a.hbs": `{{> b}}`, "b.hbs": "", "b.md": ""}, "b.hbs"},
		{"with any extension", map[string]string{"a.hbs": `{{> b}}`, "b.md": ""}, "b.md"},
		{"with an underscore", map[string]string{"a.liquid": `{% render 'x/b' %}`, "x/_b.liquid": ""}, "x/_b.liquid"},
		{"by what a file defines", map[string]string{"a.tmpl": `{{template "y" .}}`, "b.tmpl": `{{define "y"}}{{end}}`, "c.tmpl": ""}, "b.tmpl"},
		{"by what a file defines for itself", map[string]string{"a.hbs": `{{> part}}`, "b.hbs": `{{#*inline "part"}}x{{/inline}}`}, ""},
		{"by what another engine's file defines", map[string]string{"a.hbs": `{{> part}}`, "b.tmpl": `{{define "part"}}{{end}}`}, ""},
		{"with an underscore elsewhere", map[string]string{"p/a.liquid": `{% render 'b' %}`, "q/_b.liquid": "", "q/c.liquid": ""}, "q/_b.liquid?"},
		{"by what it defines itself", map[string]string{"a.tmpl": `{{define "b"}}{{end}}{{template "b" .}}`, "b.tmpl": ""}, ""},
		{"by several files", map[string]string{"p/a.j2": `{% include "b.j2" %}`, "p/b.j2": "", "b.j2": "", "c.j2": ""}, "b.j2? p/b.j2?"},
		{"by a file elsewhere", map[string]string{"p/a.j2": `{% include "b.j2" %}`, "q/b.j2": "", "q/c.j2": ""}, "q/b.j2?"},
		{"by a name that is computed", map[string]string{"a.j2": `{% include x %}{% include "b.j2" %}`, "b.j2": "", "c.j2": ""}, "b.j2 c.j2?"},
		{"by one behind a name", map[string]string{"a.j2": `{% include "b.j2" %}`, "b.j2": `{% include x %}`, "c.j2": ""}, "b.j2 c.j2?"},
		{"by nothing that is there", map[string]string{"a.j2": `{% include "x.j2" %}`, "b.j2": ""}, ""},
		{"out of the project", map[string]string{"a.j2": `{% include "../b.j2" %}`, "b.j2": ""}, ""},
	} {
		names := map[string][]templates.Name{}
		var paths []string
		for p, text := range tt.files {
			names[p] = templates.Names(p, text)
			paths = append(paths, p)
		}
		slices.Sort(paths)
		from := paths[slices.IndexFunc(paths, func(p string) bool { return strings.HasPrefix(path.Base(p), "a.") })]
		graph := templates.NewGraph(names)
		var got []string
		for _, p := range paths {
			switch by, link := graph.Link([]string{from}, p); {
			case link == templates.None:
			case by != from:
				t.Errorf("%s: by %q", tt.name, by)
			case link == templates.Unsure:
				got = append(got, p+"?")
			default:
				got = append(got, p)
			}
		}
		if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
			t.Errorf("%s:\n%s", tt.name, d)
		}
	}
}
