package load

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// halves are the escapes of which JSON has two for a character above U+FFFF, as
// Python's json.dumps writes it. YAML means to read all JSON, but its library
// refuses them.
var halves = regexp.MustCompile(`\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)

// halfLength and joinedLength are the bytes of a half, and of the escape that YAML
// has for a whole character.
const halfLength, joinedLength = len(`\ud83d`), len(`\U0001f600`)

// decodeHalves decodes a text with halves, after it has made y one with the escapes
// that YAML has. A half that stands alone is a finding, and becomes U+FFFD.
//
// Only scalars in double quotes have escapes. The library tells where these are: in
// a text with other escapes, of the same length, in place of the halves.
func (y *yamlText) decodeHalves(src string, found *diag.List) (first, second *yaml.Node, err error) {
	first, second, err = decodeYAML(halves.ReplaceAllString(src, `\ufffd`))
	if err != nil {
		return nil, nil, err
	}
	var out strings.Builder
	var joined []int
	done := 0
	for _, start := range slices.Concat(y.escaped(first), y.escaped(second)) {
		end := closing(src, start, '"')
		for at := start; at < end; at++ {
			if src[at] != '\\' {
				continue
			}
			high, low := halfAt(src[at:end]), halfAt(src[min(at+halfLength, end):end])
			switch r := utf16.DecodeRune(high, low); {
			case r != utf8.RuneError:
				out.WriteString(src[done:at] + `\U` + strconv.FormatInt(0x100000000+int64(r), 16)[1:])
				joined = append(joined, out.Len())
				done = at + 2*halfLength
			case high != 0:
				out.WriteString(src[done:at] + `\ufffd`)
				done = at + halfLength
				*found = append(*found, diag.New(diag.YAMLSyntax, y.span(at, done), "half-character", src[at:done]).
					WithHint("characters-above-ffff-take"))
			}
			at = max(done-1, at+1) // behind what is escaped
		}
	}
	y.read(out.String() + src[done:])
	y.joined = joined
	return decodeYAML(y.src)
}

// escaped gives where the scalars in double quotes start.
func (y *yamlText) escaped(n *yaml.Node) []int {
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode && n.Style&yaml.DoubleQuotedStyle != 0 {
		return []int{y.content(y.offset(n.Line, n.Column))}
	}
	var out []int
	for _, child := range n.Content {
		out = append(out, y.escaped(child)...)
	}
	return out
}

// halfAt gives the half that a text starts with, 0 for none.
func halfAt(text string) rune {
	if len(text) < halfLength || !halves.MatchString(text[:halfLength]) {
		return 0
	}
	n, _ := strconv.ParseUint(text[len(`\u`):halfLength], 16, 32)
	return rune(n)
}

// inFile gives the place in the file of one in src.
func (y *yamlText) inFile(at int) int {
	return y.base + at + sort.SearchInts(y.joined, at+1)*(2*halfLength-joinedLength)
}
