package bigen_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

// The figures are per node of a search tree of 20 nodes.

const nodes = 20

func perNode(b *testing.B, f func()) {
	b.ReportAllocs()
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
}

func BenchmarkDecode(b *testing.B) {
	g := bsttest.Gen(-1000, 1000)
	e, err := bigen.Encode(g, bsttest.Random(rng(1), nodes, -1000, 1000))
	if err != nil {
		b.Fatal(err)
	}
	perNode(b, func() { _, _ = bigen.Decode(g, e) })
}

func BenchmarkChoices(b *testing.B) {
	g := bsttest.Gen(-1000, 1000)
	v := bsttest.Random(rng(1), nodes, -1000, 1000)
	perNode(b, func() { _, _ = bigen.Choices(g, v) })
}

func BenchmarkEncode(b *testing.B) {
	g := bsttest.Gen(-1000, 1000)
	v := bsttest.Random(rng(1), nodes, -1000, 1000)
	perNode(b, func() { _, _ = bigen.Encode(g, v) })
}
