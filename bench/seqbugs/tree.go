package seqbugs

import "github.com/emirpasic/gods/v2/trees/redblacktree"

// A Tree is a redblacktree of gods: an ordered collection with iterators. Planted by "tree
// remove": a key whose value has been replaced is not removed. Planted by "tree prev": Prev
// leaves out a key at the end of two or more.
type Tree struct {
	tree     *redblacktree.Tree[int, int]
	replaced map[int]bool
}

// NewTree returns an empty tree.
func NewTree() *Tree { return &Tree{redblacktree.New[int, int](), map[int]bool{}} }

// Put makes v the value of k.
func (t *Tree) Put(k, v int) {
	called("")
	if _, ok := t.tree.Get(k); ok {
		t.replaced[k] = true
	}
	t.tree.Put(k, v)
}

// Get returns the value of k.
func (t *Tree) Get(k int) (int, bool) {
	called("")
	return t.tree.Get(k)
}

// Remove removes k.
func (t *Tree) Remove(k int) {
	if called("tree remove") && t.replaced[k] {
		return
	}
	t.tree.Remove(k)
}

// Size returns the number of keys.
func (t *Tree) Size() int { return t.tree.Size() }

// A TreeIter is an iterator. It is valid until the tree changes.
type TreeIter struct {
	tree *Tree
	iter *redblacktree.Iterator[int, int]
	end  bool
}

// Iter returns an iterator before the first key.
func (t *Tree) Iter() *TreeIter {
	called("")
	return &TreeIter{tree: t, iter: t.tree.Iterator()}
}

// Next moves to the next key and returns it.
func (it *TreeIter) Next() (int, bool) {
	called("")
	if it.end = !it.iter.Next(); it.end {
		return 0, false
	}
	return it.iter.Key(), true
}

// Prev moves to the previous key and returns it.
func (it *TreeIter) Prev() (int, bool) {
	if called("tree prev") && it.end && it.tree.tree.Size() > 1 {
		it.iter.Prev()
	}
	it.end = false
	if !it.iter.Prev() {
		return 0, false
	}
	return it.iter.Key(), true
}
