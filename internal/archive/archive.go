// Package archive keeps values that are worth building on.
package archive

import (
	"math/rand/v2"
	"slices"
)

// An Archive keeps one value for each thing that values have reached: a shape, a key, an input.
// There are far more small values than large ones, and building on all alike would only make
// more small ones. So an Archive has classes of size ([ClassOf]):
//
//  1. Draw draws one value of all and one of a class that is drawn first, and returns the one
//     with fewer tries; of equals, the first.
//  2. To make room, Add removes one of two values of the fullest class, the one with more tries.
//
// An Archive differs from the engine's Pool, whose entries are valued by the coverage that they
// share with others and are never drawn by their size.
//
// The idea of returning to what was reached before exploring comes from Ecoffet et al., "First
// return, then explore" (Nature 2021).
type Archive[T any] struct {
	classes [Classes][]*Entry[T]
	byKey   map[uint64]*Entry[T]
	used    []int // the classes that have entries
	size    int   // of all entries
	most    int
}

// An Entry is a value of an Archive.
type Entry[T any] struct {
	Value T
	Tries int // in vain: what the archive draws less often

	key         uint64
	class, size int
}

// mostKept bounds the entries, whatever their size is.
const mostKept = 1 << 10

// New returns an archive of entries whose sizes have a sum of at most most.
func New[T any](most int) *Archive[T] {
	return &Archive[T]{byKey: map[uint64]*Entry[T]{}, most: most}
}

// Len returns how many values there are.
func (a *Archive[T]) Len() int { return len(a.byKey) }

// Add returns the entry of a key, and makes one if there is none: then isNew. It returns nil if
// size is more than a sixteenth of the archive. The caller sets the value.
func (a *Archive[T]) Add(key uint64, class, size int, r *rand.Rand) (e *Entry[T], isNew bool) {
	if e = a.byKey[key]; e != nil {
		return e, false
	}
	if size > a.most/16 {
		return nil, false
	}
	for a.Len() > 0 && (a.size+size > a.most || a.Len() == mostKept) {
		a.evict(r)
	}
	e = &Entry[T]{key: key, class: class, size: size}
	if len(a.classes[class]) == 0 {
		a.used = append(a.used, class)
	}
	a.classes[class] = append(a.classes[class], e)
	a.byKey[key] = e
	a.size += size
	return e, true
}

// evict makes room: see Archive.
func (a *Archive[T]) evict(r *rand.Rand) {
	k := a.used[0]
	for _, l := range a.used {
		if len(a.classes[l]) > len(a.classes[k]) {
			k = l
		}
	}
	kept := a.classes[k]
	i, j := r.IntN(len(kept)), r.IntN(len(kept))
	if kept[j].Tries > kept[i].Tries {
		i = j
	}
	a.size -= kept[i].size
	delete(a.byKey, kept[i].key)
	last := len(kept) - 1
	kept[i], kept[last] = kept[last], nil
	if a.classes[k] = kept[:last]; last == 0 {
		a.used = slices.DeleteFunc(a.used, func(l int) bool { return l == k })
	}
}

// Draw returns an entry to build on: see Archive. It returns nil if there is none.
func (a *Archive[T]) Draw(r *rand.Rand) *Entry[T] {
	if a.Len() == 0 {
		return nil
	}
	e := a.at(r.IntN(a.Len()))
	sized := a.classes[a.used[r.IntN(len(a.used))]]
	if other := sized[r.IntN(len(sized))]; other.Tries < e.Tries {
		return other
	}
	return e
}

// at returns the i-th entry.
func (a *Archive[T]) at(i int) *Entry[T] {
	for _, k := range a.used {
		if i < len(a.classes[k]) {
			return a.classes[k][i]
		}
		i -= len(a.classes[k])
	}
	panic("archive: fewer entries than keys")
}

// Each calls f for each value.
func (a *Archive[T]) Each(f func(T)) {
	for i := range a.Len() {
		f(a.at(i).Value)
	}
}
