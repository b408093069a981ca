package prompt

import (
	"strconv"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// Conversation is a fixture of the kind conversation: one state of a session,
// as it is written.
type Conversation struct {
	Doc *Doc
	// Workspace is the folder of the files, relative to the manifest's; ""
	// for none.
	Workspace Word
	Selected  []Word // paths below the workspace
	// Tiers hold the keys of L0 to L3, as written.
	Tiers   [Tiers][]TierKey
	Symbols []SymbolBlock // as written
	Legend  Text
	History []Said
	URLs    []Page
	Review  *Review // nil for none
	Images  []Image
	// Prompt is what the user asks now.
	Prompt   Text
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
	Word Word
}

// SymbolBlock is what the repository map says of one file.
type SymbolBlock struct {
	Path Word
	Text Text // trimmed of outer line breaks
}

// Said is one message of the history.
type Said struct {
	Role    Word
	Content Text
	At      diag.Span
}

// Page is something fetched from a URL. Only URL is always there.
type Page struct {
	Title, URL, Content, Symbols Text
	At                           diag.Span
}

// Review is the state of a code review. What is empty is left out.
type Review struct {
	Summary, Commits, Stats, Symbols Text
	Diffs                            []Diff // in the order in which they are shown
	At                               diag.Span
}

// Diff is one diff of a review. Path is "" where the fixture gives none.
type Diff struct {
	Path Word
	Text Text
}

// Image is a picture that goes with the prompt, as a data URL.
type Image struct {
	URL   string // data:MEDIA;base64,DATA
	Media string // image/png, …
	Data  string // canonical base64
	Bytes int    // decoded
	At    diag.Span
}

// Dialogue is a conversation bound for one assembly: every key found, and
// everything in the one place where it is shown.
type Dialogue struct {
	Conversation *Conversation
	// Name tells the fixture from the prompt's others: its file's name
	// without extension, or more of the path where two would be alike.
	Name string
	// Flat is the assembly without tiers; then Tiers are empty, Symbols are
	// in the system message, and Active is the whole history.
	Flat  bool
	Tiers [Tiers]Tier
	// Symbols are the blocks outside the tiers, by path.
	Symbols []*SymbolBlock
	// Tree are all files of the workspace, by bytes.
	Tree []string
	// Working are the files that are shown in full outside the tiers, by path.
	Working []WorkFile
	// Active are indices of the history outside the tiers, ascending.
	Active []int
	// LeftOut are the keys that the assembly shows elsewhere or not at all, in
	// the order of the fixture.
	LeftOut []LeftOut
}

// LeftOut is a key of a fixture that does not stand where it was asked for.
type LeftOut struct {
	Kind ContentKind // ContentSymbols or ContentFile
	Path string
	// Why is the reason in the outline's words: "in full" for the symbols of a
	// file that is there in full, "in L1" for a selected file that a tier has.
	Why string
}

// Content gives what the key names.
func (l LeftOut) Content() *Content { return &Content{Kind: l.Kind, Key: l.Path} }

// Tier is what one cache tier shows: symbols and files by path, history by
// index.
type Tier struct {
	Symbols []*SymbolBlock
	Files   []WorkFile
	History []int
}

// Empty reports whether the tier shows nothing.
func (t Tier) Empty() bool { return len(t.Symbols)+len(t.Files)+len(t.History) == 0 }

// WorkFile is a file of the workspace that is shown in full. Its bytes are
// Doc.File.Text.
type WorkFile struct {
	Path string // below the workspace
	Doc  *Doc
	At   diag.Span // where the fixture names it first
}

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
