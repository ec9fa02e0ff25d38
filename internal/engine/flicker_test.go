package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Two runs of one input tell what depends on the input alone.
func TestFlicker(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		runs         [][2]byte // of one counter: twice the same input
		known        byte      // before
		again, after byte      // what is left of the last run, what is known then
		count        int
	}{
		"the same":                      {runs: [][2]byte{{5, 5}}, again: 5},
		"as often, nearly":              {runs: [][2]byte{{4, 7}}, again: 7},
		"only once, as to fill a cache": {runs: [][2]byte{{1, 0}}, after: 1},
		"only when the cache is full":   {runs: [][2]byte{{0, 9}}, after: 8},
		"not as often":                  {runs: [][2]byte{{5, 9}}, again: 1, after: 4 | 8},
		"one time less":                 {runs: [][2]byte{{1, 2}}, again: 1, after: 2},
		"not as often, known":           {runs: [][2]byte{{5, 9}}, known: 16, after: 4 | 8 | 16},
		"at times":                      {runs: [][2]byte{{0, 1}, {1, 0}}, after: 1, count: 1},
		"at times, more or less often":  {runs: [][2]byte{{5, 9}, {2, 64}}, after: 0xfe, count: 1},
		"many times":                    {runs: [][2]byte{{5, 9}, {2, 9}, {2, 33}}, after: 0xfe, count: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f Flicker
			known := []byte{test.known}
			var again []byte
			for _, run := range test.runs {
				again = []byte{run[1]}
				f.Compare([]byte{run[0]}, again, known)
			}
			require.Equal(t, test.again, again[0], "again")
			require.Equal(t, test.after, known[0], "known")
			require.Equal(t, test.count, f.Count())
			all := []byte{0xff}
			f.Clear(all)
			require.Equal(t, ^(test.after &^ test.known), all[0], "the rest")
		})
	}
}
