//go:build go1.18

// Package linked is added to a package with mistakes in place of what reads an order, if another
// package of the process says which mistake is made: it has the variables that these link to.
package linked

import _ "unsafe" // for go:linkname

// The order in which the variables of the package are initialized depends on which variables their
// initializers refer to. So mistakes refer to none: see package runtime.
type (
	espalierChooser interface {
		mistake(n int) bool
		turn()
	}
	espalierState struct{}
)

//go:linkname espalierMade path/to.mistakeMade
var espalierMade int

//go:linkname espalierReached path/to.mistakesReached
var espalierReached []bool

//go:linkname espalierLeft path/to.mistakeSteps
var espalierLeft int

// espalierMistake reports whether the mistake of a number is made.
func espalierMistake(n int) bool { return espalierChooser(espalierState{}).mistake(n) }

func (s espalierState) mistake(n int) bool {
	s.turn()
	// A goroutine may be here while another slice of the same length takes its place.
	if reached := espalierReached; n < len(reached) {
		reached[n] = true
	}
	return espalierMade == n
}

// espalierTurn counts a turn of a loop.
func espalierTurn() { espalierChooser(espalierState{}).turn() }

// turn counts steps, also those of a recursion without loops.
func (espalierState) turn() {
	if espalierLeft--; espalierLeft == 0 {
		panic("it does not end")
	}
}
