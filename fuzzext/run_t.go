package fuzzext

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/classes"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/engine"
)

type testingTB = testing.TB

// T is what a property has in place of a *testing.T. It is a [testing.TB], so it works with
// assertion libraries.
//
// A property runs many times, each time with a T of its own. A run that fails does not fail
// the test at once: its value is minimized first. So T keeps what is logged, and the report
// shows what belongs to the minimal failure; so does the test with attributes and artifacts.
// Cleanups, environment variables, and working and temporary directories end with the run. T has
// no Run and no Parallel.
//
// A run ends when the property returns. If a goroutine that it has started fails the T
// later, the test fails, but the report cannot say on which value.
type T struct {
	testingTB // the test's own
	shared    *shared
	index     int // of the value in the trial

	mu      sync.Mutex
	rec     *record // nil if the run has left nothing
	failed  bool
	invalid bool
	ended   bool
	tidied  bool // its context has been canceled, within a bubble

	isCollected bool    // its failure belongs to a class of collector
	abandoned   bool    // it has not returned in time
	hang        *ending // how, if the trial continues all the same
	testFailed  bool    // the test itself has failed meanwhile
	returned    bool    // the property has returned; used by its goroutine only
}

// Failed reports whether the run has failed.
func (t *T) Failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// Skipped reports whether the value is marked as invalid.
func (t *T) Skipped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.invalid
}

// beginRun is called just before the property.
func (t *T) beginRun() {
	if p := t.shared.probe; p != nil && t.index != minimizing {
		p.begin(t.shared.tree)
	}
}

// endRun is deferred below the property. It ends the run, whether the property has returned,
// panicked or ended its goroutine.
func (t *T) endRun() {
	if !t.returned {
		t.unwound(recover())
	}
	if !t.tidy(true) {
		return
	}
	t.passOnScores()
	if p := t.shared.probe; p != nil && t.index != minimizing {
		p.finish()
	}
}

// unwound is called if the property has panicked, or, with nil, has ended its goroutine.
func (t *T) unwound(r any) {
	if r != nil {
		t.panicked(r)
	} else if t.checkTest(); !t.Failed() && !t.Skipped() && !point.Stopped() {
		t.put("the property called runtime.Goexit", "runtime.Goexit", cause{})
	}
}

// tidy cancels the context of the run and calls its cleanups. If it is the last to do so, the run
// has ended. It reports false if the run has been abandoned.
func (t *T) tidy(last bool) bool {
	for {
		t.mu.Lock()
		if t.ended {
			t.mu.Unlock()
			return false
		}
		r := t.rec
		if r == nil || r.cancel == nil && len(r.cleanups) == 0 {
			t.tidied = true
			if t.ended = last; last && r != nil && (!t.failed || flags.keep) {
				r.removeArtifacts()
			}
			t.mu.Unlock()
			return true
		}
		cancel := r.cancel
		r.cancel = nil
		t.mu.Unlock()
		if cancel != nil {
			cancel()
		}
		t.cleanup()
	}
}

// cleanup runs the cleanups, the last first, even if some panic or end the goroutine.
func (t *T) cleanup() {
	for {
		t.mu.Lock()
		var f func()
		if r := t.rec; r != nil && len(r.cleanups) > 0 {
			last := len(r.cleanups) - 1
			f, r.cleanups = r.cleanups[last].call, r.cleanups[:last]
		}
		t.mu.Unlock()
		if f == nil {
			return
		}
		func() {
			returned := false
			defer func() {
				if returned {
					return
				}
				if r := recover(); r != nil {
					t.panicked(r)
				}
				t.cleanup()
			}()
			f()
			returned = true
		}()
	}
}

// panicked is called while a panic is being recovered.
func (t *T) panicked(r any) {
	trace := string(debug.Stack())
	if _, below, ok := strings.Cut(trace, "\npanic("); ok { // leave out what recovers
		header, _, _ := strings.Cut(trace, "\n")
		trace = header + "\npanic(" + below
	}
	trace = stack.Above(trace, stack.InRun, stack.InBubble)
	t.put("panic: "+stack.Panic(r, trace), "panic at "+t.caller(true),
		cause{text: fmt.Sprintf("%T", r)})
}

// abandon gives up a run that does not return. It reports false if the run has ended
// meanwhile.
func (t *T) abandon() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	t.ended, t.abandoned = true, true
	return true
}

func (t *T) isAbandoned() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.abandoned
}

// failHung marks a run that has been abandoned as failed.
func (t *T) failHung(e ending) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed, t.hang = true, &e
}

func (t *T) logAt(s string) { t.put(text.Placed(t.caller(false), s), "", cause{}) }

// failAt fails with a message, which has been made of a format and arguments.
func (t *T) failAt(s, format string, args []any) {
	where, why := t.caller(false), cause{message: true}
	if !t.Failed() {
		why.text, why.echoes = classes.Message(format, args)
	}
	t.put(text.Placed(where, s), where, why)
}

