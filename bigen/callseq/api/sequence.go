package api

import (
	"encoding/binary"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
)

// A sequence is calls, and the choices that make them.
type sequence struct {
	calls callseq.Calls
	tree  choices.Tree
	sums  []uint64 // hashes of the choices up to the end of each call

	proven int    // calls that have passed, in another sequence
	used   bool   // another one of the archive extends it
	passed bool   // it has run, and its last call has not been refused
	reason string // why its last call refuses its arguments, as far as that does not differ
}

// make makes the sequence of some choices, or returns nil if there is none.
func (g *generator) make(src choices.Source) *sequence {
	calls, tree, err := bigen.RunInto(g.tree[:0], g.calls, src)
	g.tree = tree
	if err != nil || len(calls) == 0 {
		return nil
	}
	return g.of(calls, tree)
}

// read returns a sequence of an earlier run, or nil if the API does not have it any more.
func (g *generator) read(calls callseq.Calls) *sequence {
	tree, err := bigen.Choices(g.calls, calls)
	if err != nil || len(calls) == 0 {
		return nil
	}
	return g.of(calls, tree)
}

// decode returns a sequence that Before or Kept has told, or nil if the API does not have it any
// more.
func (g *generator) decode(entry []byte) *sequence {
	end := max(len(entry)-4, 0)
	s := g.make(choices.FromBytes(entry[:end]))
	if s != nil && end > 0 {
		if n := int(binary.BigEndian.Uint32(entry[end:])); n < len(s.calls) {
			return g.first(s, n)
		}
	}
	return s
}

// first returns the first n calls of a sequence, or nil if there are none.
func (g *generator) first(s *sequence, n int) *sequence {
	return g.make(choices.Replay(mutate.Resize(s.tree, 0, n), nil))
}

// of returns the sequence that has just been made or read. It is valid until the next is.
func (g *generator) of(calls callseq.Calls, tree choices.Tree) *sequence {
	s, f, at := &sequence{calls: calls, tree: tree, sums: make([]uint64, len(calls))}, fingerprint{}, 0
	for i := range calls {
		for end := tree.End(at); at < end; at++ {
			f.mix(uint64(tree[at].Slot))
			if f.mix(hash.FNV64(tree[at].Tag)); tree[at].Tag == "" {
				f.mix(uint64(tree[at].N))
			}
		}
		s.sums[i] = f.hash
	}
	return s
}

// sum returns a hash of the sequence.
func (s *sequence) sum() uint64 { return s.sums[len(s.sums)-1] }

// ending returns a hash of the last calls.
func (s *sequence) ending(calls int) uint64 {
	f, at := fingerprint{}, 0
	for i := range s.calls {
		end := s.tree.End(at)
		for ; at < end; at++ {
			if i >= len(s.calls)-calls {
				f.mix(hash.FNV64(s.tree[at].Tag))
				f.mix(uint64(s.tree[at].N))
			}
		}
	}
	return f.hash
}

// hasAny reports whether a sequence has one of some operations from a call on.
func (s *sequence) hasAny(ops []string, from int) bool {
	return slices.ContainsFunc(s.calls[from:], func(c callseq.Call) bool {
		return slices.Contains(ops, nameOf(c))
	})
}

// last returns the name of the last operation.
func (s *sequence) last() string { return nameOf(s.calls[len(s.calls)-1]) }

// own returns the sequence with memory of its own.
func (s *sequence) own() *sequence {
	x := *s
	x.tree = slices.Clone(s.tree)
	return &x
}
