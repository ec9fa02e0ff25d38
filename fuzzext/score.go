package fuzzext

import (
	"runtime"

	"github.com/espalier-go/espalier/fuzzext/internal/values"
)

// Target says how far the value has come toward something rare: how deep a tree is, how full a
// buffer, how large a rounding error. Once a run has given scores, a share of all new values
// are mutants of those with the highest. So tests reach values that chance does not. Each call
// of Target in the code is a goal of its own. If a run makes it several times, the highest
// score counts. NaN counts as no score.
//
// It works in [Check], in fuzz targets, and under corpusgen fuzz. The idea comes from targeted
// property-based testing (Löscher and Sagonas, ISSTA 2017).
func (t *T) Target(score float64) { t.recordScore(score) }

// AssumeNear ends the run unless distance is 0 or less, and marks its value as invalid, like
// [T.Assume]. It mutates invalid values with a small distance, as [T.Target] does with high
// scores. So values meet a precondition sooner.
func (t *T) AssumeNear(distance float64) {
	if distance <= 0 {
		return
	}
	t.recordScore(-distance)
	t.SkipNow()
}

// recordScore records a score for the caller of its stack.
func (t *T) recordScore(value float64) {
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
