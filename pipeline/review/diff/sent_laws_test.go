package diff_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/promptc-build/promptc/tests/testproject"
)

// said is a message of a random conversation.
type said struct{ role, text string }

// request is a random one, before a provider's shape.
type request struct {
	dialect     string
	system      []string
	messages    []said
	tools       []string
	temperature int
	noise       int
	marked      bool
}

var sentLines = []string{
	"You are an agent.", "# Rules", "- be brief and exact", "- never lie to anybody", "", "## Tools", "Use `exec` for it.", "<env>", "linux", "</env>", "It’s 🐦 \"fine\".\t",
}

func randomSaid(r *rand.Rand) string {
	var out []string
	for range 1 + r.IntN(8) {
		out = append(out, sentLines[r.IntN(len(sentLines))])
	}
	return strings.Join(out, "\n")
}

func randomRequest(r *rand.Rand) request {
	out := request{dialect: []string{"openai-chat", "anthropic", "gemini", "openai-responses"}[r.IntN(4)], temperature: r.IntN(3), noise: r.IntN(1000)}
	for range 1 + r.IntN(3) {
		out.system = append(out.system, randomSaid(r))
	}
	for i := range 1 + r.IntN(5) {
		out.messages = append(out.messages, said{[]string{"user", "assistant"}[i%2], randomSaid(r)})
	}
	out.tools = []string{"exec", "read", "write"}[:r.IntN(4)]
	return out
}

// changed gives a request with one change, and whether that is more than noise.
func (q request) changed(r *rand.Rand) (request, bool) {
	q.system, q.messages, q.tools = slices.Clone(q.system), slices.Clone(q.messages), slices.Clone(q.tools)
	i := r.IntN(len(q.messages))
	switch r.IntN(8) {
	case 0:
		q.messages[i].text += "\nAnd one more line here."
	case 1:
		q.messages = slices.Insert(q.messages, i, said{"user", randomSaid(r) + "\nA message that was not there."})
	case 2:
		q.system[r.IntN(len(q.system))] += "\nAnother rule for you."
	case 3:
		q.temperature += 10
	case 4:
		q.tools = append(q.tools, fmt.Sprint("new-", r.IntN(9)))
	case 5:
		q.marked = !q.marked
		return q, q.dialect == "anthropic"
	case 6:
		q.messages[i].role = map[string]string{"user": "assistant", "assistant": "user"}[q.messages[i].role]
	default:
		q.noise++
		return q, false
	}
	return q, true
}

type obj = map[string]any

func (q request) body(t *testing.T) string {
	t.Helper()
	var tools, blocks, messages []any
	for _, name := range q.tools {
		tool := obj{"name": name, "description": "Does " + name + "."}
		schema := obj{"type": "object", "properties": obj{}}
		switch q.dialect {
		case "anthropic":
			tool["input_schema"] = schema
		case "gemini":
			tool = obj{"functionDeclarations": []any{obj{"name": name, "description": "Does " + name + ".", "parametersJsonSchema": schema}}}
		case "openai-responses":
			tool["type"], tool["parameters"], tool["strict"] = "function", schema, false
		default:
			tool["parameters"] = schema
			tool = obj{"type": "function", "function": tool}
		}
		tools = append(tools, tool)
	}
	for i, text := range q.system {
		switch q.dialect {
		case "gemini":
			blocks = append(blocks, obj{"text": text})
		default:
			block := obj{"type": "text", "text": text}
			if i == 0 && q.marked && q.dialect == "anthropic" {
				block["cache_control"] = obj{"type": "ephemeral"}
			}
			blocks = append(blocks, block)
		}
	}
	for _, m := range q.messages {
		switch q.dialect {
		case "gemini":
			messages = append(messages, obj{"role": map[string]string{"user": "user", "assistant": "model"}[m.role], "parts": []any{obj{"text": m.text}}})
		default:
			messages = append(messages, obj{"role": m.role, "content": m.text})
		}
	}
	noise := fmt.Sprint("u-", q.noise)
	var body obj
	switch q.dialect {
	case "gemini":
		body = obj{"systemInstruction": obj{"parts": blocks}, "contents": messages, "generationConfig": obj{"temperature": q.temperature}}
	case "anthropic":
		body = obj{"model": "m", "max_tokens": 9, "system": blocks, "messages": messages, "temperature": q.temperature, "metadata": obj{"user_id": noise}}
	case "openai-responses":
		body = obj{"model": "m", "instructions": strings.Join(q.system, "\n"), "input": messages, "temperature": q.temperature, "user": noise}
	default:
		body = obj{"model": "m", "messages": append([]any{obj{"role": "system", "content": blocks}}, messages...), "temperature": q.temperature, "user": noise}
	}
	if len(tools) > 0 {
		body["tools"] = tools
	}
	out, err := json.MarshalIndent(body, "", strings.Repeat(" ", q.noise%4))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestLawsHoldForRequests compares random requests with changed ones: what is said of
// them is so, once, and nothing but noise is silent.
func TestLawsHoldForRequests(t *testing.T) {
	const keys = "tokenizer: chars/4\nrendered: 't/{n}.json'\naxes: auto"
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 150 {
		base, head := map[string]string{}, map[string]string{}
		differs := false
		for i := range 1 + r.IntN(4) {
			q := randomRequest(r)
			name := fmt.Sprintf("t/%d.json", i)
			base[name] = q.body(t)
			for range r.IntN(3) {
				was := q
				var real bool
				q, real = q.changed(r)
				differs = differs || real && was.body(t) != q.body(t)
			}
			head[name] = q.body(t)
		}
		d := differ(t, testproject.Rendered(keys, base), testproject.Rendered(keys, head))
		mustPatch(t, d)
		mustBeOnce(t, d)
		if t.Failed() {
			t.Fatalf("round %d\n%s\n%s", round, mapText(base), mapText(head))
		}
		if !differs && len(d.Edits) > 0 {
			t.Fatalf("round %d: noise is said: %s\n%s\n%s", round, toldEdit(d.Edits[0]), mapText(base), mapText(head))
		}
		reached := map[string]bool{}
		for _, e := range d.Edits {
			for _, row := range e.Reach {
				for _, v := range row.Pair.Head.Variants {
					if row.In.Size() > 0 && !row.OfBase && row.In.Has(v.Index) {
						reached[v.Name] = true
					}
				}
			}
		}
		for _, p := range d.Pairs {
			for _, v := range p.Head.Variants {
				if p.Affected.Has(v.Index) && !reached[v.Name] {
					t.Fatalf("round %d: %s differs and no edit says so\n%s\n%s", round, v.Name, mapText(base), mapText(head))
				}
			}
		}
	}
}

func mapText(files map[string]string) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out.WriteString("-- " + name + " --\n" + files[name] + "\n")
	}
	return out.String()
}
