package bigen

import (
	"sync"
	"unsafe"
)

// A Memo keeps generators that depend on parameters, such as how many variables are in scope.
// It makes the generator of each key once. A function would make it anew for each part of each
// value, which can take longer than the rest of the run. Where keys hardly repeat, such as bounds
// of integers, a function is faster.
//
//	var terms bigen.Memo[int, Term]
//
//	func genTerm(scope int) bigen.Gen[Term] {
//		return terms.Gen(scope, func() bigen.Gen[Term] { return bigen.Pick(...) })
//	}
//
// A Memo also helps if several alternatives of a [Pick] read the same part of a value in the
// same way. Backward, each of them reads the part again, in time exponential in the depth of
// the value, unless they share one generator: the generator of a key, or one made before the
// Pick.
//
// The zero Memo is empty and ready to use, by several goroutines at once. It must not be
// copied. Once it has 65536 generators, it forgets all of them.
type Memo[K comparable, A any] struct{ made cache[K, *memoOp] }

// maxMemo is how many generators a [Memo] keeps.
const maxMemo = 1 << 16

// Gen returns the generator of the key, which makes the values of f(). It calls f once, when a
// run first needs the generator, so f may call Gen with the same key. What f returns must
// depend on the key alone: put all parameters that f uses into the key. Gen panics if the key
// cannot be compared, as a map does.
func (m *Memo[K, A]) Gen(key K, f func() Gen[A]) Gen[A] {
	return Gen[A]{u: untyped{op: m.made.get(key, maxMemo, func() *memoOp {
		return &memoOp{sync.OnceValue(func() *typed { g := f(); return typedOf(&g) })}
	})}}
}

// A cache keeps what is made for each key, for several goroutines. Once it is full, it forgets all.
type cache[K comparable, V any] struct {
	mu   sync.RWMutex
	made map[K]V
}

func (c *cache[K, V]) find(key K) (v V, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	v, ok = c.made[key]
	return v, ok
}

// get returns what is kept for a key, or keeps what build returns. A cache of so many keys is full.
func (c *cache[K, V]) get(key K, most int, build func() V) V {
	v, ok := c.find(key)
	if ok {
		return v
	}
	v = build()
	c.mu.Lock()
	defer c.mu.Unlock()
	if first, ok := c.made[key]; ok {
		return first
	}
	if c.made == nil || len(c.made) >= most {
		c.made = map[K]V{}
	}
	c.made[key] = v
	return v
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
