package campaign

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Words echo the arguments if they have the next letters as soon as these have.
func TestEchoed(t *testing.T) {
	for _, c := range []struct {
		class, other string
		want         bool
	}{
		{"x.go:1: Reverse A000", "x.go:1: Reverse B000", true},
		{"x.go:1: title Az", "x.go:1: title ba", true},
		{"x.go:1: title As", "x.go:1: title Bs", true},
		{"x.go:1: bad key", "x.go:1: bad key", false},
		{"x.go:1: bad key", "x.go:1: bad name", false},
		{"x.go:1: bad key A", "x.go:1: bad name B", false},
		{"x.go:1: bad A", "x.go:1: bad", false},
	} {
		require.Equal(t, c.want, echoed(c.class, c.other), c.class)
	}
}

func TestShifted(t *testing.T) {
	other, changed := shifted([]any{"aZ-9\xff", 7, []byte("z")})
	require.Equal(t, []any{"bA-9\xff", 7, []byte("a")}, other)
	require.True(t, changed)
	_, changed = shifted([]any{"12", 7})
	require.False(t, changed)
}
