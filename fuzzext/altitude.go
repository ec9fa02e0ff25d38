package fuzzext

import "math"

// altitudeOf returns a number from 0 to 255 that grows with a score. From 8 on, it distinguishes
// scores that differ by a quarter.
func altitudeOf(score float64) int {
	if score < 0 {
		return altitudes/2 - 1 - levelOf(math.Ceil(-score))
	}
	return altitudes/2 + levelOf(score)
}

// altitudes is how many there are.
const altitudes = 256

// levelOf returns a number from 0 to 127 that grows with n, which is not negative.
func levelOf(n float64) int {
	const flat, steps = 8, 4
	if n < flat {
		return int(n)
	}
	fraction, doubled := math.Frexp(min(n, math.MaxFloat64) / flat)
	return min(flat+steps*(doubled-1)+int(steps*(2*fraction-1)), altitudes/2-1)
}

// coverAltitude makes a run cover code that no run with lower scores has covered. So Go's
// fuzzer, which knows coverage only, keeps its input, as in "IJON: Exploring Deep State Spaces
// via Fuzzing" (Aschermann et al., S&P 2020). The fuzzer distinguishes how often code runs by
// powers of two, so each floor stands for eight altitudes.
func coverAltitude(altitude int) {
	for range 1 << (altitude % 8) {
		floors[altitude/8]()
	}
}

// floors are functions, each with its own code.
var floors = [altitudes / 8]func(){
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
}
