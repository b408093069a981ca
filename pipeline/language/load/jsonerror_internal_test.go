package load

import (
	"encoding/json"
	"strings"
	"testing"
)

// The library has its limit of depth as text alone: it still says it so.
func TestTheLibraryStillSaysWhatIsTooDeep(t *testing.T) {
	var raw json.RawMessage
	for text, want := range map[string]bool{
		strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000): true, "[": false, "[1,]": false, `{"a": "max"}x`: false,
	} {
		err := json.Unmarshal([]byte(text), &raw)
		if err == nil || tooDeep(err) != want {
			t.Errorf("%.10q: %v", text, err)
		}
	}
}
