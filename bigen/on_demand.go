package bigen

import "sync"

// onDemand is a value that is made when it is first needed. A variable of this type
// does not refer to the function that makes it. So the linker omits that function from
// programs that do not need it, and Go's fuzzer, which reads the counters of all code
// after each input, takes less time.
type onDemand[T any] struct {
	once  sync.Once
	value T
}

func (l *onDemand[T]) get(make func() T) T {
	l.once.Do(func() { l.value = make() })
	return l.value
}
