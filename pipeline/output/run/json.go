package run

import (
	"io"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/change"
	"github.com/promptc-build/promptc/pipeline/output/finding"
	"github.com/promptc-build/promptc/pipeline/output/ledger"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

// document is what build and check print as JSON.
type document struct {
	Version  int             `json:"version"`
	Command  string          `json:"command"`
	Status   finding.Verdict `json:"status"`
	Errors   int             `json:"errors"`
	Warnings int             `json:"warnings"`
	Notes    int             `json:"notes"`
	Findings []finding.JSON  `json:"findings"`
	// Off are the findings that settings leave out, with the reason.
	Off       []finding.OffJSON `json:"off"`
	Prompts   []jsonPrompt      `json:"prompts"`
	Changes   []jsonChange      `json:"changes"`
	Artifacts []jsonFile        `json:"artifacts"`
	Bindings  []jsonFile        `json:"bindings,omitempty"`
	// Wrote says which of the two kinds of files were written.
	Wrote jsonWrote `json:"wrote"`
}

type jsonWrote struct {
	Snapshots bool `json:"snapshots"`
	Artifacts bool `json:"artifacts"`
}

type jsonPrompt struct {
	ID         string               `json:"id"`
	Renderings int                  `json:"renderings"`
	Changed    int                  `json:"changed"`
	Added      int                  `json:"added"`
	Removed    int                  `json:"removed"`
	Variants   []ledger.VariantJSON `json:"variants"`
}

type jsonFile struct {
	Path   string `json:"path"`
	Status string `json:"status"`
}

type jsonChange struct {
	jsonFile
	Kind string `json:"kind"`
	// Cause is why it differs; left out where it was written.
	Cause   string       `json:"cause,omitempty"`
	Prompt  string       `json:"prompt,omitempty"`
	Section string       `json:"section,omitempty"`
	Item    string       `json:"item,omitempty"`
	Source  *words.Place `json:"source,omitempty"`
	// Tokens is the difference; left out where there is none to count.
	Tokens   *int     `json:"tokens,omitempty"`
	Variants []holder `json:"variants,omitempty"`
	// Leaves are the places in which the definition of a tool differs.
	Leaves []change.LeafJSON `json:"leaves,omitempty"`
}

// JSON writes a run of build or check as one versioned document.
func JSON(w io.Writer, r *prompt.Result, did Outcome, opt words.Options) error {
	f := FactsOf(r, did, opt)
	findings := f.findings
	doc := document{
		Version: words.JSONVersion, Command: did.Command, Status: f.Verdict,
		Errors: findings.Count(diag.Error), Warnings: findings.Count(diag.Warning), Notes: findings.Count(diag.Note),
		Findings: []finding.JSON{}, Off: finding.OffJSONOf(opt, r.Off), Prompts: prompts(r), Changes: []jsonChange{}, Artifacts: []jsonFile{},
		Wrote: jsonWrote{did.Snapshots, did.Artifacts},
	}
	for _, d := range findings {
		doc.Findings = append(doc.Findings, finding.JSONOf(opt, d))
	}
	for _, c := range f.changes {
		doc.Changes = append(doc.Changes, changed(c, opt))
	}
	if d := r.Delta; d != nil {
		doc.Artifacts = emitted(doc.Artifacts, &d.Artifacts, did, opt)
		for i := range d.Bindings {
			doc.Bindings = emitted(doc.Bindings, &d.Bindings[i], did, opt)
		}
	}
	return words.Encode(w, doc, opt.Masking(r))
}

// emitted adds the files of a folder that differ, or that were written.
func emitted(to []jsonFile, e *store.Emitted, did Outcome, opt words.Options) []jsonFile {
	if e.Have || did.Artifacts {
		for _, c := range e.Changes {
			to = append(to, jsonFile{opt.Path(c.Output.Path), status(c.Status)})
		}
	}
	return to
}

func prompts(r *prompt.Result) []jsonPrompt {
	out := []jsonPrompt{}
	byBuild := r.Plan.ByBuild(r.Artifacts)
	for i, b := range builds(r) {
		made := jsonPrompt{
			ID: b.id, Renderings: b.renderings, Changed: b.files[store.Changed], Added: b.files[store.Added], Removed: b.files[store.Orphaned],
			Variants: []ledger.VariantJSON{},
		}
		for _, a := range byBuild[r.Plan.Builds[i]] {
			if a != nil {
				made.Variants = append(made.Variants, ledger.Sized(r.Spec, a))
			}
		}
		out = append(out, made)
	}
	return out
}

func changed(c fileChange, opt words.Options) jsonChange {
	owner := c.Output.Owner
	out := jsonChange{
		jsonFile: jsonFile{c.path, status(c.Status)}, Kind: kind(c.kind), Cause: cause(c.Cause),
		Prompt: owner.Prompt, Section: owner.Section, Item: owner.Item, Source: opt.Place(c.at),
		Tokens: c.tokens, Variants: c.users(),
	}
	for _, l := range c.leaves {
		out.Leaves = append(out.Leaves, change.LeafJSON(l))
	}
	return out
}

// kind names a kind of output, in words that programs may rely on.
func kind(k assembly.OutputKind) string {
	return [...]string{"index", "outline", "rendering", "item", "tool", "full", "artifact", "content"}[k]
}

// status names what became of a file, in words that programs may rely on.
func status(s store.Status) string {
	return [...]string{"unchanged", "added", "changed", "orphaned"}[s]
}

// Project is a project of a workspace: the folder that it is in, and its result,
// moved there.
type Project struct {
	Folder string
	Result *prompt.Result
	// Owners are those of the manifest; nil where nobody says who owns anything.
	Owners []string
}

// jsonProject is what a dashboard shows of a project beside its variants.
type jsonProject struct {
	Folder   string            `json:"folder"`
	Prompts  []string          `json:"prompts"`
	Errors   int               `json:"errors"`
	Warnings int               `json:"warnings"`
	Notes    int               `json:"notes"`
	Off      []finding.OffJSON `json:"off"`
	// Owners are those of its manifest; nil where nobody says who owns anything.
	Owners []string `json:"owners,omitzero"`
}

// jsonPromptOwners says who owns what a prompt is made from.
type jsonPromptOwners struct {
	Prompt string   `json:"prompt"`
	Owners []string `json:"owners"`
}

// ListJSON writes the sizes of variants as one versioned document, with what there
// is to say of the projects of a workspace.
func ListJSON(w io.Writer, r *prompt.Result, artifacts []*assembly.Artifact, projects []Project, opt words.Options) error {
	doc := struct {
		Version  int                  `json:"version"`
		Command  string               `json:"command"`
		Projects []jsonProject        `json:"projects,omitempty"`
		Variants []ledger.VariantJSON `json:"variants"`
		// Owners are those of the prompts that are listed; nil where nobody says
		// who owns anything.
		Owners []jsonPromptOwners `json:"owners,omitzero"`
	}{words.JSONVersion, "list", nil, []ledger.VariantJSON{}, nil}
	for _, p := range projects {
		found := p.Result.Findings
		made := jsonProject{
			Folder: opt.Path(p.Folder), Prompts: []string{}, Off: finding.OffJSONOf(opt, p.Result.Off),
			Errors: found.Count(diag.Error), Warnings: found.Count(diag.Warning), Notes: found.Count(diag.Note),
			Owners: p.Owners,
		}
		if !p.Result.Stopped {
			for _, b := range p.Result.Plan.Builds {
				made.Prompts = append(made.Prompts, b.Prompt.ID.Str)
			}
		}
		doc.Projects = append(doc.Projects, made)
	}
	for i, a := range artifacts {
		doc.Variants = append(doc.Variants, ledger.Sized(r.Spec, a))
		if b := a.Build; b.Owners != nil && (i == 0 || artifacts[i-1].Build != b) {
			doc.Owners = append(doc.Owners, jsonPromptOwners{b.Prompt.ID.Str, b.Owners})
		}
	}
	return words.Encode(w, doc, opt)
}
