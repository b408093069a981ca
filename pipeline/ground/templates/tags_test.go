package templates_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/templates"
)

// TestTagsOfEachLanguage writes the tags of a text between « and », with the field
// behind a colon.
func TestTagsOfEachLanguage(t *testing.T) {
	for _, tt := range []struct{ language, text, want string }{
		{"f-string", `Hi {name}, {user.name!r:>8} {{"a": 1}} {x[0]} {d:{w}} {now()} {"a": 1} { x }`, `Hi «{name}:name», «{user.name!r:>8}:user.name» {{"a": 1}} «{x[0]}:x[0]» «{d:{w}}:d» «{now()}:now» {"a": 1} { x }`},
		{"jinja2", `{% if a %}A {{ b.c | upper }}{% endif %}{# {{ no }} #}`, `«{% if a %}»A «{{ b.c | upper }}:b.c»«{% endif %}»«{# {{ no }} #}»`},
		{"jinja2", `{%- raw -%}{{ x }}{% endraw %}{{ "}}" ~ y }}`, `«{%- raw -%}»{{ x }}«{% endraw %}»«{{ "}}" ~ y }}:"}}" ~ y»`},
		{"jinja2", `{{ a["k"] }} {{ f(x) }} {{- y -}} {% set z = "%}" %}.`, `«{{ a["k"] }}:a["k"]» «{{ f(x) }}:f» «{{- y -}}:y» «{% set z = "%}" %}».`},
		{"jinja2", `{{ open`, `{{ open`},
		{"handlebars", `{{#if x}}{{{body}}}{{else}}{{ this.name }}{{/if}}{{> part}}{{!-- }} --}}\{{no}}`, `«{{#if x}}»«{{{body}}}:body»«{{else}}»«{{ this.name }}:this.name»«{{/if}}»«{{> part}}»«{{!-- }} --}}»\{{no}}`},
		{"handlebars", `{{{{raw}}}}{{x}}{{{{/raw}}}}`, `«{{{{raw}}}}»{{x}}«{{{{/raw}}}}»`},
		{"mustache", `{{#list}}{{&name}} {{^x}}{{/x}}{{> p}}{{! c }}`, `«{{#list}}»«{{&name}}:name» «{{^x}}»«{{/x}}»«{{> p}}»«{{! c }}»`},
		{"liquid", `{% for p in all %}{{ p.title | escape }}{% endfor %}{% raw %}{{ x }}{% endraw %}`, `«{% for p in all %}»«{{ p.title | escape }}:p.title»«{% endfor %}»«{% raw %}»{{ x }}«{% endraw %}»`},
		{"go-template", "{{- if .A -}}{{ .User.Name }}{{ printf \"}} %s\" .X }}{{ end }}{{/* {{ c */}}{{ $x }}", "«{{- if .A -}}»«{{ .User.Name }}:.User.Name»«{{ printf \"}} %s\" .X }}:printf»«{{ end }}»«{{/* {{ c */}}»«{{ $x }}:$x»"},
		{"dollar", `${NAME} $user $$x \${no} costs $5 ${a ? "b" : c}`, `«${NAME}:NAME» «$user:user» $$x \${no} costs $5 «${a ? "b" : c}:a»`},
		{"percent", `%s is %(name)s, %-5.2f of 100% sure, 5%% done`, `«%s» is «%(name)s:name», «%-5.2f» of 100% sure, 5%% done`},
		{"none", `{{ x }} {y} $z`, `{{ x }} {y} $z`},
		{"unknown", `{{ x }}`, `{{ x }}`},
	} {
		var got strings.Builder
		at := 0
		tags := templates.Tags(tt.language, tt.text)
		for _, tag := range tags {
			got.WriteString(tt.text[at:tag.Start] + "«" + tt.text[tag.Start:tag.End])
			if tag.Field != "" {
				got.WriteString(":" + tag.Field)
			}
			got.WriteString("»")
			at = tag.End
		}
		got.WriteString(tt.text[at:])
		if diff := cmp.Diff(tt.want, got.String()); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.language, tt.text, diff)
		}
		if blank := templates.Blank(tt.text, tags); len(blank) != len(tt.text) {
			t.Errorf("%s: %q has other bytes than %q", tt.language, blank, tt.text)
		}
	}
}

func FuzzTags(f *testing.F) {
	f.Add("{{ a }} {% if x %} ${b} %s {c}\n")
	f.Add("{{{{ {# }} #} \\{{ {{! ")
	f.Fuzz(func(t *testing.T, text string) {
		for _, language := range templates.Languages() {
			at := 0
			for _, tag := range templates.Tags(language, text) {
				if tag.Start < at || tag.End <= tag.Start || tag.End > len(text) {
					t.Fatalf("%s: tag at [%d,%d) after %d of %q", language, tag.Start, tag.End, at, text)
				}
				at = tag.End
			}
		}
	})
}
