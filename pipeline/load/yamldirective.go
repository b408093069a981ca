package load

import (
	"strings"

	"github.com/promptc-build/promptc/pipeline/diag"
)

// directives reads the lines in front of a document that start with `%`. The
// versions 1.1 and 1.2 of YAML may be named, since all that is read means the
// same in both. It gives the text with such a line as a comment: the library
// knows only the older version. A finding is of the first line that may not be
// there.
func (y *yamlText) directives() (string, *diag.Diagnostic) {
	src, version := y.src, -1
	for at := 0; at < len(src); {
		line, _, _ := strings.Cut(src[at:], "\n")
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		case !strings.HasPrefix(line, "%"):
			if version >= 0 && words[0] != "---" {
				return src, y.refused(version, "nothing ends the instruction to the YAML reader", "write a line `---` behind it, or remove it")
			}
			return src, nil
		case words[0] != "%YAML":
			return src, y.refused(at, "instructions to the YAML reader are not allowed", "remove the line, or quote the value if the `%%` is part of the text")
		case len(words) < 2 || len(words) > 2 && !strings.HasPrefix(words[2], "#") || words[1] != "1.1" && words[1] != "1.2":
			return src, y.refused(at, "only YAML 1.1 and 1.2 are read", "write `%%YAML 1.2`, or remove the line")
		case version >= 0:
			return src, y.refused(at, "the version of YAML is there twice", "remove the line")
		default:
			src, version = src[:at]+"#"+src[at+1:], at
		}
		at += len(line) + 1
	}
	return src, nil
}

func (y *yamlText) refused(at int, fact, hint string) *diag.Diagnostic {
	d := diag.New(diag.YAMLFeature, y.lineFrom(at), "%s", fact).WithHint(hint)
	return &d
}
