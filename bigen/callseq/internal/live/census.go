package live

import "sync"

// A Census says which operations have been called. Several goroutines may use it at once.
type Census struct {
	mu     sync.Mutex
	names  []string // in the order of their declaration
	called map[string]bool
}

// Add adds an operation of a run, and whether the run has called it.
func (c *Census) Add(name string, called bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.called == nil {
		c.called = map[string]bool{}
	}
	before, known := c.called[name]
	if !known {
		c.names = append(c.names, name)
	}
	c.called[name] = before || called
}

// Never returns the operations that no run has called.
func (c *Census) Never() (never []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range c.names {
		if !c.called[name] {
			never = append(never, name)
		}
	}
	return never
}
