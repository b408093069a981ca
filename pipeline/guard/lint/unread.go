package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/ground/templates"
	"github.com/promptc-build/promptc/pipeline/language"
)

// unreadFiles warns, once for each pattern, of the files beside those that it
// matches which nothing reads and no template includes. Beside rules that are named one by one it only
// notes them: some may be left out on purpose. Beside a skill are files that its reader opens at
// run time, and a README is about the others.
func unreadFiles(l *sourceSet) diag.List {
	var out diag.List
	tree := l.plan.Spec.Tree
	names := map[string][]templates.Name{}
	if slices.ContainsFunc(tree.Unread, func(u *language.Unread) bool { return len(u.Files) > 0 }) {
		tree.Includes(names)
	}
	graph := templates.NewGraph(names)
	var read []string
	for _, d := range tree.Docs() {
		read = append(read, d.File.Path)
	}
	for _, u := range tree.Unread {
		var files []string
		for _, f := range u.Files {
			name := path.Base(f.Path)
			if _, link := graph.Link(read, f.Path); link < templates.Sure && !strings.EqualFold(strings.TrimSuffix(name, path.Ext(name)), "readme") {
				files = append(files, f.Path)
			}
		}
		kind, ok := language.LookupKind(u.Kind)
		if ok && kind.Skills || len(files) == 0 && (u.Named || !u.Partial) {
			continue
		}
		var d diag.Diagnostic
		switch {
		case u.Named:
			d = diag.New(diag.UnreadFiles, u.Path.At, "no-variant-reads-rules", diag.Counted(len(files), "one-unread-file", "unread-files"), u.Within[0], diag.Some(files, maxUnread)).
				WithHint("name-or-move-or-off")
			d.Level = diag.Note
		case u.Partial:
			d = diag.New(diag.UnreadFiles, u.Path.At, "not-all-looked-at", u.Folder).WithHint("narrow-or-make-readable")
		default:
			d = diag.New(diag.UnreadFiles, u.Path.At, "no-variant-reads-files", diag.Counted(len(files), "one-unread-file", "unread-files"), u.Path.Str, diag.Some(files, maxUnread)).
				WithHint("cover-or-move-or-off")
		}
		for _, p := range l.plan.Spec.Prompts {
			if p.Rendered != nil && (p.Rendered.Path == u.Path || slices.Contains(p.Rendered.Tools, u.Path)) {
				d.Prompts = []string{p.ID.Str}
			}
		}
		out = append(out, d)
	}
	return out
}

// maxUnread is how many unread files a finding names.
const maxUnread = 3

// unreadEntries notes, once for each prompt, how many entries of its snapshot
// files no pattern stands for: most often they are other tests'.
func unreadEntries(l *sourceSet) diag.List {
	var out diag.List
	met := map[*language.Doc]bool{}
	for _, p := range l.plan.Spec.Prompts {
		if p.Rendered == nil {
			continue
		}
		entries, files := 0, 0
		for _, doc := range l.plan.Spec.Tree.Matches[p.Rendered.Key()] {
			if met[doc] {
				continue
			}
			met[doc] = true
			unread := 0
			for i := range doc.Saved {
				if _, known := l.plan.Entries[&doc.Saved[i]]; !known {
					unread++
				}
			}
			if unread > 0 {
				entries, files = entries+unread, files+1
			}
		}
		if entries > 0 {
			at, _ := p.Rendered.Names()
			if at.Str == "" {
				at = p.Rendered.Path
			}
			d := diag.New(diag.UnreadFiles, at.At, "no-prompt-takes-entries", diag.Counted(entries, "one-unread-entry", "unread-entries"), diag.Counted(files, "one-unread-file", "unread-files")).
				WithHint("fine-if-other-tests")
			d.Level, d.Prompts = diag.Note, []string{p.ID.Str}
			out = append(out, d)
		}
	}
	return out
}

// otherRecords notes, once for each prompt, what its recordings hold besides requests
// for text.
func otherRecords(l *sourceSet) diag.List {
	var out diag.List
	for _, p := range l.plan.Spec.Prompts {
		if p.Rendered == nil {
			continue
		}
		records, files := 0, 0
		for _, doc := range l.plan.Spec.Tree.Matches[p.Rendered.Key()] {
			if doc.Others > 0 {
				records, files = records+doc.Others, files+1
			}
		}
		if records == 0 {
			continue
		}
		key := "other-records"
		if records == 1 {
			key = "other-record"
		}
		d := diag.New(diag.UnreadFiles, p.Rendered.Path.At, key, diag.Count(records), diag.Counted(files, "one-unread-file", "unread-files")).
			WithHint("fine-if-others-meant")
		d.Level, d.Prompts = diag.Note, []string{p.ID.Str}
		out = append(out, d)
	}
	return out
}
