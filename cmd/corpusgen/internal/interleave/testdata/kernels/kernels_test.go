package kernels

import (
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/fuzzext"
)

func TestPlanted(t *testing.T) {
	testAll(t, Kernels, false)
	testLinear(t, false)
}

func TestFixed(t *testing.T) {
	testAll(t, Kernels, true)
	testLinear(t, true)
}

// These need the race detector.
func TestPlantedRaces(t *testing.T) { testAll(t, Races, false) }
func TestFixedRaces(t *testing.T)   { testAll(t, Races, true) }

func testAll(t *testing.T, kernels []Kernel, fixed bool) {
	for _, k := range kernels {
		t.Run(k.Name, func(t *testing.T) {
			fuzzext.Concurrent(t, func(t *fuzzext.T) { k.Run(t, fixed) })
		})
	}
}

func testLinear(t *testing.T, fixed bool) {
	t.Run("linear", func(t *testing.T) { fuzzext.Sequence(t, linear.New(sums(fixed)), fuzzext.Schedules()) })
}

// sums describes a counter that several goroutines use.
func sums(fixed bool) func(c *callseq.C) {
	return func(c *callseq.C) {
		var n atomic.Int64
		model := 0
		c.Op("n.Add", func() {
			d := callseq.Arg(c, "d", bigen.IntRange(1, 9))
			model += d
			c.Want(model)
			c.Do(func() {
				if fixed {
					c.Got(int(n.Add(int64(d))))
					return
				}
				sum := n.Load() + int64(d)
				n.Store(sum)
				c.Got(int(sum))
			})
		})
	}
}
