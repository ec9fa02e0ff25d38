package fuzzext

import (
	"flag"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

// Each run of a benchmark has the same values, each of them is new, and making them is not
// measured.
func TestValues(t *testing.T) {
	old := flagValue("test.benchtime")
	defer flag.Set("test.benchtime", old)
	require.NoError(t, flag.Set("test.benchtime", "600x"))
	even := bigen.SuchThat(bigen.IntRange(0, 1000), func(n int) bool { return n%2 == 0 })
	run := func(opts ...Option) (seen []int, r testing.BenchmarkResult) {
		r = testing.Benchmark(func(b *testing.B) {
			seen = make([]int, 0, 1000)
			next := Values(b, bigen.SliceOf(even, 1, 5), opts...)
			for b.Loop() {
				v := next()
				seen = append(seen, v[0])
				v[0] = -1
			}
		})
		return seen, r
	}
	first, r := run()
	require.Len(t, first, 600)
	require.Zero(t, r.AllocsPerOp())
	require.Equal(t, first[:256], first[256:512])
	again, _ := run()
	require.Equal(t, first, again)
	others, _ := run(Seed(2))
	require.NotEqual(t, first, others)

	never := bigen.SuchThat(bigen.Bool(), func(bool) bool { return false })
	failed := false
	testing.Benchmark(func(b *testing.B) {
		defer func() { failed = b.Failed() }()
		Values(b, never)
	})
	require.True(t, failed)
}
