package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// prefixSums hashes texts that are given in parts. The parts with which a text
// begins like the one before it are not hashed again. The zero prefixSums has
// seen no text.
type prefixSums struct {
	parts  []string
	behind []hash.Hash // the state behind each part
	buffer []byte
}

// sum gives the SHA-256 of the parts joined.
func (p *prefixSums) sum(parts []string) string {
	alike := 0
	for alike < min(len(parts), len(p.parts)) && parts[alike] == p.parts[alike] {
		alike++
	}
	p.parts, p.behind = parts, p.behind[:alike]
	for _, part := range parts[alike:] {
		p.behind = append(p.behind, p.write(p.state(), part))
	}
	return hex.EncodeToString(p.state().Sum(nil))
}

// state gives a copy of the state behind the parts that were hashed.
func (p *prefixSums) state() hash.Hash {
	if n := len(p.behind); n > 0 {
		if last, ok := p.behind[n-1].(hash.Cloner); ok {
			if state, err := last.Clone(); err == nil {
				return state
			}
		}
	}
	state := sha256.New()
	for _, part := range p.parts[:len(p.behind)] {
		p.write(state, part)
	}
	return state
}

func (p *prefixSums) write(state hash.Hash, part string) hash.Hash {
	p.buffer = append(p.buffer[:0], part...)
	_, _ = state.Write(p.buffer) // a hash takes everything
	return state
}
