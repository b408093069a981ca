package report

import (
	"strconv"
	"strings"

	"github.com/promptc-build/promptc/pipeline/prompt"
)

// bit is a piece of a sentence: our words, or what sources and manifests call
// something. Only the second may hold anything.
type bit struct {
	text  string
	named bool
}

// phrase is a sentence, or the part of one.
type phrase []bit

func ours(text string) bit   { return bit{text: text} }
func theirs(text string) bit { return bit{text: text, named: true} }

// text gives a phrase as a terminal may get it.
func (ph phrase) text() string {
	var b strings.Builder
	for _, p := range ph {
		if p.named {
			b.WriteString(clean(p.text))
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// markdown gives a phrase with everything that is not ours as code. Blanks that
// set things apart on a terminal are no sentence here.
func (ph phrase) markdown(span func(string) string) string {
	var b strings.Builder
	for _, p := range ph {
		if p.named {
			b.WriteString(span(p.text))
		} else {
			b.WriteString(strings.ReplaceAll(p.text, "  ", ": "))
		}
	}
	return strings.TrimSpace(b.String())
}

// saying is what happened, in words.
type saying struct {
	what phrase // with the blanks before the verb
	verb phrase
	tone style
	more phrase // a second line, nil for none
}

// describe puts an edit into words. Each reads as a sentence behind the id of
// its prompt.
func describe(e *prompt.Edit) saying {
	s := saying{tone: yellow}
	switch e.Kind {
	case prompt.PromptAdded, prompt.AxisAdded, prompt.ValueAdded, prompt.VariantsAdded,
		prompt.SectionAdded, prompt.SectionKept, prompt.ItemAdded, prompt.ToolAdded:
		s.tone = green
	case prompt.PromptRemoved, prompt.AxisRemoved, prompt.ValueRemoved, prompt.VariantsRemoved,
		prompt.SectionRemoved, prompt.ItemRemoved, prompt.ToolRemoved, prompt.PolicyWeakened:
		s.tone = red
	case prompt.BudgetCrossed:
		s.tone = green
		if e.Over {
			s.tone = red
		}
	case prompt.SectionDropped:
		if e.From == "" {
			s.tone = red
		}
	case prompt.CacheChanged:
		s.tone = green
		if e.Shorter {
			s.tone = red
		}
	default:
	}
	switch e.Kind {
	case prompt.SectionAdded, prompt.SectionRemoved, prompt.SectionKept, prompt.SectionDropped, prompt.FormChanged,
		prompt.FileChanged, prompt.TextChanged, prompt.ItemAdded, prompt.ItemRemoved, prompt.Moved,
		prompt.ToolAdded, prompt.ToolRemoved, prompt.ToolChanged:
		s.what, s.verb = ofContent(e)
	default:
		s.what, s.verb = ofDeclaration(e)
	}
	if e.Kind == prompt.CacheChanged {
		s.more = cacheWords(e)
	}
	return s
}

// ofDeclaration words an edit of what a prompt is declared to be, and what
// concerns it as a whole.
func ofDeclaration(e *prompt.Edit) (what, verb phrase) {
	words := e.Kind.Words()
	switch e.Kind {
	case prompt.AxisAdded, prompt.AxisRemoved:
		verb = phrase{ours(strings.TrimPrefix(words, "axis "))}
		if values := e.From + e.To; values != "" {
			verb = append(verb, ours(": "), theirs(values))
		}
		return phrase{ours("axis "), theirs(e.Name), ours(" ")}, verb
	case prompt.ValueAdded, prompt.ValueRemoved:
		return phrase{ours("value "), theirs(e.Name + "=" + e.From + e.To), ours(" ")},
			phrase{ours(strings.TrimPrefix(words, "value "))}
	case prompt.VariantsAdded, prompt.VariantsRemoved:
		return phrase{ours("variants ")}, phrase{ours(words)}
	case prompt.SettingChanged:
		return settingWords(e)
	case prompt.PolicyWeakened:
		return inSection(e), weakenedWords(e)
	case prompt.BudgetChanged:
		return inSection(e), append(phrase{ours(words + ": "), limitNoun(e.Name), ours(" ")}, amounts(e.From, e.To)...)
	case prompt.BudgetCrossed:
		verb = phrase{ours("within its budget in "), limitNoun(e.Name), ours(" again")}
		if e.Over {
			verb = phrase{ours("over its budget in "), limitNoun(e.Name), ours(" now")}
		}
		if e.Used[1].Known {
			verb = append(append(verb, ours(": ")), crossed(e)...)
		}
		return inSection(e), verb
	case prompt.SlotChanged:
		return slotWords(e)
	case prompt.CacheChanged:
		verb = phrase{ours("the stable prefix grows")}
		if e.Shorter {
			verb = phrase{ours("the stable prefix shrinks")}
		}
		return phrase{ours("cache  ")}, verb
	case prompt.BytesChanged:
		return inSection(e), bytesWords(e)
	default: // words that say it all
		return inSection(e), phrase{ours(words)}
	}
}

// ofContent words an edit of what is sent.
func ofContent(e *prompt.Edit) (what, verb phrase) {
	words := e.Kind.Words()
	switch e.Kind {
	case prompt.SectionAdded, prompt.SectionRemoved:
		return phrase{ours("section "), theirs(e.Section), ours(" ")}, phrase{ours(words)}
	case prompt.SectionKept:
		verb = phrase{ours(words)}
		if e.From != "" {
			verb = append(verb, ours(", was left out: "), theirs(e.From))
		}
		return inSection(e), verb
	case prompt.SectionDropped:
		if e.From != "" {
			return inSection(e), append(phrase{ours("left out for another reason: ")}, arrow(e.From, e.To)...)
		}
		verb = phrase{ours(words)}
		if e.To != "" {
			verb = append(verb, ours(": "), theirs(e.To))
		}
		return inSection(e), verb
	case prompt.FormChanged, prompt.FileChanged:
		return inSection(e), append(phrase{ours(words + " ")}, arrow(e.From, e.To)...)
	case prompt.ItemAdded, prompt.ItemRemoved:
		return append(inSection(e), theirs(e.Item), ours(" ")), phrase{ours(words)}
	case prompt.Moved:
		return moved(e)
	case prompt.ToolAdded, prompt.ToolRemoved, prompt.ToolChanged:
		return phrase{ours("tool "), theirs(e.Tool), ours(" ")}, phrase{ours(words)}
	default:
		return subjectOf(e), textWords(e)
	}
}

// inSection begins what is said of a section, or of the prompt itself.
func inSection(e *prompt.Edit) phrase {
	if e.Section == "" {
		return nil
	}
	return phrase{theirs(e.Section), ours("  ")}
}

// subjectOf names the text that an edit is about.
func subjectOf(e *prompt.Edit) phrase {
	switch {
	case e.Item == "":
		return inSection(e)
	case e.Section == "":
		return phrase{theirs(e.Item), ours("  ")}
	default:
		return phrase{theirs(e.Section), ours(" "), theirs(e.Item), ours("  ")}
	}
}

// moved says what went where: a section, an item of one, or a tool.
func moved(e *prompt.Edit) (what, verb phrase) {
	name := e.Section
	switch {
	case e.Tool != "":
		what, name = phrase{ours("tools ")}, e.Tool
	case e.Item != "" && e.Section != "":
		what, name = phrase{theirs(e.Section), ours(" ")}, e.Item
	case e.Item != "":
		name = e.Item
	}
	verb = phrase{ours(e.Kind.Words() + ": "), theirs(name), ours(", ")}
	return what, append(verb, arrow(e.From, e.To)...)
}

// arrow says from what to what something went.
func arrow(from, to string) phrase {
	return phrase{value(from), ours(" → "), value(to)}
}

func value(s string) bit {
	if s == "" {
		return ours("none")
	}
	return theirs(shorten(s, 0))
}

// amounts is arrow for limits: figures as people write them.
func amounts(from, to string) phrase {
	return phrase{amountOf(from), ours(" → "), amountOf(to)}
}

func amountOf(s string) bit {
	if s == "" {
		return ours("no limit")
	}
	if n, err := strconv.Atoi(s); err == nil {
		return ours(number(n))
	}
	return theirs(s)
}

// weakenedWords says what of a policy is weaker: a limit, or something else that
// a manifest declares.
func weakenedWords(e *prompt.Edit) phrase {
	out := phrase{ours(e.Kind.Words() + ": "), limitNoun(e.Name), ours(" ")}
	switch e.Name {
	case "expect", "checks", "families", "limits", "tokenizer":
		return append(out, arrow(e.From, e.To)...)
	default:
		return append(out, amounts(e.From, e.To)...)
	}
}

// limitNoun names what a budget limits.
func limitNoun(name string) bit {
	switch name {
	case "chars":
		return ours("characters")
	case "tool_tokens":
		return ours("tool tokens")
	case "growth_tokens":
		return ours("growth in tokens")
	case "tokens", "growth":
		return ours(name)
	default:
		return theirs(name)
	}
}

// declaredAs says how the declaration of something changed. What both sides
// begin with is said once: `max_tokens 24 → 40`.
func declaredAs(from, to string) phrase {
	switch {
	case from == "" && to == "":
		return phrase{ours("changed")}
	case from == "":
		return phrase{ours("declared: "), theirs(to)}
	case to == "":
		return phrase{ours("no longer declared, was "), theirs(from)}
	}
	verb := phrase{ours("changed: ")}
	if head, rest, ok := strings.Cut(from, " "); ok && strings.HasPrefix(to, head+" ") && !strings.Contains(rest, ",") {
		verb = append(verb, theirs(head), ours(" "))
		from, to = rest, to[len(head)+1:]
	}
	return append(verb, arrow(from, to)...)
}

// cacheWords says what a change of the stable prefix comes to.
func cacheWords(e *prompt.Edit) phrase {
	var out phrase
	switch {
	case e.To != "" && e.From != "" && e.From != e.To:
		out = phrase{ours("up to "), theirs(e.To), ours(" (was "), theirs(e.From), ours(")")}
	case e.To != "":
		out = phrase{ours("up to "), theirs(e.To)}
	case e.From != "":
		out = phrase{ours("nothing changes from request to request now (was up to "), theirs(e.From), ours(")")}
	}
	low, high, ok := tokensOf(e)
	if !ok || low == 0 && high == 0 {
		return out
	}
	if len(out) > 0 {
		out = append(out, ours(", "))
	}
	return append(out, ours(sentAgain(low, high)))
}

// sentAgain says how many tokens more a provider reads anew with each request.
func sentAgain(low, high int) string {
	switch {
	case low < 0 && high > 0:
		return spread(low, high) + " tokens are sent again with each request"
	case high <= 0:
		return tokenRange(-high, -low) + " fewer are sent again with each request"
	default:
		return tokenRange(low, high) + " more are sent again with each request"
	}
}

func tokenRange(low, high int) string { return figureRange(low, high) + " " + plural(high, "token") }

func itoa(n int) string { return strconv.Itoa(n) }
