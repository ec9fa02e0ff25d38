package syntax

import "reflect"

// A way is a choice that a run has made.
type way struct {
	taken, of int
	number    int // of the alternative that is taken: no other of the place has it
}

// A frame is the tree that a rule fills in.
type frame struct {
	typ  reflect.Type
	base uintptr
}

// A point is where a run of a place is: at a part of the tree of a frame, and at a position. What
// can follow does not depend on how the run got there.
type point struct {
	typ    reflect.Type
	part   reflect.Type // since parts of size 0 have the offset of another one
	offset uintptr
	n      int // elements of a list, up to the fewest
	pos    int
}

// enter begins the frame of a tree, and returns the one before it.
func enter[T any](r *reading, v *T) (before frame) {
	before = r.frame
	r.frame = frame{reflect.TypeFor[T](), reflect.ValueOf(v).Pointer()}
	return before
}

// been ends a run at a part of its tree if another run has been there, since what follows has been
// tried then. It reports whether it has.
func been[T any](r *reading, part *T, n int) bool {
	offset := reflect.ValueOf(part).Pointer() - r.frame.base
	if r.failed || r.next == 0 || r.frame.typ == nil || offset >= r.frame.typ.Size() {
		return r.failed
	}
	at, number := point{r.frame.typ, reflect.TypeFor[T](), offset, n, r.pos}, r.ways[r.next-1].number
	if before, ok := r.points[at]; ok && before != number {
		r.failed = true
	} else if !ok {
		if r.points == nil {
			r.points = map[point]int{}
		}
		r.points[at] = number
	}
	return r.failed
}

// take takes an alternative of a way.
func (r *reading) take(w *way, alternative int) {
	r.numbers++
	w.taken, w.number = alternative, r.numbers
}

// An attempt is one way of a choice of two, until there is another choice in it.
type attempt struct{ pos, next int }

// attempt begins the first way of the choice that has just been made.
func (r *reading) attempt() attempt { return attempt{r.pos, r.next} }

// fails reports whether the attempt has failed without another choice in it. Then the second way has
// been taken.
func (t attempt) fails(c *C) bool {
	if !c.failed || c.next != t.next || c.gaveUp != "" {
		return false
	}
	c.reading.take(&c.ways[t.next-1], 1)
	c.pos, c.failed = t.pos, false
	return true
}

// readList reads a list.
func readList[T any](c *C, p *[]T, least int, sep string, rule Rule[T]) {
	for n := 0; !been(c.reading, p, min(n, least)) && (n < least || c.choose(2) == 0); n++ {
		t := c.attempt()
		if n > 0 && sep != "" {
			c.Token(sep)
		}
		v := new(T)
		At(c, v, rule)
		if c.failed = c.failed || n >= least && c.pos == t.pos; c.failed {
			if n >= least {
				t.fails(c)
			}
			return
		}
		*p = append(*p, *v)
	}
}
