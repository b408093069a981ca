package resolve

import (
	"slices"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// goalFiles names a goal with the markers of a transcript applied.
type goalFiles struct {
	doc        *language.Doc
	transcript string
}

// wholeGoal refuses what would shorten a goal.
func (s *scope) wholeGoal(w ground.Word, d *language.Section) {
	source := s.binder.sources[w.Str]
	if source == nil || source.Kind == nil || !source.Kind.Goals {
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
// the transcripts applied. It reports false if there is none: neither in a file,
// which may be absent, nor by a marker.
func (sec *section) applyTranscript(in *assembly.Input) bool {
	if len(in.Docs) > 1 {
		sec.diags = append(sec.diags, diag.New(diag.SeveralGoals, in.Source.Path[0].At, "source-goal-matches-files", in.Source.ID.Str, len(in.Docs)).
			WithHint("second-name-file", in.Docs[1].File.Path))
		return true
	}
	transcript := in.Source.Transcript
	docs := sec.spec.Tree.Matches[language.MatchKey{Path: transcript.Str, Kind: language.TranscriptKind}]
	if transcript.Str != "" && len(docs) == 0 {
		sec.diags = append(sec.diags, diag.New(diag.NoFile, transcript.At, "transcript-matches-no-file", transcript.Str).
			WithHint("paths-relative-manifest-remove"))
	}
	var stated *language.Goal
	key := goalFiles{transcript: transcript.Str}
	if len(in.Docs) > 0 {
		key.doc = in.Docs[0]
		if stated = sec.spec.Goals[key.doc]; stated == nil {
			return true // refused, where it is read
		}
	}
	goal, known := sec.goals[key]
	if !known {
		goal = sec.updated(stated, docs)
		sec.goals[key] = goal
	}
	in.Goal = goal
	in.Docs = slices.Concat(in.Docs, docs)
	return goal != nil
}

// progress is a goal on its way through a transcript.
type progress struct {
	*language.Goal
	// The places of checkpoints and decisions by their words, and of artifacts
	// by their paths: a transcript may have thousands of lines.
	checkpoints, decisions, artifacts map[string]int
}

func begin(g *language.Goal) *progress {
	p := &progress{Goal: g, checkpoints: map[string]int{}, decisions: map[string]int{}, artifacts: map[string]int{}}
	for i, c := range g.Checkpoints {
		p.checkpoints[language.SameWords(c.Description.Str)] = i
	}
	for i, d := range g.Decisions {
		p.decisions[language.SameWords(d.Description.Str)] = i
	}
	stated := g.Artifacts
	g.Artifacts = nil
	for _, a := range stated {
		p.touched(a)
	}
	return p
}

// touched records what was done to a file; the last action counts.
func (p *progress) touched(a language.GoalArtifact) {
	i, known := p.artifacts[a.Path.Str]
	if !known {
		i = len(p.Artifacts)
		p.artifacts[a.Path.Str] = i
		p.Artifacts = append(p.Artifacts, a)
	}
	p.Artifacts[i].Action = a.Action
}

// updated gives the goal after all markers, nil if there is none. What was stated
// stays as it is.
func (b *binder) updated(stated *language.Goal, transcripts []*language.Doc) *language.Goal {
	var p *progress
	if stated != nil {
		g := *stated
		g.Checkpoints = slices.Clone(g.Checkpoints)
		g.Decisions = slices.Clone(g.Decisions)
		p = begin(&g)
	}
	var stray []language.Marker
	for _, doc := range transcripts {
		for _, m := range b.spec.Markers[doc] {
			if p == nil && m.Name != language.MarkGoal {
				stray = append(stray, m)
				continue
			}
			p = b.apply(p, m)
		}
	}
	if len(stray) > 0 {
		d := diag.New(diag.NoGoalYet, stray[0].At, "marker-before-goal", stray[0].Name)
		if len(stray) > 1 {
			d.What = diag.Say("markers-before-goal", diag.Count(len(stray)), stray[0].Name)
		}
		b.diags = append(b.diags, d.WithHint("write-goal-first"))
	}
	if p == nil {
		return nil
	}
	p.settle()
	return p.Goal
}

// apply does what one marker says, and gives the goal that it leads to.
func (b *binder) apply(p *progress, m language.Marker) *progress {
	words := language.SameWords(m.Text.Str)
	switch m.Name {
	case language.MarkGoal:
		if p != nil && words == language.SameWords(p.Description.Str) {
			return p // said again
		}
		return begin(&language.Goal{
			Description: m.Text,
			Priority:    ground.Word{Str: "medium", At: m.At}, Status: ground.Word{Str: "active", At: m.At},
		})
	case language.MarkCheckpoint, language.MarkNext:
		i, known := p.checkpoints[words]
		if !known {
			i = len(p.Checkpoints)
			p.checkpoints[words] = i
			p.Checkpoints = append(p.Checkpoints, language.Checkpoint{Description: m.Text})
		}
		p.Checkpoints[i].Status = m.Word
	case language.MarkDecision:
		b.decide(p, m, words)
	case language.MarkArtifact:
		p.touched(language.GoalArtifact{Path: m.Text, Action: m.Word})
	}
	return p
}

// decide records a decision, or locks one. A locked one never changes.
func (b *binder) decide(p *progress, m language.Marker, words string) {
	locks := m.Word.Str == "locked"
	i, known := p.decisions[words]
	if !known {
		i = len(p.Decisions)
		p.decisions[words] = i
		p.Decisions = append(p.Decisions, language.Decision{Description: m.Text})
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
		p.Status = ground.Word{Str: "completed", At: p.Checkpoints[n-1].Status.At}
	}
}
