// Package testnames has sets of the names of tests.
package testnames

import "sync"

// A Set is one. Several goroutines may use it at once.
type Set struct {
	mu    sync.Mutex
	names map[string]bool
}

// Enter adds a name, and reports whether it is new.
func (n *Set) Enter(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.names == nil {
		n.names = map[string]bool{}
	}
	known := n.names[name]
	n.names[name] = true
	return !known
}

// Len returns how many there are.
func (n *Set) Len() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.names)
}

// Leave removes a name.
func (n *Set) Leave(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.names, name)
}
