package main

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
)

// Without a bug, the structures do what the models want.
func TestSeqModels(t *testing.T) {
	for _, m := range seqModels() {
		model := callseq.New(m.ours)
		r := rand.New(rand.NewPCG(1, 1))
		for n := range 200 {
			v, err := bigen.Value(model.Gen(), choices.Varied(r, n))
			if err != nil {
				t.Fatal(err)
			}
			if tb := seqRun(model, v, ""); tb.failed {
				t.Fatalf("%s: %s", m.name, tb.log.String())
			}
		}
		t.Run(m.name, func(t *testing.T) { rapid.Check(t, m.rapid) })
	}
}
