package render

import (
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// goalBody prints a goal: what is to be reached, how far it is, what was
// decided and which files were touched.
func goalBody(b *bench, group []*prompt.Input) passage {
	in := group[0]
	g := in.Goal
	if g == nil {
		return passage{}
	}
	done := 0
	line := func(t prompt.Text) passage { return oneLine(b.field(in, t)) }
	var checkpoints, decisions, artifacts []scope
	for i, c := range g.Checkpoints {
		status := c.Status.Str
		if status == "completed" {
			done++
		}
		checkpoints = append(checkpoints, scope{
			// The number stands for the status: it comes from what set that.
			textEntry("Number", derived(strconv.Itoa(i+1), c.Status.At)),
			passEntry("Description", line(c.Description)),
			flagEntry("Completed", status == "completed"), flagEntry("InProgress", status == "in-progress"),
			flagEntry("Pending", status == "pending"), flagEntry("Blocked", status == "blocked"),
		})
	}
	for _, d := range g.Decisions {
		decisions = append(decisions, scope{passEntry("Description", line(d.Description)), flagEntry("Locked", d.Locked)})
	}
	for _, a := range g.Artifacts {
		artifacts = append(artifacts, scope{textEntry("Action", capital(a.Action)), passEntry("Path", line(a.Path))})
	}
	b.progress(done, len(g.Checkpoints))
	return b.frame(b.style(in), scope{
		passEntry("Description", line(g.Description)),
		textEntry("Priority", capital(g.Priority)), textEntry("Status", capital(g.Status)),
		listEntry("Checkpoints", checkpoints), listEntry("Decisions", decisions), listEntry("Artifacts", artifacts),
	})
}

// progress adds to the checkpoints of the section's goals.
func (b *bench) progress(completed, total int) {
	if total == 0 {
		return
	}
	if b.out.Progress == nil {
		b.out.Progress = &prompt.Progress{}
	}
	b.out.Progress.Completed += completed
	b.out.Progress.Total += total
}

// capital gives a word with a capital at its start, as something made from
// its place.
func capital(w prompt.Word) prompt.Text {
	if w.Str == "" {
		return prompt.Text{}
	}
	return derived(strings.ToUpper(w.Str[:1])+w.Str[1:], w.At)
}
