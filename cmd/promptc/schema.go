package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/promptc-build/promptc/schema"
)

func schemaCommand(con Console) *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print a JSON Schema: of the manifest, or of a kind's files",
		UsageText: "promptc schema [NAME]",
		Description: "Without a name: the schema of prompts.yaml, which editors complete and explain the\n" +
			"manifest with. Names: " + strings.Join(schema.Names(), ", ") + ".",
		Action: func(c *cli.Context) error { return printSchema(c, con) },
	}
}

func printSchema(c *cli.Context, con Console) error {
	name := "prompts"
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
	return con.write("%s", text)
}
