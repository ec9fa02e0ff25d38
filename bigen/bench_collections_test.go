package bigen_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// benchBoth runs g forward and backward on a value.
func benchBoth[A any](b *testing.B, g bigen.Gen[A], v A) {
	e, err := bigen.Encode(g, v)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("forward", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = bigen.Decode(g, e)
		}
	})
	b.Run("backward", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = bigen.Choices(g, v)
		}
	})
}

func BenchmarkSliceOf(b *testing.B) {
	v := make([]int, 200)
	for i := range v {
		v[i] = i
	}
	benchBoth(b, bigen.SliceOf(bigen.IntRange(0, 999), 0, 1000), v)
}

// A slice in each node, which backward is copied for the function.
func BenchmarkSliceFields(b *testing.B) {
	v := &rose{Name: "a", Size: 1}
	for range 4 {
		v = &rose{Name: "b", Children: []*rose{v, v, v}, Size: 1 + 3*v.Size}
	}
	benchBoth(b, genRose(4), v)
}

func BenchmarkMapOf(b *testing.B) {
	v := map[int]bool{}
	for i := range 200 {
		v[i] = i%2 == 0
	}
	benchBoth(b, bigen.MapOf(bigen.IntRange(0, 999), bigen.Bool(), 0, 1000), v)
}
