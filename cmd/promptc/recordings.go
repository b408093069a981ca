package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/ground/secret"
	"github.com/promptc-build/promptc/pipeline/language/load"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/lock"
	"github.com/promptc-build/promptc/pipeline/world/record"
)

// finish says what the programs came to, and writes it.
func (r *recordings) finish(ctx context.Context, all []*taken) error {
	if r.c.Bool("doctor") {
		return r.diagnose(all)
	}
	var recorded []*pipeline.Recording
	var lacking *status
	lost := 0
	for _, t := range all {
		if err := r.say(t); err != nil {
			return err
		}
		lost += t.rec.Lost() + len(t.strange)
		for _, one := range t.all {
			lost += len(one.Misfits) + len(one.Bad)
			short := r.cutShort(t, one)
			switch {
			case short != nil:
				lacking = cmp.Or(lacking, short)
			case one.Text != "":
				recorded = append(recorded, one)
			default:
				lacking = cmp.Or(lacking, r.lacks(t, one.Name))
			}
		}
		if len(t.all) == 0 {
			lacking = cmp.Or(lacking, r.lacks(t, ""))
		}
		if t.ended.Late {
			lacking = cmp.Or(lacking, &status{code: exitFindings})
		}
	}
	if len(recorded) > 0 {
		if err := r.write(ctx, recorded, lacking != nil); err != nil {
			return err
		}
	}
	switch {
	case lacking != nil:
		return lacking
	case lost > 0 && r.c.Bool("check"):
		return &status{code: exitFindings, message: "not all that is sent is recorded"} // said above
	}
	return nil
}

// maxRecording is how many bytes a recording may have: promptc reads no larger file.
const maxRecording = 16 << 20

// write writes what was recorded, or says with --check how it differs.
func (r *recordings) write(ctx context.Context, all []*pipeline.Recording, some bool) error {
	for _, one := range all {
		if len(one.Text) > maxRecording {
			return (&status{code: exitFindings, message: one.Path + " would have " + words.Number(len(one.Text)) + " bytes, more than 16 MiB"}).
				withHint("pick keeps fewer requests; nothing was written")
		}
	}
	name := recordedFolder
	if r.project != nil {
		name = r.project.name
	}
	release, err := lock.Take(ctx, r.dir, name, r.con.waits)
	if err != nil {
		return failed(err)
	}
	defer release()
	delta, err := pipeline.Recorded(r.fsys, all)
	if err != nil {
		return failed(err)
	}
	was := map[string]*store.Change{}
	for i, c := range delta.Snapshots {
		if was[c.Output.Path] = &delta.Snapshots[i]; c.Status == store.Changed {
			if _, ours := pipeline.RequestsOf(c.Old); !ours {
				return r.foreign(c.Output.Path)
			}
		}
	}
	gone, err := r.gone(all)
	if err != nil {
		return err
	}
	if !r.c.Bool("check") {
		if err := holding(func() error { return pipeline.CommitRecorded(r.dir, delta) }); err != nil {
			return err
		}
	}
	for _, name := range gone {
		if err := r.con.note("nothing is sent any more for %s: remove it", words.Clean(name)); err != nil {
			return err
		}
	}
	if err := r.print(ctx, all, was, some); err != nil {
		return err
	}
	if !r.c.Bool("check") || len(was)+len(gone) == 0 {
		return nil
	}
	out := &status{code: exitFindings, message: "something else is sent than was recorded", hint: "record again: " + r.again(false)}
	if len(gone) == 0 && !slices.ContainsFunc(delta.Snapshots, func(c store.Change) bool { return c.Status == store.Changed }) {
		out.message, out.hint = "not all that is sent was recorded yet", "run: "+r.again(false)
	}
	return out
}

// foreign is the error where a recording would overwrite what somebody wrote.
func (r *recordings) foreign(name string) *status {
	hint := "name another file under rendered, or remove this one"
	if r.project == nil {
		hint = "give the recording another name with --name, or remove this file"
	}
	return &status{code: exitFindings, message: "promptc does not overwrite " + strconv.Quote(name) + ", which holds no requests", hint: hint}
}

// cutShort is the error where a command failed before it sent all that it sent when it
// was recorded, nil elsewhere.
func (r *recordings) cutShort(t *taken, one *pipeline.Recording) *status {
	if r.c.Bool("check") || !t.ended.Late && t.ended.Status == 0 {
		return nil
	}
	old, _ := load.ReadSome(r.fsys, one.Path) // where it cannot be read, writing it says so
	n, ours := pipeline.RequestsOf(string(old))
	if !ours || n <= one.Requests {
		return nil
	}
	return (&status{code: exitFindings, message: one.Path + " stays as it is: it has " + words.Count(n, "request") + ", and the command failed after " + words.Number(one.Requests)}).
		withHint("if the program sends no more than that now, remove the file and record again")
}

