package bigen_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/examples/planted"
	"github.com/espalier-go/espalier/examples/trees"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Decoding promises for any bytes that it ends with a value or with an error, with the same one
// each time, and with no more choices than the limit.

// The generators of examples decode any bytes. The generators of bigen do so in TestAnyBytes.
func TestAnyBytesOfExamples(t *testing.T) {
	n, seed := long.Times(30, 3500), uint64(1)
	if long.Enabled() {
		seed = uint64(time.Now().UnixNano())
	}
	var c decoded
	decodeAny(t, &c, trees.Gen(), n, seed)
	decodeAny(t, &c, trees.GenBinary(), n, seed)
	decodeAny(t, &c, trees.GenCounted(5), n, seed)
	decodeAny(t, &c, trees.GenSequence(9), n, seed)
	decodeAny(t, &c, planted.GenExpr(), n, seed)
	decodeAny(t, &c, planted.GenPlan, n, seed)
	decodeAny(t, &c, planted.GenTree(0, 1000), n, seed)
	t.Logf("seed %d: %+v", seed, c)
}

// decoded counts what has been decoded.
type decoded struct {
	Strings int
	Values  int // others are rejected by the generator
	Choices int
	Largest int // of the choices of one value
}

// mostDecoded bounds the choices of a value, with those that are forced beyond the limit of bigen.
const mostDecoded = 1 << 17

// decodeAny decodes n strings of bytes, each twice: random ones, and encodings with a few edits,
// which reach deeper. It ends early if their values have more than 100 choices on average. It adds
// them to the count.
func decodeAny[V any](t *testing.T, c *decoded, g bigen.Gen[V], n int, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	var b, last []byte
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("decoding %q panics: %v", b, p)
		}
	}()
	for i, limit := 0, c.Choices+100*n; i < n && c.Choices < limit; i++ {
		if b = editedBytes(last, r); len(last) == 0 || r.IntN(4) == 0 {
			b = anyBytes(r)
		}
		tree, err := treeOf(g, b)
		again, err2 := treeOf(g, b)
		require.True(t, slices.Equal(tree, again) && (err == nil) == (err2 == nil),
			"%q decodes to %v, %v and then to %v, %v", b, tree, err, again, err2)
		require.True(t, len(tree) <= mostDecoded, "%q decodes to %d choices", b, len(tree))
		c.Strings++
		if last = nil; err != nil {
			continue
		}
		c.Values++
		c.Choices += len(tree)
		c.Largest = max(c.Largest, len(tree))
		if len(tree) < 1000 {
			last = choices.Encode(tree)
		}
	}
}

func treeOf[V any](g bigen.Gen[V], b []byte) (choices.Tree, error) {
	_, tree, err := bigen.Run(g, choices.FromBytes(b))
	return tree, err
}

// anyBytes returns up to 100 bytes, rarely more.
func anyBytes(r *rand.Rand) []byte {
	n := r.IntN(100)
	if r.IntN(50) == 0 {
		n = r.IntN(5000)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// editedBytes returns other bytes: some are changed, removed, repeated or added.
func editedBytes(b []byte, r *rand.Rand) []byte {
	b = slices.Clone(b)
	for range 1 + r.IntN(4) {
		i, j := r.IntN(len(b)+1), r.IntN(len(b)+1)
		i, j = min(i, j), max(i, j)
		switch r.IntN(5) {
		case 0:
			b = slices.Delete(b, i, min(j, i+8))
		case 1:
			b = slices.Insert(b, i, byte(r.Uint32()))
		case 2:
			b = slices.Insert(b, j, slices.Clone(b[i:min(j, i+100)])...)
		default:
			if i < len(b) {
				b[i] = byte(r.Uint32())
			}
		}
	}
	return b
}
