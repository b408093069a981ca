package transient

import "strings"

// nearby is how far words before a date are looked at, in bytes.
const nearby = 48

// dated finds a date with a time, with its day of the week, or that the words
// before it call today's.
func dated(text string, i int) (Match, bool) {
	from := i
	day := prefixed(text[i:], weekdays)
	if day > 0 {
		i += day
		if end := stamp(text, i); end > 0 {
			return Match{timeOf(text, from, false), from, end}, true
		}
		i = skip(text, skip(text, skip(text, i, "."), ","), " ")
	}
	end := date(text, i)
	if end < 0 {
		return now(text, i)
	}
	if stop, midnight := clock(text, end); stop > 0 {
		_, ok := called(text, from)
		return Match{timeOf(text, from, ok), from, stop}, !midnight || ok
	}
	if kind, ok := called(text, from); ok {
		return Match{kind, from, end}, true
	}
	return Match{timeOf(text, from, false), from, end}, day > 0
}

// now finds a time of day that the words before it call the current one.
func now(text string, i int) (Match, bool) {
	if !shape(text[i:], "d:dd") && !shape(text[i:], "dd:dd") {
		return Match{}, false
	}
	kind, ok := called(text, i)
	return Match{Clock, i, clockEnd(text, i)}, ok && kind == Today
}

// plans are words behind which a date is one that something was set for.
var plans = []string{"on", "by", "until", "till", "before", "after", "from", "due", "deadline", "starting", "scheduled for", "no later than", "am", "bis", "bis zum", "ab", "el", "hasta"}

// timeOf gives the kind of a date with a time that words before it may call that
// of the moment.
func timeOf(text string, i int, ofMoment bool) Kind {
	before := strings.ToLower(strings.TrimRight(text[max(0, i-nearby):i], " :*_"))
	for _, plan := range plans {
		if rest, ok := strings.CutSuffix(before, plan); ok && !ofMoment && (rest == "" || !isAlnum(rest[len(rest)-1])) {
			return Planned
		}
	}
	return Time
}

// date gives the end of a full date that begins at a byte: 2026-03-26,
// 2026/03/26, March 26, 2026, 26 March 2026, 03/26/2026, 3/5/2026; -1 for none.
func date(text string, i int) int {
	s := text[i:]
	end := -1
	switch {
	case shape(s, "dddd-dd-dd") || shape(s, "dddd/dd/dd"):
		if month, day := s[5:7], s[8:10]; s[:2] == "19" || s[:2] == "20" && month >= "01" && month <= "12" && day >= "01" && day <= "31" {
			end = i + 10
		}
	case shape(s, "dd/dd/20dd") || shape(s, "d/d/20dd") || shape(s, "dd/d/20dd") || shape(s, "d/dd/20dd"):
		end = i + strings.LastIndexByte(s[:min(len(s), 8)], '/') + 5
	case shape(s, "dd.dd.20dd"):
		end = i + 10
	case shape(s, "20dd"):
		end = eastern(text, i)
	default:
		end = wordy(text, i)
	}
	if end > 0 && end < len(text) && (isDigit(text[end]) || text[end] == '-' || text[end] == '_') {
		return -1
	}
	return end
}

// stamp gives the end of what programs write behind a day of the week, as in
// Thu Mar  5 14:05:11 UTC 2026; 0 for none.
func stamp(text string, i int) int {
	i = skip(text, i, " ")
	n := prefixed(text[i:], months)
	if n == 0 || !strings.HasPrefix(text[i+n:], " ") {
		return 0
	}
	from := skip(text, i+n+1, " ")
	day := dayOf(text, from)
	if day == from || day+1 >= len(text) || !shape(text[day+1:], "dd:dd") {
		return 0
	}
	end, _ := clock(text, day)
	end = skip(text, end, " ")
	for zone := end; end-zone < 5 && end < len(text) && isUpper(text[end]); {
		end++
	}
	if end = skip(text, end, " "); !shape(text[end:], "20dd") {
		return 0
	}
	return end + 4
}

// eastern gives the end of a date as Chinese and Japanese have it, 2026年3月5日;
// -1 for none.
func eastern(text string, i int) int {
	for _, part := range []struct {
		digits int
		mark   string
	}{{4, "年"}, {2, "月"}, {2, "日"}} {
		from := i
		for i < len(text) && i-from < part.digits && isDigit(text[i]) {
			i++
		}
		if i == from || !strings.HasPrefix(text[i:], part.mark) {
			return -1
		}
		i += len(part.mark)
	}
	return i
}

