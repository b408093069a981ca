package main

import (
	"bytes"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/report"
	"github.com/promptc-build/promptc/pipeline/watch"
)

func watchCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "watch",
		Usage:     "check after every change of a source, until you end it",
		UsageText: "promptc watch [OPTIONS]",
		Description: "Prints what check would say, and prints it again when a source, the manifest or a\n" +
			"snapshot has changed and check says something else. Everything goes to stdout; a line\n" +
			"that starts with ==> stands before each change. It writes nothing. Ctrl+C ends it.\n\n" +
			"It needs a file system that reports changes: network drives and some shared folders of\n" +
			"containers and virtual machines do not. The folder of git is not watched: what a commit\n" +
			"or git add changes for check is shown after the next edit.",
		Flags:  append(locationFlags(), workspaceFlags()...),
		Action: func(c *cli.Context) error { return watches(c, con) },
	}
}

// watches prints what check says, whenever that is not what it said before.
func watches(c *cli.Context, con Console) error {
	if err := noArguments(c); err != nil {
		return err
	}
	c.Command = checkCommand(con) // whose words count
	con.Commits = &Commits{known: map[commitKey]compiledCommit{}}
	last, changes := "", -1
	err := watch.Each(func(w *watch.Watcher) error {
		said, err := con.watched(c, w, changes < 0)
		if err != nil || said == last {
			return err
		}
		last = said
		if changes++; changes == 0 {
			if err := con.note("watching; Ctrl+C ends it"); err != nil {
				return err
			}
			return con.write("%s", said)
		}
		return con.write("==> change %d\n%s", changes, said)
	})
	if errors.Is(err, watch.ErrFull) {
		return (&status{code: exitFailed, message: "the system takes no more watches"}).
			withHint("on Linux, raise fs.inotify.max_user_watches and max_user_instances with sysctl; elsewhere, the number of open files: ulimit -n 4096")
	}
	return failed(err)
}

// watched gives all that check prints. The error ends the watch: the first time,
// that is any but findings.
func (con Console) watched(c *cli.Context, w *watch.Watcher, first bool) (string, error) {
	var said bytes.Buffer
	own := con
	own.Stdout, own.Stderr, own.ErrTerminal, own.See = &said, &said, con.Terminal, w.See
	work, err := own.openWorkspace(c)
	if err == nil {
		err = own.compare(c, work, report.FormatNames()[0])
	}
	for _, folder := range w.Unseen() {
		if err := own.note("changes in %q are not seen: the folder may not be read", near(folder)); err != nil {
			return "", err
		}
	}
	if err == nil {
		return said.String(), nil
	}
	code, _ := own.say(err) // a buffer takes everything
	if first && code != exitFindings {
		return "", err
	}
	return said.String(), nil
}
