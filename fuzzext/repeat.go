package fuzzext

import (
	"fmt"
	"math"
	"strings"

	"github.com/espalier-go/espalier/fuzzext/internal/text"
)

const (
	// mostRepeats is how often a flaky value runs at most until it fails. A value that fails in 1
	// of 10 runs fails at least once in so many runs 19 times of 20.
	mostRepeats = 30

	// flakyMark ends the name of the file of a flaky value.
	flakyMark = "-flaky"
)

// repeatsOf returns how often the property runs at most, until it fails, on the value of a file or
// an entry with a name.
func repeatsOf(name string) int {
	if strings.HasSuffix(name, flakyMark) {
		return mostRepeats
	}
	return 1
}

// measure runs the property n times, or as long as it can run, and returns how often it ran, and
// failed.
func measure(n int, run func() (failed, ok bool)) (fails, runs int) {
	for ; runs < n; runs++ {
		failed, ok := run()
		if !ok {
			break
		}
		if failed {
			fails++
		}
	}
	return fails, runs
}

// flakyShare says how often a property has failed when it ran again, unless it has each time.
func flakyShare(fails, runs int) string {
	if fails == runs {
		return ""
	}
	return fmt.Sprintf("the property failed in %d of %s on the same value", fails,
		text.Count(runs, "further run"))
}

// rarestFlake is the share of failing runs from which on a failure is usually told from a fluke.
const rarestFlake = 0.1

// confirmsFlake judges whether a value fails often enough that it makes sense to look for a simpler
// one. A value that fails in 1 of 10 runs is accepted 9 times of 10, and one that fails in 1 of 50
// runs 3 times of 1000.
var confirmsFlake = newRatioTest(0.02, rarestFlake, 0.005, 0.1, 200)

// simplerFlake returns the test whether a simpler value fails about as often as one of which so
// many runs have failed, and not only a third as often. It takes the latter for the former 2 times
// of 1000, and the former for the latter 1 time of 10 at most. The share does not change while a
// value is minimized. So many steps do not make a failure rarer than one does.
func simplerFlake(fails, runs int) *ratioTest {
	rate := max(rarestFlake, (float64(fails)+0.5)/float64(runs+1))
	return newRatioTest(rate/3, rate*0.8, 0.002, 0.1, 300)
}

// A ratioTest is a sequential probability ratio test (Wald 1945) of a probability: is it rather a
// high one or a low one? It takes only as many runs as it needs.
type ratioTest struct {
	fail, pass     float64 // logarithms of the ratio by which a run changes the odds
	accept, reject float64 // logarithms of the odds at which it ends
	most           int     // runs; then it rejects
}

// newRatioTest returns a test of two probabilities, which accepts the low one, and rejects the high
// one, with the given probabilities at most.
func newRatioTest(low, high, accepts, rejects float64, most int) *ratioTest {
	return &ratioTest{
		fail:   math.Log(high / low),
		pass:   math.Log((1 - high) / (1 - low)),
		accept: math.Log((1 - rejects) / accepts),
		reject: math.Log(rejects / (1 - accepts)),
		most:   most,
	}
}

// decide calls run until it can tell. It rejects if run reports that it cannot run. It returns how
// often it ran, and failed.
func (t *ratioTest) decide(run func() (failed, ok bool)) (accepted bool, fails, runs int) {
	odds := 0.0
	for runs < t.most {
		failed, ok := run()
		if !ok {
			return false, fails, runs
		}
		runs++
		if odds += t.pass; failed {
			fails++
			odds += t.fail - t.pass
		}
		if odds >= t.accept || odds <= t.reject {
			return odds >= t.accept, fails, runs
		}
	}
	return false, fails, runs
}
