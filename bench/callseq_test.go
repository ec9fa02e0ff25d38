package main

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/linearbugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
)

// Without a bug, the tree does what the models want.
func TestSeqModels(t *testing.T) {
	model := callseq.New(ourSeqRadix)
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 200 {
		v, err := bigen.Value(model.Gen(), choices.Varied(r, n))
		if err != nil {
			t.Fatal(err)
		}
		if tb := seqRun(model, v, ""); tb.failed {
			t.Fatal(tb.log.String())
		}
	}
	rapid.Check(t, rapidSeqRadix)
}

// Without a bug, the structures do what the models want.
func TestLinearModels(t *testing.T) {
	linearbugs.Planted = ""
	for bug, define := range linearModels {
		t.Run(bug, func(t *testing.T) { fuzzext.Sequence(t, linear.New(define)) })
	}
}
