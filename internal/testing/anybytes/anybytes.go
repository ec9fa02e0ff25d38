// Package anybytes checks what decoding promises for any string of bytes: that it ends with a value or
// with an error, with the same one each time, and with no more choices than the limit.
package anybytes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// A Count says what has been decoded.
type Count struct {
	Strings int
	Values  int // others are rejected by the generator
	Choices int
	Largest int // of the choices of one value
}

// most bounds the choices of a value, with those that are forced beyond the limit of bigen.
const most = 1 << 17

// Decode decodes n strings of bytes, each twice: random ones, and encodings with a few edits, which
// reach deeper. It ends early if their values have more than 100 choices on average. It adds them to
// the count.
func Decode[V any](t *testing.T, c *Count, g bigen.Gen[V], n int, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	var b, last []byte
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("decoding %q panics: %v", b, p)
		}
	}()
	for i, limit := 0, c.Choices+100*n; i < n && c.Choices < limit; i++ {
		if b = edited(last, r); len(last) == 0 || r.IntN(4) == 0 {
			b = random(r)
		}
		tree, err := decode(g, b)
		again, err2 := decode(g, b)
		require.True(t, slices.Equal(tree, again) && (err == nil) == (err2 == nil), "%q decodes to %v, %v and then to %v, %v", b, tree, err, again, err2)
		require.True(t, len(tree) <= most, "%q decodes to %d choices", b, len(tree))
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

func decode[V any](g bigen.Gen[V], b []byte) (choices.Tree, error) {
	_, tree, err := bigen.Run(g, choices.FromBytes(b))
	return tree, err
}

// random returns up to 100 bytes, rarely more.
func random(r *rand.Rand) []byte {
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

// edited returns other bytes: some are changed, removed, repeated or added.
func edited(b []byte, r *rand.Rand) []byte {
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
