package fuzzext

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/gorelease"
)

// engineLimit is how long Go's engine allows an execution.
var engineLimit = gorelease.Limit(runtime.Version())

// minimizeTime is how long the minimization of a failure takes at most; see budget.
var minimizeTime = engineLimit / 5

// explainTime is how long an explanation in a report takes at most; see budget.
var explainTime = minimizeTime / 4

// checking knows the tests that have called Check.
var checking checkedTests

// checkedTests knows which tests have called Check, and how many Checks run. Several goroutines may
// use it at once.
type checkedTests struct {
	mu      sync.Mutex
	called  map[string]testing.TB // by name: the last test
	running int
}

// begin begins a Check. It reports false, and begins none, if the test has called Check before. A
// test that runs again, as under -count, is another one.
func (c *checkedTests) begin(t testing.TB) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := t.Name()
	if c.called[name] == t {
		return false
	}
	if c.called == nil {
		c.called = map[string]testing.TB{}
	}
	c.called[name] = t
	c.running++
	return true
}

// end ends a Check.
func (c *checkedTests) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
}

// count returns how many Checks run.
func (c *checkedTests) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running
}

// isOver reports whether a budget has been spent.
func isOver(b *budget.Budget, most time.Duration) bool { return b.Over(most, checking.count()) }
