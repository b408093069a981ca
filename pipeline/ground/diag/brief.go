package diag

// What is too long for a message, and how it is shortened.

// Start gives at most so many characters of a text, and an ellipsis where that
// is not all.
func Start(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for i := range s {
		if most--; most < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// Ends is Start for names that may begin alike: it leaves out their middle.
func Ends(s string) string {
	const most = 100 // characters
	if r := []rune(s); len(r) > most {
		return string(r[:most/2]) + "…" + string(r[len(r)-most/2:])
	}
	return s
}

// AndOthers names the first of several things, and counts the others.
func AndOthers(names []string) Words {
	switch others := len(names) - 1; others {
	case 0:
		return Say("quoted", names[0])
	case 1:
		return Say("and-one-other", names[0])
	default:
		return Say("and-others", names[0], Count(others))
	}
}

// MaxVariants is how many variants a sentence names.
const MaxVariants = 5

// MaxDescribed is how many bytes a description of variants may have in a sentence.
const MaxDescribed = 150

// Some names at most so many of several things, and counts the rest.
func Some(names []string, most int) Words {
	return First(names[:min(len(names), most)], len(names))
}

// First is Some for names that are the first of a number of things.
func First(names []string, all int) Words {
	if more := all - len(names); more > 0 {
		return Say("names-and-more", Names(names), Count(more))
	}
	return Say("names", Names(names))
}
