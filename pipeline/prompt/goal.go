package prompt

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// Goal is what an agent works towards and how far it is.
type Goal struct {
	Description Text
	// Priority is high, medium or low; Status active, paused or completed.
	// Where nothing says so they have no place.
	Priority, Status Word
	Checkpoints      []Checkpoint
	Decisions        []Decision
	Artifacts        []GoalArtifact
}

// Checkpoint is one step towards a goal.
type Checkpoint struct {
	Description Text
	Status      Word // completed, in-progress, pending or blocked; At is what set it last
}

// Decision is what was decided on the way.
type Decision struct {
	Description Text
	Locked      bool
	LockedAt    diag.Span // what locked it
}

// GoalArtifact is a file that the work on a goal touched.
type GoalArtifact struct {
	Path   Text
	Action Word // created, modified or deleted
}

// The markers of a transcript.
const (
	MarkGoal       = "GOAL"
	MarkCheckpoint = "CHECKPOINT"
	MarkDecision   = "DECISION"
	MarkArtifact   = "ARTIFACT"
	MarkNext       = "NEXT"
)

// Marker is a line of a transcript that changes a goal.
type Marker struct {
	Name string // one of the Mark constants
	Text Text   // the description, or the path of an artifact
	// Word is a checkpoint's status, an artifact's action (both in the words
	// of Goal), or "locked" of a decision that is to be.
	Word Word
	At   diag.Span // the line
}

// Progress says how many checkpoints of a goal are completed.
type Progress struct {
	Completed, Total int
}

// SameWords gives what two descriptions are compared by: their words without
// regard to case and to the white space between them.
func SameWords(description string) string {
	return strings.ToLower(strings.Join(strings.Fields(description), " "))
}
