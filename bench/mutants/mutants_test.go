package mutants

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Without a bug, no value shows one. With each bug, some do.
func TestBugs(t *testing.T) {
	n := 0
	for _, p := range Programs() {
		n += len(p.Bugs())
		t.Run(p.Name(), p.(interface{ test(t *testing.T) }).test)
	}
	assert.GreaterOrEqual(t, n, 50, "bugs")
}

const (
	sound    = 5_000   // values without a bug
	searched = 400_000 // values until all bugs show
)

func (p *program[V]) test(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	left := p.Bugs()
	rapid.Check(t, func(t *rapid.T) {
		if v := p.RapidBuilt(t); !p.Valid(v) || p.finds("", v) {
			t.Fatalf("without a bug, %#v of rapid fails", v)
		}
		if v := p.RapidNaive(t); p.Valid(v) && p.finds("", v) {
			t.Fatalf("without a bug, %#v of rapid fails", v)
		}
	})
	most := long.Count(sound, searched)
	for i := 0; i < most || i < searched && len(left) > 0; i++ {
		v, err := bigen.Value(p.Built, varied.Source(r, i))
		if err != nil || !p.Valid(v) || i < most && p.finds("", v) { // in a hot loop
			require.NoError(t, err)
			require.True(t, p.Valid(v), "by construction: %#v", v)
			require.Fail(t, "without a bug, a value fails", "%#v", v)
		}
		rest := left[:0]
		for _, bug := range left {
			if !p.finds(bug, v) {
				rest = append(rest, bug)
			}
		}
		left = rest
	}
	for _, bug := range left {
		assert.Fail(t, "nothing finds a bug", "%q", bug)
	}
}

// The naive generators make all that the others make, and some values that are not valid.
func TestNaive(t *testing.T) {
	for _, p := range Programs() {
		t.Run(p.Name(), p.(interface{ testNaive(t *testing.T) }).testNaive)
	}
}

func (p *program[V]) testNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for i := range 2000 {
		v, err := bigen.Value(p.Built, varied.Source(r, i))
		require.NoError(t, err)
		require.NoError(t, bigen.Check(p.Naive, v), "%#v", v)
		if v, err = bigen.Value(p.Naive, varied.Source(r, i)); err == nil && p.Valid(v) {
			valid++
			require.False(t, p.finds("", v), "without a bug, %#v fails", v)
		}
	}
	assert.NotZero(t, valid)
	assert.Less(t, valid, 2000, "all naive values are valid")
}
