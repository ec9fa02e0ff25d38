package callseq

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/espalier-go/espalier/bigen/callseq/internal/copies"
	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/internal/literal"
)

// Got says, within [C.Do], what a call has returned. The report of a failure shows it.
//
//	c.Do(func() { c.Got(cache.Get(k)) })
func (c *C) Got(results ...any) {
	if c.phase != inDo || c.name == setup {
		c.misuse("calls Got outside of the Do of an operation")
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
		now.got[i] = copies.Of(v)
	}
	if now.wanted && !c.runner.held && c.differ(now) {
		c.TB.Helper()
		c.failResults(now)
	}
}

// Want says what the call must return, according to the model. If [C.Got] says otherwise, it
// fails the test. Results are compared by [reflect.DeepEqual], but errors by [errors.Is], NaN
// equals NaN, times equal those of the same instant and location, and an empty slice or map equals a
// nil one. An operation calls Want once, before or after Do.
func (c *C) Want(results ...any) {
	if c.name == setup || c.name == "" {
		c.misuse("calls Want outside of an operation")
	}
	if c.doing != running {
		if c.examined {
			c.wants = append(c.wants, results...)
		}
		return
	}
	now := c.runner.now()
	if now.wanted {
		c.misuse("calls Want twice: give all results of a call to one Want")
	}
	now.wanted, now.want = true, results
	if now.returned && !c.runner.held && c.differ(now) {
		c.TB.Helper()
		c.failResults(now)
	}
}

// differ reports whether the results of a call are not those wanted.
func (c *C) differ(now *traced) bool {
	if len(now.got) != len(now.want) {
		c.misuse("has %d results in Want, but %d in Got: give all results of the call to one Want and one Got", len(now.want), len(now.got))
	}
	for i := range now.got {
		if !sameResult(now.got[i], now.want[i]) {
			now.differ = true
			return true
		}
	}
	return false
}

// failResults fails the test because the results of a call differ.
func (c *C) failResults(now *traced) {
	c.TB.Helper()
	format := "call %d: %s returns %s; want %s"
	if o := c.ops[c.find(now.call.op())]; o.at != 0 { // what is tested is called in package callseq
		f, _ := runtime.CallersFrames([]uintptr{o.at}).Next()
		format += strings.ReplaceAll(fmt.Sprintf(" (%s of %s:%d)", o.name, filepath.Base(f.File), f.Line), "%", "%%")
	}
	c.TB.Errorf(format, len(c.runner.trace)-1, c.runner.expression(now), c.runner.results(now.got, now.want), c.runner.results(now.want, now.got))
}

func sameResult(got, want any) bool {
	if reflect.DeepEqual(got, want) {
		return true
	}
	if g, ok := got.(error); ok {
		w, ok := want.(error)
		return ok && errors.Is(g, w)
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
		if i < len(others) && reflect.TypeOf(v) != reflect.TypeOf(others[i]) && texts[i] == r.result(others[i]) {
			texts[i] += fmt.Sprintf(" of type %T", v)
		}
	}
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, ", ")
}

func (r *runner) result(v any) string {
	if err, ok := v.(error); ok {
		return fmt.Sprintf("error %q", gocode.Shorten(err.Error()))
	}
	return gocode.Shorten(gocode.OneLine(r.literal(v)))
}
