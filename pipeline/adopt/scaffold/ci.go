package scaffold

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// CI is the system for which a new project gets jobs.
type CI int

// The systems. GitHub reads workflows, which are written. The job for GitLab is
// printed: it goes into a file that a project has one of.
const (
	GitHub CI = iota
	GitLab
	NoCI
)

// Recipes are the jobs for all systems.
const Recipes = "https://github.com/promptc-build/promptc/blob/main/docs/ci.md"

// The files of a repository's root by which its system is known.
const (
	Workflows  = ".github/workflows"
	gitLabFile = ".gitlab-ci.yml"
)

// CIOf tells the system from the hosts that origin is on, and from the names in
// the repository's root that exist. A repository without origin, which may be on
// no host yet, is taken for one on GitHub.
func CIOf(hosts []string, exists func(name string) bool) CI {
	on := func(words ...string) bool {
		return slices.ContainsFunc(hosts, func(host string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(host, w) })
		})
	}
	gitHub, workflows := on("github", ".ghe.com"), exists(Workflows)
	switch {
	case gitHub && workflows:
		return GitHub
	case !gitHub && on("gitlab") || exists(gitLabFile):
		return GitLab
	case gitHub || workflows || len(hosts) == 0:
		return GitHub
	default:
		return NoCI
	}
}

// jobs are the files of the system, which one job or another runs promptc in.
func (in Input) jobs() []File {
	words := in.words()
	switch in.CI {
	case GitHub:
		return []File{
			{Path: checkWorkflow, Content: words.Replace(read("prompts-workflow.yml")), lacks: in.lacksStep},
			{Path: commentWorkflow, Content: words.Replace(read("comment-workflow.yml"))},
		}
	case GitLab:
		return []File{{Path: gitLabFile, Content: words.Replace(read("gitlab.yml")), IsPrinted: true, lacks: in.lacksJob}}
	default:
		return nil
	}
}

// lacksJob finds whether a configuration of GitLab has no job that checks the
// folder.
func (in Input) lacksJob(text string) []Gap {
	if slices.Contains(trimmed(text), "- "+in.check()) {
		return nil
	}
	return []Gap{{diag.Say("add-gitlab-job", Recipes+"#gitlab"), in.words().Replace(read("gitlab.yml"))}}
}

// check is the command that checks the project in the repository's root.
func (in Input) check() string { return "promptc check" + in.start() }

// start is the option by which a command starts where the project or its
// workspace is.
func (in Input) start() string {
	if in.runs() == "." {
		return ""
	}
	return " -C " + shellWord(in.runs())
}
