package validate

import (
	"encoding/base64"
	"errors"
	"regexp"
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
	"github.com/promptc-build/promptc/pipeline/prompt"
)

// imageType is the type of a picture, without parameters.
var imageType = regexp.MustCompile(`^image/[a-z0-9][a-z0-9.+-]*$`)

// images decodes data URLs of pictures. What is none is reported.
func (r *fixtureReader) images(n *prompt.Node) []prompt.Image {
	var out []prompt.Image
	for _, item := range itemsOf(n) {
		if w, ok := r.entry(item); !ok || w.Str == "" { // which the schema has reported
			continue
		}
		p := pictureReader{node: item, url: item.Text.Trim(" \t\r\n")}
		image, ok := p.read()
		if ok {
			out = append(out, image)
		}
		r.found = append(r.found, p.found...)
	}
	return out
}

// pictureReader reads one data URL.
type pictureReader struct {
	node  *prompt.Node
	url   prompt.Text
	found diag.List
}

// read gives the picture of a URL `data:image/TYPE;base64,DATA`.
func (p *pictureReader) read() (prompt.Image, bool) {
	url := p.url.Str
	rest, isData := strings.CutPrefix(url, "data:")
	head, data, hasData := strings.Cut(rest, ",")
	media, isBase64 := strings.CutSuffix(head, ";base64")
	start := len(url) - len(data)
	switch {
	case !isData && strings.Contains(url, "://"):
		p.refuse(0, len(url), quote(url)+" is an address, not a data URL", "nothing is fetched: write the picture itself as `data:image/png;base64,…`")
	case !isData:
		p.refuse(0, len(url), quote(url)+" is not a data URL", "write the picture itself as `data:image/png;base64,…`")
	case !hasData:
		p.refuse(0, len(url), "the data URL "+quote(url)+" has no comma, and no data", "write `data:image/png;base64,` and the data")
	case !isBase64:
		p.refuse(0, start, "the data URL "+quote(url[:start])+" is not in base64", "write `;base64` before the comma, and the data in base64")
	case !imageType.MatchString(media) && imageType.MatchString(bareType(media)):
		p.refuse(0, start, "the type "+quote(media)+" of the data URL is not in small letters and without parameters", "write `data:"+short(bareType(media))+";base64,`")
	case !imageType.MatchString(media):
		p.refuse(0, start, "the data URL is of the type "+quote(media)+"; expected an image", "write a type such as `image/png` or `image/jpeg`, in small letters and without parameters")
	case data == "":
		p.refuse(0, start, "the data URL "+quote(url[:start])+" has no data", "write the picture in base64 behind the comma, or remove the entry")
	default:
		return p.decoded(media, start)
	}
	return prompt.Image{}, false
}

// decoded gives the picture whose data starts at a byte of the URL.
func (p *pictureReader) decoded(media string, start int) (prompt.Image, bool) {
	data := p.url.Str[start:]
	// The decoder passes line breaks over; providers do not.
	if i := strings.IndexAny(data, " \t\r\n"); i >= 0 {
		p.refuse(start+i, start+i+1, "the data of an image has white space in it", "write it on one line, without blanks")
		return prompt.Image{}, false
	}
	plain, err := base64.StdEncoding.Strict().DecodeString(data)
	if err == nil {
		if is := typeOf(plain); is != "" && is != media && (media != "image/apng" || is != "image/png") {
			p.refuse(0, start, "the data URL is of the type "+quote(media)+", and the data of an image of the type "+quote(is), "write `data:"+is+";base64,`, or take the data of the other picture")
			return prompt.Image{}, false
		}
		return prompt.Image{URL: p.url.Str, Media: media, Data: data, Bytes: len(plain), At: p.span(0, start)}, true
	}
	at := len(data)
	if corrupt := base64.CorruptInputError(0); errors.As(err, &corrupt) {
		at = min(int(corrupt), len(data))
	}
	p.refuse(start+at, start+at+1, "the data of an image is not canonical base64", base64Hint(data, at))
	return prompt.Image{}, false
}

// bareType gives a type in small letters and without parameters.
func bareType(media string) string {
	media, _, _ = strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// signatures are the first bytes of pictures. A question mark stands for any
// byte.
var signatures = []struct{ first, media string }{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"RIFF????WEBP", "image/webp"},
}

// typeOf tells the type of a picture by its first bytes, "" where they are not
// known.
func typeOf(data []byte) string {
	for _, s := range signatures {
		same := len(data) >= len(s.first)
		for i := 0; same && i < len(s.first); i++ {
			same = s.first[i] == '?' || s.first[i] == data[i]
		}
		if same {
			return s.media
		}
	}
	return ""
}

// base64Hint says what is probably wrong at a byte of the data.
func base64Hint(data string, at int) string {
	switch {
	case at < len(data) && strings.ContainsRune("-_", rune(data[at])):
		return "this is the alphabet for URLs: write `+` for `-` and `/` for `_`"
	case at >= len(data)-len(data)%4 && len(data)%4 != 0:
		return "it is cut off: the number of characters is a multiple of 4, with `=` at the end where needed"
	default:
		return "take it from `base64` as it comes out, without line breaks"
	}
}

// span gives the place of a part of the URL, which may be a very long line.
func (p *pictureReader) span(start, end int) diag.Span {
	at := p.url.Span(min(start, max(0, len(p.url.Str)-1)), min(end, len(p.url.Str)))
	if !at.Known() {
		at = p.node.At
	}
	return firstLine(at)
}

func (p *pictureReader) refuse(start, end int, fact, hint string) {
	p.found = append(p.found, diag.New(diag.BadDataURL, p.span(start, end), "%s", fact).WithHint("%s", hint))
}