// put logs s, unless it is empty. It fails the run at the place where, unless that is empty.
// The cause tells the failure from others there.
func (t *T) put(s, where string, why cause) {
	t.mu.Lock()
	if t.ended {
		abandoned := t.abandoned
		t.mu.Unlock()
		if where != "" && !abandoned {
			t.shared.failedLate(cmp.Or(s, where+": failed"))
		}
		return
	}
	defer t.mu.Unlock()
	r := t.recording()
	if where != "" && !t.failed {
		t.failed, r.where, r.before, r.cause = true, where, len(r.log), why
	}
	if r.log = append(r.log, s...); s != "" && !strings.HasSuffix(s, "\n") {
		r.log = append(r.log, '\n')
	}
}

// left returns what the run has left until now, for reading.
func (t *T) left() (r record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rec != nil {
		r = *t.rec
	}
	return r
}

// account returns what the run tells of its first failure.
func (t *T) account() account {
	r := t.left()
	return account{string(r.log), r.before, r.where}
}

func (t *T) labels() []string { return slices.Clone(t.left().labels) }

// recording returns the record of the run, for writing. t.mu is held.
func (t *T) recording() *record {
	if t.rec == nil {
		t.rec = t.shared.newRecord()
	}
	return t.rec
}

// caller returns the place in the user's code from which a method of T has been called.
func (t *T) caller(panicked bool) string {
	return t.shared.places.Place(t.helperPCs(), panicked)
}

// helperPCs returns the program counters of the calls of Helper.
func (t *T) helperPCs() []uintptr {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rec == nil || t.ended {
		return nil
	}
	return t.rec.helpers[:len(t.rec.helpers):len(t.rec.helpers)]
}

// outcome returns what has become of a value, given its run, which has ended and is not recycled;
// nil if the generator has rejected the value.
func (t *T) outcome() (o values.Outcome) {
	if t == nil {
		o.Verdict = values.Rejected
		return o
	}
	r := t.left()
	o = values.Outcome{Labels: r.labels, Key: r.unique, Scores: r.scores}
	switch {
	case t.Failed():
		o.Verdict = values.Failed
	case t.Skipped():
		o.Verdict = values.Invalid
	}
	return o
}

// passOnScores tells the engine of the scores of a run, at its end.
func (t *T) passOnScores() {
	for _, s := range t.scores() {
		switch p := t.shared.probe; {
		case p == nil && fuzzing() && t.index == 0:
			coverAltitude(altitudeOf(s.Value))
		case p != nil && p.score != nil && t.index != minimizing:
			p.score(uint64(s.Site), s.Value)
		}
	}
}

// checkTest fails a run that has failed the test itself.
func (t *T) checkTest() {
	s := t.shared
	if point.Running() && point.Raced() || t.isAbandoned() || s.failed ||
		!s.tb.Failed() && !s.test.Failed() {
		return
	}
	s.failed = true
	t.mu.Lock()
	defer t.mu.Unlock()
	t.testFailed = !point.Raced()
	if !t.failed {
		r := t.recording()
		t.failed, r.where, r.before = true, "the test", len(r.log)
		r.log = append(r.log, "a data race, or the property fails the test's own T instead of "+
			"the one that it is given\n"+
			"if it calls synctest.Test, write the option fuzzext.Bubble() instead\n"...)
	}
}

// scores returns the scores of the run, which has ended and is not recycled.
func (t *T) scores() []values.Score {
	if t.rec == nil {
		return nil
	}
	return t.rec.scores
}

// An ending is how a loop has ended, besides as it should.
type ending struct {
	crash string // how the generator has panicked, if it has
	hangs bool   // a run, or the generator, has not returned
	run   *T     // that hangs; nil if it is not known to be a run
	after time.Duration
	cpu   time.Duration // of the process
	stack string        // where it hangs

	starved bool // of CPU time: the run need not hang
}

// classOf returns the class of the failure of a run on the value of a tree, as far as the run
// tells, and the same with words of the value, if it may have some:
//
//  1. the name that the property has given ([T.Class]), or else the place: the line that calls
//     Error or the like, or that panics; and
//  2. of a panic, its type, or
//  3. what the property says there, less the values in it, and less words of the value.
//
// To minimize a failure, name or place are enough, except where classes are told apart.
func (t *T) classOf(tree choices.Tree) (class, words string) {
	r := t.left()
	switch why := r.cause; {
	case r.class != "":
		return t.className(), ""
	case why.echoes:
		words = engine.JoinClass(r.where, engine.Plain(why.text))
		return engine.JoinClass(r.where, engine.Plain(why.text, classes.Texts(tree)...)), words
	case why.message:
		return engine.JoinClass(r.where, engine.Plain(why.text)), ""
	default:
		return engine.JoinClass(r.where, why.text), ""
	}
}

// className returns the class of the failure if messages do not matter.
func (t *T) className() string {
	r := t.left()
	if r.class != "" {
		return "class " + r.class
	}
	return r.where
}
