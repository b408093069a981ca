package git

import (
	"context"
	"slices"
	"time"
)

// OpenWithin is Open with another limit for answers.
func OpenWithin(dir string, limit time.Duration) (*Repository, error) {
	return open(context.Background(), dir, limit)
}

// TopicsOf runs git in a folder, and gives the topics that it speaks of.
func TopicsOf(dir string, args ...string) []string {
	p := program{ctx: context.Background(), dir: dir, env: without(environment(), "GIT_LITERAL_PATHSPECS"), limit: time.Minute} // as check-ignore wants it
	_, said, _ := p.answer(args...)
	var out []string
	for t := range phrases {
		if said.about(t) {
			out = append(out, string(t))
		}
	}
	slices.Sort(out)
	return out
}
