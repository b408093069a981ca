package secret

import "strings"

// Keys that something in their middle tells, or their end.

// terraform finds a token of Terraform Cloud by its middle.
func terraform(text string, i int) (Match, bool) {
	from := before(text, i, alnum, 15)
	behind := i + len(".atlasv1.")
	end := run(text, behind, 90)
	return Match{Start: from, End: end, Says: "a Terraform Cloud token", Shown: from}.sure(i-from == 14 && end-behind >= 60 && made(text[behind:end]))
}

// mailchimp finds a key of Mailchimp by the data centre that it ends with:
// 32 hexadecimal digits, -us14.
func mailchimp(text string, i int) (Match, bool) {
	from, end := before(text, i, hex, 33), i+len("-us")
	for end < len(text) && end-i < 6 && isDigit(text[end]) {
		end++
	}
	alone := (from == 0 || !isAlnum(text[from-1]) || isEscape(text, from-1)) && (end == len(text) || !word.has(text[end]))
	return Match{Start: from, End: end, Says: "a Mailchimp API key", Shown: from}.
		sure(i-from == 32 && end > i+len("-us") && alone && made(text[from:i]) && !isExample(text[from:end]))
}

// entra finds a client secret of Microsoft Entra by its tilde: three characters,
// a digit, Q~, and 31 to 34 more.
func entra(text string, i int) (Match, bool) {
	from := i - len("abc8Q")
	if from < 0 || text[i-1] != 'Q' || !isDigit(text[i-2]) || before(text, i-2, dotted, 4) != from {
		return Match{}, false
	}
	end := i + 1
	for end < len(text) && end-i < 36 && (dotted.has(text[end]) || text[end] == '~') {
		end++
	}
	end = i + 1 + len(strings.TrimRight(text[i+1:end], "."))
	n := end - i - 1
	return Match{Start: from, End: end, Says: "a client secret of Microsoft Entra", Shown: from}.
		sure(n >= 31 && n <= 34 && made(text[i+1:end]) && !isExample(text[from:end]))
}

// teamsHost is what the address of a webhook of Teams has behind the name of
// its owner, and teamsHook what stands between its two pairs of identifiers.
const (
	teamsHost = ".webhook.office.com/webhookb2/"
	teamsHook = "/IncomingWebhook/"
)

// teams finds a webhook of Microsoft Teams by its host.
func teams(text string, i int) (Match, bool) {
	from := before(text, i, dashed, 64)
	if !strings.HasSuffix(text[:from], "https://") {
		return Match{}, false
	}
	from -= len("https://")
	group, channel := i+len(teamsHost), i+len(teamsHost)+2*len(uuids)+1+len(teamsHook)
	if len(text) < channel+32 || !isUUID(text[group:group+len(uuids)]) || text[channel-len(teamsHook):channel] != teamsHook {
		return Match{}, false
	}
	end := channel
	for end < len(text) && end-channel < 120 && slash.has(text[end]) {
		end++
	}
	key := text[channel : channel+32]
	return Match{Start: from, End: end, Says: "a Teams webhook", Shown: from}.sure(allHex(key) && made(key) && !isExample(key))
}

// uuids is how an identifier is written.
const uuids = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"

// signature finds that of a shared access to Azure's storage, `sig=…` in an
// address: 43 characters of base64 and a =, some of them written %2B.
func signature(text string, i int) (Match, bool) {
	from := i + 1
	end, n := from, 0
	for end < len(text) && n < 44 {
		switch {
		case end+2 < len(text) && text[end] == '%' && isAlnum(text[end+1]) && isAlnum(text[end+2]):
			end += 3
		case base.has(text[end]) || word.has(text[end]):
			end++
		default:
			return Match{}, false
		}
		n++
	}
	value := text[from:end]
	return Match{Start: from, End: end, Says: "the signature of a shared access", Shown: from}.
		sure(n == 44 && (strings.HasSuffix(value, "=") || strings.HasSuffix(value, "%3D") || strings.HasSuffix(value, "%3d")) && made(value) && !isExample(value))
}

// before gives where the bytes of a set begin that stand before a place, at most
// so many.
func before(text string, i int, of set, most int) int {
	from := i
	for from > 0 && i-from < most && of.has(text[from-1]) {
		from--
	}
	if from > 0 && isEscape(text, from) {
		from++
	}
	return from
}

// inside are what tells of a key in a value, for inner.
var inside = []string{".atlasv1.", "~", "-us"}

// known finds a key of one of them in a value.
func known(text string, from, end int) (Match, bool) {
	for _, mark := range inside {
		if j := strings.Index(text[from:end], mark); j >= 0 {
			if m, ok := inner(text, from+j); ok {
				return m, true
			}
		}
	}
	return Match{}, false
}
