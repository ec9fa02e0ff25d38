package fuzzext

import (
	"math"
	"runtime"

	"github.com/espalier-go/espalier/fuzzext/internal/values"
)

// Target says how far the value has come toward something rare: how deep a tree is, how full a
// buffer, how large a rounding error. Once a run has given scores, a share of all new values
// are mutants of those with the highest. So tests reach values that chance does not. Each call
// of Target in the code is a goal of its own. If a run makes it several times, the highest
// score counts. NaN counts as no score.
//
// It works in [Check], in fuzz targets, and under corpusgen fuzz. The idea is that of targeted
// property-based testing (Löscher and Sagonas, ISSTA 2017).
func (t *T) Target(score float64) { t.score(score) }

// AssumeNear ends the run unless distance is 0 or less, and marks its value as invalid, like
// [T.Assume]. It mutates invalid values with a small distance, as [T.Target] does with high
// scores. So values meet a precondition sooner.
func (t *T) AssumeNear(distance float64) {
	if distance <= 0 {
		return
	}
	t.score(-distance)
	t.SkipNow()
}

// score records a score for the caller of its stack.
func (t *T) score(value float64) {
	var pc [1]uintptr
	if value != value || runtime.Callers(3, pc[:]) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return
	}
	r := t.recording()
	for i := range r.scores {
		if s := &r.scores[i]; s.Site == pc[0] {
			s.Value = max(s.Value, value)
			return
		}
	}
	r.scores = append(r.scores, values.Score{Site: pc[0], Value: value})
}

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

// floors are functions, each of which is code of its own.
var floors = [altitudes / 8]func(){
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
	func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {}, func() {},
}
