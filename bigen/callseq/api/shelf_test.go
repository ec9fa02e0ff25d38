package api_test

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// A shelf is a sorted set of ints, with iterators and copies.
type shelf struct {
	compare func(a, b int) int
	items   []int
	planted string
	clone   bool
}

func newShelf(compare func(a, b int) int) *shelf { return &shelf{compare: compare} }

// Put adds an item. Planted by panic: it fails for the third.
func (s *shelf) Put(x int) {
	i := 0
	for i < len(s.items) && s.compare(s.items[i], x) < 0 {
		i++
	}
	if i < len(s.items) && s.compare(s.items[i], x) == 0 {
		return
	}
	if s.planted == "panic" && i == 2 {
		_ = s.items[i]
	}
	s.items = append(s.items[:i], append([]int{x}, s.items[i:]...)...)
}

// Get returns the i-th item. It panics if there is none.
func (s *shelf) Get(i int) int {
	if i < 0 || i >= len(s.items) {
		panic(fmt.Sprintf("no item %d", i))
	}
	return s.items[i]
}

// Take removes an item. Planted by full: it fails for a clone with four.
func (s *shelf) Take(x int) error {
	if s.planted == "full" && s.clone && len(s.items) == 4 {
		_ = s.items[4]
	}
	for i, y := range s.items {
		if x == y {
			s.items = append(s.items[:i], s.items[i+1:]...)
			return nil
		}
	}
	return errors.New("no such item")
}

func (s *shelf) Len() int { return len(s.items) }

// Clone returns a copy. Planted by alias: it shares the items.
func (s *shelf) Clone() *shelf {
	c := *s
	c.clone = true
	if s.planted != "alias" {
		c.items = append([]int(nil), s.items...)
	}
	return &c
}

// First returns a cursor at the first item, or nil if there is none.
func (s *shelf) First() *cursor {
	if len(s.items) == 0 {
		return nil
	}
	return &cursor{s, 0}
}

// String lists the items. Planted by string: it fails for three.
func (s *shelf) String() string {
	if s.planted == "string" && len(s.items) == 3 {
		panic("three")
	}
	return fmt.Sprint(s.items)
}

type cursor struct {
	s *shelf
	i int
}

// Value returns the item. It panics if that is gone. Planted by next: it does so otherwise.
func (c *cursor) Value() int {
	if c.i >= len(c.s.items) && c.s.planted != "next" {
		panic("gone")
	}
	return c.s.items[c.i]
}

// Next moves to the next item.
func (c *cursor) Next() bool {
	if c.i+1 < len(c.s.items) {
		c.i++
	}
	return c.i+1 < len(c.s.items)
}

// announced says that cursor.Value may panic in its own words.
func announced(o api.Outcome) api.Class {
	if o.Panic == "gone" {
		return api.Expected
	}
	return api.DefaultClass(o)
}

// shelfAPI declares the operations of a shelf with a planted bug, or none.
func shelfAPI(planted string, opts ...api.Option) *api.API {
	return api.New(func(c *api.C) {
		shelves := api.Type[*shelf](c, "shelf")
		cursors := api.Type[*cursor](c, "cursor")
		ints := api.Type(c, "int", api.Literals(bigen.OneOf(-1, 0, 1, 10, 100)))
		compares := api.Type(c, "compare", api.Expr("cmp.Compare[int]", cmp.Compare[int]))
		stringers := api.Type(c, "stringer", api.Make(`new(strings.Builder)`, func() fmt.Stringer { return new(strings.Builder) }))
		api.Assign(stringers, shelves, func(s *shelf) fmt.Stringer { return s })

		c.Op("newShelf", func() {
			compare, shelf := compares.Arg("compare"), shelves.Result()
			c.Do(func() { shelf.V = newShelf(compare.V); shelf.V.planted = planted; c.Got(shelf) })
		})
		c.Op("shelf.Put", func() {
			shelf, x := shelves.Arg("shelf"), ints.Arg("x")
			c.Do(func() { shelf.V.Put(x.V); c.Got() })
		}).When(shelves.Any)
		c.Op("shelf.Get", func() {
			shelf, i := shelves.Arg("shelf"), ints.Arg("i")
			item := ints.Result()
			c.Do(func() { item.V = shelf.V.Get(i.V); c.Got(item) })
		}).When(shelves.Any)
		c.Op("shelf.Take", func() {
			shelf, x := shelves.Arg("shelf"), ints.Arg("x")
			c.Do(func() { c.Got(shelf.V.Take(x.V)) })
		}).When(shelves.Any)
		c.Op("shelf.Len", func() {
			shelf := shelves.Arg("shelf")
			c.Do(func() { c.Got(shelf.V.Len()) })
		}).When(shelves.Any)
		c.Op("shelf.Clone", func() {
			shelf, clone := shelves.Arg("shelf"), shelves.Result()
			c.Do(func() { clone.V = shelf.V.Clone(); c.Got(clone) })
		}).When(shelves.Any)
		c.Op("shelf.First", func() {
			shelf, cursor := shelves.Arg("shelf"), cursors.Result()
			c.Do(func() { cursor.V = shelf.V.First(); c.Got(cursor) })
		}).When(shelves.Any)
		c.Op("cursor.Value", func() {
			cursor := cursors.Arg("cursor")
			c.Do(func() { c.Got(cursor.V.Value()) })
		}).When(cursors.Any)
		c.Op("cursor.Next", func() {
			cursor := cursors.Arg("cursor")
			c.Do(func() { c.Got(cursor.V.Next()) })
		}).When(cursors.Any)
		c.Op("fmt.Sprint", func() {
			stringer := stringers.Arg("stringer")
			c.Do(func() { c.Got(fmt.Sprint(stringer.V)) })
		})
		c.Op("cursor.i =", func() {
			cursor, i := cursors.Arg("cursor"), ints.Arg("i")
			c.Do(func() { cursor.V.i = max(0, i.V) })
		}).When(cursors.Any)
	}, append([]api.Option{api.Classify(announced)}, opts...)...)
}
