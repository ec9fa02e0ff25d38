package runtime

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each function does what the operation does, and something else if its mistake is made.
func TestHelpers(t *testing.T) {
	err := errors.New("x")
	both := func(f func() any) [2]any {
		defer func() { espalierOrder.numbers[0] = 0 }()
		right := f()
		espalierOrder.numbers[0] = 1
		return [2]any{right, f()}
	}
	for _, c := range []struct {
		name            string
		f               func() any
		right, mistaken any
	}{
		{"<", func() any { return espalierLess(1, 2, 2) }, false, true},
		{"<=", func() any { return espalierAtMost(1, "a", "a") }, true, false},
		{">", func() any { return espalierGreater(1, 2.5, 2.5) }, false, true},
		{">=", func() any { return espalierAtLeast(1, 2, 2) }, true, false},
		{"+", func() any { return espalierAdd(1, 7, 2) }, 9, 5},
		{"-", func() any { return espalierSub[uint8](1, 1, 2) }, uint8(255), uint8(3)},
		{"*", func() any { return espalierMul(1, 6, 2i) }, 12i, -3i},
		{"/", func() any { return espalierQuo(1, 6, 2) }, 3, 12},
		{"%", func() any { return espalierRem(1, 7, 2) }, 1, 14},
		{"&", func() any { return espalierAnd(1, 6, 3) }, 2, 7},
		{"|", func() any { return espalierOr(1, 6, 3) }, 7, 2},
		{"^", func() any { return espalierXor(1, 6, 3) }, 5, 2},
		{"<<", func() any { return espalierShl[uint8](1, 200, 1) }, uint8(144), uint8(100)},
		{">>", func() any { return espalierShr(1, 8, uint(1)) }, 4, 16},
		{"-x", func() any { return espalierNeg(1, 3) }, -3, 3},
		{"++", func() any { return espalierStep(1, 3.5) }, 1., -1.},
		{"+=", func() any { return espalierBy(1, 3, 2) }, 2, -2},
		{"constant", func() any { return espalierPick(1, "", "x") }, "x", ""},
		{"error", func() any { return espalierError(1, err) }, err, nil},
	} {
		require.Equal(t, [2]any{c.right, c.mistaken}, both(c.f), c.name)
	}
}

// Loops count, also without a limit.
func TestTurns(t *testing.T) {
	before := espalierSteps
	espalierTurn()
	require.Equal(t, before+1, espalierSteps)
}

// An order has numbers, and the name of a file, which may have spaces. What is not an order is none.
func TestRead(t *testing.T) {
	require.Equal(t, [4]int64{7, 8, 0, 0}, espalierRead("7 8 0 0 no such file").numbers)
	require.Nil(t, espalierRead("7 8 0 0 no such file").file)
	require.Zero(t, espalierRead("").numbers)
}
