package coverage

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

// What is kept covers what all entries do, with what code adds.
func TestChoose(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(1, seed))
		found := &measured{blocks: make([]Block, 30)}
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
		found.entries[4].status, found.entries[4].tree = job.Invalid, found.entries[4].tree[:0]
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
		require.Equal(t, chosen{n, whole.statements, whole.combinations()}, got)
		require.Equal(t, whole.reached, kept.reached)
		require.Equal(t, whole.combinations(), kept.combinations())
		require.Equal(t, "always kept: failing", found.entries[3].why)
		require.Less(t, n, 35)
	}
}

// A value that the property does not assume counts for the code that it reaches only.
func TestChooseInvalid(t *testing.T) {
	entry := func(path string, status job.Status, n int64, blocks ...int) *measuredEntry {
		return &measuredEntry{path: path, file: []byte(path), status: status, blocks: blocks,
			tree: choices.Tree{{Kind: choices.Int, Size: 1, N: n, Hi: 9}}}
	}
	tests := []struct {
		name     string
		strength int
		entries  []*measuredEntry
		kept     string
	}{
		{"by code", 1,
			[]*measuredEntry{entry("invalid", job.Invalid, 1, 0), entry("early", job.Invalid, 2)},
			"invalid: adds 1 statement"},
		{"last of equals", 0,
			[]*measuredEntry{entry("a", job.Invalid, 1, 0), entry("larger", job.Valid, 1, 0)},
			"larger: adds 1 statement"},
		{"by combinations", 1,
			[]*measuredEntry{entry("a", job.Invalid, 1), entry("valid", job.Valid, 2)},
			"valid: adds 1 combination"},
		{"nothing reached", 0,
			[]*measuredEntry{entry("a", job.Invalid, 1), entry("b", job.Valid, 1),
				entry("c", job.Valid, 2)}, "b: no entry reaches anything: one is kept"},
		{"not measured", 0, []*measuredEntry{entry("a", unmeasured, 1), entry("b", job.Valid, 1)},
			"a: always kept: not measured"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := &measured{blocks: make([]Block, 1), entries: test.entries}
			found.blocks[0].Statements = 1
			got := choose(found, test.strength)
			require.Equal(t, 1, got.kept)
			for _, c := range found.entries {
				if c.why != "" {
					require.Equal(t, test.kept, c.path+": "+c.why)
				}
			}
		})
	}
}
