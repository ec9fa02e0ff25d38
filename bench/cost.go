package main

import (
	"runtime"
	"time"

	"github.com/espalier-go/espalier/bench/rltrial"
)

// cost is CPU time, and the parts made in it.
type cost struct {
	cpu   time.Duration
	parts int
}

func (c cost) each() float64 { return float64(c.cpu.Nanoseconds()) / float64(c.parts) }

// loop calls f, which returns how many parts it makes, for some time.
func loop(f func() int) func() cost {
	return func() (c cost) {
		start := rltrial.CPU()
		for c.cpu < 50*time.Millisecond {
			for range 20 {
				c.parts += f()
			}
			c.cpu = rltrial.CPU() - start
		}
		return c
	}
}

// inTurn returns the medians of several measurements of both, made alternately.
func inTurn(quick bool, ours, base func() cost) (o, b float64) {
	n := 15
	if quick {
		n = 3
	}
	var os, bs []float64
	for range n {
		runtime.GC()
		os = append(os, ours().each())
		runtime.GC()
		bs = append(bs, base().each())
	}
	return median(os), median(bs)
}
