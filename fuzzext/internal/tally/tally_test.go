package tally

import (
	"testing"

	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/stretchr/testify/require"
)

// Fewer values are enough for what takes long, and a tenth of these for what takes longer.
func TestEnough(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		enough, slow bool
		limits       Limits
		cheap, want  int // as long as so many are valid; 0 for never
	}{
		{false, false, Limits{Most: 1000, Least: 100}, 5000, 1000},
		{false, false, Limits{Most: 1000, Least: 100, More: 500}, 5000, 1500},
		{false, false, Limits{Most: 1000, Least: 100, More: 500}, 1200, 1208},
		{false, false, Limits{Most: 1000, Least: 100, More: 500}, 800, 1000},
		{false, false, Limits{Most: 1000, Least: 100, More: 500}, 0, 1000},
		{true, false, Limits{Most: 1000, Least: 100, More: 500}, 5000, 100},
		{true, true, Limits{Most: 1000, Least: 100, More: 500}, 5000, 10},
		{true, true, Limits{Most: 100, Least: 5}, 0, 1},
		{false, false, Limits{Most: 30, Least: 30}, 5000, 30},
	} {
		n := New(tt.limits, 1, 0, 0)
		n.Enough.Store(tt.enough)
		n.Slow.Store(tt.slow)
		if tt.cheap > 0 {
			n.Cheap = func() bool { return n.Valid < tt.cheap }
		}
		ran := 1
		for ; n.Record(ran-1, nil, values.Made{}, values.Outcome{Verdict: values.Valid}, false); ran++ {
		}
		require.Equal(t, tt.want, ran, "%+v", tt)
	}
}