// wordy is date for one with the name of a month.
func wordy(text string, i int) int {
	if i == len(text) {
		return -1
	}
	j := i
	if isDigit(text[i]) {
		j = dayOf(text, i)
		if j = skip(text, skip(text, skip(text, j, "."), " "), "de "); j == i {
			return -1
		}
	}
	n := prefixed(text[j:], months)
	if n == 0 && j > i {
		n = smallPrefixed(text[j:], spanish)
	}
	if n == 0 {
		return -1
	}
	j = skip(text, j+n, " de")
	j = skip(text, skip(text, j, "."), " ")
	if !isDigit(text[i]) {
		k := dayOf(text, j)
		if k == j {
			return -1
		}
		j = skip(text, skip(text, k, ","), " ")
	} else {
		j = skip(text, skip(text, j, ","), " ")
	}
	if !shape(text[j:], "20dd") {
		return -1
	}
	return j + 4
}

// dayOf passes over a day of a month, 26 or 26th.
func dayOf(text string, i int) int {
	j := i
	for j < len(text) && j-i < 2 && isDigit(text[j]) {
		j++
	}
	for _, th := range []string{"st", "nd", "rd", "th"} {
		if j > i && strings.HasPrefix(text[j:], th) {
			return j + 2
		}
	}
	return j
}

// clock gives the end of a time behind a date, and whether it is midnight, which
// is how the edge of a day is written; 0 for none.
func clock(text string, i int) (end int, midnight bool) {
	j := i
	for _, between := range []string{"T", ", at ", " at ", " um ", " a las ", ", ", " "} {
		if strings.HasPrefix(text[i:], between) {
			j = i + len(between)
			break
		}
	}
	if end = clockEnd(text, j); j == i || end == 0 {
		return 0, false
	}
	clock := text[j:end]
	if k := strings.IndexAny(clock, " .Z+-apAP"); k >= 0 {
		clock = clock[:k]
	}
	return end, strings.Trim(clock, "0:") == "" || clock == "23:59:59" || clock == "23:59"
}

// clockEnd gives the end of a time of day, with its zone; 0 for none.
func clockEnd(text string, i int) int {
	var end int
	switch s := text[i:]; {
	case shape(s, "dd:dd"):
		end = i + 5
	case shape(s, "d:dd"):
		end = i + 4
	default:
		return 0
	}
	if shape(text[end:], ":dd") {
		end += 3
	}
	if end+1 < len(text) && text[end] == '.' && isDigit(text[end+1]) {
		for end++; end < len(text) && isDigit(text[end]); end++ {
		}
	}
	for _, zone := range []string{"Z", " UTC", " GMT", " Uhr", " AM", " PM", " am", " pm", "am", "pm"} {
		if strings.HasPrefix(text[end:], zone) {
			end += len(zone)
			break
		}
	}
	if shape(text[end:], "+dd:dd") || shape(text[end:], "-dd:dd") {
		end += 6
	}
	return end
}

// called gives what the words before a place, on its line, call the date that
// follows.
func called(text string, i int) (Kind, bool) {
	from := max(0, i-nearby)
	if j := strings.LastIndexByte(text[from:i], '\n'); j >= 0 {
		from += j + 1
	}
	before := text[from:i]
	for _, quote := range []string{`"`, "'", "“", "„", "「"} {
		before = strings.TrimSuffix(before, quote)
	}
	before = strings.ToLower(strings.TrimRight(before, " :：*_`=-(,"))
	before = strings.TrimSuffix(strings.TrimSuffix(before, " is"), " on")
	before = strings.TrimRight(before, " :：*_`(")
	for _, c := range calls {
		if rest, ok := strings.CutSuffix(before, c.words); ok && (rest == "" || !isAlnum(rest[len(rest)-1])) {
			return c.kind, true
		}
	}
	return 0, false
}

// prefixed gives the length of the word of a list that a text begins with, 0
// for none.
func prefixed(s string, words []string) int {
	if s == "" || !isUpper(s[0]) {
		return 0
	}
	return smallPrefixed(s, words)
}

// smallPrefixed is prefixed for words that begin with a small letter.
func smallPrefixed(s string, words []string) int {
	for _, w := range words {
		if strings.HasPrefix(s, w) && (len(s) == len(w) || !isAlpha(s[len(w)])) {
			return len(w)
		}
	}
	return 0
}

func skip(text string, i int, s string) int {
	if strings.HasPrefix(text[i:], s) {
		return i + len(s)
	}
	return i
}
