package fuzzext

import "sync"

// checking holds the names of the running tests that have called Check.
var checking testNames

type testNames struct {
	mu    sync.Mutex
	names map[string]bool
}

// enter adds a name, and reports whether it is new.
func (n *testNames) enter(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.names == nil {
		n.names = map[string]bool{}
	}
	known := n.names[name]
	n.names[name] = true
	return !known
}

// running returns how many there are.
func (n *testNames) running() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.names)
}

func (n *testNames) leave(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.names, name)
}
