package linked

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The variables decide which mistake is made, and are told which are reached.
func TestMistake(t *testing.T) {
	defer func() { espalierMade, espalierReached = 0, nil }()
	espalierMade, espalierReached = 2, make([]bool, 3)
	require.False(t, espalierMistake(1))
	require.True(t, espalierMistake(2))
	require.False(t, espalierMistake(3)) // nobody wants to know whether it is reached
	require.Equal(t, []bool{false, true, true}, espalierReached)
}

// Loops and mistakes count, and the last step panics.
func TestSteps(t *testing.T) {
	defer func() { espalierLeft = 0 }()
	espalierLeft = 3
	espalierTurn()
	espalierMistake(1)
	require.Panics(t, espalierTurn)
	espalierLeft = 0 // any number
	for range 5 {
		espalierTurn()
	}
	require.Equal(t, -5, espalierLeft)
}