// again gives the command as it was run, with or without --check.
func (r *recordings) again(check bool) string {
	command := "promptc record"
	if check {
		command += " --check"
	}
	return repeated(r.c, command, "check")
}

// gone gives the recordings of labels that a command does not use any more.
func (r *recordings) gone(all []*pipeline.Recording) (out []string, err error) {
	if r.project != nil || slices.ContainsFunc(all, func(one *pipeline.Recording) bool { return one.Path == r.file("") }) {
		return nil, nil
	}
	entries, err := fs.ReadDir(r.fsys, path.Join(recordedFolder, r.name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		name := path.Join(recordedFolder, r.name, e.Name())
		if path.Ext(name) == ".json" && !slices.ContainsFunc(all, func(one *pipeline.Recording) bool { return one.Path == name }) {
			out = append(out, name)
		}
	}
	return out, failed(err)
}

// print says how each recording compares with the file that was there, and then what
// changed, or how large it is. Some says that others are lacking.
func (r *recordings) print(ctx context.Context, all []*pipeline.Recording, was map[string]*store.Change, some bool) error {
	first := true
	for _, one := range all {
		what := "unchanged"
		switch c := was[one.Path]; {
		case c != nil && c.Status == store.Added:
			what = "new"
		case c != nil:
			what, first = "changed", false
		default:
			first = false
		}
		line := what + "  " + words.Clean(one.Path) + "  " + words.Count(one.Requests, "request")
		if one.Sent > one.Requests {
			line += ", sent " + words.Count(one.Sent, "time")
		}
		if one.Others > 0 {
			line += ", " + words.Count(one.Others, "other") + " not picked"
		}
		if err := r.con.write("%s\n", line); err != nil {
			return err
		}
	}
	switch {
	case len(was) == 0 && r.project == nil:
		return nil
	case len(was) == 0:
		p, made, err := r.compiled(ctx, all)
		if err != nil || !made.Stopped || some {
			return failed(err)
		}
		return r.con.tell(r.c, p, made.Findings) // such as an entry that is not sent
	case r.project != nil && !first:
		return r.printChanges(ctx, all, was, some)
	case !first:
		return r.printLines(all, was)
	}
	return r.printSizes(ctx, all, some)
}

// printLines names the first lines in which recordings differ from the files that were
// there.
func (r *recordings) printLines(all []*pipeline.Recording, was map[string]*store.Change) error {
	for _, one := range all {
		if was[one.Path] == nil || was[one.Path].Status != store.Changed {
			continue
		}
		changes, n := record.Changes(was[one.Path].Old, one.Text)
		for _, c := range changes {
			if err := r.con.write("  %s\n", words.Clean(one.Path)+":"+strconv.Itoa(c.Line)+": "+start(c.Was)+" → "+start(c.Is)); err != nil {
				return err
			}
		}
		if n > len(changes) {
			if err := r.con.write("  and %s\n", words.Count(n-len(changes), "more line")); err != nil {
				return err
			}
		}
	}
	return nil
}

// printChanges prints what changed in what is sent.
func (r *recordings) printChanges(ctx context.Context, all []*pipeline.Recording, changed map[string]*store.Change, some bool) error {
	old, added := map[string][]byte{}, map[string]bool{}
	for name, c := range changed {
		if c.Status == store.Added {
			added[name] = true
		} else {
			old[name] = []byte(c.Old)
		}
	}
	was := r.project.request(pipeline.Composed)
	is := was
	was.Name, was.Files = "what was recorded", load.Over(load.Without(r.fsys, added), old)
	is.Name, is.Files, is.Past = "what is sent", r.after(all), true
	made, err := pipeline.Review(ctx, was, is, pipeline.Policy{})
	if err != nil {
		return failed(err)
	}
	if made.Difference == nil {
		return r.printSizes(ctx, all, some)
	}
	if err := r.con.write("\n"); err != nil {
		return err
	}
	opt := r.con.reportOptions(r.c, r.project, made.Head.Result, r.con.Terminal)
	opt.Whole = true
	return failed(change.Text(r.con.Stdout, made.Difference, made.Findings, change.Judge(made.Difference, made.Findings, nil), opt))
}

// maxSizes is how many variants are listed with their sizes.
const maxSizes = 50

// printSizes prints how large what was recorded is, and which commands come next. What
// does not compile since some variants are lacking is said elsewhere.
func (r *recordings) printSizes(ctx context.Context, all []*pipeline.Recording, some bool) error {
	p, made, err := r.compiled(ctx, all)
	switch {
	case err != nil:
		return failed(err)
	case made == nil, made.Stopped && some:
		return nil
	case made.Stopped:
		return r.con.tell(r.c, p, made.Findings)
	case len(made.Artifacts) <= maxSizes:
		if err := r.con.write("\n"); err != nil {
			return err
		}
		if err := run.List(r.con.Stdout, made, made.Artifacts, run.Listing{Tokens: true}, r.con.reportOptions(r.c, p, made, r.con.Terminal)); err != nil {
			return failed(err)
		}
	}
	if r.project != nil || some || r.c.Bool("check") {
		return nil
	}
	in := ""
	if start, _ := location(r.c); start != "." {
		in = " -C " + shellWord(start)
	}
	next := "promptc init" + in + " --rendered " + shellWord(r.pattern(all))
	if dir, name, err := load.Find(r.dir); err == nil && dir == r.dir {
		next = "add to " + name + ", under prompts: " + r.name + ": " + r.asRendered(all)
	}
	return r.con.write("\nnext: %s\n      %s   (in CI: is it still what is sent?)\n", next, r.again(true))
}

// asRendered writes what was recorded as a prompt of a manifest.
func (r *recordings) asRendered(all []*pipeline.Recording) string {
	pattern := r.pattern(all)
	switch {
	case pattern != all[0].Path:
		return "{rendered: " + strconv.Quote(strings.TrimSuffix(pattern, "*.json")+"{case}.json") + ", axes: {case: auto}}"
	case all[0].Requests > 1:
		return "{rendered: {path: " + strconv.Quote(pattern) + ", entry: \"{case}\"}, axes: {case: auto}}"
	default:
		return "{rendered: " + strconv.Quote(pattern) + "}"
	}
}

// say says what happened beside what is in the recordings.
func (r *recordings) say(t *taken) error {
	var lines []string
	add := func(parts ...string) { lines = append(lines, strings.Join(parts, "")) }
	of := "the command"
	if r.project != nil {
		of = t.program.Chosen()[0].Name + ": the command"
	}
	switch {
	case t.ended.Late:
		add(of, " did not end within ", r.c.Duration("timeout").String(), ", and was ended")
	case t.ended.Status < 0:
		add(of, " was ended by a signal")
	case t.ended.Status > 0:
		add(of, " ended with status ", strconv.Itoa(t.ended.Status))
	}
	if r.project != nil && (t.ended.Late || t.ended.Status != 0) && t.said != "" {
		add("its last output: ", lastLine(t.said))
	}
	for _, h := range t.rec.Refused() {
		add("refused ", words.Count(h.Times, "request"), " to ", words.Clean(h.Name))
	}
	for _, o := range t.rec.Odd() {
		add("not recorded: ", words.Clean(o.Name), times(o.Times))
	}
	for _, label := range t.strange {
		if label == "" {
			add("not recorded: requests without a label, while the command is the same for several variants; ", labelHint(t))
			continue
		}
		add("not recorded: requests with the label ", strconv.Quote(label), ", which is of no variant")
	}
	if n := t.rec.Left(); n > 0 {
		add("nobody asked for ", words.Count(n, "answer"), " of ", words.Clean(t.program.Fixtures))
	}
	var rows []record.Row
	for _, one := range t.all {
		lines = append(lines, r.oddities(one)...)
		said, more := r.changing(one, t.changes[one.Path])
		lines, rows = append(lines, said...), append(rows, more...)
	}
	if len(rows) > 0 {
		lines = append(lines, "to keep that out, add under record: in prompts.yaml: "+filters(rows))
	}
	for _, line := range lines {
		if err := r.con.note("%s", line); err != nil {
			return err
		}
	}
	return nil
}

func times(n int) string {
	if n == 1 {
		return ""
	}
	return " (" + words.Count(n, "time") + ")"
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return words.Clean(strings.TrimSpace(lines[len(lines)-1]))
}

// labelHint says how a program tells variants apart.
func labelHint(t *taken) string {
	name := t.program.Chosen()[0].Name
	_, point, _ := strings.Cut(name, "/")
	return "write its {axis} into run or env, or have the program send to ${" + record.AddressVariable + "}/as/" + point
}

// oddities are what is to say of one recording.
func (r *recordings) oddities(one *pipeline.Recording) []string {
	var out []string
	for _, m := range one.Misfits {
		if m.Pointer == "" {
			out = append(out, "not recorded: a request to "+words.Clean(m.Path)+" without messages")
			continue
		}
		out = append(out, "not recorded: a request to "+words.Clean(m.Path)+", which is not as its API has it at "+words.Clean(m.Pointer))
	}
	for _, d := range one.Bad {
		out = append(out, "not recorded: a request to "+words.Clean(d.Span.File.Path)+": "+words.Text(d.What))
	}
	return out
}

// filters writes rows as a manifest has them.
func filters(rows []record.Row) string {
	var out []string
	for _, row := range record.Ordered(rows) {
		out = append(out, "{match: '"+strings.ReplaceAll(row.Match, "'", "''")+"', with: \""+row.With+"\"}")
	}
	return "filters: [" + strings.Join(out, ", ") + "]"
}

// changing says what changes by itself: what two runs of the same program sent
// differently, the date of today, and names of people and machines. Rows are what would
// replace it.
func (r *recordings) changing(one *pipeline.Recording, all differences) (out []string, rows []record.Row) {
	name := words.Clean(one.Path)
	for _, c := range all.first {
		out = append(out, "two runs differ: "+name+":"+strconv.Itoa(c.Line)+" has "+start(c.Was)+", then "+start(c.Is))
		if row, ok := c.Filter(); ok {
			rows = append(rows, row)
		}
	}
	if more := all.n - len(all.first); more > 0 {
		out = append(out, "two runs differ in "+words.Count(more, "more line"))
	}
	if text, row, ok := record.Today(one.Text, time.Now()); ok && !slices.Contains(rows, row) {
		out, rows = append(out, name+" has the date of today, "+strconv.Quote(text)), append(rows, row)
	}
	host, _ := os.Hostname() // one without a name is in no prompt
	for _, of := range [][2]string{{"this user", cmp.Or(r.con.Getenv("USER"), r.con.Getenv("USERNAME"))}, {"this machine", host}} {
		if row, ok := record.Personal(one.Text, of[1]); ok {
			out, rows = append(out, name+" has the name of "+of[0]+", "+strconv.Quote(of[1])), append(rows, row)
		}
	}
	return out, rows
}

// start quotes the beginning of a text that may be long, or have keys.
func start(text string) string {
	const most = 60 // characters
	text = secret.Mask(text)
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}

// lacks is the error where nothing was kept for a variant, or at all.
func (r *recordings) lacks(t *taken, name string) *status {
	out := &status{code: exitFindings, message: "the command sent no request that can be recorded"}
	if name != "" {
		out.message = "nothing that can be recorded was sent for " + words.Clean(name)
	}
	hosts := t.rec.Refused()
	switch {
	case len(hosts) > 0:
		out.hint = "it calls " + words.Clean(hosts[0].Name) + " itself: set its base URL to ${" + record.AddressVariable + "}"
	case slices.ContainsFunc(t.all, func(one *pipeline.Recording) bool { return one.Name == name && one.Others > 0 }):
		out.hint = "it sent others: pick takes requests that have all of what it names"
	case len(t.rec.Sent()) > 0, t.ended.Late, t.ended.Status != 0:
	case len(t.rec.Via())+len(t.rec.Odd()) > 0:
		out.hint = "it found the address, and sent nothing there that asks for text"
	case r.c.Bool("doctor"):
		out.hint = "it read the address from no variable: if it has an option for that, set it to ${" + record.AddressVariable + "}"
	case r.project != nil:
		out.hint = "promptc record --doctor " + shellWord(name) + " says where it looks for the address; if it has an option for that, set it to ${" + record.AddressVariable + "}"
	default:
		out.hint = "promptc record --doctor -- COMMAND says where it looks for the address; if it has an option for that, set it to ${" + record.AddressVariable + "}"
	}
	return out
}

// diagnose says where the programs read the address from.
func (r *recordings) diagnose(all []*taken) error {
	for _, t := range all {
		if err := r.say(t); err != nil {
			return err
		}
		via := t.rec.Via()
		for _, v := range via {
			if err := r.con.write("%s: %s\n", words.Clean(v.Name), words.Count(v.Times, "request")); err != nil {
				return err
			}
		}
		sent := len(t.rec.Sent())
		switch {
		case len(via) == 0 && sent > 0:
			if err := r.con.write("%s: %s\n", record.AddressVariable, words.Count(sent, "request")); err != nil {
				return err
			}
		case len(via) == 0:
			return r.lacks(t, "")
		}
	}
	return nil
}
