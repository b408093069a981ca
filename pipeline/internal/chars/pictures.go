package chars

import (
	"slices"
	"strings"
)

// Range is an inclusive range of code points, its first and its last.
type Range [2]rune

// Within reports whether a code point is in an ascending table.
func Within(table []Range, r rune) bool {
	_, found := slices.BinarySearchFunc(table, r, Range.compare)
	return found
}

func (s Range) compare(r rune) int {
	switch {
	case s[1] < r:
		return -1
	case s[0] > r:
		return 1
	default:
		return 0
	}
}

// Picture reports whether a code point may be a part of an emoji sequence.
func Picture(r rune) bool { return r >= 0xA9 && Within(pictures, r) }

// pictures are the code points that an emoji sequence may be made of:
// Extended_Pictographic (emoji-data.txt, Unicode 16), with the blocks above
// U+1F000 taken whole but for regional indicators and skin tones.
var pictures = []Range{
	{0xA9, 0xA9},
	{0xAE, 0xAE},
	{0x203C, 0x203C},
	{0x2049, 0x2049},
	{0x2122, 0x2122},
	{0x2139, 0x2139},
	{0x2194, 0x2199},
	{0x21A9, 0x21AA},
	{0x231A, 0x231B},
	{0x2328, 0x2328},
	{0x2388, 0x2388},
	{0x23CF, 0x23CF},
	{0x23E9, 0x23F3},
	{0x23F8, 0x23FA},
	{0x24C2, 0x24C2},
	{0x25AA, 0x25AB},
	{0x25B6, 0x25B6},
	{0x25C0, 0x25C0},
	{0x25FB, 0x25FE},
	{0x2600, 0x2605},
	{0x2607, 0x2612},
	{0x2614, 0x2685},
	{0x2690, 0x2705},
	{0x2708, 0x2712},
	{0x2714, 0x2714},
	{0x2716, 0x2716},
	{0x271D, 0x271D},
	{0x2721, 0x2721},
	{0x2728, 0x2728},
	{0x2733, 0x2734},
	{0x2744, 0x2744},
	{0x2747, 0x2747},
	{0x274C, 0x274C},
	{0x274E, 0x274E},
	{0x2753, 0x2755},
	{0x2757, 0x2757},
	{0x2763, 0x2767},
	{0x2795, 0x2797},
	{0x27A1, 0x27A1},
	{0x27B0, 0x27B0},
	{0x27BF, 0x27BF},
	{0x2934, 0x2935},
	{0x2B05, 0x2B07},
	{0x2B1B, 0x2B1C},
	{0x2B50, 0x2B50},
	{0x2B55, 0x2B55},
	{0x3030, 0x3030},
	{0x303D, 0x303D},
	{0x3297, 0x3297},
	{0x3299, 0x3299},
	{0x1F000, 0x1F1E5},
	{0x1F200, 0x1F3FA},
	{0x1F400, 0x1FAFF},
}

// inAnchor reports whether a place is in the target of a link to a heading, from
// which sites take the emoji but not its selector: `](#\ufe0f-start)`.
func (s *scanner) inAnchor(at int) bool {
	const longest = 256
	before := s.text[max(0, at-longest):at]
	target := before[strings.LastIndexAny(before, "( \t\n")+1:]
	return strings.Contains(target, "#") && strings.HasSuffix(before[:len(before)-len(target)], "](")
}
