package validate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/suggest"
	"github.com/promptc-build/promptc/pipeline/language"
)

// goal decodes a goal, as far as it has the right shape.
func (d *documents) goal(doc *language.Doc, n *ground.Node) {
	if n == nil || n.Kind != ground.Mapping {
		return
	}
	out := &language.Goal{
		Priority: wordOr(n.Field("priority"), "medium"),
		Status:   wordOr(n.Field("status"), "active"),
	}
	out.Description = textOf(n.Field("description"))
	names := newDistinct()
	for _, item := range n.Field("checkpoints").List() {
		description := item.Field("description")
		d.sameWords(names, description)
		out.Checkpoints = append(out.Checkpoints, language.Checkpoint{
			Description: textOf(description), Status: wordOr(item.Field("status"), "pending"),
		})
	}
	names = newDistinct()
	for _, item := range n.Field("decisions").List() {
		description, locked := item.Field("description"), item.Field("locked")
		d.sameWords(names, description)
		decision := language.Decision{Description: textOf(description)}
		if locked.IsTrue() {
			decision.Locked, decision.LockedAt = true, locked.At
		}
		out.Decisions = append(out.Decisions, decision)
	}
	for _, item := range n.Field("artifacts").List() {
		out.Artifacts = append(out.Artifacts, language.GoalArtifact{
			Path: textOf(item.Field("path")), Action: wordOr(item.Field("action"), ""),
		})
	}
	d.Goals[doc] = out
}

func wordOr(n *ground.Node, missing string) ground.Word {
	if n == nil || !n.IsScalar() {
		return ground.Word{Str: missing}
	}
	return ground.Word{Str: n.Text.Str, At: n.At}
}

func textOf(n *ground.Node) ground.Text {
	if !n.IsScalar() {
		return ground.Text{}
	}
	return n.Text
}

// sameWords reports a description that appears twice: a marker that names
// it could mean either.
func (d *documents) sameWords(names distinct, n *ground.Node) {
	if w := wordOr(n, ""); w.Str != "" {
		d.found = append(d.found, names.onceAs(language.SameWords(w.Str), w)...)
	}
}

// markers are the names of markers; how each is written is a row `form-NAME`.
var markers = []string{language.MarkGoal, language.MarkCheckpoint, language.MarkDecision, language.MarkArtifact, language.MarkNext}

// The words of markers, as a goal writes them.
var (
	checkpointStatuses = []string{"completed", "in-progress", "pending", "blocked"}
	artifactActions    = []string{"created", "modified", "deleted"}
)

// transcript reads the markers of a transcript in their order. All other
// lines are ordinary text.
func (d *documents) transcript(doc *language.Doc) {
	r := markerReader{body: doc.Body}
	for start := 0; start < len(r.body.Str); {
		line, _, _ := strings.Cut(r.body.Str[start:], "\n")
		r.line(start, start+len(line))
		start += len(line) + 1
	}
	d.Markers[doc] = r.markers
	d.found = append(d.found, r.found...)
}

// markerReader reads the lines of one transcript.
type markerReader struct {
	body    ground.Text
	markers []language.Marker
	found   diag.List
}

const blanks = " \t"

// listed is what a marker may stand behind: list items, check boxes and quotes.
var listed = regexp.MustCompile(`^(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)]|\[[ xX]\])[ \t]+)+`)

// decorated is a marker behind other signs than those, such as bold ones. A table
// row is left alone.
var decorated = regexp.MustCompile(`^([^\pL\pN|]+)\[(` + strings.Join(markers, "|") + `)\]`)

// line reads the bytes [start, end), a line.
func (r *markerReader) line(start, end int) {
	start, end = r.inner(start, end)
	start += len(listed.FindString(r.body.Str[start:end]))
	name, ok := bracketed(r.body.Str[start:end])
	if !ok {
		if m := decorated.FindStringSubmatch(r.body.Str[start:end]); m != nil {
			r.refuse(m[2], r.body.Span(start, end), "marker-behind-signs", m[2], m[1])
		}
		return
	}
	at := r.body.Span(start, end)
	if !slices.Contains(markers, name) {
		r.unknown(name, at)
		return
	}
	rest := start + len(name) + len("[]")
	m := language.Marker{Name: name, At: at}
	from, to := r.inner(rest, end)
	switch {
	case from == to:
		r.refuse(name, at, "marker-lacks-text", name)
		return
	case from == rest:
		r.refuse(name, at, "marker-without-space", name)
		return
	}
	if r.parse(&m, from, to) {
		r.markers = append(r.markers, m)
	}
}

// inner gives the range without outer blanks.
func (r *markerReader) inner(start, end int) (from, to int) {
	s := r.body.Str[start:end]
	from = start + len(s) - len(strings.TrimLeft(s, blanks))
	return from, max(from, start+len(strings.TrimRight(s, blanks)))
}

