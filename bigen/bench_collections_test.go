package bigen_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// The figures are per element of a slice of 200 elements.
func BenchmarkSliceOf(b *testing.B) {
	g := bigen.SliceOf(bigen.IntRange(0, 999), 0, 1000)
	v := make([]int, 10*nodes)
	for i := range v {
		v[i] = i
	}
	e, err := bigen.Encode(g, v)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("forward", func(b *testing.B) { perNode(b, func() { _, _ = bigen.Decode(g, e) }) })
	b.Run("backward", func(b *testing.B) { perNode(b, func() { _, _ = bigen.Choices(g, v) }) })
}
