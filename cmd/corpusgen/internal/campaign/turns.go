package campaign

import (
	"math"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/gorelease"
)

// next returns the target whose turn it is, and the size of the turn. There is none when
// the limit is used up, except for a target whose hang must be reported, and for one that has had no
// turn because failures of others have taken the time: it has one.
func (f *fuzzer) next() (i int, granted float64, ok bool) {
	if f.left > 0.001 {
		if i, ok = f.rotation.Next(); !ok {
			return 0, 0, false
		}
		if granted = min(f.turn(), f.left); f.targets[i].hung {
			granted = f.hangTurn()
		}
		return i, granted, true
	}
	for i, t := range f.targets {
		if t.hung && f.rotation.Take(i) {
			return i, f.hangTurn(), true
		}
		if f.Failed && f.keepGoing && t.turns == 0 && f.rotation.Take(i) {
			return i, f.turn(), true
		}
	}
	return 0, 0, false
}

// turn returns the size of a turn, which is infinite if nothing ends it.
//
//   - A target that is alone has one turn.
//   - Without a limit, a turn takes 30 seconds.
//   - Otherwise, it takes an eighth of the limit, but 1 to 60 seconds, or at least
//     1000 executions.
func (f *fuzzer) turn() float64 {
	limit := size(f.limit)
	switch {
	case len(f.targets) == 1:
		return f.left
	case f.limit.IsZero():
		return 30
	case f.limit.Executions > 0:
		return math.Ceil(min(limit, max(limit/8, 1000)))
	}
	return min(limit, max(1, limit/8), 60)
}

// hangTurn returns the length, in seconds, of a turn in which the engine can report a hang:
// its own limit and five seconds.
func (f *fuzzer) hangTurn() float64 {
	return (gorelease.Limit(f.Env.GOVERSION) + 5*time.Second).Seconds()
}

// hangs reports whether a turn of t that was granted some time, and spent some
// fuzzing, in seconds, has ended with workers that did not stop. The next turn
// of t is then one of [fuzzer.hangTurn], but no two in a row are.
func (f *fuzzer) hangs(t *fuzzTarget, granted, fuzzing float64) bool {
	const stops = 1 // seconds in which workers stop
	timed := len(f.targets) > 1 && f.limit.Executions == 0 && !f.engine.runsApart
	return timed && !t.hung && fuzzing > granted+stops
}

// charge returns what a turn uses of the limit: the time for which it fuzzed or the executions
// that it made, and at least what it was granted if it has used that up.
func (f *fuzzer) charge(
	granted float64, usedUp bool, wall time.Duration, executions int64,
) float64 {
	used := wall.Seconds()
	if f.limit.Executions > 0 {
		used = min(float64(max(1, executions)), granted)
	}
	if usedUp && !math.IsInf(granted, 1) {
		used = max(used, granted)
	}
	return used
}

// amount returns the amount of a size, in the unit of the limit.
func (f *fuzzer) amount(size float64) gotest.Amount {
	if f.limit.Executions > 0 {
		return gotest.Amount{Executions: max(1, int64(size))}
	}
	return gotest.Amount{Time: time.Duration(size * float64(time.Second)).Round(time.Millisecond)}
}

// size returns an amount in seconds or executions.
func size(a gotest.Amount) float64 {
	if a.Executions > 0 {
		return float64(a.Executions)
	}
	return a.Time.Seconds()
}
