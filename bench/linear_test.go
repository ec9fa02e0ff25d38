package main

import (
	"testing"

	"github.com/espalier-go/espalier/bench/linearbugs"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/fuzzext"
)

// Without a bug, the structures do what the models want.
func TestLinearModels(t *testing.T) {
	linearbugs.Planted = ""
	for bug, define := range linearModels {
		t.Run(bug, func(t *testing.T) { fuzzext.Sequence(t, linear.New(define)) })
	}
}
