package callseq

import (
	"sync"

	"golang.org/x/exp/slices"
)

// NeverCalled returns the operations that none of the sequences run so far has called, in the
// order of their declaration. The precondition of such an operation may never hold.
func (m *Model) NeverCalled() []string {
	m.census.mu.Lock()
	defer m.census.mu.Unlock()
	var never []string
	for _, o := range m.census.ops {
		if !o.called {
			never = append(never, o.name)
		}
	}
	return never
}

// A census says which operations have been called.
type census struct {
	mu  sync.Mutex
	ops []counted
}

type counted struct {
	name   string
	called bool
}

// add adds the operations of a run.
func (x *census) add(ops []*Op) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, o := range ops {
		if i >= len(x.ops) || x.ops[i].name != o.name { // not all sequences have the same
			i = slices.IndexFunc(x.ops, func(c counted) bool { return c.name == o.name })
		}
		if i < 0 {
			i = len(x.ops)
			x.ops = append(x.ops, counted{name: o.name})
		}
		x.ops[i].called = x.ops[i].called || o.called
	}
}
