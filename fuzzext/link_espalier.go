//go:build espalier

package fuzzext

import (
	_ "unsafe" // for go:linkname

	"github.com/espalier-go/espalier/fuzzext/internal/order"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
)

func init() {
	orders = linked(func(o *job.Order, w *ordered) error {
		t := order.Target{
			Pkg:   w.spec.target().pkg,
			Name:  w.spec.target().name,
			Gen:   w.spec.gen,
			Type:  w.spec.typ,
			Added: w.added,
			Host:  w,
		}
		if engineLink != nil {
			t.Counters = engineLink.Counters
		}
		return order.CarryOut(o, t)
	})
}

// The engine that corpusgen fuzz makes declares this variable; see package overlay.
//
//go:linkname engineLink internal/fuzz.espalierLink6
var engineLink *engine.Link
