// An agent with two axes: what it may do, and the language that it speaks.
package main

import (
	"context"
	"fmt"
	"os"

	"google.golang.org/genai"
)

var rules = map[string]string{"ask": "Answer the question.", "edit": "Edit the files."}

func main() {
	ctx, mode := context.Background(), os.Args[1]
	here, _ := os.Getwd()
	system := fmt.Sprintf("# Agent\n\nYou are in %s. Speak %s.\n\n# Rules\n\n%s Be brief.", here, os.Getenv("LANGUAGE"), rules[mode])
	client, err := genai.NewClient(ctx, nil)
	if err != nil {
		panic(err)
	}
	config := &genai.GenerateContentConfig{SystemInstruction: genai.NewContentFromText(system, genai.RoleUser)}
	if mode == "edit" {
		config.Tools = []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{Name: "edit", Description: "Edits a file."}}}}
	}
	for model, config := range map[string]*genai.GenerateContentConfig{"gemini-2.5-flash": nil, "gemini-2.5-pro": config} {
		if _, err := client.Models.GenerateContent(ctx, model, genai.Text("hello"), config); err != nil {
			panic(err)
		}
	}
}
