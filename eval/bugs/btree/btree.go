// Package btree has a bug of github.com/tidwall/btree.
package btree

import (
	"github.com/tidwall/btree"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/btree"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.NewSequences(bug.Sequences{
		Name:   "btree/2",
		Title:  "Seek and Last keep what an earlier failed Prev or Next has left in the iterator",
		Source: source,
		Model: callseq.New(func(c *callseq.C) {
			n := callseq.Arg(c, "n", bigen.IntRange(0, most))
			m, it := cursor{n: n}, btree.IterG[int]{}
			c.Do(func() { it = iterator(n) })
			got := func(ok bool) { c.Got(item(&it, ok)) }

			c.Op("it.First", func() {
				c.Want(m.first())
				c.Do(func() { got(it.First()) })
			})
			c.Op("it.Last", func() {
				c.Want(m.last())
				c.Do(func() { got(it.Last()) })
			})
			c.Op("it.Seek", func() {
				key := callseq.Arg(c, "key", bigen.IntRange(0, most+1))
				c.Want(m.seek(key))
				c.Do(func() { got(it.Seek(key)) })
			})
			c.Op("it.Next", func() {
				c.Want(m.next())
				c.Do(func() { got(it.Next()) })
			})
			c.Op("it.Prev", func() {
				c.Want(m.prev())
				c.Do(func() { got(it.Prev()) })
			})
		}),
		Rapid: func(t *rapid.T, calls *int) {
			*calls++ // what makes the tree counts, as in a callseq.Calls
			n := rapid.IntRange(0, most).Draw(t, "n")
			m, it := cursor{n: n}, iterator(n)
			want := func(key int, ok bool) func(got bool) {
				return func(got bool) {
					*calls++
					if gotKey, got := item(&it, got); gotKey != key || got != ok {
						t.Fatalf("got %d, %t; want %d, %t", gotKey, got, key, ok)
					}
				}
			}
			t.Repeat(map[string]func(*rapid.T){
				"First": func(*rapid.T) { want(m.first())(it.First()) },
				"Last":  func(*rapid.T) { want(m.last())(it.Last()) },
				"Seek": func(t *rapid.T) {
					key := rapid.IntRange(0, most+1).Draw(t, "key")
					want(m.seek(key))(it.Seek(key))
				},
				"Next": func(*rapid.T) { want(m.next())(it.Next()) },
				"Prev": func(*rapid.T) { want(m.prev())(it.Prev()) },
			})
		},
	}),
}

const most = 5 // keys of a tree: 1, 2, ...

// iterator returns one of a tree of n keys.
func iterator(n int) btree.IterG[int] {
	tree := btree.NewBTreeG(func(a, b int) bool { return a < b })
	for key := range n {
		tree.Set(key + 1)
	}
	return tree.Iter()
}

func item(it *btree.IterG[int], ok bool) (key int, found bool) {
	if !ok {
		return 0, false
	}
	return it.Item(), true
}

// A cursor is the model of an iterator: a step that fails leaves it where it is, and a Seek that
// fails is a step beyond the last key.
type cursor struct {
	n, at int // at is 0 before the first call
}

func (m *cursor) move(to int) (key int, ok bool) {
	if to < 1 || to > m.n {
		return 0, false
	}
	m.at = to
	return to, true
}

func (m *cursor) first() (int, bool) { return m.move(1) }
func (m *cursor) last() (int, bool)  { return m.move(m.n) }
func (m *cursor) next() (int, bool)  { return m.move(m.at + 1) }

func (m *cursor) prev() (int, bool) {
	if m.at == 0 {
		return 0, false
	}
	return m.move(m.at - 1)
}

func (m *cursor) seek(key int) (int, bool) {
	if key > m.n {
		m.at = m.n
		return 0, false
	}
	return m.move(max(key, 1))
}
