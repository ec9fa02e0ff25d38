package bigen_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

func TestMemo(t *testing.T) {
	t.Parallel()
	var memo bigen.Memo[int, int]
	var calls atomic.Int32
	gen := func(key int) bigen.Gen[int] {
		return memo.Gen(key, func() bigen.Gen[int] {
			calls.Add(1)
			return bigen.Just(key)
		})
	}
	for range 3 {
		gen(1)
	}
	require.Zero(t, calls.Load(), "none has run")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				for key := range 2 {
					if v, err := bigen.Value(gen(key), choices.FromBytes(nil)); v != key ||
						err != nil {
						t.Errorf("the generator of %d makes %d, %v", key, v, err)
					}
					if err := bigen.Check(gen(key), 1-key); err == nil {
						t.Errorf("the generator of %d makes %d", key, 1-key)
					}
				}
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 2, calls.Load())

	for key := range 1<<16 + 1 {
		gen(key)
	}
	_, err := bigen.Value(gen(0), choices.FromBytes(nil))
	require.NoError(t, err)
	require.EqualValues(t, 3, calls.Load(), "forgotten, among so many")
}

// What makes the generator of a key may refer to it.
func TestMemoOfItself(t *testing.T) {
	t.Parallel()
	var memo bigen.Memo[string, []bool]
	var gen func() bigen.Gen[[]bool]
	gen = func() bigen.Gen[[]bool] {
		return memo.Gen("bits", func() bigen.Gen[[]bool] {
			return bigen.Pick(
				bigen.Tag("end", bigen.Just[[]bool](nil)),
				bigen.Tag("more", bigen.Iso(gen(), func(v []bool) []bool {
					return append([]bool{true}, v...)
				}, func(v []bool) ([]bool, bool) {
					if len(v) < 2 {
						return nil, len(v) == 1
					}
					return v[1:], true
				})),
			)
		})
	}
	require.NoError(t, bigen.Check(gen(), []bool{true, true, true}))
	require.Error(t, bigen.Check(gen(), []bool{true, false, true}))
}

func TestMemoMisuse(t *testing.T) {
	t.Parallel()
	var memo bigen.Memo[any, int]
	require.Panics(t, func() { memo.Gen([]int{}, func() bigen.Gen[int] { return bigen.Just(1) }) })
	failing := memo.Gen("key", func() bigen.Gen[int] { panic("no generator") })
	for range 2 {
		require.PanicsWithValue(t, "no generator", func() {
			_, _ = bigen.Value(failing, choices.FromBytes(nil))
		})
	}
}
