package recorded

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/canon"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/language"
)

// conversation is one request or several, each of which begins with all that the one
// before says; the last one then says all.
type conversation struct {
	sent
	turns  []int // how many messages each request has
	head   sum   // of the tools and the settings
	sums   []sum // of the messages up to each
	breaks *language.Break
	broken int // the conversation that it breaks with
}

type sum = [sha256.Size]byte

// conversations puts requests together. What is the same request again is no turn.
func conversations(all []sent) []*conversation {
	var out []*conversation
	open := map[sum]int{} // by the sum of all messages
	for _, s := range all {
		c := &conversation{sent: s, turns: []int{len(s.body.Messages)}, head: headOf(s)}
		c.sums = sumsOf(c.head, s.body.Messages)
		i := -1
		for n := len(c.sums) - 1; n >= 0 && i < 0; n-- {
			if known, ok := open[c.sums[n]]; ok {
				i = known
			}
		}
		if i < 0 {
			if out = append(out, c); asked(s.body) {
				open[c.last()] = len(out) - 1
			}
			continue
		}
		before := out[i]
		delete(open, before.last())
		if len(c.sums) > len(before.sums) {
			c.turns = append(before.turns, c.turns...)
			out[i] = c
		}
		open[out[i].last()] = i
	}
	for i := range out {
		out[i].breaksWith(out[:i])
	}
	return out
}

// asked reports whether somebody says something besides the system text, which
// conversations share.
func asked(b *request.Body) bool {
	return slices.ContainsFunc(b.Messages, func(m request.Message) bool { return m.Role != request.System })
}

// maxBack is how many conversations before one are looked at: those of other agents
// may come between two turns.
const maxBack = 8

// breaksWith finds the request that a conversation goes on with, although it does
// not begin with all of it: one of the same model with fewer messages, in the same
// roles, of which the first request here has at least half by bytes, system text
// aside. What a provider kept of it is of no use from the first difference on.
func (c *conversation) breaksWith(before []*conversation) {
	first := c.body.Messages[:c.turns[0]]
	for i := len(before) - 1; i >= max(0, len(before)-maxBack); i-- {
		b := before[i]
		if b.model != c.model || b.body.Dialect != c.body.Dialect || len(b.body.Messages) >= len(first) {
			continue
		}
		at, alike := differs(b.body.Messages, first)
		tools := sameTools(b.body, c.body)
		switch {
		case !alike:
		case !tools:
			c.broken, c.breaks = i, &language.Break{Tools: true}
			return
		case at >= 0: // else other settings, after which the same messages are still kept
			c.broken, c.breaks = i, &language.Break{Message: at, Block: blockAt(&b.body.Messages[at], &first[at])}
			return
		}
	}
}

// differs gives the first message in which a request differs from what another says
// there, -1 for none, and whether the other goes on with its conversation.
func differs(was, is []request.Message) (at int, alike bool) {
	at = -1
	all, same := 0, 0
	for m := range was {
		if was[m].Role != is[m].Role {
			return at, false
		}
		n := sameBytes(&was[m], &is[m])
		if at < 0 && (n < bytesOf(&was[m]) || bytesOf(&was[m]) != bytesOf(&is[m])) {
			at = m
		}
		if was[m].Role != request.System {
			all, same = all+bytesOf(&was[m]), same+n
		}
	}
	return at, all > 0 && 2*same >= all
}

func sameTools(a, b *request.Body) bool {
	return slices.EqualFunc(a.Tools, b.Tools, func(t, u *request.Tool) bool { return t.Sent == u.Sent })
}

// text gives what a message says.
func text(m *request.Message) string {
	var out strings.Builder
	for _, b := range m.Leaves() {
		out.WriteString(b.Text())
	}
	return out.String()
}

func bytesOf(m *request.Message) int { return len(text(m)) }

// sameBytes counts the bytes with which two messages begin and end alike.
func sameBytes(m, n *request.Message) int {
	a, b := text(m), text(n)
	start, most := 0, min(len(a), len(b))
	for start < most && a[start] == b[start] {
		start++
	}
	end := 0
	for end < most-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return start + end
}

// blockAt gives the first block in which two messages differ.
func blockAt(m, n *request.Message) int {
	was, is := m.Leaves(), n.Leaves()
	for i := range was {
		if i == len(is) || was[i].Text() != is[i].Text() {
			return i
		}
	}
	return max(0, len(was)-1)
}

// last is the sum of all messages.
func (c *conversation) last() sum {
	if len(c.sums) == 0 {
		return c.head
	}
	return c.sums[len(c.sums)-1]
}

// headOf sums up what stands beside the messages.
func headOf(s sent) sum {
	h := sha256.New()
	write := func(text string) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(text)))
		_, _ = h.Write(n[:]) // a hash takes everything
		_, _ = h.Write([]byte(text))
	}
	write(s.body.Dialect.Name)
	write(s.model)
	write(canon.Compact(&ground.Node{Kind: ground.Mapping, Fields: s.body.Settings}))
	for _, t := range s.body.Tools {
		write(t.Sent)
	}
	return sum(h.Sum(nil))
}

// sumsOf sums up what messages say, without breakpoints, which move on with the
// conversation.
func sumsOf(before sum, messages []request.Message) []sum {
	var out []sum
	for i := range messages {
		h := sha256.New()
		write := func(text string) {
			var n [8]byte
			binary.LittleEndian.PutUint64(n[:], uint64(len(text)))
			_, _ = h.Write(n[:])
			_, _ = h.Write([]byte(text))
		}
		_, _ = h.Write(before[:])
		write(string(messages[i].Role))
		for _, b := range messages[i].Leaves() {
			write(b.Name)
			write(string(rune(b.Kind)))
			write(b.Text())
			if b.Image != nil {
				write(b.Image.URL)
			}
		}
		before = sum(h.Sum(nil))
		out = append(out, before)
	}
	return out
}
