package fuzzext

import (
	"runtime"
	"sync"
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

// checking holds the names of the running tests that have called Check.
var checking testNames

// testNames is a set of names of tests. Several goroutines may use it at once.
type testNames struct {
	mu    sync.Mutex
	names map[string]bool
}

// enterTest adds a name, and reports whether it is new.
func (n *testNames) enterTest(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.names == nil {
		n.names = map[string]bool{}
	}
	known := n.names[name]
	n.names[name] = true
	return !known
}

// count returns how many names the set has.
func (n *testNames) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.names)
}

// leaveTest removes a name.
func (n *testNames) leaveTest(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.names, name)
}

// isOver reports whether a budget has been spent.
func isOver(b *budget.Budget, most time.Duration) bool { return b.Over(most, checking.count()) }
