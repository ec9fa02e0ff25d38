package callseq_test

import (
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// A list has iterators and snapshots.
type list struct {
	items   []int
	planted string
}

func (l *list) Add(x int)   { l.items = append(l.items, x) }
func (l *list) Iter() *iter { return &iter{l: l} }

// Snapshot returns the list as it is. Planted by alias: it shares the items.
func (l *list) Snapshot() *list {
	if l.planted == "alias" {
		return &list{items: l.items, planted: l.planted}
	}
	return &list{items: append([]int(nil), l.items...)}
}

// Set changes an item.
func (l *list) Set(i, x int) { l.items[i] = x }

type iter struct {
	l *list
	i int
}

// Next returns the next item.
func (it *iter) Next() (int, bool) {
	if it.i >= len(it.l.items) {
		return 0, false
	}
	it.i++
	return it.l.items[it.i-1], true
}

type bothIters struct {
	model int
	real  *iter
}

type snapshot struct {
	model []int
	real  *list
}

// listModel describes a list with a planted bug, or none.
func listModel(planted string) *callseq.Model {
	return callseq.New(func(c *callseq.C) {
		impl := &list{planted: planted}
		var model []int
		c.Code("impl := &list{planted: %v}", planted)
		its := callseq.NewPool[*bothIters](c, "it")
		snaps := callseq.NewPool[*snapshot](c, "snap")

		c.Op("impl.Add", func() {
			x := callseq.Arg(c, "x", bigen.IntRange(0, 9))
			model = append(model, x)
			c.Do(func() { impl.Add(x) })
		})
		c.Op("impl.Set", func() {
			i := callseq.Arg(c, "i", bigen.IntRange(0, len(model)-1))
			x := callseq.Arg(c, "x", bigen.IntRange(0, 9))
			model = append([]int(nil), model...)
			model[i] = x
			c.Do(func() { impl.Set(i, x) })
		}).When(func() bool { return len(model) > 0 })
		c.Op("impl.Iter", func() {
			it := its.Add(&bothIters{})
			c.Do(func() { it.real = impl.Iter() })
		})
		c.Op("it.Next", func() {
			it := its.Draw("it")
			if it.model < len(model) {
				it.model++
				c.Want(model[it.model-1], true)
			} else {
				c.Want(0, false)
				its.Remove(it)
			}
			c.Do(func() { c.Got(it.real.Next()) })
		}).When(its.Any).Weight(2)
		c.Op("impl.Snapshot", func() {
			s := snaps.Add(&snapshot{model: append([]int(nil), model...)})
			c.Do(func() { s.real = impl.Snapshot() })
		})
		c.Op("same", func() {
			a, b := snaps.Draw("a"), snaps.Draw("b")
			c.Code("%v.items == %v.items", a, b)
			c.Want(len(a.model) == len(b.model))
			c.Do(func() { c.Got(len(a.real.items) == len(b.real.items)) })
		}).When(snaps.Any)
		c.Invariant(func() {
			for _, s := range snaps.All() {
				for i, x := range s.model {
					if s.real.items[i] != x {
						c.Errorf("item %d of %s is %d, want %d", i, snaps.Name(s), s.real.items[i], x)
					}
				}
			}
		})
	})
}
