package mutate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/internal/challenge"
)

// Whatever random value fails, the minimal value comes of it, within the given number
// of calls in the median.
func TestChallenges(t *testing.T) {
	for _, c := range challenge.Shrinking() {
		t.Run(c.Name, func(t *testing.T) {
			var calls, remakes []int
			found := map[string]int{}
			minimal := 0
			for seed := range uint64(challenge.Seeds) {
				r, err := c.Minimize(seed)
				require.NoError(t, err)
				found[r.Value]++
				if c.Minimal(r.Value) {
					minimal++
				}
				calls, remakes = append(calls, r.Calls), append(remakes, r.Remakes)
			}
			slices.Sort(calls)
			slices.Sort(remakes)
			t.Logf("%d minimal, %d calls (%d), %d remakes (%d): %v", minimal, calls[challenge.Seeds/2], calls[challenge.Seeds-1], remakes[challenge.Seeds/2], remakes[challenge.Seeds-1], found)
			require.Equal(t, challenge.Seeds, minimal)
		})
	}
}
