package fuzzext

import (
	"context"
	"fmt"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/espalier-go/espalier/fuzzext/internal/stack"
)

// NoLeaks makes a run fail if a goroutine that it started, itself or by another goroutine, has
// not ended 100 ms after the property and its cleanups. Start what should outlive a run, such
// as a pool of workers, before. Looking at all goroutines after each run costs some 50
// microseconds. NoLeaks finds goroutines by a label of runtime/pprof, so it misses goroutines of
// code that sets its own labels.
func NoLeaks() Option { return func(o *options) { o.noLeaks = leakless } }

const (
	leakLabel = "espalier.run"
	leakTime  = 100 * time.Millisecond
)

var leakRuns atomic.Uint64

// leakless returns a property that also fails if goroutines remain after it.
func leakless(p propFunc) propFunc {
	return func(t *T, v any) {
		id := strconv.FormatUint(leakRuns.Add(1), 10)
		pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(leakLabel, id)))
		t.Cleanup(func() { // the last one to run
			pprof.SetGoroutineLabels(context.Background())
			if !t.Failed() && !t.Skipped() {
				t.failIfLeaks(id)
			}
		})
		p(t, v)
	}
}

// failIfLeaks fails if goroutines with the label remain.
func (t *T) failIfLeaks(id string) {
	stacks := stack.Left(leakLabel, id, leakTime)
	if len(stacks) == 0 {
		return
	}
	what := "a goroutine"
	if len(stacks) > 1 {
		what = fmt.Sprint(len(stacks), " kinds of goroutines")
	}
	where := stack.FirstPlace(stacks[0])
	t.put(fmt.Sprintf("the run has left %s behind:\n%s", what, strings.Join(stacks, "\n")),
		"goroutine at "+where, cause{text: "leak"})
}
