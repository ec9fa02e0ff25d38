package callseq

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
)

// A Pool holds the live instances of one kind that calls have made, such as iterators,
// snapshots or transactions, so that later calls can use them. T holds an instance, of the
// model and of what is tested; it is usually a pointer to a struct:
//
//	its := callseq.NewPool[*iterator](c, "it")
//	c.Op("list.Iter", func() {
//		it := its.Add(&iterator{})
//		c.Do(func() { it.real = list.Iter() })
//	})
//	c.Op("it.Next", func() {
//		it := its.Draw("it")
//		c.Do(func() { c.Got(it.real.Next()) })
//	}).When(its.Any)
//
// Calls know an instance by a name, such as it1. If the call that makes an instance is taken
// out of a sequence, those that use others remain as they are. A call that uses it uses
// another one instead or, if there is none, is taken out, too.
type Pool[T comparable] struct {
	c     *C
	kind  string
	live  []T
	names []Name // of live
	used  map[int]bool
	most  int // the highest number in use
}

// NewPool returns an empty pool. kind begins the names of its instances. Call it in the
// function given to [New].
func NewPool[T comparable](c *C, kind string) *Pool[T] {
	c.inSetup("NewPool")
	return &Pool[T]{c: c, kind: kind, used: map[int]bool{}}
}

// Add adds an instance, and returns it. Like [Arg], it is called before [C.Do], which fills
// in what is tested. The instance must differ from the zero T, and from all others in the
// pool. In the function given to [New], Add adds what is there before the calls, and [C.Code]
// says how it is made.
func (p *Pool[T]) Add(instance T) T {
	c := p.c
	var zero T
	if instance == zero {
		c.misuse("adds the zero %T to the pool %q: add what is to hold the instance, and fill it in Do", instance, p.kind)
	}
	if slices.Contains(p.live, instance) {
		c.misuse("adds an instance to the pool %q that equals one in it: make another one, such as a pointer to a new struct that has fields", p.kind)
	}
	arg := "new " + p.kind
	for n := 2; slices.Contains(c.args, arg); n++ {
		arg = fmt.Sprintf("new %s %d", p.kind, n)
	}
	name := Arg(c, arg, p.unused())
	n := name.number(p.kind)
	switch {
	case name == "":
	case n < 1:
		c.refuse("%q does not name an instance: want a name such as %s1", name, p.kind)
	case p.used[n]:
		c.refuse("there is an instance %s already", name)
	}
	if name != "" {
		c.made = append(c.made, name)
		p.used[n], p.most = true, max(p.most, n)
		p.live, p.names = append(p.live, instance), append(p.names, name)
	}
	if c.doing == running {
		now := c.runner.now()
		now.binds = append(now.binds, len(c.args))
		if name == "" { // C.Code may show it
			name = Name(fmt.Sprintf("%s_%d", p.kind, len(c.runner.trace)-1))
		}
		now.made = append(now.made, name)
		c.runner.instances = append(c.runner.instances, named{instance, name})
	}
	return instance
}

// Draw returns one of the instances, half of the time the first. The argument has a name like
// that of any [Arg]. The operation needs the precondition [Pool.Any].
func (p *Pool[T]) Draw(arg string) T {
	c := p.c
	if len(p.live) == 0 {
		if c.doing != making {
			c.refuse("there is no instance for the argument %s", arg)
		}
		c.misuse("draws %q from the pool %q, which is empty: declare the operation by Op(...).When(pool.Any)", arg, p.kind)
	}
	name := Arg(c, arg, p.one())
	i := slices.Index(p.names, name)
	if i < 0 {
		c.refuse("there is no instance %s for the argument %s", name, arg)
	}
	c.used = append(c.used, name)
	return p.live[i]
}

// Remove removes an instance that is no longer to be used, if it is there.
func (p *Pool[T]) Remove(instance T) {
	if i := slices.Index(p.live, instance); i >= 0 {
		p.live, p.names = slices.Delete(p.live, i, i+1), slices.Delete(p.names, i, i+1)
	}
}

// Clear removes all instances.
func (p *Pool[T]) Clear() { p.live, p.names = nil, nil }

// Any reports whether there is an instance.
func (p *Pool[T]) Any() bool { return len(p.live) > 0 }

// All returns the instances, in the order in which they were added.
func (p *Pool[T]) All() []T { return slices.Clone(p.live) }

// Names returns the names of the instances that All returns. It is for generators of arguments
// that are instances or something else.
func (p *Pool[T]) Names() []Name { return slices.Clone(p.names) }

// Name returns the name of an instance that the pool has had, or "" if there is none. It is
// for messages in [C.Do], [C.Invariant] and [C.End]: the report of a failure shows which call
// makes the instance that is named.
func (p *Pool[T]) Name(instance T) Name {
	c := p.c
	if c.phase < inDo || c.doing != running {
		c.misuse("calls Pool.Name outside of Do, Invariant and End: it is for messages")
	}
	for i := len(c.runner.instances) - 1; i >= 0; i-- {
		if n := c.runner.instances[i]; n.instance == any(instance) && n.name.number(p.kind) > 0 {
			return n.name
		}
	}
	return ""
}

// unused returns the generator of the name of a new instance.
func (p *Pool[T]) unused() bigen.Gen[Name] {
	switch {
	case p.needless():
		return bigen.Gen[Name]{}
	case len(p.used) == p.most && p.most <= maxNames: // as always, unless calls have been taken out
		return p.c.model.names.get(p.kind, true, p.most)
	}
	return unusedNames(p.kind, func(n int) bool { return p.used[n] })
}

// one returns the generator of the name of an instance.
func (p *Pool[T]) one() bigen.Gen[Name] {
	switch {
	case p.needless():
		return bigen.Gen[Name]{}
	case len(p.used) == p.most && len(p.live) == p.most && p.most <= maxNames:
		return p.c.model.names.get(p.kind, false, p.most)
	}
	return someName(p.names)
}

// needless reports whether the generators of arguments are not needed.
func (p *Pool[T]) needless() bool { return p.c.doing == running && !p.c.runner.verify }
