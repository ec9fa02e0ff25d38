package hash_test

import (
	"hash/fnv"
	"testing"

	"github.com/espalier-go/espalier/internal/hash"
	"github.com/stretchr/testify/require"
)

func TestFNV(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "a", "leaf", "\x00\xff", "a longer text, with 世 in it"} {
		h64, h32 := fnv.New64a(), fnv.New32a()
		h64.Write([]byte(s))
		h32.Write([]byte(s))
		require.Equal(t, h64.Sum64(), hash.FNV64(s))
		require.Equal(t, h64.Sum64(), hash.FNV64([]byte(s)))
		require.Equal(t, h32.Sum32(), hash.FNV32(s))
	}
}

// Stored files depend on these values.
func TestMix(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 0, hash.Mix(0, 0))
	require.EqualValues(t, 0, hash.Mix(7, 7))
	require.EqualValues(t, uint64(0x7c17043aa4de989b), hash.Mix(1, 0))
	require.EqualValues(t, uint64(0xc379f739747631ce), hash.Mix(0x9E3779B97F4A7C15, 5<<32|1))
}
