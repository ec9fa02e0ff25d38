// Package altitude makes runs with high scores cover more code.
package altitude

import "math"

// Of returns a number from 0 to 255 that grows with a score. From 8 on, it distinguishes
// scores that differ by a quarter.
func Of(score float64) int {
	if score < 0 {
		return Altitudes/2 - 1 - level(math.Ceil(-score))
	}
	return Altitudes/2 + level(score)
}

// Altitudes is how many there are.
const Altitudes = 256

// level is a number from 0 to 127 that grows with n, which is not negative.
func level(n float64) int {
	const flat, steps = 8, 4
	if n < flat {
		return int(n)
	}
	fraction, doubled := math.Frexp(min(n, math.MaxFloat64) / flat)
	return min(flat+steps*(doubled-1)+int(steps*(2*fraction-1)), Altitudes/2-1)
}

// Cover makes a run cover code that no run with lower scores has covered. So Go's
// fuzzer, which knows coverage only, keeps its input, as in "IJON: Exploring Deep State Spaces
// via Fuzzing" (Aschermann et al., S&P 2020). The fuzzer distinguishes how often code runs by
// powers of two, so each floor stands for eight Altitudes.
func Cover(altitude int) {
	for range 1 << (altitude % 8) {
		floors[altitude/8]()
	}
}

// floors are functions, each of which is code of its own.
var floors = [Altitudes / 8]func(){
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
}
