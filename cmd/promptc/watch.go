package main

import (
	"bytes"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/world/serve"
	"github.com/promptc-build/promptc/pipeline/world/watch"
)

func watchCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "watch",
		Usage:     "check after every change of a source, until you end it",
		UsageText: "promptc watch [OPTIONS]",
		Description: "Prints what check would say, and prints it again when a source, the manifest or a\n" +
			"snapshot has changed and check says something else. Everything goes to stdout; a line\n" +
			"that starts with ==> stands before each change. It writes nothing. Ctrl+C ends it.\n\n" +
			"With --report, it also serves the page of promptc report at an address of this machine,\n" +
			"which it prints. The browser loads the page again after each change. --base, --merge-base\n" +
			"or --against adds what changed since a base. While the project does not compile, the last\n" +
			"page stays. Other users of this machine can open the page, too.\n\n" +
			"It needs a file system that reports changes: network drives and some shared folders of\n" +
			"containers and virtual machines do not. The folder of git is not watched: what a commit\n" +
			"or git add changes for check is shown after the next edit.",
		Flags: append(append(append(locationFlags(), workspaceFlags()...),
			&cli.BoolFlag{Name: "report", Usage: "serve the page of promptc report to browsers on this machine"},
			&cli.IntFlag{Name: "port", Usage: "with --report: serve it on port `N` of 127.0.0.1", DefaultText: "a free one"}),
			baseFlags("nothing is compared")...),
		Action: func(c *cli.Context) error { return watches(c, con) },
	}
}

// watching is what the command has said so far.
type watching struct {
	con     Console
	c       *cli.Context
	last    string // of check
	changes int    // -1 before the first check

	// page is what browsers show, nil without --report; trouble is what was said
	// when it was made.
	page    *serve.Server
	trouble string
}

// watches prints what check says, whenever that is not what it said before.
func watches(c *cli.Context, con Console) error {
	if err := noArguments(c); err != nil {
		return err
	}
	con.Commits = &Commits{known: map[commitKey]compiledCommit{}}
	v := &watching{con: con, c: c, changes: -1}
	if err := v.listen(); err != nil {
		return err
	}
	c.Command = checkCommand(con) // whose words count
	follow := func() error { return watch.Each(v.c.Context, v.run) }
	if v.page != nil {
		check := follow
		follow = func() error { return v.page.While(check) }
	}
	return failed(follow())
}

// listen takes the port for the page, if one is asked for.
func (v *watching) listen() (err error) {
	if !v.c.Bool("report") {
		for _, name := range []string{"port", "base", "merge-base", "against"} {
			if v.c.IsSet(name) {
				return usage("--%s needs --report", name).withHint("add --report, or leave out --%s", name)
			}
		}
		return nil
	}
	if port := v.c.Int("port"); port < 0 || port > 65535 {
		return usage("--port needs a number from 0 to 65535")
	}
	if v.page, err = serve.Listen(v.c.Int("port")); err != nil {
		return statusOf(exitFailed, err).withHint("leave out --port: promptc then takes a free one")
	}
	return nil
}

// run prints what check says, if that is something else, and renews the page.
func (v *watching) run(w *watch.Watcher) error {
	first := v.changes < 0
	said, compiles, err := v.con.watched(v.c, w, first)
	if err != nil {
		return err
	}
	if first || said != v.last {
		v.last = said
		v.changes++
		if first {
			err = errors.Join(v.con.note("watching; Ctrl+C ends it"), v.con.write("%s", said))
		} else {
			err = v.con.write("==> change %d\n%s", v.changes, said)
		}
	}
	if err != nil || v.page == nil {
		return err
	}
	if err := v.renew(w, compiles, first); err != nil || !first {
		return err
	}
	return v.con.note("the page is at %s", v.page.Address())
}

// renew makes the page anew. While that is not possible, the last one stays, and the
// terminal says why. The error ends the watch: the first time, that is any but findings.
func (v *watching) renew(w *watch.Watcher, compiles, first bool) error {
	var page, said bytes.Buffer
	own := v.con
	own.Stderr, own.See = &said, w.See
	var err error
	if compiles {
		err = own.makePages(v.c, &page)
	}
	switch {
	case err != nil:
		code, _ := own.say(err) // a buffer takes everything
		if first && code != exitFindings {
			return err
		}
		fallthrough
	case !compiles:
		v.page.Keep()
		err = own.note("promptc renews the page once this is repaired")
	default:
		v.page.Show(page.Bytes())
		if !hasBase(v.c) {
			said.Reset() // check says the same
		}
	}
	if text := said.String(); err == nil && text != v.trouble {
		v.trouble = text
		_, err = v.con.Stderr.Write(said.Bytes())
	}
	return failed(err)
}

// watched gives all that check prints, and whether the project compiles. The error
// ends the watch: the first time, that is any but findings.
func (con Console) watched(c *cli.Context, w *watch.Watcher, first bool) (text string, compiles bool, err error) {
	var said bytes.Buffer
	own := con
	own.Stdout, own.Stderr, own.ErrTerminal, own.See = &said, &said, con.Terminal, w.See
	work, err := own.openProjects(c)
	if err == nil {
		err = own.compare(c, work, run.FormatNames()[0])
	}
	for _, folder := range w.Unseen() {
		if err := own.note("changes in %q are not seen: the folder may not be read", near(folder)); err != nil {
			return "", false, err
		}
	}
	if err == nil {
		return said.String(), true, nil
	}
	code, _ := own.say(err) // a buffer takes everything
	if first && code != exitFindings {
		return "", false, err
	}
	st, ours := errors.AsType[*status](err)
	return said.String(), ours && code == exitFindings && !st.stopped, nil
}
