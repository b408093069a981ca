package live_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeName is the variable that makes the test program a server.
const fakeName = "PROMPTC_FAKE_SERVER"

func TestMain(m *testing.M) {
	if name := os.Getenv(fakeName); name != "" {
		fake(name)
		return
	}
	os.Exit(m.Run())
}

// call is a message of the client's.
type call struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Cursor string `json:"cursor"`
	} `json:"params"`
}

const welcome = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"fake","version":"1"},"instructions":"Be kind."}`

// results gives, by the name of a fake server, its answer to a question.
func results(name string, c call) string {
	switch c.Method {
	case "initialize":
		switch name {
		case "future":
			return strings.Replace(welcome, "2025-06-18", "2999-01-01", 1)
		case "no-object":
			return `[]`
		}
		return welcome
	case "prompts/list":
		return `{"prompts":[]}`
	case "tools/list":
		return tools(name, c.Params.Cursor)
	}
	return `{}`
}

func tools(name, cursor string) string {
	switch name {
	case "repeats":
		return `{"tools":[],"nextCursor":"again"}`
	case "endless":
		n, _ := strconv.Atoi(cursor)
		return fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, n+1)
	case "pages":
		if cursor == "" {
			return `{"tools":[{"name":"a"}],"nextCursor":"2"}`
		}
		return `{"tools":[{"name":"b","big":[12345678901234567890,1e999999999]}]}`
	case "many":
		return `{"tools":[` + strings.Repeat(`{"name":"x","inputSchema":{}},`, 100_000) + `{}]}`
	case "not-utf8":
		return "{\"tools\":[{\"name\":\"a\xff\"}]}"
	case "broken":
		return `{"tools":[secret-token-1]}`
	case "not-a-list":
		return `{"tools":"none"}`
	case "secret":
		return `{"tools":[{"name":"a","description":"uses \u0073ecret-token-1"}]}`
	case "environment":
		var names []string
		for _, v := range os.Environ() {
			name, _, _ := strings.Cut(v, "=")
			names = append(names, name)
		}
		text, _ := json.Marshal(names)
		return `{"tools":[{"name":"env","names":` + string(text) + `}]}`
	}
	return `{"tools":[{"name":"a"}]}`
}

// fake is a server on standard input and output.
func fake(name string) {
	switch name {
	case "silent":
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "deaf": // neither reads nor ends
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	case "exits":
		fmt.Fprintln(os.Stderr, "first line\nno database, token secret-token-1")
		os.Exit(3)
	case "banner":
		fmt.Println("Server running on stdio")
	case "garbage":
		_, _ = os.Stdout.Write([]byte{0, 1, 2, 0xff, '\n'})
	case "forks", "forks-and-exits":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), fakeName+"=deaf")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		if name == "forks-and-exits" {
			return
		}
	case "talks":
		for {
			if _, err := fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`); err != nil {
				return
			}
		}
	case "asks":
		for i := range 100 {
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i)
		}
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var c call
		if err := json.Unmarshal(in.Bytes(), &c); err != nil || c.ID == nil {
			continue
		}
		answer(os.Stdout, name, c)
	}
}

func answer(to io.Writer, name string, c call) {
	switch {
	case c.Method == "":
		return
	case name == "half" && c.Method == "tools/list":
		fmt.Fprint(to, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"},`)
		os.Exit(0)
	case name == "huge" && c.Method == "tools/list":
		fmt.Fprint(to, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"`)
		for range 1 << 14 { // 1 GiB
			if _, err := io.WriteString(to, strings.Repeat("x", 1<<16)); err != nil {
				return
			}
		}
	case name == "stalls" && c.Method == "tools/list":
		time.Sleep(time.Hour)
	case name == "errs" && c.Method == "tools/list":
		fmt.Fprintf(to, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no, secret-token-1"}}`+"\n", c.ID)
	case name == "lacks" && c.Method == "prompts/list":
		fmt.Fprintf(to, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`+"\n", c.ID)
	case name == "other-id":
		fmt.Fprint(to, `{"jsonrpc":"2.0","id":99,"result":{}}`+"\n")
	default:
		fmt.Fprintf(to, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", c.ID, results(name, c))
	}
}
