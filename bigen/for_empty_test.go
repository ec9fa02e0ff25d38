package bigen_test

import (
	"encoding/json"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// What is nil and what is empty differ in both directions, where an option or tag says so.
func TestForEmpty(t *testing.T) {
	emptyOrNot(t, []int(nil), []int{}, []int{3}, "stop, nil", "stop, empty", "more(3), stop")
	emptyOrNot(
		t, map[int]bool(nil), map[int]bool{}, map[int]bool{3: true}, "stop, nil", "stop, empty",
		"more(3, true), stop",
	)
	emptyOrNot(t, []byte(nil), []byte{}, []byte("a"), `"", nil`, `"", empty`, `"a"`)
	emptyOrNot(
		t, [][]int{nil}, [][]int{{}}, [][]int{{3}}, "more(stop, nil), stop",
		"more(stop, empty), stop", "more(more(3), stop), stop",
	)
}

func emptyOrNot[T any](
	t *testing.T, none, empty, some T, noneChoices, emptyChoices, someChoices string,
) {
	t.Helper()
	either, never := bigen.For[T](bigen.EmptyOrNil()), bigen.For[T](bigen.EmptyNotNil())
	usual := bigen.For[T]()
	for _, v := range []struct {
		value T
		want  string
	}{{none, noneChoices}, {empty, emptyChoices}, {some, someChoices}} {
		tree, err := bigen.Choices(either, v.value)
		require.NoError(t, err)
		require.Equal(t, v.want, tree.String())
		again, err := bigen.Decode(either, choices.Encode(tree))
		require.NoError(t, err)
		require.Equal(t, v.value, again)
	}
	require.Error(t, bigen.Check(never, none))
	for _, v := range []T{empty, some} {
		b, err := bigen.Encode(never, v)
		require.NoError(t, err)
		again, err := bigen.Decode(never, b)
		require.NoError(t, err)
		require.Equal(t, v, again)
		// The choices of the elements stay where they were before.
		b, err = bigen.Encode(usual, v)
		require.NoError(t, err)
		again, err = bigen.Decode(never, b)
		require.NoError(t, err)
		require.Equal(t, v, again)
	}
	b, err := bigen.Encode(usual, some)
	require.NoError(t, err)
	again, err := bigen.Decode(either, b)
	require.NoError(t, err)
	require.Equal(t, some, again)
}

// Both are made at random, and from bytes.
func TestForEmptyAtRandom(t *testing.T) {
	g := bigen.For[[]int](bigen.EmptyOrNil(), bigen.WithTag("len=..1"))
	texts := map[string]int{}
	r := rng(1)
	for range 200 {
		for _, src := range []choices.Source{choices.Random(r), choices.FromBytes(randomBytes(r))} {
			v, err := bigen.Value(g, src)
			require.NoError(t, err)
			b, err := json.Marshal(v)
			require.NoError(t, err)
			if len(v) > 0 {
				b = []byte("[n]")
			}
			texts[string(b)]++
		}
	}
	require.Len(t, texts, 3)
	for text, n := range texts {
		require.Greater(t, n, 50, text)
	}
}
