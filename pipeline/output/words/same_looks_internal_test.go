package words

import (
	"testing"
)

func TestSameLooksTellsTextsApartThatLookEqual(t *testing.T) {
	for _, tt := range []struct{ from, to, want string }{
		{"caf\u00e9", "cafe\u0301", "\"\u00e9\" U+00E9 → \"e\u0301\" U+0065 U+0301"},
		{"paypal", "p\u0430yp\u0430l", "\"a\" U+0061 → \"\u0430\" U+0430"},
		{"5 \u212a", "5 K", "\"\u212a\" U+212A → \"K\" U+004B"},
		{"\u212b", "\u00c5", "\"\u212b\" U+212B → \"\u00c5\" U+00C5"},
		{"\uac01", "\u1100\u1161\u11a8", "\"\uac01\" U+AC01 → \"\u1100\u1161\u11a8\" U+1100 U+1161 U+11A8"},
		{"a\u0323\u0301", "a\u0301\u0323", "\"a\u0323\u0301\" U+0061 U+0323 U+0301 → \"a\u0301\u0323\" U+0061 U+0301 U+0323"},
		{"caf\u00e9 or the", "cafe\u0301 or thx", ""}, // something else is seen
		{"cafe", "caf\u00e9", ""},
		{"a", "b", ""},
		{"read", "re\u200bad", ""}, // shown by its name
		{"é", "è", ""},
		{"É", "é", ""},
		{"👩", "👩\u200d💻", ""},
	} {
		if got := SameLooks(tt.from, tt.to); got != tt.want {
			t.Errorf("%q and %q: %s, want %s", tt.from, tt.to, got, tt.want)
		}
	}
}
