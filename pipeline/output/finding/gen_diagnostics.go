//go:build ignore

// This program writes the page of all diagnostic codes to the file that it is
// given. Run it with: go generate ./pipeline/output/finding
package main

import (
	"bytes"
	"log"
	"os"

	"github.com/promptc-build/promptc/pipeline/output/finding"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run gen_diagnostics.go FILE")
	}
	var page bytes.Buffer
	if err := finding.CodesMarkdown(&page); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], page.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
