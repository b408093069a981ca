package load

import (
	"slices"
	"strings"

	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/language"
)

// Limits on what a manifest extends.
const (
	maxPolicyDepth = 4
	maxPolicies    = 100
)

// policy is a policy that was read, or nil where it cannot be used.
type policy struct {
	*language.Policy
	// depth counts it and those that it extends, one behind the other.
	depth int
	open  bool // it is being read
}

// readPolicies reads what the manifest extends.
func (r *run) readPolicies() error {
	r.policies = map[string]*policy{}
	all, _, err := r.extended(r.tree.Manifest, r, nil)
	r.tree.Extends = all
	return err
}

// extended reads what a file extends; from reads the paths, and chain are the
// policies that led here. Depth is that of the deepest.
func (r *run) extended(file *ground.Node, from *run, chain []string) (all []*language.Policy, depth int, err error) {
	for _, w := range r.language.Extends(file) {
		p, err := r.policy(w, from, chain)
		if err != nil {
			return nil, 0, err
		}
		if p == nil || p.Policy == nil {
			continue // which is said
		}
		if depth = max(depth, p.depth); len(chain)+p.depth > maxPolicyDepth {
			r.badPolicy(w, "extends-too-deep", maxPolicyDepth)
			return nil, 0, nil
		}
		all = append(all, p.Policy)
	}
	return all, depth, nil
}

func (r *run) badPolicy(w ground.Word, key string, args ...any) {
	r.found = append(r.found, diag.New(diag.BadPolicy, w.At, key, args...).WithHint("extend-fewer"))
}

// policy reads one policy.
func (r *run) policy(w ground.Word, from *run, chain []string) (*policy, error) {
	own, name := from, w.Str
	if rootName.MatchString(name) {
		own, name = r.in(name, w.At)
	}
	if own == nil || own.disk.fsys == nil {
		return nil, nil // the name of the root, or the root, is wrong, which is said
	}
	defer r.join(own)
	before := len(own.found)
	names, err := own.findOne(name, w.At)
	if err == nil && len(names) == 0 && len(own.found) == before {
		err = own.noPolicy(name, w.At)
	}
	if err != nil || len(names) == 0 {
		return nil, err
	}
	dest, err := own.disk.real(name)
	if err != nil {
		return nil, err
	}
	key := own.root + dest
	known := r.policies[key]
	switch {
	case known != nil && known.open:
		shown := append(slices.Clip(chain[slices.Index(chain, key):]), key)
		r.found = append(r.found, diag.New(diag.BadPolicy, w.At, "extends-itself", strings.Join(shown, " → ")).WithHint("extends-cycle"))
		return nil, nil
	case known != nil:
		return known, nil
	case len(chain) >= maxPolicyDepth:
		r.badPolicy(w, "extends-too-deep", maxPolicyDepth)
		return nil, nil
	case len(r.policies) >= maxPolicies:
		r.badPolicy(w, "extends-too-many", maxPolicies)
		return nil, nil
	}
	made := &policy{open: true}
	r.policies[key] = made
	err = r.readPolicy(made, own, name, dest, w.At, append(slices.Clip(chain), key))
	made.open = false
	return made, err
}

// readPolicy reads the file of a policy, and what that extends.
func (r *run) readPolicy(made *policy, own *run, name, dest string, at diag.Span, chain []string) error {
	file, err := own.file(name, &language.Kind{}, at)
	if err != nil || file == nil {
		return err
	}
	node := own.mapping(file, "policy")
	if node == nil {
		return nil
	}
	made.Policy = &language.Policy{Doc: &language.Doc{File: file, Format: language.YAML, Data: node, Real: own.root + dest}}
	made.Extends, made.depth, err = r.extended(node, own, chain)
	made.depth++
	return err
}

// noPolicy says that a policy is not there.
func (r *run) noPolicy(name string, at diag.Span) error {
	before := len(r.found)
	if err := r.otherCase(name, at); err != nil || len(r.found) > before {
		return err
	}
	d := diag.New(diag.BadPolicy, at, "no-such-policy", r.root+name)
	switch meant := r.tree.Meant[r.root+name]; {
	case meant != "":
		d = d.WithHint("did-you-mean", meant)
	case isPattern(name):
		d = d.WithHint("extends-names-files")
	default:
		d = d.WithHint("extends-from-root")
	}
	r.found = append(r.found, d)
	return nil
}
