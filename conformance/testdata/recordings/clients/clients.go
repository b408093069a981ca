// Sends, with one client, what record has to answer: whole and streamed, with a tool and
// without.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v3"
	"google.golang.org/genai"
)

const system, user = "You help.", "hi"

var schema = map[string]any{
	"type": "object", "properties": map[string]any{"path": map[string]any{"type": "string"}}, "required": []string{"path"},
}

// called writes a call as the other programs do.
func called(name, arguments string) string {
	var args map[string]string
	if err := json.Unmarshal([]byte(arguments), &args); err != nil {
		return err.Error()
	}
	return fmt.Sprintf(`%s {"path": %q}`, name, args["path"])
}

func withOpenAI(ctx context.Context, stream, tool bool) (string, error) {
	client := openai.NewClient()
	request := openai.ChatCompletionNewParams{
		Model: "gpt-5", Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(system), openai.UserMessage(user)},
	}
	if tool {
		request.Tools = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name: "read", Description: openai.String("Reads a file."), Parameters: schema,
		})}
	}
	var choices []openai.ChatCompletionChoice
	if stream {
		events := client.Chat.Completions.NewStreaming(ctx, request)
		all := openai.ChatCompletionAccumulator{}
		for events.Next() {
			all.AddChunk(events.Current())
		}
		if events.Err() != nil {
			return "", events.Err()
		}
		choices = all.Choices
	} else {
		got, err := client.Chat.Completions.New(ctx, request)
		if err != nil {
			return "", err
		}
		choices = got.Choices
	}
	message := choices[0].Message
	if message.Content != "" {
		return message.Content, nil
	}
	return called(message.ToolCalls[0].Function.Name, message.ToolCalls[0].Function.Arguments), nil
}

func withAnthropic(ctx context.Context, stream, tool bool) (string, error) {
	client := anthropic.NewClient()
	request := anthropic.MessageNewParams{
		Model: "claude", MaxTokens: 10, System: []anthropic.TextBlockParam{{Text: system}},
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(user))},
	}
	if tool {
		request.Tools = []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
			Name: "read", Description: anthropic.String("Reads a file."), InputSchema: anthropic.ToolInputSchemaParam{Properties: schema["properties"]},
		}}}
	}
	message := &anthropic.Message{}
	if stream {
		events := client.Messages.NewStreaming(ctx, request)
		for events.Next() {
			if err := message.Accumulate(events.Current()); err != nil {
				return "", err
			}
		}
		if events.Err() != nil {
			return "", events.Err()
		}
	} else {
		var err error
		if message, err = client.Messages.New(ctx, request); err != nil {
			return "", err
		}
	}
	if block := message.Content[0]; block.Type == "tool_use" {
		return called(block.Name, string(block.Input)), nil
	}
	return message.Content[0].Text, nil
}

func withGemini(ctx context.Context, stream, tool bool) (string, error) {
	client, err := genai.NewClient(ctx, &genai.ClientConfig{Backend: genai.BackendGeminiAPI})
	if err != nil {
		return "", err
	}
	config := &genai.GenerateContentConfig{SystemInstruction: genai.NewContentFromText(system, genai.RoleUser)}
	if tool {
		config.Tools = []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{
			Name: "read", Description: "Reads a file.", ParametersJsonSchema: schema,
		}}}}
	}
	var got *genai.GenerateContentResponse
	if stream {
		for chunk, err := range client.Models.GenerateContentStream(ctx, "gemini-2.5-pro", genai.Text(user), config) {
			if err != nil {
				return "", err
			}
			got = chunk
		}
	} else if got, err = client.Models.GenerateContent(ctx, "gemini-2.5-pro", genai.Text(user), config); err != nil {
		return "", err
	}
	if calls := got.FunctionCalls(); len(calls) > 0 {
		args, err := json.Marshal(calls[0].Args)
		return called(calls[0].Name, string(args)), err
	}
	return got.Text(), nil
}

func main() {
	name := os.Args[1]
	client := map[string]func(context.Context, bool, bool) (string, error){
		"openai": withOpenAI, "anthropic": withAnthropic, "gemini": withGemini,
	}[name]
	for _, how := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}, {false, false}} {
		said, err := client(context.Background(), how[0], how[1])
		if err != nil {
			fmt.Println(name+":", err)
			os.Exit(1)
		}
		fmt.Println(name + ": " + said)
	}
}
