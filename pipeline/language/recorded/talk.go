package recorded

import (
	"cmp"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/language"
)

// otherRoles are the roles of LangChain's messages, with what providers call them.
var otherRoles = map[string]string{"human": "user", "ai": "assistant"}

// Talk takes a list of messages for what they say: mappings with role and content,
// or pairs of these. It is false for any other value.
func Talk(list *ground.Node, how language.How) (language.Saved, bool) {
	if list == nil || list.Kind != ground.Sequence {
		return language.Saved{}, false
	}
	messages := &ground.Node{Kind: ground.Sequence, At: list.At}
	for _, n := range list.Items {
		m := message(n)
		if m == nil {
			return language.Saved{}, false
		}
		messages.Items = append(messages.Items, m)
	}
	root := &ground.Node{Kind: ground.Mapping, At: list.At, Fields: []ground.Field{{Key: "messages", KeyAt: list.At.FirstLine(), Value: messages}}}
	if len(request.Recognise(root)) == 0 {
		return language.Saved{}, false
	}
	body, bad := request.Decode(lookup(cmp.Or(how.Dialect, "openai-chat")), root)
	if bad != nil {
		return language.Saved{}, false
	}
	return language.Saved{
		NameAt: list.At.FirstLine(), At: list.At, Value: said(body), IsText: true,
		Sent: &language.Sent{Body: body, Turns: []int{len(body.Messages)}},
	}, true
}

// message gives a message with a role that providers know; nil for what is none.
func message(n *ground.Node) *ground.Node {
	role, content := n.Field("role"), n.Field("content")
	if n.Kind == ground.Sequence && len(n.Items) == 2 {
		role, content = n.Items[0], n.Items[1]
	}
	if role == nil || role.Kind != ground.String || content == nil {
		return nil
	}
	if known, ok := otherRoles[role.Scalar()]; ok {
		role = &ground.Node{Kind: ground.String, At: role.At, Text: ground.Derived(known, role.At)}
	}
	out := &ground.Node{Kind: ground.Mapping, At: n.At, Fields: []ground.Field{
		{Key: "role", KeyAt: role.At, Value: role}, {Key: "content", KeyAt: content.At.FirstLine(), Value: content},
	}}
	for _, f := range n.Fields {
		if f.Key != "role" && f.Key != "content" {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}
