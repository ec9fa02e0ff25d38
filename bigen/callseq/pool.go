package callseq

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
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
	live  []T
	names operand.Names[Name] // of live
}

// NewPool returns an empty pool. kind begins the names of its instances. Call it in the
// function given to [New].
func NewPool[T comparable](c *C, kind string) *Pool[T] {
	c.inSetup("NewPool")
	return &Pool[T]{c: c, names: operand.Names[Name]{Kind: kind, Cache: &c.model.names}}
}

// Add adds an instance, and returns it. Like [Arg], it is called before [C.Do], which fills
// in what is tested. The instance must differ from the zero T, and from all others in the
// pool. In the function given to [New], Add adds what is there before the calls, and [C.Code]
// says how it is made.
func (p *Pool[T]) Add(instance T) T {
	c := p.c
	var zero T
	if instance == zero {
		c.misuse("adds the zero %T to the pool %q: add what is to hold the instance, and fill "+
			"it in Do", instance, p.names.Kind)
	}
	if slices.Contains(p.live, instance) {
		c.misuse("adds an instance to the pool %q that equals one in it: make another one, such "+
			"as a pointer to a new struct that has fields", p.names.Kind)
	}
	arg := "new " + p.names.Kind
	for n := 2; slices.Contains(c.args, arg); n++ {
		arg = fmt.Sprintf("new %s %d", p.names.Kind, n)
	}
	name := Arg(c, arg, p.drawn(p.names.Unused))
	if name != "" {
		if wrong := p.names.Add(name); wrong != "" {
			c.refuse("%s", wrong)
		}
		c.made, p.live = append(c.made, name), append(p.live, instance)
	}
	if c.doing == running {
		now := c.runner.now()
		now.binds = append(now.binds, len(c.args))
		if name == "" { // C.Code may show it
			name = Name(fmt.Sprintf("%s_%d", p.names.Kind, len(c.runner.trace)-1))
		}
		now.made = append(now.made, name)
		c.runner.instances = append(c.runner.instances, named{instance, name})
	}
	return instance
}

// Draw returns one of the instances, half of the time the first. The argument has a name,
// like any [Arg]. The operation needs the precondition [Pool.Any].
func (p *Pool[T]) Draw(arg string) T {
	c := p.c
	if len(p.live) == 0 {
		if c.doing != making {
			c.refuse("there is no instance for the argument %s", arg)
		}
		c.misuse("draws %q from the pool %q, which is empty: declare the operation by "+
			"Op(...).When(pool.Any)", arg, p.names.Kind)
	}
	name := Arg(c, arg, p.drawn(p.names.One))
	i := slices.Index(p.names.Live, name)
	if i < 0 {
		c.refuse("there is no instance %s for the argument %s", name, arg)
	}
	c.used = append(c.used, name)
	return p.live[i]
}

// Remove removes an instance that is no longer to be used, if it is there.
func (p *Pool[T]) Remove(instance T) {
	if i := slices.Index(p.live, instance); i >= 0 {
		p.live, p.names.Live = slices.Delete(p.live, i, i+1), slices.Delete(p.names.Live, i, i+1)
	}
}

// Clear removes all instances.
func (p *Pool[T]) Clear() { p.live, p.names.Live = nil, nil }

// Any reports whether there is an instance.
func (p *Pool[T]) Any() bool { return len(p.live) > 0 }

// All returns the instances, in the order in which they were added.
func (p *Pool[T]) All() []T { return slices.Clone(p.live) }

// Names returns the names of the instances that All returns. It is for generators of arguments
// that are instances or something else.
func (p *Pool[T]) Names() []Name { return slices.Clone(p.names.Live) }

// Name returns the name of an instance that the pool has had, or "" if there is none. It is
// for messages in [C.Do], [C.Invariant] and [C.End]: the report of a failure shows which call
// makes the instance that is named.
func (p *Pool[T]) Name(instance T) Name {
	c := p.c
	if c.phase < inDo || c.doing != running {
		c.misuse("calls Pool.Name outside of Do, Invariant and End: it is for messages")
	}
	for i := len(c.runner.instances) - 1; i >= 0; i-- {
		if n := c.runner.instances[i]; n.instance == any(instance) &&
			operand.NumberOf(p.names.Kind, n.name) > 0 {
			return n.name
		}
	}
	return ""
}

// drawn returns the generator of an argument, unless it is not needed.
func (p *Pool[T]) drawn(g func() bigen.Gen[Name]) bigen.Gen[Name] {
	if p.c.doing == running && !p.c.runner.verify {
		return bigen.Gen[Name]{}
	}
	return g()
}
