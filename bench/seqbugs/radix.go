// Package seqbugs has go-immutable-radix with bugs to plant that a few calls in the right order
// reveal.
package seqbugs

import iradix "github.com/hashicorp/go-immutable-radix/v2"

var (
	// Planted is the bug that trees have, or "".
	Planted string

	// Calls counts calls.
	Calls int
)

// called reports whether a bug is planted, and counts the call.
func called(bug string) bool {
	Calls++
	return Planted == bug
}

// A Radix is a version of a go-immutable-radix, which has transactions. Planted by "radix
// alias": what a transaction changes after a commit shows in what it has committed. Planted by
// "radix delete": with a key, the key followed by an a is deleted, too.
type Radix struct {
	tree *iradix.Tree[int]
	txn  *Txn // that has made it, or nil
}

// NewRadix returns an empty tree.
func NewRadix() *Radix {
	called("")
	return &Radix{tree: iradix.New[int]()}
}

// Get returns the value of k.
func (r *Radix) Get(k string) (int, bool) {
	v, ok := r.tree.Get([]byte(k))
	if called("radix alias") && ok && r.txn != nil {
		if now, ok := r.txn.txn.Get([]byte(k)); ok {
			return now, true
		}
	}
	return v, ok
}

// Txn begins a transaction.
func (r *Radix) Txn() *Txn {
	called("")
	return &Txn{r.tree.Txn()}
}

// A Txn is a transaction.
type Txn struct{ txn *iradix.Txn[int] }

// Insert makes v the value of k.
func (t *Txn) Insert(k string, v int) {
	called("")
	t.txn.Insert([]byte(k), v)
}

// Delete removes k, and reports whether it was there.
func (t *Txn) Delete(k string) bool {
	_, ok := t.txn.Delete([]byte(k))
	if called("radix delete") && ok {
		t.txn.Delete([]byte(k + "a"))
	}
	return ok
}

// Get returns the value of k.
func (t *Txn) Get(k string) (int, bool) {
	called("")
	return t.txn.Get([]byte(k))
}

// Commit returns the new version. The transaction may continue.
func (t *Txn) Commit() *Radix {
	called("")
	return &Radix{t.txn.Commit(), t}
}
