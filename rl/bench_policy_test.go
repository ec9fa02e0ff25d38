package rl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
)

// What a policy costs when bytes are decoded: an encoding, and a seed that leaves everything
// open.
func BenchmarkPolicyDecode(b *testing.B) {
	guide := newGuide()
	train(guide, 1000)
	p, err := guide.Policy()
	if err != nil {
		b.Fatal(err)
	}
	_, tree, err := bigen.Run(genEntry, choices.Random(rand.New(rand.NewPCG(1, 2))))
	if err != nil {
		b.Fatal(err)
	}
	for _, input := range []struct {
		name  string
		bytes []byte
	}{{"encoding", choices.Encode(tree)}, {"seed", []byte("a seed")}} {
		for _, source := range []struct {
			name string
			of   func([]byte) choices.Source
		}{{"without", choices.FromBytes}, {"with", decoder(p)}} {
			b.Run(input.name+"/"+source.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := bigen.Value(genEntry, source.of(input.bytes)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func decoder(p *rl.Policy) func([]byte) choices.Source {
	prior := p.Prior()
	return func(b []byte) choices.Source { return choices.FromBytesBy(b, prior) }
}
