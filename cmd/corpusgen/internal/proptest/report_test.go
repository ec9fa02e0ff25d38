package proptest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What many properties share is said once.
func TestTold(t *testing.T) {
	t.Parallel()
	require.Empty(t, told(nil, 3, " is: ", " are: "))
	require.Equal(t, []string{"A; C are: slow", "B is: late"},
		told([]remark{{"A", "slow"}, {"B", "late"}, {"C", "slow"}}, 3, " is: ", " are: "))
	require.Equal(t, []string{"A; B; C; and 2 more are: slow"}, told([]remark{
		{"A", "slow"}, {"B", "slow"}, {"C", "slow"}, {"D", "slow"}, {"E", "slow"},
	}, 3, " is: ", " are: "))
}
