package change

import (
	"cmp"
	"slices"

	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/review"
)

// ownership says whom to ask about a difference: who owns what the prompts are
// made from that it reaches.
type ownership struct {
	all []*owner // those with most prompts first
	// unowned are the prompts that nobody owns anything of.
	unowned []*review.Pair
}

// owner is a user, a team or an address, with the prompts that are reached.
type owner struct {
	name  string
	pairs []*review.Pair
}

// variants counts those that send something else, or are no more.
func (o *owner) variants() int {
	n := 0
	for _, pair := range o.pairs {
		n += pair.Reached().Len() + pair.Gone.Len()
	}
	return n
}

// ownersOf groups the prompts that are reached by owner; nil where nobody says who
// owns anything.
func ownersOf(d *review.Difference) *ownership {
	var out *ownership
	known := map[string]*owner{}
	for _, pair := range d.Reached() {
		names := pair.Owners()
		if names == nil {
			continue
		}
		if out == nil {
			out = &ownership{}
		}
		if len(names) == 0 {
			out.unowned = append(out.unowned, pair)
		}
		for _, name := range names {
			if known[name] == nil {
				known[name] = &owner{name: name}
				out.all = append(out.all, known[name])
			}
			known[name].pairs = append(known[name].pairs, pair)
		}
	}
	if out != nil {
		slices.SortFunc(out.all, func(a, b *owner) int {
			return cmp.Or(cmp.Compare(len(b.pairs), len(a.pairs)), cmp.Compare(b.variants(), a.variants()), cmp.Compare(a.name, b.name))
		})
	}
	return out
}

// ownersLine says in a line who owns what is reached, naming the first few,
// or all; nil for nothing.
func ownersLine(o *ownership, all bool) Phrase {
	if o == nil {
		return nil
	}
	line, sep := Phrase{ours("owners: ")}, ""
	for i, one := range o.all {
		if i == fewNames && !all {
			line = append(line, ours("; and "+words.Number(len(o.all)-i)+" more (--format json has all)"))
			break
		}
		text := ": " + words.Count(len(one.pairs), "prompt")
		if n := one.variants(); n > 0 {
			text += ", " + words.Count(n, "variant")
		}
		line, sep = append(line, ours(sep), theirs(one.name), ours(text)), "; "
	}
	if n := len(o.unowned); n > 0 {
		line = append(line, ours(sep+"no owner: "+words.Count(n, "prompt")))
	}
	return line
}

type jsonOwner struct {
	Owner    string   `json:"owner"`
	Prompts  []string `json:"prompts"`
	Variants []string `json:"variants"`
	Removed  []string `json:"removed"`
}

func (o *ownership) json() ([]jsonOwner, []string) {
	all, unowned := []jsonOwner{}, []string{}
	for _, one := range o.all {
		made := jsonOwner{Owner: one.name, Prompts: []string{}, Variants: []string{}, Removed: []string{}}
		for _, pair := range one.pairs {
			made.Prompts = append(made.Prompts, pair.ID)
			made.Variants = append(made.Variants, Names(pair.Head, pair.Reached())...)
			made.Removed = append(made.Removed, Names(pair.Base, pair.Gone)...)
		}
		all = append(all, made)
	}
	for _, pair := range o.unowned {
		unowned = append(unowned, pair.ID)
	}
	return all, unowned
}
