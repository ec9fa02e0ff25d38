package mutate_test

import (
	"bytes"
	"compress/flate"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// Where it matters how many bytes there are and not which, zeros remain, as few as possible.
func TestMinimizeUniform(t *testing.T) {
	gen := bigen.SliceOf(bigen.IntRange[byte](0, 255), 0, 300)
	counts := func(v []byte) map[byte]int {
		n := map[byte]int{}
		for _, b := range v {
			n[b]++
		}
		return n
	}
	for _, c := range []struct {
		name  string
		fails func(v []byte) bool
		least int
	}{
		{"compressible", func(v []byte) bool {
			var b bytes.Buffer
			w, _ := flate.NewWriter(&b, 9)
			w.Write(v)
			w.Close()
			return len(v) >= 64 && b.Len() < len(v)/4
		}, 64},
		{"each kind an even number of times", func(v []byte) bool {
			for _, n := range counts(v) {
				if n%2 == 1 {
					return false
				}
			}
			return len(v) >= 50
		}, 50},
		{"a whole number of blocks of four", func(v []byte) bool { return len(v) >= 40 && len(v)%4 == 0 }, 40},
		{"a power of two", func(v []byte) bool { return len(v) >= 32 && len(v)&(len(v)-1) == 0 }, 32},
		{"not more zeros than", func(v []byte) bool { return len(v) >= 60 && len(v) <= 70 || len(v) >= 60 && len(counts(v)) > 1 }, 64},
	} {
		t.Run(c.name, func(t *testing.T) {
			failing, calls := 0, 0
			for seed := uint64(0); failing < 10 && seed < 3000; seed++ {
				r := rng(seed)
				two := [2]byte{byte(r.IntN(256)), byte(r.IntN(256))}
				var v []byte
				for len(v) < 70 {
					v = append(v, bytes.Repeat(two[r.IntN(2):][:1], 1+r.IntN(90))...)
				}
				if !c.fails(v) {
					continue
				}
				failing++
				tree, err := bigen.Choices(gen, v)
				require.NoError(t, err)
				simplest, _, used := mutate.Minimize(tree, func(e choices.Tree) ([]byte, choices.Tree, error) {
					return bigen.Run(gen, choices.Replay(e, nil))
				}, c.fails, 2000)
				calls += used
				least, err := bigen.Value(gen, choices.Replay(simplest, nil))
				require.NoError(t, err)
				require.LessOrEqual(t, len(least), c.least, "of %v", v)
				require.Equal(t, make([]byte, len(least)), least, "of %v", v)
			}
			require.Equal(t, 10, failing)
			require.LessOrEqual(t, calls/failing, 200)
		})
	}
}
