package bigen

import "sync"

// onDemand is a value that is made when it is first asked for. A variable of this type
// does not refer to what makes it. So the linker leaves that out of programs that do
// not need it, and Go's fuzzer, which after each input looks at the counters of all
// code there is, takes less time.
type onDemand[T any] struct {
	once  sync.Once
	value T
}

func (l *onDemand[T]) get(make func() T) T {
	l.once.Do(func() { l.value = make() })
	return l.value
}
