package callseq

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
)

// A Name is the name of an instance of a [Pool], in [Calls]: it stands for what an earlier
// call has made.
type Name string

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
	names []bigen.Alt[Name] // of live
	texts []Name

	unused []bigen.Alt[Name] // names to give, the next one first, without weight
	spare  []Name
	given  int // names in either
}

// NewPool returns an empty pool. kind begins the names of its instances. Call it in the
// function given to [New].
func NewPool[T comparable](c *C, kind string) *Pool[T] {
	c.inSetup("NewPool")
	return &Pool[T]{c: c, kind: kind}
}

// spareNames is how many names an instance may have, besides the next one: those that it
// keeps when calls are taken out that have made others.
const spareNames = 15

// Add adds an instance, and returns it. Like [Arg], it is called before [C.Do], which fills
// in what is tested. The instance must differ from the zero T, and from all others.
func (p *Pool[T]) Add(instance T) T {
	c := p.c
	var zero T
	if instance == zero {
		c.misuse("adds the zero %T to the pool %q: add what is to hold the instance, and fill it in Do", instance, p.kind)
	}
	for len(p.spare) <= spareNames {
		p.given++
		name := Name(fmt.Sprint(p.kind, p.given))
		p.spare, p.unused = append(p.spare, name), append(p.unused, p.alt(name).Weight(0))
	}
	name := Arg(c, "new "+p.kind, p.gen(p.unused, func(alts []bigen.Alt[Name]) { alts[0] = alts[0].Weight(1) }))
	i := slices.Index(p.spare, name)
	if i >= 0 {
		p.spare, p.unused = slices.Delete(p.spare, i, i+1), slices.Delete(p.unused, i, i+1)
	} else if slices.Contains(p.texts, name) {
		c.refuse("there is an instance %s already", name)
	}
	p.live, p.texts, p.names = append(p.live, instance), append(p.texts, name), append(p.names, p.alt(name))
	if c.doing == running {
		now := c.runner.now()
		now.binds = append(now.binds, len(c.args))
		c.runner.instances = append(c.runner.instances, named{instance, name})
	}
	return instance
}

// Draw returns one of the instances. The argument has a name like that of any [Arg]. The
// operation needs the precondition [Pool.Any].
func (p *Pool[T]) Draw(arg string) T {
	c := p.c
	if len(p.live) == 0 {
		if c.doing != making {
			c.refuse("there is no instance for the argument %s", arg)
		}
		c.misuse("draws %q from the pool %q, which is empty: declare the operation by Op(...).When(pool.Any)", arg, p.kind)
	}
	name := Arg(c, arg, p.gen(p.names, nil))
	i := slices.Index(p.texts, name)
	if i < 0 {
		c.refuse("there is no instance %s for the argument %s", name, arg)
	}
	return p.live[i]
}

// Remove removes an instance that is no longer to be used, if it is there.
func (p *Pool[T]) Remove(instance T) {
	if i := slices.Index(p.live, instance); i >= 0 {
		p.live, p.texts, p.names = slices.Delete(p.live, i, i+1), slices.Delete(p.texts, i, i+1), slices.Delete(p.names, i, i+1)
	}
}

// Any reports whether there is an instance.
func (p *Pool[T]) Any() bool { return len(p.live) > 0 }

// All returns the instances, in the order in which they were added.
func (p *Pool[T]) All() []T { return slices.Clone(p.live) }

func (p *Pool[T]) alt(name Name) bigen.Alt[Name] { return bigen.Tag(string(name), bigen.Just(name)) }

// gen returns the generator of one of the names, whose alternatives change may change. A
// sequence that is run seldom needs it.
func (p *Pool[T]) gen(names []bigen.Alt[Name], change func([]bigen.Alt[Name])) (g bigen.Gen[Name]) {
	if c := p.c; c.doing == running && !c.runner.verify {
		return g
	}
	if change != nil {
		names = slices.Clone(names)
		change(names)
	}
	return bigen.Pick(names...)
}
