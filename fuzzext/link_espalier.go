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
		return order.CarryOut(o, order.Target{Pkg: w.target().pkg, Name: w.target().name, Gen: w.gen, Type: w.typ, Added: w.added, Host: w})
	})
}

// The engine that corpusgen fuzz makes declares this variable; see package overlay.
//
//go:linkname engineLink internal/fuzz.espalierLink6
var engineLink *engine.Link
