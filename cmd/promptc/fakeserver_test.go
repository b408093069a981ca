package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// The test program is an MCP server, too, where this variable names a file: it
// offers what the file says, which is {"hello": {…}, "tools": […], "prompts": […],
// "resourceTemplates": […]}. Scripts know the program as ${FAKE_SERVER}.
const fakeServerFile = "PROMPTC_FAKE_SERVER"

// serveFake answers on standard input and output until the input ends.
func serveFake(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var offer map[string]json.RawMessage
	if err := json.Unmarshal(text, &offer); err != nil {
		return err
	}
	hello := map[string]json.RawMessage{
		"protocolVersion": json.RawMessage(`"2025-06-18"`),
		"capabilities":    json.RawMessage(`{"tools": {}, "prompts": {}, "resources": {}}`),
		"serverInfo":      json.RawMessage(`{"name": "fake", "version": "1.0.0"}`),
	}
	if err := json.Unmarshal(offer["hello"], &hello); offer["hello"] != nil && err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var call struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if err := json.Unmarshal(in.Bytes(), &call); err != nil {
			return err
		}
		result := map[string]json.RawMessage{}
		for method, key := range map[string]string{"tools/list": "tools", "prompts/list": "prompts", "resources/templates/list": "resourceTemplates"} {
			if call.Method == method && offer[key] != nil {
				result[key] = offer[key]
			}
		}
		if call.Method == "initialize" {
			result = hello
		}
		if call.ID == nil {
			continue
		}
		body, err := json.Marshal(result)
		if err != nil {
			return err
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", call.ID, body)
	}
	return in.Err()
}
