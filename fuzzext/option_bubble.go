package fuzzext

import (
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/internal/bubble"
)

// Bubble makes each run of the property take place in a bubble of [testing/synctest], with its
// cleanups and its context. There time is fake: it passes at once when all goroutines of the bubble
// wait. So timeouts and tickers cost nothing, and [testing/synctest.Wait] works:
//
//	fuzzext.Check(t, genRequests, func(t *fuzzext.T, requests []Request) {
//		s := newServer(time.Minute)
//		t.Cleanup(s.Close)
//		...
//	}, fuzzext.Bubble())
//
// A run fails if all goroutines of its bubble wait for each other, or if it leaves some running:
// end those in a cleanup. Such failures are minimized, too. The goroutines of runs that fail so are
// never freed. Use Bubble in place of synctest.Test, which needs a *testing.T.
func Bubble() Option {
	return func(o *options) {
		if o.around == nil {
			o.around = func(s *subject, _ *options) { s.prop = bubbled(s.prop) }
		}
	}
}

// bubbled returns a property that runs in a bubble.
func bubbled(p propFunc) propFunc {
	return func(t *T, v any) {
		ended := false
		waiting := bubble.Run(func() {
			defer func() { ended = true }()
			t.inBubble(p, v)
		})
		if waiting != nil && !(ended && (t.Failed() || t.Skipped())) {
			t.deadlocks(waiting(), ended)
		}
	}
}

// inBubble runs a property. A report of a run that hangs shows the stack above this function.
//
//go:noinline
func (t *T) inBubble(p propFunc, v any) {
	defer func() {
		if !t.returned {
			t.unwound(recover())
		}
		t.tidy(false)
	}()
	p(t, v)
	t.returned = true
}

// dropCleanups drops the cleanups of the user, which may not touch from outside what belongs to the
// bubble.
func (t *T) dropCleanups() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.rec; r != nil {
		r.cancel = nil
		r.cleanups = slices.DeleteFunc(r.cleanups, func(c cleanup) bool { return !c.own })
	}
}

// deadlocks fails a run whose goroutines wait for each other.
func (t *T) deadlocks(waiting []string, ended bool) {
	t.dropCleanups()
	what := "deadlock: all goroutines of the bubble wait for each other"
	if ended {
		what = "the run leaves goroutines behind in its bubble: end them before the property " +
			"returns, or in a cleanup"
	}
	for i, g := range waiting {
		waiting[i] = stack.Above(g, stack.InBubble)
	}
	// a process may have too many to know them
	where := stack.Innermost(strings.Join(waiting[:min(1, len(waiting))], ""))
	t.put(what+"\n\n"+strings.Join(waiting, "\n"), "deadlock at "+where.Place,
		cause{text: "deadlock in " + where.Function})
}
