package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// shells are the scripts that ask the program itself for completions, by the
// flag that the command line library answers.
var shells = []struct{ name, script string }{
	{"bash", `_promptc() {
  local cur="${COMP_WORDS[COMP_CWORD]}"
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[@]:0:COMP_CWORD}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o default -F _promptc promptc
`},
	{"zsh", `#compdef promptc
_promptc() {
  local -a found
  found=("${(@f)$(${words[1,CURRENT-1]} --generate-bash-completion 2>/dev/null)}")
  compadd -a found
  _files
}
compdef _promptc promptc
`},
	{"fish", `function __promptc_complete
    set -l words (commandline -opc)
    $words --generate-bash-completion 2>/dev/null
end
complete -c promptc -f -a '(__promptc_complete)'
`},
}

func completionCommand(con Console) *cli.Command {
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
	known := strings.Join(names, ", ")
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a completion script for a shell",
		UsageText:   "promptc completion SHELL",
		Description: "Shells: " + known + ". For bash: source <(promptc completion bash)",
		Action: func(c *cli.Context) error {
			name, err := argument(c, "a shell: "+known)
			if err != nil {
				return err
			}
			for _, s := range shells {
				if s.name == name {
					return con.write("%s", s.script)
				}
			}
			return usage("no completion for %q", name).withHint("shells: %s", known)
		},
	}
}
