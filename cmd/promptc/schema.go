package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
	"github.com/promptc-build/promptc/pipeline/store/snapshot"
	"github.com/promptc-build/promptc/schema"
)

func schemaCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print a JSON Schema: of the manifest, a kind's files, or what a command prints as JSON",
		UsageText: "promptc schema [OPTIONS] [NAME]",
		Description: strings.Join(broken("Without a name: the schema of prompts.yaml, which editors complete and explain the manifest with. "+
			"Names: "+strings.Join(schema.Names(), ", ")+".", 86), "\n"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "write the schema to `FILE`, and print the line by which editors find it"},
		},
		Action: func(c *cli.Context) error { return printSchema(c, con) },
	}
}

// manifestSchema is the name of the schema of manifests.
const manifestSchema = "prompts"

func printSchema(c *cli.Context, con Console) error {
	name := manifestSchema
	if c.NArg() > 0 {
		var err error
		if name, err = argument(c, "a schema's name"); err != nil {
			return err
		}
	}
	if !slices.Contains(schema.Names(), name) {
		return usage("no schema is called %q", name).nearest(name, schema.Names(), "schemas: %s", strings.Join(schema.Names(), ", "))
	}
	text, err := schema.Read(name)
	if err != nil {
		return failed(err)
	}
	if !c.IsSet("o") {
		return con.write("%s", text)
	}
	to, err := outputPlace(".", c.String("o"), name+".schema.json", schema.Mark)
	if err != nil {
		return err
	}
	if to == "" {
		return con.write("%s", text)
	}
	if err := replaceFile(to, string(text)); err != nil {
		return err
	}
	said := "wrote " + seen(to)
	if name == manifestSchema {
		said += "\nfor editors, put this line first in the prompts.yaml beside it:\n# yaml-language-server: $schema=" + filepath.Base(to)
	}
	return con.write("%s\n", words.Safe(said))
}

// replaceFile writes a file as a whole.
func replaceFile(to, text string) error {
	out := assembly.Output{Path: filepath.Base(to), Parts: []string{text}}
	delta := &store.Delta{SnapshotFolder: ".", Snapshots: []store.Change{{Output: out, Status: store.Added}}}
	return commit(&project{dir: filepath.Dir(to)}, &prompt.Result{Delta: delta}, snapshot.Snapshots)
}
