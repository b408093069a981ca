package language

import (
	"strconv"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/request"
)

// Conversation is a fixture of the kind conversation: one state of a session,
// as it is written.
type Conversation struct {
	Doc *Doc
	// Workspace is the folder of the files, relative to the manifest's; ""
	// for none.
	Workspace ground.Word
	Selected  []ground.Word // paths below the workspace
	// Tiers hold the keys of L0 to L3, as written.
	Tiers   [Tiers][]TierKey
	Symbols []SymbolBlock // as written
	Legend  ground.Text
	History []Said
	URLs    []Page
	Review  *Review // nil for none
	Images  []Image
	// Prompt is what the user asks now.
	Prompt   ground.Text
	PromptAt diag.Span
}

// Tiers is the number of cache tiers, L0 to L3.
const Tiers = 4

// TierName gives the name of a tier, as fixtures write it.
func TierName(n int) string { return "L" + strconv.Itoa(n) }

// TierKeyKind says what a key of a tier names.
type TierKeyKind int

// The kinds of keys, in the order in which a tier shows them.
const (
	KeySymbol  TierKeyKind = iota // symbol:PATH
	KeyFile                       // file:PATH
	KeyHistory                    // history:N
)

func (k TierKeyKind) String() string {
	return [...]string{"symbol", "file", "history"}[k]
}

// TierKey is one entry of a tier.
type TierKey struct {
	Kind TierKeyKind
	Path string // of a symbol or file, below the workspace
	N    int    // of history: the index, from 0
	// Word is the key as written.
	Word ground.Word
}

// SymbolBlock is what the repository map says of one file.
type SymbolBlock struct {
	Path ground.Word
	Text ground.Text // trimmed of outer line breaks
}

// Said is one message of the history.
type Said struct {
	Role    ground.Word
	Content ground.Text
	At      diag.Span
}

// Page is something fetched from a URL. Only URL is always there.
type Page struct {
	Title, URL, Content, Symbols ground.Text
	At                           diag.Span
}

// Review is the state of a code review. What is empty is left out.
type Review struct {
	Summary, Commits, Stats, Symbols ground.Text
	Diffs                            []Diff // in the order in which they are shown
	At                               diag.Span
}

// Diff is one diff of a review. Path is "" where the fixture gives none.
type Diff struct {
	Path ground.Word
	Text ground.Text
}

// Image is a picture that a fixture shows: its URL holds it.
type Image = request.Image

// Workspace is the folder of a conversation, as load found it.
type Workspace struct {
	// Files are the paths of all regular files below it, by bytes.
	Files []string
	// Docs are the files that the fixtures name, by path below it. A path
	// without an entry is not there, or was refused with a finding.
	Docs map[string]*Doc
	// Real gives for each of Files and Docs that is reached through a link the
	// path below the workspace that it leads to; files that are themselves have
	// no entry.
	Real map[string]string
}

// Role says who speaks in a message.
type Role = request.Role

// The roles. Dialects have words of their own for them.
const (
	RoleSystem    = request.System
	RoleUser      = request.User
	RoleAssistant = request.Assistant
)
