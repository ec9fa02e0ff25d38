package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverdata"
	"github.com/espalier-go/espalier/internal/job"
)

// What is kept covers what all entries do, with what code adds.
func TestChoose(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(1, seed))
		found := &measured{blocks: make([]coverdata.Block, 30)}
		for i := range found.blocks {
			found.blocks[i].Statements = 1 + i%2
		}
		entry := func() *measuredEntry {
			e := &measuredEntry{path: fmt.Sprint(r.Int()), file: make([]byte, r.IntN(50)), status: job.Valid}
			for range 1 + r.IntN(5) {
				e.blocks = append(e.blocks, r.IntN(len(found.blocks)))
				e.tree = append(e.tree, choices.Choice{Kind: choices.Int, Size: 1, N: r.Int64N(5), Hi: 5})
			}
			return e
		}
		for range 40 {
			found.entries = append(found.entries, entry())
		}
		found.code = []*measuredEntry{entry()}
		found.entries[3].status = job.Failing
		strength := r.IntN(3)
		got := choose(found, strength)

		whole, kept, n := newUnion(found.blocks, strength), newUnion(found.blocks, strength), 0
		whole.add(found.code[0])
		kept.add(found.code[0])
		for _, c := range found.entries {
			whole.add(c)
			if c.why != "" {
				kept.add(c)
				n++
			}
		}
		assert.Equal(t, chosen{n, whole.statements, whole.combinations()}, got)
		assert.Equal(t, whole.reached, kept.reached)
		assert.Equal(t, whole.combinations(), kept.combinations())
		assert.Equal(t, "always kept: failing", found.entries[3].why)
		assert.Less(t, n, 35)
	}
}
