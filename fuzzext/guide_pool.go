package fuzzext

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/sizeclass"
)

// A pool holds valid values to mutate. There are far more small values than large ones, and
// far more values than shapes. So the pool has a class for each size, and in a class one value
// of each shape: each class is drawn as often as any other, and in it the rarer one of two
// shapes.
type pool struct {
	classes [sizeclass.Count]class
	used    []int // the classes that have values
}

// A class holds values of about the same size.
type class struct {
	kept    []*kept
	byShape map[uint64]*kept
}

// kept is a valid value.
type kept struct {
	tree  choices.Tree
	shape uint64
	seen  int // valid values of the shape
	drawn int
}

const maxClass = 64 // values of a class

// add adds a valid value of a class, or counts its shape. It keeps a copy.
func (p *pool) add(t choices.Tree, i int, shape uint64, r *rand.Rand) {
	c := &p.classes[i]
	if c.byShape == nil {
		c.byShape = map[uint64]*kept{}
		p.used = append(p.used, i)
	}
	k := c.byShape[shape]
	if k == nil {
		k = &kept{shape: shape}
		c.byShape[shape] = k
		if len(c.kept) < maxClass {
			c.kept = append(c.kept, k)
		} else {
			j := r.IntN(len(c.kept))
			if l := r.IntN(len(c.kept)); c.kept[l].seen > c.kept[j].seen {
				j = l
			}
			delete(c.byShape, c.kept[j].shape)
			c.kept[j] = k
		}
	}
	if k.seen++; k.tree == nil || r.IntN(k.seen) == 0 {
		k.tree = append(k.tree[:0], t...)
	}
}

// draw returns a value, which is not to be changed, or nil.
func (p *pool) draw(r *rand.Rand) choices.Tree {
	if len(p.used) == 0 {
		return nil
	}
	c := &p.classes[p.used[r.IntN(len(p.used))]]
	k, other := c.kept[r.IntN(len(c.kept))], c.kept[r.IntN(len(c.kept))]
	if other.seen+other.drawn < k.seen+k.drawn {
		k = other
	}
	k.drawn++
	return k.tree
}

// each calls f for each value.
func (p *pool) each(f func(choices.Tree)) {
	for _, i := range p.used {
		for _, k := range p.classes[i].kept {
			f(k.tree)
		}
	}
}

// sizeAndShape returns how many alternatives of a value have parts, and a hash of all
// alternatives: of what is left without integers and texts.
func sizeAndShape(t choices.Tree) (size int, shape uint64) {
	for i := range t {
		c := &t[i]
		if c.Kind != choices.Pick {
			continue
		}
		if c.Size > 1 {
			size++
		}
		shape = hash.Mix(shape, uint64(c.Slot)<<20^uint64(c.N)<<1|1)
	}
	return size, shape
}
