package scaffold

import (
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/chars"
	"github.com/promptc-build/promptc/pipeline/language/axispattern"
)

// Keys whose values are prompts, without what separates their words. Beside some stand
// others that only then are.
var (
	promptKeys = regexp.MustCompile(`^(?:prompts?|system|systemmessages?|systeminstructions?|instructions?|messages|chat|conversation|persona|backstory|roledefinition|preamble|usermessage|\w*prompts?|\w*prompttemplates?|\w*instructions)$`)
	companions = map[string][]string{"backstory": {"role", "goal"}, "expectedoutput": {"description", "expectedoutput"}}
	// vagueKeys may have prompts, and much else: a text has to speak to somebody.
	vagueKeys = []string{"system", "preamble", "persona", "prompt", "prompts"}
	// talkKeys have lists of messages, and are for people where they have a text.
	talkKeys = []string{"messages", "chat", "conversation"}
	// labelKeys have texts for people.
	labelKeys = []string{"description", "title", "name", "label", "summary", "comment", "$comment", "url", "license", "author", "placeholder", "tooltip", "error", "errors", "hint", "help", "homepage"}
)

func plainKey(key string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(key))
}

// Values finds the prompts in a file of data: patterns of JSON Pointers, each with its axes.
func Values(name string, root *ground.Node) []ValuePattern { return Besides(name, root, nil) }

// Besides finds those to which none of some patterns leads.
func Besides(name string, root *ground.Node, known []ValuePattern) []ValuePattern {
	f := valueFinder{all: SaysPrompt(name), keys: map[string][]string{}}
	f.keyed(root, nil)
	if !f.found && !f.all || IsTalk(root) {
		return nil
	}
	f.walk(root, nil)
	for _, p := range known {
		f.leave(&p, root, nil, pointerSteps(p.Pointer))
	}
	return f.patterns(root)
}

func pointerSteps(pointer string) []string {
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[i])
	}
	return steps
}

// leave leaves out what a pattern leads to from a value on.
func (f *valueFinder) leave(p *ValuePattern, n *ground.Node, at []step, steps []string) {
	if n == nil {
		return
	}
	each(n, func(s step, v *ground.Node) {
		axis := slices.IndexFunc(p.Axes, func(a Axis) bool { return "{"+a.Name+"}" == steps[0] })
		fits := axis < 0 && s.key == steps[0] || axis >= 0 && (p.Axes[axis].Values == nil || slices.Contains(p.Axes[axis].Values, s.key))
		switch {
		case !fits:
		case len(steps) > 1:
			f.leave(p, v, append(slices.Clip(at), s), steps[1:])
		default:
			in := pointerOf(at)
			f.keys[in] = slices.DeleteFunc(f.keys[in], func(k string) bool { return k == s.key })
		}
	})
}

// ValuePattern is a pattern of JSON Pointers.
type ValuePattern struct {
	Pointer string
	Axes    []Axis
	// Texts are the first texts that it leads to.
	Texts []string
}

type valueFinder struct {
	all   bool                // the path says that the texts are prompts
	found bool                // a key says so
	sets  [][]step            // the parents of what is taken, in order
	keys  map[string][]string // what is taken, by the pointer of its parent
}

// step leads from a value to one in it.
type step struct {
	key    string
	inList bool
}

func pointerOf(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(s.key))
	}
	return b.String()
}

// each calls f for each value in a value.
func each(n *ground.Node, f func(step, *ground.Node)) {
	axispattern.Children(n, func(keys []string, field *ground.Field, v *ground.Node) {
		f(step{keys[0], field == nil}, v)
	})
}

// keyed looks for a key that says that its value is a prompt. What is in a long list is a
// set of examples.
func (f *valueFinder) keyed(n *ground.Node, at []step) {
	if f.passes(n, at) {
		return
	}
	each(n, func(s step, v *ground.Node) {
		f.found = f.found || isKeyed(s, v) || plainKey(s.key) == "expectedoutput" && said(v, leastOfKey)
		f.keyed(v, append(slices.Clip(at), s))
	})
}

// isKeyed reports a value whose key says that it is a prompt.
func isKeyed(s step, v *ground.Node) bool {
	key := plainKey(s.key)
	return !s.inList && promptKeys.MatchString(key) && said(v, leastOfKey) &&
		(v.Kind != ground.String || !slices.Contains(vagueKeys, key) || addressed.MatchString(v.Text.Str)) &&
		(v.Kind != ground.String || !slices.Contains(talkKeys, key))
}

// maxValueDepth is how deep values are looked for.
const maxValueDepth = 8

// passes reports what is not looked into: a set of examples, a JSON Schema, and what is
// too deep.
func (f *valueFinder) passes(n *ground.Node, at []step) bool {
	isSchema := n.Field("$defs") != nil || n.Field("definitions") != nil || n.Field("properties") != nil && n.Field("type") != nil
	return len(n.List()) > mostForADatum || len(at) > maxValueDepth || isSchema
}

