package rl

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/hash"
)

// A process is a generator as the trie sees it: it returns the mask of slots to
// decide among after a sequence of decisions, or 0 if the input ends there.
type process func(prefix string) uint16

// randomProcess returns a process whose inputs have up to depth decisions, each among 2 to
// width slots, which need not be contiguous. Some of the inputs end early.
func randomProcess(seed uint64, depth, width int) process {
	return func(prefix string) uint16 {
		h := hash.Mix(hash.FNV64(prefix), seed)
		if len(prefix) == depth || len(prefix) > 0 && h>>60 < 3 {
			return 0
		}
		r := rand.New(rand.NewPCG(h, seed))
		var mask uint16
		for n := 2 + r.IntN(width-1); bits.OnesCount16(mask) < n; {
			mask |= 1 << r.IntN(slots)
		}
		return mask
	}
}

// inputs returns all inputs of a process that begin with a prefix.
func (p process) inputs(prefix string) []string {
	mask := p(prefix)
	if mask == 0 {
		return []string{prefix}
	}
	var all []string
	for ; mask != 0; mask &= mask - 1 {
		all = append(all, p.inputs(prefix+string(rune(trailing(mask))))...)
	}
	return all
}

// trieModel is a trie without compression: the inputs made, the exhausted prefixes, and for
// each prefix how fruitless it has been.
type trieModel struct {
	process   process
	made      map[string]int // the run that made it first
	exhausted map[string]bool
	fruitless map[string]float32
	runs      int
}

func newTrieModel(p process) *trieModel {
	return &trieModel{
		process:   p,
		made:      map[string]int{},
		exhausted: map[string]bool{},
		fruitless: map[string]float32{},
	}
}

// free returns the slots of the mask that are not exhausted, or all if none is left.
func (m *trieModel) free(prefix string) (free uint16) {
	if m.exhausted[prefix] {
		return m.process(prefix)
	}
	for f := m.process(prefix); f != 0; f &= f - 1 {
		if slot := trailing(f); !m.exhausted[prefix+string(rune(slot))] {
			free |= 1 << slot
		}
	}
	return free
}

func (m *trieModel) end(input string, o outcome, worth float32) {
	if o == dropped {
		return
	}
	m.runs++
	for i := 1; i <= len(input); i++ {
		m.fruitless[input[:i]] = float32((m.fruitless[input[:i]] + 1) * (1 - worth))
	}
	if _, ok := m.made[input]; ok {
		return
	}
	m.made[input] = m.runs
	m.exhausted[input] = true
	for i := len(input) - 1; i >= 0; i-- {
		prefix := input[:i]
		for f := m.process(prefix); f != 0; f &= f - 1 {
			if !m.exhausted[prefix+string(rune(trailing(f)))] {
				return
			}
		}
		m.exhausted[prefix] = true
	}
}

// retrace follows an input of a process in an episode of its own and returns the state of
// the trie at the end.
func retrace(t *trie, p process, input string) walk {
	for i := range len(input) {
		t.at(p(input[:i]))
		t.step(int(input[i]))
	}
	state := t.state
	t.end(dropped, 0)
	return state
}

// checkTrie checks that the parts of a trie fit together.
func checkTrie(tb testing.TB, t *trie) {
	tb.Helper()
	seen := make([]bool, len(t.nodes))
	var visit func(node int32)
	visit = func(node int32) {
		n, have := t.nodes[node], uint16(0)
		if seen[node] {
			tb.Fatal("a node below two others")
		}
		seen[node] = true
		for k := n.kid; k != 0; k = t.nodes[k].next {
			if bit := uint16(1) << t.nodes[k].slot; have&bit != 0 {
				tb.Fatal("two nodes below a slot")
			} else {
				have |= bit
			}
			visit(k)
		}
		switch {
		case int(n.label+n.length) > len(t.labels):
			tb.Fatal("decisions out of range")
		case have&n.done != 0:
			tb.Fatal("a node below what is exhausted")
		case n.full == 0 && have|n.done != 0:
			tb.Fatal("a leaf with others below")
		}
	}
	visit(0)
}

// readable writes a sequence of decisions in hexadecimal.
func readable(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.WriteByte("0123456789abcdef"[c])
	}
	return b.String()
}
