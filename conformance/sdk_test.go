package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"google.golang.org/genai"
)

// sdk is how a provider's own types and client treat the body of a dialect.
type sdk struct {
	dialect string
	// reread decodes a body into the request's type and encodes that again. The
	// types of OpenAI and Anthropic decode themselves and skip what they do not
	// know, whatever a json.Decoder is told; so it is by comparing the two that
	// an unknown key is found: it is gone. TestUnknownKeysAreFound holds that.
	reread func(body []byte) ([]byte, error)
	// send has the client send a body, with adds, to a server.
	send func(ctx context.Context, server string, body []byte) error
	// path is where the client sends it.
	path string
	// adds are what a request must have and a prompt does not decide, and what
	// the client says of its own accord: paths of keys.
	adds [][]string
}

// key is for servers that do not look at it.
const key = "none"

var sdks = []sdk{
	{
		dialect: "openai-chat", reread: reread[openai.ChatCompletionNewParams], send: sendChat,
		path: "/chat/completions", adds: [][]string{{"model"}},
	},
	{
		dialect: "openai-responses", reread: reread[responses.ResponseNewParams], send: sendResponses,
		path: "/responses", adds: [][]string{{"model"}},
	},
	{
		dialect: "anthropic", reread: reread[anthropicRequest], send: sendAnthropic,
		path: "/v1/messages", adds: [][]string{{"model"}, {"max_tokens"}},
	},
	{
		dialect: "gemini", reread: reread[geminiRequest], send: sendGemini,
		path: "/v1beta/models/any:generateContent", adds: [][]string{{"generationConfig"}, {"systemInstruction", "role"}},
	},
}

// lookup gives the row of a dialect, nil where no SDK speaks it.
func lookup(dialect string) *sdk {
	for i := range sdks {
		if sdks[i].dialect == dialect {
			return &sdks[i]
		}
	}
	return nil
}

// reread decodes a body strictly and encodes it again.
func reread[T any](body []byte) ([]byte, error) {
	request, err := strictly[T](body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(request)
}

// strictly decodes the one JSON value of a body.
func strictly[T any](body []byte) (*T, error) {
	request := new(T)
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(request); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows the body")
	}
	return request, nil
}

// anthropicRequest is Anthropic's request without the number that its type
// always encodes.
type anthropicRequest struct{ anthropic.MessageNewParams }

// MarshalJSON leaves out max_tokens, which is the caller's to say.
func (r anthropicRequest) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(r.MessageNewParams)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	delete(fields, "max_tokens")
	return json.Marshal(fields)
}

// geminiRequest puts the parts of Gemini's request together, which its client
// takes apart: the contents, and a configuration with the rest.
type geminiRequest struct {
	SystemInstruction *genai.Content   `json:"systemInstruction,omitempty"`
	Contents          []*genai.Content `json:"contents,omitempty"`
	Tools             []*genai.Tool    `json:"tools,omitempty"`
}

func sendChat(ctx context.Context, server string, body []byte) error {
	request, err := strictly[openai.ChatCompletionNewParams](body)
	if err != nil {
		return err
	}
	request.Model = "any"
	client := openai.NewClient(openaioption.WithBaseURL(server), openaioption.WithAPIKey(key), openaioption.WithMaxRetries(0))
	_, err = client.Chat.Completions.New(ctx, *request)
	return err
}

func sendResponses(ctx context.Context, server string, body []byte) error {
	request, err := strictly[responses.ResponseNewParams](body)
	if err != nil {
		return err
	}
	request.Model = "any"
	client := openai.NewClient(openaioption.WithBaseURL(server), openaioption.WithAPIKey(key), openaioption.WithMaxRetries(0))
	_, err = client.Responses.New(ctx, *request)
	return err
}

func sendAnthropic(ctx context.Context, server string, body []byte) error {
	request, err := strictly[anthropic.MessageNewParams](body)
	if err != nil {
		return err
	}
	request.Model, request.MaxTokens = "any", 1
	client := anthropic.NewClient(anthropicoption.WithBaseURL(server), anthropicoption.WithAPIKey(key), anthropicoption.WithMaxRetries(0))
	_, err = client.Messages.New(ctx, *request)
	return err
}

func sendGemini(ctx context.Context, server string, body []byte) error {
	request, err := strictly[geminiRequest](body)
	if err != nil {
		return err
	}
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: key, Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: server},
	})
	if err != nil {
		return fmt.Errorf("no client: %w", err)
	}
	_, err = client.Models.GenerateContent(ctx, "any", request.Contents, &genai.GenerateContentConfig{
		SystemInstruction: request.SystemInstruction, Tools: request.Tools,
	})
	return err
}