// said reports whether a value is a text of so many words, or a list of messages.
func said(v *ground.Node, least int) bool {
	if v.Kind == ground.String {
		return chars.IsProse(v.Text.Str, least) && !strings.HasPrefix(v.Text.Str, "http")
	}
	return IsTalk(v)
}

// IsTalk tells a list of messages.
func IsTalk(v *ground.Node) bool {
	if v == nil {
		return false
	}
	return len(v.List()) > 0 && !slices.ContainsFunc(v.Items, func(m *ground.Node) bool {
		role := m.Field("role")
		if m.Kind == ground.Sequence && len(m.Items) == 2 {
			role = m.Items[0]
		}
		return role == nil || !slices.Contains([]string{"system", "user", "assistant", "developer", "human", "ai", "tool"}, role.Scalar())
	})
}

// walk takes what is a prompt: by its key, beside one, or where all texts are.
func (f *valueFinder) walk(n *ground.Node, at []step) {
	if f.passes(n, at) {
		return
	}
	var beside []string
	each(n, func(s step, _ *ground.Node) { beside = append(beside, companions[plainKey(s.key)]...) })
	var taken []string
	each(n, func(s step, v *ground.Node) {
		label := !s.inList && v.Kind == ground.String && slices.Contains(labelKeys, strings.ToLower(s.key))
		is := isKeyed(s, v) || slices.Contains(beside, plainKey(s.key)) && v.Kind == ground.String
		is = is || !label && (!s.inList || f.all) && v.Kind == ground.String && said(v, leastOfValue) || f.all && IsTalk(v)
		switch {
		case is:
			taken = append(taken, s.key)
		case !IsTalk(v) && !label:
			f.walk(v, append(slices.Clip(at), s))
		}
	})
	if taken != nil {
		f.sets = append(f.sets, at)
		f.keys[pointerOf(at)] = taken
	}
}

// patterns puts values together whose pointers are alike: several of one mapping, and
// those of one key in mappings beside one another.
func (f *valueFinder) patterns(root *ground.Node) []ValuePattern {
	type group struct {
		parents [][]step
		keys    []string
	}
	var groups []*group
	alike := func(g *group, at []step) bool {
		first := g.parents[0]
		return len(at) > 0 && len(first) == len(at) && pointerOf(first[:len(first)-1]) == pointerOf(at[:len(at)-1]) &&
			slices.ContainsFunc(f.keys[pointerOf(at)], func(k string) bool { return slices.Contains(g.keys, k) })
	}
	for _, at := range f.sets {
		if len(f.keys[pointerOf(at)]) == 0 {
			continue // other patterns have it
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return alike(g, at) })
		if i < 0 {
			i, groups = len(groups), append(groups, &group{})
		}
		g := groups[i]
		g.parents = append(g.parents, at)
		for _, k := range f.keys[pointerOf(at)] {
			if !slices.Contains(g.keys, k) {
				g.keys = append(g.keys, k)
			}
		}
	}
	var out []ValuePattern
	for _, g := range groups {
		p := ValuePattern{Pointer: pointerOf(g.parents[0])}
		if len(g.parents) > 1 {
			p.Pointer = pointerOf(g.parents[0][:len(g.parents[0])-1]) + "/{entry}"
			p.Axes = append(p.Axes, Axis{Name: "entry"})
		}
		if len(g.keys) == 1 {
			p.Pointer += pointerOf([]step{{key: g.keys[0]}})
		} else {
			p.Pointer += "/{part}"
			p.Axes = append(p.Axes, Axis{Name: "part", Values: f.listed(root, g.parents, g.keys)})
		}
		for _, at := range g.parents {
			for _, k := range f.keys[pointerOf(at)] {
				n := follow(root, append(slices.Clip(at), step{key: k}))
				p.Texts = append(p.Texts, textOf(n))
			}
		}
		out = append(out, p)
	}
	return out
}

// listed gives the keys where the mappings have other values, too; nil where they have
// none.
func (f *valueFinder) listed(root *ground.Node, parents [][]step, keys []string) []string {
	others := false
	for _, at := range parents {
		each(follow(root, at), func(s step, _ *ground.Node) { others = others || !slices.Contains(keys, s.key) })
	}
	if !others {
		return nil
	}
	return keys
}

func follow(n *ground.Node, steps []step) *ground.Node {
	for _, want := range steps {
		var next *ground.Node
		each(n, func(s step, v *ground.Node) {
			if s.key == want.key {
				next = v
			}
		})
		n = next
	}
	return n
}

// textOf gives a text, or what the messages of a list say.
func textOf(n *ground.Node) string {
	if n.Kind == ground.String {
		return n.Text.Str
	}
	var b strings.Builder
	each(n, func(_ step, v *ground.Node) { b.WriteString(textOf(v) + "\n") })
	return b.String()
}
