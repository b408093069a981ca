package resolve

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// goalFiles names a goal with the markers of a transcript applied.
type goalFiles struct {
	doc        *prompt.Doc
	transcript string
}

// wholeGoal refuses what would shorten a goal.
func (s *scope) wholeGoal(w prompt.Word, d *prompt.Section) {
	source := s.binder.sources[w.Str]
	if source == nil || source.Kind == nil || source.Kind.Name != prompt.GoalKind {
		return
	}
	refuse := func(key string, at diag.Span) {
		s.diags = append(s.diags, diag.New(diag.GoalStaysWhole, at, "section-goal-never-shortened", d.ID.Str, key).
			WithHint("remove-key-shorten-goals"))
	}
	for _, c := range d.Options.Limit {
		refuse("limit", c.At)
	}
	for _, c := range d.Degrade {
		refuse("degrade", c.At)
	}
}

// applyTranscript gives an input its goal: the file's, with the markers of
// the transcripts applied.
func (sec *section) applyTranscript(in *prompt.Input) {
	if len(in.Docs) > 1 {
		sec.diags = append(sec.diags, diag.New(diag.SeveralGoals, in.Source.Path[0].At, "source-goal-matches-files", in.Source.ID.Str, len(in.Docs)).
			WithHint("second-name-file", in.Docs[1].File.Path))
		return
	}
	doc, transcript := in.Docs[0], in.Source.Transcript
	docs := sec.spec.Tree.Matches[prompt.MatchKey{Path: transcript.Str, Kind: prompt.TranscriptKind}]
	if transcript.Str != "" && len(docs) == 0 {
		sec.diags = append(sec.diags, diag.New(diag.NoFile, transcript.At, "transcript-matches-no-file", transcript.Str).
			WithHint("paths-relative-manifest-remove"))
	}
	key := goalFiles{doc, transcript.Str}
	goal, known := sec.goals[key]
	if !known {
		if stated := sec.spec.Goals[doc]; stated != nil {
			goal = sec.updated(stated, docs)
		}
		sec.goals[key] = goal
	}
	in.Goal = goal
	in.Docs = slices.Concat(in.Docs, docs)
}

// progress is a goal on its way through a transcript.
type progress struct {
	*prompt.Goal
	// The places of checkpoints and decisions by their words, and what is
	// known of artifacts: a transcript may have thousands of lines.
	checkpoints, decisions map[string]int
	artifacts              map[[2]string]bool
}

func begin(g *prompt.Goal) *progress {
	p := &progress{Goal: g, checkpoints: map[string]int{}, decisions: map[string]int{}, artifacts: map[[2]string]bool{}}
	for i, c := range g.Checkpoints {
		p.checkpoints[prompt.SameWords(c.Description.Str)] = i
	}
	for i, d := range g.Decisions {
		p.decisions[prompt.SameWords(d.Description.Str)] = i
	}
	for _, a := range g.Artifacts {
		p.artifacts[[2]string{a.Action.Str, a.Path.Str}] = true
	}
	return p
}

// updated gives the goal after all markers. What was stated stays as it is.
func (b *binder) updated(stated *prompt.Goal, transcripts []*prompt.Doc) *prompt.Goal {
	g := *stated
	g.Checkpoints = slices.Clone(g.Checkpoints)
	g.Decisions = slices.Clone(g.Decisions)
	g.Artifacts = slices.Clone(g.Artifacts)
	p := begin(&g)
	for _, doc := range transcripts {
		for _, m := range b.spec.Markers[doc] {
			p = b.apply(p, m)
		}
	}
	p.settle()
	return p.Goal
}

// apply does what one marker says, and gives the goal that it leads to.
func (b *binder) apply(p *progress, m prompt.Marker) *progress {
	words := prompt.SameWords(m.Text.Str)
	switch m.Name {
	case prompt.MarkGoal:
		if words == prompt.SameWords(p.Description.Str) {
			return p // said again
		}
		return begin(&prompt.Goal{
			Description: m.Text,
			Priority:    prompt.Word{Str: "medium", At: m.At}, Status: prompt.Word{Str: "active", At: m.At},
		})
	case prompt.MarkCheckpoint, prompt.MarkNext:
		i, known := p.checkpoints[words]
		if !known {
			i = len(p.Checkpoints)
			p.checkpoints[words] = i
			p.Checkpoints = append(p.Checkpoints, prompt.Checkpoint{Description: m.Text})
		}
		p.Checkpoints[i].Status = m.Word
	case prompt.MarkDecision:
		b.decide(p, m, words)
	case prompt.MarkArtifact:
		if key := [2]string{m.Word.Str, m.Text.Str}; !p.artifacts[key] {
			p.artifacts[key] = true
			p.Artifacts = append(p.Artifacts, prompt.GoalArtifact{Path: m.Text, Action: m.Word})
		}
	}
	return p
}

// decide records a decision, or locks one. A locked one never changes.
func (b *binder) decide(p *progress, m prompt.Marker, words string) {
	locks := m.Word.Str == "locked"
	i, known := p.decisions[words]
	if !known {
		i = len(p.Decisions)
		p.decisions[words] = i
		p.Decisions = append(p.Decisions, prompt.Decision{Description: m.Text})
	}
	d := &p.Decisions[i]
	switch {
	case locks && !d.Locked:
		d.Locked, d.LockedAt = true, m.Word.At
	case !locks && d.Locked:
		b.diags = append(b.diags, diag.New(diag.LockedDecision, m.At, "decision-locked-cannot-change", d.Description.Str).
			WithHint("locked-at", lineOf(d.LockedAt)))
	}
}

// settle completes a goal of which every checkpoint is completed.
func (p *progress) settle() {
	for _, c := range p.Checkpoints {
		if c.Status.Str != "completed" {
			return
		}
	}
	if n := len(p.Checkpoints); n > 0 && p.Status.Str != "completed" {
		p.Status = prompt.Word{Str: "completed", At: p.Checkpoints[n-1].Status.At}
	}
}
