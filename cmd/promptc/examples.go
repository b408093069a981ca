package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// examples are the command lines that --help and the manual page show, by
// command. A test runs each in the project that `promptc init` writes.
var examples = []struct{ command, line, purpose string }{
	{"build", "promptc build", "after each edit: write what is to be reviewed"},
	{"build", "promptc build --frozen", "in a release: write artifacts, and only of what was reviewed"},

	{"check", "promptc check", "in CI: fail if the snapshots are out of date"},
	{"check", "promptc check --staged", "in a hook: look at what is to be committed"},
	{"check", "promptc check --strict --format sarif > promptc.sarif", "for code scanning, with all warnings"},
	{"check", "promptc check --live", "in a scheduled job: fail if a server offers something else than was pulled"},

	{"watch", "promptc watch", "while you write: what each edit changes"},
	{"watch", "promptc watch --all", "in all projects of a workspace"},
	{"watch", "promptc watch --report --base HEAD", "with a page in the browser that follows each edit"},

	{"diff", "promptc diff", "what the working tree changes"},
	{"diff", "promptc diff --merge-base main", "what the branch changes"},
	{"diff", "promptc diff --base v1.2 --head v1.3 --format markdown", "release notes of the prompts"},
	{"diff", "promptc diff --staged agent/mode=ask", "what is to be committed, for one variant"},
	{"diff", "promptc diff --fail-on growth,policy-weakened", "fail on some changes"},
	{"diff", "promptc diff --format affected", "the variants that have to be evaluated again"},
	{"diff", `promptc diff --rendered "test/__snapshots__/*.snap"`, "prompts that another program assembles"},

	{"show", "promptc show agent/mode=ask", "what the model gets"},
	{"show", "promptc show --example agent/mode=ask", "the same with examples in the slots"},
	{"show", "promptc show --dialect anthropic agent/mode=ask > request.json", "as the body of a request"},
	{"show", "promptc show --tools agent/mode=ask", "the tools that go with it"},

	{"list", "promptc list", "the names of all variants"},
	{"list", "promptc list --tokens agent", "the sizes of one prompt's variants"},
	{"list", "promptc list agent/mode=ask+edit", "a set of variants"},
	{"list", "promptc list --format promptfoo > promptc.cjs", "a module with the artifacts, for evaluations"},

	{"explain", "promptc explain agent/mode=ask", "each section's source and tokens"},
	{"explain", "promptc explain --budget 300 agent/mode=ask", "what a budget of 300 tokens would do"},
	{"explain", "promptc explain --policy agent", "the settings of a prompt, with their places"},
	{"explain", "promptc explain PC3002", "what a finding means"},
	{"explain", "promptc explain PC60", "the codes that start so"},

	{"tokens", "promptc tokens prompts/role.md", "no manifest is needed"},
	{"tokens", "git show HEAD:prompts/role.md | promptc tokens -", "what is piped in"},
	{"tokens", "promptc tokens --model gpt-4o --split prompts/role.md", "each token, as a model counts"},

	{"report", "promptc report", "a page of the prompts as they are: report.html"},
	{"report", "promptc report --merge-base main -o review.html", "with what the branch changes"},

	{"pull", "promptc pull files", "ask the server files of .mcp.json, and write what it offers"},
	{"pull", "promptc pull --dry-run", "say what changed on all servers that were pulled before"},

	{"record", "promptc record -- node agent.js hello", "what a program sends, without a change to it"},
	{"record", "promptc record", "what the manifest names, again"},
	{"record", "promptc record --check", "in CI: fail if something else is sent than was recorded"},

	{"init", "promptc init", "over the files that agents read here"},
	{"init", "promptc init --example", "an example to try"},
	{"init", `promptc init --rendered "test/__snapshots__/*.snap"`, "take prompts that another program assembles"},

	{"schema", "promptc schema -o prompts.schema.json", "for editors"},
	{"schema", "promptc schema diff", "what diff --format json prints"},

	{"version", "promptc version", "the same as promptc --version"},
	{"completion", "promptc completion zsh > _promptc", "a file for a folder of $fpath"},
	{"man", "promptc man > promptc.1", "a file for man"},
}

// describedWithExamples puts the examples of a command behind its description.
func describedWithExamples(cmd *cli.Command) string {
	var b strings.Builder
	for _, e := range examples {
		if e.command == cmd.Name {
			fmt.Fprintf(&b, "\n  %s\n      %s", e.line, e.purpose)
		}
	}
	if b.Len() == 0 {
		return cmd.Description
	}
	return strings.TrimPrefix(cmd.Description+"\n\n", "\n\n") + "Examples:\n" + b.String()
}
