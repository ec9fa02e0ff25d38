package callseq

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
	"github.com/espalier-go/espalier/internal/literal"
	"golang.org/x/exp/slices"
)

// Got says, within [C.Do], what a call has returned. The report of a failure shows it.
//
//	c.Do(func() { c.Got(cache.Get(k)) })
func (c *C) Got(results ...any) {
	if c.phase != inDo || c.name == setup {
		c.misuse("calls Got outside of the Do of an operation: call it within Do; in Invariant " +
			"and End, compare what is seen, and call Errorf, or States.Step")
	}
	now := c.runner.now()
	if c.runner.held {
		now = &c.runner.trace[1+c.runner.locate()]
	}
	if now.returned {
		c.misuse("calls Got twice: give all results of a call to one Got")
	}
	now.returned, now.got = true, results
	for i, v := range results {
		now.got[i] = operand.Frozen(v)
	}
	if c.differs(now) {
		c.TB.Helper()
		c.failResults(now)
	}
}

// Want says what the call must return, according to the model. If [C.Got] says otherwise, it fails
// the test. Results are compared by [reflect.DeepEqual], but errors by [errors.Is], NaN equals NaN,
// times of the same instant and location are equal, and an empty slice or map equals a nil one.
// An operation calls Want once, before or after Do, or [C.WantOneOf], or [States.Step].
func (c *C) Want(results ...any) {
	now := c.wanting("Want", results)
	if now == nil {
		return
	}
	if now.want = [][]any{results}; c.differs(now) {
		c.TB.Helper()
		c.failResults(now)
	}
}

// WantOneOf is Want where the model allows any of several results, such as the keys of a map. What
// the call returns must not have an effect on later results: [States] is for that. If the call has
// several results, an alternative is [Results].
//
//	c.WantOneOf(callseq.Results{0, false}, callseq.Results{x, true})
func (c *C) WantOneOf(alternatives ...any) {
	now := c.wanting("WantOneOf", alternatives)
	if now == nil {
		return
	}
	for _, a := range alternatives {
		if r, several := a.(Results); several {
			now.want = append(now.want, r)
		} else {
			now.want = append(now.want, []any{a})
		}
	}
	if c.differs(now) {
		c.TB.Helper()
		c.failResults(now)
	}
}

// Results is what a call with several results may return, for [C.WantOneOf].
type Results []any

// WantPanic says that the call must panic. Call it before Do.
func (c *C) WantPanic() {
	if c.phase != drawing {
		c.misuse("calls WantPanic after Do: call it before")
	}
	if now := c.wanting("WantPanic", nil); now != nil {
		now.panics, now.want = true, [][]any{{aPanic}}
	}
}

// outcome is the result of a call that must panic.
type outcome string

const (
	aPanic  outcome = "a panic"
	noPanic outcome = "no panic"
)

// toPanic returns a function that calls f, and says whether that panics as if it was the result.
func (c *C) toPanic(f func()) func() {
	i := len(c.runner.trace) - 1
	return func() {
		returned := false
		defer func() {
			r := recover()
			_, misuse := r.(misused)
			switch {
			case misuse:
				panic(r)
			case r != nil && !c.runner.trace[i].returned:
				c.Got(aPanic)
			case returned && !c.runner.trace[i].returned:
				c.Got(noPanic)
			}
		}()
		f()
		returned = true
	}
}

// AnyError is what [C.Want] takes for an error if the model knows only that there is one.
var AnyError error = anyError{}

type anyError struct{}

// Error returns what reports print.
func (anyError) Error() string { return "any error" }

// wanting returns the call if the model is about to say what it wants of it, by a method, if it
// runs.
func (c *C) wanting(by string, results []any) *traced {
	if c.name == setup || c.name == "" {
		c.misuse("calls %s outside of an operation", by)
	}
	if c.doing != running {
		if c.examined {
			c.wants = append(c.wants, results...)
		}
		return nil
	}
	now := c.runner.now()
	if now.wanted != "" {
		c.misuse("calls %s after %s: give all results of a call to one Want, WantOneOf or Step", by,
			now.wanted)
	}
	now.wanted = by
	return now
}

// differs reports whether a call has returned what the model does not allow.
func (c *C) differs(now *traced) bool {
	if !now.returned || now.wanted == "" || c.runner.held {
		return false
	}
	var fits []int
	differ := true
	for i, want := range now.want {
		if len(now.got) != len(want) && !now.panics {
			c.misuse("has %d results in %s, but %d in Got: give all results of the call to one "+
				"%[2]s and one Got", len(want), now.wanted, len(now.got))
		}
		if !slices.EqualFunc(now.got, want, sameResult) {
			continue
		}
		if differ = false; now.settle != nil {
			fits = append(fits, i)
		}
	}
	if fits != nil {
		now.settle(fits)
	}
	now.differ = differ
	return differ
}

// failResults fails the test because the results of a call differ.
func (c *C) failResults(now *traced) {
	c.TB.Helper()
	format := "call %d: %s returns %s; %s"
	if o := c.ops[c.find(now.call.op())]; o.at != 0 { // what is tested is called in package callseq
		f, _ := runtime.CallersFrames([]uintptr{o.at}).Next()
		format += strings.ReplaceAll(fmt.Sprintf(" (%s of %s:%d)", o.name, filepath.Base(f.File),
			f.Line), "%", "%%")
	}
	c.TB.Errorf(format, len(c.runner.trace)-1, c.runner.expression(now), c.runner.gotten(now),
		c.runner.wanted(now))
}

// wanted says what the model allows.
func (r *runner) wanted(t *traced) string {
	switch text, n := list(t.want, func(want []any) string { return r.results(want, t.got) }); n {
	case 0:
		return "the model allowed no such call in any of its states"
	case 1:
		return "want " + text
	default:
		return "the model allowed " + text
	}
}

// gotten writes the results of a call.
func (r *runner) gotten(t *traced) string {
	if len(t.want) == 0 {
		return r.results(t.got, nil)
	}
	return r.results(t.got, t.want[0])
}

func sameResult(got, want any) bool {
	if reflect.DeepEqual(got, want) {
		return true
	}
	if g, ok := got.(error); ok {
		w, ok := want.(error)
		return ok && (w == AnyError || errors.Is(g, w))
	}
	a, b := reflect.ValueOf(got), reflect.ValueOf(want)
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
		return false
	}
	if k := a.Kind(); (k == reflect.Slice || k == reflect.Map) && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	places, _ := literal.Differences(got, want, 1)
	return len(places) == 0
}

// results writes results. Their types are written, too, where only these differ from others.
func (r *runner) results(results, others []any) string {
	texts := make([]string, len(results))
	for i, v := range results {
		texts[i] = r.result(v)
		if i < len(others) && reflect.TypeOf(v) != reflect.TypeOf(others[i]) &&
			texts[i] == r.result(others[i]) {
			texts[i] += fmt.Sprintf(" of type %T", v)
		}
	}
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, ", ")
}

func (r *runner) result(v any) string {
	if v == any(AnyError) {
		return "an error"
	}
	if o, ok := v.(outcome); ok {
		return string(o)
	}
	if err, ok := v.(error); ok {
		return fmt.Sprintf("error %q", gocode.Shorten(err.Error()))
	}
	return gocode.Shorten(gocode.Flat(r.literal(v)))
}
