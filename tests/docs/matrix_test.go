package docs_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// reportPage is what a picture of a matrix shows of the data of promptc report.
type reportPage struct {
	Settings []struct {
		Tokens int
		WarnAt float64 `json:"warn_at"`
	}
	Prompts []reportPrompt
	Changes []struct {
		What, Source string
		Reach        []struct {
			Prompt string
			In     runs
			Missed []struct {
				Why string
				In  runs
			}
		}
	}
}

type reportPrompt struct {
	ID   string
	Axes []struct {
		Name   string
		Values []string
	}
	Variants []struct {
		V    []int // by axis
		U, S int   // the tokens, and the row of the settings
	}
}

// runs is a set of variants: the first of each run, and how many follow on one another.
type runs []int

func (r runs) has(i int) bool {
	for k := 0; k < len(r); k += 2 {
		if i >= r[k] && i < r[k]+r[k+1] {
			return true
		}
	}
	return false
}

var (
	pageData   = regexp.MustCompile(`(?s)<script id="data" type="application/json">(.*?)</script>`)
	thousands  = regexp.MustCompile(`(\d)(\d{3})$`)
	pageColour = regexp.MustCompile(`--(\w+): light-dark\((#\w+), (#\w+)\);`)
)

// cell is what stands in a matrix: a colour of the page, and two lines.
type cell struct{ colour, text, more string }

// panel is a matrix with what explains it.
type panel struct {
	title, about string
	legend       []cell
	of           func(variant int) cell
}

// What a picture of a matrix is drawn with, in pixels.
const (
	labelWidth, boxWidth, boxHeight = 76.0, 70.0, 38.0
	matrixTop                       = 122.0
)

// matrices draws the matrix of a prompt over its first two axes, with the first value of
// the others, twice: by use of the budget, and by what the only change reaches. It has
// the colours of the page, light or dark as the reader's system is.
func matrices(t *testing.T, html, id string) string {
	t.Helper()
	data := pageData.FindStringSubmatch(html)
	if data == nil {
		t.Fatalf("this is no page: %.200s", html)
	}
	var page reportPage
	if err := json.Unmarshal([]byte(data[1]), &page); err != nil {
		t.Fatal(err)
	}
	p := page.Prompts[slices.IndexFunc(page.Prompts, func(p reportPrompt) bool { return p.ID == id })]
	var b strings.Builder
	panels := []panel{page.use(p), page.reach(p)}
	panelWidth := labelWidth + boxWidth*float64(len(p.Axes[1].Values))
	w := margin + float64(len(panels))*(panelWidth+margin)
	h := matrixTop + (boxHeight+2)*float64(len(p.Axes[0].Values)) + margin
	const title = "Two views of a page of promptc report: how much of its budget each variant uses, and which variants a change reaches"
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" role="img" aria-label="%s">`+"\n<title>%[4]s</title>\n<style>\n", w, h, w, title)
	var dark strings.Builder
	for _, m := range pageColour.FindAllStringSubmatch(html, -1) {
		fmt.Fprintf(&b, ".%s { fill: %s }\n", m[1], m[2])
		fmt.Fprintf(&dark, ".%s { fill: %s }\n", m[1], m[3])
	}
	b.WriteString("@media (prefers-color-scheme: dark) {\n" + dark.String() + "}\n" +
		`text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif } .title { font-size: 16px; font-weight: 600 } .strong { font-weight: 600 } .small { font-size: 11px }` + "\n</style>\n")
	rect(&b, 0, 0, w, h, "line")
	rect(&b, 1, 1, w-2, h-2, "page")
	for i, one := range panels {
		one.draw(&b, p, margin+float64(i)*(panelWidth+margin))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// use colours variants by the share of their budget that they use, as the page does.
func (page *reportPage) use(p reportPrompt) panel {
	return panel{
		title: "Use of the budget", about: p.ID + ", " + p.Axes[0].Name + " by " + p.Axes[1].Name + ": share of the budget, and tokens",
		legend: []cell{{"ok", "within budget", ""}, {"near", "above 75 %", ""}, {"warn", "warning", ""}, {"over", "over budget", ""}},
		of: func(i int) cell {
			v := p.Variants[i]
			s := page.Settings[v.S]
			share := float64(v.U) / float64(s.Tokens)
			colour := "ok"
			switch {
			case share > 1:
				colour = "over"
			case s.WarnAt > 0 && share >= s.WarnAt:
				colour = "warn"
			case share >= 0.75:
				colour = "near"
			}
			return cell{colour, fmt.Sprintf("%.0f %%", math.Round(100*share)), thousands.ReplaceAllString(strconv.Itoa(v.U), "$1,$2")}
		},
	}
}

// reach colours variants by whether the first change reaches them.
func (page *reportPage) reach(p reportPrompt) panel {
	c := page.Changes[0]
	at := slices.IndexFunc(strings.Split(c.Source, "/"), func(part string) bool { return part == "templates" })
	return panel{
		title: "What a change reaches", about: "a line added to …/" + strings.Join(strings.Split(c.Source, "/")[at:], "/"),
		legend: []cell{{"ok", "✓ reached", ""}, {"over", "✗ could have it and has not", ""}, {"box", "– nothing to do with it", ""}},
		of: func(i int) cell {
			for _, r := range c.Reach {
				if r.Prompt != p.ID {
					continue
				}
				if r.In.has(i) {
					return cell{"ok", "✓", "reached"}
				}
				for _, m := range r.Missed {
					if m.In.has(i) {
						why, _, _ := strings.Cut(m.Why, ":")
						return cell{"over", "✗", why}
					}
				}
			}
			return cell{"box", "–", ""}
		},
	}
}

func (m *panel) draw(b *strings.Builder, p reportPrompt, x float64) {
	text(b, x, 38, "text title", m.title)
	text(b, x, 58, "soft small", m.about)
	at := x
	for _, l := range m.legend {
		w := float64(utf8.RuneCountInString(l.text))*6.2 + 14
		rect(b, at, 70, w, 20, l.colour)
		text(b, at+7, 84, "text small", l.text)
		at += w + 6
	}
	for i, name := range p.Axes[1].Values {
		text(b, x+labelWidth+float64(i)*boxWidth+8, matrixTop-8, "soft small", p.Axes[1].Name+" "+name)
	}
	for i, name := range p.Axes[0].Values {
		text(b, x, matrixTop+float64(i)*(boxHeight+2)+23, "text", name)
	}
	for i, v := range p.Variants {
		if slices.Max(v.V[2:]) > 0 {
			continue
		}
		in, left, top := m.of(i), x+labelWidth+float64(v.V[1])*boxWidth, matrixTop+float64(v.V[0])*(boxHeight+2)
		rect(b, left, top, boxWidth-2, boxHeight, in.colour)
		text(b, left+8, top+17, "text strong", in.text)
		text(b, left+8, top+31, "text small", in.more)
	}
}

func rect(b *strings.Builder, x, y, w, h float64, colour string) {
	fmt.Fprintf(b, `<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="4" class="%s"/>`+"\n", x, y, w, h, colour)
}

func text(b *strings.Builder, x, y float64, kind, said string) {
	fmt.Fprintf(b, `<text x="%.0f" y="%.0f" class="%s">%s</text>`+"\n", x, y, kind, escaped(said))
}
