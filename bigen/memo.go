package bigen

import (
	"sync"
	"unsafe"
)

// A Memo keeps generators that depend on parameters, such as how many variables are in scope.
// It makes the generator of each key once. A function would make it anew for each part of each
// value, which can take longer than the rest of the run.
//
//	var terms bigen.Memo[int, Term]
//
//	func genTerm(scope int) bigen.Gen[Term] {
//		return terms.Gen(scope, func() bigen.Gen[Term] { return bigen.Pick(...) })
//	}
//
// A Memo also helps if several alternatives of a [Pick] read the same part of a value in the
// same way. Backward, each of them reads the part again, in time exponential in the depth of
// the value, unless they share one generator: that of a key, or one that is made before the
// Pick.
//
// The zero Memo is empty and ready to use, by several goroutines at once. It must not be
// copied. Once it has 65536 generators, it forgets all of them.
type Memo[K comparable, A any] struct {
	mu   sync.RWMutex
	made map[K]*memoOp
}

// maxMemo is how many generators a [Memo] keeps.
const maxMemo = 1 << 16

// Gen returns the generator of the key, which makes the values of f(). It calls f once, when a
// run first needs the generator, so f may call Gen with the same key. What f returns must
// depend on the key alone: put all parameters that f uses into the key. Gen panics if the key
// cannot be compared, as a map does.
func (m *Memo[K, A]) Gen(key K, f func() Gen[A]) Gen[A] {
	op := m.find(key)
	if op == nil {
		op = m.add(key, f)
	}
	return Gen[A]{op: op}
}

func (m *Memo[K, A]) find(key K) *memoOp {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.made[key]
}

func (m *Memo[K, A]) add(key K, f func() Gen[A]) *memoOp {
	m.mu.Lock()
	defer m.mu.Unlock()
	op := m.made[key]
	if op == nil {
		if m.made == nil || len(m.made) >= maxMemo {
			m.made = map[K]*memoOp{}
		}
		op = &memoOp{sync.OnceValue(func() *typed { g := f(); return typedOf(&g) })}
		m.made[key] = op
	}
	return op
}

// memoOp is the generator of a key.
type memoOp struct{ gen func() *typed }

func (m *memoOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	c.nest()
	m.gen().forward(c, p)
	c.unnest()
}

func (m *memoOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	c.nest()
	defer c.unnest()
	return m.gen().backward(c, p)
}
