package recorded

import (
	"crypto/sha256"
	"encoding/binary"
	"regexp"
	"slices"
	"strconv"

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
	met := map[sum]bool{} // of all requests
	for _, s := range all {
		c := &conversation{sent: s, turns: []int{len(s.body.Messages)}, head: headOf(s)}
		c.sums = sumsOf(c.head, s.body.Messages)
		if met[c.last()] {
			continue // sent again
		}
		met[c.last()] = true
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
		c.turns = append(before.turns, c.turns...)
		out[i], open[c.last()] = c, i
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
		case at != nil: // else other settings, after which the same messages are still kept
			c.broken, c.breaks = i, at
			return
		}
	}
}

// differs gives the first block in which a request differs from what another says
// there, nil for none, and whether the other goes on with its conversation: it has at
// least half of what is said besides the system text, but for times and the like.
func differs(was, is []request.Message) (at *language.Break, alike bool) {
	all, same := 0, 0
	for m := range was {
		if was[m].Role != is[m].Role {
			return nil, false
		}
		old, now := was[m].Leaves(), is[m].Leaves()
		for b := range max(len(old), len(now)) {
			if at == nil && (b >= len(old) || b >= len(now) || shown(old[b]) != shown(now[b])) {
				at = &language.Break{Message: m, Block: b}
				if b < len(old) && b < len(now) {
					at.Same = prefix(shown(old[b]), shown(now[b]))
				}
			}
		}
		if was[m].Role == request.System {
			continue
		}
		for _, b := range old {
			text := digits.ReplaceAllString(shown(b), "")
			all += len(shown(b))
			if slices.ContainsFunc(now, func(o request.Block) bool { return digits.ReplaceAllString(shown(o), "") == text }) {
				same += len(shown(b))
			}
		}
	}
	return at, all > 0 && 2*same >= all
}

// digits are what times, counters and ids are made of.
var digits = regexp.MustCompile(`[0-9]|\b[0-9a-f]{8,}\b`)

// prefix counts the bytes with which two texts begin alike.
func prefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func sameTools(a, b *request.Body) bool {
	return slices.EqualFunc(a.Tools, b.Tools, func(t, u *request.Tool) bool { return t.Sent == u.Sent })
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

// sumsOf sums up what messages say, and what they have beside that; without
// breakpoints, which move on with the conversation.
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
		rest := func(fields []ground.Field) { write(canon.Compact(&ground.Node{Kind: ground.Mapping, Fields: fields})) }
		_, _ = h.Write(before[:])
		m := &messages[i]
		write(string(m.Role) + "\x00" + m.Word + "\x00" + strconv.Itoa(m.Answers))
		rest(m.Rest)
		for _, b := range m.Blocks {
			write(strconv.Itoa(int(b.Kind)) + "\x00" + b.Name + "\x00" + strconv.Itoa(b.Number))
			rest(b.Rest)
		}
		for _, b := range m.Leaves() {
			write(shown(b))
		}
		before = sum(h.Sum(nil))
		out = append(out, before)
	}
	return out
}

// shown gives what a block says or shows.
func shown(b request.Block) string {
	if b.Image != nil {
		return b.Image.URL
	}
	return b.Text()
}