// bracketed gives the word in brackets that a line starts with, of letters
// alone.
func bracketed(line string) (string, bool) {
	word, found := strings.CutPrefix(line, "[")
	if !found {
		return "", false
	}
	word, _, found = strings.Cut(word, "]")
	letter := func(c rune) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }
	return word, found && word != "" && strings.IndexFunc(word, func(c rune) bool { return !letter(c) }) < 0
}

// unknown reports a word in brackets that was probably meant as a marker.
func (r *markerReader) unknown(word string, at diag.Span) {
	upper := strings.ToUpper(word)
	switch meant, close := suggest.Best(word, markers); {
	case slices.Contains(markers, upper):
		r.refuse(upper, at, "marker-not-in-capitals", word)
	case word == upper && close:
		r.found = append(r.found, diag.New(diag.BadMarker, at, "unknown-marker", word).WithHint("did-you-mean-marker", meant))
	}
}

// parse reads what stands behind a marker's name: the bytes [from, to).
func (r *markerReader) parse(m *language.Marker, from, to int) bool {
	m.Text = r.body.Slice(from, to)
	switch m.Name {
	case language.MarkCheckpoint:
		return r.checkpoint(m, from, to)
	case language.MarkDecision:
		return r.decision(m, from, to)
	case language.MarkArtifact:
		return r.artifact(m, from, to)
	case language.MarkNext:
		m.Word = ground.Word{Str: "pending", At: m.At}
		return r.next(m, from, to)
	}
	return true
}

// next refuses a status behind [NEXT]: its checkpoint is always pending.
func (r *markerReader) next(m *language.Marker, from, to int) bool {
	_, word, ok := r.ending(from, to)
	if !ok {
		return true
	}
	status, is := choice(word.Str, checkpointStatuses)
	if !is && word.Str == strings.ToUpper(word.Str) {
		status, is = suggest.Best(word.Str, checkpointStatuses)
	}
	if !is {
		return true // a dash that is part of the text
	}
	r.found = append(r.found, diag.New(diag.BadMarker, word.At, "marker-ends-status", m.Name, word.Str).
		WithHint("write-checkpoint", language.MarkCheckpoint, strings.ToUpper(status)))
	return false
}

// dash stands between a description and the word behind it.
const dash = " - "

// ending splits a text before its last dash.
func (r *markerReader) ending(from, to int) (text ground.Text, word ground.Word, ok bool) {
	i := strings.LastIndex(r.body.Str[from:to], dash)
	if i < 0 {
		return ground.Text{}, ground.Word{}, false
	}
	_, end := r.inner(from, from+i)
	start, _ := r.inner(from+i+len(dash), to)
	return r.body.Slice(from, end), ground.Word{Str: r.body.Str[start:to], At: r.body.Span(start, to)}, end > from
}

func (r *markerReader) checkpoint(m *language.Marker, from, to int) bool {
	text, word, ok := r.ending(from, to)
	if !ok {
		r.refuse(m.Name, m.At, "marker-without-status", m.Name)
		return false
	}
	word.Str, ok = choice(word.Str, checkpointStatuses)
	if !ok {
		r.refuse(m.Name, word.At, "marker-unknown-status", m.Name, word.Str)
		return false
	}
	m.Text, m.Word = text, word
	return true
}

// decision reads a text that may end in LOCKED. Any other ending is a part of
// the text, unless it was probably meant as that.
func (r *markerReader) decision(m *language.Marker, from, to int) bool {
	text, word, ok := r.ending(from, to)
	if !ok {
		return true
	}
	if strings.EqualFold(word.Str, "locked") {
		m.Text, m.Word = text, ground.Word{Str: "locked", At: word.At}
		return true
	}
	if _, close := suggest.Best(word.Str, []string{"locked", "unlocked"}); close && !strings.ContainsAny(word.Str, blanks) {
		r.refuse(m.Name, word.At, "marker-ends", m.Name, word.Str)
		return false
	}
	return true
}

func (r *markerReader) artifact(m *language.Marker, from, to int) bool {
	length := strings.IndexAny(r.body.Str[from:to], blanks)
	if length < 0 {
		r.refuse(m.Name, m.At, "marker-without-path", m.Name)
		return false
	}
	word := ground.Word{Str: r.body.Str[from : from+length], At: r.body.Span(from, from+length)}
	action, ok := choice(word.Str, artifactActions)
	if !ok {
		r.refuse(m.Name, word.At, "marker-unknown-action", m.Name, word.Str)
		return false
	}
	start, end := r.inner(from+length, to)
	m.Text, m.Word = r.body.Slice(start, end), ground.Word{Str: action, At: word.At}
	return true
}

// choice gives a word as a goal writes it; case does not count.
func choice(word string, known []string) (string, bool) {
	i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, word) })
	if i < 0 {
		return word, false
	}
	return known[i], true
}

// refuse reports a marker that does not parse, with its form.
func (r *markerReader) refuse(name string, at diag.Span, key string, args ...any) {
	r.found = append(r.found, diag.New(diag.BadMarker, at, key, args...).WithHint("form-"+name))
}
