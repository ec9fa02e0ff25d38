package budget

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// CPU time counts, and the clock after several times as long.
func TestBudget(t *testing.T) {
	const most = time.Hour // this test uses nothing to speak of
	for _, test := range []struct {
		wall, cpu time.Duration
		known     bool
		want      bool
	}{
		{most / 2, 2 * most, true, false},
		{2 * most, most / 2, true, false},
		{2 * most, 2 * most, true, true},
		{ClockFactor * most, 0, true, true},
		{2 * most, 0, false, true},
	} {
		b := New()
		b.Began, b.cpu, b.known = b.Began.Add(-test.wall), b.cpu-test.cpu, b.known && test.known
		require.Equal(t, test.want, b.Over(most, 1), "%+v", test)
	}
}
